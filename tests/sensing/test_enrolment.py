"""Thirteen weights become thirteen numbers, or a question; and the sums are those of all ways."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from math import exp, pi, prod, sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.sensing import enrolment, load_cell_faults, number_inference
from companion.sensing.enrolment import (
    Candidate,
    Enrolling,
    EnrolmentVerdict,
    Next,
    Read,
    evaluate,
    settings_for_empty_weight,
)
from companion.sensing.load_cell_faults import Gain
from companion.sensing.number_inference import BarrelRow, WeightHypothesis, infer_numbers
from companion.sensing.observations import MeasuredTime
from companion.sensing.settings import Settings
from companion.sensing.weighing import BarrelWeighed, Mass, Scatter
from companion.simulator.traits import HONEST
from research.bench._weighing import weigh_evenings

SETTINGS = Settings()
STONE_MG, SHELL_MG, ERROR_MG = 372.0, 32_400.0, 50.0
EMPTY = Mass(SHELL_MG, 25.0, 3, 2.0)
GAIN = Gain(1.0, 0.003, 33_852.0)
NEVER_EMPTY = Candidate(gain=GAIN, before=Scatter(40.0, 40))
LEARNED = Scatter(40.0, 40)  # its set-downs lie apart as they are said to
CELL = Candidate(empty=EMPTY, gain=GAIN, before=LEARNED)
ALL = tuple(range(1, 14))
MIXED = dict(zip(ALL, (4, 9, 1, 13, 6, 11, 2, 8, 5, 12, 3, 10, 7), strict=True))


def weighed(stopper: int, mg: float, at: int = 1, sd_mg: float = ERROR_MG) -> BarrelWeighed:
    return BarrelWeighed(stopper, MeasuredTime(at, 0), at, mg, sd_mg, True, 2100)


def full_mg(number: float, stone_mg: float = STONE_MG) -> float:
    return SHELL_MG + number * stone_mg


def test_a_set_down_on_a_crumb_makes_no_barrel_lighter_nor_others_doubtful() -> None:
    loads = (full_mg(4), full_mg(4) - 1_500, full_mg(4) + 40)
    table = [weighed(1, mg, at) for at, mg in enumerate(loads)]
    mass = replace(CELL, weights=tuple(table)).mass
    assert mass
    assert (mass.times, mass.mg) == (2, full_mg(4) + 20)


class Table:
    """An enrolment, and what the barrels truly weigh."""

    def __init__(
        self, weighs: Mapping[int, float], cell: Candidate = CELL, errors: Random | None = None
    ) -> None:
        self.weighs, self.errors = dict(weighs), errors
        self.state = Enrolling.start(dict.fromkeys(weighs, cell))
        self.lifts = 0

    def lift(self, *stoppers: int) -> EnrolmentVerdict | None:
        told: tuple[EnrolmentVerdict, ...] = ()
        for stopper in stoppers:
            self.lifts += 1
            error_mg = self.errors.gauss(0, ERROR_MG) if self.errors else 0.0
            one = weighed(stopper, self.weighs[stopper] + error_mg, self.lifts)
            self.state, told = enrolment.step(self.state, one, SETTINGS)
        return told[0] if told else None

    def lift_what_is_asked(self) -> EnrolmentVerdict:
        verdict = None
        while self.state.open and (verdict is None or verdict.next is Next.LIFT):
            verdict = self.lift(*sorted(self.state.open))
        assert verdict
        return verdict

    def read(self, stopper: int, number: int) -> EnrolmentVerdict:
        self.state, told = enrolment.step(self.state, Read(stopper, number), SETTINGS)
        return told[0]


def weights(numbers: Mapping[int, int], stone_mg: float = STONE_MG) -> dict[int, float]:
    return {stopper: full_mg(number, stone_mg) for stopper, number in numbers.items()}


# --- the procedure ----------------------------------------------------------------------------


def test_thirteen_clear_weights_are_thirteen_numbers_at_once() -> None:
    table = Table(weights(MIXED))
    assert table.lift(*ALL[:12]) is None
    verdict = table.lift(13)
    assert verdict is not None
    assert verdict.next is Next.DONE
    assert dict(verdict.numbers) == MIXED
    assert verdict.probability > 0.999
    assert verdict.stone_mg == pytest.approx(STONE_MG, rel=0.01)
    assert verdict.certain(SETTINGS) == MIXED


def test_two_barrels_between_their_numbers_are_lifted_again_and_then_told_apart() -> None:
    weighs = weights(MIXED)
    table = Table(weighs | {1: full_mg(4.40), 9: full_mg(4.60)})
    verdict = table.lift(*ALL)
    assert verdict is not None
    assert verdict.next is Next.LIFT
    assert set(verdict.whom) == {1, 9}
    table.weighs = weighs
    again = table.lift_what_is_asked()
    assert again.next is Next.DONE
    assert dict(again.numbers) == MIXED


def test_a_barrel_that_lacks_a_stone_is_unfit_and_never_certain() -> None:
    for poor in (1, 3, 7, 13):
        table = Table(weights(MIXED) | {poor: full_mg(MIXED[poor] - 1)})
        verdict = table.lift_what_is_asked()
        assert verdict.next is Next.UNFIT
        assert poor in verdict.whom
        assert poor not in verdict.certain(SETTINGS)
        assert sum(verdict.odd.values()) > 0.5


def test_whoever_has_counted_the_stones_is_believed_unless_it_cannot_be() -> None:
    table = Table(weights(MIXED) | {7: full_mg(MIXED[7] - 0.65)})
    assert table.lift_what_is_asked().next is Next.UNFIT
    table.state, told = enrolment.step(table.state, Read(7, MIXED[7], counted=True), SETTINGS)
    verdict = told[0] if told else table.lift(*sorted(table.state.open))
    assert verdict is not None
    assert 7 not in verdict.whom
    assert verdict.numbers[7] == MIXED[7]
    bottle = Table(weights(MIXED) | {7: full_mg(40)})
    bottle.lift_what_is_asked()
    seen = Read(7, MIXED[7], counted=True)
    bottle.state, told = enrolment.step(bottle.state, seen, SETTINGS)
    assert (bottle.lift_what_is_asked() if bottle.state.open else told[0]).next is not Next.DONE


def test_two_barrels_of_one_number_are_unfit() -> None:
    table = Table(weights(MIXED | {2: 4}))
    verdict = table.lift_what_is_asked()
    assert verdict.next is Next.UNFIT
    assert set(verdict.whom) & {1, 2}


def test_a_bottle_among_the_barrels_is_unfit_and_the_others_are_known() -> None:
    table = Table(weights(MIXED) | {5: 350_000.0})
    verdict = table.lift_what_is_asked()
    assert (verdict.next, verdict.whom) == (Next.UNFIT, (5,))
    assert verdict.certain(SETTINGS) == {one: MIXED[one] for one in ALL if one != 5}


def test_what_was_unfit_is_weighed_again_once_it_is_put_in_order() -> None:
    table = Table(weights(MIXED) | {5: 350_000.0})
    table.lift_what_is_asked()
    table.weighs = weights(MIXED)
    assert table.lift_what_is_asked().next is Next.DONE


@pytest.mark.slow
def test_small_stones_are_asked_for_and_every_answer_is_believed() -> None:
    table = Table(weights(MIXED, 65.0), errors=Random(3))
    verdict = table.lift_what_is_asked()
    questions = 0
    while verdict.next is Next.READ:
        asked = verdict.whom[0]
        questions += 1
        verdict = table.read(asked, MIXED[asked])
        assert verdict.sure[asked] == pytest.approx(1.0)
    assert verdict.next is Next.DONE
    assert 0 < questions < 13
    assert dict(verdict.numbers) == MIXED


def test_without_empty_weights_nothing_is_certain() -> None:
    rng = Random(5)
    table = Table({s: full_mg(n) + rng.gauss(0, 300) for s, n in MIXED.items()}, Candidate())
    verdict = table.lift_what_is_asked()
    assert verdict.next is Next.READ
    assert verdict.probability < 0.9
    assert len(verdict.guesses[1]) > 2


def test_nine_stoppers_on_unknown_numbers_are_less_sure_than_thirteen() -> None:
    nine = {stopper: MIXED[stopper] for stopper in ALL[:9]}
    some = Table(weights(nine)).lift(*ALL[:9])
    every = Table(weights(MIXED)).lift(*ALL)
    assert some is not None
    assert every is not None
    assert dict(some.numbers) == nine
    assert 0.5 < some.probability < every.probability


def test_a_stopper_whose_cell_is_broken_is_read_and_holds_up_nobody() -> None:
    table = Table(weights(MIXED))
    table.lift(*ALL[:12])
    verdict = table.read(13, MIXED[13])
    assert verdict.next is Next.DONE
    assert dict(verdict.numbers) == MIXED


def test_a_number_read_twice_belongs_to_the_one_that_was_read_last() -> None:
    table = Table(weights(MIXED))
    table.lift(*ALL[:11])
    table.state, _ = enrolment.step(table.state, Read(12, MIXED[13]), SETTINGS)
    table.lift(12)
    verdict = table.read(13, MIXED[13])
    assert table.state.candidates[12].read is None
    assert dict(verdict.numbers) == MIXED


def test_a_number_that_people_read_and_the_weight_denies_is_unfit() -> None:
    table = Table(weights(MIXED))
    table.state, _ = enrolment.step(table.state, Read(1, 11), SETTINGS)
    verdict = table.lift(*ALL)
    assert verdict is not None
    assert verdict.next is not Next.DONE
    assert 1 in verdict.whom


def test_a_weight_without_a_zero_does_not_count_as_a_set_down() -> None:
    table = Table(weights(MIXED))
    table.lift(*ALL[:12])
    table.state, told = enrolment.step(
        table.state, weighed(13, full_mg(7), 99, sd_mg=3000.0), SETTINGS
    )
    assert (told, table.state.open) == ((), frozenset({13}))


def test_strangers_and_what_comes_after_the_end_change_nothing() -> None:
    table = Table(weights(MIXED))
    table.lift(*ALL)
    done = table.state
    for seen in (weighed(1, 1.0, 50), weighed(77, 1.0, 51)):
        assert enrolment.step(done, seen, SETTINGS) == (done, ())


# --- cells ------------------------------------------------------------------------------------


def gained(stopper: int, mg: float, shows: float, cell: Candidate) -> Candidate:
    return replace(cell, weights=(weighed(stopper, shows * mg),))


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("seed", range(6))
def test_cells_whose_gain_nobody_knows_are_never_certain(seed: int) -> None:
    rng = Random(seed)
    cells = {}
    for stopper, number in MIXED.items():
        shows = rng.gauss(1.0, 0.07)
        empty = Mass(shows * SHELL_MG, 25.0, 3, 2.0)
        cell = Candidate(empty=empty, before=LEARNED)
        cells[stopper] = gained(stopper, full_mg(number), shows, cell)
    verdict = evaluate(cells, SETTINGS)
    assert verdict.next is not Next.DONE
    certain = verdict.certain(SETTINGS)
    assert len(certain) < 7
    assert certain.items() <= MIXED.items()


def test_a_known_mass_makes_cells_alike() -> None:
    rng = Random(8)
    cells = {}
    for stopper, number in MIXED.items():
        shows = rng.gauss(1.0, 0.07)
        empty, loaded = (Mass(shows * mg, 25.0, 4, 3.0) for mg in (SHELL_MG, SHELL_MG + 33_852.0))
        found = load_cell_faults.gain_of(empty, loaded, 33_852.0, SETTINGS.weighing)
        assert found.shows == pytest.approx(shows)
        assert 0.003 < found.doubt < 0.006
        cell = Candidate(empty=empty, gain=found, before=LEARNED)
        cells[stopper] = gained(stopper, full_mg(number), shows, cell)
    verdict = evaluate(cells, SETTINGS)
    assert (verdict.next, dict(verdict.numbers)) == (Next.DONE, MIXED)


def test_cells_that_scatter_more_than_is_said_are_believed_less() -> None:
    calm = {s: gained(s, full_mg(n), 1.0, CELL) for s, n in MIXED.items()}
    rough = {s: replace(one, before=Scatter(1000.0, 40)) for s, one in calm.items()}
    assert evaluate(calm, SETTINGS).next is Next.DONE
    assert evaluate(rough, SETTINGS).next is not Next.DONE


# --- the sums ---------------------------------------------------------------------------------


def _by_hand(table: number_inference.Table) -> tuple[float, list[dict[int, float]]]:
    """Sum over all ways, one by one."""
    total, each = 0.0, [dict.fromkeys(line, 0.0) for line in table]
    for numbers in permutations(range(1, 14), len(table)):
        if all(number in line for number, line in zip(numbers, table, strict=True)):
            way = prod(line[n][1] for n, line in zip(numbers, table, strict=True))
            total += way
            for one, number in zip(each, numbers, strict=True):
                one[number] += way
    return total, each


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(0.0, 5000.0), min_size=1, max_size=4), st.sampled_from((None, 3, 8)))
def test_the_sums_are_those_of_every_way_there_is(mgs: Sequence[float], read: int | None) -> None:
    rows = [BarrelRow(mg, 200.0**2, True, None if at else read) for at, mg in enumerate(mgs)]
    table = number_inference.likelihood_table(
        rows, WeightHypothesis(STONE_MG, 0.05, 0.0, 0.0), SETTINGS.enrolment
    )
    right_total, right_each = _by_hand(table)
    each, total = number_inference.marginals(table, replace(SETTINGS.enrolment, faint=0.0))
    assert total == pytest.approx(right_total)
    for one, right in zip(each, right_each, strict=True):
        assert one == pytest.approx(right, abs=1e-12 * right_total)
    _, nearly = number_inference.marginals(table, SETTINGS.enrolment)
    assert nearly == pytest.approx(right_total, rel=0.01)


def test_a_weight_is_as_likely_as_its_bell_says() -> None:
    row, world = BarrelRow(1000.0, 80.0**2, True), WeightHypothesis(400.0, 0.05, 0.0, 0.0)
    (line,) = number_inference.likelihood_table([row], world, SETTINGS.enrolment)
    variance = 80.0**2 + 2 * 20.0**2
    expected = exp(-(200.0**2) / (2 * variance)) / sqrt(2 * pi * variance)
    assert line[2][0] == pytest.approx(0.998 * expected)
    assert line[2][1] > line[2][0]


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 13), st.sampled_from((110.0, 372.0)))
def test_probabilities_are_probabilities_and_the_order_of_barrels_is_nothing(
    seed: int, count: int, stone_mg: float
) -> None:
    rng = Random(seed)
    numbers = rng.sample(range(1, 14), count)
    rows = [BarrelRow(n * stone_mg + rng.gauss(0, 60), 60.0**2, True) for n in numbers]
    chance = infer_numbers(rows, SETTINGS.enrolment)
    other = infer_numbers(rows[::-1], SETTINGS.enrolment)
    assert len(set(chance.best)) == count
    assert 0.0 <= chance.probability <= 1.0
    assert chance.probability == pytest.approx(other.probability, abs=1e-6)
    for likely, best in zip(chance.likely, chance.best, strict=True):
        assert sum(likely.values()) == pytest.approx(1.0)
        assert chance.probability <= likely[best] + 1e-6


def test_a_better_weight_makes_it_surer() -> None:
    once = {s: replace(CELL, weights=(weighed(s, full_mg(n, 261.0)),)) for s, n in MIXED.items()}
    often = {
        s: replace(CELL, weights=tuple(weighed(s, full_mg(n, 261.0), at) for at in range(1, 5)))
        for s, n in MIXED.items()
    }
    assert evaluate(once, SETTINGS).probability < evaluate(often, SETTINGS).probability


# --- shells -----------------------------------------------------------------------------------


def unweighed(shell_g: float, stone_mg: float = STONE_MG, count: int = 13) -> dict[int, Candidate]:
    """Return barrels that were never weighed empty, with shells that differ by 0.3 g."""
    rng = Random(f"{stone_mg} {count}")
    return {
        stopper: replace(NEVER_EMPTY, weights=
            tuple(weighed(stopper, 1000 * shell_g + own_mg + MIXED[stopper] * stone_mg, at + 1)
                  for at in range(2))
        )
        for stopper, own_mg in [(one, rng.gauss(0, 300)) for one in ALL[:count]]
    }  # fmt: skip


def test_heavy_shells_are_told_apart_as_well_as_light_ones_once_that_is_said() -> None:
    light, heavy = (
        evaluate(unweighed(22.0), settings_for_empty_weight(22.0)),
        evaluate(unweighed(32.4), SETTINGS),
    )
    assert heavy.next is light.next is Next.READ
    hits = [sum(one.numbers[s] == MIXED[s] for s in ALL) for one in (light, heavy)]
    assert min(hits) >= 7
    assert abs(hits[0] - hits[1]) <= 1
    assert abs(sum(heavy.odd.values()) - sum(light.odd.values())) < 0.01


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(
    ("shell_g", "stone_mg", "count"),
    [
        (43.0, STONE_MG, 13),
        (51.0, STONE_MG, 13),
        (61.0, 510.0, 13),
        (43.0, STONE_MG, 6),
        (51.0, STONE_MG, 6),
    ],
)
def test_shells_that_weigh_otherwise_than_is_said_are_never_taken_for_stones(
    shell_g: float, stone_mg: float, count: int
) -> None:
    verdict = evaluate(unweighed(shell_g, stone_mg, count), SETTINGS)
    assert verdict.next is not Next.DONE
    assert verdict.certain(SETTINGS) == {}
    if count == 13:
        assert verdict.next in (Next.SHELLS, Next.UNFIT)
    if (shell_g, count) == (51.0, 13):
        assert verdict.next is Next.SHELLS
        assert "empty_g" in verdict.next.value


def test_whoever_weighs_heavy_shells_empty_need_not_say_what_they_weigh() -> None:
    for one in weigh_evenings(11, 2, 4.5, shell_g=51.0).evenings:
        assert one.certain
        assert not one.wrong


def test_one_odd_barrel_of_many_is_no_matter_of_shells() -> None:
    table = Table(weights(MIXED) | {7: full_mg(40)}, NEVER_EMPTY)
    assert table.lift_what_is_asked().next is Next.UNFIT


# --- by the cell's model ----------------------------------------------------------------------


def test_evenings_with_the_chips_own_errors_end_right_or_with_a_question(full: bool) -> None:
    big = weigh_evenings(11, 3 if full else 1, 4.5)
    assert all(one.certain and not one.wrong for one in big.evenings)
    small = weigh_evenings(12, 1, 3.0)
    assert not any(one.wrong for one in small.evenings)
    poorer = weigh_evenings(13, 1, 4.5, lost=True)
    assert all(one.unfit for one in poorer.evenings)


@pytest.mark.slow
@pytest.mark.parametrize("tilts_deg", [(20.0, 50.0), (5.0, 25.0)])
def test_in_an_honest_world_calibrated_cells_tell_right_and_others_are_asked_for(
    tilts_deg: tuple[float, float],
) -> None:
    (calibrated,) = weigh_evenings(21, 1, traits=HONEST, tilts_deg=tilts_deg).evenings
    assert calibrated.right
    assert not calibrated.wrong
    assert calibrated.read <= 2
    (raw,) = weigh_evenings(21, 1, known_g=0.0, traits=HONEST, tilts_deg=tilts_deg).evenings
    assert not raw.certain
    assert not raw.wrong
