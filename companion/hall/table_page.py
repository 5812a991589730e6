"""The page of one table, for those who watch: its board, who does what, what happened last."""

from __future__ import annotations

from flask import Blueprint, abort, render_template

from companion.frame.reader import reader
from companion.hall.accounts import Visitor
from companion.hall.hall import Hall
from companion.hall.live_parts import part
from companion.hall.page import Page, View
from companion.hall.table_parts import table_parts


def routes(hall: Hall) -> Blueprint:
    """Return the routes."""
    blueprint = Blueprint("tables", __name__)

    @blueprint.get("/tables/<number>")
    def table(number: str) -> str:
        if hall.tables.numbered(number) is None:
            abort(404)
        shown = live(hall, Visitor(reader()), number)
        return render_template("table_of_hall.html", number=number, live=shown)

    return blueprint


def live(hall: Hall, visitor: Visitor, number: str) -> str:
    """Return what there is to see of a table."""
    table = hall.tables.numbered(number)
    if table is None:
        return ""
    match = table.state.match if table.state else None
    parts = table_parts(hall, table, visitor.reader)
    told = hall.recent.told(table.name, match, parts["reader"]) if match else []
    return part("table_of_hall_live.html", parts | {"told": told})


def _has(hall: Hall, number: str) -> bool:
    return hall.tables.numbered(number) is not None


PAGE = Page(routes, views={"table": View(live, has=_has)})
