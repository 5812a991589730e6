"""All the hardware of one table: the hub, what hangs on the pins of its seats, and the light board.

What it hears and how it is goes to `take`; a part that the wiring does not name is not there.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Self

from companion import config
from companion.condition import Condition
from companion.devices.gpio import OpenPins
from companion.devices.hub_port import HubPort
from companion.devices.hub_talk import Heard
from companion.devices.hub_thread import HubThread
from companion.devices.light_board import LightBoard
from companion.devices.recording import RecordingState, begun
from companion.devices.seats import SeatEvent, Seats
from companion.devices.serial_line import Ports
from companion.sensing.notes import as_note
from companion.sensing.observations import Seen


class Hardware(AbstractContextManager["Hardware"]):
    """The parts, of which the hub has a thread of its own."""

    def __init__(  # noqa: PLR0913 - everything that it needs from outside
        self,
        wiring: config.Table,
        ports: Ports,
        open_pins: OpenPins,
        clock_us: Callable[[], int],
        take: Callable[[Heard | SeatEvent | Condition], None],  # from any thread
        *,
        wake: Callable[[], None],  # from any thread: the seats have something to do
        record: Path | None = None,  # where all that comes in is written; None: nowhere
    ) -> None:
        self.recorder = None if record is None else begun(record, take)
        self.hub: HubThread | None = None
        if wiring.hub is not None:
            port = HubPort(wiring.hub, take, take, ports, self.recorder)
            self.hub = HubThread(port, clock_us)
        self.seats = Seats(wiring, open_pins, take, take, clock_us, wake=wake)
        self.lights: LightBoard | None = None
        if wiring.light_board is not None:
            self.lights = LightBoard(wiring.light_board, take)

    def __enter__(self) -> Self:
        """Have the hub listened to."""
        if self.hub is not None:
            self.hub.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the hub; the seats and the board go dark as the last light does."""
        if self.hub is not None:
            self.hub.__exit__(None, None, None)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Return how each part is."""
        parts = (self.hub and self.hub.port, self.lights, self.recorder)
        return (*(part.condition for part in parts if part), *self.seats.conditions)

    @property
    def recorded(self) -> bool:
        """Whether what comes in is being written."""
        recorder = self.recorder
        return recorder is not None and recorder.condition.state is RecordingState.RUNNING

    def send(self, frame: bytes) -> bool:
        """Send a frame by the hub; False if there is none, or no room."""
        return self.hub is not None and self.hub.send(frame)

    def note(self, seen: Seen, now_us: int) -> None:
        """Write beside the link what came in elsewhere, if it is recorded."""
        if self.recorder is not None and (what := as_note(seen)) is not None:
            self.recorder.noted(now_us, what)

    def close(self, now_us: int) -> None:
        """End the recording; whatever else there is was closed before."""
        if self.recorder is not None:
            self.recorder.close(now_us)
