"""What phones send to learn of hidden hands: refused, and with the same words whatever is held."""

from http.client import HTTPResponse
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.core.codec import pack
from companion.present.command_json import to_json
from companion.referee import automation
from companion.referee.commands import NewMatch
from companion.referee.events import Bot, HouseRules
from companion.system.text import SeatName
from tests.web.games import magic, witches
from tests.web.games.magic import mages
from tests.web.room import PIN, FakeRoom, app, client, phones
from tests.web.test_server import Served, event

SEATS = ("red", "green", "violet")
ROLES = ("red", "table", "blue", None)
NO_WITCHES = (  # red's turn, and red holds the same at both tables
    *("play", "play green", "play green blue:1", "play violet white:7", "play white:7", "keep"),
    *("play red white:7", "play red green:9", "play red blue:7", "change red red:1", "keep green"),
    *("deal", "deal red", "deal green white:7", "deal red white:7", "turn", "turn white:9"),
    *("turn green:9", "deal violet green:9", "nonsense", "play red", "deal white red:9"),
)
NO_MAGES = (
    *("keep", "keep green", "keep green portals 10,22,34", "keep violet portals 4,22,40"),
    *("keep red", "keep red portals 1,2,3", "keep red portals 22,33,39", "keep red portals 9"),
    *("deal red 22", "deal green 39", "deal", "draw", "draw 35", "draw 1", "turn", "unveil"),
    *("take red 26", "open green 22", "call", "call green", "catch fire", "claim green four"),
    *("crystallize green 22:fire", "waive green", "keep blue portals 1,2,3"),
)


def witch_tables() -> list[FakeRoom]:
    """Return two tables that differ only in what Green, a player of ours, and Violet hold."""
    one = ("red:1 red:2 red:3", "blue:1 blue:2 white:7 white:8", "blue:3 blue:4 white:9")
    other = ("red:1 red:2 red:3", "blue:1 blue:2 white:9 green:9", "blue:3 blue:4 white:7")
    house = HouseRules(bots=(Bot(SeatName.GREEN, "greedy"),))
    return [
        witches.witches(*hands, seats=SEATS, turned="yellow:4", house=house)
        for hands in (one, other)
    ]


def mage_tables() -> list[FakeRoom]:
    """Return two tables that differ only in what Green and Violet were dealt."""
    one = ((33, 9, 21, 24, 27, 12), (34, 10, 39, 25, 13, 3), (22, 40, 31, 4, 36, 18))
    other = ((33, 9, 21, 24, 27, 12), (34, 10, 22, 40, 13, 35), (39, 25, 31, 1, 36, 18))
    return [mages(*hands, seats=SEATS) for hands in (one, other)]


def wishes(texts: tuple[str, ...], newest: int) -> list[dict[str, Any]]:
    acts: list[dict[str, Any]] = [{"kind": "act", "text": text} for text in texts]
    right = [
        {"kind": "put-right", "deed": event, "text": text}
        for text in texts
        for event in (1, newest, 999)
    ]
    others: list[dict[str, Any]] = [
        {"kind": "roll-for-us"},
        {"kind": "take-back"},
        {"kind": "choose-anew"},
        {"kind": "settle", "seat": "green", "stopper": 3},
        {"kind": "rule", "foul": 1, "upheld": True},
    ]
    return [*acts, *right, *others]


@pytest.mark.parametrize("game", ["witches", "mages"])
def test_what_is_refused_says_nothing_of_hidden_hands(game: str) -> None:
    rooms, texts = {"witches": (witch_tables(), NO_WITCHES), "mages": (mage_tables(), NO_MAGES)}[
        game
    ]
    newest = rooms[0].now.version
    apps = [app(room) for room in rooms]
    for role in ROLES:
        pair = [client(made, role) for made in apps]
        for number, wish in enumerate(wishes(texts, newest)):
            sent = {"request": f"{role}-{number}", "wish": wish}
            answers = [phone.post("/api/commands", json=sent) for phone in pair]
            assert answers[0].data == answers[1].data, (role, wish)
            assert answers[0].status_code in (403, 422), (role, wish, answers[0].data)
    assert [room.now.version for room in rooms] == [newest, newest]


