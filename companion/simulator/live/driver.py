"""Serial ports of a simulated table, and its periodic tasks."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from companion.devices import serial_line
from companion.simulator import boards, run
from companion.simulator.cable import NAME, SECOND_NAME
from companion.system import config


def hub_settings(table: run.SimulatedTable) -> config.Hub:
    """Return what a configuration says of a simulated table's hub, or of both."""
    if run.SECOND_TURN not in table.hubs:
        return config.Hub(None, (NAME.format("*"),))
    ports = (NAME.format("*"), SECOND_NAME.format("*"))
    return config.Hub(boards.HUB.hex(":"), ports, boards.SECOND_HUB.hex(":"))


class FolderPorts:
    """The serial ports of the simulated table's folder, by their names alone."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._ports = folder, serial_line.SerialPorts()

    def find(self, patterns: Sequence[str]) -> list[str]:
        paths = self._ports.find([str(self._folder / pattern) for pattern in patterns])
        return [Path(path).name for path in paths]

    def open(self, path: str) -> serial_line.OpenPort:
        """Return an open port; raise LineError."""
        return self._ports.open(str(self._folder / path))


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
