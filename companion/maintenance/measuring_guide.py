"""Guides people through a measurement: asks for one step after another, notices when it was done.

It must not judge what the sensors tell; `measurement` does, when all is over. Whoever has it feeds
it with all that sensing tells, and lets time pass.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from companion.maintenance import measurement, measuring_steps, view
from companion.sensing.events import BarrelMotion, BarrelMoved
from companion.sensing.observations import PadChanged
from companion.system import format_names, status, text

REST_US: Final = 15_000_000
SETTLE_US: Final = 1_500_000  # it stands again; meanwhile somebody may still lift it again
SILENT_US: Final = 20_000_000  # nothing was noticed for this long
ALOFT: Final = {BarrelMotion.LIFTED, BarrelMotion.SHAKEN, BarrelMotion.TILTED, BarrelMotion.FLIPPED}


@format_names.format_name("Hint")
class Hint(status.Status):
    """What was done otherwise than asked, and what to do now."""

    OTHER = "Barrel {other} was lifted. Put it back, and lift barrel {stopper}."
    ELSEWHERE = "{seat}'s pad is still empty; put barrel {stopper} there."
    ON_PAD = "{seat}'s pad still says that something stands there; check it."
    SILENT = (
        "Barrel {stopper} has not been noticed yet. If you did what you were asked to do, tap "
        "'Nothing was noticed'."
    )
    MOVED = "Something was moved; leave everything as it is, and the time starts again."


class Aid(Protocol):
    def weight(self, stopper: int) -> float | None:
        """Return what a barrel weighed when it was set down last, above a new zero."""

    def note(self, what: dict[str, Any]) -> None:
        """Write something into the recording."""

    def keep_raw(self, stopper: int) -> None:
        """Have a stopper send the samples that it keeps, for the recording."""


@dataclass(slots=True)
class Measuring:
    asked: tuple[measuring_steps.MeasuringStep, ...]
    aid: Aid
    got: measurement.Collected = field(default_factory=measurement.Collected)
    _at: int = 0  # the step that is asked
    _from_us: int = 0
    _lifted: bool = False  # in this step
    _down_us: int | None = None
    _other: int | None = None  # another barrel is in somebody's hand
    _moved: bool = False
    _closed: set[str] = field(default_factory=set)
    _skipped: bool = False  # the step before

    @classmethod
    def start(
        cls, stoppers: tuple[int, ...], seats: tuple[str, ...], aid: Aid, now_us: int
    ) -> Measuring:
        return cls(measuring_steps.steps(stoppers, seats), aid, _from_us=now_us)

    @property
    def over(self) -> bool:
        """Whether nothing more is asked."""
        return self._at >= len(self.asked)

    @property
    def _step(self) -> measuring_steps.MeasuringStep:
        return self.asked[self._at]

    # --- what comes in ------------------------------------------------------------------------

    def handle_event(self, now_us: int, event: object) -> None:
        """Take what sensing tells, or that a pad changed."""
        self.got.handle_event(now_us, event)
        if self.over:
            return
        match event:
            case PadChanged(colour=colour, occupied=occupied):
                (self._closed.add if occupied else self._closed.discard)(colour)
                on_its_way = measuring_steps.Task.PLACE if occupied else measuring_steps.Task.BACK
                if colour == self._step.seat and self._step.task is on_its_way:
                    self._down_us = self._down_us or now_us  # also if its lifting went unnoticed
            case BarrelMoved(stopper=stopper, doing=doing):
                self._handle_motion(
                    stopper, now_us, up=doing in ALOFT, stands=doing is BarrelMotion.STANDING
                )

    def _handle_motion(self, stopper: int, now_us: int, *, up: bool, stands: bool) -> None:
        if self._step.task is measuring_steps.Task.REST:
            if up:
                self._moved, self._from_us = True, now_us
        elif stopper != self._step.stopper:
            if up and not self._lifted:
                self._other = stopper
            elif stands and stopper == self._other:
                self._other = None
        elif up:
            self._lifted, self._down_us, self._other = True, None, None
        elif stands and self._lifted and self._down_us is None:
            self._down_us = now_us

    # --- what people say ----------------------------------------------------------------------

    def skip(self, now_us: int) -> None:
        """Leave out what is asked."""
        self._next(now_us)
        self._skipped = True

    def unnoticed(self, now_us: int) -> None:
        """Note that it was done, and that nothing was noticed of it."""
        self._end(now_us, noticed=False)

    def repeat(self, now_us: int) -> None:
        """Ask again for what was done last; it does not count."""
        if self._at == 0:
            return
        if not self._skipped:
            del self.got.done[-1:]
            self.aid.note(measuring_steps.AGAIN)
        self._at -= 2
        self._next(now_us)

    # --- how it goes on -----------------------------------------------------------------------

    def tick(self, now_us: int) -> None:
        """Go on to the next step if this one is done; this is called often."""
        if self.over:
            return
        step = self._step
        if step.task is measuring_steps.Task.REST:
            if now_us - self._from_us >= REST_US:
                self._end(now_us)
            return
        if self._down_us is None or now_us - self._down_us < SETTLE_US:
            return
        if step.task is measuring_steps.Task.PLACE and step.seat not in self._closed:
            return
        if step.task is measuring_steps.Task.BACK and step.seat in self._closed:
            return
        self._end(now_us, noticed=self._lifted)

    def _end(self, now_us: int, *, noticed: bool = True) -> None:
        step = self._step
        done = measuring_steps.DoneStep(step, self._from_us, now_us, noticed)
        self.got.done.append(done)
        self.aid.note(measuring_steps.as_note(done))
        if step.stopper is not None and noticed:
            if (load_mg := self.aid.weight(step.stopper)) is not None:
                self.got.weights.append((step.stopper, load_mg))
            self.aid.keep_raw(step.stopper)
        self._next(now_us)

    def _next(self, now_us: int) -> None:
        self._at, self._from_us = self._at + 1, now_us
        self._lifted, self._down_us, self._other, self._moved = False, None, None, False
        self._skipped = False

    # --- what is shown ------------------------------------------------------------------------

    def shown(self, now_us: int) -> view.MeasuringShown | None:
        """Return what is asked now; None: nothing more is."""
        if self.over:
            return None
        step, rested = self._step, None
        if step.task is measuring_steps.Task.REST:
            rested = min(100, (now_us - self._from_us) * 100 // REST_US // 10 * 10)
        before = self.asked[self._at - 1] if self._at else None
        return view.MeasuringShown(
            _sentence(step.task, step),
            self._at + 1,
            len(self.asked),
            self._lifted and self._down_us is None,
            rested,
            self._hint(now_us),
            None if before is None else _sentence(before.task, before),
        )

    def _hint(self, now_us: int) -> status.Condition | None:
        step = self._step
        if step.task is measuring_steps.Task.REST:
            return _sentence(Hint.MOVED, step) if self._moved else None
        if self._other is not None:
            return status.Condition(Hint.OTHER, 0, {"other": self._other, "stopper": step.stopper})
        if self._down_us is not None and now_us - self._down_us > SETTLE_US:
            return _sentence(
                Hint.ELSEWHERE if step.task is measuring_steps.Task.PLACE else Hint.ON_PAD, step
            )
        if not self._lifted and now_us - self._from_us > SILENT_US:
            return _sentence(Hint.SILENT, step)
        return None


def _sentence(state: status.Status, step: measuring_steps.MeasuringStep) -> status.Condition:
    values: dict[str, object] = {"stopper": step.stopper}
    if step.seat is not None:
        values["seat"] = text.SeatName[step.seat.upper()]
    used = {name: value for name, value in values.items() if f"{{{name}}}" in state.template}
    return status.Condition(state, 0, used)
