"""How people handle a barrel, in figures fitted to recordings of hands (hardware/hand-model.md).

It must not know physics: it draws how hard, how fast and how far, from chance that is handed in.
"""

from dataclasses import dataclass, replace
from enum import Enum
from random import Random
from typing import Final

from companion.system.chance import wobble


class ScriptVigour(Enum):
    """How somebody shakes, as a script says it: from where to where in the spread of people."""

    GENTLY = (-4.0, -1.8)  # softer than nearly all recordings: to listen, not because asked to
    AS_USUAL = (0.0, 0.0)  # anybody of those recorded
    FIRMLY = (0.0, 1.2)
    WILDLY = (1.2, 3.2)


@dataclass(frozen=True, slots=True)
class HandSpread:
    """A figure that differs from hand to hand: its middle, its deviation, and its bounds."""

    middle: float
    deviation: float
    least: float
    most: float

    def draw(self, rng: Random) -> float:
        """Return one of them.

        >>> 0.1 <= HandSpread(0.2, 9.0, 0.1, 0.3).draw(Random(1)) <= 0.3
        True
        """
        return self.at(wobble(rng))

    def at(self, deviations: float) -> float:
        """Return the figure that many deviations from the middle."""
        return min(self.most, max(self.least, self.middle + self.deviation * deviations))


@dataclass(frozen=True, slots=True)
class HandParams:
    """Everything that was fitted, or chosen where the recordings say nothing."""

    # lifting, as recorded
    rise_m: HandSpread = HandSpread(0.24, 0.09, 0.08, 0.45)
    reach_m: HandSpread = HandSpread(0.0, 0.10, -0.25, 0.25)
    lift_s: HandSpread = HandSpread(0.58, 0.12, 0.34, 0.95)
    corrections: int = 2  # smaller reaches that follow the first one
    correction_share: float = 0.22
    lift_tilt_deg: HandSpread = HandSpread(39.0, 20.0, 2.0, 60.0)
    unsteady_g: HandSpread = HandSpread(0.08, 0.03, 0.01, 0.18)  # 4–8 Hz, while the arm moves
    bump_g: HandSpread = HandSpread(0.07, 0.04, 0.02, 0.2)  # fingers that close, a nudge on the way
    bump_spread: float = 0.8  # most are soft, few are hard
    tremor_g: HandSpread = HandSpread(0.025, 0.01, 0.004, 0.06)  # 8–11 Hz, always
    # shaking, as recorded
    shake_g: HandSpread = HandSpread(2.1, 0.45, 0.25, 3.6)  # root mean square, all axes
    shake_hz: HandSpread = HandSpread(2.95, 1.0, 0.9, 6.0)
    hz_goes_with_g: float = 0.45  # correlation of the two
    upright_share: float = 0.17  # how many shake along the barrel's axis, not across
    ellipse: HandSpread = HandSpread(
        0.58, 0.22, 0.05, 0.95
    )  # the second axis, as a share of the first
    beat: HandSpread = HandSpread(
        0.55, 0.15, 0.0, 0.9
    )  # a second frequency nearby: no two swings alike
    second: HandSpread = HandSpread(0.30, 0.12, 0.05, 0.6)  # harmonics, as shares of the first axis
    third: HandSpread = HandSpread(0.27, 0.1, 0.05, 0.6)  # in step with it: the hand snaps over
    fifth: HandSpread = HandSpread(0.23, 0.08, 0.0, 0.3)
    shake_tilt_deg: HandSpread = HandSpread(36.0, 18.0, 0.0, 60.0)
    wrist_deg_per_g: HandSpread = HandSpread(
        5.0, 3.0, 0.0, 14.0
    )  # how far the tilt swings with each g
    # chosen, no recording shows them
    peek_turn_s: HandSpread = HandSpread(0.36, 0.06, 0.24, 0.6)
    peek_margin_deg: HandSpread = HandSpread(
        14.0, 7.0, 3.0, 35.0
    )  # beyond what would be just enough
    press_g: HandSpread = HandSpread(12.0, 18.0, -8.0, 60.0)  # fingers that close around or let go
    kick_g: HandSpread = HandSpread(0.6, 0.25, 0.2, 1.4)
    pivot_m: HandSpread | None = None  # how far beyond the barrel its pivot is, if it has one

    def shaking(self, vigour: ScriptVigour, rng: Random) -> tuple[float, float]:
        """Return how hard (g, root mean square) and how fast (Hz) somebody shakes."""
        low, high = vigour.value
        hard = wobble(rng) if vigour is ScriptVigour.AS_USUAL else between(rng, low, high)
        tied = self.hz_goes_with_g
        fast = tied * hard + (1.0 - tied * tied) ** 0.5 * wobble(rng)
        return self.shake_g.at(hard), self.shake_hz.at(fast)


HABITS: Final = HandParams()
# What the recordings do not show: people turn about their wrists, and some tremble three times as
# much as those who were recorded.
WRISTS: Final = replace(HABITS, pivot_m=HandSpread(0.07, 0.04, 0.0, 0.15))
SHAKY: Final = replace(WRISTS, tremor_g=HandSpread(0.075, 0.03, 0.012, 0.18))


def between(rng: Random, least: float, most: float) -> float:
    """Return something between two figures.

    >>> 1.0 <= between(Random(2), 1.0, 2.0) < 2.0
    True
    """
    return least + (most - least) * rng.random()
