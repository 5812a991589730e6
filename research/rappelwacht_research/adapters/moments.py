"""A match as programs play it: choices by number, what a seat sees as numbers, and a result.

A choice is known by its place among those that its seat has at that moment. They are what the seat
may know of them: nobody chooses the number of a barrel, but chance tells it after the flip. Where
several may choose at once, they do so clockwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, Final, Self
from zlib import crc32

from companion.core.codec import pack
from companion.core.game import TABLE, Action, Game, Seat, seats_by_word
from companion.core.notation import write
from companion.core.plugin import GAMES

MOST_CHOICES: Final = 2048  # that somebody has at once, in any of our games
MOST_OUTCOMES: Final = 64  # of one roll, or of one card drawn
FEATURES: Final = 512
LARGEST: Final = 100.0  # of a feature


@lru_cache(maxsize=32)
def game_of(name: str, players: int) -> Game[Any]:
    """Return a game by its usual settings, for so many; its rules refuse a wrong number."""
    kind = GAMES[name]
    seats = tuple(seats_by_word(kind).values())
    return kind(kind.settings_type(seats=seats[:players]))


@lru_cache(maxsize=32)
def company(name: str) -> range:
    """Return how many can play a game."""
    return range(2, len(seats_by_word(GAMES[name])) + 1)


@dataclass(frozen=True, eq=False)
class GamePosition:
    """Where a match stands, and how it came there."""

    game: Game[Any]
    state: Any
    actions: int = 0
    before: GamePosition | None = field(default=None, repr=False)
    _told: dict[Seat | None, str] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def first(cls, game: Game[Any]) -> Self:
        """Return the beginning of a match."""
        return cls(game, game.start())

    def __deepcopy__(self, memo: object) -> Self:
        """Return the same one: it never changes."""
        return self

    @property
    def seat(self) -> Seat | None:
        """Return who acts, perhaps the table; None: the match is over."""
        turns = self.game.turns(self.state)
        return turns[0] if turns else None

    @cached_property
    def choices(self) -> Sequence[Action]:
        """Return what whoever acts may choose, or what chance may bring."""
        if self.seat is None:
            return ()
        if self.seat == TABLE:
            return self.game.legal(self.state, TABLE)
        choices: Sequence[Action] = self.game.view(self.state, self.seat).choices
        return choices

    @property
    def odds(self) -> list[float]:
        """Return how probable each is that chance may bring."""
        weights = self.game.odds(self.state)
        return [weight / sum(weights) for weight in weights]

    def then(self, number: int) -> Self:
        """Return the moment after a choice."""
        after = self.game.apply(self.state, self.choices[number])
        return type(self)(self.game, after, self.actions + 1, self)

    def told(self, number: int) -> str:
        """Return a choice in the game's notation."""
        return write(self.choices[number])

    def result(self) -> list[float]:
        """Return what each seat gains: an equal share of one for who wins, less what all have."""
        seats, outcome = self.game.seats, self.game.outcome(self.state)
        if outcome is None:
            return [0.0] * len(seats)
        won = 1 / len(outcome.winners)
        return [won * (seat in outcome.winners) - 1 / len(seats) for seat in seats]

    def seen(self, seat: Seat | None) -> dict[str, Any]:
        """Return what a seat sees, as JSON has it; its choices are told otherwise."""
        packed: dict[str, Any] = pack(replace(self.game.view(self.state, seat), choices=()))
        del packed["choices"]
        return packed

    def observation(self, seat: Seat | None) -> str:
        """Return what a seat sees, as text."""
        if seat not in self._told:
            self._told[seat] = json.dumps(self.seen(seat), separators=(",", ":"))
        return self._told[seat]

    def information(self, seat: Seat) -> str:
        """Return all that a seat has seen so far, as text: whoever forgets nothing knows that."""
        seen, moment = [self.observation(seat)], self.before
        while moment is not None:
            seen.append(moment.observation(seat))
            moment = moment.before
        return "\n".join(reversed(seen))


def features(seen: Any) -> Iterator[tuple[int, float]]:
    """Yield what is seen as places of a vector and what is added there.

    Whatever a game's view consists of, each of its parts has a place by its name, which it may
    share with another one: a vector of fixed length needs no knowledge of any game.

    >>> [*features({"round": 3, "phase": "move"})] == [*features({"phase": "move", "round": 3})]
    False
    >>> sorted(value for _, value in features({"round": 3, "phase": "move"}))
    [1.0, 3.0]
    """
    for name, value in _leaves("", seen):
        if isinstance(value, str):
            yield crc32(f"{name}={value}".encode()) % FEATURES, 1.0
        elif value is not None:
            yield crc32(name.encode()) % FEATURES, max(-LARGEST, min(LARGEST, float(value)))


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _leaves(f"{name}.{key}", one)
    elif isinstance(value, list):
        for place, one in enumerate(value):
            yield from _leaves(f"{name}.{place}", one)
    else:
        yield name, value
