"""What a seat's button offers in Zapp Zerapp, where it is not simply all that the rules allow.

It must not offer a barrel's number before the flip: a button only says that one is placed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from companion.core.game import TABLE
from companion.core.notation import write
from companion.games.zapp_zerapp.barrels import seat_of
from companion.games.zapp_zerapp.rules import (
    EMPTY,
    OUT,
    Flip,
    Move,
    Phase,
    Place,
    PutBack,
    Say,
)
from companion.referee.button_options import Offers, with_preview
from companion.referee.commands import DoAction
from companion.referee.match import Match
from companion.referee.snapshot import ButtonOption


def offered(match: Match, colour: str) -> Sequence[ButtonOption] | None:
    """Return what the button of a seat offers; None: all that is allowed."""
    game, state, seat = match.game, match.state, seat_of(colour)
    match state.phase:
        case Phase.ROLL:
            return None
        case Phase.PLACE if seat in state.queue:
            return [ButtonOption(DoAction(write(Place(seat))))]
        case Phase.PLACE if state.barrels[seat] not in {EMPTY, OUT}:
            return [with_preview(match, PutBack(seat))]
        case Phase.FLIP:
            return [ButtonOption(DoAction(write(Flip())))]
        case Phase.SAY:
            says = [action for action in game.legal(state, TABLE) if isinstance(action, Say)]
            return [with_preview(match, say) for say in says if say.player == seat]
        case Phase.MOVE if seat == state.queue[0]:
            moves = [action for action in game.legal(state, seat) if isinstance(action, Move)]
            named = _named(moves) if game.settings.overlook else moves
            return [with_preview(match, action) for action in named]
    return ()


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


OFFERS: Final = Offers(offered)
