"""What a seating costs: the rules in their order, so that no later one outweighs an earlier one.

1. No avoidable repeat of an opponent.
2. Equal numbers of games.
3. Equal seats: who begins has other chances than who comes last.
4. Strength: equals meet, or in a knock-out are kept apart.

What is to be equal is summed up such that the sum of its squares in the end is the least that can
be: whoever met twice already costs twice as much as those who met once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple

from companion.hall.evening.past import Past

Group = tuple[str, ...]


class Cost(NamedTuple):
    """What a seating costs, the most important first."""

    repeats: int  # of each two at a table: how often they met
    games: int  # of each who plays: how often already
    seats: int  # of each: how often in that place already
    strength: int  # of each two: the square of what is between them


@dataclass(frozen=True, slots=True)
class Weighed:
    """What groups cost, given what has been played."""

    past: Past
    apart: bool = False  # are the strong kept apart?

    def of(self, groups: Sequence[Group]) -> Cost:
        """Return what it costs if these sit together, in this order."""
        costs = [self._of(group) for group in groups]
        return Cost(*(sum(column) for column in zip(*costs, strict=True))) if costs else NOTHING

    def _of(self, group: Group) -> Cost:
        met, sat = self.past.met, self.past.sat
        return Cost(
            sum(met[pair] for pair in combinations(group, 2)),
            sum(self.past.games[one] for one in group),
            sum(sat[one, place] for place, one in enumerate(group)),
            sum(self.between(*pair) for pair in combinations(group, 2)),
        )

    def between(self, one: str, other: str) -> int:
        """Return what it costs if two of different strength meet."""
        strength = self.past.strength
        square = (strength[one] - strength[other]) ** 2
        return FARTHEST - square if self.apart else square


FARTHEST = 1 << 20  # the square of the greatest difference in strength: a thousand places
NOTHING = Cost(0, 0, 0, 0)


def seated(group: Group, past: Past) -> Group:
    """Return a group in the order in which each has been seldom; of several, the first."""
    sat = past.sat

    @cache
    def best(rest: Group) -> tuple[int, Group]:
        place = len(group) - len(rest)
        found: tuple[int, Group] = (0, ())
        for at, one in enumerate(rest):
            cost, others = best(rest[:at] + rest[at + 1 :])
            cost += sat[one, place]
            if not at or cost < found[0]:
                found = cost, (one, *others)
        return found

    return best(group)[1]
