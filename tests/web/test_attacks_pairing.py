"""Attacks on what phones are let in by, and by phones that are in but want more."""

import errno
import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from companion.devices.stopper_registry import Stopper
from companion.present.command_json import WISHES, from_json, meanings
from companion.present.viewer import ROLES, Viewer
from companion.referee.commands import Command
from companion.referee.handlers import usual_match
from companion.system import config
from companion.system.errors import CompanionError, RulesError
from companion.table.inbox import PendingCommand
from companion.table.table import Table
from companion.table.table_config import TableConfig
from companion.web import pairing_store, permissions
from companion.web.common.rate_limit import TRIES
from companion.web.pairing import Pairing
from companion.web.pairing_queue import PairingRefused
from tests.web.attacking import PATIENCE_S, ROLL, attacked, plant, status, stolen
from tests.web.playing import do, table
from tests.web.room import PIN, FakeRoom, app, client, phones
from tests.web.test_server import HERE, until


@pytest.fixture
def room() -> FakeRoom:
    return FakeRoom("red", "blue")


# --- pairing --------------------------------------------------------------------------------------


def test_guesses_from_many_addresses_at_once_keep_no_newcomer_out() -> None:
    with attacked() as guessed, ThreadPoolExecutor(16) as crowd:
        pin = guessed.server.pairing.pin

        def enter(address: str, entered: str) -> int:
            body = json.dumps({"pin": entered}).encode()
            more = ("Content-Type: application/json", f"Content-Length: {len(body)}")
            ours = f"Origin: http://{guessed.host}"
            head = guessed.head("POST /api/pair", "Connection: close", ours, *more)
            return status(guessed.say(head + body, address))

        wrong = f"{(int(pin) + 1) % 1_000_000:06}"
        addresses = [f"127.0.0.{2 + n % 16}" for n in range(160)]
        answers = list(crowd.map(lambda one: enter(one, wrong), addresses))
        for address in set(addresses):
            of_one = [
                answer for answer, one in zip(answers, addresses, strict=True) if one == address
            ]
            assert sorted(of_one) == [403] * TRIES + [429] * (10 - TRIES)
        assert enter(addresses[0], pin) == 429
        assert enter("127.0.1.1", pin) == 200


def test_guesses_in_many_threads_never_get_one_try_more() -> None:
    pairing, starts = Pairing(pin=PIN), Barrier(16, timeout=PATIENCE_S)

    def guess(_: int) -> int:
        starts.wait()
        return sum(
            pairing.enter("::ffff:10.0.0.1", "000000", "red").why.name == "WRONG"  # type: ignore[union-attr]
            for _ in range(20)
        )

    with ThreadPoolExecutor(16) as crowd:
        assert sum(crowd.map(guess, range(16))) == TRIES
    assert isinstance(
        pairing.enter("::ffff:10.0.0.1", PIN, "red"), PairingRefused
    )  # right, but too late


def test_of_many_phones_that_ask_for_one_button_at_once_one_waits() -> None:
    pairing, starts = Pairing(pin=PIN), Barrier(16, timeout=PATIENCE_S)

    def ask(number: int) -> object:
        starts.wait()
        return pairing.ask(f"10.0.0.{number}", "red", None)

    with ThreadPoolExecutor(16) as crowd:
        answers = list(crowd.map(ask, range(16)))
    waiting = [one for one in answers if isinstance(one, str)]
    assert len(waiting) == 1
    assert pairing.held("red")
    assert [pairing.role_of(one) for one in waiting] == ["red"]


def test_a_cookie_of_a_phone_that_was_let_go_never_comes_alive_again() -> None:
    """A thief kept it; its phone then joins anew, this time by the button."""
    whole = phones()
    made = app(whole)
    phone, thief = client(made, "red"), client(made)
    plant(thief, whole, stolen(phone, whole))
    assert thief.get("/api/pair").json == {"role": "red", "waits_s": 0}
    client(made, "table").post("/api/unpair", json={"all": True})
    assert phone.post("/api/pair", json={"seat": "red"}).status_code == 200
    assert whole.pairing.held("red")
    assert phone.get("/api/pair").json == {"role": "red", "waits_s": 0}
    assert thief.get("/api/pair").json == {"role": None, "waits_s": 0}


