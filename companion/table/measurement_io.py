"""The recording of a measure, and the samples that stoppers are asked for.

The table's thread has it; the hub's thread writes beside it.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from companion.devices.anonymised_recording import anonymise
from companion.devices.hardware import Hardware
from companion.devices.recording import Recorder, start_recording
from companion.maintenance import measuring
from companion.sensing.observations import Seen, as_note
from companion.system import errors, paths, status
from companion.table.inbox import Inbox
from companion.table.table_config import TableConfig

UNFINISHED: Final = "measured-unfinished.link"
REQUESTS: Final = 1 << 15  # the first half of the numbers is for evidence
Tell = Callable[..., bool]


class MeasurementIO:
    """The recording that is being made, and the ways to the parts."""

    def __init__(self, plan: TableConfig, inbox: Inbox, hardware: Hardware, tell: Tell) -> None:
        self.simulated, self.folder = plan.simulated, plan.folder
        self.pads = tuple(seat.colour for seat in plan.wiring.seats if seat.pad is not None)
        self._report: status.Report = inbox.put
        self.take: Callable[[Seen], None] = inbox.put
        self._stoppers = plan.stoppers
        self._nodes = {stopper.number: stopper.node for stopper in plan.stoppers}
        self._hub = hardware.hub
        self._measure: Recorder | None = None
        self._tell = tell
        self._asked = 0
        if hardware.recorder is not None:
            names = {node.hex(): number for number, node in self._nodes.items()}
            about = {"kind": "about", "simulated": self.simulated, "stoppers": names}
            hardware.recorder.record_note(0, about)

    @property
    def conditions(self) -> tuple[status.Condition, ...]:
        """Return how the recording is, while one is made."""
        return () if self._measure is None else (self._measure.condition,)

    def seen(self, seen: Seen, now_us: int) -> None:
        """Write beside the link what came in elsewhere."""
        if (what := as_note(seen)) is not None:
            self.note(what, now_us)

    def begin_recording(self, about: dict[str, Any], now_us: int) -> None:
        """Write down from now on all that comes from the hub; raise why that is impossible."""
        if self._hub is None:
            raise errors.CompanionError("This table has no hub, so there is nothing to measure.")
        path = self.folder / UNFINISHED
        with suppress(OSError):
            path.unlink(missing_ok=True)
        two_hubs = self._hub.second is not None
        self._measure = start_recording(path, self._report, two_hubs=two_hubs)
        self._measure.record_note(now_us, about)
        self._hub.record(self._measure, now_us)

    def note(self, what: dict[str, Any], now_us: int) -> None:
        """Write something into the recording of a measure."""
        if self._measure is not None:
            self._measure.record_note(now_us, what)

    def end_recording(self, name: str | None, now_us: int) -> None:
        """End it, and keep it by a name; None: it stays as it is."""
        recorder, self._measure = self._measure, None
        if recorder is None:
            return
        if self._hub is not None:
            self._hub.end_recording(recorder)
        recorder.close(now_us)
        if name is not None:
            with suppress(OSError):
                (self.folder / UNFINISHED).replace(self.folder / name)

    def given(self) -> bytes | None:
        """Return the newest whole recording, to be given away, from any thread; None: none is."""
        path = self.folder / measuring.RECORDING
        return anonymise(path, self._stoppers) if paths.is_there(path) else None

    def keep_raw(self, stopper: int, start_us: int, length_ms: int, now_us: int) -> None:
        """Ask a stopper for the samples that it keeps, by a time of its own clock."""
        self._asked = (self._asked + 1) % REQUESTS
        span = {"start_us": start_us, "length_ms": length_ms}
        request = REQUESTS + self._asked
        self._tell(now_us, self._nodes[stopper], "RAW_REQUEST", request=request, **span)
