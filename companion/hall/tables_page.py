"""The page Hall: every table live, and what is wrong with it."""

from typing import Final

from flask import Blueprint, abort, render_template

from companion.hall.accounts import Visitor
from companion.hall.hall import TILE, Hall
from companion.hall.page import HallPage, View, Wall, part
from companion.hall.table_parts import table_parts
from companion.hall.tables import TableNow
from companion.system.text import Text
from companion.web.common.flask_app import current_viewer, words

MOST_COLUMNS: Final = 8  # on a wall
BOARDS: Final = 24  # tables at most, so that each small board can be made out


def routes(hall: Hall) -> Blueprint:
    blueprint = Blueprint("hall", __name__)

    @blueprint.get("/")
    def tables() -> str:
        visitor = Visitor(current_viewer())
        shown = _all(hall, visitor, boards=False)  # they come at once, by the stream
        return render_template("hall.html", live=shown)

    @blueprint.get("/tables/<number>")
    def table(number: str) -> str:
        if hall.tables.numbered(number) is None:
            abort(404)
        shown = table_live(hall, Visitor(current_viewer()), number)
        return render_template("table_of_hall.html", number=number, live=shown)

    return blueprint


def live(hall: Hall, visitor: Visitor, _: str = "") -> str:
    return _all(hall, visitor, boards=len(hall.tables) <= BOARDS)


def _all(hall: Hall, visitor: Visitor, *, boards: bool) -> str:
    tiles = [_tile(hall, visitor, table, boards=boards) for table in hall.tables]
    missing = not hall.link_is_up
    values = {
        "tiles": tiles,
        "columns": _columns(len(tiles) or 1),
        "missing": missing,
        "others": len(hall.other_halls),
    }
    return part("hall_live.html", values | words(visitor.reader))


def _columns(tables: int) -> int:
    """Return in how many columns tables fill a wall so that their boards are largest.

    >>> [_columns(tables) for tables in (1, 2, 4, 6, 8, 16, 24, 40)]
    [1, 2, 2, 3, 4, 4, 5, 7]
    """

    def board(columns: int) -> float:
        rows = -(-tables // columns)
        width, height = 16 / columns, 8 / rows
        if not 0.8 <= width / height <= 2.4:
            return 0.0
        side = max(min(width, 0.65 * height), min(0.55 * width, height))  # above words, or beside
        return side * tables / (columns * rows)

    return max(range(MOST_COLUMNS, 0, -1), key=board)


def tile(hall: Hall, visitor: Visitor, name: str) -> str:
    table = hall.tables.numbered(name.removeprefix(TILE))
    if table is None:
        return ""
    return _tile(hall, visitor, table, boards=len(hall.tables) <= BOARDS)


def _tile(hall: Hall, visitor: Visitor, table: TableNow, *, boards: bool) -> str:
    values = table_parts(hall, table, visitor.reader, board=boards)
    return part("hall_tile.html", values)


def table_live(hall: Hall, visitor: Visitor, number: str) -> str:
    table = hall.tables.numbered(number)
    if table is None:
        return ""
    match = table.state.match if table.state else None
    parts = table_parts(hall, table, visitor.reader)
    sentences = hall.recent.sentences(table.name, match, parts["reader"]) if match else []
    return part("table_of_hall_live.html", parts | {"told": sentences})


def _has(hall: Hall, number: str) -> bool:
    return hall.tables.numbered(number) is not None


PAGE = HallPage(
    routes,
    "/",
    Text("Hall"),
    {"hall": View(live, part=tile), "table": View(table_live, has=_has)},
    {"hall": Wall(Text("All tables"), live)},
)
