"""Stoppers in their charging box at the simulated table: what the host hears, and what it shows."""

from pathlib import Path

import pytest

from companion.maintenance.stopper_status import ChargeStage
from tests.maintenance.benches import opened, shown
from tests.scenarios.evenings import CLEAR, Told
from tests.scenarios.refereed import Refereed

S = 1_000_000


def test_a_stopper_in_the_box_says_so_and_tells_of_no_event_until_it_is_out(tmp_path: Path) -> None:
    script = "4 fault box 7 for 30\n50 blue lifts 7\nblue puts back 7"
    evening = Told(tmp_path, script, weather=CLEAR).play()
    beats = [(one.at_us / S, one.fields["power"]) for one in evening.of(7, "HEARTBEAT")]
    inside = [power for at_s, power in beats if 6 < at_s < 34]
    assert len(inside) >= 3
    assert set(inside) == {0b011}
    assert {power for at_s, power in beats if not 4 < at_s < 34.5} == {0}
    assert evening.events(7) == ["LIFT", "SET"]
    boots = {one.boot for one in evening.of(7, "HEARTBEAT")}
    assert len(boots) == 2  # putting it in is a boot, taking it out is none
    assert not evening.phantoms()


@pytest.mark.slow
def test_an_empty_one_comes_to_life_in_the_box(tmp_path: Path) -> None:
    script = "3 fault flat 7\n20 fault box 7 for 45\n"
    evening = Told(tmp_path, script, weather=CLEAR).play()
    beats = [one for one in evening.of(7, "HEARTBEAT") if one.at_us > 21 * S]
    assert beats[0].fields["power"] == 0b011
    volts = [int(str(beat.fields["battery_mv"])) for beat in beats]
    assert volts[0] < volts[3]
    assert volts == sorted(volts)


def test_the_workshop_shows_who_is_in_the_box(tmp_path: Path) -> None:
    with Refereed(tmp_path, guests=False).wait(4) as evening:
        stopper = evening.sim.stopper_of(7)
        evening.breaks("box", barrel=7, for_s=60).wait(15)
        charges = {one.number: one.charge for one in opened(evening).stoppers}
        assert {number for number, charge in charges.items() if charge} == {stopper}
        assert charges[stopper] is ChargeStage.CHARGING
        evening.wait(60)
        assert not any(one.charge for one in opened(evening).stoppers)
        assert not any(one.ailments for one in opened(evening).stoppers)


def test_while_a_match_is_played_nothing_shown_depends_on_who_is_in_the_box(tmp_path: Path) -> None:
    def seen(barrel: int) -> object:
        folder = tmp_path / str(barrel)
        folder.mkdir()
        with Refereed(folder, guests=False) as evening:
            evening.begins("red", "blue")
            evening.breaks("box", barrel=barrel, for_s=60).wait(15)
            workshop = shown(evening)
            assert workshop.opened is None
            return workshop.stoppers, workshop.awake, workshop.weakest_percent

    assert seen(1) == seen(13)
