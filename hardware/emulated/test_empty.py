"""The foot that hangs on the cell of a lifted barrel: learned, taken out, and no set-down."""

import struct
from math import pi, sin
from random import Random
from statistics import fmean, pstdev
from typing import Any

import pytest

from companion.simulator.traits import HONEST, Trait
from hardware.emulated.bench import BARREL_G, Board, Script, nothing
from hardware.emulated.source import load
from rappelwacht_research.breadboard import BOUGHT

empty_source = load("stopper.empty")
GRAM = load("stopper.scale").COUNTS_PER_G
WEIGHING = HONEST & {Trait.FOOT, Trait.GAIN, Trait.CREEP, Trait.RING}


def tremble(script: Script, seconds: float, tilt_deg: float) -> Script:
    """Hold it askew; hands tremble along the axis, too."""

    def push(t: float) -> tuple[float, float, float]:
        return 0.012 * sin(55 * t), 0.008 * sin(47 * t), 0.006 * sin(52 * t)

    return script.add(seconds, 0.0, tilt_deg, push)


def lifts(tilts_deg: list[float], seed: int, **how: Any) -> Board:
    """Return a board whose barrel was lifted so askew, time and again."""
    script = Script().stand(2)
    for tilt_deg in tilts_deg:
        tremble(script, 1.2, tilt_deg).stand(2)
    return Board(script, seed, **how).run()


def errors_mg(board: Board) -> list[float]:
    """Return how wrong each weight is, as this cell sees it; not the first, before any lift."""
    true_mg = BARREL_G * 1000 * board.load_chip.cell.span
    stills = [fields for name, _, fields in board.events() if name == "STILL"]
    return [fields.load_mg - true_mg for fields in stills[1:]]


@pytest.mark.slow(but=1)
@pytest.mark.parametrize(("low", "high"), [(5, 25), (20, 50)])
def test_however_askew_it_is_lifted_it_weighs_the_same(low: float, high: float) -> None:
    rng, wrong = Random(3), list[float]()
    for seed in range(8):
        tilts = [low + (high - low) * rng.random() for _ in range(4)]
        wrong += errors_mg(lifts(tilts, seed))
    assert abs(fmean(wrong)) < 80  # it was -0.2 and -1 g
    assert pstdev(wrong) < 130  # a third of a stone


@pytest.mark.parametrize("hz", [2.0, 3.0, 4.0])
@pytest.mark.parametrize("swing_g", [2.0, 3.0, 4.0])
def test_one_set_down_is_one_set_however_it_was_shaken_up_and_down(
    swing_g: float, hz: float
) -> None:
    script = Script().stand(3).hold(0.6)
    script.add(3, 0.0, 0.0, lambda t: (0.0, 0.0, swing_g * sin(2 * pi * hz * t) * min(1, t / 0.3)))
    board = Board(script.hold(0.4).stand(2.5), 4, cell=BOUGHT).run()  # whose foot has 5 g
    assert board.names() == ["STILL", "LIFT", "SET", "STILL"]


def test_a_set_down_straight_after_a_shake_is_told_at_once() -> None:
    script = Script().stand(3).hold(0.6).shake(3).hold(0.1).stand(2)
    board = Board(script, 4).run()
    heard_us = next(frame.time_us for frame in board.radio.frames if frame.name == "SET")
    assert heard_us - 6_700_000 < 110_000


def test_what_was_turned_over_once_knows_its_foot_and_how_it_swings() -> None:
    for seed in range(4):
        script = Script().stand(2).hold(1, 8)
        script.add(2, 0.0, 180.0, nothing)
        board = Board(script.hold(1, 8).stand(3), seed).run()
        foot_mg = board.foot.mass_g * 1000 * board.load_chip.cell.span
        (swing_mg,) = (fields.swing_mg for name, _, fields in board.events() if name == "FLIP")
        assert swing_mg == pytest.approx(2 * foot_mg, abs=500)
        assert board.last("STILL").foot_mg == pytest.approx(foot_mg, abs=250)


def test_it_says_how_well_it_knows_its_zero() -> None:
    upright, askew = (
        [f for name, _, f in lifts([tilt, tilt], 2).events() if name == "STILL"] for tilt in (3, 45)
    )
    assert upright[0].zero_doubt_mg > 5000  # never lifted
    assert 20 < upright[2].zero_doubt_mg < 150
    assert 1.5 * upright[1].zero_doubt_mg < askew[1].zero_doubt_mg  # nobody knows its foot yet
    assert [fields.foot_mg for fields in upright] == [0, 0, 0]


@pytest.mark.parametrize("seed", range(4))
def test_a_doubt_is_hardly_ever_three_times_too_small(seed: int) -> None:
    board = lifts([35, 5, 50, 20, 45], seed, traits=WEIGHING - {Trait.RING})
    doubts = [f.zero_doubt_mg for name, _, f in board.events() if name == "STILL"][1:]
    other_mg = 120  # lag, and all else that is not the zero
    assert all(
        abs(off) < 3 * doubt + other_mg for off, doubt in zip(errors_mg(board), doubts, strict=True)
    )


def test_zero_and_foot_outlive_a_sleep() -> None:
    script = Script().stand(2).hold(1, 8)
    script.add(2, 0.0, 180.0, nothing)
    board = Board(script.hold(1, 8).stand(320).hold(1000, 40), 3).run(325_000_000)
    assert board.slept == 1
    (foot,) = struct.unpack("<i", board.flash["foot"])
    assert foot / GRAM == pytest.approx(board.foot.mass_g, abs=0.3)
    board.boot()
    assert board.scale.empty.foot == foot
    assert board.scale.empty.zeroed


@pytest.mark.parametrize("kept", [-5, 1_000_000_000])
def test_a_foot_that_cannot_be_is_not_believed(kept: int) -> None:
    empty = empty_source.Empty(0, kept)
    assert empty.foot == empty_source.FOOT
    assert empty.known_foot() == 0


def test_a_zero_that_an_older_firmware_kept_from_a_barrel_on_its_side_is_corrected() -> None:
    board = Board(tremble(Script().stand(2), 2, 10).stand(3), 5)
    cell = board.load_chip.cell
    board.flash["zero"] = struct.pack("<i", round(cell.zero_g * GRAM))
    assert errors_mg(board.run()) == [pytest.approx(0, abs=250)]


def test_a_finger_under_the_foot_is_nothing_that_hangs_there() -> None:
    script = tremble(Script().stand(2), 1.5, 5).stand(2)
    script.add(6.0, 9.0, 5.0, nothing)
    script.add(0.3, 0.0, 5.0, nothing)
    assert errors_mg(Board(script.stand(2), 6).run())[-1] == pytest.approx(0, abs=250)


def test_without_an_accelerometer_it_learns_nothing_of_its_zero() -> None:
    board = Board(tremble(Script().stand(2), 1.5, 5).stand(2), 7).run()
    zero = board.scale.empty.zero
    board.motion_chip.powered = False
    tremble(board.script, 2, 50).stand(2)
    assert abs(board.run().scale.empty.zero - zero) < GRAM // 10
