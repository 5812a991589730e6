"""How strong people are by the results of all their matches, and how far that may be off.

Whatever was corrected counts as it stands now: ratings are not kept, they follow from all results
in their order, each time the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from openskill.models import PlackettLuce

from companion.hall.evening.deeds import Places

START: Final = 1000  # where everybody begins; the rest is in the library's proportions to it
SPREAD: Final = START / 3


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed about somebody's strength."""

    mean: float = START
    spread: float = SPREAD  # one standard deviation
    matches: int = 0

    @property
    def points(self) -> int:
        """Return the rating as people read it."""
        return round(self.mean)

    @property
    def off(self) -> int:
        """Return how far it may be off: no farther in 19 of 20 cases, if the model is right."""
        return round(2 * self.spread)

    @property
    def sure(self) -> int:
        """Return what is certain of it, by which people are ranked."""
        return self.points - self.off


NEW: Final = Rating()
NOBODY: Final[Mapping[str, Rating]] = MappingProxyType({})


def rated(results: Iterable[Places], before: Mapping[str, Rating] = NOBODY) -> dict[str, Rating]:
    """Return everybody's rating after some more matches."""
    found, model = {**before}, _model()
    for places in results:
        people = [one for place in places for one in place]
        ranks = [float(rank) for rank, place in enumerate(places) for _ in place]
        if len(people) < 2:
            continue
        was = [found.get(one, NEW) for one in people]
        teams = [[model.rating(mu=one.mean, sigma=one.spread)] for one in was]
        for one, old, (now,) in zip(people, was, model.rate(teams, ranks=ranks), strict=True):
            found[one] = Rating(now.mu, now.sigma, old.matches + 1)
    return found


@cache
def _model() -> PlackettLuce:
    return PlackettLuce(mu=START, sigma=SPREAD, beta=SPREAD / 2, tau=SPREAD / 100)
