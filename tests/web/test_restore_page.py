"""Restoring on the Workshop page: where a backup goes, what may not begin, and what stays apart."""

import errno
import gc
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from types import SimpleNamespace
from typing import IO, Any
from warnings import catch_warnings

import pytest

from companion.maintenance import backup as backups
from companion.maintenance.backup import finish_restore
from companion.referee.handlers import usual_match
from companion.system.config import TableWiring
from companion.web import care_page
from companion.web.context import KEPT_S, CareDesk, Uploads, WebContext
from companion.web.first_run_page import SETUP_FILE, Built, FirstRun, TableSetup
from companion.web.server import PhoneServer
from tests.maintenance.backup_files import QUICK
from tests.web.room import app, client
from tests.web.test_care_page import (
    WORDS,
    Bare,
    Clock,
    at_folder,
    backed_up_table,
    confirmed,
    js,
    looked,
    saved,
    send,
    sent,
)

OTHER_WORDS = "Acht Fässer im Schnee"


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backups, "SCRYPT", QUICK)


@pytest.fixture
def kept_table(tmp_path: Path) -> Path:
    return backed_up_table(tmp_path / "old")


def test_no_match_begins_once_a_backup_waits_for_the_end(kept_table: Path, tmp_path: Path) -> None:
    here = backed_up_table(tmp_path / "here", 1, people="mine")
    at, room = at_folder(here), Bare()
    at = replace(at, room=room)
    phone, data = client(at, "table"), saved(client(at_folder(kept_table), "table"))
    send(phone, data)
    confirmed(phone, "restore")
    assert phone.post("/api/care/restore", json={}).status_code == 200
    refused = room.wish(usual_match(("red", "blue"))).refused
    assert "about to begin anew" in str(refused)
    assert not room.papers
    send(phone, data)
    confirmed(phone, "restore")
    assert "already" in phone.post("/api/care/restore", json={}).text
    assert room.wish(usual_match(("red", "blue"))).refused is not None  # the first still waits


