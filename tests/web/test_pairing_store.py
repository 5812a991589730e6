"""What is kept of phones: disks that fail keep nobody out, and the PIN is where it is said."""

import errno
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from companion.system import config, private_files
from companion.system.small_files import KeptAside
from companion.system.status import Condition
from companion.table.table import Table
from companion.table.table_config import Pages, TableConfig
from companion.web import pairing_store
from companion.web import server as server_module
from companion.web.join_page import announcement
from companion.web.pairing import Pairing, PairingPorts
from companion.web.pairing_store import PHONES, FolderLock, Keeping
from companion.web.server import PhoneServer
from tests.web.room import FakeRoom, phones
from tests.web.test_cookies import entered, role
from tests.web.test_server import HERE, until

FAULTS = (errno.EROFS, errno.ENOSPC, errno.EACCES, errno.EPERM, errno.EIO)
CHANGING = ("open", "unlink", "replace", "rename", "chmod", "fchmod", "fsync", "mkdir")
RED = '{"role":"red","waits_s":0}'


def fail(monkeypatch: pytest.MonkeyPatch, call: str, fault: int) -> None:
    """Let a call of the system fail where it changes something."""
    real: Callable[..., Any] = getattr(os, call)

    def failing(*given: Any, **more: Any) -> Any:
        flags = given[1] if call == "open" and len(given) > 1 else os.O_CREAT
        if not flags & (os.O_CREAT | os.O_WRONLY | os.O_RDWR):
            return real(*given, **more)
        raise OSError(fault, os.strerror(fault))

    monkeypatch.setattr(os, call, failing)


def written(folder: Path) -> str:
    return (folder / pairing_store.PIN).read_text().removesuffix("\n")


@pytest.mark.slow(but=9)
@pytest.mark.parametrize("fault", FAULTS, ids=errno.errorcode.get)
@pytest.mark.parametrize("calls", [*((call,) for call in CHANGING), CHANGING], ids="+".join)
def test_a_disk_that_takes_nothing_keeps_its_phones_and_one_pin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls: tuple[str, ...], fault: int
) -> None:
    """Such as a read-only card: an old PIN in the file would have let nobody in."""
    with PhoneServer(FakeRoom("red", "blue"), tmp_path) as first:
        cookie = entered(first.start(0, HERE).here.port, first.pairing.pin)
    with monkeypatch.context() as failing:
        for call in calls:
            fail(failing, call, fault)
        with PhoneServer(FakeRoom("red", "blue"), tmp_path) as second:
            started = second.start(0, HERE)
            assert role(started.here.port, cookie) == RED
            assert second.pairing.pin == written(tmp_path)
            assert str(tmp_path / pairing_store.PIN) in announcement(started, "en")
            assert entered(started.here.port, written(tmp_path))
    with PhoneServer(FakeRoom("red", "blue"), tmp_path) as third:
        assert role(third.start(0, HERE).here.port, cookie) == RED


@pytest.mark.parametrize("fault", FAULTS, ids=errno.errorcode.get)
def test_a_fresh_folder_that_takes_nothing_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: int
) -> None:
    fail(monkeypatch, "open", fault)
    pairing = Pairing(tmp_path)
    told = announcement(phones(pairing=pairing, folder=tmp_path), "en")
    assert f"The PIN cannot be saved ({os.strerror(fault)})" in told
    assert pairing.pin not in told


@pytest.mark.parametrize(
    ("mode", "content"), [(0o644, "314159\n"), (0o600, "31415\n"), (0o600, ""), (0o600, "x" * 9)]
)
def test_an_old_pin_that_others_could_read_or_that_is_none_is_not_todays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, content: str
) -> None:
    file = tmp_path / pairing_store.PIN
    file.write_text(content)
    file.chmod(mode)
    fail(monkeypatch, "unlink", errno.EROFS)
    pairing = Pairing(tmp_path)
    assert pairing.pin != content.strip()
    assert len(pairing.pin) == pairing_store.PIN_DIGITS
    assert "it contains an old one" in announcement(phones(pairing=pairing, folder=tmp_path), "en")


