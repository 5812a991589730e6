"""Every match is read once, a little at a time; and that nobody can look now is said so."""

from collections import Counter
from collections.abc import Sequence
from threading import Event
from typing import Any

import pytest

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Settings, ZappZerapp
from companion.journal import Entry, ListedMatch
from companion.referee.commands import Command, DoAction, GiveUp, NewMatch
from companion.referee.events import HouseRules
from companion.referee.handlers import usual_match
from companion.system.config import TableWiring as Wiring
from companion.system.errors import NoAnswer
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.web import match_cache
from companion.web.match_cache import READING_S, MatchCache
from tests.web.playing import to_move
from tests.web.room import FakeRoom, client, phones

LONG_S = 1e9


class Counted(FakeRoom):
    """A room that counts how often each match is read, and of which nothing is known for a while.

    >>> Counted("red", "blue").read
    Counter()
    """

    def __init__(self, *colours: str) -> None:
        self.read: Counter[str] = Counter()
        self.hangs = False
        super().__init__(*colours)

    def matches(self) -> Sequence[ListedMatch]:
        if self.hangs:
            raise NoAnswer("The journal cannot be read just now; ask again in a moment.")
        return super().matches()

    def entries(self, match: str) -> Sequence[Entry]:
        if self.hangs:
            raise NoAnswer("The journal cannot be read just now; ask again in a moment.")
        self.read[match] += 1
        return super().entries(match)


def played(count: int) -> Counted:
    room = Counted()
    for _ in range(count):
        settings = pack(Settings((Colour.RED, Colour.YELLOW)))
        room.wish(NewMatch(ZappZerapp.name, settings, HouseRules()))
        room.wish(GiveUp())
    return room


def test_every_match_is_read_once_and_again_only_when_it_went_on() -> None:
    room = played(5)
    library = MatchCache(room, LONG_S)
    for _ in range(3):
        assert len(library.pasts(room.matches())) == 5
    assert set(room.read.values()) == {1}
    room.wish(usual_match(["red", "blue"]))
    library.pasts(room.matches())
    assert room.wish(DoAction("roll 7")).refused is None
    assert library.pasts(room.matches())[0].seats
    assert room.read["m5"] == 2
    assert room.read["m4"] == 1
    assert len(library.opened(room.matches()[0]).steps) == 2
    assert library.opened(room.matches()[0]) is library.opened(room.matches()[0])


def test_a_request_reads_for_a_while_and_the_page_asks_for_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room, clock = played(8), [0.0]
    monkeypatch.setattr(match_cache, "monotonic", lambda: clock[0])
    table = phones(room)
    table.library.reading_s = READING_S
    read = table.library._read

    def slowly(match: ListedMatch) -> Any:
        clock[0] += 0.4 * READING_S
        return read(match)

    monkeypatch.setattr(table.library, "_read", slowly)
    phone = client(table)
    shown = [phone.get(path).text for path in ("/history", "/history?more")]
    assert [page.count('class="card match"') for page in shown] == [3, 8]
    assert "5 more matches are being read; they appear here in a moment." in shown[0]
    assert ['http-equiv="refresh"' in page for page in shown] == [True, False]
    assert ["history_list.js" in page for page in shown] == [True, False]


@pytest.mark.parametrize("path", ["/history", "/history/m0", "/api/matches", "/api/matches/m0"])
def test_that_nobody_can_look_now_is_said_and_not_kept(path: str) -> None:
    room = played(1)
    phone = client(room)
    room.hangs = True
    answer = phone.get(path)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")
    assert "The journal cannot be read just now; ask again in a moment." in answer.text
    german = client(room, language="de").get(path)
    said = german.get_json()["error"]["sentence"] if german.is_json else german.text
    assert "Das Journal lässt sich gerade nicht lesen; frag gleich noch einmal." in said
    room.hangs = False
    again = phone.get(path)
    assert again.status_code == 200
    assert "unreadable" not in again.text


def test_who_may_put_something_right_is_not_guessed() -> None:
    room = Counted("red", "blue")
    to_move(room, red=6, blue=4)
    red = client(room, "red")
    blues = room.entries("m0")[-1].number
    wish = {"kind": "put-right", "deed": blues, "text": "say blue 9"}
    sent = {"request": "r1", "wish": wish, "match": "m0", "version": room.snapshot.version}
    assert red.post("/api/commands", json=sent).status_code == 403
    room.hangs = True
    assert red.post("/api/commands", json=sent | {"request": "r2"}).status_code == 503
    assert dict(room.snapshot.view.numbers)[Colour.BLUE] == 4


def test_phones_read_the_past_while_the_tables_thread_is_held_up(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = TableConfig(Wiring(), tmp_path)
    with Table(plan) as table:
        answer = table.ask(Command("1", usual_match(["red", "blue"]), "red"))
        assert answer is None or answer.refused is None
        held, go_on = Event(), Event()

        def hold(*_: object) -> None:
            held.set()
            go_on.wait(60)

        monkeypatch.setattr(table.journal, "tick", hold)
        assert held.wait(60)
        try:
            phone = client(phones(table))
            (listed,) = phone.get("/api/matches?limit=1").get_json()["matches"]
            told = phone.get(f"/api/matches/{listed['id']}")
            assert told.status_code == 200
            assert len(told.get_json()["steps"]) == 1
            assert phone.get(f"/api/matches/{listed['id']}/export").status_code == 200
            assert phone.get("/history").status_code == 200
        finally:
            go_on.set()


def test_a_match_that_was_read_by_half_is_not_kept() -> None:
    room = played(1)
    library = MatchCache(room, LONG_S)
    room.hangs = True
    with pytest.raises(NoAnswer):
        library.opened(FakeRoom.matches(room)[0])
    room.hangs = False
    assert library.opened(room.matches()[0]).steps


def test_whoever_waits_too_long_for_the_reading_of_others_is_told_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(match_cache, "WAIT_S", 0.01)
    room = played(1)
    library = MatchCache(room, LONG_S)
    with library._turn(), pytest.raises(NoAnswer):
        library.opened(room.matches()[0])
    assert library.opened(room.matches()[0]).steps
