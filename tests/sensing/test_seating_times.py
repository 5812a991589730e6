"""The times in the settings are those of the simulated table."""

from __future__ import annotations

from random import Random
from statistics import median, pstdev

from companion.sensing.settings import Seating
from tests.sensing.seat_times import apart, measure

RULES = Seating()


def test_pads_and_stoppers_differ_as_the_settings_say() -> None:
    placings, takings = measure(8, seed=3)
    assert len(placings) == len(takings) == 32
    for times in (placings, takings):
        early = [one.foot_ms for one in times]
        assert abs(median(early) + RULES.early_ms) < 0.75 * RULES.core_ms
        near = [ms for ms in early if abs(ms + RULES.early_ms) < 3 * RULES.core_ms]
        assert len(near) > 0.85 * len(early)
        assert 0.5 * RULES.core_ms < pstdev(near) < 1.5 * RULES.core_ms
    rng = Random(4)
    far = [apart(150, placings, rng) for _ in range(20)]
    assert sum(wrong for _, wrong, _ in far) == 0
    assert sum(right for right, _, _ in far) >= 36
    close = [apart(15, placings, rng) for _ in range(20)]
    assert sum(wrong for _, wrong, _ in close) == 0