def test_a_name_that_was_planted_in_a_phone_is_not_the_one_it_gets() -> None:
    whole = phones()
    made = app(whole)
    thief, phone = client(made), client(made)
    thief.post("/api/pair", json={"seat": "red"})
    plant(phone, whole, stolen(thief, whole))
    assert phone.post("/api/pair", json={"pin": PIN}).json == {"role": "table", "waits_s": 0}
    assert stolen(phone, whole) != stolen(thief, whole)
    paired = thief.get("/api/pair").json
    assert paired is not None
    assert paired["role"] is None


def test_what_is_written_is_always_the_newest_list_of_phones(tmp_path: Path) -> None:
    """A phone that was let go while the disk was busy would have come back with the next start."""
    pairing = Pairing(tmp_path, PIN)
    waiting = pairing.ask("10.0.0.1", "blue", None)
    with pairing.kept._writing:
        slow = Thread(target=pairing.enter, args=("10.0.0.1", PIN, "red"))
        slow.start()
        assert until(lambda: "red" in pairing.roles.values())
        pairing.held("blue")
    slow.join(PATIENCE_S)
    assert not slow.is_alive()
    assert isinstance(waiting, str)
    assert Pairing(tmp_path).role_of(waiting) == "blue"


# --- files --------------------------------------------------------------------------------------


def test_files_are_their_owners_alone_whatever_the_mask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        pairing = Pairing(tmp_path, PIN)
        pairing.enter(HERE, PIN, "red")
    finally:
        os.umask(before)
    for file in (tmp_path / pairing_store.PIN, tmp_path / pairing_store.PHONES):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "planted", ["phone.pin", ".phone.pin.new", "phones.json", ".phones.json.new"]
)
def test_a_link_that_was_planted_leads_to_no_other_file(tmp_path: Path, planted: str) -> None:
    others, folder = tmp_path / "others", tmp_path / "ours"
    others.write_bytes(b"314159\n")
    others.chmod(0o600)
    folder.mkdir()
    (folder / planted).symlink_to(others)
    pairing = Pairing(folder, PIN)
    pairing.enter(HERE, PIN, "red")
    assert others.read_bytes() == b"314159\n"
    links = [file.name for file in folder.iterdir() if file.is_symlink()]
    assert all(name.startswith(f"{planted}.damaged") for name in links)  # put aside as it is


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EIO])
def test_a_disk_that_takes_nothing_ends_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int
) -> None:
    def fails(*_: object, **__: object) -> int:
        raise OSError(fault, os.strerror(fault))

    monkeypatch.setattr(os, "fsync", fails)
    room = FakeRoom("red", "blue")
    phone = client(phones(room, pairing=Pairing(tmp_path, PIN)), "red")
    assert phone.post("/api/commands", json=ROLL).status_code == 200
    assert phone.post("/api/unpair", json={}).status_code == 200
    assert room.now.view.magic == 7


# --- who may do what ------------------------------------------------------------------------------


FIELDS: dict[str, dict[str, Any]] = {
    "accept": {"request": "r1"},
    "decline": {"request": "r1"},
    "act": {"text": "place red"},
    "insist": {"text": "place red"},
    "withdraw": {"text": "place red"},
    "new-match": {"game": "zapp-zerapp", "settings": {"seats": ["red", "blue"]}},
    "put-right": {"deed": 1, "text": "roll 9"},
    "rule": {"foul": 1, "upheld": True},
    "call": {"code": "peek", "seat": "red"},
    "settle": {"seat": "red", "stopper": None},
    "join-hall": {"code": "rappelwacht1"},
    "begin-weighing-known": {"known_mg": 33_900},
    "read-number": {"stopper": 1, "number": 1},
    "roll-back": {"version": 1},
    "try-light": {"light": None},
    "try-seat-light": {"colour": "red"},
}
OF_RED = ("act", "insist", "withdraw", "settle")


