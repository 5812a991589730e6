"""Thirteen stoppers are enrolled at a simulated table, through everything, as people do it."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.games.zapp_zerapp.rules import Phase
from companion.maintenance.view import Taring
from companion.referee.calibration_store import CalibrationFileFault, CalibrationStore
from companion.referee.commands import GiveUp
from companion.referee.maintenance_commands import (
    BeginEnrolling,
    BeginReading,
    BeginWeighingEmpty,
    BeginWeighingKnown,
    ReadNumber,
    RollBack,
    SaveEnrolling,
    StopEnrolling,
)
from companion.sensing.calibration import Calibration, StopperCalibration
from companion.sensing.enrolment import Next
from tests.maintenance.benches import (
    ALL,
    barrels_of,
    enrolment,
    found_numbers,
    lift,
    opened,
    tared,
    true_numbers,
    untaught,
    wants,
)
from tests.scenarios.players import TRUE, bring_to
from tests.scenarios.refereed import Refereed


def do_what_is_asked(evening: Refereed) -> None:
    """Lift what is to be lifted and read what is to be read until all is known."""
    truth = true_numbers(evening)
    for _ in range(40):
        now = enrolment(evening)
        match now.next:
            case Next.DONE:
                return
            case Next.READ:
                stopper = now.whom[0]
                assert truth[stopper] in [guess.number for guess in now.guesses[:3]]
                answer = wants(evening, ReadNumber(stopper, truth[stopper]))
                assert answer.refused is None
            case _:
                lift(evening, barrels_of(evening, now.left))
    raise AssertionError(f"this never ends: {now}")


def test_thirteen_stoppers_are_enrolled_and_serve_at_once(tmp_path: Path) -> None:
    with untaught(tmp_path) as evening:
        assert opened(evening).calibration.known == 0
        assert wants(evening, BeginEnrolling()).refused is None
        now = enrolment(evening)
        assert (now.stoppers, now.weighed, now.left, now.next) == (13, 0, ALL, Next.LIFT)
        lift(evening, ALL[:5])
        assert enrolment(evening).weighed == 5
        lift(evening, ALL[5:])
        do_what_is_asked(evening)
        assert found_numbers(evening) == {}, "nothing serves before it is saved"
        assert wants(evening, SaveEnrolling()).refused is None
        assert found_numbers(evening) == true_numbers(evening)
        assert opened(evening).enrolment is None
        assert (opened(evening).calibration.known, opened(evening).calibration.version) == (13, 2)
        evening.cut_the_power().wait(4)
        assert found_numbers(evening) == true_numbers(evening)
        evening.begins("red", "blue")

        bring_to(evening, Phase.FLIP)
        evening.people("all flip").rest(2)
        assert evening.numbers == TRUE


@pytest.mark.slow
def test_a_lift_that_was_forgotten_is_asked_for(tmp_path: Path) -> None:
    with untaught(tmp_path) as evening:
        wants(evening, BeginEnrolling())
        forgotten = 6
        lift(evening, (barrel for barrel in ALL if barrel != forgotten))
        now = enrolment(evening)
        assert (now.weighed, barrels_of(evening, now.left)) == (12, [forgotten])
        assert (now.next, now.whom, now.guesses) == (Next.LIFT, now.left, ())
        refused = wants(evening, SaveEnrolling()).refused
        assert refused is not None
        assert "Not all barrels" in str(refused)
        lift(evening, [forgotten])
        assert enrolment(evening).weighed == 13


def test_what_was_enrolled_before_serves_on_if_the_power_is_cut(tmp_path: Path) -> None:
    with Refereed(tmp_path, guests=False).wait(4) as evening:
        before = found_numbers(evening)
        assert len(before) == 13
        wants(evening, BeginEnrolling())
        lift(evening, ALL[:3])
        evening.cut_the_power().wait(4)
        assert opened(evening).enrolment is None
        assert found_numbers(evening) == before
        assert wants(evening, BeginEnrolling()).refused is None
        assert enrolment(evening).left == ALL


def test_nothing_is_enrolled_in_a_match_and_a_match_ends_it(tmp_path: Path) -> None:
    with untaught(tmp_path) as evening:
        wants(evening, BeginEnrolling())
        lift(evening, ALL[:2])
        evening.begins("red", "blue")
        for wish in (BeginEnrolling(), SaveEnrolling(), ReadNumber(1, 7), RollBack(1)):
            assert wants(evening, wish).refused is not None
        evening.says("red", GiveUp())
        evening.wait(0.5)
        assert opened(evening).enrolment is None


def test_a_number_that_cannot_be_is_refused_with_a_reason(tmp_path: Path) -> None:
    with untaught(tmp_path) as evening:
        wishes = (ReadNumber(1, 7), SaveEnrolling(), BeginEnrolling((14,)), RollBack(77))
        assert all(wants(evening, wish).refused is not None for wish in wishes)
        assert str(wants(evening, RollBack(77)).refused) == CalibrationFileFault.ABSENT.value
        wants(evening, BeginEnrolling((1, 2)))
        assert wants(evening, ReadNumber(1, 14)).refused is not None
        assert wants(evening, ReadNumber(3, 1)).refused is not None
        wants(evening, StopEnrolling())
        assert opened(evening).enrolment is None


def test_the_same_wish_sent_twice_is_done_once(tmp_path: Path) -> None:
    with untaught(tmp_path) as evening:
        wants(evening, BeginEnrolling(), "once")
        lift(evening, ALL[:2])
        wants(evening, BeginEnrolling(), "once")
        assert enrolment(evening).weighed == 2


def test_an_earlier_calibration_serves_again(tmp_path: Path) -> None:
    with untaught(tmp_path) as evening:
        shelf, barrels = CalibrationStore(evening.plan.folder), true_numbers(evening)
        kept = [
            replace(one, barrel=barrels[one.stopper], read=True) for one in tared(evening).stoppers
        ]
        assert shelf.save(Calibration("", tuple(kept))) == 2
        evening.cut_the_power().wait(4)
        assert len(found_numbers(evening)) == 13
        assert wants(evening, RollBack(1)).refused is None
        assert found_numbers(evening) == {}
        now = opened(evening).calibration
        assert (now.known, now.weighed_empty, now.version) == (0, 13, 3)
        assert [version.number for version in now.versions] == [3, 2, 1]
        assert wants(evening, RollBack(2)).refused is None
        assert found_numbers(evening) == true_numbers(evening)


def lift_until_ready(evening: Refereed) -> None:
    for _ in range(12):
        left = enrolment(evening).left
        if not left:
            return
        lift(evening, barrels_of(evening, left))
    raise AssertionError("this never ends")


def kept_of(evening: Refereed, barrel: int) -> StopperCalibration:
    found = CalibrationStore(evening.plan.folder).newest().calibration
    assert found is not None
    stopper = evening.sim.stopper_of(barrel)
    return next(one for one in found.stoppers if one.stopper == stopper)


@pytest.mark.slow
def test_barrels_are_weighed_empty_and_with_a_known_mass_and_then_their_cells_are_alike(
    tmp_path: Path,
) -> None:
    with untaught(tmp_path, weighed_empty=False) as evening:
        shows = {3: 1.06, 4: 0.94}
        barrels = {show: evening.sim.world.barrels[show] for show in shows}
        for one, barrel in barrels.items():
            barrel.mass_g = barrel.shell_g
            evening.sim.stoppers[evening.sim.stopper_of(one)].load_chip.cell.span = shows[one]
        stoppers = tuple(sorted(evening.sim.stopper_of(show) for show in shows))
        refused = wants(evening, BeginWeighingKnown(30_000, stoppers)).refused
        assert refused is not None
        assert "empty" in str(refused)
        assert wants(evening, BeginWeighingEmpty(stoppers)).refused is None
        now = enrolment(evening)
        assert (now.empty, now.left, now.next) == (True, stoppers, Taring.LIFT)
        assert wants(evening, SaveEnrolling()).refused is not None
        lift(evening, [3, 3, 3])
        assert 4 in barrels_of(evening, enrolment(evening).left)
        lift_until_ready(evening)
        assert enrolment(evening).next is Taring.DONE
        assert wants(evening, SaveEnrolling()).refused is None
        assert opened(evening).calibration.weighed_empty == 2

        for wrong_mg in (0, 2_000, 900_000):
            assert wants(evening, BeginWeighingKnown(wrong_mg, stoppers)).refused is not None
        assert wants(evening, BeginWeighingKnown(30_000, stoppers)).refused is None
        lift(evening, [3, 4])
        assert enrolment(evening).left == stoppers, "nobody has put the mass in yet"
        for barrel in barrels.values():
            barrel.mass_g += 30.0
        lift_until_ready(evening)
        assert enrolment(evening).next is Taring.LOADED
        assert wants(evening, SaveEnrolling()).refused is None
        assert opened(evening).calibration.calibrated == 2
        assert sum(one.calibrated for one in opened(evening).stoppers) == 2
        for one, barrel in barrels.items():
            kept = kept_of(evening, one)
            assert kept.empty is not None
            assert kept.gain is not None
            assert abs(kept.gain.shows - shows[one]) < 3 * kept.gain.doubt < 0.02
            assert abs(kept.empty.mg - 1000 * barrel.shell_g * shows[one]) < 372 / 2
            assert (kept.gain.known_mg, kept.gain.at[:2]) == (30_000, "20")


@pytest.mark.slow
def test_without_a_known_mass_numbers_are_asked_for_and_never_guessed(tmp_path: Path) -> None:
    with untaught(tmp_path) as evening:
        shelf = CalibrationStore(evening.plan.folder)
        never = [replace(one, gain=None) for one in tared(evening).stoppers]
        shelf.save(Calibration("", tuple(never)))
        evening.cut_the_power().wait(4)
        assert wants(evening, BeginEnrolling()).refused is None
        lift(evening, ALL)
        assert enrolment(evening).next is not Next.DONE


def test_numbers_are_entered_by_hand_one_tap_a_barrel(tmp_path: Path) -> None:
    with untaught(tmp_path, weighed_empty=False) as evening:
        truth = true_numbers(evening)
        assert wants(evening, BeginReading()).refused is None
        now = enrolment(evening)
        assert (now.next, now.whom, now.left) == (Next.ENTER, ALL, ())
        seventh = evening.sim.stopper_of(7)
        evening.people("red lifts 7")
        evening.rest(1)
        assert enrolment(evening).whom[0] == seventh, "who is in the hand is asked for"
        wants(evening, ReadNumber(seventh, 7))
        evening.people("red puts back 7").rest(1)
        assert wants(evening, SaveEnrolling()).refused is not None
        for stopper in (one for one in ALL if one != seventh):
            assert enrolment(evening).next is Next.ENTER
            wants(evening, ReadNumber(stopper, truth[stopper]))
        assert enrolment(evening).next is Next.DONE
        assert wants(evening, SaveEnrolling()).refused is None
        assert found_numbers(evening) == truth


def test_a_number_entered_twice_is_asked_for_again(tmp_path: Path) -> None:
    with untaught(tmp_path) as evening:
        wants(evening, BeginReading((1, 2, 3)))
        wants(evening, ReadNumber(1, 7))
        wants(evening, ReadNumber(2, 7))
        assert enrolment(evening).whom == (1, 3)
