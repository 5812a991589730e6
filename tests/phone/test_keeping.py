"""What is kept of phones: disks that fail keep nobody out, and the PIN is where it is said."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.phone import keeping
from companion.phone.greeting import announcement
from companion.phone.keeping import PHONES, Hold
from companion.phone.pairing import Pairing
from companion.phone.server import PhoneServer
from tests.phone.room import FakeRoom, phones
from tests.phone.test_cookies import entered, role
from tests.phone.test_server import HERE

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
    return (folder / keeping.PIN).read_text().removesuffix("\n")


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
            assert str(tmp_path / keeping.PIN) in announcement(started, "en")
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
    assert f"The PIN cannot be written ({os.strerror(fault)})" in told
    assert pairing.pin not in told


@pytest.mark.parametrize(
    ("mode", "content"), [(0o644, "314159\n"), (0o600, "31415\n"), (0o600, ""), (0o600, "x" * 9)]
)
def test_an_old_pin_that_others_could_read_or_that_is_none_is_not_todays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, content: str
) -> None:
    file = tmp_path / keeping.PIN
    file.write_text(content)
    file.chmod(mode)
    fail(monkeypatch, "unlink", errno.EROFS)
    pairing = Pairing(tmp_path)
    assert pairing.pin != content.strip()
    assert len(pairing.pin) == keeping.PIN_DIGITS
    assert "it holds an old one" in announcement(phones(pairing=pairing, folder=tmp_path), "en")


def test_a_disk_that_cannot_even_be_read_ends_no_evening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_whatever_is_cut_off_leaves_the_whole_list_of_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairing = Pairing(tmp_path)
    first = pairing.enter(HERE, pairing.pin, "red")
    for call in ("fsync", "replace", "unlink", "open"):
        with monkeypatch.context() as failing:
            fail(failing, call, errno.ENOSPC)
            second = pairing.enter(HERE, pairing.pin, "blue")
        assert isinstance(first, str)
        assert isinstance(second, str)
        assert pairing.role_of(second) == "blue"
        assert list(json.loads((tmp_path / PHONES).read_bytes()).values()) == ["red"], call
        assert Pairing(tmp_path).role_of(first) == "red"
        pairing.leave(second)


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
    hold = Hold(tmp_path)
    assert Hold(tmp_path).folder is None
    hold.release()
    hold.release()
    again = Hold(tmp_path)
    assert again.folder == tmp_path
    again.release()
    assert Hold(None).folder is None
    assert Hold(tmp_path / "none").folder == tmp_path / "none"
