"""The coach tells after the end what really happened, and before that not a byte of anything."""

import json
import re
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from html import unescape
from threading import Event
from typing import Any

import pytest

from companion.core.codec import pack
from companion.core.notation import write
from companion.core.plugin import PLUGINS
from companion.games.zapp_zerapp.rules import Colour, Settings
from companion.referee.commands import CorrectAction, DoAction, GiveUp, NewMatch, Undo
from companion.referee.events import HouseRules
from companion.referee.people.person import Animal
from companion.web.match_cache import MatchCache, coach_offers
from tests.games.zapp_zerapp.coach.matches import TWO, listened
from tests.web.room import FakeRoom, app, client, phones

RED, GREEN, BLUE, YELLOW = Colour
PATHS = (
    *("/", "/tv", "/history", "/history/m0", "/history/m0/coach", "/history/coach", "/manual"),
    *("/api/snapshot", "/api/view/table", "/api/matches", "/api/matches/m0", "/setup"),
    *("/api/matches/m0/coach", "/api/matches/m0/export", "/api/games"),
)


def begun(seats: tuple[Colour, ...] = TWO) -> FakeRoom:
    """Return a room in which a match begins."""
    room = FakeRoom()
    room.wish(NewMatch("zapp-zerapp", pack(Settings(seats)), HouseRules()))
    return room


def go_on(room: FakeRoom, seed: int, seats: tuple[Colour, ...] = TWO, until: int = 9999) -> None:
    """Play a match, or so many actions of it."""
    for action in listened(seed, seats).actions[:until]:
        refused = room.wish(DoAction(write(action))).refused
        assert refused is None, refused


@cache
def won() -> FakeRoom:
    """Return a room in which a match is won."""
    room = begun()
    go_on(room, 1)
    return room


def words(html: str) -> str:
    """Return what of a page people read."""
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)))


def test_whoever_has_won_finds_the_key_and_history_has_it_too() -> None:
    phone = client(won(), "red")
    for path in ("/", "/history/m0"):
        assert 'href="/history/m0/coach"' in phone.get(path).text
    assert 'href="/history/m0/coach"' in client(won()).get("/").text  # also who only watches


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("Was that luck?", "At first", "Own moves", "Moves of the others", "The ear")),
        ("de", ("War das Glück?", "Am Anfang", "Eigene Züge", "Züge der anderen", "Das Gehör")),
    ],
)
def test_the_report_is_told_in_words_and_figures(language: str, said: tuple[str, ...]) -> None:
    answer = client(won(), "red", language).get("/history/m0/coach")
    assert answer.status_code == 200
    for word in said:
        assert word in words(answer.text)
    assert len(re.findall(r'<svg class="plot [^>]*role="img" aria-label="[^"]+"', answer.text)) == 3


def test_what_is_shown_adds_up_though_it_is_rounded() -> None:
    html = client(won()).get("/history/m0/coach").text
    tables = re.findall(r'<table class="sum">(.*?)</table>', html, re.DOTALL)
    assert len(tables) == 2
    ends = []
    for table in tables:
        cells = re.findall(r"<td>([0-9+−]+)</td></tr>", table)
        first, *parts, last = (int(cell.replace("−", "-")) for cell in cells)
        assert first + sum(parts) == last
        ends.append(last)
    assert sorted(ends) == [0, 100]


def test_every_decision_that_was_dear_is_drawn_with_the_better_one() -> None:
    told = client(won()).get("/api/matches/m0/coach").get_json()
    html = client(won()).get("/history/m0/coach").text
    assert html.count('class="board"') == 2 * len(told["dearest"]) > 0  # a box, and the picture
    for one in told["dearest"]:
        assert one["done"] != one["best"]
        assert one["kind"] in {"error", "blunder"}
    errors = [one["error"] for one in told["dearest"]]
    assert errors == sorted(errors, reverse=True)


def test_figures_of_the_api_add_up_to_the_last_digit() -> None:
    told = client(won()).get("/api/matches/m0/coach").get_json()
    for parts in told["parts"]:
        luck = sum(one["brought"] for one in parts["luck"])
        moves = parts["own_moves"] + parts["others_moves"] + parts["put_right"]
        assert abs(parts["first"] + luck + moves - parts["last"]) <= 1e-9
    assert {one["source"] for one in told["parts"][0]["luck"]} == {"dice", "barrels"}
    assert told["exact"] == (told["why"] is None)


def test_nothing_is_told_of_what_is_played_given_up_or_unknown() -> None:
    room = begun()
    go_on(room, 1, until=30)
    for ends in (False, True):
        if ends:
            room.wish(GiveUp())  # that can be taken back, and then it goes on
        assert not coach_offers(room.snapshot)
        phone = client(room, "red")
        assert "/coach" not in phone.get("/").text + phone.get("/history/m0").text
        assert phone.get("/history/m0/coach").status_code == 404
        assert phone.get("/api/matches/m0/coach").status_code == 404
    assert client(room).get("/history/none/coach").status_code == 404


def test_before_a_match_ends_no_byte_differs_whether_there_is_a_coach_or_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bare, whole = begun(), begun()
    log = listened(1)
    for place, action in enumerate(log.actions[:-1]):
        for room in (bare, whole):
            assert room.wish(DoAction(write(action))).refused is None
        if place in {7, len(log.actions) - 2}:
            with monkeypatch.context() as without:
                for game in PLUGINS:
                    without.setitem(PLUGINS[game].found, "coach", None)
                told = everything(bare)
            assert everything(whole) == told
    assert not coach_offers(whole.snapshot)
    go_on_last(whole, write(log.actions[-1]))


