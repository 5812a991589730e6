"""The page on which a table is let into the hall: a name, then a code for the table's computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import segno
from flask import Blueprint, Response, abort, current_app, redirect, render_template, request

from companion.errors import CompanionError
from companion.frame.faults import Refused
from companion.hall.page import Page
from companion.hall_link import join_code
from companion.hall_link.accounts import RESERVED
from companion.hall_link.join_code import Joining
from companion.hall_link.signing import new_secret
from companion.hall_link.topics import is_name
from companion.say import Text

if TYPE_CHECKING:
    from companion.hall.hall import Hall


def routes(hall: Hall) -> Blueprint:
    """Return the routes."""
    blueprint = Blueprint("joining", __name__)

    @blueprint.get("/joining")
    def joining() -> Response | str:
        if not hall.accounts.directs():
            return current_app.make_response(redirect("/sign-in?back=/joining", 303))
        known = hall.tables.secrets()
        tables = [one for one in hall.tables if one.name in known]
        return render_template("joining.html", tables=tables, own=hall.broker_port is not None)

    @blueprint.post("/joining")
    def join() -> Response:
        hall.accounts.demand_director()
        name = request.form.get("name", "").strip().lower()
        if not is_name(name) or name in RESERVED:
            raise Refused(
                400,
                "no-name",
                CompanionError(
                    "'{name}' is no name for a table; take small letters, digits and hyphens, at "
                    "most 32.",
                    name=name[:40],
                ),
            )
        if hall.tables.secret(name) is None:
            hall.join_table(name, new_secret())
        return current_app.make_response(redirect(f"/joining/{name}", 303))

    @blueprint.get("/joining/<name>")
    def code(name: str) -> Response | str:
        if not hall.accounts.directs():
            return current_app.make_response(redirect("/sign-in?back=/joining", 303))
        table, secret, port = hall.tables.named(name), hall.tables.secret(name), hall.broker_port
        if table is None or secret is None or port is None:
            abort(404)
        host = (hall.here.addresses or ("localhost",))[0]
        text = join_code.write(Joining(host, port, name, secret, None))
        picture = segno.make(text, error="l").svg_data_uri(scale=4, light="#fff")
        return render_template("joining_code.html", table=table, code=text, picture=picture)

    return blueprint


PAGE = Page(routes, "/joining", Text("Tables"))
