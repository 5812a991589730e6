"""How a sensor sits in its stopper, and the stopper in its barrel: never quite straight.

Two turns add up, each of some 3° any way; what is soldered and glued with care stays below 8°, and
one part in a hundred comes out at about 15°.
"""

from collections.abc import Callable
from math import cos, hypot, radians, sin
from random import Random
from typing import Final

from companion.simulator.hand_params import between
from companion.simulator.motions import Vector
from companion.system.chance import wobble

ASKEW_DEG: Final = 3.0  # a standard deviation, each way; of sensor and stopper together
AT_MOST_DEG: Final = 8.0
CARELESS: Final = 0.01  # this many parts…
CARELESS_DEG: Final = (12.0, 16.0)  # …are far more askew

Force = Callable[[int], Vector]


def askew_rad(rng: Random) -> tuple[float, float]:
    """Return how far one sensor leans over, along x and y.

    >>> 0.0 < hypot(*askew_rad(Random(1))) <= radians(16)
    True
    """
    x, y = ASKEW_DEG * wobble(rng), ASKEW_DEG * wobble(rng)
    far = hypot(x, y) or 1.0
    most = between(rng, *CARELESS_DEG) if rng.random() < CARELESS else min(far, AT_MOST_DEG)
    return radians(x * most / far), radians(y * most / far)


def mounted(force: Force, askew: tuple[float, float]) -> Force:
    """Return the force felt by a sensor that leans over this far.

    >>> [round(part, 3) for part in mounted(lambda at_us: (0.0, 0.0, 1.0), (radians(30), 0.0))(0)]
    [-0.5, 0.0, 0.866]
    """
    angle = hypot(*askew)
    if not angle:
        return force
    ax, ay = -askew[1] / angle, askew[0] / angle  # turning about this axis makes it lean like that
    c, s = cos(angle), sin(angle)

    def felt(at_us: int) -> Vector:
        x, y, z = force(at_us)
        along = (ax * x + ay * y) * (1.0 - c)
        return (
            x * c - ay * z * s + ax * along,
            y * c + ax * z * s + ay * along,
            z * c - (ax * y - ay * x) * s,
        )

    return felt
