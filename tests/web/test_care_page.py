"""Care on the Workshop page: who may, how the table confirms it, and what a match forbids."""

import base64
import errno
import json
import logging
import re
import subprocess
import sys
import urllib.request
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from threading import Timer
from types import SimpleNamespace
from typing import IO, Any
from unicodedata import normalize

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.journal import Journal, NewEntry
from companion.maintenance import backup as backups
from companion.maintenance.backup import finish_restore
from companion.maintenance.stopper_status import TrailPoint
from companion.maintenance.view import (
    CalibrationShown,
    HallShown,
    MaintenanceDetails,
    MaintenanceSnapshot,
    StopperShown,
)
from companion.referee.handlers import usual_match
from companion.referee.people.person import ANIMALS, Person
from companion.referee.people.store import PEOPLE_FILE, Book
from companion.referee.snapshot import Snapshot
from companion.system import logs
from companion.web import care_page
from companion.web.care_page import PART_BYTES
from companion.web.context import KEPT_S, CareDesk, WebContext
from companion.web.pairing import Pairing
from companion.web.pairing_queue import CONFIRMED_S, WINDOW_S
from tests.maintenance.backup_files import QUICK
from tests.web.room import HOST, PIN, FakeRoom, app, client, phones
from tests.web.still import Still
from tests.web.test_server import DEADLINE_S

WORDS = "Drei Fässer im Schnee"


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


class Bare(FakeRoom):
    """A table of which nothing is built."""

    @property
    def snapshot(self) -> Snapshot:
        return replace(self.now, parts=frozenset())


@pytest.fixture
def clock() -> Clock:
    return Clock()


def table(clock: Clock, room: FakeRoom | None = None, **others: Any) -> WebContext:
    whole = phones(room or FakeRoom(), **others)
    whole.pairing._clock_s = clock
    return whole


def ask(phone: FlaskClient, act: str = "restart", **more: Any) -> dict[str, Any]:
    answer = phone.post("/api/care/confirm", json={"act": act, **more})
    return {"status": answer.status_code, **(answer.json or {})}


def test_a_button_held_at_the_table_confirms_it_and_no_second_tap_does(clock: Clock) -> None:
    at = table(clock)
    phone = client(at, "table")
    assert ask(phone) == {"status": 200, "confirmed": False, "by": "button", "waits_s": 30}
    assert not ask(phone, again=True)["confirmed"]
    assert "restart this computer: hold down" in client(at).get("/").text
    assert at.pairing.waits_for_press("green")
    assert at.pairing.held("green")
    assert ask(phone) == {"status": 200, "confirmed": True, "by": "button", "waits_s": 120}
    assert "hold down the button of any seat" not in client(at).get("/").text
    assert not at.pairing.held("green")  # that press is the game's


def test_where_buttons_are_simulated_or_missing_a_second_tap_does(clock: Clock) -> None:
    for at in (table(clock, Bare()), table(clock, hands=Still()), table(clock, hands={})):
        phone = client(at, "red")
        assert ask(phone) == {"status": 200, "confirmed": False, "by": "tap", "waits_s": 30}
        assert not at.pairing.held("red")
        assert not ask(phone)["confirmed"]  # it was sent twice, not meant twice
        assert ask(phone, again=True)["confirmed"]


def test_what_is_confirmed_is_done_once_by_that_phone_in_time(clock: Clock) -> None:
    at = table(clock, Bare())
    pairing = at.pairing
    names = ("one", "other")
    for phone in names:
        assert not pairing.take_confirmed(phone, "restart")
    pairing.confirm("one", "restart", by_button=False, again=False)
    assert pairing.confirm("one", "restart", by_button=False, again=True) is True
    assert not pairing.take_confirmed("other", "restart")
    assert not pairing.take_confirmed("one", "backup")
    assert pairing.take_confirmed("one", "restart")
    assert not pairing.take_confirmed("one", "restart")
    pairing.confirm("one", "restart", by_button=False, again=False)
    clock.now_s += WINDOW_S
    assert pairing.confirm("one", "restart", by_button=False, again=True) is False  # it begins anew
    pairing.confirm("one", "restart", by_button=False, again=True)
    clock.now_s += CONFIRMED_S
    assert not pairing.take_confirmed("one", "restart")


