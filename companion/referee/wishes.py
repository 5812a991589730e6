"""What people wish, as deeds of a match, and what follows from a deed by itself; all of it pure.

An impossible wish raises the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields, replace
from typing import Any, Final

from companion.core.game import TABLE, Action
from companion.core.kit import GAMES, KITS
from companion.core.notation import Parsed, find, parse, usage
from companion.core.packing import pack, unpack
from companion.errors import CompanionError, Unreadable
from companion.format_names import format_name_of
from companion.referee import own_moves, rulings
from companion.referee.commands import (
    Act,
    Call,
    GiveUp,
    Insist,
    NewMatch,
    PutRight,
    RollForUs,
    Rule,
    Settle,
    TakeBack,
    Wish,
)
from companion.referee.deeds import (
    Amended,
    Began,
    Deed,
    Did,
    Ended,
    House,
    Raised,
    Ruled,
    Stood,
    Undone,
)
from companion.referee.match import Match, began, take
from companion.referee.surroundings import NumberOf
from companion.referee.things import Things, things
from companion.sensing.findings import Foul
from companion.text import SEATS, seat_word

CALLED: Final = ("snatched", *(foul.value for foul in Foul))


def deeds(
    match: Match, wish: Wish, by: str, luck: own_moves.Luck, means: Parsed | None = None
) -> tuple[Deed, ...]:
    """Return the deeds that a wish means in a match that is being played.

    `means` is what its text says, from whoever has read it already.
    """
    match wish:
        case Act(text) | Insist(text):
            action = read(match, text, by, means)
            own_moves.demand_telling(match, action)
            rulings.demand(match, (done := Did(action, by),))
            return (done,)
        case RollForUs():
            return (Did(_rolled(match, luck), by, drawn=True),)
        case TakeBack():
            to = match.undo_to()
            if to is None:
                raise CompanionError("There is nothing to take back.")
            return (Undone(to, by),)
        case PutRight(deed, text):
            action = _whole(match, text, by, means)
            _demand_told(match, deed)
            return (Amended(deed, action, by),)
        case Rule(foul, upheld, seat):
            if seat is not None:
                _demand_seat(match, seat)
            return (Ruled(foul, upheld, by, seat),)
        case Call(code, seat):
            return (_called(match, code, seat),)
        case Settle(seat, stopper):
            if things(match) is None:
                raise CompanionError("This game is played without barrels.")
            _demand_seat(match, seat)
            return (Stood(seat, stopper),)
        case GiveUp():
            return (Ended(by),)
    raise CompanionError(
        "'{wish}' cannot be asked for in a match.", wish=format_name_of(type(wish))
    )


def follow(
    match: Match, deed: Deed, number_of: NumberOf, luck: own_moves.Luck
) -> tuple[Match, list[Deed]]:
    """Return everything that follows from the newest deed by itself, and where that leads."""
    done, pending = list[Deed](), [*_consequences(match, deed, number_of, luck)]
    while pending:
        match = take(match, pending[0])
        done.append(pending.pop(0))
        pending = pending or [*_consequences(match, done[-1], number_of, luck, len(done))]
    return match, done


def _consequences(
    match: Match, deed: Deed, number_of: NumberOf, luck: own_moves.Luck, done: int = 0
) -> Sequence[Deed]:
    """Return what barrels and fouls bring about, otherwise what the companion does."""
    if match.over:
        return ()
    found: Sequence[Deed] = ()
    if (played_with := things(match)) is not None:
        sealed = played_with.choosing(match) or played_with.standing(match)
        found = played_with.follows(match, deed, nobody_knows if sealed else number_of)
    return found or own_moves.does(match, luck, done)


def nobody_knows(_: int) -> None:
    """Tell no number: until all are flipped not even the game may ask."""


def first_deed(wish: NewMatch) -> Began:
    """Return the deed that begins the match somebody wishes for."""
    if wish.game not in GAMES:
        raise CompanionError(
            "The game '{name}' is not known; known: {games}.", name=wish.game, games=tuple(GAMES)
        )
    kind = GAMES[wish.game]
    game = kind(unpack(kind.settings_type, wish.settings, "settings"))
    own_moves.demand_bots(game, wish.house)
    return began(game, wish.house)


def usual(colours: Iterable[str], last: Match | None = None) -> NewMatch:
    """Return the wish for what is usual at this table, as those who have no phone get it.

    It is what was played last, as it was agreed on, else the first game that has barrels.
    """
    seats = {"seats": sorted(colours, key=SEATS.index)}
    if last is not None:
        house = replace(last.house, bots=(), coached=False)  # that is agreed on again
        return NewMatch(last.game.name, pack(last.game.settings) | seats, house)
    name = next((name for name, kit in KITS.items() if kit.part(Things)), next(iter(KITS)))
    return NewMatch(name, pack(GAMES[name].settings_type()) | seats, House())


def _parsed(match: Match, text: str, means: Parsed | None) -> Parsed:
    """Return what a text says in the game that is played, whatever game it was read for."""
    if means is not None and means[0] in (*match.game.actions, *match.game.rulings):
        return means
    return parse(match.game, text)


def read(match: Match, text: str, by: str, means: Parsed | None) -> Action:
    """Return the action that a text means; those who may not see a hand get no hint of it."""
    parsed = _parsed(match, text, means)
    _demand_own_hand(match, *parsed, by)
    viewer = SEATS.index(by) if by in SEATS else None
    return find(match.game, match.state, text, parsed, viewer)


def _demand_told(match: Match, deed: int) -> None:
    """Refuse to correct what the companion did itself: it was not entered wrongly."""
    told = zip(match.acts, match.log.states, match.log.actions, strict=False)
    state, done = next(((was, action) for n, was, action in told if n == deed), (None, None))
    if done is None:
        return
    played = done.seat in {bot.seat for bot in match.house.bots}
    rolled = done.seat == TABLE and own_moves.rolls(match.house, match.game, state)
    if played or rolled or type(done) in match.game.unasked:
        raise CompanionError("The companion did that itself; there is nothing to correct.")


def _demand_own_hand(match: Match, kind: type[Action], given: dict[str, Any], by: str) -> None:
    seat = given.get("seat")
    if kind in match.game.from_hand and (seat is None or seat_word(seat) != by):
        raise CompanionError("What is in a hand is chosen on the phone of that seat alone.")


def _whole(match: Match, text: str, by: str, means: Parsed | None) -> Action:
    """Return the action that a text says in full: where it once stood, nothing can be guessed."""
    kind, given = _parsed(match, text, means)
    _demand_own_hand(match, kind, given, by)
    missing = [one.name for one in fields(kind) if one.default is MISSING and one.name not in given]
    if missing:
        raise Unreadable(
            "'{text}' lacks {parts}; the pattern is '{usage}'.",
            text=text[:40],
            parts=tuple(missing),
            usage=usage(kind),
        )
    return kind(**given)


def _rolled(match: Match, luck: own_moves.Luck) -> Action:
    if TABLE not in match.game.turns(match.state):
        raise CompanionError("There is nothing to roll now.")
    if own_moves.by_hand(match.game):
        raise CompanionError("You deal and draw with your own pieces here; enter what it was.")
    return luck.draw(match)


def _called(match: Match, code: str, seat: str | None) -> Raised:
    if code not in CALLED:
        raise CompanionError(
            "There is no foul '{code}'; there are {codes}.", code=code, codes=CALLED
        )
    if seat is not None:
        _demand_seat(match, seat)
    return Raised(match.next_foul, code, "foul", seat, 0, 100, called=True)


def _demand_seat(match: Match, seat: str) -> None:
    playing = tuple(map(seat_word, match.game.seats))
    if seat not in playing:
        raise CompanionError("{seat} does not play; {seats} do.", seat=seat, seats=playing)
