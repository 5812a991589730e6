"""What a table keeps is for its owner alone, however open the system makes new files."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion import private_files, stoppers
from companion.devices.recording import Recorder
from companion.errors import CompanionError
from companion.folders import JOURNAL, kept_in, made, made_private
from companion.outputs.terminal.saved import write_new
from companion.referee.exchange import take_in
from companion.referee.journal import Journal
from companion.referee.journal_state import JournalState
from companion.stoppers import HEARD, STOPPERS, Stopper
from tests.referee.journals import BEGUN, Table


@pytest.fixture(autouse=True)
def _open_system() -> Iterator[None]:
    """Let new files be for everybody, unless somebody says otherwise."""
    before = os.umask(0)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: mode(path) for path in folder.iterdir()}


def test_a_journal_and_its_log_are_for_their_owner(tmp_path: Path) -> None:
    journal = Journal(tmp_path / JOURNAL)
    journal.begin(BEGUN)
    names = {JOURNAL, f"{JOURNAL}-wal", f"{JOURNAL}.lock"}
    assert modes(tmp_path) == dict.fromkeys(names, 0o600)
    journal.close()


def test_a_journal_that_was_restored_is_for_its_owner(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_bytes(b"no journal at all" * 99)
    made_private(tmp_path)
    table = Table(tmp_path / JOURNAL)
    journal = table.open()
    assert journal.condition.state is JournalState.RESTORED
    journal.begin(BEGUN)
    assert f"{JOURNAL}.damaged-1" in modes(tmp_path)
    assert set(modes(tmp_path).values()) == {0o600}
    journal.close()


def test_what_is_known_of_stoppers_is_for_their_owner(tmp_path: Path) -> None:
    known = (Stopper(bytes(6), 1, bytes(16)),)
    stoppers.keep(tmp_path, known[0])
    stoppers.keep_heard(tmp_path, known, {bytes(6): (1, 2)})
    assert modes(tmp_path) == {STOPPERS: 0o600, HEARD: 0o600}
    assert stoppers.last_heard(tmp_path, known) == {bytes(6): (1, 2)}


def test_what_people_save_or_record_is_for_them(tmp_path: Path) -> None:
    write_new(tmp_path / "export", b"hands")
    Recorder(tmp_path / "recording").close(0)
    assert modes(tmp_path) == {"export": 0o600, "recording": 0o600}


def test_a_folder_that_a_table_makes_is_for_its_owner(tmp_path: Path) -> None:
    assert mode(made_private(tmp_path / "new" / "table")) == 0o700
    assert mode(made(tmp_path / "reports")) == 0o777


def test_what_an_earlier_version_left_open_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = kept_in(None, "simulated")
    folder.mkdir(parents=True)
    ours = (
        JOURNAL,
        f"{JOURNAL}-wal",
        f"{JOURNAL}.damaged-1",
        "heard.json",
        "calibration-000001.json",
    )
    for name in ours:
        (folder / name).touch()
    made_private(folder)
    assert mode(folder) == 0o700
    assert modes(folder) == dict.fromkeys(ours, 0o600)


def test_a_folder_of_somebodys_own_stays_as_open_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "notes.txt").touch()
    (folder / "elsewhere").touch()
    (folder / HEARD).symlink_to(folder / "elsewhere")
    (folder / JOURNAL).touch()
    made_private(folder)
    assert mode(folder) == 0o777
    assert modes(folder) == {"notes.txt": 0o666, "elsewhere": 0o666, HEARD: 0o666, JOURNAL: 0o600}


def test_where_rights_cannot_be_changed_the_table_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / JOURNAL).touch()

    def read_only(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "chmod", read_only)
    assert made_private(tmp_path) == tmp_path
    monkeypatch.setattr(Path, "iterdir", read_only)
    assert made_private(tmp_path) == tmp_path


def test_a_file_is_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    private_files.write(file, b"old")
    for broken in ("fsync", "replace"):

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr(os if broken == "fsync" else Path, broken, full)
            with pytest.raises(OSError, match="No space"):
                private_files.write(file, b"new")
        assert modes(tmp_path) == {"file": 0o600}
        assert file.read_bytes() == b"old"


@pytest.fixture
def _nobody_waits() -> Iterator[None]:
    """Fail what would wait for ever."""

    def ring(*_: object) -> None:
        raise AssertionError("somebody waits for what never comes")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("_nobody_waits")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_ordinary_file_is_refused_at_once(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    known = (Stopper(bytes(6), 1, bytes(16)),)
    for name in (STOPPERS, HEARD, "export"):
        make(tmp_path / name)
    with pytest.raises(OSError, match=r"not an ordinary file|Is a directory"):
        private_files.read(tmp_path / HEARD, 10)
    assert stoppers.last_heard(tmp_path, known) == {}
    with pytest.raises(CompanionError, match="the file cannot be read"):
        stoppers.load(tmp_path)
    journal = Journal(tmp_path / JOURNAL)
    with pytest.raises(CompanionError, match="the file cannot be read"):
        take_in(journal, tmp_path / "export")
    journal.close()


def test_no_more_is_read_than_a_file_may_hold(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert private_files.read(tmp_path / "file", 5) == b"12345"
    with pytest.raises(OSError, match="too large"):
        private_files.read(tmp_path / "file", 4)