def test_one_phone_waits_at_a_time_and_a_newcomer_at_a_seat_goes_first(clock: Clock) -> None:
    at = table(clock)
    made = app(at)
    one, other, stranger = client(made, "table"), client(made, "red"), client(made)
    ask(one)
    refused = ask(other, "backup")
    assert refused["status"] == 409
    assert refused["error"]["code"] == "taken"
    assert stranger.post("/api/pair", json={"seat": "blue"}).status_code == 200
    assert at.pairing.held("blue")  # who holds it lets that phone in, and means nothing else
    assert not ask(one)["confirmed"]
    assert at.pairing.held("red")
    assert ask(one)["confirmed"]
    clock.now_s += CONFIRMED_S
    assert ask(other, "backup")["status"] == 200


@pytest.mark.parametrize("own", ["restart", "backup"])
def test_no_phone_keeps_the_table_from_confirming_what_others_ask(clock: Clock, own: str) -> None:
    made = app(table(clock, Bare()))
    one, other = client(made, "table"), client(made, "red")
    ask(one)
    assert ask(one, "shut-down")["status"] == 200  # as long as nobody else asks
    assert ask(other)["status"] == 409
    clock.now_s += WINDOW_S - 1
    assert ask(one, "backup")["status"] == 409  # not one act after another
    assert ask(one, "shut-down", again=True)["confirmed"]
    clock.now_s += CONFIRMED_S - 1
    ask(one, "shut-down", again=True)  # for no longer
    clock.now_s += 1
    assert ask(one, own)["status"] == 409
    assert ask(other)["status"] == 200
    assert ask(one, own)["status"] == 409
    clock.now_s += WINDOW_S
    assert ask(one, own)["status"] == 200


def test_who_only_watches_and_what_is_malformed_are_refused(clock: Clock) -> None:
    at = table(clock)
    assert ask(client(at))["status"] == 403
    assert at.pairing.confirming is None
    assert 'id="care"' not in client(at).get("/workshop").text
    phone = client(at, "table")
    wrong: tuple[Any, ...] = ("", "erase", 7, None, ["restart"], {})
    for act in wrong:
        assert ask(phone, act)["status"] == 400
    assert ask(phone, again="yes")["status"] == 400
    assert PIN not in phone.get("/workshop").text


# --- backup and restore ---------------------------------------------------------------------------


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "SCRYPT", QUICK)


@pytest.fixture
def kept_table(tmp_path: Path) -> Path:
    return backed_up_table(tmp_path / "old")


def backed_up_table(folder: Path, matches: int = 2, people: str = '{"names": {}}') -> Path:
    folder.mkdir()
    journal = Journal(folder / "journal")
    for _ in range(matches):
        journal.start(NewEntry("begun", {"seats": ["red", "blue"]}))
    journal.close()
    (folder / "people.json").write_text(people, "utf-8")
    return folder


def at_folder(folder: Path, room: FakeRoom | None = None) -> WebContext:
    """Return a table without buttons that keeps things in a folder."""
    pairing = Pairing(folder, pin=PIN)
    return phones(room or Bare(), pairing=pairing, folder=folder)


def confirmed(phone: FlaskClient, act: str) -> None:
    ask(phone, act)
    assert ask(phone, act, again=True)["confirmed"]


