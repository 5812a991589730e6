"""The API, as a client of another maker uses it."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.core.codec import pack
from companion.core.game import Game
from companion.core.notation import Parsed, parse
from companion.core.plugin import GAMES, players
from companion.games.zapp_zerapp.rules import PRESETS, Settings
from companion.journal import Entry
from companion.journal.entry import body_text
from companion.journal.export import is_export, read_export
from companion.present import command_json
from companion.referee import handlers
from companion.referee.commands import Answer, AssignBarrel, Command, DoAction, GiveUp
from companion.referee.events import BarrelAssigned
from companion.referee.handlers import CALLED, usual_match
from companion.referee.replay import replay_steps
from companion.web import api
from companion.web.openapi import ROUTES
from tests.web.room import FakeRoom, app, client

ROLL = {"kind": "act", "text": "roll 8"}


def wish(phone: FlaskClient, of: object, request: str = "first", version: object = None) -> Any:
    sent = {"request": request, "match": "m0", "version": version, "wish": of}
    return documented(phone.post("/api/commands", json=sent))


def documented(answer: TestResponse) -> TestResponse:
    """Return an answer whose status the document knows."""
    method = answer.request.method.lower()
    route = next(
        one
        for one in ROUTES
        if one.method == method
        and one.path.split("{")[0] in answer.request.path + "/"
        and one.path.count("/") == answer.request.path.count("/")
    )
    assert answer.status_code in {200, *route.faults}
    return answer


def code(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["error"]["code"]


@pytest.fixture
def room() -> FakeRoom:
    return FakeRoom("red", "blue")


@pytest.fixture
def red(room: FakeRoom) -> FlaskClient:
    return client(room, "red")


# --- commands -------------------------------------------------------------------------------------


def test_a_wish_is_done_and_answered_with_the_new_version(room: FakeRoom, red: FlaskClient) -> None:
    assert wish(red, ROLL, "r-1_x", 0).get_json() == {"request": "r-1_x", "version": 1}
    assert room.commands == [Command("r-1_x", DoAction("roll 8"), "red", 0, "m0")]


@pytest.mark.parametrize("named", [{}, {"match": "m0"}])
def test_a_text_is_read_once_from_who_may_wish_for_it_to_the_journal(
    named: dict[str, str], room: FakeRoom, red: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_of = list[str]()

    def reads(game: Game[Any], text: str) -> Parsed:
        read_of.append(text)
        return parse(game, text)

    for module in (command_json, handlers):
        monkeypatch.setattr(module, "parse", reads)
    for number, text in enumerate(("roll 8", "place red")):
        sent = {"request": text[:4], "wish": {"kind": "act", "text": text}, **named}
        assert red.post("/api/commands", json=sent).status_code == 200, text
        assert room.snapshot.version == number + 1
    assert read_of == ["roll 8", "place red"]


def test_what_a_text_means_in_another_game_is_not_done(room: FakeRoom) -> None:
    other = parse(GAMES["trap-the-wizard"](), "roll 5")
    assert room.ask(Command("1", DoAction("roll 8"), "red", means=other)) is not None
    assert room.snapshot.view.magic == 8
    assert room.now.view.magic == 8


def test_a_request_is_done_once_however_often_it_is_sent(room: FakeRoom, red: FlaskClient) -> None:
    answers = [wish(red, ROLL, "again", 0).get_json() for _ in range(3)]
    assert answers == [{"request": "again", "version": 1}] * 3
    assert room.now.version == 1


def test_whoever_decided_on_what_has_changed_is_told_so(room: FakeRoom, red: FlaskClient) -> None:
    room.wish(DoAction("roll 9"))
    late = wish(red, ROLL, version=0)
    assert code(late) == (409, "stale")
    assert late.get_json()["version"] == 1
    assert room.now.view.magic == 9


def test_a_late_tap_of_an_earlier_match_does_nothing_now(room: FakeRoom, red: FlaskClient) -> None:
    room.wish(GiveUp())
    room.wish(usual_match(("red", "blue")))
    for version in (0, None):  # the new match stands at that entry, too
        assert code(wish(red, ROLL, version=version)) == (409, "stale")
    assert (room.now.match, room.now.version) == ("m1", 0)
    newer = {"request": "new", "match": "m1", "version": 0, "wish": ROLL}
    assert red.post("/api/commands", json=newer).status_code == 200


def test_an_action_is_done_in_the_match_for_which_it_was_allowed(
    room: FakeRoom, red: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = room.ask

    def late(command: Command) -> Answer | None:
        room.wish(GiveUp())
        room.wish(usual_match(("red", "blue")))
        return ask(command)

    monkeypatch.setattr(room, "ask", late)
    sent = {"request": "any", "wish": ROLL}  # names no match: whichever is played
    assert code(red.post("/api/commands", json=sent)) == (409, "stale")
    assert (room.now.match, room.now.version) == ("m1", 0)


def test_whoever_names_an_entry_names_its_match(room: FakeRoom, red: FlaskClient) -> None:
    sent = {"request": "first", "version": 0, "wish": ROLL}
    unnamed = documented(red.post("/api/commands", json=sent))
    assert code(unnamed) == (400, "malformed")
    sentence = unnamed.get_json()["error"]["sentence"]
    assert "'match' is missing" in sentence
    assert "reload it" in sentence  # a page that is still open since before an upgrade
    wrong = documented(red.post("/api/commands", json=sent | {"match": 7}))
    assert "'match' must be" in wrong.get_json()["error"]["sentence"]
    assert not room.commands


def test_what_the_rules_refuse_comes_with_the_reason_in_the_readers_language(
    room: FakeRoom,
) -> None:
    refused = wish(client(room, "table", "de"), {"kind": "act", "text": "flip"})
    assert code(refused) == (422, "refused")
    assert "„flip“ geht jetzt nicht" in refused.get_json()["error"]["sentence"]
    assert refused.get_json()["version"] == 0


def test_whoever_only_watches_is_refused_before_the_wish_is_read(room: FakeRoom) -> None:
    watcher = client(room)
    assert code(wish(watcher, ROLL)) == (403, "not-paired")
    assert code(wish(watcher, "nonsense")) == (403, "not-paired")
    assert not room.commands


def test_a_seat_acts_for_itself_the_tables_phone_for_all(room: FakeRoom, red: FlaskClient) -> None:
    room.wish(DoAction("roll 8"))
    place = {"kind": "act", "text": "place blue"}
    assert code(wish(red, place)) == (403, "not-your-seat")
    assert not room.commands
    assert wish(client(room, "table"), place).status_code == 200
    assert room.commands[0].by == "table"


@pytest.mark.parametrize(
    ("role", "sentence"),
    [
        ("red", "Du hast schon ein Fass vor dir abgestellt; jetzt muss Blau eines abstellen."),
        ("table", "Rot hat schon ein Fass vor sich abgestellt; jetzt muss Blau eines abstellen."),
    ],
)
def test_what_rules_refuse_on_ones_phone_says_you(room: FakeRoom, role: str, sentence: str) -> None:
    room.wish(DoAction("roll 8"))
    room.wish(DoAction("place red"))
    refused = wish(client(room, role, "de"), {"kind": "act", "text": "place red"})
    assert refused.get_json()["error"]["sentence"] == sentence


def test_a_number_that_is_sealed_is_not_even_passed_on(room: FakeRoom, red: FlaskClient) -> None:
    room.wish(DoAction("roll 8"))
    assert code(wish(red, {"kind": "act", "text": "place red 6"})) == (422, "sealed")
    assert not room.commands


@pytest.mark.parametrize(
    ("sent", "named"),
    [
        (b"", "JSON"),
        (b"[]", "JSON"),
        (b"{", "JSON"),
        (b"\xff\xfe", "JSON"),
        (b"[" * 60_000, "nested"),
        (b'{"request": "r", "wish": {"kind": "flip"}, "version": NaN}', "JSON"),
        (b'{"request": "r", "version": ' + b"9" * 5000 + b"}", "number"),
        (b'{"wish": {"kind": "roll-for-us"}}', "request"),
        (b'{"request": "", "wish": {"kind": "roll-for-us"}}', "request"),
        (b'{"request": "a b", "wish": {"kind": "roll-for-us"}}', "request"),
        (b'{"request": "r\\n", "wish": {"kind": "roll-for-us"}}', "request"),
        (b'{"request": "%s", "wish": {"kind": "roll-for-us"}}' % (65 * b"r"), "request"),
        (b'{"request": 1, "wish": {"kind": "roll-for-us"}}', "request"),
        (b'{"request": "r"}', "wish"),
        (b'{"request": "r", "wish": {"kind": "roll-for-us"}, "by": "blue"}', "by"),
        (b'{"request": "r", "wish": {"kind": "roll-for-us"}, "version": 1.5}', "version"),
        (b'{"request": "r", "wish": {"kind": "roll-for-us"}, "version": true}', "version"),
        (b'{"request": "r", "wish": {"kind": "roll-for-us"}, "version": -2}', "version"),
        (b'{"request": "r", "wish": {"kind": "roll-for-us"}, "match": 7}', "match"),
        (
            b'{"request": "r", "wish": {"kind": "roll-for-us"}, "match": "%s"}' % (201 * b"m"),
            "match",
        ),
        (b'{"request": "r", "wish": {"kind": "\\ud800"}}', "half a character"),
        (b'{"request": "r", "wish": {"kind": "act", "text": ["roll"]}}', "text"),
        (b'{"request": "r", "wish": {"kind": "rule", "foul": 1}}', "upheld"),
    ],
)
def test_what_is_malformed_is_refused_by_the_name_of_its_part(
    room: FakeRoom, red: FlaskClient, sent: bytes, named: str
) -> None:
    answer = documented(red.post("/api/commands", data=sent, content_type="application/json"))
    assert code(answer) == (400, "malformed")
    assert named in answer.get_json()["error"]["sentence"]
    assert not room.commands


def test_a_table_that_does_not_answer_is_said_so(
    room: FakeRoom, red: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "ask", lambda _: None)
    assert code(wish(red, ROLL)) == (504, "no-answer")


def test_a_table_that_hangs_does_not_take_every_thread(
    room: FakeRoom, red: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each wish that waits is asked while the one before it still waits."""
    table = client(red.application, "table")
    answers: list[TestResponse] = []

    def hang(command: Command) -> Answer | None:
        answers.append(wish(table, ROLL, f"n{len(answers)}x{command.request[:20]}"))
        return None

    monkeypatch.setattr(room, "ask", hang)
    wish(red, ROLL)
    assert [one.status_code for one in answers] == [429] + [504] * (api.AT_ONCE - 1)
    assert code(answers[0]) == (429, "too-many")
    assert answers[0].headers["Retry-After"] == "1"
    monkeypatch.undo()
    assert wish(red, ROLL).status_code == 200  # all places are free again


