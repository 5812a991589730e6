"""Spreads, shares with their intervals, and bins."""

from random import Random

import pytest

from rappelwacht_research.study.findings import bins, mean, share, spread, width_for


def test_a_quarter_half_and_three_quarters_are_values_that_occurred() -> None:
    found = spread([9, 1, 5])
    assert (found.least, found.quarter, found.median, found.three_quarters) == (1, 1, 5, 9)
    assert spread([7]).median == spread([7]).most == spread([7]).mean == 7


def test_at_least_half_of_the_values_are_at_most_the_median() -> None:
    for seed in range(50):
        rng = Random(seed)
        values = [rng.randrange(20) for _ in range(rng.randrange(1, 40))]
        found = spread(values)
        assert sum(value <= found.median for value in values) * 2 >= len(values)
        assert sum(value < found.median for value in values) * 2 <= len(values)


@pytest.mark.parametrize("truth", [0.05, 0.25, 0.5])
def test_the_interval_holds_the_truth_nearly_as_often_as_it_says(truth: float) -> None:
    rng, held, of = Random(3), 0, 2000
    for _ in range(of):
        found = share(sum(rng.random() < truth for _ in range(60)), 60)
        held += found.low <= truth <= found.high
    assert 0.92 < held / of < 0.98


def test_what_never_or_always_happened_is_not_certain() -> None:
    never, always = share(0, 20), share(20, 20)
    assert never.low == pytest.approx(0, abs=1e-12)
    assert 0.1 < never.high < 0.2
    assert always.low == pytest.approx(1 - never.high)
    assert always.high == pytest.approx(1, abs=1e-12)


def test_the_reach_of_a_mean_shrinks_with_the_root_of_how_many_there_are() -> None:
    few, many = mean([1, 3] * 50).reach, mean([1, 3] * 200).reach
    assert few is not None
    assert many is not None
    assert few / many == pytest.approx(2, rel=0.01)
    assert mean([4]).reach is None


@pytest.mark.parametrize("values", [[0], [3, 3], [7, 290], [-4, 11], [0, 99_999]])
def test_every_value_lies_in_one_bin_and_there_are_not_too_many(values: list[int]) -> None:
    width = width_for(values, 16)
    found = bins(values, min(values), max(values), width)
    assert sum(found.counts) == len(values)
    assert len(found.counts) <= 16
    assert found.counts[0] > 0 < found.counts[-1]
    assert found.start <= min(values) < found.start + width
