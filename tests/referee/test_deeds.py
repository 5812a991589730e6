"""Deeds as the journal keeps them: what goes without saying is not said, and all comes back."""

from __future__ import annotations

import pytest

from companion.referee.deeds import (
    Amended,
    Began,
    Bot,
    Cost,
    Deed,
    Did,
    Ended,
    House,
    Point,
    Raised,
    Roller,
    Ruled,
    Stood,
    Tally,
    Undone,
    from_json,
    to_json,
)
from companion.rules.game import SeatName

FOUL = Raised(1, "peek", "foul", None, 500, 90)
PLAIN = [  # what the first version knew of each kind
    (Began("zapp-zerapp", 1, "{}", House()), {"game", "schema", "settings", "house"}),
    (Did("{}", "red"), {"action", "by"}),
    (Stood("red", None), {"seat", "stopper"}),
    (FOUL, {"foul", "code", "weight", "seat", "length_ms", "percent"}),
    (Ruled(1, upheld=False, by="red"), {"foul", "upheld", "by"}),
    (Undone(0, "red"), {"to", "by"}),
    (Amended(1, "{}", "red"), {"deed", "action", "by"}),
    (Ended("red"), {"by"}),
]
BOTS = (Bot(SeatName.BLUE, "greedy"),)
POINTS = (Point(0, 60, 10, stands=None),)
FULL = [
    Began("zapp-zerapp", 1, "{}", House(Cost.SIT_OUT, Roller.COMPANION, BOTS)),
    Did("{}", "red", follows=True, drawn=True),
    Raised(1, "peek", "foul", "red", 5, 90, POINTS, (Tally(-100, 4, 0),), called=True),
]


@pytest.mark.parametrize(("deed", "parts"), PLAIN, ids=[to_json(deed)[0] for deed, _ in PLAIN])
def test_what_goes_without_saying_is_not_written_so_an_older_version_reads_it(
    deed: Deed, parts: set[str]
) -> None:
    kind, body = to_json(deed)
    assert set(body) == parts
    assert from_json(kind, body) == deed


@pytest.mark.parametrize("deed", FULL, ids=[to_json(deed)[0] for deed in FULL])
def test_what_is_said_comes_back(deed: Deed) -> None:
    assert from_json(*to_json(deed)) == deed


def test_a_house_says_only_what_is_agreed_otherwise() -> None:
    assert to_json(Began("zapp-zerapp", 1, "{}", House()))[1]["house"] == {}
    house = House(cost=Cost.SIT_OUT)
    assert to_json(Began("zapp-zerapp", 1, "{}", house))[1]["house"] == {"cost": "sit_out"}


def test_a_part_that_is_written_with_its_default_is_read_all_the_same() -> None:
    written = {"action": "{}", "by": "red", "follows": False, "drawn": False}
    assert from_json("did", written) == Did("{}", "red")
