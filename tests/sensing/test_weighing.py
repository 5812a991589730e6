"""A weight is worth what its zero is worth; and an ill cell is told as what ails it."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from companion import wire
from companion.sensing import load_cell_faults, weighing
from companion.sensing.load_cell_faults import CellFault, CellFaults
from companion.sensing.observations import StopperMessage
from companion.sensing.settings import Settings
from companion.sensing.weighing import BarrelWeighed, Mass, Scales, combined
from tests.sensing.stoppers import Stopper

SETTINGS = Settings()
FULL = 24_000


def weigh(felt: Iterable[StopperMessage], settings: Settings = SETTINGS) -> list[BarrelWeighed]:
    state = Scales()
    found: list[BarrelWeighed] = []
    for one in felt:
        state, weighed = weighing.step(state, one, settings)
        found += weighed
    return found


def fault(name: str) -> int:
    return 1 << wire.FAULTS.index(name)


def diagnose(felt: Iterable[StopperMessage], settings: Settings = SETTINGS) -> set[CellFault]:
    state, stopper = CellFaults(), 0
    for one in felt:
        state, stopper = load_cell_faults.step(state, one, settings), one.stopper
    return set(state.ills(stopper))


# --- weights ----------------------------------------------------------------------------------


def test_above_a_zero_that_is_known_the_error_is_mostly_where_the_foot_presses() -> None:
    (found,) = weigh(Stopper().weighs(FULL))
    assert found.sound
    assert found.load_mg == FULL
    assert 0.001 * FULL < found.sd_mg < 0.003 * FULL


def test_above_a_zero_of_which_nothing_is_known_a_barrel_is_weighed_to_no_avail() -> None:
    (found,) = weigh([Stopper().still(FULL, zero_doubt_mg=0)])
    assert not found.sound
    assert found.sd_mg > 2000


def test_a_stopper_that_says_how_well_it_knows_its_zero_is_believed() -> None:
    (found,) = weigh(Stopper().weighs(FULL, zero_doubt_mg=200))
    assert 200 < found.sd_mg < 260
    (found,) = weigh(Stopper().weighs(FULL, zero_doubt_mg=3000))
    assert found.sd_mg > SETTINGS.enrolment.usable_mg


def test_event_numbers_start_over_without_a_seam() -> None:
    stopper = Stopper(event=(1 << 16) - 2)
    felt = [*stopper.weighs(FULL), stopper.still(FULL)]
    for one in felt:
        one.fields["event"] %= 1 << 16
    assert [one.set_down for one in weigh(felt)] == [0, 0]


def test_a_weight_belongs_to_the_set_down_before_it_unless_a_message_or_a_lift_lies_between() -> (
    None
):
    lift, down, still = Stopper().weighs(FULL)
    number = down.fields["event"]
    for felt in ([lift, down, still], [down, lift, still], [down, still]):
        assert weigh(felt)[0].set_down == number
    for felt in ([lift, still, down], [lift, still], [still]):
        assert weigh(felt)[0].set_down is None
    down.fields["event"], lift.fields["event"] = lift.fields["event"], number
    assert weigh([down, lift, still])[0].set_down is None


def test_a_new_boot_forgets_set_downs_and_a_former_one_is_not_heard() -> None:
    stopper = Stopper()
    before = stopper.weighs(FULL)
    stopper.boot, stopper.event = 2, 0
    after = stopper.still(FULL)
    assert [one.set_down for one in weigh([*before, after])] == [2, None]
    assert len(weigh([after, *before])) == 1


def test_a_barrel_that_leans_on_something_is_weighed_to_no_avail() -> None:
    (found,) = weigh(Stopper().weighs(FULL, tilt_cdeg=900))
    assert found.sd_mg > 2000


def test_a_second_weight_of_one_set_down_replaces_the_first_and_is_less_sure() -> None:
    stopper = Stopper()
    first, second = weigh([*stopper.weighs(FULL), stopper.still(FULL + 150)])
    assert first.set_down == second.set_down
    assert second.sd_mg > 150
    mass = combined([first, second])
    assert mass is not None
    assert (mass.mg, mass.times) == (FULL + 150, 1)


def test_set_downs_average_and_their_error_shrinks() -> None:
    stopper = Stopper()
    found = weigh([one for mg in (FULL - 40, FULL, FULL + 40, FULL) for one in stopper.weighs(mg)])
    mass = combined(found)
    assert mass is not None
    assert mass.mg == pytest.approx(FULL, abs=1)
    assert mass.sd_mg == pytest.approx(found[0].sd_mg / 2, rel=0.01)


def test_set_downs_that_disagree_are_not_sure_of_anything() -> None:
    stopper = Stopper()
    found = weigh([one for mg in (FULL, FULL + 1000) for one in stopper.weighs(mg)])
    mass = combined(found)
    assert mass is not None
    assert mass.scatter.error_factor(1.0, 6.0) > 2


def test_nothing_weighed_is_not_a_mass() -> None:
    assert combined([]) is None


# --- ailments ---------------------------------------------------------------------------------


def healthy(stopper: Stopper, count: int = 6) -> list[StopperMessage]:
    return [stopper.beats(430_000 + 100 * (at % 3)) for at in range(count)]


def test_a_healthy_cell_that_is_played_with_has_nothing() -> None:
    stopper = Stopper()
    felt = [*stopper.weighs(FULL), *healthy(stopper), *stopper.weighs(FULL), *healthy(stopper)]
    assert diagnose(felt) == set()


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("load-silent", CellFault.SILENT),
        ("load-foreign", CellFault.SILENT),
        ("bus-stuck", CellFault.SILENT),
        ("load-stuck", CellFault.STUCK),
        ("load-saturated", CellFault.SATURATED),
    ],
)
def test_what_the_stopper_says_is_believed_and_taken_back(name: str, cell: CellFault) -> None:
    stopper = Stopper()
    ill = [*healthy(stopper), stopper.beats(431_234, fault(name))]
    assert diagnose(ill) == {cell}
    assert diagnose([*ill, *healthy(stopper)]) == set()


def test_other_parts_faults_are_not_the_cells() -> None:
    stopper = Stopper()
    bits = fault("motion-silent") | fault("battery-low")
    assert diagnose([*healthy(stopper), stopper.beats(431_234, bits)]) == set()


def test_the_end_of_the_range_is_saturated_and_not_stuck() -> None:
    stopper = Stopper()
    assert diagnose([stopper.beats(2**23 - 1) for _ in range(6)]) == {CellFault.SATURATED}


def test_the_same_reading_again_and_again_is_stuck_until_it_changes() -> None:
    stopper = Stopper()
    felt = [stopper.beats(430_000) for _ in range(4)]
    assert diagnose(felt[:3]) == set()
    assert diagnose(felt) == {CellFault.STUCK}
    assert diagnose([*felt, stopper.beats(430_090)]) == set()


def test_a_load_upside_down_is_a_stuck_foot_and_upright_it_is_not() -> None:
    assert diagnose([Stopper().moves(24_000, tilt_cdeg=17_000)]) == {CellFault.STUCK}
    assert diagnose([Stopper().moves(24_000, tilt_cdeg=4_000)]) == set()
    assert diagnose([Stopper().moves(24_000, lowest_mg=0, tilt_cdeg=17_000)]) == set()


def test_three_restless_weights_are_noisy_and_two_are_not() -> None:
    stopper = Stopper()
    felt = [stopper.weighs(FULL, spread_mg=200) for _ in range(3)]
    assert diagnose([one for each in felt[:2] for one in each]) == set()
    assert diagnose([one for each in felt for one in each]) == {CellFault.NOISY}
    assert diagnose([one for each in (*felt, stopper.weighs(FULL)) for one in each]) == set()


def test_where_the_whole_table_hums_no_cell_is_called_noisy() -> None:
    hum = [Stopper(number).weighs(FULL, spread_mg=200) for number in (2, 3, 4)]
    stopper = Stopper()
    felt = [one for _ in range(3) for one in stopper.weighs(FULL, spread_mg=200)]
    assert diagnose([*hum[0], *hum[1], *felt]) == {CellFault.NOISY}
    assert diagnose([*hum[0], *hum[1], *hum[2], *felt]) == set()


def test_a_barrel_that_stands_and_is_never_weighed_is_noisy() -> None:
    stopper = Stopper()
    felt = [stopper.lift(), stopper.set_down(), *healthy(stopper, 3)]
    assert diagnose(felt[:4]) == set()
    assert diagnose(felt) == {CellFault.NOISY}


def test_a_weight_that_was_lost_on_the_way_is_not_noise() -> None:
    stopper = Stopper()
    felt = [stopper.lift(), stopper.set_down()]
    stopper.gap = 1
    assert diagnose([*felt, *healthy(stopper, 6)]) == set()


def test_a_set_down_that_arrives_after_its_weight_is_not_waited_upon() -> None:
    stopper = Stopper()
    lift, down, *still = stopper.weighs(FULL)
    felt = [lift, *still, down, *healthy(stopper, 6)]
    assert diagnose(felt) == set()


def test_a_load_that_wanders_while_nobody_touches_it_drifts() -> None:
    stopper = Stopper()
    felt = [*stopper.weighs(FULL), *(stopper.beats(430_000 + 3000 * at) for at in range(6))]
    assert diagnose(felt) == {CellFault.DRIFTING}


def test_creep_warmth_and_a_hand_that_leans_on_it_once_are_no_drift() -> None:
    stopper = Stopper()
    slow = [stopper.beats(430_000 + 100 * at) for at in range(30)]
    leant = [stopper.beats(raw) for raw in (433_000, 633_000, 633_100, 433_000, 433_100)]
    assert diagnose([*stopper.weighs(FULL), *slow, *leant]) == set()


def test_every_ailment_names_its_stopper_and_a_cure() -> None:
    for cell in CellFault:
        assert "{stopper:=stopper|a stopper}" in cell.value.lower()
        assert ":" in cell.value


def test_other_thresholds_give_other_answers() -> None:
    strict = replace(SETTINGS, weighing=replace(SETTINGS.weighing, rubbing_mg=900.0))
    assert weigh(Stopper().weighs(FULL), strict)[0].sd_mg > 900
    assert isinstance(combined(weigh(Stopper().weighs(FULL))), Mass)


def test_what_a_converter_says_before_it_is_awake_is_not_drift() -> None:
    stopper = Stopper()
    assert diagnose([stopper.beats(0), *healthy(stopper)]) == set()


# --- feet -------------------------------------------------------------------------------------


def flipped(swing_mg: int, foot_mg: int = 5_000) -> list[StopperMessage]:
    """Return a round: weighed, flipped, weighed again."""
    stopper = Stopper()
    first = stopper.weighs(FULL)
    flip = stopper.flips(swing_mg)
    felt = [*first, flip, *stopper.weighs(FULL)]
    for one in felt:
        if one.name == "STILL":
            one.fields.update(zero_doubt_mg=50, foot_mg=foot_mg)
    return felt


@pytest.mark.parametrize(
    ("swing_mg", "foot_mg", "believed"),
    [(10_000, 5_000, True), (10_500, 5_000, True), (0, 5_000, True), (9_000, 0, True),
     (14_500, 5_000, False), (5_200, 5_000, False)],
)  # fmt: skip
def test_a_cell_that_does_not_feel_its_foot_as_before_is_not_believed(
    swing_mg: int, foot_mg: int, *, believed: bool
) -> None:
    felt = flipped(swing_mg, foot_mg)
    before, after = weigh(felt)
    assert before.sd_mg < SETTINGS.enrolment.usable_mg
    assert (after.sd_mg < SETTINGS.enrolment.usable_mg) is believed
    assert (CellFault.CHANGED in diagnose(felt)) is not believed


def test_a_flip_that_fits_again_makes_it_believed_again() -> None:
    felt = flipped(14_500)
    again = flipped(10_000)
    for one in again:
        one.fields["event"] += 100
    assert diagnose([*felt, *again]) == set()
    assert weigh([*felt, *again])[-1].sd_mg < SETTINGS.enrolment.usable_mg


def test_a_stopper_without_a_cell_is_not_told_to_have_a_broken_one() -> None:
    stopper = Stopper()
    silent = [stopper.beats(0, fault("load-silent")) for _ in range(3)]
    assert diagnose(silent) == {CellFault.SILENT}
    assert diagnose([stopper.begins(can=0b1110), *silent]) == set()
