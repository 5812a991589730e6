"""The hub's cable in virtual time: both ends agree byte for byte, so one seed gives one recording.

The host takes a turn whenever the hub has written, and says with `took` and `gave` how far it is;
the kernel, which takes its own time, is waited for.

    with SteppedCable(folder) as cable:
        table = ScriptedTable((), cable, seed=1)
        ports = SteppedPorts(folder, cable)
        cable.in_step = True
        table.advance(10_000_000, host_turn(table, port.tick))
"""

import fcntl
import select
import struct
import termios
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.devices import serial_line
from companion.simulator.cable import IN_FLIGHT, NAME, Cable
from companion.simulator.live.live import FolderPorts, Live
from companion.simulator.run import SimulatedTable

PATIENCE: Final = 100_000  # looks; the kernel is never that slow


class SteppedCable(Cable):
    """One plug, whose host may tell how far it is."""

    def __init__(self, folder: Path, name: str = NAME) -> None:
        super().__init__(folder, name)
        self.in_step = False  # the host tells how far it is
        self.to_host = 0  # bytes on their way there…
        self.to_hub = 0  # …and back, as far as the host tells

    def plug(self) -> None:
        """Plug in; nothing is on its way."""
        if not self.is_plugged:
            super().plug()
            self.to_host = self.to_hub = 0

    def unplug(self) -> None:
        """Pull the plug; what was on its way is lost."""
        super().unplug()
        self.to_host = self.to_hub = 0

    @property
    def room(self) -> int:
        """Return how many bytes may be on their way to the host now."""
        return max(0, IN_FLIGHT - self.to_host)

    def push(self, data: bytes) -> int:
        """Put bytes on the line, and count them."""
        count = super().push(data)
        self.to_host += count if self.in_step else 0
        return count

    def read(self) -> bytes:
        """Return what the host has said; all of it that it told of."""
        if self._master is not None and self.to_hub:
            _until(self._master, self.to_hub)
            self.to_hub = 0
        return super().read()

    def _heard(self, master: int) -> bool:
        before, heard = self._listened, super()._heard(master)
        if before and not heard:
            self.to_host = self.to_hub = 0
        return heard

    # --- the host's end, as far as it tells ---------------------------------------------------

    def opened(self) -> None:
        """Note that the host opened the line, and that everything before is gone."""
        self.to_host = 0

    def arrive(self, descriptor: int) -> None:
        """Wait until the kernel has brought the host all that is on its way."""
        if self._master is not None and self.to_host:
            _until(descriptor, self.to_host)

    def took(self, count: int) -> None:
        """Note how many bytes the host read."""
        if self.in_step:
            self.to_host = max(0, self.to_host - count)

    def gave(self, count: int) -> None:
        """Note how many bytes the host wrote."""
        if self.in_step:
            self.to_hub += count


def _until(descriptor: int, count: int) -> None:
    """Wait until this many bytes can be read."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    for _ in range(PATIENCE):
        waiting = struct.unpack("i", fcntl.ioctl(descriptor, termios.FIONREAD, b"\0\0\0\0"))[0]
        if waiting >= count:
            return
        poll.poll(1)
    raise TimeoutError(f"{count} bytes did not arrive on a pseudo-terminal")


@dataclass(slots=True)
class _CountedLine:
    """A line that tells the cable how far it is."""

    line: serial_line.OpenPort
    cable: SteppedCable

    def fileno(self) -> int:
        return self.line.fileno()

    def read(self) -> bytes:
        if self.cable.in_step:
            self.cable.arrive(self.fileno())
        data = self.line.read()
        self.cable.took(len(data))
        return data

    def write(self, data: bytes) -> int:
        count = self.line.write(data)
        self.cable.gave(count)
        return count

    def close(self) -> None:
        self.line.close()


class SteppedPorts(FolderPorts):
    """The serial ports of the simulated table's folder, at the ends of these cables."""

    def __init__(self, folder: Path, *cables: Cable) -> None:
        super().__init__(folder)
        self._cables = cables

    def open(self, path: str) -> serial_line.OpenPort:
        """Return an open port; raise LineError."""
        line = super().open(path)
        cable = next(cable for cable in self._cables if cable.name == path)
        if not (isinstance(cable, SteppedCable) and cable.in_step):
            return line
        cable.opened()
        return _CountedLine(line, cable)


def host_turn(table: SimulatedTable, hub_wrote: Callable[[int], None]) -> Callable[[int], None]:
    """Return what lets the host take its turn, and then the hubs hear of it soon."""

    def turn(now_us: int) -> None:
        hub_wrote(now_us)
        for hub, cable in table.cables.items():
            if isinstance(cable, SteppedCable) and cable.to_hub:
                table.hasten(hub)

    return turn


class SteppedLive(Live):
    """A table that lives in step with its host: for whoever lets time pass without the thread."""

    cables = SteppedCable

    def __init__(self, folder: Path, *words: object, **how: object) -> None:
        super().__init__(folder, *words, **how)  # type: ignore[arg-type] # as Live takes them
        self.ports = SteppedPorts(folder, *self.table.cables.values())
        for cable in self.table.cables.values():
            assert isinstance(cable, SteppedCable)
            cable.in_step = True
