"""A simulated table without a referee: its hub, sensing's receiver, and perhaps its other parts.

    evening = SimulationDriver(table, folder, tell)
    with parts_of(table, tell) as parts:
        evening.also.append(PeriodicTask(PUMP_US, parts.pump))
        evening.play()

The command `sim`, benches and tests look at it from here.
"""

import queue
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from companion.devices import light_board, seats, second_hub
from companion.devices.hub_discovery import HubMessage
from companion.devices.recording import Recorder
from companion.sensing import observations, receiver
from companion.sensing.settings import BARRELS
from companion.simulator import run
from companion.simulator.boards import key, node
from companion.simulator.live.live import (
    PeriodicTask,
    hub_settings,
)
from companion.simulator.live.parts import WIRED, SimulatedWiring, outside_of
from companion.system import signals
from companion.system.status import Condition
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.stepped import SteppedCable, SteppedPorts, host_turn

STOPPERS: Final = {node(number): key(number) for number in range(1, BARRELS + 1)}
PORT_US: Final = 100_000  # how often the hub's port is looked after, at least
TICK_S: Final = 0.002
News = observations.Observation | Condition
Tell = Callable[[int, News], None]
TellParts = Callable[[int, seats.SeatEvent | Condition], None]


class SimulationDriver:
    """A simulated table and its host."""

    def __init__(
        self, table: ScriptedTable, folder: Path, tell: Tell, recorder: Recorder | None = None
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
        self._keep_step(in_step=True)
        hub_wrote = host_turn(table, pump_port)
        pumps = [PeriodicTask(PORT_US, pump_port), *self.also]
        while table.now_us < (end_us := table.end_us if until_us is None else until_us):
            signals.check()
            table.advance(min(end_us, *(pump.due_us for pump in pumps)), hub_wrote)
            for pump in pumps:
                pump.go(table.now_us)

    def play_live(self, speed: float = 1.0) -> None:
        """Go on at a pace that people can follow, with the host in a thread of its own."""
        table = self.table
        self._keep_step(in_step=False)
        self._news = queue.SimpleQueue()
        begun, began_us = time.monotonic(), table.now_us
        with self._hubs:
            while table.now_us < (end_us := table.end_us):  # which guests put off
                wanted_us = began_us + round((time.monotonic() - begun) * 1e6 * speed)
                table.advance(min(wanted_us, end_us), hub_doze_us=run.HUB_STEP_US)
                for pump in self.also:
                    pump.go(table.now_us)
                self._deliver(self._news)
                signals.sleep(TICK_S)
        self._deliver(self._news)
        self._news = None

    def _keep_step(self, *, in_step: bool) -> None:
        for cable in self.table.cables.values():
            assert isinstance(cable, SteppedCable)
            cable.in_step = in_step

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


class SimulatedParts:
    """All that hangs on the Pi itself, with what is outside of it."""

    def __init__(self, table: ScriptedTable, outside: SimulatedWiring, tell: TellParts) -> None:
        assert WIRED.light_board is not None
        self.outside, self.bus = outside, outside.bus
        self._clock_us = table.clock_us

        def report(condition: Condition) -> None:
            tell(condition.since_us, condition)

        self.lights = light_board.LightBoard(WIRED.light_board, report)
        self.seats = seats.Seats(
            WIRED,
            outside.open_pins,
            lambda event: tell(table.now_us, event),
            report,
            table.clock_us,
        )

    def pump(self, now_us: int) -> None:
        """Let switches follow what is on them, then the devices do their work."""
        self.outside.pump(now_us)
        self.seats.tick(now_us)
        self.lights.tick(now_us)

    def close(self) -> None:
        """Make everything dark."""
        self.seats.close(self._clock_us())
        self.lights.close(self._clock_us())


@contextmanager
def parts_of(table: ScriptedTable, tell: TellParts) -> Iterator[SimulatedParts]:
    """Provide the parts of a table on simulated pins and a simulated bus."""
    with outside_of(table) as outside:
        table.faults.join(outside)
        parts = SimulatedParts(table, outside, tell)
        try:
            yield parts
        finally:
            parts.close()
