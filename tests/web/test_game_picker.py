"""Games are chosen by their boxes: a picture, players, age and minutes as far as they are known."""

import gzip
from dataclasses import replace
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest

from companion.core.plugin import GAMES, PLUGINS
from companion.present.page import Box, page_of
from companion.present.viewer import Viewer
from companion.referee.commands import GiveUp
from companion.referee.people.person import Animal
from companion.web.game_picker import box_svg, tiles
from tests.web.playing import do, offered
from tests.web.room import FakeRoom, client, phones


def test_a_box_says_what_is_known() -> None:
    told = {one.game: one.facts for one in tiles(Viewer())}
    assert told["zapp-zerapp"] == ("2–4 players", "age 7 and up", "30 min")
    assert told["blackmore"] == ("2–6 players",)  # its rulebook says no more
    assert all(one.pictured for one in tiles(Viewer("de")))
    assert Box() == Box(age=None, minutes=None, fewest=2, picture=None)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", GAMES)
def test_a_picture_is_a_small_document_of_its_own(game: str, language: str) -> None:
    phone = client(FakeRoom("red", "blue"))
    answer = phone.get(f"/games/{game}.svg?language={language}")
    assert answer.mimetype == "image/svg+xml"
    drawn = ElementTree.fromstring(answer.data)
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    zipped = phone.get(
        f"/games/{game}.svg?language={language}", environ_overrides={"HTTP_ACCEPT_ENCODING": "gzip"}
    )
    assert gzip.decompress(zipped.data) == answer.data
    assert len(zipped.data) < 6_000


@pytest.mark.parametrize(
    "spoilt", [{"picture": lambda *_: 1 / 0, "box": Box()}, {"styles": "lost.css"}]
)
def test_a_game_that_cannot_be_drawn_has_a_box_without_a_picture(
    spoilt: dict[str, Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = page_of("blackmore")
    assert page is not None
    monkeypatch.setitem(PLUGINS["blackmore"].found, "page", replace(page, **spoilt))
    box_svg.cache_clear()
    try:
        told = {one.game: one.pictured for one in tiles(Viewer())}
        assert told == {game: game != "blackmore" for game in GAMES}
        phone = client(FakeRoom())
        assert phone.get("/setup?game=blackmore").status_code == 200
        assert phone.get("/games/blackmore.svg?language=en").status_code == 404
    finally:
        box_svg.cache_clear()
    assert "The game blackmore has no picture on its box." in caplog.text


def test_no_other_picture_is_there() -> None:
    phone = client(FakeRoom("red", "blue"))
    for path in ("/games/chess.svg", "/games/blackmore.svg?language=xx"):
        assert phone.get(path).status_code == 404


def test_the_rules_lie_behind_a_fold_that_says_what_differs() -> None:
    phone = client(FakeRoom(), "table")
    page = phone.get("/setup?game=trap-the-wizard").text
    fold = page.split('<details class="card" id="rules">')[1].split("</details>")[0]
    assert fold.count('type="checkbox"') == 11
    assert "As in the rulebook." in page
    other = phone.get(
        "/setup/checked?game=trap-the-wizard&seat-red=people&turn_back=1&rounds=0"
    ).text
    assert "rules are different:" in other
    zapp = phone.get("/setup/checked?game=zapp-zerapp&seat=red&seat=blue&version=profi&overlook=1")
    assert "2 rules are different: Profi version; Banishments may be overlooked" in zapp.text


def test_as_last_time_begins_the_same_match_with_the_same_people() -> None:
    room = FakeRoom("red", "blue")
    whole = phones(room)
    oma = whole.people.sit("red", "Oma", Animal.FOX, kept=True)
    match = room.snapshot.match
    assert match is not None
    whole.people.playing(match, ("red", "blue"), over=False)
    phone = client(whole, "table")
    assert 'id="again"' not in phone.get("/setup").text  # it is being played
    do(room, GiveUp())
    whole.people.playing(match, ("red", "blue"), over=True)
    whole.people.leave("red")
    again = phone.get("/setup?game=blackmore").text.split('id="again"')[1].split("</section>")[0]
    assert "Zapp Zerapp" in again
    assert "Oma" in again
    assert f'"person": "{oma.id}"' in unescape(again)
    (wish,) = [one for one in offered(again) if one["kind"] == "new-match"]
    asked = {"request": "again-123", "wish": wish}
    assert phone.post("/api/commands", json=asked).status_code == 200
    assert room.snapshot.match != match
    assert [one.colour for one in room.snapshot.seats] == ["red", "blue"]
    assert 'id="again"' not in client(whole).get("/setup").text  # whoever watches begins nothing
