"""The page Screen: a picture on a wall, opened once by its code, then chosen by the director."""

from collections.abc import Iterator
from functools import cache
from typing import Final

import segno
from flask import Blueprint, Response, current_app, redirect, render_template, request

from companion.hall import accounts, page, tournament_parts
from companion.hall.hall import Hall
from companion.hall.table_parts import table_parts
from companion.system import errors, text
from companion.web.common import flask_app, rate_limit
from companion.web.common.errors import RequestError
from companion.web.common.flask_app import words

DIGITS: Final = 9
COOKIE: Final = "rappelwacht-screen"
AT_ONCE: Final = 4  # tables on one screen
NEW: Final = (8, 60.0)  # this many screens from one address at once, then one in this many seconds


def routes(hall: Hall) -> Blueprint:
    blueprint = Blueprint("screens", __name__)
    pace = rate_limit.RateLimit(*NEW)

    @blueprint.get("/screen")
    def screen() -> str:
        own = hall.screens.of(flask_app.cookie(COOKIE))
        if own is None:
            return render_template("screen_new.html")
        shown = live(hall, accounts.Visitor(flask_app.current_viewer()), str(own.id))
        return render_template("screen.html", live=shown, drawings=tournament_parts.drawings())

    @blueprint.post("/screen")
    def begin() -> Response:
        gone = current_app.make_response(redirect("/screen", 303))
        if hall.screens.of(flask_app.cookie(COOKIE)) is not None:
            return gone
        if rest_s := pace.rest_s(request.remote_addr or ""):
            why = errors.CompanionError(
                "Too many screens were opened from here; try again in {count} s.",
                count=round(rest_s) or 1,
            )
            raise RequestError(429, "too-many", why)
        return flask_app.set_cookie(gone, COOKIE, hall.screens.open(_watched(hall)))

    @blueprint.get("/screens")
    def screens() -> str:
        hall.accounts.demand_sign_in()
        return render_template(
            "screens.html",
            screens=[screen for screen in hall.screens if screen.shows],
            pictures=hall.pictures,
            tables=[*hall.tables],
            address=hall.here.links[0],
        )

    @blueprint.post("/screens")
    def show() -> Response:
        hall.accounts.demand_director()
        screen = hall.screens.coded(request.form.get("code", ""))
        if screen is None:
            why = errors.CompanionError("No screen shows this code; read it again from the screen.")
            raise RequestError(404, "no-screen", why)
        if "remove" in request.form:
            hall.screens.remove(screen.id)
            return current_app.make_response(redirect("/screens", 303))
        shows = " ".join(request.form.get("shows", "").split())
        if shows.partition(" ")[0] not in hall.pictures:
            why = errors.CompanionError("Choose what the screen should show.")
            raise RequestError(400, "no-wall", why)
        hall.screens.show(screen.id, shows[:100])
        return current_app.make_response(redirect("/screens", 303))

    return blueprint


def live(hall: Hall, visitor: accounts.Visitor, id_: str) -> str:
    screen = hall.screens.seen(id_)
    picture = hall.pictures.get(screen.wall) if screen else None
    shown = picture.make(hall, visitor, screen.about) if picture and screen else ""
    values = {
        "id": id_,
        "removed": screen is None,
        "code": "" if screen is None or picture else screen.code,
        "shown": shown,
        "address": hall.here.links[0].removeprefix("http://"),
        "figures": [*_figures(hall, visitor)],
        "picture": _code(f"{hall.here.links[0]}/evening"),
    }
    return page.part("screen_live.html", values | words(visitor.reader))


def _figures(hall: Hall, visitor: accounts.Visitor) -> Iterator[str]:
    """Yield how far the tournament is, for the foot of every wall."""
    now, reader = hall.tournament.now, visitor.reader
    if now.rounds:
        yield reader.say("Round {round}", round=len(now.rounds))
    if now.running:
        yield reader.say(
            "{count} {count:#match is|matches are} being played", count=len(now.running)
        )
    if now.here:
        yield reader.say("{count} {count:#person is|people are} here", count=len(now.here))


@cache
def _code(address: str) -> str:
    """Return the picture of an address, to be scanned."""
    return segno.make(address).svg_data_uri(scale=4, light="#fff")


def _watched(hall: Hall) -> set[int]:
    names = hall.watched()
    return {screen.id for screen in hall.screens if f"screen-{screen.id}" in names}


def _may_be(_: Hall, id_: str) -> bool:
    """Tell whether this could be a screen; a removed one is told that it was removed."""
    return id_.isascii() and id_.isdecimal() and len(id_) <= DIGITS


def tables(hall: Hall, visitor: accounts.Visitor, numbers: str) -> str:
    """Return a few tables side by side, one of them as large as the wall."""
    wanted = numbers.split()[:AT_ONCE]
    tables = [table for number in wanted if (table := hall.tables.numbered(number))]
    shown = [table_parts(hall, table, visitor.reader, far=True) for table in tables]
    return page.part("wall_tables.html", {"shown": shown} | words(visitor.reader))


PAGE = page.HallPage(
    routes,
    "/screens",
    text.Text("Screens"),
    {"screen": page.View(live, urgent=True, has=_may_be)},
    {"table": page.Wall(text.Text("Tables"), tables)},
)
