"""Plays a match by the companion's own players, and counts what happens in it.

They choose by what their seat sees; a game that needs hands says itself how it is played.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from random import Random
from typing import Any, Final

from companion.core import plugin
from companion.core.game import TABLE, Event, Game, Outcome, Seat
from companion.core.plugin import Choose, at_random
from companion.present.study_game import Step, StudiedAction, StudyGame, study_game_of
from companion.system import signals

BULK: Final = 1000  # matches, from which on they may be played in lockstep
LONGEST: Final = 100_000  # actions; players who avoid each other might go on forever


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """What one match came to; what belongs to seats stands in their order."""

    actions: int
    span: int  # in the unit of its game
    players: tuple[str, ...]
    outcome: Outcome | None  # None: broken off, because it took too long
    counted: tuple[tuple[int, ...], ...]  # of each kind, by seat


@dataclass(frozen=True, slots=True)
class StudiedMatch:
    """What one match in lockstep came to; what belongs to seats stands in their order."""

    actions: int
    span: int  # in the unit of its game
    outcome: Outcome
    counted: tuple[tuple[int, ...], ...]  # of each kind, by seat


Chunk = Callable[[], Iterable[StudiedMatch]]  # can be pickled, and played anywhere
Part = Callable[[], Sequence[PlayedMatch]]  # some matches of a study, wherever they are played
Plays = Callable[
    [Iterable[Part]], Iterator[PlayedMatch]
]  # has all parts played, and keeps their order


def names(game: str, subject: StudyGame) -> tuple[str, ...]:
    """Return who can play a game, the best first."""
    return tuple(_choosers(game)) if subject.by_hand is None else subject.by_hand.players


def _choosers(game: str) -> Mapping[str, Choose]:
    return plugin.players(game) or {"random": at_random}


def play(subject: StudyGame, game: Game[Any], players: Sequence[str], seed: str) -> PlayedMatch:
    """Play one match; the same seed gives the same match."""
    chance = Random(seed)  # noqa: S311 - a game and no secret
    happened: list[Event] = []
    actions, state = 0, game.start()
    for before, action, after in islice(_steps(subject, game, players, chance), LONGEST):
        signals.check()
        actions, state = actions + 1, after
        happened += game.explain(before, action, after)
    return PlayedMatch(
        actions,
        _span(subject, happened, actions),
        tuple(players),
        game.outcome(state),
        tuple(_counted(event, game, happened) for event in subject.counted),
    )


def here(parts: Iterable[Part]) -> Iterator[PlayedMatch]:
    """Play one part after another, each when it is asked for."""
    for part in parts:
        signals.check()
        yield from part()


def one_match(game: Game[Any], players: Sequence[str], seed: str) -> Part:
    """Return a match as a part of a study."""
    return partial(_one, game, tuple(players), seed)


def _one(game: Game[Any], players: Sequence[str], seed: str) -> list[PlayedMatch]:
    return [play(study_game_of(game.name), game, players, seed)]


def in_lockstep(
    game: Game[Any], players: Sequence[str], count: int, seed: int
) -> list[Part] | None:
    """Return many matches that are played at once, where that can be; None: one by one."""
    if count < BULK or game.name != "zapp-zerapp":
        return None
    try:
        from rappelwacht_research import lockstep  # noqa: PLC0415 - it needs numpy
    except ImportError:
        return None
    chunks = lockstep.chunks(game.settings, players, count, seed)
    return None if chunks is None else [partial(_chunk, chunk, tuple(players)) for chunk in chunks]


def _chunk(chunk: Chunk, players: tuple[str, ...]) -> list[PlayedMatch]:
    return [
        PlayedMatch(match.actions, match.span, players, match.outcome, match.counted)
        for match in chunk()
    ]


def _span(subject: StudyGame, happened: Iterable[Event], actions: int) -> int:
    if subject.span is None:
        return actions
    return sum(isinstance(event, subject.span) for event in happened)


def _counted(event: StudiedAction, game: Game[Any], happened: Iterable[Event]) -> tuple[int, ...]:
    counts = Counter(map(event.whose, happened))
    return tuple(counts[seat] for seat in game.seats)


def _steps(
    subject: StudyGame, game: Game[Any], players: Sequence[str], chance: Random
) -> Iterator[Step]:
    if subject.by_hand is not None:
        return subject.by_hand.play(game, players, chance)
    known = _choosers(game.name)
    choosers = {seat: known[player] for seat, player in zip(game.seats, players, strict=True)}
    return _through_the_rules(game, choosers, chance)


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
