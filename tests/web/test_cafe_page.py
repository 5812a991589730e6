"""What a café switches on: each alone, off at first, refused clearly, and telling nothing early."""

from pathlib import Path
from urllib.parse import unquote

import pytest
from flask import Flask

from companion.system.safe_json import load_json
from companion.web.cafe import CAFE_FILE, IMPORT, CafeOptions, KeptCafe
from companion.web.context import WebContext
from tests.web.playing import table, to_move, won
from tests.web.room import FakeRoom, app, client, phones

FORM = {"turn_s": "60", "break_min": "45", "overlay": "on", "bg_stats": "on"}


def opened(room: FakeRoom) -> tuple[WebContext, Flask]:
    whole = phones(room)
    return whole, app(whole)


def test_all_is_off_at_first_and_on_for_good_once_it_is_chosen(tmp_path: Path) -> None:
    whole, served = opened(table())
    watcher, phone = client(served), client(served, "red")
    assert (watcher.get("/").text + watcher.get("/tv").text).count("data-turn-s") == 0
    refused = watcher.get("/tv?overlay")
    assert refused.status_code == 404
    assert "switched off" in refused.text
    assert phone.post("/setup/cafe", data=FORM).status_code == 303
    assert watcher.get("/tv?overlay").status_code == 200
    assert 'data-turn-s="60"' in watcher.get("/").text
    assert 'data-break-min="45"' in watcher.get("/api/view/tv-de").json["html"]  # type: ignore[index]
    since_ms = whole.cafe.now.since_ms
    phone.post("/setup/cafe", data=FORM | {"turn_s": "90"})
    assert (whole.cafe.now.turn_s, whole.cafe.now.since_ms) == (90, since_ms)
    kept = KeptCafe(tmp_path)
    kept.choose(whole.cafe.now)
    assert KeptCafe(tmp_path).now == whole.cafe.now
    phone.post("/setup/cafe", data={})
    assert (whole.cafe.now.turn_s, whole.cafe.now.overlay) == (0, False)


def test_whoever_watches_switches_nothing() -> None:
    whole, served = opened(table())
    assert client(served).post("/setup/cafe", data=FORM).status_code == 403
    assert whole.cafe.now == CafeOptions()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"turn_s": "61"}, "&#39;turn_s&#39; must be one of"),
        ({"turn_s": "-1"}, "&#39;turn_s&#39; must be one of"),
        ({"break_min": "soon"}, "&#39;break_min&#39; must be one of"),
        ({"bell": "on"}, "&#39;bell&#39; has no place"),
    ],
)
def test_what_nobody_can_choose_is_refused_by_its_name(wrong: dict[str, str], said: str) -> None:
    whole, served = opened(table())
    answer = client(served, "table").post("/setup/cafe", data=FORM | wrong)
    assert answer.status_code == 400
    assert said in answer.text
    assert whole.cafe.now == CafeOptions()


@pytest.mark.parametrize("kept", [b"[]", b'{"turn_s": 61}', b"\xff", b'{"turn_s": "60"}'])
def test_a_file_that_makes_no_sense_switches_nothing_on(tmp_path: Path, kept: bytes) -> None:
    (tmp_path / CAFE_FILE.name).write_bytes(kept)
    assert KeptCafe(tmp_path).now == CafeOptions()


def test_bg_stats_gets_a_match_that_was_won_and_no_other() -> None:
    room = table()
    to_move(room, red=6, green=5, blue=11, yellow=2)
    _, served = opened(room)
    phone = client(served, "red")
    path = f"/history/{room.now.match}/bg-stats"
    assert "Switch this on" in phone.get(path).text
    phone.post("/setup/cafe", data=FORM)
    assert phone.get(path).status_code == 409  # it is being played: nobody is told anything early
    assert "bg-stats" not in phone.get(f"/history/{room.now.match}").text
    assert phone.get("/history/nowhere/bg-stats").status_code == 404


def test_bg_stats_gets_who_played_and_how_it_ended() -> None:
    room = won()
    _, served = opened(room)
    phone = client(served, "red")
    phone.post("/setup/cafe", data=FORM)
    match = room.now.match
    assert f'href="/history/{match}/bg-stats"' in phone.get(f"/history/{match}").text
    play = phone.get(f"/history/{match}/bg-stats")
    assert "attachment" in play.headers["Content-Disposition"]
    told = play.get_json()
    assert told["sourceName"] == "Rappelwacht"
    assert told["game"] == {
        "name": "Zapp Zerapp",
        "sourceGameId": "zapp-zerapp",
        "highestWins": True,
        "noPoints": False,
    }
    first, *others = told["players"]
    assert first == {"name": "Red", "sourcePlayerId": "red", "winner": True, "score": 3, "rank": 1}
    assert [(one["winner"], one["rank"]) for one in others] == [(False, 2)] * 3
    opens = phone.get(f"/history/{match}/bg-stats?open")
    assert opens.status_code == 303
    assert opens.location.startswith(IMPORT)
    assert load_json(unquote(opens.location.removeprefix(IMPORT)).encode()) == told