def go_on_last(room: FakeRoom, text: str) -> None:
    """Win, and see that the comparison had something to find."""
    before = everything(room)
    assert room.wish(DoAction(text)).refused is None
    after = everything(room)
    assert coach_offers(room.snapshot)
    link = 'href="/history/m0/coach"'
    assert link not in str([one[-1] for one in before])
    assert link in str([one[-1] for one in after])


def everything(room: FakeRoom) -> list[Any]:
    """Return all that leaves the daemon for somebody who looks everywhere."""
    found, made = [], app(room)
    for role in (None, "red", "table"):
        phone = client(made, role)
        for path in PATHS:
            answer = phone.get(path)
            headers = [one for one in answer.headers if one[0] not in {"Date", "Set-Cookie"}]
            found.append((role, path, answer.status_code, headers, answer.data))
    return found


def test_a_move_that_was_taken_back_and_a_number_put_right_leave_no_trace() -> None:
    room, log = begun(), listened(1)
    for action in log.actions:
        text = write(action)
        if text.startswith("say"):
            assert room.wish(DoAction(text)).refused is None
        elif text.startswith("roll"):
            wrong = "roll 12" if text != "roll 12" else "roll 2"
            assert room.wish(DoAction(wrong)).refused is None
            acted = room.snapshot.acted
            assert room.wish(CorrectAction(acted, text)).refused is None
        elif text.startswith("move"):
            assert room.wish(DoAction(text)).refused is None
            if not room.snapshot.over:
                assert room.wish(Undo()).refused is None
                assert room.wish(DoAction(text)).refused is None
        else:
            assert room.wish(DoAction(text)).refused is None
    plain, twisted = ({**told(one), "id": ""} for one in (won(), room))
    assert twisted == plain


def told(room: FakeRoom) -> dict[str, Any]:
    found: dict[str, Any] = client(room).get("/api/matches/m0/coach").get_json()
    return found


def test_a_won_match_that_is_taken_back_is_told_of_no_more_until_it_is_won_again() -> None:
    room = begun()
    go_on(room, 1)
    made = phones(room)
    phone = client(made, "table")
    before = phone.get("/api/matches/m0/coach").get_json()
    assert room.wish(Undo()).refused is None
    assert phone.get("/api/matches/m0/coach").status_code == 404
    assert "/coach" not in phone.get("/").text
    assert room.wish(DoAction(write(listened(1).actions[-1]))).refused is None
    assert phone.get("/api/matches/m0/coach").get_json() == before


def test_a_match_is_worked_out_once_for_all_phones(monkeypatch: pytest.MonkeyPatch) -> None:
    room = won()
    asked: list[str] = []
    opened = MatchCache.opened

    def noted(self: MatchCache, match: Any) -> Any:
        asked.append(match.id)
        return opened(self, match)

    monkeypatch.setattr(MatchCache, "opened", noted)
    reports = MatchCache(room)
    first = reports.report_on(room.matches()[0])
    assert reports.report_on(room.matches()[0]) is first
    assert asked == ["m0"]


def test_whoever_asks_meanwhile_waits_instead_of_working_it_out_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room, started, go = won(), Event(), Event()
    asked: list[str] = []
    opened = MatchCache.opened

    def slowly(self: MatchCache, match: Any) -> Any:
        asked.append(match.id)
        started.set()
        assert go.wait(10)
        return opened(self, match)

    monkeypatch.setattr(MatchCache, "opened", slowly)
    reports = MatchCache(room)
    with ThreadPoolExecutor(2) as two:
        first = two.submit(reports.report_on, room.matches()[0])
        assert started.wait(10)
        second = two.submit(reports.report_on, room.matches()[0])
        wait([second], 0.05)  # long enough to work out the same, if it did
        go.set()
        assert first.result(10) is second.result(10)
    assert asked == ["m0"]


def test_a_game_that_brings_no_coach_shows_nothing() -> None:
    room = FakeRoom()
    game = next(name for name in PLUGINS if name == "blackmore")
    room.wish(
        NewMatch(game, json.loads(json.dumps(pack(PLUGINS[game].game().settings))), HouseRules())
    )
    assert not coach_offers(room.snapshot)


def test_evenings_tell_of_those_who_are_known_and_forget_who_is_erased() -> None:
    room = begun()
    made = phones(room)
    anna = made.people.sit("red", "Anna <b>", Animal.OWL, kept=True)
    made.people.sit("blue", "Otto", Animal.FOX, kept=True)
    made.people.playing("m0", ("red", "blue"), over=False)
    go_on(room, 1)
    phone = client(made, "table")
    html = phone.get("/history/coach").text
    assert "Anna &lt;b&gt;" in html
    assert "Otto" in html
    row = words(html[html.index("Anna") : html.index("</li>", html.index("Anna"))])
    assert "1 match" in row
    assert re.search(r"Lost per free decision: \d+[.]\d ± \d+[.]\d points", row)
    assert re.search(r"by ear, each round: \d+[.]\d ± \d+[.]\d points; that is \d+ ± \d+ %", row)
    told = phone.get("/history/m0/coach").text
    assert "Anna &lt;b&gt;" in told
    assert "<b>" not in html + told
    made.people.forget(anna.id)
    for path in ("/history/coach", "/history/m0/coach"):
        gone = phone.get(path).text
        assert "Anna" not in gone
        assert "Otto" in gone


def test_whoever_is_known_to_nobody_reads_how_to_become_known() -> None:
    assert "Nobody is known here yet." in words(client(won()).get("/history/coach").text)
