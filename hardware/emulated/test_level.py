"""Upright is what standing says: a sensor that sits askew in its barrel accuses nobody."""

from math import radians

import pytest

from companion.simulator.weighing import mounted
from hardware.emulated.bench import BARREL_G, Board, Script, Vector, nothing

ASKEW_DEG = 15.0


class Askew(Script):
    """A script as a sensor feels it that leans to the side to which the barrel is tilted."""

    def acceleration_g(self, at_us: int) -> Vector:
        """Return the force in the sensor's axes."""
        return mounted(super().acceleration_g, (radians(-ASKEW_DEG), 0.0))(at_us)


def tilt_deg(board: Board) -> float:
    return float(board.motion.tilt_cdeg) / 100


@pytest.mark.parametrize("seed", range(1, 5))
def test_a_sensor_15_degrees_askew_tells_no_tilt_of_a_barrel_held_at_50(seed: int) -> None:
    board = Board(Askew().stand(4).hold(1).hold(2, 50), seed).run()
    assert board.names() == ["STILL", "LIFT"]
    assert tilt_deg(board) == pytest.approx(50, abs=2.5)


def test_a_standing_barrel_is_upright_however_its_sensor_sits() -> None:
    board = Board(Askew().stand(2.5)).run()
    assert tilt_deg(board) == pytest.approx(0, abs=1)
    assert board.motion.up == pytest.approx(512, abs=25)


def test_upside_down_what_is_upright_is_negative() -> None:
    board = Board(Askew().stand(4).hold(1).rest(3, 180)).run()
    assert board.motion.up == pytest.approx(-512, abs=40)
    assert tilt_deg(board) > 173


def test_a_barrel_held_askew_by_a_still_hand_is_not_taken_for_upright() -> None:
    script = Script().stand(3)
    script.add(20, 0.0, 15.0, nothing)  # nothing on its foot
    board = Board(script).run()
    assert tilt_deg(board) == pytest.approx(15, abs=1.5)


def test_nothing_that_stands_far_askew_is_learned() -> None:
    script = Script().stand(3)
    script.add(20, BARREL_G / 2, 30.0, nothing)  # on the edge of its foot
    board = Board(script).run()
    assert tilt_deg(board) == pytest.approx(30, abs=1.5)


def test_a_finger_that_tips_it_for_a_moment_hardly_counts() -> None:
    script = Script().stand(15)
    script.add(2, BARREL_G / 2, 15.0, nothing)
    board = Board(script.stand(0.9)).run()
    assert tilt_deg(board) < 2.0
