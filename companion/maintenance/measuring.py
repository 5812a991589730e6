"""Measures a table: asks people for one step after another, and notices when it was done.

It must not judge what the sensors tell; `measurement` does, when all is over. The session stores
the result, and the recording beside it. A measure that is cut off leaves its recording, up to the
last line, and the result of the one before.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from companion.devices import recording, second_hub
from companion.devices.anonymised_recording import anonymise
from companion.devices.stopper_registry import Stopper
from companion.maintenance import measurement, view
from companion.maintenance.enrolment import chosen_stoppers
from companion.maintenance.measurement import (
    AGAIN,
    Collected,
    DoneStep,
    MeasuredTable,
    MeasuringStep,
    Task,
    as_note,
    steps,
)
from companion.sensing import observations
from companion.sensing.events import BarrelMotion, BarrelMoved
from companion.sensing.observations import PadChanged
from companion.sensing.pipeline import Sensing
from companion.sensing.tracking import ALOFT
from companion.system import config, format_names, paths, small_files, status, text
from companion.system.errors import CompanionError

REST_US: Final = 15_000_000
SETTLE_US: Final = 1_500_000  # it stands again; meanwhile somebody may still lift it again
SILENT_US: Final = 20_000_000  # nothing was noticed for this long


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


@dataclass(slots=True)
class Measuring:
    """A measure that goes on: which step is asked, and what came of those before."""

    asked: tuple[MeasuringStep, ...]
    session: MeasuringSession
    got: Collected = field(default_factory=Collected)
    _at: int = 0  # the step that is asked
    from_us: int = 0
    _lifted: bool = False  # in this step
    _down_us: int | None = None
    _other: int | None = None  # another barrel is in somebody's hand
    _moved: bool = False
    _closed: set[str] = field(default_factory=set)
    _skipped: bool = False  # the step before

    @property
    def over(self) -> bool:
        """Whether nothing more is asked."""
        return self._at >= len(self.asked)

    @property
    def _step(self) -> MeasuringStep:
        return self.asked[self._at]

    # --- what comes in ------------------------------------------------------------------------

    def handle_event(self, now_us: int, event: object) -> None:
        """Handle what sensing tells, or that a pad changed."""
        self.got.handle_event(now_us, event)
        if self.over:
            return
        match event:
            case PadChanged(colour=colour, occupied=occupied):
                (self._closed.add if occupied else self._closed.discard)(colour)
                on_its_way = Task.PLACE if occupied else Task.BACK
                if colour == self._step.seat and self._step.task is on_its_way:
                    self._down_us = self._down_us or now_us  # also if its lifting went unnoticed
            case BarrelMoved(stopper=stopper, doing=doing):
                self._handle_motion(
                    stopper, now_us, up=doing in ALOFT, stands=doing is BarrelMotion.STANDING
                )

    def _handle_motion(self, stopper: int, now_us: int, *, up: bool, stands: bool) -> None:
        if self._step.task is Task.REST:
            if up:
                self._moved, self.from_us = True, now_us
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
            self.session.note(AGAIN, now_us)
        self._at -= 2
        self._next(now_us)

    # --- how it goes on -----------------------------------------------------------------------

    def tick(self, now_us: int) -> None:
        """Go on to the next step if this one is done; this is called often."""
        if self.over:
            return
        step = self._step
        if step.task is Task.REST:
            if now_us - self.from_us >= REST_US:
                self._end(now_us)
            return
        if self._down_us is None or now_us - self._down_us < SETTLE_US:
            return
        if step.task is Task.PLACE and step.seat not in self._closed:
            return
        if step.task is Task.BACK and step.seat in self._closed:
            return
        self._end(now_us, noticed=self._lifted)

    def _end(self, now_us: int, *, noticed: bool = True) -> None:
        step = self._step
        done = DoneStep(step, self.from_us, now_us, noticed)
        self.got.done.append(done)
        self.session.note(as_note(done), now_us)
        if step.stopper is not None and noticed:
            if (load_mg := self.session.weight(step.stopper)) is not None:
                self.got.weights.append((step.stopper, load_mg))
            self.session.keep_raw(step.stopper, now_us)
        self._next(now_us)

    def _next(self, now_us: int) -> None:
        self._at, self.from_us = self._at + 1, now_us
        self._lifted, self._down_us, self._other, self._moved = False, None, None, False
        self._skipped = False

    # --- what is shown ------------------------------------------------------------------------

    def shown(self, now_us: int) -> view.MeasuringShown | None:
        """Return what is asked now; None: nothing more is."""
        if self.over:
            return None
        step, rested = self._step, None
        if step.task is Task.REST:
            rested = min(100, (now_us - self.from_us) * 100 // REST_US // 10 * 10)
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
        if step.task is Task.REST:
            return _sentence(Hint.MOVED, step) if self._moved else None
        if self._other is not None:
            return status.Condition(Hint.OTHER, 0, {"other": self._other, "stopper": step.stopper})
        if self._down_us is not None and now_us - self._down_us > SETTLE_US:
            return _sentence(Hint.ELSEWHERE if step.task is Task.PLACE else Hint.ON_PAD, step)
        if not self._lifted and now_us - self.from_us > SILENT_US:
            return _sentence(Hint.SILENT, step)
        return None


def _sentence(state: status.Status, step: MeasuringStep) -> status.Condition:
    values: dict[str, object] = {"stopper": step.stopper}
    if step.seat is not None:
        values["seat"] = text.SeatName[step.seat.upper()]
    used = {name: value for name, value in values.items() if f"{{{name}}}" in state.template}
    return status.Condition(state, 0, used)


# --- the session ---------------------------------------------------------------------------------

MEASURED_FILE: Final[small_files.SmallFile[MeasuredTable | None]] = small_files.SmallFile(
    "measured.json",
    lambda result: small_files.to_json({} if result is None else measurement.as_json(result)),
    lambda data: measurement.from_json(small_files.object_in(data)),
)
RECORDING: Final = "measured.link"
UNFINISHED: Final = "measured-unfinished.link"
RAW_MS: Final = 3_500  # of the four seconds that a stopper keeps; meanwhile time goes on
REQUESTS: Final = 1 << 15  # the first half of the numbers is for evidence
LICENCE: Final = "CC0-1.0"  # of a recording that is made to be given away


class MeasuringSession:
    """The measure that goes on, if one does, its recording, and the result of the last one.

    The table's thread has it; the hub's thread writes into the recording, too.
    """

    def __init__(  # noqa: PLR0913 - all of a table that is measured
        self,
        sensing: Sensing,
        folder: Path,  # where the table keeps what it must not lose
        hub: second_hub.Hubs | None,
        *,
        send: Callable[..., bool],  # to a stopper
        take: Callable[[observations.Seen | status.Condition], None],  # as if it was sensed
        stoppers: tuple[Stopper, ...],
        pads: tuple[str, ...],  # the seats that have one
        simulated: bool,
    ) -> None:
        self._sensing, self._folder, self._hub = sensing, folder, hub
        self._send, self._take, self._stoppers = send, take, stoppers
        self._pads, self._simulated = pads, simulated
        self._measuring: Measuring | None = None
        self._recorder: recording.Recorder | None = None
        self._ahead: dict[int, int] = {}  # each stopper's clock, less ours
        self._asked = 0  # requests for samples, for their numbers
        self.newest = MEASURED_FILE.load(folder, None, take)

    # --- what people do -----------------------------------------------------------------------

    def start(self, stoppers: tuple[int, ...] | None, at: str, now_us: int) -> None:
        names = self._sensing.names
        chosen = chosen_stoppers(stoppers, names.values())
        self.stop(now_us)
        nodes = {node.hex(): number for node, number in names.items() if number in chosen}
        about = {"licence": LICENCE, "simulated": self._simulated, "saved": at, "stoppers": nodes}
        self._begin_recording({"kind": "about", **about}, now_us)
        self._measuring = Measuring(steps(chosen, self._pads), self, from_us=now_us)
        self._at = at
        # as in a game: looks are judged
        self._take(observations.ChoosingBegan(self._pads or config.COLOURS, now_us))

    @property
    def running(self) -> Measuring:
        """Return the measure that goes on; CompanionError: none does."""
        if self._measuring is None:
            raise CompanionError("Nothing is being measured; start measuring first.")
        return self._measuring

    def stop(self, now_us: int) -> None:
        """End it; what was measured so far counts."""
        measuring, self._measuring = self._measuring, None
        if measuring is None:
            return
        self._take(observations.ChoosingEnded(now_us))
        self.close(now_us)
        if not any(done.step.task.handles for done in measuring.got.done):
            return
        with suppress(OSError):
            (self._folder / UNFINISHED).replace(self._folder / RECORDING)
        self.newest = measurement.evaluate(
            measuring.got, self._sensing.settings, at=self._at, simulated=self._simulated
        )
        with suppress(OSError):  # then it is at least shown until the table is stopped
            MEASURED_FILE.save(self._folder, self.newest)

    # --- what comes in ------------------------------------------------------------------------

    def handle_message(self, seen: observations.Observation) -> None:
        """Note how a stopper's clock goes."""
        if self._measuring is not None:
            self._ahead[self._sensing.names[seen.node]] = seen.sent_us - seen.at_us

    def handle_event(self, event: object, now_us: int) -> None:
        """Handle what sensing tells, or that a pad changed."""
        if self._measuring is not None:
            self._measuring.handle_event(now_us, event)

    def tick(self, now_us: int) -> None:
        if self._measuring is not None:
            self._measuring.tick(now_us)
            if self._measuring.over:
                self.stop(now_us)

    def shown(self, now_us: int) -> view.MeasuringShown | None:
        return None if self._measuring is None else self._measuring.shown(now_us)

    def weight(self, stopper: int) -> float | None:
        """Return what a barrel weighed when it was set down last, above a zero that is known."""
        weighed = self._sensing.weighed(stopper)
        return None if weighed is None or not weighed.sound else weighed.load_mg

    # --- the recording ------------------------------------------------------------------------

    @property
    def conditions(self) -> tuple[status.Condition, ...]:
        """Return how the recording is, while one is made."""
        return () if self._recorder is None else (self._recorder.condition,)

    def recording(self) -> bytes | None:
        """Return the newest whole recording, to be given away, from any thread; None: none is."""
        path = self._folder / RECORDING
        return anonymise(path, self._stoppers) if paths.is_there(path) else None

    def _begin_recording(self, about: dict[str, Any], now_us: int) -> None:
        """Write down from now on all that comes from the hub; raise why that is impossible."""
        if self._hub is None:
            raise CompanionError("This table has no hub, so there is nothing to measure.")
        path, two_hubs = self._folder / UNFINISHED, self._hub.second is not None
        with suppress(OSError):
            path.unlink(missing_ok=True)
        self._recorder = recording.start_recording(path, self._take, two_hubs=two_hubs)
        self._recorder.record_note(now_us, about)
        self._hub.record(self._recorder, now_us)

    def note(self, what: dict[str, Any], now_us: int) -> None:
        """Write something else into it."""
        if self._recorder is not None:
            self._recorder.record_note(now_us, what)

    def record_note(self, seen: observations.Seen, now_us: int) -> None:
        """Write beside the link what came in elsewhere."""
        if (what := observations.as_note(seen)) is not None:
            self.note(what, now_us)

    def keep_raw(self, stopper: int, now_us: int) -> None:
        """Ask a stopper for the samples that it keeps."""
        if stopper in self._ahead:
            self._asked = (self._asked + 1) % REQUESTS
            start_us = max(0, now_us + self._ahead[stopper] - 1000 * RAW_MS)
            span = {"start_us": start_us, "length_ms": RAW_MS}
            node = next(n for n, number in self._sensing.names.items() if number == stopper)
            self._send(now_us, node, "RAW_REQUEST", request=REQUESTS + self._asked, **span)

    def close(self, now_us: int) -> None:
        """End the recording, if one is made."""
        recorder, self._recorder = self._recorder, None
        if recorder is not None:
            if self._hub is not None:
                self._hub.end_recording(recorder)
            recorder.close(now_us)