def test_a_match_may_begin_again_where_a_restore_has_failed(
    kept_table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Bare()
    at = replace(at_folder(backed_up_table(tmp_path / "here")), room=room)
    phone = client(at, "table")
    send(phone, saved(client(at_folder(kept_table), "table")))

    def fails(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backups, "stage", fails)
    confirmed(phone, "restore")
    assert js(phone.post("/api/care/restore", json={}))["error"]["code"] == "no-room"
    assert room.wish(usual_match(("red", "blue"))).refused is None


def test_what_is_larger_than_the_disk_once_it_is_unpacked_does_not_fill_it(
    kept_table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (kept_table / "measured.link").write_bytes(bytes(2_000_000))
    here = backed_up_table(tmp_path / "here")
    phone = client(at_folder(here), "table")
    data = saved(client(at_folder(kept_table), "table"))
    assert len(data) < 100_000
    send(phone, data)
    confirmed(phone, "restore")
    free = SimpleNamespace(free=care_page.SPARE_BYTES + 1_000_000)
    monkeypatch.setattr(care_page, "disk_usage", lambda _: free)
    refused = phone.post("/api/care/restore", json={})
    assert js(refused)["error"]["code"] == "no-room"
    assert not (here / backups.STAGED).exists()
    free.free += 2_000_000
    assert phone.post("/api/care/restore", json={}).status_code == 200  # it stays confirmed


@pytest.mark.usefixtures("quick")
def test_what_one_phone_has_unlocked_is_not_taken_for_what_another_sent(
    kept_table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody sends a file just while another's is being unlocked, which takes a moment."""
    made = app(at_folder(kept_table))
    phone, other = client(made, "table"), client(made, "red")
    mine = saved(phone, passphrase=WORDS)
    empty = backed_up_table(tmp_path / "other", 1)
    theirs = saved(client(at_folder(empty), "table"), passphrase=OTHER_WORDS)
    unlocks = backups.unlocked

    def unlocked(*_: Any) -> IO[bytes]:
        send(other, theirs)
        return plain

    send(phone, mine)
    plain = unlocks(Path("b.zip"), WORDS, BytesIO(mine))
    monkeypatch.setattr(backups, "unlocked", unlocked)
    looked(phone, passphrase=WORDS)
    assert js(looked(other))["locked"]
    monkeypatch.undo()
    assert js(looked(other, passphrase=OTHER_WORDS))["holds"] == ["1 match", "people"]


@pytest.mark.usefixtures("quick")
def test_what_takes_more_memory_to_unlock_than_the_service_has_is_restored_elsewhere(
    kept_table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    phone = client(at_folder(kept_table), "table")

    def note(passphrase: str) -> str:
        confirmed(phone, "backup")
        said: str = js(phone.post("/api/care/backup", json={"passphrase": passphrase}))["note"]
        return said

    send(phone, mine := saved(phone, passphrase=WORDS))
    assert note(WORDS) == ""
    monkeypatch.setattr(care_page, "LOCKED_BYTES", len(mine) - 1)
    assert "command line" in looked(phone, passphrase=WORDS).text
    assert "command line" in note(WORDS)  # so it is known before it is needed
    assert note("") == ""
    monkeypatch.setattr(care_page, "LOCKED_BYTES", len(mine))
    assert js(looked(phone, passphrase=WORDS))["holds"]


def nothing_built(folder: Path) -> WebContext:
    """Return a real table of which nothing is built: software barrels lie apart."""
    SETUP_FILE.save(folder, TableSetup(True, Built.NOTHING))
    return replace(at_folder(folder), hands={}, first_run=FirstRun(folder, TableWiring()))


def test_with_nothing_built_a_simulated_table_goes_apart(kept_table: Path, tmp_path: Path) -> None:
    (kept_table / "cafe.json").write_text("{}", "utf-8")
    (kept_table / "practice.json").write_text("{}", "utf-8")
    data = saved(client(replace(at_folder(kept_table), hands={}), "table"))
    here = backed_up_table(tmp_path / "table", 1, people="mine")
    phone = client(nothing_built(here), "table")
    said = js(sent(phone, data))["other"]
    assert "take the place of those that were played here" in said
    assert "anew" not in said  # phones trust this table as before
    confirmed(phone, "restore")
    assert js(phone.post("/api/care/restore", json={}))["then"] == ""
    assert not finish_restore(here)
    assert finish_restore(here / "simulated")
    assert len([*(here / "simulated/journal").glob("*.jsonl")]) == 2
    names = {path.name for path in (here / "simulated").iterdir() if path.is_file()}
    assert names - {".lock"} == {"practice.json"}  # nobody would read the others there
    assert len([*(here / "journal").glob("*.jsonl")]) == 1
    assert (here / "people.json").read_text("utf-8") == "mine"


@pytest.mark.parametrize("knows", [True, False])
def test_where_nothing_is_built_a_real_table_is_restored_and_one_says_what_is(
    kept_table: Path, tmp_path: Path, *, knows: bool
) -> None:
    if knows:
        SETUP_FILE.save(kept_table, TableSetup(True, Built.SEATS))
    data = saved(client(at_folder(kept_table), "table"))
    here = backed_up_table(tmp_path / "table", 1)
    phone = client(nothing_built(here), "table")
    says = "what is built and the name come with it" if knows else "Say what is built afterwards"
    assert says in js(sent(phone, data))["other"]
    confirmed(phone, "restore")
    then = js(phone.post("/api/care/restore", json={}))["then"]
    assert then == ("" if knows else "/welcome?step=built")
    assert finish_restore(here)
    assert len([*(here / "journal").glob("*.jsonl")]) == 2
    built = SETUP_FILE.load(here, TableSetup(), lambda _: None).built
    assert built is (Built.SEATS if knows else Built.NOTHING)


def test_a_backup_where_nothing_is_built_is_a_real_tables(kept_table: Path, tmp_path: Path) -> None:
    data = saved(client(nothing_built(kept_table), "table"))
    real = client(at_folder(backed_up_table(tmp_path / "real")), "table")
    assert "simulated" not in js(sent(real, data))["other"]


@pytest.mark.usefixtures("quick")
def test_the_page_says_that_only_a_passphrase_takes_along_what_phones_trust(
    kept_table: Path,
) -> None:
    phone, says = client(at_folder(kept_table), "table"), "what phones trust by https"
    assert says not in phone.get("/workshop").text
    (kept_table / "https").mkdir()
    (kept_table / "https/authority.pem").write_text("its key", "ascii")
    assert says in phone.get("/workshop").text
    known, unknown = (saved(phone, passphrase=WORDS), saved(phone))
    send(phone, known)
    opened, plain = js(looked(phone, passphrase=WORDS)), js(sent(phone, unknown))
    assert (says in opened["holds"], says in plain["holds"]) == (True, False)
    assert ("trust this one anew" in opened["other"], "trust this one anew" in plain["other"]) == (
        False,
        True,
    )
    assert b"its key" not in unknown + known


def test_a_table_that_ends_lets_go_of_what_phones_sent_and_were_made(tmp_path: Path) -> None:
    with PhoneServer(Bare(), tmp_path) as served:
        whole = served.start(0, "127.0.0.1")
        made, plain = TemporaryFile(dir=tmp_path), TemporaryFile(dir=tmp_path)  # noqa: SIM115
        whole.desk.keep("phone", made, "backup.zip")
        whole.desk.unlock(BytesIO(), plain)
        whole.uploads.add("phone", 0, 5, b"whole", tmp_path)
        file = whole.uploads.whole("phone")
        assert file is not None
        assert not any(kept.closed for kept in (made, plain, file))
    assert all(kept.closed for kept in (made, plain, file))


def test_no_file_is_left_open_where_all_goes_in_one_circle(tmp_path: Path) -> None:
    made, plain = TemporaryFile(dir=tmp_path), TemporaryFile(dir=tmp_path)  # noqa: SIM115
    uploads, desk = Uploads(), CareDesk()
    uploads.add("phone", 0, 5, b"whole", tmp_path)
    desk.keep("phone", made, "backup.zip")
    desk.unlock(BytesIO(), plain)
    circle: list[object] = [made, plain, uploads.whole("phone"), uploads, desk]
    circle.append(circle)
    del made, plain, uploads, desk, circle
    with catch_warnings(record=True, action="always") as unclosed:
        gc.collect()
    assert not [str(one.message) for one in unclosed if one.category is ResourceWarning]


def test_a_file_that_nobody_goes_on_to_send_is_let_go_of(tmp_path: Path) -> None:
    clock = Clock()
    uploads = Uploads(clock)
    uploads.add("phone", 0, 9, b"part", tmp_path)
    clock.now_s += KEPT_S - 1
    uploads.forget(KEPT_S)
    assert uploads.add("phone", 4, 9, b"more", tmp_path) == 8
    clock.now_s += KEPT_S
    uploads.forget(KEPT_S)
    with pytest.raises(LookupError):
        uploads.add("phone", 8, 9, b"!", tmp_path)
