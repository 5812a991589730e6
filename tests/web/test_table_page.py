"""The table page: every phase says what to do, to whom it may be done, and nobody else's keys."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.games.zapp_zerapp.rules import Colour
from companion.maintenance.view import CalibrationShown, MaintenanceDetails
from companion.present.command_json import from_json, meanings
from companion.present.viewer import Viewer
from companion.referee.commands import DoAction
from companion.referee.events import HouseRules, Roller
from companion.sensing.events import BarrelMotion, BarrelMoved
from companion.system import config
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.web.permissions import refusal
from tests.referee.tables import NOW
from tests.web.playing import do, moving, offered, page, peek, table, texts, to_move, won
from tests.web.room import FakeRoom, client

ROLES = (None, "table", "red", "blue")


def test_before_any_match_the_page_leads_to_the_set_up() -> None:
    html = page(FakeRoom())
    assert 'href="/setup"' in html
    assert offered(html) == []


def test_a_table_of_phones_alone_asks_for_nothing_that_is_not_there(tmp_path: Path) -> None:
    with Table(TableConfig(config.TableWiring(), tmp_path)) as real:
        parts = real.snapshot.parts
    room = FakeRoom()
    room.workshop = replace(
        room.workshop, opened=MaintenanceDetails((), (), CalibrationShown(13, 13, None, (), ()))
    )
    asks = re.compile("press|seat's button|pad|lights|buzzer", re.IGNORECASE)

    def asked() -> list[str]:
        pages = [client(room).get(path).text for path in ("/", "/join", "/workshop", "/tv")]
        shown = (re.sub(r"<(template|script)\b.*?</\1>|<[^>]*>", " ", html) for html in pages)
        return [word for text in shown for word in asks.findall(text)]

    assert asked()
    room.publish(replace(room.now, parts=parts), ())
    assert asked() == []


def test_seats_that_have_joined_can_begin_from_a_phone() -> None:
    room = FakeRoom()
    room.press("green")
    room.press("blue")
    (wish,) = offered(page(room))
    assert wish["kind"] == "new-match"
    assert wish["settings"]["seats"] == ["green", "blue"]
    assert offered(page(room, None)) == []


def test_the_dice_are_entered_with_eleven_keys_or_rolled_by_the_companion() -> None:
    html = page(table(), "red")
    assert texts(html) == [f"roll {magic}" for magic in range(2, 13)]
    assert {"kind": "roll-for-us"} in offered(html)
    quiet = page(table(HouseRules(roller=Roller.COMPANION)), "red")
    assert offered(quiet) == [{"kind": "roll-for-us"}]


def test_a_seat_places_its_own_barrel_and_takes_it_back() -> None:
    room = table()
    do(room, "roll 8", "place red")
    assert texts(page(room, "red")) == ["putback red"]
    assert texts(page(room, "blue")) == ["place blue"]
    assert texts(page(room, "table")) == [
        "putback red",
        "place green",
        "place blue",
        "place yellow",
    ]


def told_by_the_api(room: FakeRoom) -> dict[str, object]:
    found: dict[str, object] = client(room).get("/api/snapshot").get_json()
    return found


def test_flipping_is_told_by_a_tap_at_once_only_where_no_sensor_says_otherwise() -> None:
    room = table(seats=(Colour.RED, Colour.GREEN))
    room.wish(DoAction("roll 8"))
    room.tell(BarrelMoved(3, BarrelMotion.STANDING, NOW, sure=True))
    room.place("red", 3)
    assert told_by_the_api(room)["unflipped"] == []  # green still chooses
    room.place("green", 5)  # its sensor says nothing
    assert told_by_the_api(room)["unflipped"] == ["red"]
    html = page(room, "red").split('id="doing-flip"')[1]
    assert html.index("your barrel is still upright") < html.index("<details")
    assert html.index('<details id="flipped-anyway">') < html.index(">All barrels are flipped<")
    room.tell(BarrelMoved(3, BarrelMotion.LOST, NOW, sure=True))
    html = page(room, "red").split('id="doing-flip"')[1]
    assert "upright" not in html
    assert "flipped-anyway" not in html
    assert ">All barrels are flipped<" in html


def test_placing_is_not_refused_because_others_placed_meanwhile() -> None:
    room = table()
    do(room, "roll 8")
    card = page(room, "red").split('id="doing-place"')[1]
    assert card.startswith(' data-version=""')
    assert texts(card) == ["place red"]


def test_a_seat_whose_barrel_is_not_known_settles_it_without_naming_a_stopper() -> None:
    room = FakeRoom("red", "blue")
    do(room, "roll 8")
    room.place("red", 4, confidence=0.5)
    html = page(room, "red")
    assert {"kind": "settle", "seat": "red", "stopper": None} in offered(html)
    assert "which barrel?" in page(room, "blue")
    assert not any(wish["kind"] == "settle" for wish in offered(page(room, "blue")))


def test_flipping_is_everybodys() -> None:
    room = FakeRoom("red", "blue")
    do(room, "roll 8", "place red", "place blue")
    for role in ("table", "red", "blue"):
        assert "flip" in texts(page(room, role))


def test_numbers_are_said_with_thirteen_keys_and_none_twice() -> None:
    room = FakeRoom("red", "blue")
    do(room, "roll 8", "place red", "place blue", "flip", "say red 5")
    html = page(room, "blue")
    assert texts(html) == [f"say blue {number}" for number in range(1, 14)]
    assert re.findall(r'id="say-blue-(\d+)"[^>]* disabled', html) == ["5"]
    assert texts(page(room, "red")) == []


def test_the_seats_say_what_they_do() -> None:
    room = table()
    to_move(room, red=6, green=5, blue=11, yellow=2)
    html = page(room)
    for told in (">now<", ">2nd<", ">3rd<", "too much"):
        assert told in html
    assert re.findall(r'<strong class="number">(\d+)', html) == ["6", "5", "11", "2"]
    assert 'id="seat-red" class="seat-red turn"' in html
    assert 'id="seat-blue" class="seat-blue fails"' in html


def moments() -> list[tuple[str, FakeRoom]]:
    """Return tables in every phase, one of each."""
    found = [("none", FakeRoom()), ("roll", table()), ("move", moving(profi=True))]
    for name, events in {
        "place": ["place red"],
        "flip": ["place red", "place blue"],
        "say": ["place red", "place blue", "flip"],
    }.items():
        room = FakeRoom("red", "blue")
        do(room, "roll 8", *events)
        room.tell(peek())
        found.append((name, room))
    return [*found, ("over", won())]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("name", "room"), moments(), ids=lambda one: one if isinstance(one, str) else ""
)
def test_no_key_stands_on_a_page_that_this_phone_may_not_press(
    name: str, room: FakeRoom, role: str | None
) -> None:
    html = page(room, role)
    assert f"phase-{name}" in html
    for wish in offered(html):
        wanted = from_json(wish)
        assert refusal(Viewer("en", role), wanted, meanings(wanted)) is None, wish


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("name", "room"), moments(), ids=lambda one: one if isinstance(one, str) else ""
)
def test_ids_are_unique_and_buttons_have_words(name: str, room: FakeRoom, language: str) -> None:
    html = page(room, "table", language)
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids)), name
    for words in re.findall(r"<button[^>]*>(.*?)</button>", html, re.DOTALL):
        assert re.sub(r"<[^>]+>", "", words).strip()
    for target in re.findall(r'data-(?:for|choose)="([^"]+)"', html):
        assert f'id="{target}"' in html
    assert not re.search(r' (style|on\w+)="', html)


def test_the_german_page_has_no_english_headline() -> None:
    assert "Was zeigen die Würfel zusammen?" in page(table(), "table", "de")


def test_the_page_is_served_and_the_live_part_is_the_same_without_a_request() -> None:
    room = table()
    phone: FlaskClient = client(room, "red")
    answer = phone.get("/")
    assert answer.status_code == 200
    assert page(room, "red") in answer.text
    newest = phone.get("/api/view/table")
    assert newest.get_json()["html"] == page(room, "red")


def test_a_chip_tells_a_screen_reader_what_its_dots_icons_and_ring_mean() -> None:
    html = page(moving(), "blue")
    chips = dict(re.findall(r'<li id="seat-(\w+)"(.*?)</li>', html, re.DOTALL))
    assert 'aria-label="1 at the start, 2 on the road, 0 home"' in chips["red"]
    assert [name for name, chip in chips.items() if ">you</span>" in chip] == ["blue"]
    assert all("<svg" in chip.partition('class="doing"')[2] for chip in chips.values())
    crowned = re.findall(r'<li id="seat-(\w+)"(?:(?!</li>).)*class="crown"', page(won()), re.DOTALL)
    assert crowned == ["red"]