def test_nothing_is_changed_by_looking(room: FakeRoom, red: FlaskClient) -> None:
    assert red.get("/api/commands").status_code == 405
    assert not room.commands


# --- what is known now ----------------------------------------------------------------------------


def test_a_snapshot_is_sent_again_only_if_it_is_new(room: FakeRoom) -> None:
    phone = client(room)
    first = documented(phone.get("/api/snapshot"))
    seen = {"If-None-Match": first.headers["ETag"]}
    again = documented(phone.get("/api/snapshot", headers=seen))
    assert (again.status_code, again.data) == (304, b"")
    room.wish(DoAction("roll 8"))
    newer = phone.get("/api/snapshot", headers=seen)
    assert newer.get_json()["magic"] == 8
    german = client(room, language="de").get("/api/snapshot")
    assert german.headers["ETag"] != newer.headers["ETag"]
    assert {"Accept-Language", "Cookie"} <= {*german.headers["Vary"].split(", ")}


def test_games_tell_what_a_new_match_is_made_of(room: FakeRoom, red: FlaskClient) -> None:
    known = documented(red.get("/api/games")).get_json()
    game = known["games"][0]
    assert [one["name"] for one in known["games"]] == [*GAMES]
    assert [one["players"] for one in known["games"]] == [[*players(game)] for game in GAMES]
    assert [one["name"] for one in game["boards"]] == [*PRESETS]
    assert [one["code"] for one in known["fouls"]] == [*CALLED]
    board = game["boards"][1]["board"]
    settings = game["settings"] | {"seats": ["red", "yellow"], "board": board}
    begin = {"kind": "new-match", "game": game["name"], "settings": settings, "house": {}}
    assert wish(red, begin).status_code == 200
    assert pack(room.now.settings) == settings


