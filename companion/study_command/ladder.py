"""The ladder: how often each level of players beats each other one, in equal company.

Both play as many seats, and all move on by a seat after each match, with the same chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Final

from companion.core.game import Game
from companion.present.levels import level_names
from companion.present.subject import subject_of
from companion.study_command.figures import Share, share
from companion.study_command.match import play

COMPANIES: Final = (2, 4)  # so many at a table


@dataclass(frozen=True, slots=True)
class Duel:
    """How often the better of two levels has won."""

    better: str
    worse: str
    won: Share


@dataclass(frozen=True, slots=True)
class Ladder:
    """All levels of a game against one another, so many at a table; the best first."""

    game: str
    seats: int
    levels: tuple[str, ...]
    duels: tuple[Duel, ...]

    @property
    def rungs(self) -> tuple[Duel, ...]:
        """Return those between neighbours, from above."""
        steps = zip(self.levels, self.levels[1:], strict=False)
        return tuple(self.between(better, worse) for better, worse in steps)

    def between(self, better: str, worse: str) -> Duel:
        """Return a duel; who is named first is the better one."""
        return next(duel for duel in self.duels if (duel.better, duel.worse) == (better, worse))

    def figures(self) -> dict[str, Any]:
        """Return all of it, to be written as JSON."""
        found: dict[str, dict[str, Any]] = {}
        for duel in self.duels:
            found.setdefault(duel.better, {})[duel.worse] = asdict(duel.won)
        return {"game": self.game, "seats": self.seats, "beats": found}


def climbed(
    game: Game[Any], matches: int, seed: int, done: Callable[[], None] = lambda: None
) -> Ladder:
    """Have all levels play so many matches against each other one."""
    levels = level_names(game.name)
    duels = tuple(
        Duel(*pair, share_won(game, pair, matches, seed, done)) for pair in combinations(levels, 2)
    )
    return Ladder(game.name, len(game.seats), levels, duels)


def share_won(
    game: Game[Any],
    pair: Sequence[str],
    matches: int,
    seed: int,
    done: Callable[[], None] = lambda: None,
) -> Share:
    """Return how often the first of two levels wins against the other one."""
    won, over = 0.0, 0
    for players, luck in _seatings(pair, len(game.seats), matches):
        outcome = play(subject_of(game.name), game, players, f"{seed} {luck}").outcome
        done()
        if outcome is not None:
            who = dict(zip(game.seats, players, strict=True))
            over += 1
            won += sum(who[seat] == pair[0] for seat in outcome.winners) / len(outcome.winners)
    return share(won, max(1, over))


def _seatings(
    pair: Sequence[str], seats: int, matches: int
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield who sits where, and which chance they have: the same once for either half.

    >>> [*_seatings("ab", 4, 3)]
    [(('a', 'b', 'a', 'b'), 0), (('b', 'a', 'b', 'a'), 0), (('a', 'b', 'a', 'b'), 1)]
    """
    for number in range(matches):
        yield tuple(pair[(seat + number) % 2] for seat in range(seats)), number // 2
