"""The page for a television: what everybody may see, and nothing for which one needs a role."""

import re
from html import unescape

import pytest

from companion.core.plugin import PLUGINS
from companion.journal import JournalState
from companion.present.viewer import ROLES, Viewer
from companion.system.status import Condition
from companion.web.tv_page import VIEWS, live
from tests.browser.sights import caught, joining, shaking
from tests.web.playing import do, moving, table, won
from tests.web.room import PIN, FakeRoom, client, phones
from tests.web.running import RUNNING, following, remembering

OF_HANDS = {name: of() for name, (_, of) in RUNNING.items() if name.startswith(("via", "black"))}


def tv(room: FakeRoom, language: str = "en", role: str | None = None) -> str:
    return live(language, phones(room), Viewer("en", role))


def words(html: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)))


@pytest.mark.parametrize("room", [*OF_HANDS.values(), moving()], ids=[*OF_HANDS, "moving"])
def test_it_shows_the_same_to_everybody_whoever_asks(room: FakeRoom) -> None:
    assert len({tv(room, "en", role) for role in (None, *ROLES)}) == 1
    html = client(room, "red").get("/tv").text
    assert "data-wish" not in html
    assert "<nav" not in html
    assert PIN not in html


def test_no_hand_is_on_it() -> None:
    room = following()
    seen = client(room, "green").get("/").text
    cards = set(re.findall(r'value="(play green [^"]+)"', seen))
    assert cards
    assert not [card for card in cards if card in tv(room)]
    assert 'class="hand"' not in tv(room)


@pytest.mark.parametrize(
    ("path", "language"),
    [("/tv?language=de", "de"), ("/tv?language=en", "en"), ("/tv", "de"), ("/tv?language=x", "de")],
)
def test_its_address_says_its_language(path: str, language: str) -> None:
    html = client(moving(), language="de").get(path).text
    assert f'<html lang="{language}"' in html
    assert f'data-live="tv-{language}"' in html
    assert ("Red moves" in words(html)) is (language == "en")


@pytest.mark.parametrize("view", VIEWS)
def test_it_is_followed_in_that_language_however_the_browser_is_set(view: str) -> None:
    sent = client(moving(), language="en").get(f"/api/view/{view}").json
    assert sent is not None
    assert ("Rot" in sent["html"]) is (view == "tv-de")


def test_while_nothing_is_played_it_says_how_to_join_and_who_won_last() -> None:
    html = tv(joining())
    assert html.count("/join/qr.svg") == 1
    assert "192.168.7.5:8000" in html
    assert "have won" not in html
    room = remembering()
    again = FakeRoom(paper=room.paper)
    assert "Last time: Red has won." in words(tv(again))


def test_it_says_whose_turn_it_is_and_the_magic_number() -> None:
    html = tv(moving())
    assert re.findall(r'id="seat-(\w+)" class="[^"]*\bturn\b', html) == ["red"]
    assert "Round 1, magic number 9" in words(html)
    assert '<svg class="board"' in html
    assert len(re.findall(r'class="[^"]*\bturn\b', tv(shaking()))) == 3


@pytest.mark.parametrize(
    ("name", "says", "numbers"),
    [
        ("zapp-zerapp", "Round 1, magic number 9", 4),
        ("trap-moving", "Round 1 of 3", 4),
        ("via-magica-keeping", "", 2),
        ("via-magica-placing", "Round 4", 2),
        ("blackmore-following", "In the pile: 35. On the trump pile: 1.", 0),
    ],
)
def test_it_says_how_far_each_game_is(name: str, says: str, numbers: int) -> None:
    html = tv(RUNNING[name][1]())
    assert re.findall(r'id="stands">([^<]*)<', html) == ([says] if says else [])
    assert html.count('class="number"') == numbers


def test_the_last_event_is_its_banner_and_an_open_foul_comes_first() -> None:
    room = table()
    do(room, "roll 9", "place green")
    assert words(tv(room).rpartition('id="banner"')[2]).startswith(">Green has chosen a barrel")
    foul = tv(caught())
    assert re.search(r'class="tv-banner tv-foul" id="banner">[^<]*peeked', foul)


def test_troubles_and_a_recording_are_told() -> None:
    room = moving()
    room.recorded = True
    room.referee.handle_conditions(
        (Condition(JournalState.FULL, 0, {"file": "journal.sqlite3"}),), 0
    )
    html = tv(room)
    assert 'id="troubles"' in html
    assert 'id="recorded"' in html


def test_the_end_shows_who_has_won_and_the_points() -> None:
    html = tv(won(), "de")
    assert 'id="crest"' in html
    assert "Rot gewinnt!" in html
    assert re.search(r'id="seat-red" class="[^"]*\bwon\b', html)


@pytest.mark.parametrize("game", ["blackmore", "trap-the-wizard", "via-magica"])
def test_a_game_of_rules_alone_is_told_in_words(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLUGINS[game].found, "page", None)
    names = {"blackmore": "blackmore-following", "via-magica": "via-magica-placing"}
    html = tv(RUNNING[names.get(game, "trap-moving")][1]())
    assert 'id="happened"' in html
    assert re.search(r"<li>\S", html)


def test_the_join_page_tells_its_address() -> None:
    for role in (None, "red", "table"):
        html = client(moving(), role, "de").get("/join").text
        assert "192.168.7.5:8000/tv" in html
        assert 'href="/tv?language=de"' in html


def test_people_are_called_by_name_and_the_last_winner_by_that_of_then() -> None:
    whole = phones(moving())
    whole.people.sit("red", "Oma")
    assert "Oma" in live("en", whole, Viewer("en", seating=whole.people.now))
    assert "Oma" in client(whole, language="en").get("/tv").text