@pytest.mark.parametrize("role", [None, *ROLES])
def test_every_wish_of_every_role_is_judged_before_the_table_hears_of_it(
    room: FakeRoom, role: str | None
) -> None:
    phone = client(room, role)
    for kind in WISHES:
        room.commands.clear()
        wish = {"kind": kind, **FIELDS.get(kind, {})}
        answer = phone.post("/api/commands", json={"request": kind, "wish": wish})
        may = role is not None and (kind not in OF_RED or role in ("table", "red"))
        assert (answer.status_code == 403) == (not may), kind
        assert [command.by for command in room.commands] == [role] * may, kind


def test_no_seat_puts_right_what_another_has_said() -> None:
    room = table()
    do(room, "roll 9", *(f"place {seat}" for seat in ("red", "green", "blue", "yellow")), "flip")
    do(room, "say red 5")
    event = room.now.acted
    made = app(room)
    for role, expected in (("blue", 403), ("table", 200)):
        wish = {"kind": "put-right", "deed": event, "text": "say blue 5"}
        answer = client(made, role).post("/api/commands", json={"request": role, "wish": wish})
        assert answer.status_code == expected, answer.text
    mine = from_json({"kind": "put-right", "deed": 1, "text": "roll 8"})
    acts = meanings(mine, "zapp-zerapp")
    assert permissions.refusal(Viewer(role="blue"), mine, acts, room.entries("m0")) is None


NASTY: tuple[Any, ...] = (
    None, -1, 0, 1, 13, 14, 99, 999_999_999, True, "red", "purple", "", "red\ud800",
    [], [1], [99], [1, 1], [-1], [None], {},
)  # fmt: skip


@pytest.mark.parametrize("playing", [False, True])
@pytest.mark.parametrize("stoppers", [0, 13])
def test_no_wish_ends_the_tables_thread(tmp_path: Path, stoppers: int, playing: bool) -> None:
    """Who acts for the table could have named a seat that nobody has, and all would have ended."""
    known = tuple(Stopper(bytes([n] * 6), n, bytes(16)) for n in range(1, stoppers + 1))
    attacked_table = Table(TableConfig(config.TableWiring(), tmp_path, known))
    attacked_table.resume()
    wishes: list[dict[str, Any]] = []
    for value in NASTY:
        wishes += [
            *({"kind": "settle", "seat": "red", "stopper": value}, {"kind": "rule", "foul": value}),
            {"kind": "settle", "seat": value, "stopper": 1},
            {"kind": "call", "code": "peek", "seat": value},
            {"kind": "put-right", "deed": value, "text": "roll 7"},
            {"kind": "read-number", "stopper": value, "number": 3},
            {"kind": "read-number", "stopper": 1, "number": value},
            *({"kind": kind, "stoppers": value} for kind in ("begin-enrolling",)),
            *({"kind": "begin-weighing-empty", "stoppers": value}, {"kind": "save-enrolling"}),
            *({"kind": "roll-back", "version": value}, {"kind": "try-light", "light": value}),
            {"kind": "try-seat-light", "colour": value},
        ]
    if playing:
        attacked_table.turn(PendingCommand(Command("0", usual_match(("red", "blue")), "table")))
    heard = 0
    for number, wished in enumerate(wishes):
        try:
            wish = from_json(wished)
        except (RulesError, CompanionError):
            continue  # which the API refuses
        asked = PendingCommand(Command(f"r{number}", wish, "table"))
        attacked_table.turn(asked)
        attacked_table.turn()  # what it left for itself
        assert asked.answer is not None
        heard += 1
    assert heard > 50
    attacked_table.stop()