def test_the_workshop_is_closed_while_a_match_is_played(red: FlaskClient) -> None:
    assert documented(red.get("/api/workshop")).get_json()["opened"] is None


# --- boards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS.values(), ids=[*PRESETS])
def test_a_good_board_comes_back_as_settings_take_it(room: FakeRoom, preset: object) -> None:
    board = pack(preset)
    places = {
        part: dict(zip(("red", "green", "blue", "yellow"), board[part], strict=True))
        for part in ("entries", "gates")
    }
    answer = documented(
        client(room).post("/api/boards/check", json={"ring": board["ring"]} | places)
    )
    assert answer.get_json() == {"fine": True, "board": board, "faults": []}


def test_all_faults_of_a_painted_ring_are_told_at_once(room: FakeRoom) -> None:
    phone = client(room, language="de")
    found = documented(phone.post("/api/boards/check", json={"ring": ["R", "RR"]})).get_json()
    assert found["fine"] is False
    assert found["board"] is None
    assert len(found["faults"]) == 10
    assert any("müssen" in fault or "braucht 24" in fault for fault in found["faults"])


@pytest.mark.parametrize(
    "board",
    [
        {"ring": ["R"] * 65},
        {"ring": ["R" * 41]},
        {"ring": "R " * 1300},
        {"entries": {str(n): n for n in range(65)}},
        {"x" * 41: {"y": "z" * 41}},
    ],
)
def test_a_board_of_which_too_much_must_be_told_is_refused(room: FakeRoom, board: object) -> None:
    answer = documented(client(room).post("/api/boards/check", json=board))
    assert code(answer) == (400, "malformed")
    assert len(answer.data) < 400


