"""Who is to be enrolled: a stopper's set-downs, what is known of its cell, and what both weigh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import hypot, sqrt
from typing import Final

from companion.sensing import crumbs, scatter
from companion.sensing.gain import Gain
from companion.sensing.matching import Row
from companion.sensing.scatter import Scatter
from companion.sensing.settings import Settings
from companion.sensing.weighing import Mass, Weighed, together

UNWEIGHED_MG: Final = 100_000.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """One stopper on its barrel: set-downs, what is known of its cell, what people have read."""

    weights: tuple[Weighed, ...] = ()
    empty: Mass | None = None
    read: int | None = None
    counted: bool = False
    gain: Gain | None = None
    before: Scatter = field(default=Scatter())  # of what it weighed at other times
    weighs: bool = True

    @property
    def mass(self) -> Mass | None:
        """Return what all its set-downs say."""
        return together(crumbs.without(self.weights))

    @property
    def times(self) -> int:
        """Return how often it was set down."""
        return mass.times if (mass := self.mass) else 0

    @property
    def scatter(self) -> Scatter:
        """Return how far apart its set-downs have ever been."""
        return self.before + (mass.scatter if (mass := self.mass) else Scatter())


def wider_of(candidates: Mapping[int, Candidate], settings: Settings) -> Mapping[int, float]:
    """Return by how much each one's errors are wider than they are said to be.

    How wide is known from so few set-downs that a bell would be too narrow: what it lacks in its
    tails it gets as width.
    """
    worth = settings.weighing.believed
    usual = scatter.of_all((one.scatter for one in candidates.values()), worth)
    found = {}
    for stopper, one in candidates.items():
        freedom = worth + one.scatter.freedom
        found[stopper] = one.scatter.wider(usual, worth) * sqrt(freedom / (freedom - 2))
    return found


def row(candidate: Candidate, wider: float, settings: Settings) -> Row:
    """Return what its stones weigh, as far as that can be known."""
    enrolment, gain = settings.enrolment, candidate.gain
    shows, doubt = (gain.shows, gain.doubt) if gain else (1.0, settings.weighing.gain)
    mass, empty = candidate.mass, candidate.empty
    read, counted = candidate.read, candidate.counted
    full_mg = mass.mg if mass else enrolment.shell_mg
    sd_mg = wider * max(mass.sd_mg, enrolment.least_sd_mg) if mass else UNWEIGHED_MG
    if empty is not None:
        sd_mg = hypot(sd_mg, wider * empty.sd_mg) / shows
        return Row((full_mg - empty.mg) / shows, sd_mg**2, True, read, counted, doubt)
    full_mg /= shows  # the gain's doubt is one of the whole barrel
    sd_mg = hypot(sd_mg / shows, enrolment.shell_own_mg, doubt * full_mg)
    return Row(full_mg - enrolment.shell_mg, sd_mg**2, False, read, counted)


def worth_lifting(
    candidates: Mapping[int, Candidate], stone_mg: float, settings: Settings
) -> frozenset[int]:
    """Return which ones would differ clearly from their neighbours if weighed often enough."""
    wider = wider_of(candidates, settings)
    return frozenset(
        stopper
        for stopper, one in candidates.items()
        if _can_help(one, wider[stopper], stone_mg, settings)
    )


def _can_help(candidate: Candidate, wider: float, stone_mg: float, settings: Settings) -> bool:
    enrolment, most = settings.enrolment, settings.enrolment.most_set_downs
    mass = candidate.mass
    if not candidate.weighs or candidate.read is not None or (mass and mass.times >= most):
        return False
    if mass is None or mass.sd_mg > enrolment.usable_mg:
        return True
    now = row(candidate, wider, settings)
    anew = (wider * mass.sd_mg) ** 2 * (1 - mass.times / most)  # what more of it can remove
    at_best = hypot(sqrt(max(0.0, now.variance - anew)), now.share * now.mg)
    return stone_mg >= enrolment.worth_sd * sqrt(2) * at_best
