"""Serial ports of the simulated table, in step or in real time, and what is done periodically.

In virtual time the host takes a turn whenever the hub has written; `SteppedPorts` waits until the
kernel has carried the bytes, so one seed gives one recording.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.devices import serial_line
from companion.sensing.settings import BARRELS
from companion.simulator import boards, run
from companion.simulator.cable import NAME, SECOND_NAME, Cable
from companion.system import config

STOPPERS: Final = {boards.node(number): boards.key(number) for number in range(1, BARRELS + 1)}


def hub_settings(table: run.SimulatedTable) -> config.Hub:
    """Return what a configuration says of a simulated table's hub, or of both."""
    if run.SECOND_TURN not in table.hubs:
        return config.Hub(None, (NAME.format("*"),))
    ports = (NAME.format("*"), SECOND_NAME.format("*"))
    return config.Hub(boards.HUB.hex(":"), ports, boards.SECOND_HUB.hex(":"))


def nothing(_: int) -> None:
    """Do nothing: a thread of its own listens."""


@dataclass(slots=True)
class _CountedLine:
    """A line that tells the cable how far it is."""

    line: serial_line.OpenPort
    cable: Cable

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


class SteppedPorts:
    """The serial ports of the simulated table's folder, by their names alone."""

    def __init__(self, folder: Path, *cables: Cable) -> None:
        self._folder, self._cables, self._ports = folder, cables, serial_line.SerialPorts()

    def find(self, patterns: Sequence[str]) -> list[str]:
        paths = self._ports.find([str(self._folder / pattern) for pattern in patterns])
        return [Path(path).name for path in paths]

    def open(self, path: str) -> serial_line.OpenPort:
        """Return an open port; raise LineError."""
        line = self._ports.open(str(self._folder / path))
        cable = next(cable for cable in self._cables if cable.name == path)
        if not cable.in_step:
            return line
        cable.opened()
        return _CountedLine(line, cable)


@dataclass(slots=True)
class PeriodicTask:
    """Something to do again and again."""

    period_us: int
    call: Callable[[int], None]
    due_us: int = 0

    def go(self, now_us: int) -> None:
        """Do it, if it is time."""
        if now_us >= self.due_us:
            self.due_us = now_us + self.period_us
            self.call(now_us)
