"""A decision drawn on the ring: the way that a pawn went, and the better one."""

from __future__ import annotations

from typing import Any, Final

from companion.core.game import Event
from companion.games.zapp_zerapp.picture import Drawn, Mark, board_svg
from companion.games.zapp_zerapp.rules import Colour, Moved, View

BETTER: Final = "better"


def picture(
    view: View, settings: Any, done: tuple[Event, ...], better: tuple[Event, ...], reader: Any
) -> str:
    """Return the board as it stood, the way that was gone dotted and the better one whole."""
    mover = next((Colour(one.seat) for one in done if isinstance(one, Moved)), None)
    drawn = Drawn(
        camps=view.pawns,
        happened=tuple(one for one in done if isinstance(one, Moved)),
        marks=(Mark(BETTER, better, shown=True),),
        magic=view.magic,
        counts=mover,
    )
    return board_svg(settings.board, drawn, reader)
