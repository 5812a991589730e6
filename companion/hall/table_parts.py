"""What is shown of a table on its tile, its page, and a wall: only what it told everybody."""

import logging
from dataclasses import replace
from typing import Any, Final

from markupsafe import Markup

from companion import __version__
from companion.hall import mqtt, tables
from companion.hall.hall import Hall
from companion.mqtt.topics import is_older
from companion.present import to_json
from companion.present.headline import headline
from companion.present.page import joining, page_of, title_of
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot
from companion.system.text import Text, seat_word
from companion.web.common.flask_app import words

LOG: Final = logging.getLogger(__name__)


def table_parts(
    hall: Hall, table: tables.TableNow, reader: Viewer, *, far: bool = False, board: bool = True
) -> dict[str, Any]:
    """Return what there is to see of a table; `far`: to be read on a wall.

    Whatever one of them says, all others are shown: what no page can be made of is not understood.
    """
    try:
        return _parts(hall, table, reader, far=far, board=board)
    except Exception:
        if hall.tables.refuse(table.name) <= mqtt.SAID:
            LOG.exception("The state of %s cannot be shown.", table.name)
        return _parts(hall, replace(table, state=None, garbled=True), reader)


def _parts(
    hall: Hall, table: tables.TableNow, reader: Viewer, *, far: bool = False, board: bool = True
) -> dict[str, Any]:
    now, reader = table.snapshot, seated(hall, table, reader)
    parts = {
        "table": table,
        "here": table.online.online and hall.link_is_up,
        "unread": table.unread,
        "update": update(table),
        "version": table.state.version if table.state else -1,
        "game": reader.say(title_of(now.game)) if now and now.match and now.game else "",
        "headline": headline(now, reader) if now else "",
        "over": now is not None and now.over,
        "troubles": [to_json.sentence(trouble, reader) for trouble in now.troubles] if now else [],
        "picture": Markup(picture(now, reader, far=far)) if now and board else "",  # noqa: S704 - our own picture, escaped where it is made
        "seats": seats(now, reader) if now else [],
        "winners": [seat_word(seat) for seat in now.outcome.winners] if now and now.outcome else [],
        "points": {seat_word(seat): points for seat, points in now.outcome.scores}
        if now and now.outcome
        else {},
        "delay_s": table.state.delay_s if table.state else 0,
        "simulated": table.state is not None and table.state.simulated,
    }
    return parts | words(reader)


def update(table: tables.TableNow) -> Text | None:
    """Return what to do about a table that cannot be understood; None: it can."""
    if not table.unread:
        return None
    program = table.online.program[:20]
    match is_older(program, __version__):
        case True:
            return Text(
                "Its program {program} is older than the hall's {own}, and cannot be understood "
                "here. Fetch the newer one on the table's computer, and run: sudo ./run install. "
                "It plays on meanwhile, and nothing is lost.",
                program=program,
                own=__version__,
            )
        case False:
            return Text(
                "Its program {program} is newer than the hall's {own}, and cannot be understood "
                "here. Fetch it on the hall's computer, too, and run: sudo ./run install --hall. "
                "The table plays on meanwhile, and nothing is lost.",
                program=program,
                own=__version__,
            )
    return Text(
        "What it says cannot be understood here. Have the hall and the table run the same version, "
        "with the same games; it plays on meanwhile, and nothing is lost."
    )


def seated(hall: Hall, table: tables.TableNow, reader: Viewer) -> Viewer:
    """Return a reader who knows the names of those whom the tournament seats at a table."""
    return reader.as_all(hall.tournament_sync.seating(table))


def picture(now: Snapshot, reader: Viewer, *, far: bool = False) -> str:
    """Return the board, if a match is played."""
    page = page_of(now.game) if now.match is not None else None
    if page is None or now.view is None:
        return ""
    drawn = (page.wall if far else None) or page.picture
    return drawn(now.view, now.settings, (), reader)


def seats(now: Snapshot, reader: Viewer) -> list[Any]:
    """Return the seats, clockwise, each with what it is doing."""
    page = page_of(now.game) if now.match is not None else None
    return page.seats(now, reader) if page else joining(now, reader)
