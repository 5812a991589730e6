"""Runs a simulated table in real time, in a thread of its own, behind the real drivers.

It must not know the referee: it has hands, pins, a bus and a cable, and somebody else has the Pi.

    with Live(folder, seed=1) as live:
        live.ports, live.outside.open_pins, live.clock_us    # what the devices open
"""

import queue
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final, Self, TypeVar

from companion.devices import serial_line
from companion.devices.stopper_registry import Stopper
from companion.maintenance.view import MaintenanceDetails
from companion.referee import commands, snapshot
from companion.sensing.calibration import Calibration, StopperCalibration
from companion.simulator import boards, cable, run
from companion.simulator.boards import key, node
from companion.simulator.guests import Guests
from companion.simulator.live.parts import PUMP_US, WIRED, outside_of
from companion.simulator.stopper_kinds import WEIGHING, StopperKind
from companion.simulator.traits import KIND, Imperfections
from companion.system import config, errors

T = TypeVar("T")
TICK_S: Final = 0.002
STEP_US: Final = 50_000  # a machine that cannot keep up is late, but still hears its people
ANSWER_S: Final = 5.0
SIMULATED: Final = replace(WIRED, hub=config.Hub(None, (cable.NAME.format("*"),)))


def stoppers_of(table: run.SimulatedTable) -> tuple[Stopper, ...]:
    """Return the stoppers of a simulated table, as `stoppers.toml` would name them."""
    return tuple(Stopper(node(number), number, key(number)) for number in table.stoppers)


def wiring_of(table: run.SimulatedTable) -> config.TableWiring:
    """Return how a simulated table is wired, as `table.toml` would say it."""
    return replace(SIMULATED, hub=hub_settings(table))


def calibration_of(table: run.SimulatedTable) -> Calibration:
    """Return what its owners once found out by weighing, as the calibration they kept."""
    kept = [
        StopperCalibration(number, node(number).hex(), barrel=barrel, sure=1.0, read=True)
        for number, barrel in sorted(table.world.barrel_of.items())
    ]
    return Calibration("", tuple(kept))


def hub_settings(table: run.SimulatedTable) -> config.Hub:
    """Return what a configuration says of a simulated table's hub, or of both."""
    if run.SECOND_TURN not in table.hubs:
        return config.Hub(None, (cable.NAME.format("*"),))
    ports = (cable.NAME.format("*"), cable.SECOND_NAME.format("*"))
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


class Live:
    """One simulated table with its thread."""

    cables: type[cable.Cable] = cable.Cable

    def __init__(  # noqa: PLR0913 - all but the first two have usual values
        self,
        folder: Path,
        seed: int,
        speed: float = 1.0,
        traits: Imperfections = KIND,
        *,
        hubs: int = 1,
        kind: StopperKind = WEIGHING,
    ) -> None:
        self._life = ExitStack()
        self.speed = speed
        self.cable = self._life.enter_context(self.cables(folder))
        second = None
        if hubs > 1:
            second = self._life.enter_context(self.cables(folder, cable.SECOND_NAME))
        empty_g = SIMULATED.barrels.empty_g
        self.table = run.SimulatedTable(
            self.cable, seed, shell_g=empty_g, kind=kind, traits=traits, second=second
        )
        self.outside = self._life.enter_context(outside_of(self.table))
        self.ports = FolderPorts(folder)
        self.fault: BaseException | None = None  # what ended the table before its time
        self.also: list[PeriodicTask] = [PeriodicTask(PUMP_US, self.outside.pump)]
        self._errands = queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]]()
        self.enough = Event()  # those who play here have played enough
        self._over = Event()
        self._thread = Thread(target=self._run, name="simulated table", daemon=True)

    @property
    def clock_us(self) -> Callable[[], int]:
        """Return the clock by which this table lives; the Pi's must be the same."""
        return self.table.clock_us

    def __enter__(self) -> Self:
        """Advance the time."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop, and put everything away."""
        self._over.set()
        self._thread.join()
        self.close()

    def carry_out(self, call: Callable[[], T]) -> T:
        """Run something in the table's own thread, for another; raise what that raises."""
        errand = Future[T]()
        self._errands.put((errand, call))
        try:
            return errand.result(ANSWER_S)
        except TimeoutError:
            errand.cancel()
            raise errors.CompanionError(
                "The simulated table does not answer; it may have ended."
            ) from None

    def run_errands(self) -> None:
        """Do what other threads have asked for."""
        while not self._errands.empty():
            errand, call = self._errands.get()
            if errand.set_running_or_notify_cancel():
                try:
                    errand.set_result(call())
                except errors.CompanionError as fault:
                    errand.set_exception(fault)

    def close(self) -> None:
        """Put everything away: for whoever lets time pass without the thread."""
        self._life.close()

    def _run(self) -> None:
        begun, began_us = time.monotonic(), self.table.now_us
        try:
            while not self._over.wait(TICK_S):
                passed_us = (time.monotonic() - begun) * 1e6 * self.speed
                wanted_us = began_us + round(passed_us)
                until_us = min(wanted_us, self.table.now_us + STEP_US)
                self.table.advance(until_us, hub_doze_us=run.HUB_STEP_US)
                self.run_errands()
                for pump in self.also:
                    pump.go(self.table.now_us)
        except BaseException as fault:  # noqa: BLE001 - raised again for whoever waits for this table
            self.fault = fault


COMING_US: Final = 30_000_000  # this long a person is waited for…
CHOOSES_US: Final = 60_000_000  # …and, once there, until it is said whether to practise


class StartDelay:
    def __init__(self, guests: Guests, begun_us: int, *, at_once: bool) -> None:
        self._guests, self._until_us = guests, begun_us + (0 if at_once else COMING_US)
        self._sat = False
        self._people: object = None  # as they were seen last

    def waits(
        self,
        now: snapshot.Snapshot,
        opened: MaintenanceDetails | None,
        now_us: int,
        people: object = None,
        *,
        sets_up: bool = False,
    ) -> bool:
        """Return whether they do nothing for now: also while people still join, or set up a match.

        `people` is any value that changes when they join or name themselves.
        """
        arrives, self._people = self._people not in (None, people), people
        if opened is None:  # a match is played
            self._until_us = now_us
            return False
        if opened.practice is not None:
            return True
        if sets_up and now.match is None:
            self._until_us = now_us + COMING_US
        elif opened.practised or now.match is not None:
            self._until_us = now_us
        elif self._guests.wanted and not self._sat and now_us < self._until_us:
            self._sat, self._until_us = True, now_us + CHOOSES_US
        elif arrives and now_us < self._until_us:
            self._until_us = now_us + CHOOSES_US
        return now_us < self._until_us


READ_US: Final = 3_000_000


class AutoAccept:
    """What of the proposals was read, and since when."""

    def __init__(self) -> None:
        self._request, self._due_us = "", 0

    def to(self, now: snapshot.Snapshot, now_us: int) -> commands.Accept | None:
        """Return their word, once; None: there is nothing to decide, or they still read."""
        proposal = now.proposal
        if proposal is None or not proposal.open or (now.match is not None and not now.over):
            return None
        if proposal.request != self._request:
            self._request, self._due_us = proposal.request, now_us + READ_US
        if not self._due_us or now_us < self._due_us:
            return None
        self._due_us = 0
        return commands.Accept(proposal.request)
