"""All the hardware of one table: the hub, what hangs on the pins of its seats, and the light board.

Messages and conditions go to `take`; a part that the wiring does not name is not there.
"""

import os
import socket
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Self

from companion.devices import gpio, recording, seats, second_hub, serial_line
from companion.devices.hub_discovery import HubMessage
from companion.devices.light_board import LightBoard
from companion.sensing.observations import Seen, as_note
from companion.system import config, status


class Hardware(AbstractContextManager["Hardware"]):
    """The parts, of which each hub has a thread of its own."""

    def __init__(  # noqa: PLR0913 - everything that it needs from outside
        self,
        wiring: config.TableWiring,
        ports: serial_line.Ports,
        open_pins: gpio.OpenPins,
        clock_us: Callable[[], int],
        take: Callable[[HubMessage | seats.SeatEvent | status.Condition], None],  # from any thread
        *,
        wake: Callable[[], None],  # from any thread: the seats have something to do
        record: Path | None = None,  # where all that comes in is written; None: nowhere
    ) -> None:
        self.recorder = None
        if record is not None:
            two_hubs = wiring.hub is not None and wiring.hub.second is not None
            self.recorder = recording.start_recording(record, take, two_hubs=two_hubs)
        self.hub: second_hub.Hubs | None = None
        if wiring.hub is not None:
            self.hub = second_hub.Hubs(wiring.hub, take, take, ports, clock_us, self.recorder)
        self.seats = seats.Seats(wiring, open_pins, take, take, clock_us, wake=wake)
        self.lights: LightBoard | None = None
        if wiring.light_board is not None:
            self.lights = LightBoard(wiring.light_board, take)

    def __enter__(self) -> Self:
        """Start to listen to the hub."""
        if self.hub is not None:
            self.hub.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of the hub; the seats and the board go dark as the last light does."""
        if self.hub is not None:
            self.hub.__exit__(None, None, None)

    @property
    def conditions(self) -> tuple[status.Condition, ...]:
        hubs = () if self.hub is None else self.hub.conditions
        parts = (part.condition for part in (self.lights, self.recorder) if part)
        return (*hubs, *parts, *self.seats.conditions)

    @property
    def is_recording(self) -> bool:
        """Whether what comes in is being written."""
        recorder = self.recorder
        return recorder is not None and recorder.condition.state is recording.RecordingState.RUNNING

    def send(self, frame: bytes) -> bool:
        """Send a frame by the hub; False if there is none, or no room."""
        return self.hub is not None and self.hub.send(frame)

    def record_note(self, seen: Seen, now_us: int) -> None:
        """Write beside the link what came in elsewhere, if it is recorded."""
        if self.recorder is not None and (what := as_note(seen)) is not None:
            self.recorder.record_note(now_us, what)

    def close(self, now_us: int) -> None:
        """End the recording; whatever else there is was closed before."""
        if self.recorder is not None:
            self.recorder.close(now_us)


class Watchdog:
    """Notifies systemd, its supervisor (sd_notify), that the table is ready, alive or stopping."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        path = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{path[1:]}" if path.startswith("@") else path  # "@": no file

    def ready(self) -> None:
        """Say that the table can be used."""
        self._say("READY=1")

    def pet(self) -> None:
        """Say that all goes well; to be said more often than the service's WatchdogSec."""
        self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the end is wanted."""
        self._say("STOPPING=1")

    def _say(self, word: str) -> None:
        if not self._address:
            return
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.setblocking(False)  # nobody at the table waits for it
            line.sendto(word.encode(), self._address)