def test_what_no_ring_can_be_is_a_fault_and_breaks_nothing(room: FakeRoom) -> None:
    phone = client(room)
    boards: tuple[dict[str, Any], ...] = (
        *({}, {"ring": 7}, {"ring": [["R"]]}, {"gates": []}, {"entries": {"red": True}}),
    )
    for board in boards:
        answer = documented(phone.post("/api/boards/check", json=board)).get_json()
        assert answer["faults"]


# --- earlier matches ------------------------------------------------------------------------------


def test_matches_are_listed_with_the_newest_first_some_at_a_time(room: FakeRoom) -> None:
    for _ in range(2):
        room.wish(usual_match(("green", "yellow")))
    phone = client(room)
    found = documented(phone.get("/api/matches")).get_json()
    assert [one["id"] for one in found["matches"]] == ["m2", "m1", "m0"]
    assert found["matches"][2] | {"at_ms": 0} == {
        "id": "m0",
        "at_ms": 0,
        "game": "zapp-zerapp",
        "seats": ["red", "blue"],
        "entries": 2,
        "over": True,
    }
    some = documented(phone.get("/api/matches?limit=1&skip=1")).get_json()
    assert [one["id"] for one in some["matches"]] == ["m1"]
    assert some["more"]
    assert not found["more"]


@pytest.mark.parametrize("query", ["limit=0", "limit=501", "skip=-1", "skip=x", "limit=1e9"])
def test_a_list_is_never_asked_for_without_bounds(room: FakeRoom, query: str) -> None:
    answer = documented(client(room).get(f"/api/matches?{query}"))
    assert code(answer) == (400, "malformed")
    assert query.split("=", maxsplit=1)[0] in answer.get_json()["error"]["sentence"]


def test_a_match_that_cannot_be_read_any_more_is_still_listed(room: FakeRoom) -> None:
    bodies: tuple[dict[str, Any], ...] = ({"game": 7}, {"settings": "{"}, {})
    for number, body in enumerate(bodies):
        name = f"old{number}"
        room.paper.matches[name] = [Entry(name, 0, 5, "began", body_text(body))]
    phone = client(room)
    assert len(documented(phone.get("/api/matches")).get_json()["matches"]) == 4
    told = documented(phone.get("/api/matches/old1")).get_json()
    assert (told["result"], told["steps"]) == ("newer", [])
    assert documented(phone.get("/api/matches/old1/export")).status_code == 200


