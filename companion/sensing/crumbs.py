"""Which set-downs of a barrel are too light, as something in its foot's gap carried a part of it.

A crumb only ever takes away: nothing in the gap makes a barrel heavier. One in three set-downs that
lies far below the other two is therefore left out, instead of making all of them doubtful.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Final

from companion.sensing.weighing import Weighed

LEAST: Final = 3  # with two, nobody can tell which one is wrong
FAR: Final = 5.0  # deviations: what is left out is usually too light by 1.5 % of a barrel
BELL: Final = 1.4826  # deviations of a bell, for each median distance from its middle


def without(weights: Sequence[Weighed]) -> tuple[Weighed, ...]:
    """Return the weights without those that something kept from pressing on the cell.

    >>> from companion.sensing.observations import Moment
    >>> from companion.sensing.weighing import Zero
    >>> told = [Weighed(1, Moment(0, 0), at, load_mg, 90.0, Zero.TOLD, 2100)
    ...         for at, load_mg in enumerate((36_210, 33_220, 36_270))]
    >>> [one.load_mg for one in without(told)], len(without(told[:2]))
    ([36210, 36270], 2)
    """
    latest = {-at if one.set_down is None else one.set_down: one for at, one in enumerate(weights)}
    if len(latest) < LEAST:
        return tuple(weights)
    middle_mg = median(one.load_mg for one in latest.values())
    spread_mg = BELL * median(abs(one.load_mg - middle_mg) for one in latest.values())
    return tuple(
        one for one in weights if one.load_mg >= middle_mg - FAR * max(one.sd_mg, spread_mg)
    )
