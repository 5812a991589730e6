"""The manual: the rules, the table, its lights, and what helps. It must not know the match."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, render_template

from companion.games.zapp_zerapp.picture import Drawn, board_svg
from companion.games.zapp_zerapp.rules import PRESETS, START, Colour, Settings
from companion.outputs.web.reader import reader
from companion.outputs.web.room import Phones
from companion.present.lights.gallery import EXAMPLES
from companion.present.lights.meaning import OTHERS, PATTERNS, QUARTERS

AT_START: Final = tuple((colour, (START, START, START)) for colour in Colour)


def pages(_: Phones) -> Blueprint:
    """Return the manual; it says the same at every table."""
    manual = Blueprint("manual", __name__)

    @manual.get("/manual")
    def read() -> str:
        board = board_svg(PRESETS[_first_preset()], Drawn(camps=AT_START), reader())
        return render_template(
            "manual.html",
            board=board,
            patterns=PATTERNS,
            quarters=QUARTERS,
            others=OTHERS,
            scenes=EXAMPLES,
        )

    return manual


def _first_preset() -> str:
    """Return the name of the ring on which people play unless they want another."""
    return next(name for name, board in PRESETS.items() if board == Settings().board)
