"""The set-up page: which game, who plays, by which rules. It must not know how one plays.

The page is one form. Whenever something is changed the server reads it again and sends back what
it makes of it: the ring as it is painted, what is wrong, and the button that begins the match.
"""

from __future__ import annotations

from flask import Blueprint, render_template, request

from companion.core.kit import GAMES, players
from companion.games.pages import GAME_PAGES, TITLES
from companion.games.zapp_zerapp.rules import Colour, ZappZerapp
from companion.outputs.web import setup_game
from companion.outputs.web.reader import reader
from companion.outputs.web.room import Phones
from companion.outputs.web.setup_shown import BRUSHES, checked, presets, proposed
from companion.outputs.web.table_shown import words
from companion.referee.deeds import Cost


def pages(phones: Phones) -> Blueprint:
    """Return the set-up page, and the part of it that is made anew with every change."""
    setup = Blueprint("setup", __name__)

    @setup.get("/setup")
    def the_setup() -> str:
        who, now = reader(), phones.room.snapshot
        game = request.args.get("game") or now.game or ZappZerapp.name
        if page := GAME_PAGES.get(game):
            chosen = setup_game.proposed(game, page, now, who)
            return render_template(
                "setup_game.html",
                wanted=chosen,
                page=page,
                players=tuple(players(game)),
                hands=bool(GAMES[game]().from_hand),
                checked=setup_game.checked(chosen, now, who),
                game=game,
                games=TITLES,
                **words(who),
            )
        wanted = proposed(now)
        return render_template(
            "setup.html",
            game=ZappZerapp.name,
            games=TITLES,
            wanted=wanted,
            presets=presets(who),
            brushes=BRUSHES,
            colours=tuple(Colour),
            costs=tuple(Cost),
            checked=checked(wanted, now, who),
            **words(who),
        )

    @setup.get("/setup/checked")
    def what_is_chosen() -> str:
        who, now = reader(), phones.room.snapshot
        game = request.args.get("game", "") or ZappZerapp.name
        if page := GAME_PAGES.get(game):
            said = setup_game.said(game, page, request.args, phones.room)
            seen = setup_game.checked(said, now, who)
        else:
            seen = checked(proposed(now, request.args), now, who)
        return render_template("setup_checked.html", checked=seen, game=game, **words(who))

    return setup
