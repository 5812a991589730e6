"""A phone's samples as the force on a barrel: whatever their rate, signs and axes; and gaps."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import dist, hypot, pi

import pytest

from companion.present.simulated_hands import PhoneSamples
from companion.simulator.live.phone_motion import (
    BUFFER_US,
    HOLD_US,
    MOST_G,
    SINKS_US,
    UPRIGHT,
    PhoneMotion,
)
from companion.simulator.motions import G, Vector
from companion.system.errors import CompanionError
from rappelwacht_research.phone_motions import USUAL, PhoneKind, recorded

BATCH_MS = 100
SHAKEN = "1 blue lifts 7\nblue shakes 7 gently for 2\nblue peeks 7 to 120 for 1"
Row = tuple[float, Vector]


def batches(rows: Sequence[Row], kind: PhoneKind = USUAL) -> list[tuple[int, PhoneSamples]]:
    """Return what arrives when, at the end of each tenth of a second."""
    made = []
    for number in range(int(rows[-1][0] / BATCH_MS) + 1):
        part = [row for row in rows if number <= row[0] / BATCH_MS < number + 1]
        samples = PhoneSamples(
            "phone",
            kind.down,
            kind.up,
            tuple(at_ms for at_ms, _ in part),
            tuple(felt for _, felt in part),
        )
        made.append((1000 * BATCH_MS * (number + 1), samples))
    return made


def felt(rows: Sequence[Row], kind: PhoneKind = USUAL, step_us: int = 2_500) -> list[Vector]:
    """Return what a chip feels that asks 400 times a second."""
    motion, forces, at_us = PhoneMotion(), list[Vector](), 0
    for arrives_us, samples in batches(rows, kind):
        while at_us < arrives_us:
            forces.append(motion.force_g(at_us))
            at_us += step_us
        motion.take(samples, arrives_us)
    return forces


@pytest.mark.parametrize(("hz", "most_g"), [(20, 0.15), (60, 0.08), (120, 0.06)])
def test_each_rate_is_felt_as_it_was_a_moment_before(hz: int, most_g: float) -> None:
    kind, late = PhoneKind(hz), BUFFER_US // 2_500
    true = [hypot(*force) / G for _, force in recorded(SHAKEN, 3, PhoneKind(400))]
    hard = [hypot(*force) for force in felt(recorded(SHAKEN, 3, kind), kind)]
    span = range(late + 40, min(len(hard), len(true)))
    off_g = [
        sum(abs(hard[at] - true[at - late - shift]) for at in span) / len(span)
        for shift in range(0, 40, 2)  # a batch is as long as that
    ]
    assert min(off_g) < most_g
    assert min(off_g) < off_g[0]


def _sure(kind: PhoneKind) -> list[tuple[float, float]]:
    """Return how hard it is pushed, and how far along its axis."""
    return [(hypot(*force), force[2]) for force in felt(recorded(SHAKEN, 5, kind), kind)]


@pytest.mark.parametrize(
    "axes", [(1, 2, 3), (1, -2, 3), (-1, -2, -3), (3, 1, 2), (-3, 2, 1), (2, -3, -1)]
)
def test_swapped_and_mirrored_axes_are_the_same_barrel(axes: tuple[int, int, int]) -> None:
    for (hard, up), (usual_hard, usual_up) in zip(
        _sure(PhoneKind(axes=axes)), _sure(USUAL), strict=True
    ):
        assert hard == pytest.approx(usual_hard, abs=0.03)
        assert up == pytest.approx(usual_up, abs=0.03)


def test_a_browser_that_tells_other_units_is_the_same_barrel() -> None:
    rows = recorded(SHAKEN, 5)
    by_g = [(at_ms, (x / 9.8, y / 9.8, z / 9.8)) for at_ms, (x, y, z) in rows]
    usual, motion = PhoneMotion(), PhoneMotion()
    for (at_us, samples), (_, other) in zip(batches(rows), batches(by_g), strict=True):
        down, up = (0.0, 0.0, -1.0), (0.0, 0.0, 1.0)
        usual.take(samples, at_us)
        motion.take(replace(other, down=down, up=up), at_us)
        assert motion.force_g(at_us) == pytest.approx(usual.force_g(at_us), abs=1e-6)


@pytest.mark.parametrize(
    ("down", "up"),
    [
        ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        ((0.0, 0.0, 9.8), (0.0, 0.0, 9.8)),
        ((0.0, 9.8, 0.0), (0.0, 0.0, 9.8)),
        ((1e10, 0.0, 0.0), (1e10, 1.0, 0.0)),
    ],
)
def test_a_phone_that_did_not_lie_flat_is_no_barrel(down: Vector, up: Vector) -> None:
    with pytest.raises(CompanionError, match="did not lie flat"):
        PhoneMotion().take(PhoneSamples("phone", down, up, (0.0,), (down,)), 0)


def lying(from_ms: int, to_ms: int, force: Vector) -> list[Row]:
    return [(float(at), force) for at in range(from_ms, to_ms, 20)]


def test_lost_seconds_are_a_gap_that_holds_then_stands_upright() -> None:
    motion = PhoneMotion()
    for at_us, samples in batches(lying(0, 2000, USUAL.up)):
        motion.take(samples, at_us)
    end_us = motion.newest_us
    assert motion.tilt_rad(end_us + HOLD_US - 1) == pytest.approx(pi)
    assert motion.force_g(end_us + HOLD_US + SINKS_US) == UPRIGHT
    assert motion.up_since_us is not None
    since_us = motion.up_since_us
    for at_us, samples in batches(lying(5000, 7000, USUAL.up)):
        if samples.at_ms:
            motion.take(samples, at_us)
    assert motion.up_since_us > since_us + 4_000_000  # a look ends where nothing was felt
    assert motion.force_g(end_us + 2_000_000) == UPRIGHT


def test_what_comes_late_is_felt_late_and_what_comes_at_once_is_not_stored_up() -> None:
    motion, rows = PhoneMotion(), batches(lying(0, 6000, USUAL.up))
    for at_us, samples in rows[:10]:
        motion.take(samples, at_us)
    for at_us, samples in rows[10:]:  # the line was held up, and all comes together
        motion.take(samples, max(at_us, 6_000_000))
    assert 0 < motion.newest_us - 6_000_000 <= 2 * BUFFER_US
    motion.take(rows[5][1], 6_050_000)  # a clock that goes back
    assert 0 < motion.newest_us - 6_050_000 <= 2 * BUFFER_US


def test_nothing_is_pushed_harder_in_between_than_at_both_ends() -> None:
    rows = recorded(SHAKEN, 7)
    hardest = max(hypot(*force) for _, force in rows) / G
    forces = felt(rows)
    assert max(hypot(*force) for force in forces) <= hardest + 0.02
    assert max(dist(before, after) for before, after in pairwise(forces)) < 0.5


def test_no_page_pushes_harder_than_any_hand() -> None:
    motion, wild = PhoneMotion(), (1e10, -1e10, 1e10)
    motion.take(PhoneSamples("phone", USUAL.down, USUAL.up, (0.0, 20.0), (wild, wild)), 0)
    assert max(map(abs, motion.force_g(motion.newest_us - 1))) == pytest.approx(MOST_G)
