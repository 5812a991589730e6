"""Pieces of movement: smooth, closed, and their derivatives belong together."""

from itertools import pairwise
from random import Random

import pytest

from companion.simulator.hand_params import ScriptVigour
from companion.simulator.hands import Hand
from companion.simulator.motions import Fall, G, Glide, Piece, Wobble, ease
from companion.simulator.peeking import PeekPlan, peek
from companion.simulator.poses import Motion, Pose
from companion.simulator.shaking import Shaking, heft, shake, shaking
from rappelwacht_research.mishaps import Topple, tipped

STEP = 1e-4
PIECES: dict[str, Piece] = {
    "glide": Glide(0.1, 0.6, (0.1, -0.2, 0.3), 1.2),
    "wobble": Wobble(0.05, 0.9, 0.2, 0.3, ((18.0, 0.4, 2.0, 1.0, -0.5),), ((18.0, 0.1, 0.3),)),
    "shaking": shaking(Hand(Random(4)), 2.0, 3.1, 1.0),
    "fall": Fall.from_height(0.1, 0.25, 0.3, 0.006),
    "topple": Topple(0.1, 0.3, 1.5, 0.1),
}


def acts(seed: int) -> list[Motion]:
    """Return one of each motion that hands make, with nothing dropped."""
    hand = Hand(Random(seed))
    lift = hand.lift(1_000, Pose())
    held, at = lift.after, lift.end_us
    wild = Shaking((0.37,) * 5, vigour=ScriptVigour.WILDLY)
    return [
        lift,
        shake(hand, at, held, wild),
        heft(hand, at, held, 1.0),
        hand.hand_over(at, held, (0.3, 0.3, 0.0)),
        hand.carry(at, held, 1.5),
        peek(hand, at, held, PeekPlan(0.6, 78.0)),
        hand.put_down(at, held, (0.1, 0.1, 0.0)),
        tipped(hand, 1_000, Pose(), 0.5, 0.5),
        hand.jolt(1_000, Pose(), hand.kick()),
    ]


@pytest.mark.parametrize("piece", PIECES.values(), ids=PIECES)
def test_a_push_is_the_second_derivative_of_the_move(piece: Piece) -> None:
    for step in range(1, 60):
        at = 0.0137 + step / 50
        low, middle, high = (piece.move(at + d * STEP) for d in (-1, 0, 1))
        for axis in range(3):
            push = (high[axis + 3] - low[axis + 3]) / (2 * STEP) / G
            speed = (high[axis] - low[axis]) / (2 * STEP)
            assert push == pytest.approx(piece.push(at)[axis], abs=0.05)
            assert speed == pytest.approx(middle[axis + 3], abs=0.002)


@pytest.mark.parametrize("name", ["glide", "wobble", "shaking", "topple"])
def test_turning_and_twist_are_the_derivatives_of_the_turn(name: str) -> None:
    piece = PIECES[name]
    for step in range(1, 60):
        at = 0.0137 + step / 50
        low, middle, high = (piece.push(at + d * STEP) for d in (-1, 0, 1))
        assert (high[3] - low[3]) / (2 * STEP) == pytest.approx(middle[4], abs=1e-3)
        assert (high[4] - low[4]) / (2 * STEP) == pytest.approx(middle[5], abs=0.05)


def test_ease_begins_and_ends_at_rest() -> None:
    assert ease(1e-9)[1:] == pytest.approx((0.0, 0.0), abs=1e-6)
    assert ease(1 - 1e-9)[1:] == pytest.approx((0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_after_a_motion_the_barrel_is_where_it_was_promised(seed: int) -> None:
    for motion in acts(seed):
        (place, speed) = motion.place(motion.end_us)
        assert place == pytest.approx(motion.after.at_m, abs=2e-3), motion.name
        assert motion.tilt_rad(motion.end_us) == pytest.approx(motion.after.tilt_rad, abs=0.04)
        assert speed == pytest.approx((0.0, 0.0, 0.0), abs=0.02)


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("seed", range(5))
def test_a_closed_motion_gains_no_speed(seed: int) -> None:
    for motion in acts(seed):
        times = range(motion.start_us, motion.end_us, 500)
        for axis in range(3):
            pushes = [
                sum(piece.push((at - motion.start_us) * 1e-6)[axis] for piece in motion.pieces)
                for at in times
            ]
            assert abs(sum(pushes) * G * 5e-4) < 0.03, motion.name


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("seed", range(5))
def test_no_hand_jumps(seed: int) -> None:
    for motion in acts(seed):
        forces = [motion.force_g(at) for at in range(motion.start_us, motion.end_us, 250)]
        jumps = (max(abs(a - b) for a, b in zip(*pair, strict=True)) for pair in pairwise(forces))
        assert max(jumps) < 0.6, motion.name  # a stone's knock is the steepest
        assert max(max(map(abs, force)) for force in forces) < 16.0


def test_a_fall_is_weightless_and_ends_with_a_bang() -> None:
    hand = Hand(Random(2))
    held = hand.lift(0, Pose()).after
    drop = hand.drop(0, held, 0.3)
    sizes = [sum(v * v for v in drop.force_g(at)) ** 0.5 for at in range(0, drop.end_us, 500)]
    assert min(sizes[80:400]) < 0.2
    assert max(sizes) > 16
    assert drop.force_g(drop.end_us) == pytest.approx(
        (
            pytest.approx(drop.force_g(drop.end_us)[0]),
            pytest.approx(drop.force_g(drop.end_us)[1]),
            0.0,
        ),
        abs=1e-6,
    )
