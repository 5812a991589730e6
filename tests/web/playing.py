"""Matches played up to a moment, and what a page of the table then offers, for tests."""

import json
import re
from html import unescape
from typing import Any, Final

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Settings
from companion.present.viewer import Viewer
from companion.referee.commands import DoAction, NewMatch
from companion.referee.events import HouseRules
from companion.sensing.events import ChartSample, FoulCode, FoulFinding, Weight
from companion.web.table_page import live
from tests.web.room import FakeRoom, phones

CROWD: Final = (
    "correct pawns red:start,red:4,red:19,green:start,green:22,green:22,"
    "blue:3,blue:20,blue:city,yellow:start,yellow:12,yellow:24"
)


def table(house: HouseRules | None = None, **rules: Any) -> FakeRoom:
    room = FakeRoom()
    do(room, NewMatch("zapp-zerapp", pack(Settings(**rules)), house or HouseRules()))
    return room


def do(room: FakeRoom, *wishes: Any) -> None:
    for wish in wishes:
        refused = room.wish(DoAction(wish) if isinstance(wish, str) else wish).refused
        assert refused is None, refused


def to_move(room: FakeRoom, magic: int = 9, **numbers: int) -> None:
    """Play up to the moves: who has which number."""
    do(room, f"roll {magic}", *(f"place {seat}" for seat in numbers), "flip")
    do(room, *(f"say {seat} {number}" for seat, number in numbers.items()))


def page(room: FakeRoom, role: str | None = "table", language: str = "en") -> str:
    return live(phones(room), Viewer(language, role))


def offered(html: str) -> list[dict[str, Any]]:
    """Return the wishes that stand ready on a page."""
    return [json.loads(unescape(found)) for found in re.findall(r'data-wish="([^"]*)"', html)]


def head(html: str) -> str:
    """Return what is to be done."""
    found = re.search(r'<h1 id="headline"[^>]*>([^<]*)<', html)
    assert found is not None
    return unescape(found[1])


def texts(html: str) -> list[str]:
    return [wish["text"] for wish in offered(html) if wish["kind"] == "act"]


def peek(number: int = 1, weight: Weight = Weight.FOUL) -> FoulFinding:
    points = tuple(ChartSample(at * 10_000, 80.0, 0.05, stands=False) for at in range(60))
    return FoulFinding(
        number, FoulCode.PEEK, weight, 0, 600_000, (2 + number,), "red", 0.93, points
    )


def moving(**rules: Any) -> FakeRoom:
    """Play up to where red moves by 6 through a crowd."""
    room = table(**rules)
    do(room, CROWD)
    to_move(room, red=6, green=5, blue=11, yellow=2)
    return room


def nearly_won() -> FakeRoom:
    """Play until red may win."""
    room = table()
    do(room, "correct pawns red:24,red:city,red:city")
    to_move(room, red=6, green=5, blue=11, yellow=2)
    return room


def won() -> FakeRoom:
    """Play until red has won."""
    room = nearly_won()
    do(room, "move red 24")
    return room