def everything(phone: FlaskClient) -> bytes:
    paths = ("/", "/api/snapshot", "/api/view/table", "/history/m0", "/api/matches/m0")
    return b"".join(phone.get(path).data for path in (*paths, "/api/matches/m0/export"))


def test_a_phone_for_a_seat_of_the_companion_sees_no_hand() -> None:
    rooms = witch_tables()
    assert everything(client(rooms[0], "green")) == everything(client(rooms[1], "green"))
    assert client(rooms[0], "green").get("/api/snapshot").get_json()["view"]["hand"] == []


@pytest.mark.parametrize("game", ["witches", "mages"])
def test_a_match_that_is_given_up_shows_no_hand_and_can_go_on(game: str) -> None:
    rooms = witch_tables() if game == "witches" else mage_tables()
    for room in rooms:
        phone = client(room, "red")
        wish = {"request": "up", "wish": {"kind": "give-up"}}
        assert phone.post("/api/commands", json=wish).status_code == 200
    for role in (None, "table", "green" if game == "witches" else "blue"):
        one, other = (everything(client(room, role)) for room in rooms)
        assert one == other
    for room in rooms:
        wish = {"request": "back", "wish": {"kind": "take-back"}}
        assert client(room, "red").post("/api/commands", json=wish).status_code == 200
        assert not room.now.over


def test_a_seat_wishes_for_itself_only_and_for_nothing_of_another_game() -> None:
    room = mages(seats=SEATS)
    made = app(room)
    for text, code in (
        ("keep green", "not-your-seat"),
        ("keep violet portals 4,22,40", "not-your-seat"),
        ("keep", "not-your-seat"),
        ("move green start 5", "refused"),  # which is no action of the game that is played
    ):
        sent = {"request": "x", "wish": {"kind": "act", "text": text}}
        answer = client(made, "red").post("/api/commands", json=sent)
        assert answer.get_json()["error"]["code"] == code, text
    magic.play(room, "keep red portals 9,21,33")
    sent = {"request": "y", "wish": {"kind": "put-right", "deed": room.now.acted, "text": "waive"}}
    assert client(made, "green").post("/api/commands", json=sent).status_code == 403


def test_everybody_sees_that_several_phones_see_a_hand() -> None:
    """Whoever knows the PIN can join for any seat: that must not go unseen."""
    room = witch_tables()[0]
    rung: list[str] = []
    of = phones(room, changed=lambda: rung.append("rung"))
    made = app(of)
    watcher, red = client(made), client(made, "red")
    first, sneaking = client(made, "violet"), client(made)
    assert "shared-violet" not in watcher.get("/api/view/table").get_json()["html"]
    rung.clear()
    paired = sneaking.post("/api/pair", json={"pin": PIN, "seat": "violet"})
    assert paired.status_code == 200
    assert rung
    for phone in (watcher, red, first, sneaking):
        html = phone.get("/api/view/table").get_json()["html"]
        assert "shared-violet" in html
        assert "shared-red" not in html
    sneaking.post("/api/unpair", json={})
    assert "shared-violet" in red.get("/api/view/table").get_json()["html"]  # it has seen it
    client(made, "table").post("/api/unpair", json={"all": True})
    assert "shared-violet" not in red.get("/api/view/table").get_json()["html"]


def test_whoever_joins_again_with_the_same_phone_shares_no_hand() -> None:
    made = app(witch_tables()[0])
    phone = client(made, "violet")
    for _ in range(2):
        assert phone.post("/api/pair", json={"pin": PIN, "seat": "violet"}).status_code == 200
    assert phone.post("/api/pair", json={"pin": PIN}).status_code == 200  # now it is the table's
    html = phone.get("/api/view/table").get_json()["html"]
    assert "shared-" not in html
    assert "crossed-" not in html


