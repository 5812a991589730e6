"""The joint explanation of pads and set-downs, against a slow one that writes out every one."""

from functools import cache
from itertools import product
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.sensing.contact import ContactState, Touch
from companion.sensing.pad_assignment import assign
from companion.sensing.pad_likelihood import NOTHING, UNFELT, PadQuestion
from companion.sensing.pad_model import PADS, Pad, usual
from companion.sensing.settings import PlacementSettings

NOW_US = 10_000_000
RULES = PlacementSettings(
    pads=(PADS[0], PADS[4], PADS[-4], PADS[-3], PADS[-1])
)  # all kinds of kinds
STEPS = 200

edges = st.lists(st.integers(0, 200_000), min_size=1, max_size=3)
downs = st.lists(st.tuples(st.integers(0, 200_000), st.integers(1_000, 50_000)), max_size=5)


@cache  # every explanation asks for the same few
def density(touch: Touch, edge_us: int) -> float:
    """Return the same as `fit` of all kinds of pads, summed up in small steps."""
    width, total = (touch.to_us - touch.from_us) / 1000, 0.0
    for number in range(STEPS):
        after_ms = (touch.from_us - edge_us) / 1000 + width * (number + 0.5) / STEPS
        total += sum(pad.usual * _bell(pad, after_ms) for pad in RULES.pads)
    return total / STEPS


def _bell(pad: Pad, after_ms: float) -> float:
    at_ms, found = after_ms + pad.late_ms, 0.0
    for share, deviation in ((1 - pad.tail_share, pad.core_ms), (pad.tail_share, pad.tail_ms)):
        bell = NormalDist(0.0, deviation)
        if pad.ahead_ms:
            found += share * (bell.cdf(at_ms) - bell.cdf(at_ms - pad.ahead_ms)) / pad.ahead_ms
        else:
            found += share * bell.pdf(at_ms)
    return found


def by_hand(closed: list[int], touches: list[Touch]) -> list[dict[int, float]]:
    """Return the chances: all ways to give each pad a barrel, a flat one or none."""
    flat = RULES.barrels - len(touches)
    found: list[dict[int, float]] = [{} for _ in closed]
    options = [*range(len(touches)), UNFELT, NOTHING]
    for way in product(options, repeat=len(closed)):
        used = [who for who in way if who >= 0]
        if len(set(used)) < len(used):
            continue
        weight = 1.0
        for edge_us, who in zip(closed, way, strict=True):
            if who == UNFELT:
                weight *= RULES.unfelt * flat
            elif who == NOTHING:
                weight *= RULES.nothing
            else:
                weight *= density(touches[who], edge_us) / RULES.down_per_ms
        for share, who in zip(found, way, strict=True):
            share[who] = share.get(who, 0.0) + weight
    return [{who: part / sum(one.values()) for who, part in one.items()} for one in found]


def heard(touch: Touch) -> ContactState:
    """Return a barrel that was heard all the time, and set down then."""
    return ContactState(first_us=0, heard_us=NOW_US, boot=1, down=touch, stood_us=touch.to_us)


@given(edges, downs)
def test_every_explanation_counts_for_as_much_as_it_should(
    closed: list[int], set_down: list[tuple[int, int]]
) -> None:
    touches = [Touch(at_us, at_us + width_us) for at_us, width_us in set_down]
    barrels = {who: heard(touch) for who, touch in enumerate(touches)}
    questions = [PadQuestion((edge_us,)) for edge_us in closed]
    beliefs = assign(questions, barrels, NOW_US, RULES)
    for belief, expected in zip(beliefs, by_hand(closed, touches), strict=True):
        assert abs(sum(belief.chances.values()) - 1.0) < 1e-9
        for who, chance in expected.items():
            # rivals of one in ten thousand are not written out
            assert abs(belief.chances.get(who, 0.0) - chance) < 2e-3
        best = max(expected.values())
        assert expected[belief.best] > best - 4e-3


def test_two_barrels_at_the_same_time_are_equally_likely_at_both_seats() -> None:
    barrels = {1: heard(Touch(0, 2_000)), 2: heard(Touch(0, 2_000))}
    for belief in assign([PadQuestion((7_000,)), PadQuestion((7_000,))], barrels, NOW_US, RULES):
        assert abs(belief.chances[1] - belief.chances[2]) < 1e-12


def test_a_fit_in_time_is_worth_as_much_as_the_comment_says() -> None:
    switch, *_ = RULES.pads
    best_us = round(-1000 * switch.late_ms)
    exact = switch.fit(best_us - 500, best_us + 500, 0) / RULES.down_per_ms
    assert 450 < exact < 490
    assert exact / (exact + RULES.silent_aloft) < 0.99  # so that silence in the air is waited for


@pytest.mark.parametrize("pad", RULES.pads)
def test_a_pad_opens_around_the_lift_and_one_that_is_felt_late_settles_little(pad: Pad) -> None:
    near = pad.fit(-60_000, -58_000, 0, opens=True)
    late = pad.fit(200_000, 202_000, 0, opens=True)
    assert late < near < 50 * late
    assert pad.fit(2_000_000, 2_002_000, 0, opens=True) == 0.0


def test_pads_that_nobody_knows_are_mostly_of_one_family_together() -> None:
    """A reflex sensor beside a very late switch could swap the two; hardly any table has both."""
    barrels = {1: heard(Touch(-9_000, -5_000)), 2: heard(Touch(141_000, 145_000))}
    limits = PlacementSettings()
    fresh = [PadQuestion((edge_us,), kinds=usual(PADS)) for edge_us in (0, 150_000)]
    (one, other) = assign(fresh, barrels, NOW_US, limits, settled=11)
    assert min(one.chances[1], other.chances[2]) > 0.985
