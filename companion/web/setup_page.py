"""The set-up page: which game, who plays, by which rules.

The page is one form. Whenever something is changed the server reads it again and sends back what
it makes of it: the ring as it is painted, what is wrong, and the button that begins the match.
"""

import json
from typing import Any

from flask import Blueprint, render_template, request

from companion.core import GAMES, has_hands, pack
from companion.core.players.levels import levels_of
from companion.present.page import Page, page_of, pages_of_games, title_of
from companion.present.viewer import Viewer
from companion.referee import commands, replay
from companion.referee.snapshot import Snapshot
from companion.system import errors, text
from companion.web import context, setup_game
from companion.web.common.flask_app import current_viewer
from companion.web.game_picker import tiles


def last_time(site: context.WebContext, who: Viewer) -> dict[str, Any]:
    """Return what the set-up page tells of it; nothing while another match is played."""
    nothing: dict[str, Any] = {"again": None}
    now = site.room.snapshot
    if not who.acts or (now.match is not None and not now.over) or now.joining:
        return nothing
    try:
        newest = next(iter(site.room.matches()), None)
    except errors.NoAnswer:
        return nothing
    steps, _ = replay.replay_steps((newest.first,)) if newest else ((), None)
    if newest is None or not steps:
        return nothing
    match = steps[0].after
    settings, then = match.game.settings, site.people.in_match(newest.id)
    taken = {person.id for _, person in site.people.now.people}
    back = [
        {"seat": seat, "person": person.id}
        for seat, person in then.people
        if site.people.now.at(seat) is None and person.id not in taken
    ]
    return {
        "again": commands.NewMatch(match.game.name, pack(settings), match.house),
        "again_game": title_of(match.game.name),
        "again_seats": [text.SEATS[seat] for seat in settings.seats],
        "again_by": who.as_all(then),
        "again_people": json.dumps(back),
    }


def pages(site: context.WebContext) -> Blueprint:
    """Return the set-up page, and the part of it that is made again with every change."""
    setup = Blueprint("setup", __name__)

    def looks() -> tuple[Viewer, Snapshot]:
        if (who := current_viewer()).acts:
            site.set_up.see()
        return who, site.room.snapshot

    @setup.get("/setup")
    def the_setup() -> str:
        who, now = looks()
        game, page = _wanted(request.args.get("game") or now.game)
        given = {"game": game, "games": [*tiles(who)], **last_time(site, who)}
        if form := page.form:
            seen = form.checked(now, None, who)
            return render_template(form.template, checked=seen, **given, **form.parts(now, who))
        chosen = setup_game.proposed(game, page, now, who)
        return render_template(
            "setup.html",
            wanted=chosen,
            page=page,
            levels=levels_of(game),
            hands=has_hands(GAMES[game], GAMES[game].settings_type()),
            checked=setup_game.checked(chosen, page, now, who),
            **given,
        )

    @setup.get("/setup/checked")
    def what_is_chosen() -> str:
        who, now = looks()
        game, page = _wanted(request.args.get("game"))
        if form := page.form:
            seen = form.checked(now, request.args, who)
        else:
            wanted = setup_game.wanted_game(game, page, request.args, site.room)
            seen = setup_game.checked(wanted, page, now, who)
        return render_template("setup_checked.html", checked=seen, game=game)

    return setup


def _wanted(game: str | None) -> tuple[str, Page]:
    """Return a game and its page: the first of all if there is none with that name."""
    if page := page_of(game):
        return str(game), page
    return next(pages_of_games())
