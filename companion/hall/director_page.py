"""The page Director: running a tournament by taps, from check-in to the last result."""

from collections.abc import Callable
from sqlite3 import Connection
from typing import Any, Final

from flask import Blueprint, Response, current_app, jsonify, redirect, render_template, request
from markupsafe import Markup

from companion.core.plugin import PLUGINS
from companion.hall import accounts, tournament_parts, tournament_sync
from companion.hall.cockpit import CELL
from companion.hall.hall import Hall
from companion.hall.page import HallPage, View, part
from companion.hall.tournament.events import Begun, Chosen, Mode, TableAdded, from_json
from companion.hall.tournament.limits import limits
from companion.hall.tournament.tournament import Tournament
from companion.present.page import title_of
from companion.referee.people.person import LONGEST
from companion.system.errors import CompanionError
from companion.system.text import Text
from companion.web.common import flask_app, validation

WORDS: Final = ("do", "name", "one", "other", "game", "mode", "person")
ORDER: Final = validation.record(  # `deed` is read as an event
    dict.fromkeys(WORDS, validation.WORD)
    | {"wanted": validation.integer(0, 100), "kept": {}, "on": {}, "deed": {}}
)
MODES: Final = {mode.value: mode for mode in Mode}
Do = Callable[["Hall", dict[str, Any]], object]


def routes(hall: Hall) -> Blueprint:
    blueprint = Blueprint("director", __name__)

    @blueprint.get("/director")
    def page() -> str:
        hall.accounts.demand_sign_in()
        visitor = hall.accounts.visitor()
        return render_template(
            "director.html",
            live=live(hall, visitor),
            tables=cockpit_live(hall, visitor),
            most=LONGEST,
            drawings=tournament_parts.drawings(),
        )

    @blueprint.post("/api/director")
    def direct() -> Response:
        hall.accounts.demand_director()
        body = validation.body(ORDER)
        ORDERS.get(body.get("do", ""), _nothing)(hall, body)
        hall.tournament_sync.propose_soon()
        return jsonify(done=True)

    _join_signing_in(blueprint, hall)
    return blueprint


def live(hall: Hall, visitor: accounts.Visitor, _: str = "") -> str:
    """Return everything that a director sees and does; for others, nothing."""
    if not visitor.directs:
        return part("director_live.html", {"directs": False})
    tournament = hall.tournament.now
    values = tournament_parts.parts(tournament, visitor) | {
        "directs": True,
        "troubles": hall.troubles,
        "rivalled": [table for table in hall.tables if table.rivalled],
        "games": {game: title_of(game) for game in PLUGINS},
        "limits": {game: limits(game) for game in PLUGINS},
        "modes": Mode,
        "ratings": hall.ratings.on,
        "walks_up": hall.walk_up.on,
        "absent": tournament_parts.absent(hall),
        "drawn": tournament_parts.face,
    }
    return part("director_live.html", values)


def cockpit_live(hall: Hall, visitor: accounts.Visitor, _: str = "") -> Markup:
    """Return all tables at one glance, each with what a director can do about it."""
    if not visitor.directs:
        return part("cockpit.html", {"directs": False})
    tables = [int(name) for name in hall.tournament.now.tables if name.isdecimal()]
    values = _of_cells(hall, visitor) | {
        "directs": True,
        "cells": hall.cockpit.cells,
        "joined": len(_joined(hall)),
        "waits": [match for match in hall.tournament.now.running if match.table is None],
        "next_table": str(max(tables, default=0) + 1),
    }
    return part("cockpit.html", values)


def cockpit_cell(hall: Hall, visitor: accounts.Visitor, name: str) -> str:
    cell = hall.cockpit.cell(name.removeprefix(CELL))
    if cell is None or not visitor.directs:
        return ""
    return part("cockpit_cell.html", _of_cells(hall, visitor) | {"cell": cell})


def _of_cells(hall: Hall, visitor: accounts.Visitor) -> dict[str, Any]:
    return tournament_parts.parts(hall.tournament.now, visitor) | {
        "matches": {match.id: match for match in hall.tournament.now.running},
        "since_ms": hall.cockpit.since_ms,
        "untold": hall.tournament_sync.untold,
        "watchable": {str(table.number) for table in hall.tables},
    }


def _nothing(_hall: Hall, _body: dict[str, Any]) -> None:
    raise CompanionError("This cannot be done here.")