def test_everybody_is_told_of_a_phone_that_has_seen_the_hands_of_two_seats() -> None:
    """It changes seats: nobody else has to act for them at that time, nor anybody to look."""
    room = witch_tables()[0]
    made = app(room)
    watcher, phone = client(made), client(made, "violet")
    phone.post("/api/pair", json={"pin": PIN, "seat": "red"})
    html = watcher.get("/api/view/table").get_json()["html"]
    assert 'id="crossed-red-violet"' in html
    assert "One phone has seen the hands of Red and Violet in this match." in html
    assert "shared-" not in html
    phone.post("/api/pair", json={"pin": PIN, "seat": "violet"})  # and back, as if nothing was
    assert "crossed-red-violet" in watcher.get("/").text
    client(made, "table").post("/api/unpair", json={"all": True})
    assert "crossed-" not in watcher.get("/").text


def test_everybody_is_told_of_a_hand_that_phones_see_one_after_the_other() -> None:
    """Who lets go first, and comes with another name, is at no time at a seat with its owner."""
    made = app(witch_tables()[0])
    watcher, owner, sneaking = client(made), client(made, "violet"), client(made, "red")
    owner.post("/api/unpair", json={})
    sneaking.post("/api/unpair", json={})
    assert "shared-" not in watcher.get("/").text
    sneaking.post("/api/pair", json={"pin": PIN, "seat": "violet"})
    html = watcher.get("/").text
    assert "shared-violet" in html
    assert "shared-red" not in html


def test_what_was_seen_in_one_match_is_not_told_in_the_next() -> None:
    room = witch_tables()[0]
    made = app(room)
    phone = client(made, "violet")
    phone.post("/api/pair", json={"pin": PIN, "seat": "red"})
    assert "crossed-red-violet" in phone.get("/").text
    phone.post("/api/commands", json={"request": "up", "wish": {"kind": "give-up"}})
    assert "crossed-" not in phone.get("/").text
    wish = to_json(NewMatch(str(room.now.game), pack(room.now.settings), HouseRules()))
    sent = {"request": "anew", "match": room.now.match, "wish": wish}
    assert phone.post("/api/commands", json=sent).status_code == 200
    assert not room.now.over
    assert "crossed-" not in phone.get("/").text


def test_seats_that_change_before_hands_are_dealt_or_where_there_are_none_are_not_told() -> None:
    made = app(FakeRoom("red", "blue"))
    phone = client(made, "red")
    phone.post("/api/pair", json={"pin": PIN, "seat": "blue"})
    assert "crossed-" not in phone.get("/").text


def test_where_there_are_no_hands_several_phones_may_act_for_a_seat() -> None:
    made = app(FakeRoom("red", "blue"))
    phone, _ = client(made, "red"), client(made, "red")
    assert "shared-red" not in phone.get("/").text


def test_where_the_companion_waits_any_phone_at_the_table_has_it_roll_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(automation, "ALONE", 2)
    room = FakeRoom()
    bots = tuple(Bot(seat, "greedy") for seat in (SeatName.GREEN, SeatName.BLUE))
    seats = {"seats": ["red", "green", "blue"]}
    assert room.wish(NewMatch("trap-the-wizard", seats, HouseRules(bots=bots))).refused is None
    made = app(room)
    magic.play(room, "roll 1", "move red start 5")
    assert room.now.view.player == SeatName.BLUE
    for role, rolls in (("red", True), ("table", True), (None, False)):
        assert ("roll-for-us" in client(made, role).get("/").text) is rolls, role


@pytest.mark.parametrize("by", ["itself", "the table"])
def test_a_stream_tells_a_hand_while_a_phone_is_in(by: str, request: pytest.FixtureRequest) -> None:
    """One could join for a moment, begin to listen, leave, and read on, seen by nobody."""
    served = Served(witch_tables()[0])
    request.addfinalizer(served.hang_up)
    spy, table = served.let_in("violet"), served.let_in("table")
    stream = served.listen(Cookie=spy)
    assert view_in(stream)["hand"]
    sent = {"itself": (spy, b"{}"), "the table": (table, b'{"all": true}')}[by]
    assert served.post("/api/unpair", sent[1], Cookie=sent[0]).status == 200
    witches.play(served.room, "play red red:1")
    assert view_in(stream)["hand"] == []


def view_in(stream: HTTPResponse) -> Any:
    """Return the view in the next event of a stream that tells the snapshot."""
    return event(stream)[2]["view"]