def test_a_match_is_told_step_by_step(room: FakeRoom) -> None:
    play_a_round(room)
    told = documented(client(room).get("/api/matches/m0")).get_json()
    assert told["settings"] == pack(Settings(room.now.settings.seats))
    assert [step["number"] for step in told["steps"]] == [0, 1, 2, 4, 6, 7, 8]
    assert told["steps"][1]["sentences"] == ["Round 1: the magic number is 8"]
    assert told["steps"][-1]["numbers"] == [
        {"seat": "red", "number": 5},
        {"seat": "blue", "number": 3},
    ]
    assert told["summary"]["players"][0]["worked"] == 1


@pytest.mark.parametrize("path", ["m9", "m9/export", "..%2f..%2fetc", "m0%00", "\N{SNOWMAN}"])
def test_of_a_match_that_there_is_not_nothing_is_told(room: FakeRoom, path: str) -> None:
    answer = client(room).get(f"/api/matches/{path}")
    assert answer.status_code == 404
    assert answer.get_json()["error"]["code"] == "not-found"


# --- exports --------------------------------------------------------------------------------------


def play_a_round(room: FakeRoom) -> None:
    """Play up to the moves, on pads that know which stopper stands on them."""
    assert room.wish(DoAction("roll 8")).refused is None
    room.place("red", 5)
    room.place("blue", 3)
    room.flip(5, 3)
    assert len(room.now.view.numbers) == 2


def exported(room: FakeRoom, match: str = "m0") -> list[Entry]:
    """Return the entries of an export that any table could take in."""
    answer = documented(client(room).get(f"/api/matches/{match}/export"))
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    assert is_export(answer.data)
    told = read_export(BytesIO(answer.data), Path("export"))
    assert not told.refused
    return [entry for entries in told.matches for entry in entries]


def test_an_export_can_be_taken_in_elsewhere_and_is_the_same_match(room: FakeRoom) -> None:
    play_a_round(room)
    steps, fault = replay_steps(exported(room))
    assert fault is None
    assert steps[-1].after.state == room.referee.match.state  # type: ignore[union-attr]


def test_an_export_never_tells_which_stopper_stood_where(room: FakeRoom) -> None:
    play_a_round(room)
    room.wish(GiveUp())
    events = [step.event for step in replay_steps(exported(room))[0]]
    assert BarrelAssigned("red", None) in events
    assert all(event.stopper is None for event in events if isinstance(event, BarrelAssigned))
    kept = [step.event for step in replay_steps(room.entries("m0"))[0]]
    assert BarrelAssigned("red", 5) in kept


def test_what_is_sealed_stays_out_of_an_export_until_the_flip(room: FakeRoom) -> None:
    room.wish(DoAction("roll 8"))
    room.place("red", 5)
    room.wish(AssignBarrel("red", 7))
    assert len(exported(room)) == 2
    room.place("blue", 3)
    room.flip(7, 3)
    assert len(exported(room)) == len(room.entries("m0"))


def test_a_match_of_a_strange_name_does_not_name_its_file(room: FakeRoom) -> None:
    name = 'a";x=y'
    room.paper.matches[name] = [
        Entry(name, one.number, one.at_ms, one.kind, one.text) for one in room.entries("m0")
    ]
    answer = client(room).get(f"/api/matches/{name}/export")
    assert name not in answer.headers["Content-Disposition"]


def test_every_line_of_an_export_is_json_in_ascii(room: FakeRoom) -> None:
    play_a_round(room)
    text = client(room).get("/api/matches/m0/export").data.decode("ascii")
    assert all(isinstance(json.loads(line), dict) for line in text.splitlines())


def test_the_document_costs_nothing_to_ask_for_again(room: FakeRoom) -> None:
    made = app(room)
    first = client(made).get("/api/openapi.json")
    again = client(made).get("/api/openapi.json", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
