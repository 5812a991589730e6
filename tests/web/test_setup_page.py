"""The set-up page: what is chosen becomes the wish for that match, or it says what is wrong."""

import json
import re
from html import unescape
from typing import Any

import pytest

from companion.core.codec import pack, unpack
from companion.games.zapp_zerapp.rules import PRESETS, Colour, Settings
from companion.present.command_json import from_json
from companion.referee.commands import GiveUp, NewMatch
from companion.referee.events import USUAL_HOUSE, FoulCost, HouseRules, Roller
from companion.referee.handlers import usual_match
from companion.web.context import OPEN_S, OpenSetup
from tests.web.room import FakeRoom, client, phones

RED, GREEN, BLUE, YELLOW = Colour
SAID: dict[str, Any] = {
    "seat": ["red", "blue"],
    "version": "profi",
    "cost": "put-back",
    "roller": "companion",
    "board": "three-before-city",
}
RING = " ".join(PRESETS["two-before-city"].ring)


def checked(said: dict[str, Any], room: FakeRoom | None = None, role: str | None = "table") -> str:
    answer = client(room or FakeRoom(), role).get("/setup/checked", query_string=said)
    assert answer.status_code == 200
    return answer.text


def wished(html: str) -> NewMatch:
    found = re.search(r'id="begin" data-wish="([^"]+)"', html)
    assert found, html
    wish = from_json(json.loads(unescape(found[1])))
    assert isinstance(wish, NewMatch)
    return wish


def agreed(wish: NewMatch) -> Settings:
    return unpack(Settings, wish.settings, "settings")


def test_what_is_chosen_is_what_is_wished_for() -> None:
    wish = wished(checked(SAID))
    assert agreed(wish) == Settings((RED, BLUE), profi=True, board=PRESETS["three-before-city"])
    assert wish.house == HouseRules(FoulCost.PUT_BACK, Roller.COMPANION, reminder=True)
    wish = wished(checked(SAID | {"unshuffled": "1", "overlook": "1", "version": "base"}))
    assert not agreed(wish).profi
    assert agreed(wish).overlook
    assert not agreed(wish).shuffle


def test_a_match_begins_as_it_was_chosen() -> None:
    room = FakeRoom()
    phone = client(room, "red")
    found = re.search(r'data-wish="([^"]+)"', phone.get("/setup").text)
    assert found
    command = {"request": "one", "version": -1, "wish": json.loads(unescape(found[1]))}
    assert phone.post("/api/commands", json=command).status_code == 200
    assert room.snapshot.settings == Settings()


@pytest.mark.parametrize("seats", [[], ["red"]])
def test_too_few_players_are_told_so_and_nothing_can_begin(seats: list[str]) -> None:
    html = checked(SAID | {"seat": seats})
    assert f"A game takes 2 to 4 players, not {len(seats)}." in html
    assert re.search(r'id="begin" disabled', html)


def test_the_last_settings_are_offered_again() -> None:
    room = FakeRoom()
    board = PRESETS["three-before-city"]
    settings = Settings((GREEN, YELLOW), profi=True, shuffle=False, board=board)
    house = HouseRules(FoulCost.SIT_OUT, Roller.COMPANION)
    assert room.wish(NewMatch("zapp-zerapp", pack(settings), house)).refused is None
    html = client(room, "red").get("/setup").text
    assert re.findall(r'name="seat" value="(\w+)" checked', html) == ["green", "yellow"]
    assert re.findall(r'name="version" value="(\w+)" checked', html) == ["profi"]
    assert 'name="unshuffled" value="1" checked' in html
    assert re.findall(r'<option value="([\w-]+)" selected', html) == ["sit-out", "companion"]
    assert re.findall(r'name="board" value="([\w-]+)" checked', html) == ["three-before-city"]


def test_whoever_joined_with_the_buttons_is_offered_first() -> None:
    room = FakeRoom()
    room.press("yellow")
    room.press("green")
    html = client(room, "red").get("/setup").text
    assert re.findall(r'name="seat" value="(\w+)" checked', html) == ["green", "yellow"]


def test_a_match_that_is_played_is_only_given_up_when_somebody_says_so() -> None:
    room = FakeRoom("red", "blue")
    html = checked(SAID, room)
    assert "Give up the current match" in html
    assert re.search(r'id="begin" disabled', html)
    html = checked(SAID | {"gives-up": "1"}, room)
    assert 'class="begin" data-match="m0" data-version=""' in html
    assert wished(html).settings["seats"] == ["red", "blue"]