def test_unreadable_disks_end_no_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Pairing(tmp_path)

    def unreadable(real: Callable[..., Any]) -> Callable[..., Any]:
        def failing(path: Any, *given: Any, **more: Any) -> Any:
            if str(path).startswith(str(tmp_path)):
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return real(path, *given, **more)

        return failing

    monkeypatch.setattr(Path, "read_bytes", unreadable(Path.read_bytes))
    monkeypatch.setattr(os, "open", unreadable(os.open))
    with PhoneServer(FakeRoom("red", "blue"), tmp_path) as server:
        port = server.start(0, HERE).here.port
        assert role(port, entered(port, server.pairing.pin)) == RED


# --- what is no file ------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_not_a_file_of_ours_holds_no_start_up_where_nothing_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None]
) -> None:
    for name in (PHONES, pairing_store.PIN):
        make(tmp_path / name)
    fail(monkeypatch, "replace", errno.EROFS)
    fail(monkeypatch, "open", errno.EROFS)
    made: list[Pairing] = []
    start = Thread(target=lambda: made.append(Pairing(tmp_path)), daemon=True)
    start.start()
    start.join(20)
    assert len(made) == 1
    phone = made[0].enter(HERE, made[0].pin, "red")
    assert isinstance(phone, str)
    assert made[0].role_of(phone) == "red"


@pytest.mark.parametrize("where", ["RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR", "TMPDIR"])
def test_a_first_start_in_a_folder_that_takes_nothing_writes_the_pin_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    for name in ("RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv(where, str(tmp_path))
    gone = tmp_path / "gone"  # nothing can be written there
    pairing = Pairing(gone)
    (file,) = tmp_path.iterdir()
    assert file.read_text() == f"{pairing.pin}\n"
    assert file.stat().st_mode & 0o777 == 0o600
    told = announcement(phones(pairing=pairing, folder=gone), "en")
    assert told.endswith(f"The PIN is in the file {file}, for its owner only.")
    assert Pairing(gone).pin == file.read_text().strip()
    assert len([*tmp_path.iterdir()]) == 1


def test_a_pin_elsewhere_goes_with_its_table_unless_it_is_anothers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    gone = tmp_path / "gone"
    with PhoneServer(FakeRoom("red", "blue"), gone) as server:
        server.start(0, HERE)
        (file,) = tmp_path.iterdir()
    assert not file.exists()
    with PhoneServer(FakeRoom("red", "blue"), gone) as server:
        server.start(0, HERE)
        file.write_text("000000\n")
    assert file.exists()


@pytest.mark.parametrize("full", [False, True])
def test_what_is_no_pin_is_told_of(tmp_path: Path, told: list[Condition], *, full: bool) -> None:
    spoilt = tmp_path / pairing_store.PIN
    if full:
        (spoilt / "something").mkdir(parents=True)
    else:
        spoilt.write_bytes(b"31415\0\n")
    pairing = Pairing(tmp_path, ports=PairingPorts(told.append))
    assert written(tmp_path) == pairing.pin
    assert pairing.kept.pin_file == tmp_path / pairing_store.PIN
    (condition,) = told
    assert condition.state is KeptAside.ASIDE
    assert condition.values["aside"] == tmp_path / "phone.pin.damaged-1"
    assert Pairing(tmp_path, ports=PairingPorts(told.append)).pin != pairing.pin
    assert len(told) == 1  # a PIN of the last evening is nothing to tell of


# --- what could not be written ------------------------------------------------------------------


def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the disk be full: whatever needs room fails, whatever gives room back does not."""
    fail(monkeypatch, "fsync", errno.ENOSPC)


@pytest.fixture
def told() -> list[Condition]:
    return []


def test_whoever_was_let_go_while_the_disk_was_full_does_not_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: list[Condition]
) -> None:
    pairing = Pairing(tmp_path, ports=PairingPorts(told.append))
    gone, stays = (pairing.enter(HERE, pairing.pin, "red") for _ in range(2))
    assert isinstance(gone, str)
    assert isinstance(stays, str)
    with monkeypatch.context() as failing:
        full(failing)
        pairing.leave(gone)
        new = pairing.enter(HERE, pairing.pin, "blue")
        pairing.keep()
    assert isinstance(new, str)
    assert [one.state for one in told] == [Keeping.UNWRITTEN]  # once
    assert told[0].values["file"] == tmp_path / PHONES
    assert not told[0].state.fine
    pairing.keep()  # as the server does now and then
    assert told[-1].state is Keeping.WRITTEN
    later = Pairing(tmp_path)
    assert [later.role_of(one) for one in (gone, stays, new)] == [None, "red", "blue"]


def test_all_that_are_let_go_are_gone_even_if_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: list[Condition]
) -> None:
    pairing = Pairing(tmp_path, ports=PairingPorts(told.append))
    gone = pairing.enter(HERE, pairing.pin, "table")
    assert isinstance(gone, str)
    with monkeypatch.context() as failing:
        fail(failing, "open", errno.ENOSPC)
        pairing.leave_all()
    assert Pairing(tmp_path).role_of(gone) is None
    assert told == []  # nothing is left to see to


def test_all_that_are_let_go_are_gone_even_if_their_list_could_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Pairing(tmp_path)
    gone = first.enter(HERE, first.pin, "red")
    assert isinstance(gone, str)
    with monkeypatch.context() as failing:
        failing.setattr(pairing_store.StoredPhones, "_phones", lambda *_: {})
        second = Pairing(tmp_path)
    second.leave_all()
    assert Pairing(tmp_path).role_of(gone) is None


def test_a_list_that_was_written_before_the_disk_failed_is_taken_back_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The new list had its name already when the folder could not be synced."""
    pairing = Pairing(tmp_path)
    pairing.enter(HERE, pairing.pin, "red")
    with monkeypatch.context() as failing:
        failing.setattr(private_files, "sync_folder", lambda _: os.open(tmp_path / "none", 0))
        gone = pairing.enter(HERE, pairing.pin, "blue")
    assert isinstance(gone, str)
    pairing.leave(gone)
    assert Pairing(tmp_path).role_of(gone) is None


def test_a_server_tries_again_until_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: list[Condition]
) -> None:
    monkeypatch.setattr(server_module, "KEEP_S", 0.005)
    with PhoneServer(FakeRoom("red", "blue"), tmp_path, report=told.append) as server:
        port = server.start(0, HERE).here.port
        with monkeypatch.context() as failing:
            full(failing)
            cookie = entered(port, server.pairing.pin)
            assert until(lambda: bool(told))
        assert until(lambda: told[-1].state is Keeping.WRITTEN)
        assert len(json.loads((tmp_path / PHONES).read_bytes())) == 1
    with PhoneServer(FakeRoom("red", "blue"), tmp_path) as again:
        assert role(again.start(0, HERE).here.port, cookie) == RED