def _event(hall: Hall, body: dict[str, Any]) -> None:
    event = body.get("deed")
    if not isinstance(event, dict):
        raise CompanionError("The companion does not understand this request.")
    hall.tournament.do(from_json(event))


def _joined(hall: Hall) -> list[str]:
    """Return the tables of the hall that this tournament does not use yet."""
    numbers = (str(table.number) for table in hall.tables)
    return [number for number in numbers if number not in hall.tournament.now.tables]


def _add_joined(hall: Hall, _: dict[str, Any]) -> None:
    for table in _joined(hall):
        hall.tournament.do(TableAdded(table))


def _choose(hall: Hall, body: dict[str, Any]) -> None:
    game, mode = body.get("game", ""), MODES.get(body.get("mode", ""))
    if game not in PLUGINS:
        raise CompanionError("This game is not installed here; choose another.")
    if mode is None:
        raise CompanionError("This cannot be done here.")
    game_limits = limits(game)
    wanted = max(game_limits.fewest, min(game_limits.most, body.get("wanted", 0)))
    hall.tournament.do(
        Chosen(game, mode, game_limits.fewest, game_limits.most, wanted, 2 if wanted > 2 else 1)
    )


def _forget(hall: Hall, body: dict[str, Any]) -> None:
    person = body.get("person", "")
    if person in hall.tournament.now.guests or person not in hall.ratings.regulars:
        hall.tournament.forget(person)
    hall.ratings.forget(person)
    hall.accounts.forget(person)
    tournament_parts.refresh(hall)


def _check_in(hall: Hall, body: dict[str, Any]) -> None:
    person = hall.tournament.check_in(body.get("name", ""))
    if hall.ratings.on and body.get("kept") is True:
        hall.ratings.know(tournament_parts.known_as(hall, person))
        tournament_parts.refresh(hall)


def _rate(hall: Hall, body: dict[str, Any]) -> None:
    hall.ratings.switch(on=body.get("on") is True)
    tournament_parts.refresh(hall)


def _forget_all(hall: Hall, _: dict[str, Any]) -> None:
    for person in hall.ratings.regulars.keys() - hall.tournament.now.guests.keys():
        hall.accounts.forget(person)
    hall.ratings.forget_all()
    tournament_parts.refresh(hall)


def _begin_anew(hall: Hall, _: dict[str, Any]) -> None:
    for person in hall.tournament.now.guests:
        if not hall.ratings.on or person not in hall.ratings.regulars:
            hall.accounts.forget(person)

    def keep(file: Connection, tournament: Tournament) -> None:
        hall.ratings.keep(file, tournament)
        hall.tournament_sync.erase(file)

    hall.tournament.start_anew(keep)
    hall.ratings.read_anew()
    hall.tournament_sync.start_anew()
    tournament_parts.refresh(hall)


ORDERS: Final[dict[str, Do]] = {
    "deed": _event,
    "choose": _choose,
    "add-joined": _add_joined,
    "check-in": _check_in,
    "again": lambda hall, body: tournament_parts.come_again(hall, body.get("person", "")),
    "ratings": _rate,
    "forget-all": _forget_all,
    "propose": lambda hall, _: hall.tournament.propose(),
    "swap": lambda hall, body: hall.tournament.swap(body.get("one", ""), body.get("other", "")),
    "begin": lambda hall, _: hall.tournament.do(
        Begun(tournament_sync.last_matches(hall.tournament.now, hall.tables))
    ),
    "forget": _forget,
    "begin-anew": _begin_anew,
    "walk-up": lambda hall, body: hall.walk_up.switch(on=body.get("on") is True),
}

PAGE = HallPage(
    routes,
    "/director",
    Text("Director"),
    {
        "director": View(live, personal=True),
        "cockpit": View(cockpit_live, personal=True, part=cockpit_cell),
    },
)


def _join_signing_in(blueprint: Blueprint, hall: Hall) -> None:
    @blueprint.get("/sign-in")
    def form() -> str:
        return render_template("sign_in.html", back=_back(request.args.get("back", "/")))

    @blueprint.post("/sign-in")
    def enter() -> Response:
        phone = hall.accounts.enter(request.form.get("pin", ""))
        gone = current_app.make_response(redirect(_back(request.form.get("back", "/")), 303))
        return hall.accounts.remember(gone, phone)

    @blueprint.post("/sign-out")
    def leave() -> Response:
        return hall.accounts.leave(current_app.make_response(redirect("/", 303)))


def _back(path: str) -> str:
    return path if flask_app.is_local(path) else "/"
