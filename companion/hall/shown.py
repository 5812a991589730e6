"""What is seen of a table: on its tile, on its page, on a wall. Only what it told everybody."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from companion.core.game import SeatName, seat_word
from companion.hall.hall import Hall
from companion.hall.tables import TableNow
from companion.present.page import page_of, title_of
from companion.present.plain import sentence
from companion.present.reader import Reader
from companion.present.shown import headline
from companion.present.signs import face_svg, sign_svg
from companion.present.table_seats import joining
from companion.referee.snapshot import Snapshot


def table_parts(
    hall: Hall, table: TableNow, reader: Reader, *, far: bool = False, board: bool = True
) -> dict[str, Any]:
    """Return what there is to be seen of a table; `far`: to be read on a wall."""
    now, reader = table.snapshot, seated(hall, table, reader)
    unread = table.state is not None and now is None
    parts = {
        "table": table,
        "here": table.online.online and hall.link_is_up,
        "unread": unread,
        "version": table.state.version if table.state else -1,
        "game": reader.say(title_of(now.game)) if now and now.match and now.game else "",
        "headline": headline(now, reader) if now else "",
        "over": now is not None and now.over,
        "troubles": [sentence(one, reader) for one in now.troubles] if now else [],
        "picture": Markup(picture(now, reader, far=far)) if now and board else "",  # noqa: S704 - ours
        "seats": seats(now, reader) if now else [],
        "winners": [seat_word(one) for one in now.outcome.winners] if now and now.outcome else [],
        "points": {seat_word(one): points for one, points in now.outcome.scores}
        if now and now.outcome
        else {},
        "delay_s": table.state.delay_s if table.state else 0,
        "simulated": table.state is not None and table.state.simulated,
    }
    return parts | words(reader)


def seated(hall: Hall, table: TableNow, reader: Reader) -> Reader:
    """Return a reader who is told the names of those whom the evening seats at a table."""
    return reader.as_all(hall.at_tables.seating(table))


def words(reader: Reader) -> dict[str, Any]:
    """Return what every live part is written with."""
    return {
        "reader": reader,
        "say": reader.say,
        "name": reader.name,
        "sign": sign_svg,
        "face": lambda seat: face_svg(seat, reader),
        "who": lambda word: SeatName[word.upper()],
    }


def picture(now: Snapshot, reader: Reader, *, far: bool = False) -> str:
    """Return the board, if a match is played."""
    page = page_of(now.game) if now.match is not None else None
    if page is None or now.view is None:
        return ""
    drawn = (page.wall if far else None) or page.picture
    return drawn(now.view, now.settings, (), reader)


def seats(now: Snapshot, reader: Reader) -> list[Any]:
    """Return the seats, clockwise, each with what it is doing."""
    page = page_of(now.game) if now.match is not None else None
    return page.seats(now, reader) if page else joining(now, reader)
