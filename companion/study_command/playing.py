"""Plays a match by the companion's own players, and counts what happens in it.

They choose by what their seat sees; whoever plays Zapp Zerapp shakes barrels at a simulated table.
It must not know what the counts are good for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import Any, Final

from companion.core import kit
from companion.core.game import TABLE, Action, Event, Game, Outcome, Seat
from companion.core.kit import Choose
from companion.games.zapp_zerapp.rules import Colour, ZappZerapp
from companion.games.zapp_zerapp.shaking.people import Gambler, Listener, Person
from companion.games.zapp_zerapp.shaking.table import Table
from companion.study_command.subjects import Deed, Subject

LONGEST: Final = 100_000  # actions; players who avoid each other might go on for ever
LISTENER, RANDOM = "listener", "random"
Step = tuple[Any, Action, Any]  # before, what was done, after


@dataclass(frozen=True, slots=True)
class Played:
    """What one match came to; what belongs to seats stands in their order."""

    actions: int
    span: int  # in the unit of its game
    players: tuple[str, ...]
    outcome: Outcome | None  # None: broken off, because it took too long
    deeds: tuple[tuple[int, ...], ...]  # of each kind, by seat


def names(subject: Subject) -> tuple[str, ...]:
    """Return who can play a game, the best first."""
    if subject.kind is ZappZerapp:
        return LISTENER, RANDOM
    return tuple(kit.players(subject.kind.name))


def play(subject: Subject, game: Game[Any], players: Sequence[str], seed: str) -> Played:
    """Play one match; the same seed gives the same match."""
    chance = Random(seed)  # noqa: S311 - a game and no secret
    happened: list[Event] = []
    actions, state = 0, game.start()
    for before, action, after in islice(_steps(game, players, chance), LONGEST):
        actions, state = actions + 1, after
        happened += game.explain(before, action)
    return Played(
        actions,
        sum(isinstance(event, subject.span) for event in happened),
        tuple(players),
        game.outcome(state),
        tuple(_counted(deed, game, happened) for deed in subject.deeds),
    )


def _counted(deed: Deed, game: Game[Any], happened: Iterable[Event]) -> tuple[int, ...]:
    counts = Counter(map(deed.whose, happened))
    return tuple(counts[seat] for seat in game.seats)


def _steps(game: Game[Any], players: Sequence[str], chance: Random) -> Iterator[Step]:
    seated = dict(zip(game.seats, players, strict=True))
    if not isinstance(game, ZappZerapp):
        choosers = {seat: kit.players(game.name)[player] for seat, player in seated.items()}
        return _through_the_rules(game, choosers, chance)
    people: dict[Colour, Person] = {}
    for seat in game.seats:
        listens = seated[seat] == LISTENER
        people[seat] = Listener(game.settings, chance) if listens else Gambler(chance)
    return Table(game, people, chance).play()


def _through_the_rules(
    game: Game[Any], choosers: Mapping[Seat, Choose], chance: Random
) -> Iterator[Step]:
    state = game.start()
    while seats := game.turns(state):
        seat = seats[0]
        if seat == TABLE:
            action = chance.choices(game.legal(state, TABLE), game.odds(state))[0]
        else:
            view = game.view(state, seat)
            action = choosers[seat](game.settings, view, seat, view.choices, chance)
        before, state = state, game.apply(state, action)
        yield before, action, state
