"""While a match is played the workshop tells nothing that depends on which barrel holds what."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.zapp_zerapp.rules import Phase
from companion.maintenance.view import MaintenanceSnapshot
from companion.referee.commands import GiveUp
from companion.sensing.weighing import Mass
from tests.maintenance.benches import WorkshopReader, opened
from tests.scenarios.refereed import Refereed

TRUE = {number: number for number in range(1, 14)}
FALSE = {number: 14 - number for number in TRUE}


def heard(folder: Path, labels: dict[int, int]) -> list[MaintenanceSnapshot]:
    """Play a round at a table that believes these labels; return what the workshop published."""
    folder.mkdir()
    with Refereed(folder, seed=1, seats=2, labels=labels) as evening:
        reader = WorkshopReader(evening)
        evening.until(lambda: evening.now.match is not None)
        reader.told.clear()
        evening.until_phase(Phase.FLIP)
        told = [one for _, one in reader.told]
        wear = [replace(event, parts=tuple(part.state for part in event.parts)) for event in told]  # type: ignore[misc]
        assert wear
        return wear


@pytest.mark.slow
def test_two_tables_that_differ_in_their_numbers_have_the_same_workshop_up_to_the_flip(
    tmp_path: Path,
) -> None:
    one, other = heard(tmp_path / "one", TRUE), heard(tmp_path / "other", FALSE)
    assert repr(one).encode() == repr(other).encode()
    assert all(shown.opened is None for shown in one)


def test_a_barrel_that_lost_a_stone_is_noticed_after_the_round_and_named_after_the_match(
    tmp_path: Path,
) -> None:
    with Refereed(tmp_path, guests=False) as evening:
        calibration = evening.plan.calibration
        assert calibration is not None
        barrels = evening.sim.world.barrels
        kept = [
            replace(stopper, whole=Mass(1000 * barrels[stopper.barrel or 0].mass_g, 40.0, 3))
            for stopper in calibration.stoppers
        ]
        whole = replace(calibration, stoppers=tuple(kept), stone_mg=372.0)
        evening.plan = replace(evening.plan, calibration=whole)
        evening.cut_the_power().begins("red", "blue")
        barrels[8].mass_g -= 2 * 0.372
        evening.says("red", "roll 9")
        for _ in range(3):
            evening.people("red lifts 8\n+1 red puts back 8").rest()
        evening.people("red lifts 8\nred places 8\nblue lifts 4\nblue places 4").rest()
        assert evening.troubles == []
        evening.people("all flip").rest()
        assert evening.troubles == []
        evening.people("red puts back 8\nblue puts back 4").rest(3)
        [said] = evening.troubles
        assert not any(character.isdigit() for character in said)
        evening.wait(1)
        assert evening.table.workshop.opened is None
        evening.says("red", GiveUp())
        evening.wait(1)
        assert suspects(evening) == [evening.sim.stopper_of(8)]
        barrels[8].mass_g += 2 * 0.372
        for _ in range(2):
            evening.people("red lifts 8\n+1 red puts back 8").rest(3)
        assert suspects(evening) == []
        assert evening.troubles == []


def suspects(evening: Refereed) -> list[int]:
    return [one.number for one in opened(evening).stoppers if one.suspect]
