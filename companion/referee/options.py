"""What a seat can choose by its button alone: one thing after another, and confirm.

It must not know pins, lights or time, nor offer what is chosen from a hidden hand: everybody sees
what a button brings up. The last option is always to take back; of an open foul anybody may say
what the table thinks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from companion.core.game import SEATS, TABLE, Seat
from companion.core.notation import write
from companion.core.packing import pack
from companion.games.zapp_zerapp.rules import EMPTY, OUT, Move, Phase, PutBack, Roll, Say, State
from companion.referee.barrels import seat_of
from companion.referee.commands import Act, ChooseAnew, NewMatch, RollForUs, Rule, TakeBack
from companion.referee.itself import by_hand, rolls
from companion.referee.match import Match
from companion.referee.snapshot import Option

TOLD: Final = 12  # so many outcomes of chance a button can step through


def options(match: Match, colour: str) -> tuple[Option, ...]:
    """Return what this seat's button offers, in the order in which it brings it up."""
    found = [*_own(match, colour), *_rulings(match)]
    if match.undo_to() is not None:
        found.append(Option(TakeBack()))
    return tuple(found)


def _own(match: Match, colour: str) -> list[Option]:
    """Return what the game itself wants of this seat now."""
    game, state = match.game, match.state
    if match.over:
        again = NewMatch(game.name, pack(game.settings), match.house)
        return [Option(again), Option(ChooseAnew())]
    if not isinstance(state, State):
        return _open(match, SEATS.index(colour))
    seat = seat_of(colour)
    match state.phase:
        case Phase.ROLL:
            told = () if rolls(match.house, game, state) else game.legal(state, TABLE)
            return [Option(RollForUs()), *(_act(match, action) for action in told)]
        case Phase.PLACE if seat in state.queue:
            return [Option(Act(f"place {colour}"))]
        case Phase.PLACE if state.barrels[seat] not in {EMPTY, OUT}:
            return [_act(match, PutBack(seat))]
        case Phase.FLIP:
            return [Option(Act("flip"))]
        case Phase.SAY:
            said = [one for one in game.legal(state, TABLE) if isinstance(one, Say)]
            return [_act(match, one) for one in said if one.player == seat]
        case Phase.MOVE if seat == state.queue[0]:
            moves = [one for one in game.legal(state, seat) if isinstance(one, Move)]
            named = _named(moves) if game.settings.overlook else moves
            return [_act(match, action) for action in named]
    return []


def _open(match: Match, seat: Seat) -> list[Option]:
    """Return what a seat of another game may do, as far as it needs no hand."""
    game, turns = match.game, match.game.turns(match.state)
    found = list[Option]()
    if TABLE in turns:
        told = () if rolls(match.house, game, match.state) else game.legal(match.state, TABLE)
        found += [] if by_hand(game) else [Option(RollForUs())]
        found += [Option(Act(write(action))) for action in told if len(told) <= TOLD]
    if seat in turns:
        legal = game.legal(match.state, seat)
        found += [_act(match, action) for action in legal if type(action) not in game.from_hand]
    return found


def _named(moves: Sequence[Move]) -> list[Move]:
    """Return each move twice: banishing nobody, then all. So no count betrays whom one overlooks.

    Whoever wants to banish some and spare others says so on a phone (ZZ-20).
    """
    both: dict[tuple[Any, ...], list[Move]] = {}
    for move in moves:
        both.setdefault((move.step, move.take), []).append(move)
    return [
        choose(same, key=lambda move: len(move.banish or ()))
        for same in both.values()
        for choose in (min, max)
    ]


def _act(match: Match, action: Any) -> Option:
    preview = () if isinstance(action, Roll) else match.game.explain(match.state, action)
    return Option(Act(write(action)), preview)


def _rulings(match: Match) -> list[Option]:
    open_fouls = [foul for foul in match.fouls if foul.upheld is None]
    newest = [foul.raised.foul for foul in open_fouls if foul.raised.weight == "foul"][-1:]
    return [Option(Rule(foul, upheld)) for foul in newest for upheld in (False, True)]
