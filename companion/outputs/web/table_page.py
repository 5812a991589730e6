"""The page of the table, which follows it live, and the page on which people put things right.

The live part is made without Flask, so that it can be made at any time, for whoever reads it.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from flask import Blueprint, redirect, render_template, request
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.core.kit import KITS
from companion.frame.reader import reader
from companion.outputs.web import roles
from companion.outputs.web.live_parts import part, ready
from companion.outputs.web.phones import Phones
from companion.outputs.web.reports import offers
from companion.outputs.web.table_parts import shown, words
from companion.present.page import page_of
from companion.present.reader import Reader
from companion.present.wish_json import meanings
from companion.referee.commands import Wish
from companion.referee.snapshot import Snapshot
from companion.text import SeatName
from companion.workshop.practice import Mark

LOG: Final = logging.getLogger(__name__)
SHOWN: Final = ("awards", "lights", "moments", "page")  # what a page is made of, of a game
ALONE: Final[Mapping[str, object]] = MappingProxyType(  # nobody asks for a seat, or shares one
    {"asked_for": (), "shared": (), "crossed": (), "recorded": False, "moments": (), "awards": ()}
    | {"practice": None, "practised": False, "may_practise": False, "coached": False}
)


def live(phones: Phones, reader: Reader) -> str:
    """Return the live part of the page, as this reader sees it now.

    A game of another package whose page fails goes on by plain buttons.
    """
    game = phones.room.snapshot.game
    try:
        return _live(phones, reader)
    except Exception:
        if game is None or game not in KITS or not KITS[game].do_without(*SHOWN):
            raise
        LOG.exception("The game %s goes on with plain buttons.", game)
        return _live(phones, reader)


def _live(phones: Phones, reader: Reader) -> str:
    snapshot, pairing = phones.room.snapshot, phones.pairing
    around: dict[str, object] = {
        **ALONE,
        "asked_for": pairing.asked,
        "recorded": phones.room.recorded,
        "moments": phones.recent.moments(snapshot, reader),
        "awards": phones.honours.of(snapshot),
        "coached": offers(snapshot),
    }
    if (opened := phones.room.workshop.opened) is not None:
        around |= {"may_practise": True, "practised": opened.practised}
        if opened.practice is not None:
            around |= _practising(opened.practice, reader)
    if match_with_hands(snapshot) is not None:
        crossed = [tuple(SeatName[seat.upper()] for seat in seats) for seats in pairing.crossed]
        around |= {"shared": pairing.shared, "crossed": crossed}
    return drawn(snapshot, reader, around)


def _practising(mark: Mark, reader: Reader) -> dict[str, object]:
    """Return how the page looks in a practice round: as in a round, but for what it asks."""
    asked = reader.say(mark.template)
    told: dict[str, object] = {"practice": mark, "headline": asked, "aloud": asked}
    if mark is not Mark.DONE:
        told["phase"] = "flip" if mark is Mark.FLIP else "place"
    return told


def drawn(now: Snapshot, reader: Reader, around: Mapping[str, object] = ALONE) -> str:
    """Return it for any snapshot, with what else there is to tell of phones and the table."""
    told = shown(now, reader)
    page = told["page"]
    template = page.template if page else "table_live.html"
    return part(template, {**told, **around})


def expect(game: str) -> None:
    """Have all at hand that a game's first view takes."""
    page = page_of(game)
    if page is not None and page.template.startswith(f"{game}/"):  # else it brings none of its own
        ready(game)


def match_with_hands(now: Snapshot) -> str | None:
    """Return the match in which phones show what nobody else may see; None: they do not."""
    by_hand = getattr(now.settings, "by_hand", False)
    return now.match if hasattr(now.view, "hand") and not by_hand and not now.over else None


def pages(phones: Phones) -> Blueprint:
    """Return the pages about the match that is being played."""
    table = Blueprint("table", __name__)

    @table.get("/")
    def the_table() -> str | Response:
        if "start" in request.args and phones.home != "/":  # whoever keeps the pages as an app
            return redirect(phones.home)
        shown = Markup(live(phones, reader()))  # noqa: S704 - jinja has escaped it
        return render_template("table.html", live=shown, game=phones.room.snapshot.game)

    @table.get("/right")
    def put_right() -> str | Response:
        now, who = phones.room.snapshot, reader()
        page = page_of(now.game)
        if now.match is None or now.over or not who.acts or page is None or page.right is None:
            return redirect(phones.home)

        def may(wish: Wish) -> bool:
            return roles.refusal(who, wish, meanings(wish, now.game)) is None

        found = page.right.parts(now, phones.room.entries(now.match), who, may)
        return render_template(page.right.template, now=now, **words(who), **found)

    return table