def test_a_match_can_be_given_up_without_beginning_another() -> None:
    room = FakeRoom("red", "blue")
    assert "give-up" not in checked(SAID, FakeRoom())
    assert "give-up" not in client(room).get("/setup").text  # who only watches
    html = unescape(client(room, "red").get("/setup").text)
    (wanted,) = re.findall(r'id="give-up" data-wish="(.*?\})"', html)
    command = {"request": "gives", "match": "m0", "wish": json.loads(wanted)}
    assert client(room, "red").post("/api/commands", json=command).status_code == 200
    assert room.snapshot.over
    assert "give-up" not in client(room, "red").get("/setup").text


def test_a_match_that_began_meanwhile_is_not_given_up_by_an_old_page() -> None:
    room = FakeRoom()
    html = checked(SAID, room)
    assert 'class="begin" data-match="" data-version="-1"' in html
    phone = client(room, "red")
    wish = {"kind": "new-match", **pack(wished(html))}
    first = {"request": "a", "version": -1, "wish": wish}
    assert phone.post("/api/commands", json=first).status_code == 200
    assert phone.post("/api/commands", json=first | {"request": "b"}).status_code == 409


def test_another_match_than_the_one_that_was_seen_is_not_given_up() -> None:
    room = FakeRoom("red", "blue")
    wish = {"kind": "new-match", **pack(wished(checked(SAID | {"gives-up": "1"}, room)))}
    room.wish(GiveUp())
    room.wish(usual_match(("red", "blue")))
    late = {"request": "a", "match": "m0", "wish": wish}
    assert client(room, "red").post("/api/commands", json=late).status_code == 409
    assert (room.now.match, room.now.over) == ("m1", False)


def test_a_ring_is_painted_field_by_field_and_its_gates_follow_its_entries() -> None:
    ring = RING.split()
    ring[0] = "RY"
    own = SAID | {"board": "own", "ring": " ".join(ring), "entries": "1 6 12 18"}
    html = checked(own)
    board = agreed(wished(html)).board
    assert board.ring[0] == "RY"
    assert (board.entries, board.gates) == ((1, 6, 12, 18), (0, 5, 11, 17))
    assert html.count('role="button"') == 24
    assert 'aria-label="0: castle field of Red and Yellow"' in html


def test_what_is_wrong_with_a_ring_is_said_while_it_is_painted() -> None:
    html = checked(SAID | {"board": "own", "ring": RING, "entries": "6 6 12 18"})
    assert "Red and Green both enter on field 6; each needs an entry of its own." in html
    assert 'role="button"' in html
    assert re.search(r'id="begin" disabled', html)


@pytest.mark.parametrize(
    "strange",
    [
        {"ring": "R G", "entries": "0 6 12 18"},
        {"ring": RING.replace("RG", "<b>"), "entries": "0 6 12 18"},
        {"ring": RING.replace("RG", "RR"), "entries": "0 6 12 18"},
        {"ring": RING, "entries": "0 6 12"},
        {"ring": RING, "entries": "0 6 12 ²"},
        {"ring": RING, "entries": "0 6 12 -1"},
        {"ring": "", "entries": ""},
    ],
)
def test_what_no_brush_paints_is_not_taken(strange: dict[str, str]) -> None:
    html = checked(SAID | {"board": "own"} | strange)
    assert agreed(wished(html)).board == PRESETS["two-before-city"]
    assert "<b>" not in html


def test_unknown_words_choose_nothing_new() -> None:
    wish = wished(checked({"seat": ["red", "green", "pink"], "cost": "a life", "board": "moon"}))
    assert agreed(wish) == Settings((RED, GREEN))
    assert wish.house == USUAL_HOUSE


def test_whoever_watches_may_look_but_not_begin() -> None:
    html = client(FakeRoom()).get("/setup").text
    assert 'id="begin"' not in html
    assert 'href="/join"' in html


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_choice_has_a_label_and_every_id_is_there_once(language: str) -> None:
    html = client(FakeRoom(), "red", language).get("/setup").text
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    inputs = re.findall(r'<input type="(?:radio|checkbox)"[^>]*>', html)
    assert len(inputs) == html.count('<label class="choice')
    assert ("Welche Regeln?" in html) == (language == "de")
    assert not re.search(r' (style|on\w+)="', html)


def test_whoever_reads_the_set_up_page_is_there_as_long_as_it_asks_again() -> None:
    now_s = [100.0]
    table = phones(FakeRoom(), set_up=OpenSetup(lambda: now_s[0]))
    watcher, phone = client(table), client(table, "red")
    watcher.get("/setup")
    assert not table.set_up
    phone.get("/setup")
    for _ in range(3):
        assert table.set_up
        now_s[0] += OPEN_S - 1
        assert phone.head("/setup/checked").status_code == 200
    now_s[0] += OPEN_S
    assert not table.set_up
