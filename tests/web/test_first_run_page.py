"""The first run: once, five taps, never in the way of a match; and what is chosen comes true."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode

import pytest
from flask.testing import FlaskClient

from companion.maintenance.practice import FILE, PracticeStep
from companion.referee.commands import GiveUp, NewMatch
from companion.referee.events import HouseRules
from companion.system.config import Buzzer, TableWiring, WebConfig, parse
from companion.web.common.server import free_port
from companion.web.context import WebContext
from companion.web.first_run_page import SETUP_FILE, Built, FirstRun, TableSetup
from companion.web.pairing import Pairing
from tests.web.playing import do, table, won
from tests.web.room import FakeRoom, app, client, phones

ROOT = Path(__file__).parents[2]
HERE = "127.0.0.1"
DEADLINE_S = 120.0  # a machine may have much else to do
NOTHING = TableWiring()


def fresh(folder: Path, room: FakeRoom | None = None) -> WebContext:
    """Return the pages of a table of which nothing is known yet."""
    return phones(room or FakeRoom(), first_run=FirstRun(folder, NOTHING))


def asked_at(phone: FlaskClient, path: str) -> str | None:
    """Return where somebody is led who opens a page; None: they see it."""
    return phone.get(path).headers.get("Location")


def test_whoever_is_let_in_first_comes_there_and_nobody_else(tmp_path: Path) -> None:
    served = app(fresh(tmp_path))
    phone, watcher = client(served, "table"), client(served)
    assert [asked_at(phone, path) for path in ("/", "/join")] == ["/welcome"] * 2
    assert [asked_at(watcher, path) for path in ("/", "/join")] == [None] * 2
    assert asked_at(watcher, "/welcome") == "/join"
    for other in ("/setup", "/workshop", "/manual"):
        assert phone.get(other).status_code == 200
    assert phone.post("/welcome/done").status_code == 303  # skipped
    assert asked_at(phone, "/") is None
    assert '"/welcome"' in phone.get("/workshop").text
    assert "Step 1 of 5" in phone.get("/welcome").text


def test_a_table_that_was_played_at_is_never_asked(tmp_path: Path) -> None:
    assert asked_at(client(fresh(tmp_path, won()), "table"), "/") is None


def test_a_table_for_one_evening_has_no_first_run() -> None:
    phone = client(FakeRoom(), "table")
    assert asked_at(phone, "/") is None
    assert phone.get("/welcome").status_code == 404
    assert "/welcome" not in phone.get("/workshop").text


def test_it_is_never_in_the_way_of_a_match(tmp_path: Path) -> None:
    phone = client(fresh(tmp_path, table()), "table")
    assert asked_at(phone, "/") is None
    assert asked_at(phone, "/welcome") == "/"
    for path, form in (("built", {"built": "nothing"}), ("name", {"name": "Attic"}), ("done", {})):
        refused = phone.post(f"/welcome/{path}", data=form)
        assert refused.status_code == 409
        assert "finish it or give it up first" in refused.text
    assert not [*tmp_path.iterdir()]


def test_each_step_is_one_tap_and_all_of_it_outlives_a_restart(tmp_path: Path) -> None:
    whole = fresh(tmp_path)
    phone = client(whole, "table", "de")
    assert "Welche Sprache" in phone.get("/welcome").text  # as the phone speaks
    steps = [
        ("/language", {"language": "en", "back": "/welcome?step=restore"}),
        ("/welcome/built", {"built": "game"}),
        ("/welcome/name", {"name": " Attic  table"}),
    ]
    seen = [phone.post(path, data=form).headers["Location"] for path, form in steps]
    assert seen == [f"/welcome?step={step}" for step in ("restore", "name", "practice")]
    assert '"/workshop#care-restore"' in phone.get("/welcome?step=restore").text
    assert phone.post("/welcome/done", data={"practise": "on"}).headers["Location"] == "/"
    assert isinstance(whole.room, FakeRoom)
    assert whole.room.commands[-1].wish.__class__.__name__ == "BeginPractice"
    assert SETUP_FILE.read(tmp_path) == TableSetup(True, Built.GAME, "Attic table")
    again = phones(FakeRoom(), first_run=FirstRun(tmp_path, NOTHING))
    page = client(again, "table").get("/")
    assert (page.status_code, page.text.count("Attic table")) == (200, 2)  # title and header


@pytest.mark.parametrize(
    ("path", "form", "status", "said"),
    [
        ("built", {"built": "castle"}, 400, "must be one of"),
        ("built", {}, 400, "must be one of"),
        ("name", {"name": "Attic", "pin": "1"}, 400, "has no place"),
        ("name", {"name": "a name of far too many letters"}, 422, "at most 12 letters"),
        ("name", {"name": "At\u202etic"}, 422, "invisible"),
        ("done", {"practise": "on", "built": "nothing"}, 400, "has no place"),
    ],
)
def test_what_nobody_can_choose_changes_nothing(
    path: str, form: dict[str, str], status: int, said: str, tmp_path: Path
) -> None:
    whole = fresh(tmp_path)
    assert client(whole).post(f"/welcome/{path}", data=form).status_code == 403  # watches
    answer = client(whole, "table").post(f"/welcome/{path}", data=form)
    assert answer.status_code == status
    assert said in answer.text
    assert not [*tmp_path.iterdir()]


def test_a_disk_that_takes_nothing_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "file"
    folder.touch()
    phone = client(fresh(folder), "table")
    answer = phone.post("/welcome/name", data={"name": "Attic"})
    assert answer.status_code == 503
    assert "cannot be saved" in answer.text
    assert phone.post("/welcome/done").status_code == 503


@pytest.mark.parametrize(
    "kept",
    [
        b"[]",
        b"\xff",
        b'{"done": true}',
        b'{"done": true, "built": "castle", "name": ""}',
        b'{"done": true, "built": "game", "name": 7}',
    ],
)
def test_a_file_that_makes_no_sense_asks_again(tmp_path: Path, kept: bytes) -> None:
    (tmp_path / SETUP_FILE.name).write_bytes(kept)
    first_run = FirstRun(tmp_path, NOTHING)
    assert (first_run.now, first_run.wiring) == (TableSetup(), NOTHING)


def test_what_is_built_is_wired_as_the_guide_says() -> None:
    def wiring(built: Built, wired: TableWiring = NOTHING) -> TableWiring:
        first_run = FirstRun(Path("/nowhere"), wired)
        first_run.running = first_run.running if first_run.by_hand else built
        return first_run.wiring

    far = WebConfig(names=("table.example.org",))
    seats, stoppers = wiring(Built.SEATS), wiring(Built.STOPPERS, replace(NOTHING, web=far))
    assert wiring(Built.GAME) == wiring(Built.NOTHING) == NOTHING
    assert seats.parts == {"buttons", "pads", "lights", "buzzer"}
    assert (seats.hub, seats.stoppers) == (None, None)
    assert stoppers.hub is not None
    assert stoppers.stoppers is not None
    assert stoppers.web == far  # what else the file says counts on
    own = replace(NOTHING, buzzer=Buzzer(4))
    assert [wiring(built, own) for built in Built] == [own] * len(Built)  # it counts alone


def test_another_table_begins_once_its_answer_was_read_and_in_no_match(tmp_path: Path) -> None:
    room = FakeRoom()
    whole = fresh(tmp_path, room)
    phone, first_run = client(whole, "table"), whole.first_run
    assert first_run is not None
    SETUP_FILE.save(tmp_path, TableSetup(True))
    first_run.keep(done=True)
    phone.post("/welcome/built", data={"built": "nothing"})
    assert [phone.get(path).status_code for path in ("/", "/welcome/ready")] == [200, 204]
    assert not first_run.begins_anew  # nobody has come to the end
    assert "begins-anew" in phone.post("/welcome/done").text
    assert not first_run.begins_anew  # or the answer would be cut off
    do(room, NewMatch("zapp-zerapp", {}, HouseRules()))
    assert phone.get("/welcome/ready").status_code == 503
    assert not first_run.begins_anew
    do(room, GiveUp())
    assert phone.get("/welcome/ready").status_code == 503
    assert first_run.begins_anew


def test_a_table_whose_file_names_its_parts_says_so_and_offers_nothing(tmp_path: Path) -> None:
    wired = parse("[buzzer]\npin = 18\n", "table.toml")
    whole = phones(FakeRoom(), first_run=FirstRun(tmp_path, wired))
    phone = client(whole, "table")
    page = phone.get("/welcome?step=built").text
    assert "table.toml" in page
    assert 'name="built"' not in page
    phone.post("/welcome/built", data={"built": "nothing"})
    phone.post("/welcome/done")
    assert whole.first_run is not None
    assert not whole.first_run.waits


@pytest.mark.parametrize(
    ("there", "ticked"),
    [
        (frozenset[str](), "nothing"),
        (frozenset({"lights"}), "seats"),
        (frozenset({"lights", "hub"}), "stoppers"),
        (frozenset({"stoppers"}), "stoppers"),
    ],
)
def test_what_is_found_is_ticked(there: frozenset[str], ticked: str, tmp_path: Path) -> None:
    whole = phones(FakeRoom(), first_run=FirstRun(tmp_path, NOTHING, there))
    page = client(whole, "table").get("/welcome?step=built").text
    before, _, _ = page.partition("✓ ")
    assert page.count("<span>✓ ") == 1
    assert f'value="{ticked}"' in before.rpartition("<button")[2]


class Program:
    """A table as it is started, and a phone that was let in."""

    def __init__(self, folder: Path, socket: str) -> None:
        self.port, self.cookie = free_port(HERE), ""
        words = ("table", "--port", str(self.port), "--folder", folder)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words],
            env={**os.environ, "NOTIFY_SOCKET": socket},
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
        )
        self.until(lambda: self.ask("/api/pair")[0] == 200)
        pin = (folder / "phone.pin").read_text("ascii").strip()
        _, _, headers = self.ask("/api/pair", json.dumps({"pin": pin}), "application/json")
        self.cookie = headers["Set-Cookie"].partition(";")[0]

    def ask(
        self, path: str, body: str | None = None, kind: str = "application/x-www-form-urlencoded"
    ) -> tuple[int, str, dict[str, str]]:
        line = HTTPConnection(HERE, self.port, timeout=DEADLINE_S)
        own = {"Origin": f"http://{HERE}:{self.port}", "Cookie": self.cookie}
        try:
            line.request(
                "GET" if body is None else "POST", path, body, own | {"Content-Type": kind}
            )
            answer = line.getresponse()
            return answer.status, answer.read().decode(), dict(answer.getheaders())
        finally:
            line.close()

    def until(self, holds: Callable[[], bool]) -> None:
        """Ask again and again, while the table begins."""
        end_s = time.monotonic() + DEADLINE_S
        while time.monotonic() < end_s:
            assert self.process.poll() is None, "it ended"
            try:
                if holds():
                    return
            except OSError:
                signal.sigtimedwait((), 0.05)
        raise AssertionError("it does not begin")

    def choose(self, built: str) -> None:
        """Say what is built, and wait until the table is that."""
        assert self.ask("/welcome/built", urlencode({"built": built}))[0] == 303
        status, page, _ = self.ask("/welcome/done", urlencode({"practise": "on"}))
        assert (status, "begins-anew" in page) == (200, True)
        self.until(lambda: self.ask("/welcome/ready")[0] == 204)


@contextmanager
def begun(folder: Path, socket: str = "") -> Iterator[Program]:
    program = Program(folder, socket)
    try:
        yield program
    finally:
        program.process.terminate()
        program.process.wait(DEADLINE_S)


def test_a_table_begins_anew_as_what_was_built_and_knows_its_phones(tmp_path: Path) -> None:
    with begun(tmp_path) as table:
        assert table.ask("/")[2]["Location"] == "/welcome"
        table.choose("nothing")
        assert table.ask("/?start")[2]["Location"] == "/simulated"
        assert json.loads(table.ask("/api/pair")[1])["role"] == "table"
        shown = json.loads(table.ask("/api/workshop")[1])
        assert shown["opened"]["practice"] is not None  # at its first step, as was wanted
        assert FILE.read(tmp_path / "simulated") is PracticeStep.GOAL
        table.choose("game")  # there and back
        assert table.ask("/simulated")[0] == 404
        assert json.loads(table.ask("/api/pair")[1])["role"] == "table"
    assert SETUP_FILE.read(tmp_path) == TableSetup(True, Built.GAME)


def test_a_service_ends_well_so_that_systemd_begins_the_other_table(tmp_path: Path) -> None:
    with begun(tmp_path, str(tmp_path / "nobody")) as table:
        table.ask("/welcome/built", urlencode({"built": "seats"}))
        assert "begins-anew" in table.ask("/welcome/done", "")[1]
        assert table.process.poll() is None  # until that was read
        assert table.ask("/welcome/ready")[0] == 503
        assert table.process.wait(DEADLINE_S) == 0


def test_on_its_own_computer_a_table_says_in_which_file_the_pin_is(tmp_path: Path) -> None:
    whole = phones(FakeRoom(), pairing=Pairing(tmp_path))
    here, elsewhere = client(whole), client(whole)
    name = f"localhost:{whole.here.port}"
    own = {"Host": name, "Origin": f"http://{name}"}
    said = f"On this computer they stand in the file {tmp_path / 'phone.pin'}."
    assert said in here.get("/join", headers=own).text
    assert "/join" in here.get("/", headers=own).text  # no dead end
    elsewhere.environ_base["REMOTE_ADDR"] = "192.168.7.66"
    for headers in ({}, own):
        assert "phone.pin" not in elsewhere.get("/join", headers=dict(headers)).text
    assert whole.pairing.pin not in here.get("/join", headers=own).text
