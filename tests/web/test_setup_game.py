"""The set-up of the games without barrels: who plays, whom the companion plays, by which rules."""

import json
import re
from html import unescape

import pytest

from companion.core.codec import pack
from companion.core.plugin import GAMES, seats_of
from companion.present.page import pages_of_games, titles
from companion.referee.commands import GiveUp, NewMatch
from companion.referee.events import Bot, HouseRules, Roller
from companion.system.text import SeatName
from tests.games.trap_the_wizard.games import SMALL
from tests.web.room import FakeRoom, client
from tests.web.test_setup_page import checked, wished

GAME_PAGES = {game: page for game, page in pages_of_games() if page.form is None}
PLAYING = {"seat-red": "people", "seat-green": "casual", "seat-blue": "random"}


def test_every_game_is_offered_with_a_page_of_its_own() -> None:
    assert set(titles()) == set(GAMES)
    html = client(FakeRoom(), "table").get("/setup").text
    assert re.findall(r'href="/setup\?game=([a-z-]+)"', html) == [*titles()]


@pytest.mark.parametrize("game", GAME_PAGES)
def test_who_plays_and_who_is_played_becomes_the_wish(game: str) -> None:
    wish = wished(checked(PLAYING | {"game": game, "roller": "people"}))
    assert wish.game == game
    assert wish.settings["seats"] == ["red", "green", "blue"]
    bots = (Bot(SeatName.GREEN, "casual"), Bot(SeatName.BLUE, "random"))
    assert wish.house == HouseRules(roller=Roller.PEOPLE, bots=bots)


@pytest.mark.parametrize("game", GAME_PAGES)
def test_the_page_proposes_a_match_that_can_begin_at_once(game: str) -> None:
    room = FakeRoom()
    phone = client(room, "green")
    found = re.search(r'data-wish="([^"]+)"', phone.get(f"/setup?game={game}").text)
    assert found
    command = {"request": "one", "version": -1, "wish": json.loads(unescape(found[1]))}
    assert phone.post("/api/commands", json=command).status_code == 200
    now = room.now
    assert now.game == game
    assert now.settings == GAMES[game].settings_type(seats=now.settings.seats)
    assert now.house is not None
    assert {seat.colour for seat in now.seats} - {
        bot.seat.name.lower() for bot in now.house.bots
    } == {"green"}
    assert phone.get("/").status_code == 200


@pytest.mark.parametrize("game", GAME_PAGES)
def test_every_option_reaches_the_settings(game: str) -> None:
    kind = GAMES[game].settings_type
    for option in GAME_PAGES[game].options:
        for place, (value, _) in enumerate(option.values or ((True, None), (False, None))):
            said = (
                {option.name: str(place)} if option.values else {option.name: "1"} if value else {}
            )
            people = dict.fromkeys((f"seat-{word}" for word in seats_of(game)), "people")
            wish = wished(checked(people | said | {"game": game}))
            assert wish.settings[option.name] == pack(value)
            assert hasattr(kind(), option.name)


@pytest.mark.parametrize("game", GAME_PAGES)
@pytest.mark.parametrize(
    "who", [{}, {"seat-red": "people"}, {"seat-red": "greedy", "seat-green": "greedy"}]
)
def test_a_match_that_nobody_can_play_cannot_begin(game: str, who: dict[str, str]) -> None:
    html = checked(who | {"game": game})
    assert re.search(r'id="begin" disabled', html)
    assert 'id="faults"' in html


def test_nonsense_is_taken_for_nothing() -> None:
    said = PLAYING | {"game": "blackmore", "seat-violet": "a ghost", "side": "-1", "roller": "x"}
    wish = wished(checked(said))
    assert wish.settings["seats"] == ["red", "green", "blue"]
    assert client(FakeRoom(), "table").get("/setup?game=chess").status_code == 200


def test_what_was_agreed_on_last_is_proposed_again() -> None:
    room = FakeRoom()
    bots = (Bot(SeatName.BLUE, "random"),)
    settings = {"seats": ["red", "blue"], "rounds": 3, "turn_back": True}
    assert room.wish(NewMatch("trap-the-wizard", settings, HouseRules(bots=bots))).refused is None
    html = client(room, "table").get("/setup").text
    assert '<option value="random" selected>' in html
    assert re.search(r'name="turn_back" value="1" checked', html)
    wish = wished(
        checked(
            {
                "game": "trap-the-wizard",
                "seat-red": "people",
                "seat-blue": "random",
                "turn_back": "1",
                "rounds": "1",
                "gives-up": "1",
            },
            room,
        )
    )
    assert wish.settings["turn_back"] is True


def test_a_board_of_their_own_is_kept_for_the_next_match_unless_somebody_says_otherwise() -> None:
    room = FakeRoom()
    settings = pack(GAMES["trap-the-wizard"].settings_type(board=SMALL))
    assert room.wish(NewMatch("trap-the-wizard", settings, HouseRules())).refused is None
    room.wish(GiveUp())
    html = client(room, "table").get("/setup?game=trap-the-wizard").text
    assert 'name="own-board" value="m0" checked' in html
    assert wished(html).settings["board"] == pack(SMALL)
    said = PLAYING | {"game": "trap-the-wizard", "rounds": "0"}
    other = NewMatch("via-magica", {"seats": ["red", "blue"]}, HouseRules())
    assert room.wish(other).refused is None  # while somebody sets the next one up
    wish = wished(checked(said | {"own-board": "m0", "gives-up": "1"}, room))
    assert wish.settings["board"] == pack(SMALL)
    assert room.wish(wish).refused is None
    for nonsense in ("1", "m1", "\0"):  # no match, and none on a board
        html = checked(said | {"own-board": nonsense, "gives-up": "1"}, room)
        assert "board" not in wished(html).settings
    assert "board" not in wished(checked(said | {"gives-up": "1"}, room)).settings
    for game in ("via-magica", "trap-the-wizard"):  # what never had one is not asked for it
        assert "own-board" not in client(FakeRoom(), "table").get(f"/setup?game={game}").text


def test_who_leads_the_first_trick_is_asked_and_proposed_again() -> None:
    room = FakeRoom()
    settings = {"seats": ["red", "green", "blue"], "starter": "green"}
    assert room.wish(NewMatch("blackmore", settings, HouseRules())).refused is None
    room.wish(GiveUp())
    html = client(room, "table").get("/setup?game=blackmore").text
    assert '<option value="2" selected>Green</option>' in html
    assert wished(html).settings["starter"] == "green"
    away = {"game": "blackmore", "seat-red": "people", "seat-blue": "people", "starter": "2"}
    assert "Green does not play" in checked(away, room)
