r"""What a browser tells of a phone that hands move as a barrel: sampled and rounded.

    samples = recorded("1 blue lifts 7\nblue shakes 7 for 2", seed=1)

It must not know how samples are read again. The barrel that is moved has no stones: a phone rattles
as little as its browser would tell.
"""

from dataclasses import dataclass, replace
from random import Random
from typing import Final

from companion.simulator.motions import G, Vector
from companion.simulator.stones import SILENT
from companion.simulator.world import World
from rappelwacht_research.scene import PlayedScript, arrange
from rappelwacht_research.script_reader import read

MOVED: Final = 7  # the barrel that a script moves
ROUNDED: Final = 0.1  # m/s², as browsers do it against those who recognise phones by their sensors
AFTER_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class PhoneKind:
    """How a browser tells what a phone feels.

    Each of its axes is one of the barrel's, 1 to 3, or against it: a screen towards the table feels
    -9.8 along the phone's third axis in most browsers, and 9.8 in Safari.
    """

    hz: float = 60.0
    axes: tuple[int, int, int] = (1, -2, -3)

    def tells(self, force_g: Vector) -> Vector:
        """Return what it tells of a force in the barrel's axes.

        >>> PhoneKind().tells((0.0, 0.0, 1.0)), PhoneKind(axes=(3, 1, 2)).tells((0.0, 0.0, 1.0))
        ((0.0, 0.0, -9.8), (9.8, 0.0, 0.0))
        """
        x, y, z = (
            round(force_g[abs(axis) - 1] * G * (1 if axis > 0 else -1) / ROUNDED) * ROUNDED
            for axis in self.axes
        )
        return round(x, 1), round(y, 1), round(z, 1)

    @property
    def down(self) -> Vector:
        """Return what it tells with its screen on the table."""
        return self.tells((0.0, 0.0, 1.0))

    @property
    def up(self) -> Vector:
        """Return what it tells with its screen up."""
        return self.tells((0.0, 0.0, -1.0))


USUAL: Final = PhoneKind()


def recorded(script: str, seed: int = 1, kind: PhoneKind = USUAL) -> list[tuple[float, Vector]]:
    """Return what a phone feels that is moved as a script moves a barrel: at which ms, and what."""
    rng = Random(f"phone {seed}")  # noqa: S311 - a game and no secret
    world = World(rng)
    for part in PlayedScript(world, read(script)).parts():
        arrange(world, part)
    moved = world.barrels[MOVED]
    moved.motions = [replace(motion, rattle=SILENT) for motion in moved.motions]
    period_us, samples = 1e6 / kind.hz, list[tuple[float, Vector]]()
    late_us = 0.3 * period_us  # no browser is quite regular
    at_us, end_us = 0.0, world.now_free_us + AFTER_S * 1e6
    while at_us < end_us:
        told_us = round(at_us + late_us * rng.random())
        samples.append((told_us / 1000, kind.tells(moved.acceleration_g(told_us))))
        at_us += period_us
    return samples
