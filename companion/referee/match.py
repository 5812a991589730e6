"""A match as the fold of its events (event sourcing): `start_match`, then `apply` each event.

It must not know files, clocks, sensors, or who decides; it says what follows from an event, and
raises a RulesError for an impossible one. The same events always give the same match.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.core import Action, Event, Game, Log, Seat, pack, persistent_list, unpack
from companion.core.game import verb
from companion.referee import events
from companion.referee.claims import DisputeRecord, Objection, seat_of
from companion.system import safe_json, text
from companion.system.errors import Illegal, Unreadable

FIRST: Final = 0  # the number of a match's first event


@dataclass(frozen=True, slots=True)
class Foul:
    """A foul, and what the table made of it; None: nothing yet."""

    raised: events.FoulRaised
    entry: int  # that raised it first
    upheld: bool | None = None
    round: int = 0  # in which it was; 0 in a game without rounds
    named: str | None = None  # whom the table named when it ruled

    @property
    def seat(self) -> str | None:
        """Return who it was; None: nobody knows."""
        return self.named or self.raised.seat


@dataclass(frozen=True, slots=True)
class Match:
    """Where a match stands after an event; `before` leads back to where it stood before."""

    log: Log[Any]
    house: events.HouseRules
    number: int = FIRST  # of the newest event
    acts: Sequence[int] = ()  # which event each action of the log belongs to
    stood: tuple[tuple[str, int | None], ...] = ()  # which stopper stands at which seat this round
    fouls: tuple[Foul, ...] = ()
    insisted: tuple[DisputeRecord, ...] = ()  # what people stood by, against the sensors
    happened: tuple[Event, ...] = ()  # through the newest action and those that follow from it
    dropped: int = 0  # actions that an amendment made impossible
    ended: bool = False
    decided: bool = False  # somebody decided the newest event, so it can be taken back
    before: Match | None = None

    @property
    def game(self) -> Game[Any]:
        return self.log.game

    @property
    def state(self) -> Any:
        """Return where the game stands."""
        return self.log.state

    def seat(self, word: str) -> Seat | None:
        """Return a seat as its game calls it, by its word; None: nobody plays there."""
        return next((seat for seat in self.game.seats if text.seat_word(seat) == word), None)

    @property
    def over(self) -> bool:
        """Whether it is won, or was given up."""
        return self.ended or self.game.outcome(self.state) is not None

    @property
    def next_foul(self) -> int:
        """Return a number that no foul has yet."""
        return 1 + max((foul.raised.foul for foul in self.fouls), default=0)

    @property
    def decided_last(self) -> tuple[Match, Match] | None:
        """Return how it was before the last decision and with it; None: there is none."""
        match: Match | None = self
        while match is not None and not match.decided:
            match = match.before
        return (match.before, match) if match is not None and match.before is not None else None

    def undo_to(self) -> int | None:
        """Return the event to which taking back the last decision leads; None: there is none."""
        return self.decided_last[0].number if self.decided_last is not None else None


def started_event(game: Game[Any], house: events.HouseRules) -> events.MatchStarted:
    """Return the event that begins a match of a game."""
    settings = json.dumps(pack(game.settings), ensure_ascii=False)
    return events.MatchStarted(game.name, game.schema, settings, house)


def start_match(event: events.MatchEvent, games: Mapping[str, type[Any]]) -> Match:
    """Return the match that a first event begins; raise Unreadable if this version cannot."""
    if not isinstance(event, events.MatchStarted):
        raise Unreadable(
            "A match starts with how it began, not with '{deed}'.", deed=verb(type(event))
        )
    kind = games.get(event.game)
    if kind is None or kind.schema != event.schema:
        raise Unreadable(
            "The match is of '{game}', schema {schema}, which this version does not know; use the "
            "one that wrote it.",
            game=event.game[:40],
            schema=event.schema,
        )
    game = kind(
        unpack(kind.settings_type, safe_json.load_json(event.settings.encode()), "settings")
    )
    return Match(Log.begin(game), event.house)


def apply(match: Match, event: events.MatchEvent) -> Match:
    """Return the match after one more event; raise RulesError for an impossible one."""
    after = _after(match, event)
    number = match.number + 1
    if isinstance(event, events.UndoneTo):
        return replace(after, number=number)
    stood = after.stood if _round(after) == _round(match) else ()  # the barrels went back
    return replace(after, number=number, before=match, stood=stood)


def _after(match: Match, event: events.MatchEvent) -> Match:
    match event:
        case events.ActionDone():
            return _play(match, event)
        case events.BarrelAssigned(seat, stopper):
            _demand_known(seat, tuple(map(text.seat_word, match.game.seats)))
            stood = dict(match.stood) | {seat: stopper}
            return replace(match, stood=tuple(sorted(stood.items())), decided=False)
        case events.FoulRaised(seat=seat):
            _demand_known(seat, text.SEATS)
            return replace(match, fouls=_raise(match, event), decided=False)
        case events.FoulRuled(seat=seat):
            _demand_known(seat, tuple(map(text.seat_word, match.game.seats)))
            return replace(match, fouls=_rule(match, event), decided=True)
        case events.UndoneTo(to):
            return _undo(match, to)
        case events.ActionCorrected(number, action):
            return _amend(match, number, action)
        case events.MatchAbandoned():
            return replace(match, ended=True, decided=True)
    raise Unreadable("A match begins once; '{deed}' cannot follow.", deed=verb(type(event)))


def _round(match: Match) -> int:
    """Return which round is played; 0 in a game without rounds."""
    number: int = getattr(match.state, "round", 0)
    return number


def _demand_known(seat: str | None, seats: tuple[str, ...]) -> None:
    """Refuse an unknown seat: a journal may come from anywhere."""
    if seat is not None and seat not in seats:
        raise Unreadable("{seat} does not play; {seats} do.", seat=seat[:40], seats=seats)


def _play(match: Match, event: events.ActionDone) -> Match:
    log = match.log.play(event.action)  # raises why not
    happened = match.game.explain(match.state, event.action, log.state)
    return replace(
        match,
        log=log,
        acts=persistent_list.PersistentList.from_items(match.acts).plus(match.number + 1),
        happened=(*match.happened, *happened) if event.follows else happened,
        insisted=(*match.insisted, *_insisted(match, event)),
        dropped=0,
        decided=not event.follows,
    )


def _insisted(match: Match, event: events.ActionDone) -> Iterator[DisputeRecord]:
    """Yield what is noted of an event; an objection of another version is none here."""
    with suppress(ValueError):
        objection = Objection(event.against)
        yield DisputeRecord(match.number + 1, seat_of(event.action), objection, _round(match))


def _raise(match: Match, raised: events.FoulRaised) -> tuple[Foul, ...]:
    for place, foul in enumerate(match.fouls):
        if foul.raised.foul == raised.foul:
            newer = replace(foul, raised=raised)
            return (*match.fouls[:place], newer, *match.fouls[place + 1 :])
    return (*match.fouls, Foul(raised, match.number + 1, round=_round(match)))


def _rule(match: Match, ruled: events.FoulRuled) -> tuple[Foul, ...]:
    if all(foul.raised.foul != ruled.foul for foul in match.fouls):
        raise Illegal("There is no foul {number} to rule on.", number=ruled.foul)
    return tuple(
        replace(foul, upheld=ruled.upheld, named=ruled.seat if ruled.upheld else None)
        if foul.raised.foul == ruled.foul
        else foul
        for foul in match.fouls
    )


def _undo(match: Match, to: int) -> Match:
    """Go back; what was found since then stays found, but nobody has ruled on it."""
    back: Match | None = match
    while back is not None and back.number > to:
        back = back.before
    if back is None or to < FIRST:
        raise Illegal("There is nothing to take back.")
    known = {foul.raised.foul for foul in back.fouls}
    since = (
        replace(foul, upheld=None, named=None)
        for foul in match.fouls
        if foul.raised.foul not in known
    )
    return replace(back, fouls=(*back.fouls, *since), happened=(), dropped=0)


def _amend(match: Match, number: int, action: Action) -> Match:
    """Replay the game with another action at one place, as far as what followed still fits."""
    if number not in match.acts:
        raise Illegal("Entry {number} of the journal is not an action of this game.", number=number)
    place = match.acts.index(number)
    if type(action) is not type(match.log.actions[place]):
        raise Illegal("An entry can only be corrected by another of its kind.")
    log = match.log.undo(len(match.log.actions) - place).play(action)
    for later in match.log.actions[place + 1 :]:
        try:
            log = log.play(later)
        except Illegal:
            break
    kept = len(log.actions)
    return replace(
        match,
        log=log,
        acts=match.acts[:kept],
        happened=(),
        dropped=len(match.acts) - kept,
        decided=True,
    )
