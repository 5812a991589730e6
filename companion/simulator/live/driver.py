"""Joins the simulated table with the real devices, and lets both go, in step or in real time.

In virtual time the host takes a turn whenever the hub has written; `SteppedPorts` waits until the
kernel has carried the bytes, so one seed gives one recording.
"""

import queue
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.devices import second_hub, serial_line
from companion.devices.hub_discovery import HubMessage
from companion.devices.recording import Recorder
from companion.sensing import observations, receiver
from companion.sensing.settings import BARRELS
from companion.simulator import boards, run
from companion.simulator.cable import NAME, SECOND_NAME, Cable
from companion.system import config, signals
from companion.system.status import Condition

PUMP_US: Final = 100_000
TICK_S: Final = 0.002
STOPPERS: Final = {boards.node(number): boards.key(number) for number in range(1, BARRELS + 1)}
News = observations.Observation | Condition
Tell = Callable[[int, News], None]


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
        """Return the names that are there."""
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


class SimulationDriver:
    """A simulated table and its host."""

    def __init__(
        self, table: run.SimulatedTable, folder: Path, tell: Tell, recorder: Recorder | None = None
    ) -> None:
        self.table, self._tell = table, tell
        self._news: queue.SimpleQueue[HubMessage | Condition] | None = None  # while in two threads
        ports = SteppedPorts(folder, *table.cables.values())
        outside = self._arrive, self._change, ports, table.clock_us
        self._hubs = second_hub.Hubs(hub_settings(table), *outside, recorder)
        self.port = self._hubs.port
        self.listening = receiver.Receiver(STOPPERS, self._hubs.send)
        self.also: list[PeriodicTask] = []  # other parts

    def play(
        self, until_us: int | None = None, pump_port: Callable[[int], None] | None = None
    ) -> None:
        """Go on as fast as the machine can; `pump_port` may wrap the port's, to measure it."""
        table, pump_port = self.table, pump_port or self._hubs.tick
        for cable in table.cables.values():
            cable.in_step = True
        table.spoke = pump_port
        pumps = [PeriodicTask(PUMP_US, pump_port), *self.also]
        while table.now_us < (end_us := table.end_us if until_us is None else until_us):
            signals.check()
            table.advance(min(end_us, *(pump.due_us for pump in pumps)))
            for pump in pumps:
                pump.go(table.now_us)

    def play_live(self, speed: float = 1.0) -> None:
        """Go on at a pace that people can follow, with the host in a thread of its own."""
        table = self.table
        for cable in table.cables.values():
            cable.in_step = False
        table.spoke, table.hub_doze_us = nothing, run.HUB_STEP_US
        self._news = queue.SimpleQueue()
        begun, began_us = time.monotonic(), table.now_us
        with self._hubs:
            while table.now_us < (end_us := table.end_us):  # which guests put off
                wanted_us = began_us + round((time.monotonic() - begun) * 1e6 * speed)
                table.advance(min(wanted_us, end_us))
                for pump in self.also:
                    pump.go(table.now_us)
                self._deliver(self._news)
                signals.sleep(TICK_S)
        self._deliver(self._news)
        self._news = None

    def close(self) -> None:
        """Let go of the ports."""
        self._hubs.close(self.table.now_us)

    def _deliver(self, news: queue.SimpleQueue[HubMessage | Condition]) -> None:
        while not news.empty():
            message = news.get()
            if isinstance(message, HubMessage):
                self._hear(message)
            else:
                self._report(message)

    def _arrive(self, heard: HubMessage) -> None:
        if self._news is None:
            self._hear(heard)
        else:
            self._news.put(heard)

    def _change(self, condition: Condition) -> None:
        if self._news is None:
            self._report(condition)
        else:
            self._news.put(condition)

    def _hear(self, heard: HubMessage) -> None:
        for observation in self.listening.handle_hub_message(heard.at_us, heard.said):
            self._tell(observation.at_us, observation)

    def _report(self, condition: Condition) -> None:
        self._tell(condition.since_us, condition)
