"""What an evening has been for each of its guests so far, as far as the next round needs it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from companion.hall.evening.evening import Evening


@dataclass(frozen=True, slots=True)
class Past:
    """Who met whom how often, and who sat where; only what counts, including what still runs."""

    met: Counter[tuple[str, str]] = field(default_factory=Counter)  # both ways round
    games: Counter[str] = field(default_factory=Counter)
    sat: Counter[tuple[str, int]] = field(default_factory=Counter)  # as first, second, ... in turn
    strength: Counter[str] = field(default_factory=Counter)


def past(evening: Evening, strength: Counter[str] | None = None) -> Past:
    """Return it; `strength` says who is how good."""
    found = Past(strength=strength or Counter())
    for match in evening.played:
        found.games.update(match.players)
        found.sat.update((one, place) for place, one in enumerate(match.players))
        for one, other in combinations(match.players, 2):
            found.met[one, other] += 1
            found.met[other, one] += 1
    return found