def test_a_table_tells_that_phones_cannot_be_written(tmp_path: Path) -> None:
    with Table(TableConfig(config.TableWiring(), tmp_path, pages=Pages(0))) as table:
        (tmp_path / PHONES).mkdir()
        assert table.site is not None
        table.site.pairing.enter(HERE, table.site.pairing.pin, "red")
        assert until(lambda: Keeping.UNWRITTEN in [it.state for it in table.snapshot.troubles])
        (tmp_path / PHONES).rmdir()
        table.site.pairing.keep()
        assert until(lambda: not table.snapshot.troubles)


# --- two tables, one folder -----------------------------------------------------------------------


def test_a_second_table_leaves_pin_and_phones_of_the_first_alone(tmp_path: Path) -> None:
    with PhoneServer(FakeRoom("red", "blue"), tmp_path) as first:
        cookie = entered(first.start(0, HERE).here.port, first.pairing.pin)
        kept = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
        with PhoneServer(FakeRoom("red", "blue"), tmp_path) as second:
            started = second.start(0, HERE)
            other = entered(started.here.port, second.pairing.pin)
            assert other.partition("=")[0] != cookie.partition("=")[0]
            told = announcement(started, "en")
        assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == kept
        assert written(tmp_path) == first.pairing.pin
        assert f"Another table uses the folder {tmp_path}" in told
    with PhoneServer(FakeRoom("red", "blue"), tmp_path) as third:  # the first has ended
        assert role(third.start(0, HERE).here.port, cookie) == RED
        assert written(tmp_path) == third.pairing.pin


def test_a_folder_is_let_go_once_and_none_is_nobodys(tmp_path: Path) -> None:
    hold = FolderLock(tmp_path)
    assert FolderLock(tmp_path).folder is None
    hold.release()
    hold.release()
    again = FolderLock(tmp_path)
    assert again.folder == tmp_path
    again.release()
    assert FolderLock(None).folder is None
    assert FolderLock(tmp_path / "none").folder == tmp_path / "none"
