"""Tables of Trap the Wizard as phones show them, for tests. It must not hold tests."""

import re
import xml.etree.ElementTree as ET
from math import hypot
from typing import Any

from companion.core.notation import write
from companion.games.trap_the_wizard.moves import choices
from companion.games.trap_the_wizard.picture import Drawn, board_svg
from companion.games.trap_the_wizard.rules import START, Board, Robe
from companion.present.viewer import Viewer
from companion.referee.commands import DoAction
from companion.referee.events import HouseRules, Roller
from companion.referee.snapshot import ButtonOption, SeatView, Snapshot
from companion.system.text import seat_word
from companion.web.table_page import rendered_page as page_of_table
from tests.games.trap_the_wizard.tables import Table

RED, GREEN, BLUE, YELLOW, JOKER = Robe
PACE = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\)")
CATCHING = {RED: ((0, (GREEN, GREEN, BLUE)), 30, START), GREEN: (2,), BLUE: (4, 33)}


def spoked(ring: int, homes: tuple[int, int, int, int], long: int) -> Board:
    """Return a board with another ring, other doors and other spokes."""
    centre = ring + 4 * long
    ways = [
        (home, *range(ring + number * long, ring + (number + 1) * long), centre)
        for number, home in enumerate(homes)
    ]
    return Board(((*range(ring), 0), *ways), homes, (1,), centre)


def snapshot(table: Table, **others: Any) -> Snapshot:
    """Return a table as the referee shows it."""
    game, state = table.game, table.state
    offers = {
        seat: tuple(
            ButtonOption(DoAction(write(action)), game.explain(state, action))
            for action in game.legal(state, seat)
        )
        for seat in game.turns(state)
        if seat >= 0
    }
    shown_seats = tuple(SeatView(seat_word(s), offers=offers.get(s, ())) for s in game.seats)
    given: dict[str, Any] = {
        "match": "m",
        "game": game.name,
        "view": game.view(state, None),
        "settings": game.settings,
        "house": HouseRules(roller=Roller.COMPANION),
        "seats": shown_seats,
        "acted": 7,
        "outcome": game.outcome(state),
        "over": game.outcome(state) is not None,
    }
    return Snapshot(8, **given | others)


def drawn(table: Table, reader: Viewer | None = None) -> ET.Element:
    """Draw a table with all that its mover can choose from."""
    reader, now = reader or Viewer(), snapshot(table)
    found = choices(now, reader)
    picture = board_svg(now.settings.board, Drawn(now.view, now.happened, found), reader)
    return ET.fromstring(picture)


def classed(picture: ET.Element, style: str) -> list[ET.Element]:
    return [one for one in picture.iter() if style in one.get("class", "").split()]


def at(element: ET.Element) -> tuple[float, float]:
    found = PACE.match(element.get("transform", ""))
    assert found, element.attrib
    return float(found[1]), float(found[2])


def far(one: tuple[float, float], other: tuple[float, float]) -> float:
    return hypot(one[0] - other[0], one[1] - other[1])


def page(table: Table, role: str | None = "table", language: str = "en", **others: Any) -> str:
    return page_of_table(snapshot(table, **others), Viewer(language, role))
