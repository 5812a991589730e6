"""A game that brings its rules alone is set up and played on phones by buttons in its notation."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from random import Random

import pytest

from companion.core.notation import write
from companion.core.plugin import PLUGINS, GamePlugin
from companion.games.via_magica.page import PAGE as OWN
from companion.games.via_magica.rules import ViaMagica
from companion.present.command_json import from_json
from companion.present.viewer import Viewer
from companion.referee.commands import DoAction, NewMatch
from companion.referee.events import HouseRules
from companion.system.text import seat_word
from companion.web.game_picker import box_svg
from companion.web.table_page import live
from tests.web.room import FakeRoom, client, phones

BARE = ("trap-the-wizard", "via-magica", "blackmore")


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for game in BARE:
        monkeypatch.setitem(PLUGINS[game].found, "page", None)
    yield
    box_svg.cache_clear()  # they have none only here


def wishes(html: str) -> Iterator[object]:
    """Yield what the buttons of the game itself wish for."""
    (play,) = re.findall(r'<div class="play" id="play">(.*?)</div>', html, re.DOTALL)
    for wish in re.findall(r'data-wish="([^"]+)"', play):
        yield from_json(json.loads(unescape(wish)))


@pytest.mark.parametrize("game", BARE)
def test_it_is_played_by_its_buttons(game: str) -> None:
    room, chance = FakeRoom(), Random(game)
    seats = ["red", "green", "blue"]
    assert room.wish(NewMatch(game, {"seats": seats}, HouseRules())).refused is None
    for _ in range(60):
        if room.now.over:
            break
        offered = [
            (wish, seat)
            for seat in seats
            for wish in wishes(live(phones(room), Viewer("en", seat)))
        ]
        wish, seat = chance.choice(offered)
        assert room.wish(wish, by=seat).refused is None  # type: ignore[arg-type]
    assert room.now.version >= 60 or room.now.over


@pytest.mark.parametrize("game", BARE)
def test_a_hand_stays_on_the_phone_of_its_seat(game: str) -> None:
    room = FakeRoom()
    assert room.wish(NewMatch(game, {"seats": ["red", "blue"]}, HouseRules())).refused is None
    assert not [*wishes(live(phones(room), Viewer("en")))]
    for seat, other in (("red", "blue"), ("blue", "red")):
        for wish in wishes(live(phones(room), Viewer("en", seat))):
            assert not isinstance(wish, DoAction) or other not in wish.text.split()


@pytest.mark.parametrize("game", ["via-magica", "blackmore"])
def test_the_phone_in_the_middle_offers_nothing_from_a_hand(game: str) -> None:
    room = FakeRoom()
    assert room.wish(NewMatch(game, {"seats": ["red", "blue"]}, HouseRules())).refused is None
    for _ in range(30):
        offered = [*wishes(live(phones(room), Viewer("en", "table")))]
        for wish in offered:
            assert not isinstance(wish, DoAction) or room.wish(wish, by="table").refused is None
            break
        else:
            seat = seat_word(room.now.view.turns[0])
            assert room.now.seen_by(seat).choices
            assert (
                room.wish(DoAction(write(room.now.seen_by(seat).choices[0])), by=seat).refused
                is None
            )


@pytest.mark.parametrize("fails", ["headline", "parts", "seats", "template"])
def test_a_page_of_another_package_that_fails_gives_way_to_buttons(
    fails: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    spoilt = "via-magica/lost.html" if fails == "template" else lambda *_: 1 / 0
    plugin = GamePlugin(ViaMagica, "elsewhere", page="page:PAGE")
    plugin.found["page"] = replace(OWN, **{fails: spoilt})  # type: ignore[arg-type]
    monkeypatch.setitem(PLUGINS.loaded, "via-magica", plugin)
    room = FakeRoom()
    assert (
        room.wish(NewMatch("via-magica", {"seats": ["red", "blue"]}, HouseRules())).refused is None
    )
    for seat in ("red", "blue"):
        offered = [*wishes(live(phones(room), Viewer("en", seat)))]
        assert offered
        assert room.wish(offered[0], by=seat).refused is None  # type: ignore[arg-type]
    (told,) = [one.getMessage() for one in caplog.records]
    assert told == "The game via-magica goes on with plain buttons."


def test_a_page_of_ours_that_fails_is_a_bug(monkeypatch: pytest.MonkeyPatch) -> None:
    room = FakeRoom()
    broken = replace(OWN, headline=lambda *_: str(1 / 0))
    monkeypatch.setitem(PLUGINS["via-magica"].found, "page", broken)
    assert (
        room.wish(NewMatch("via-magica", {"seats": ["red", "blue"]}, HouseRules())).refused is None
    )
    with pytest.raises(ZeroDivisionError):
        live(phones(room), Viewer("en", "red"))


@pytest.mark.parametrize(("language", "begins"), [("de", "Partie beginnen"), ("en", "Begin the")])
def test_it_is_set_up_like_any_other(language: str, begins: str) -> None:
    page = client(FakeRoom(), "table", language).get("/setup?game=blackmore")
    assert page.status_code == 200
    assert "Blackmore" in page.text
    assert begins in page.text
