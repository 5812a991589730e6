"""The ladder: how often each level of players beats each other one, in equal company.

Both play as many seats, and all move on by a seat after each match, with the same chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, islice
from typing import Any, Final

from companion.core.game import Game
from companion.present.levels import level_names
from companion.study_command.figures import Share, share
from companion.study_command.match import Part, Played, Plays, here, one_match

COMPANIES: Final = (2, 4)  # this many at a table


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


def climbed(game: Game[Any], matches: int, seed: int, plays: Plays = here) -> Ladder:
    """Have all levels play so many matches against each other one."""
    levels = level_names(game.name)
    pairs = [*combinations(levels, 2)]
    found = plays(part for pair in pairs for part in _duel(game, pair, matches, seed))
    duels = tuple(Duel(*pair, _won(pair[0], islice(found, matches))) for pair in pairs)
    return Ladder(game.name, len(game.seats), levels, duels)


def share_won(game: Game[Any], pair: Sequence[str], matches: int, seed: int) -> Share:
    """Return how often the first of two levels wins against the other one."""
    return _won(pair[0], here(_duel(game, pair, matches, seed)))


def _duel(game: Game[Any], pair: Sequence[str], matches: int, seed: int) -> Iterator[Part]:
    for players, luck in _seatings(pair, len(game.seats), matches):
        yield one_match(game, players, f"{seed} {luck}")


def _won(better: str, played: Iterable[Played]) -> Share:
    won, over = 0.0, 0
    for match in played:
        if match.outcome is not None:
            scores, winners = match.outcome.scores, match.outcome.winners
            who = {seat: one for (seat, _), one in zip(scores, match.players, strict=True)}
            over += 1
            won += sum(who[seat] == better for seat in winners) / len(winners)
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
