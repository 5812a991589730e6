"""A table whose workshop is used, in virtual time, and people who lift barrels to enrol them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from companion.maintenance.view import EnrolmentShown, MaintenanceDetails, MaintenanceSnapshot
from companion.present.output import NEVER_US
from companion.referee.calibration_store import CalibrationStore
from companion.referee.commands import Answer, Command, CommandBody
from companion.referee.snapshot import Snapshot, TableEvent
from companion.sensing.calibration import Calibration, StopperCalibration
from companion.sensing.load_cell_faults import Gain
from companion.sensing.weighing import Mass
from companion.simulator.boards import node
from companion.table.inbox import PendingCommand
from tests.scenarios.refereed import Refereed

ALL = tuple(range(1, 14))
REQUESTS = count()
TARE_SD_MG, KNOWN_MG = 25.0, 33_900.0


class WorkshopReader:
    """An output that keeps what the workshop publishes, and when."""

    def __init__(self, evening: Refereed) -> None:
        self._evening, self._newest = evening, evening.table.workshop
        self.told: list[tuple[int, MaintenanceSnapshot]] = []
        evening.table.outputs.join(self)

    @property
    def due_us(self) -> int:
        return NEVER_US if self._evening.table.workshop is self._newest else 0

    def on_update(self, snapshot: Snapshot, events: Sequence[TableEvent]) -> None:  # noqa: ARG002 - the contract has it
        self.tick(snapshot.at_us)

    def tick(self, now_us: int) -> None:
        if self.due_us != NEVER_US:
            self._newest = self._evening.table.workshop
            self.told.append((now_us, self._newest))

    def close(self, now_us: int) -> None:
        pass


def untaught(folder: Path, *, weighed_empty: bool = True) -> Refereed:
    """Return a table that knows its stoppers, and perhaps each cell and empty barrel."""
    evening = Refereed(folder, guests=False)
    if weighed_empty:
        CalibrationStore(folder).save(tared(evening))
    evening.plan = replace(evening.plan, calibration=None)
    return evening.cut_the_power().wait(4)


def tared(evening: Refereed) -> Calibration:
    """Return what each cell showed of its barrel, empty."""
    barrels, sim = evening.sim.world.barrels, evening.sim
    spans = {stopper: board.load_chip.cell.span for stopper, board in sim.stoppers.items()}
    kept = [
        StopperCalibration(
            stopper,
            node(stopper).hex(),
            empty=Mass(1000 * spans[stopper] * barrels[one].shell_g, TARE_SD_MG, 12, 6.0),
            gain=Gain(spans[stopper], 0.004, KNOWN_MG),
        )
        for one, stopper in evening.sim.world.stoppers.items()
    ]
    return Calibration("", tuple(sorted(kept, key=lambda one: one.stopper)))


def wants(evening: Refereed, wish: CommandBody, request: str = "") -> Answer:
    """Have a phone wish for something, and wait for the answer."""
    asked = PendingCommand(Command(request or f"wants {next(REQUESTS)}", wish, "a phone"))
    evening.table.inbox.put(asked)
    evening.wait(0.3)
    assert asked.answer is not None
    return asked.answer


def shown(evening: Refereed) -> MaintenanceSnapshot:
    return evening.table.workshop


def opened(evening: Refereed) -> MaintenanceDetails:
    found = shown(evening).opened
    assert found is not None
    return found


def enrolment(evening: Refereed) -> EnrolmentShown:
    found = opened(evening).enrolment
    assert found is not None
    return found


def lift(evening: Refereed, barrels: Iterable[int]) -> None:
    """Have somebody lift barrels for a second, one by one, and set them down again."""
    for barrel in barrels:
        evening.people(f"red lifts {barrel}\n+1 red puts back {barrel}").rest(1.5)


def barrels_of(evening: Refereed, stoppers: Iterable[int]) -> list[int]:
    """Return which barrels those are, by the numbers on the shells."""
    barrels = {stopper: barrel for barrel, stopper in evening.sim.world.stoppers.items()}
    return [barrels[stopper] for stopper in stoppers]


def true_numbers(evening: Refereed) -> dict[int, int]:
    return {stopper: barrel for barrel, stopper in evening.sim.world.stoppers.items()}


def found_numbers(evening: Refereed) -> dict[int, int]:
    number_of = evening.table.referee._knows.number_of
    found = {stopper: number_of(stopper) for stopper in ALL}
    return {stopper: number for stopper, number in found.items() if number is not None}