def saved(phone: FlaskClient, **body: str) -> bytes:
    confirmed(phone, "backup")
    answer = phone.post("/api/care/backup", json=body)
    assert answer.status_code == 200, answer.text
    data = fetched(phone)
    assert -(-len(data) // 1000) == js(answer)["kb"]
    return data


def js(answer: TestResponse) -> Any:
    return answer.json


def fetched(phone: FlaskClient) -> bytes:
    with phone.get("/workshop/fetch") as answer:
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Content-Disposition"].startswith("attachment; filename=rappelwacht-")
        data: bytes = answer.data
    return data


def send(phone: FlaskClient, data: bytes) -> TestResponse:
    for at in range(0, len(data), PART_BYTES):
        part = base64.b64encode(data[at : at + PART_BYTES]).decode()
        answer = phone.post("/api/care/upload", json={"at": at, "size": len(data), "data": part})
    return answer


def looked(phone: FlaskClient, **body: str) -> TestResponse:
    return phone.post("/api/care/look", json=body)


def test_what_one_table_saves_is_restored_at_another(kept_table: Path, tmp_path: Path) -> None:
    phone = client(at_folder(kept_table), "table")
    assert "<li>2 matches</li>" in " ".join(phone.get("/workshop").text.split())
    data = saved(phone)
    here = backed_up_table(tmp_path / "here", 1, people="mine")
    at = at_folder(here)
    other = client(at, "red")
    assert send(other, data).json == {"at": len(data)}
    found = js(looked(other))
    assert found["holds"] == ["2 matches", "people"]
    assert not found["locked"]
    assert other.post("/api/care/restore", json={}).status_code == 403
    confirmed(other, "restore")
    answer = other.post("/api/care/restore", json={})
    assert not at.restored.is_set()  # before the answer is sent
    answer.close()
    before = js(answer)["before"]
    assert at.restored.is_set()
    assert (here / "people.json").read_text("utf-8") == "mine"  # as long as the table runs
    assert finish_restore(here)
    assert (here / "people.json").read_text("utf-8") == '{"names": {}}'
    assert len([*(here / "journal").glob("*.jsonl")]) == 2
    assert (here / before / "people.json").read_text("utf-8") == "mine"
    assert looked(other).status_code == 409  # it is gone
    assert not [path for path in here.iterdir() if path.name.startswith("tmp")]


def test_a_backup_of_the_other_kind_is_named_before(kept_table: Path, tmp_path: Path) -> None:
    real = at_folder(kept_table)
    here = backed_up_table(tmp_path / "here", 1, people="mine")
    software = replace(at_folder(here), hands={})
    phones_ = client(real, "table"), client(software, "table")
    data = [saved(phone) for phone in phones_]
    assert "simulated" not in js(sent(phones_[0], data[0]))["other"]
    assert "real table, and this table is simulated" in js(sent(phones_[1], data[0]))["other"]
    refused = sent(phones_[0], data[1])
    assert (refused.status_code, "simulated" in js(refused)["error"]["sentence"]) == (422, True)
    confirmed(phones_[0], "restore")
    assert phones_[0].post("/api/care/restore", json={}).status_code == 422
    assert not finish_restore(kept_table)


def sent(phone: FlaskClient, data: bytes) -> TestResponse:
    send(phone, data)
    return looked(phone)


@pytest.mark.usefixtures("quick")
def test_three_wrong_passphrases_have_to_wait(kept_table: Path, clock: Clock) -> None:
    phone = client(replace(at_folder(kept_table), desk=CareDesk(clock)), "table")
    short = phone.post("/api/care/backup", json={"passphrase": "kurz"})
    assert (short.status_code, js(short)["error"]["code"]) == (422, "bad-passphrase")
    data = saved(phone, passphrase=WORDS)
    assert b"people.json" not in data
    send(phone, data)
    assert js(looked(phone))["locked"]
    for words in ("Vier Fässer im Schnee", "kurz", WORDS.lower()):
        wrong = looked(phone, passphrase=words)
        assert (wrong.status_code, js(wrong)["error"]["code"]) == (403, "wrong-passphrase")
    waits = looked(phone, passphrase=WORDS)
    assert (waits.status_code, waits.headers["Retry-After"]) == (429, "60")
    clock.now_s += 60
    assert js(looked(phone, passphrase=normalize("NFD", WORDS)))["holds"][0] == "2 matches"
    assert not js(looked(phone))["locked"]  # it stays open for that phone
    send(phone, data)
    assert js(looked(phone))["locked"]


def test_a_table_that_plays_may_be_saved_and_refuses_to_be_replaced(tmp_path: Path) -> None:
    here = backed_up_table(tmp_path / "here")
    at = at_folder(here, FakeRoom("red", "blue"))
    phone = client(at, "table")
    at.pairing.confirm(phone_of(at, phone), "backup", by_button=True, again=False)
    at.pairing.held("red")
    assert phone.post("/api/care/backup", json={}).status_code == 200
    send(phone, fetched(phone))
    at.pairing.take_confirmed(phone_of(at, phone), "backup")
    at.pairing.confirm(phone_of(at, phone), "restore", by_button=True, again=False)
    at.pairing.held("red")
    refused = phone.post("/api/care/restore", json={})
    assert (refused.status_code, js(refused)["error"]["code"]) == (409, "playing")
    assert not at.restored.is_set()
    assert not (here / "restoring.json").exists()


def test_care_says_at_once_what_waits_for_the_end_of_a_match(tmp_path: Path) -> None:
    def care(room: FakeRoom) -> str:
        page = client(at_folder(here, room), "table").get("/workshop").text
        return page.partition('id="care"')[2].partition("<script")[0]

    here = backed_up_table(tmp_path / "here")
    playing, idle = care(FakeRoom("red", "blue")), care(Bare())
    waits = "<fieldset data-after disabled>"
    assert (playing.count(waits), idle.count(waits)) == (2, 0)
    for fold in ("care-restore", "care-bundle"):
        assert '<p class="note" data-after>' in playing.partition(f'id="{fold}"')[2][:200]
        assert '<p class="note" data-after hidden>' in idle.partition(f'id="{fold}"')[2][:200]
    assert "data-after" not in playing.partition('id="care-backup"')[2].partition("</details>")[0]


def test_a_match_that_begins_while_a_backup_is_unpacked_comes_first(
    kept_table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = backed_up_table(tmp_path / "here", 1, people="mine")
    at = at_folder(here)
    phone = client(at, "table")
    send(phone, saved(client(at_folder(kept_table), "table")))
    room, confirms = at.room, at.pairing.take_confirmed
    assert isinstance(room, Bare)

    def begins(*words: str) -> bool:  # at the last moment
        assert room.wish(usual_match(("red", "blue"))).refused is None
        return confirms(*words)

    monkeypatch.setattr(at.pairing, "take_confirmed", begins)
    confirmed(phone, "restore")
    assert js(phone.post("/api/care/restore", json={}))["error"]["code"] == "playing"
    assert not at.restored.is_set()
    assert not finish_restore(here)
    assert not (here / "restore").exists()
    assert (here / "people.json").read_text("utf-8") == "mine"


def phone_of(at: WebContext, phone: FlaskClient) -> str:
    found = phone.get_cookie(at.pairing.cookie, domain=HOST.partition(":")[0])
    assert found is not None
    return found.value


def test_what_is_made_for_one_phone_is_for_no_other(kept_table: Path, clock: Clock) -> None:
    at = replace(at_folder(kept_table), desk=CareDesk(clock))
    made = app(at)
    phone, other, stranger = client(made, "table"), client(made, "red"), client(made)
    assert phone.get("/workshop/fetch").status_code == 404
    data = saved(phone)
    send(phone, data)
    assert other.get("/workshop/fetch").status_code == 404
    assert looked(other).status_code == 409
    part = base64.b64encode(data[:9]).decode()
    more = {"at": 9, "size": len(data), "data": part}
    assert other.post("/api/care/upload", json=more).status_code == 409
    for path in ("backup", "upload", "look", "restore"):
        assert stranger.post(f"/api/care/{path}", json={}).status_code == 403
    assert stranger.get("/workshop/fetch").status_code == 404
    assert fetched(phone) == data  # once more
    whole = at.desk.fetch(phone_of(at, phone))
    assert whole is not None
    clock.now_s += KEPT_S - 1
    at.forget_files(KEPT_S)
    assert fetched(phone) == data
    clock.now_s += 1
    at.forget_files(KEPT_S)
    assert phone.get("/workshop/fetch").status_code == 404
    with whole[0] as reading:  # who had begun to fetch it goes on
        assert reading.read() == data


def test_hostile_uploads_change_nothing(kept_table: Path, tmp_path: Path) -> None:
    here = backed_up_table(tmp_path / "here", 1, people="mine")
    at = at_folder(here)
    phone, whole = client(at, "table"), saved(client(at_folder(kept_table), "table"))
    bent = bytearray(whole)
    bent[60] ^= 255
    bomb, slips, newer = BytesIO(), BytesIO(), BytesIO()
    with zipfile.ZipFile(newer, "w") as archive:
        archive.writestr("backup.json", json.dumps({"format": 2, "version": "99.0"}))
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("key.pem", b"0" * 5000)
        archive.writestr("backup.cms", bytes(40_000_000))
    with zipfile.ZipFile(slips, "w") as archive:
        archive.writestr("../../etc/passwd", "root")
    words = {"half": whole[: len(whole) // 2], "bent": bytes(bent), "newer": newer.getvalue()}
    words |= {"bomb": bomb.getvalue(), "slips": slips.getvalue(), "text": b"no zip at all"}
    for name, data in words.items():
        send(phone, data)
        refused = looked(phone, passphrase=WORDS)
        assert refused.status_code in {403, 422}, name
        confirmed(phone, "restore")
        assert phone.post("/api/care/restore", json={}).status_code == 422, name
        assert at.pairing.take_confirmed(phone_of(at, phone), "restore")  # the table was not asked
    assert "newer version" in (send(phone, newer.getvalue()), looked(phone).text)[1]
    assert (here / "people.json").read_text("utf-8") == "mine"
    assert not (here / "restoring.json").exists()
    assert not at.restored.is_set()


@pytest.mark.parametrize(
    ("at", "size", "data", "status"),
    [
        (0, 3, "AAAA", 200), (0, 2, "AAAA", 409), (0, 0, "AAAA", 400), (0, 10**10, "AAAA", 400),
        (7, 20, "AAAA", 409),
        (-1, 3, "AAAA", 400), (0, 3, "AA!A", 422), (0, 3, "AAA", 422), (0, 3, "", 400),
        (True, 3, "AAAA", 400), ("0", 3, "AAAA", 400), (0, 3, 7, 400),
        (0, 10**6, "A" * 50_000, 400),
    ],
)  # fmt: skip
def test_a_part_of_a_file_fits_or_is_refused(
    tmp_path: Path, at: object, size: object, data: object, status: int
) -> None:
    phone = client(at_folder(backed_up_table(tmp_path / "here")), "table")
    sent = {"at": at, "size": size, "data": data}
    assert phone.post("/api/care/upload", json=sent).status_code == status


def test_what_is_no_backup_is_said_to_be_none_by_no_name_of_ours(kept_table: Path) -> None:
    phone = client(at_folder(kept_table), "table")
    refused = js(sent(phone, b"a picture of a cat"))["error"]["sentence"]
    assert refused == "This file is no backup, or only a part of one."
    bad = BytesIO()
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("cat.txt", "no backup")
    headers = {"Accept-Language": "de"}
    send(phone, bad.getvalue())
    answer = phone.post("/api/care/look", json={}, headers=headers)
    assert (
        js(answer)["error"]["sentence"]
        == "Diese Datei ist keine Sicherung, oder sie ist beschädigt."
    )


def test_stoppers_are_counted_and_not_their_files(kept_table: Path) -> None:
    keys = "".join(f'["24:0a:c4:00:01:{number:02}"]\nnumber = {number}\n' for number in range(13))
    for name, text in {"stoppers.toml": keys, "heard.json": "{}", "flashed.json": "{}"}.items():
        (kept_table / name).write_text(text, "utf-8")
    phone = client(at_folder(kept_table), "table")
    counted = "13 stoppers and their keys"
    assert counted in " ".join(phone.get("/workshop").text.split())
    assert counted in js(sent(phone, saved(phone)))["holds"]
    (kept_table / "stoppers.toml").write_text("not toml", "utf-8")
    assert "stoppers and their keys" in js(sent(phone, saved(phone)))["holds"]
    (kept_table / "stoppers.toml").unlink()  # as at a simulated table, which has no keys
    for holds in (phone.get("/workshop").text, str(js(sent(phone, saved(phone)))["holds"])):
        assert "what was heard of stoppers" in " ".join(holds.split())


def test_a_full_disk_is_said_to_be_one(kept_table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    phone = client(at_folder(kept_table), "table")
    part = {"at": 0, "size": 100, "data": "AAAA"}
    with monkeypatch.context() as patched:
        patched.setattr(care_page, "disk_usage", lambda _: SimpleNamespace(free=10**6))
        full = phone.post("/api/care/upload", json=part)
    assert (full.status_code, js(full)["error"]["code"]) == (422, "no-room")

    def fails(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backups, "write_backup", fails)
    confirmed(phone, "backup")
    full = phone.post("/api/care/backup", json={})
    assert (full.status_code, js(full)["error"]["code"]) == (422, "no-room")


def test_a_table_whose_folder_is_anothers_saves_and_restores_nothing(kept_table: Path) -> None:
    data = saved(client(at_folder(kept_table), "table"))
    at = phones(Bare(), folder=kept_table)  # pairing has no folder, as another table has it
    phone = client(at, "table")
    confirmed(phone, "backup")
    assert js(phone.post("/api/care/backup", json={}))["error"]["code"] == "no-folder"
    send(phone, data)
    confirmed(phone, "restore")
    assert js(phone.post("/api/care/restore", json={}))["error"]["code"] == "no-folder"
    assert not (kept_table / "restoring.json").exists()


# --- a report -------------------------------------------------------------------------------------


def test_a_report_is_shown_and_none_of_the_planted_secrets_is_in_it(tmp_path: Path) -> None:
    here = backed_up_table(tmp_path / "here")
    book = Book((Person("p1", next(iter(ANIMALS.values())), "Wilhelmine", kept=True),))
    PEOPLE_FILE.save(here, (book, 0.0))
    (here / "stoppers.toml").write_text('key = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"', "utf-8")
    (here / "calibration-000001.json").write_text('{"7": 13}', "utf-8")
    logs.begin()
    heard = logging.getLogger("companion")
    heard.warning("Wilhelmine called %s of 240ac4000107 at 192.168.7.55", PIN)
    heard.warning("Ottokar sits at the table of the attic, 'Dachboden'")
    room = Bare()
    gone = StopperShown(7, 5, 90, -55, "0.2.0", trail=(TrailPoint(1, 2, 3, True),), lost_percent=2)
    nothing = CalibrationShown(0, 0, None, (), ())
    room.workshop = MaintenanceSnapshot(1, opened=MaintenanceDetails((gone,), (), nothing))
    at = at_folder(here, room)
    at.people.sit("red", "Ottokar", None)
    room.workshop = replace(room.workshop, hall=HallShown(table="Dachboden"))
    phone = client(at, "table")
    assert phone.post("/api/care/bundle", json={}).status_code == 403
    confirmed(phone, "bundle")
    text = js(phone.post("/api/care/bundle", json={}))["text"]
    for planted in (
        "Wilhelmine",
        "Ottokar",
        "Dachboden",
        PIN,
        "0f1e2d3c",
        "240ac4",
        "192.168.7.55",
        '"7": 13',
        "trail",
    ):
        assert planted.lower() not in text.lower(), planted
    assert "stopper 7: heard 5 s ago, -55 dBm, 2 % lost, battery 90 %, firmware 0.2.0" in text
    assert "calibration-000001.json" in text
    assert re.search(r"companion: \[name [0-9a-f]{4}\] called \[number", text)


def test_while_a_match_is_played_there_is_no_report() -> None:
    at = phones(FakeRoom("red", "blue"))
    phone = client(at, "table")
    assert js(phone.post("/api/care/bundle", json={}))["error"]["code"] == "playing"
    assert client(at).post("/api/care/bundle", json={}).status_code == 403


# --- a table that runs ----------------------------------------------------------------------------


class Caller:
    """A phone that calls a table which runs, and is let in by its PIN."""

    def __init__(self, port: int, pin: str) -> None:
        self.here, self.cookie = f"http://127.0.0.1:{port}", ""
        self.post("/api/pair", pin=pin)

    def post(self, path: str, **body: object) -> Any:
        return json.loads(self.call(path, json.dumps(body).encode()))

    def call(self, path: str, body: bytes | None = None) -> bytes:
        headers = {"Content-Type": "application/json", "Origin": self.here, "Cookie": self.cookie}
        request = urllib.request.Request(self.here + path, body, headers)  # noqa: S310 - ours
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            self.cookie = answer.headers.get("Set-Cookie", self.cookie).partition(";")[0]
            data: bytes = answer.read()
        return data


def port_in(lines: IO[str]) -> int:
    """Wait until a table says where it is."""
    return next(
        int(found[1])
        for line in lines
        if (found := re.search(r"http://[^\s/]+:(\d+)\b(?!/trust)", line))
    )


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("command", [[], ["table"]])
def test_a_table_that_runs_is_restored_and_begins_anew(tmp_path: Path, command: list[str]) -> None:
    here = tmp_path / "here"
    here.mkdir()
    words = [sys.executable, "-m", "companion", *command, "--folder", str(here), "--port", "0"]
    with subprocess.Popen([*words, "--language", "en"], stdout=subprocess.PIPE, text=True) as table:
        late = Timer(3 * DEADLINE_S, table.kill)  # so that its output ends
        late.start()
        try:
            assert table.stdout is not None
            port = port_in(table.stdout)
            phone = Caller(port, (here / "phone.pin").read_text("ascii").strip())
            phone.post("/api/people", seat="red", name="Wilma", animal="owl", kept=True)
            for again in (False, True):
                phone.post("/api/care/confirm", act="backup", again=again)
            phone.post("/api/care/backup", passphrase=WORDS)
            data = phone.call("/workshop/fetch")
            phone.post("/api/people/forget", all=True)
            for at in range(0, len(data), PART_BYTES):
                part = base64.b64encode(data[at : at + PART_BYTES]).decode()
                phone.post("/api/care/upload", at=at, size=len(data), data=part)
            assert phone.post("/api/care/look")["locked"]
            assert phone.post("/api/care/look", passphrase=WORDS)["holds"]
            phone.call("/setup")  # guests wait for whoever sets up a match
            for again in (False, True):
                phone.post("/api/care/confirm", act="restore", again=again)
            assert not json.loads(phone.call("/api/people"))["known"]
            phone.post("/api/care/restore")
            assert port_in(table.stdout) == port
            known = json.loads(phone.call("/api/people"))["known"]  # it is still in
            assert [person["name"] for person in known] == ["Wilma"]
            assert not (here / "restoring.json").exists()
        finally:
            table.terminate()
    late.cancel()
    assert table.returncode == 143
