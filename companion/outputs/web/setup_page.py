"""The set-up page: which game, who plays, by which rules.

The page is one form. Whenever something is changed the server reads it again and sends back what
it makes of it: the ring as it is painted, what is wrong, and the button that begins the match.
"""

from __future__ import annotations

from flask import Blueprint, render_template, request

from companion.core.kit import GAMES
from companion.frame.reader import reader
from companion.outputs.web import setup_game
from companion.outputs.web.boxes import tiles
from companion.outputs.web.last_time import last_time
from companion.outputs.web.phones import Phones
from companion.outputs.web.table_parts import words
from companion.present.levels import levels
from companion.present.page import Page, page_of
from companion.present.page import pages as pages_of_games


def pages(phones: Phones) -> Blueprint:
    """Return the set-up page, and the part of it that is made again with every change."""
    setup = Blueprint("setup", __name__)

    @setup.get("/setup")
    def the_setup() -> str:
        who, now = reader(), phones.room.snapshot
        game, page = _wanted(request.args.get("game") or now.game)
        given = {"game": game, "games": [*tiles(who)], **last_time(phones, who), **words(who)}
        if form := page.form:
            seen = form.checked(now, None, who)
            return render_template(form.template, checked=seen, **given, **form.parts(now, who))
        chosen = setup_game.proposed(game, page, now, who)
        return render_template(
            "setup.html",
            wanted=chosen,
            page=page,
            levels=levels(game),
            hands=bool(GAMES[game]().from_hand),
            checked=setup_game.checked(chosen, page, now, who),
            **given,
        )

    @setup.get("/setup/checked")
    def what_is_chosen() -> str:
        who, now = reader(), phones.room.snapshot
        game, page = _wanted(request.args.get("game"))
        if form := page.form:
            seen = form.checked(now, request.args, who)
        else:
            said = setup_game.said(game, page, request.args, phones.room)
            seen = setup_game.checked(said, page, now, who)
        return render_template("setup_checked.html", checked=seen, game=game, **words(who))

    return setup


def _wanted(game: str | None) -> tuple[str, Page]:
    """Return a game and its page: the first of all if there is none with that name."""
    if page := page_of(game):
        return str(game), page
    return next(pages_of_games())
