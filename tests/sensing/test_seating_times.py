"""The times in the settings are those of the simulated table."""

from random import Random
from statistics import median, pstdev

import pytest

from companion.sensing.settings import PlacementSettings
from companion.simulator.pads import PadKind
from companion.simulator.traits import Trait
from tests.sensing.seat_times import apart, measure

*SWITCHES, TRIMMED, LOOSE, _ = PlacementSettings().pads
SWITCH = next(pad for pad in SWITCHES if pad.core_ms > 10)  # the least late of the usual ones


@pytest.mark.slow
def test_pads_and_stoppers_differ_as_the_settings_say() -> None:
    placings, takings = measure(8, seed=3)
    assert len(placings) == len(takings) == 32
    for times in (placings, takings):
        early = [one.foot_ms for one in times]
        assert abs(median(early) + SWITCH.late_ms) < 0.75 * SWITCH.core_ms
        near = [ms for ms in early if abs(ms + SWITCH.late_ms) < 3 * SWITCH.core_ms]
        assert len(near) > 0.85 * len(early)
        assert 0.5 * SWITCH.core_ms < pstdev(near) < 1.5 * SWITCH.core_ms
    rng = Random(4)
    far = [apart(150, placings, rng) for _ in range(20)]
    assert sum(wrong for _, wrong, _ in far) == 0
    assert sum(right for right, _, _ in far) >= 16  # of 40, at pads that nobody knows yet
    close = [apart(15, placings, rng) for _ in range(20)]
    assert sum(wrong for _, wrong, _ in close) == 0


def test_pads_as_they_are_tell_of_edges_when_they_come_not_when_somebody_looks() -> None:
    placings, takings = measure(1, seed=3, traits=frozenset({Trait.PADS}))
    late = [-one.foot_ms for one in (*placings, *takings)]
    assert len(late) == 8
    assert max(late) > 40
    assert min(late) > -40


@pytest.mark.slow
def test_reflex_sensors_close_before_a_barrel_stands_as_long_as_their_kinds_say() -> None:
    placings, takings = measure(6, seed=3, pads=PadKind.REFLEX)
    assert len(placings) == len(takings) == 24
    ahead = [one.foot_ms for one in placings] + [-one.foot_ms for one in takings]
    assert all(-SWITCH.core_ms < ms < LOOSE.ahead_ms for ms in ahead)
    assert 0.25 * TRIMMED.ahead_ms < median(ahead) < TRIMMED.ahead_ms
    rng = Random(4)
    found = [apart(gap_ms, placings, rng) for gap_ms in (15, 150, 300) for _ in range(8)]
    assert sum(wrong for _, wrong, _ in found) == 0
    assert sum(right for right, _, _ in found[-8:]) >= 12
