"""How well guests play: what they listen for, and which pawn they move.

Whoever plays like a child moves any pawn. They must not know a number before the flip.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from companion.chance import pick
from companion.core.game import Event
from companion.core.notation import write
from companion.games.zapp_zerapp.rules import BARRELS, Colour, Settings, View
from companion.games.zapp_zerapp.shaking.gains import Gains
from companion.games.zapp_zerapp.shaking.judging import judge
from companion.games.zapp_zerapp.simulated.guest import Curve
from companion.players.levels import CASUAL, EXPERT, GOOD, RANDOM
from companion.referee.commands import Act
from companion.text import SeatName

Moves = Sequence[tuple[Act, tuple[Event, ...]]]  # and what each brings about


def worths(level: str, settings: Settings, view: View) -> Callable[[SeatName], Curve] | None:
    """Return what numbers are worth at each seat; None: as many fields as they are good for."""
    if level == RANDOM:
        return lambda _seat: (1.0,) * BARRELS
    if level != EXPERT:
        return None
    return lambda seat: judge(settings).curve(view, Colour(seat))


def chosen(level: str, settings: Settings, view: View, moves: Moves, rng: Random) -> Act:
    """Return the move that somebody of a level makes."""
    if level in {EXPERT, GOOD}:
        best = write(judge(settings).best(view))
        return next(act for act, _ in moves if act.text == best)
    if level == CASUAL:
        gains, pawns = Gains(settings), dict(view.pawns)
        return max(moves, key=lambda move: gains.of(move[1], pawns))[0]
    return pick(rng, [act for act, _ in moves])
