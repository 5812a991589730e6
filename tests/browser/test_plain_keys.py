"""A game that brings no page has its choices below one another, apart enough for any thumb."""

from itertools import pairwise

import pytest

from companion.core.plugin import PLUGINS
from companion.referee.commands import NewMatch
from companion.referee.events import HouseRules
from tests.browser.chromium import Opener, too_small, too_wide
from tests.browser.served import Serve
from tests.web.room import FakeRoom

LEAST_PX = 6


def test_choices_stand_apart(phone: Opener, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLUGINS["blackmore"].found, "page", None)
    room = FakeRoom()
    assert (
        room.wish(NewMatch("blackmore", {"seats": ["red", "blue"]}, HouseRules())).refused is None
    )
    page = serve(room).open(phone("en-GB"), "/", "red")
    keys = [one.bounding_box() for one in page.locator("#play > .wide-key").all()]
    assert len(keys) == 6
    for one, two in pairwise(keys):
        assert one
        assert two
        assert two["y"] - one["y"] - one["height"] >= LEAST_PX
    assert too_small(page) + too_wide(page) == []
