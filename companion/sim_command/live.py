"""A simulated table that goes on by itself, as a real one does, in a thread of its own.

It must not know the referee: it has hands, pins, a bus and a cable, and somebody else has the Pi.

    with Live(folder, seed=1) as live:
        live.ports, live.outside.open_pins, live.clock_us    # what the devices open
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

from companion import config
from companion.sensing.calibration import Calibration, Kept
from companion.sim_command.evening import InStep, Pump, nothing
from companion.sim_command.parts import PUMP_US, WIRED, outside_of
from companion.simulator.boards import key, node
from companion.simulator.cable import NAME, Cable
from companion.simulator.run import HUB_STEP_US, SimulatedTable
from companion.stoppers import Stopper

TICK_S: Final = 0.002
SIMULATED: Final = replace(WIRED, hub=config.Hub(None, (NAME.format("*"),)))


def stoppers_of(table: SimulatedTable) -> tuple[Stopper, ...]:
    """Return the stoppers of a simulated table, as `stoppers.toml` would name them."""
    return tuple(Stopper(node(number), number, key(number)) for number in table.stoppers)


def calibration_of(table: SimulatedTable) -> Calibration:
    """Return what its owners once found out by weighing, as the calibration they kept."""
    barrels = {stopper: barrel for barrel, stopper in table.world.stoppers.items()}
    kept = [
        Kept(number, node(number).hex(), barrel=barrel, sure=1.0, read=True)
        for number, barrel in sorted(barrels.items())
    ]
    return Calibration("", tuple(kept))


class Live:
    """One simulated table with its thread."""

    def __init__(self, folder: Path, seed: int, speed: float = 1.0) -> None:
        self._life = ExitStack()
        self._speed = speed
        self.cable = self._life.enter_context(Cable(folder))
        self.table = SimulatedTable((), self.cable, seed)
        self.table.spoke, self.table.hub_doze_us = nothing, HUB_STEP_US
        self.outside = self._life.enter_context(outside_of(self.table))
        self.ports = InStep(folder, self.cable)
        self.fault: BaseException | None = None  # what ended the table before its time
        self.also: list[Pump] = [Pump(PUMP_US, self.outside.pump)]
        self.enough = Event()  # those who play here have played enough
        self._over = Event()
        self._thread = Thread(target=self._run, name="simulated table", daemon=True)

    @property
    def clock_us(self) -> Callable[[], int]:
        """Return the clock by which this table lives; the Pi's must be the same."""
        return self.table.clock_us

    def __enter__(self) -> Self:
        """Let time pass."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop, and put everything away."""
        self._over.set()
        self._thread.join()
        self.close()

    def close(self) -> None:
        """Put everything away: for whoever lets time pass without the thread."""
        self._life.close()

    def _run(self) -> None:
        begun, began_us = time.monotonic(), self.table.now_us
        try:
            while not self._over.wait(TICK_S):
                passed_us = (time.monotonic() - begun) * 1e6 * self._speed
                self.table.advance(began_us + round(passed_us))
                for pump in self.also:
                    pump.go(self.table.now_us)
        except BaseException as fault:  # noqa: BLE001 - told by whoever waits for this table
            self.fault = fault
