"""Measuring sessions: starts and ends them, stores the result and the recording beside it.

A measure that is cut off leaves its recording, up to the last line, and the result of the one
before.
"""

from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

from companion.maintenance import measuring_guide, view
from companion.maintenance.measurement import MeasuredTable, as_json, evaluate, from_json
from companion.sensing import observations, weighing
from companion.sensing.pipeline import Sensing
from companion.system import config, small_files, status
from companion.system.errors import CompanionError

MEASURED_FILE: Final[small_files.SmallFile[MeasuredTable | None]] = small_files.SmallFile(
    "measured.json",
    lambda result: small_files.to_json({} if result is None else as_json(result)),
    lambda data: from_json(small_files.object_in(data)),
)
RECORDING: Final = "measured.link"
RAW_MS: Final = 3_500  # of the four seconds that a stopper keeps; meanwhile time goes on
LICENCE: Final = "CC0-1.0"  # of a recording that is made to be given away


class MeasurementPorts(Protocol):
    """What measuring may do with the table's parts."""

    @property
    def simulated(self) -> bool:
        """Whether the table is."""

    @property
    def pads(self) -> tuple[str, ...]:
        """Return the seats that have a pad."""

    @property
    def folder(self) -> Path:
        """Return where the table keeps what it must not lose."""

    def take(self, seen: observations.Seen) -> None:
        """Have the table take something that nobody sensed."""

    def begin_recording(self, about: dict[str, Any], now_us: int) -> None:
        """Write down from now on all that comes from the hub; raise why that is impossible."""

    def note(self, what: dict[str, Any], now_us: int) -> None:
        """Write something else into it."""

    def end_recording(self, name: str | None, now_us: int) -> None:
        """End it, and keep it by a name; None: it stays as it is."""

    def keep_raw(self, stopper: int, start_us: int, length_ms: int, now_us: int) -> None:
        """Have a stopper send what it keeps of a time of its own clock."""


class MeasuringSession:
    """The measure that goes on, if one does, and the result of the last one."""

    def __init__(
        self, sensing: Sensing, rig: MeasurementPorts, report: status.Report = lambda _: None
    ) -> None:
        self._sensing, self._rig = sensing, rig
        self._measuring: measuring_guide.Measuring | None = None
        self._ahead: dict[int, int] = {}  # each stopper's clock, less ours
        self._now_us = 0
        self.newest = MEASURED_FILE.load(rig.folder, None, report)

    # --- what people do -----------------------------------------------------------------------

    def start(self, stoppers: tuple[int, ...] | None, at: str, now_us: int) -> None:
        chosen = tuple(sorted(set(self._numbers.values() if stoppers is None else stoppers)))
        for stopper in chosen:
            if stopper not in self._numbers.values():
                raise CompanionError(
                    "Stopper {stopper} does not belong to this table.", stopper=stopper
                )
        if not chosen:
            raise CompanionError("This table has no stoppers; 'stoppers.toml' would name them.")
        self.stop(now_us)
        self._now_us, rig = now_us, self._rig
        names = {node.hex(): number for node, number in self._numbers.items() if number in chosen}
        about = {"licence": LICENCE, "simulated": rig.simulated, "saved": at, "stoppers": names}
        rig.begin_recording({"kind": "about", **about}, now_us)
        self._measuring = measuring_guide.Measuring.start(chosen, rig.pads, self, now_us)
        self._at = at
        rig.take(
            observations.ChoosingBegan(rig.pads or config.COLOURS, now_us)
        )  # as in a game: looks are judged

    def skip(self, now_us: int) -> None:
        """Leave out what is asked now."""
        self._running(now_us).skip(now_us)
        self.tick(now_us)

    def repeat(self, now_us: int) -> None:
        """Ask again for what was done last."""
        self._running(now_us).repeat(now_us)

    def unnoticed(self, now_us: int) -> None:
        """Note that what is asked was done, and that nothing was noticed of it."""
        self._running(now_us).unnoticed(now_us)
        self.tick(now_us)

    def stop(self, now_us: int) -> None:
        """End it; what was measured so far counts."""
        measuring, self._measuring = self._measuring, None
        if measuring is None:
            return
        self._rig.take(observations.ChoosingEnded(now_us))
        if not any(done.step.task.handles for done in measuring.got.done):
            self._rig.end_recording(None, now_us)
            return
        self._rig.end_recording(RECORDING, now_us)
        settings, simulated = self._sensing.settings, self._rig.simulated
        self.newest = evaluate(measuring.got, settings, at=self._at, simulated=simulated)
        with suppress(OSError):  # then it is at least shown until the table is stopped
            MEASURED_FILE.save(self._rig.folder, self.newest)

    # --- what comes in ------------------------------------------------------------------------

    def handle_message(self, seen: observations.Observation) -> None:
        """Note how a stopper's clock goes."""
        if self._measuring is not None:
            self._ahead[self._numbers[seen.node]] = seen.sent_us - seen.at_us

    def handle_event(self, event: object, now_us: int) -> None:
        """Take what sensing tells, or that a pad changed."""
        if self._measuring is not None:
            self._now_us = now_us
            self._measuring.handle_event(now_us, event)

    def tick(self, now_us: int) -> None:
        if self._measuring is not None:
            self._now_us = now_us
            self._measuring.tick(now_us)
            if self._measuring.over:
                self.stop(now_us)

    def shown(self, now_us: int) -> view.MeasuringShown | None:
        return None if self._measuring is None else self._measuring.shown(now_us)

    # --- what measuring needs -----------------------------------------------------------------

    def weight(self, stopper: int) -> float | None:
        """Return what a barrel weighed when it was set down last, above a new zero."""
        weighed = self._sensing.weighed(stopper)
        return None if weighed is None or weighed.zero is not weighing.Zero.NEW else weighed.load_mg

    def note(self, what: dict[str, Any]) -> None:
        self._rig.note(what, self._now_us)

    def keep_raw(self, stopper: int) -> None:
        """Have a stopper send the samples that it keeps, for the recording."""
        if stopper in self._ahead:
            start_us = self._now_us + self._ahead[stopper] - 1000 * RAW_MS
            self._rig.keep_raw(stopper, max(0, start_us), RAW_MS, self._now_us)

    # --- how ----------------------------------------------------------------------------------

    @property
    def _numbers(self) -> dict[bytes, int]:
        return dict(self._sensing.names)

    def _running(self, now_us: int) -> measuring_guide.Measuring:
        if self._measuring is None:
            raise CompanionError("Nothing is being measured; start measuring first.")
        self._now_us = now_us
        return self._measuring
