"""The page of the table, which follows it live, and the page on which people put things right.

It must not know what the table shows: `table_shown` does. The live part is made without Flask, so
that it can be made at any time, for whoever reads it.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, redirect, render_template
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.games.zapp_zerapp.rules import View
from companion.outputs.web.reader import reader
from companion.outputs.web.room import Phones
from companion.outputs.web.table_right import earlier, places
from companion.outputs.web.table_shown import shown, words
from companion.present.board_picture import Drawn, board_svg
from companion.present.reader import Reader
from companion.referee.snapshot import Snapshot

PARTS: Final = Environment(
    loader=PackageLoader("companion.outputs.web"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
)


def live(phones: Phones, reader: Reader) -> str:
    """Return the live part of the page, as this reader sees it now."""
    snapshot, pairing = phones.room.snapshot, phones.pairing
    return PARTS.get_template("table_live.html").render(
        shown(snapshot, reader),
        asked_for=pairing.asked,
        shared=pairing.shared if _has_hands(snapshot) else (),
    )


def _has_hands(now: Snapshot) -> bool:
    """Tell whether phones show what nobody else may see."""
    by_hand = getattr(now.settings, "by_hand", False)
    return hasattr(now.view, "hand") and not by_hand and not now.over


def pages(phones: Phones) -> Blueprint:
    """Return the pages about the match that is being played."""
    table = Blueprint("table", __name__)

    @table.get("/")
    def the_table() -> str:
        return render_template("table.html", live=Markup(live(phones, reader())))  # noqa: S704

    @table.get("/right")
    def put_right() -> str | Response:
        now, who = phones.room.snapshot, reader()
        if now.match is None or now.over or not isinstance(now.view, View) or not who.acts:
            return redirect("/")
        board = now.settings.board
        return render_template(
            "table_right.html",
            now=now,
            earlier=earlier(phones.room.entries(now.match), who),
            places=places(now.view, board, who),
            board=board_svg(board, Drawn(now.view.pawns), who),
            **words(who),
        )

    return table
