"""What a table keeps is for its owner alone, however open the system makes new files."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BufferedWriter, FileIO
from pathlib import Path
from typing import Any, Final

import pytest

from companion.cli.files import write_new
from companion.devices import stopper_registry
from companion.devices.recording import Recorder
from companion.devices.stopper_registry import HEARD, STOPPERS, Stopper
from companion.journal import Journal, JournalState
from companion.journal.export import import_file
from companion.system import private_files
from companion.system.errors import CompanionError
from companion.system.paths import (
    JOURNAL,
    OLD_JOURNAL,
    ensure_folder,
    ensure_private_folder,
    kept_in,
)
from tests.journal.journals import BEGUN, Table


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


def test_a_journal_is_for_its_owner(tmp_path: Path) -> None:
    journal = Journal(tmp_path / JOURNAL)
    journal.start(BEGUN)
    assert modes(tmp_path) == {JOURNAL: 0o700}
    assert set(modes(tmp_path / JOURNAL).values()) == {0o600}
    journal.close()


def test_a_journal_that_was_restored_is_for_its_owner(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).mkdir()
    (tmp_path / JOURNAL / "000001-m.jsonl").write_bytes(b"no journal at all" * 99)
    (tmp_path / OLD_JOURNAL).write_bytes(b"no database at all" * 99)
    ensure_private_folder(tmp_path)
    table = Table(tmp_path / JOURNAL)
    journal = table.open()
    assert journal.condition.state is JournalState.RESTORED
    journal.start(BEGUN)
    assert "000001-m.jsonl.damaged-1" in modes(tmp_path / JOURNAL)
    assert modes(tmp_path) == {JOURNAL: 0o700, f"{OLD_JOURNAL}.imported": 0o600}
    assert set(modes(tmp_path / JOURNAL).values()) == {0o600}
    journal.close()


def test_what_is_known_of_stoppers_is_for_their_owner(tmp_path: Path) -> None:
    known = (Stopper(bytes(6), 1, bytes(16)),)
    stopper_registry.save(tmp_path, known[0])
    stopper_registry.save_counters(tmp_path, known, {bytes(6): (1, 2)})
    assert modes(tmp_path) == {STOPPERS: 0o600, HEARD: 0o600}
    assert stopper_registry.load_counters(tmp_path, known) == {bytes(6): (1, 2)}


def test_what_people_save_or_record_is_for_them(tmp_path: Path) -> None:
    write_new(tmp_path / "export", b"hands")
    Recorder(tmp_path / "recording").close(0)
    assert modes(tmp_path) == {"export": 0o600, "recording": 0o600}


def test_a_folder_that_a_table_makes_is_for_its_owner(tmp_path: Path) -> None:
    assert mode(ensure_private_folder(tmp_path / "new" / "table")) == 0o700
    assert mode(ensure_folder(tmp_path / "reports")) == 0o777


def test_what_was_left_open_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    folder = kept_in(None, "simulated")
    folder.mkdir(parents=True)
    ours = (
        OLD_JOURNAL,
        f"{OLD_JOURNAL}-wal",
        f"{OLD_JOURNAL}.damaged-1",
        "heard.json",
        "calibration-000001.json",
    )
    for name in ours:
        (folder / name).touch()
    ensure_private_folder(folder)
    assert mode(folder) == 0o700
    assert modes(folder) == dict.fromkeys(ours, 0o600)


def test_a_folder_of_somebodys_own_stays_as_open_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir()
    (folder / "notes.txt").touch()
    (folder / "elsewhere").touch()
    (folder / HEARD).symlink_to(folder / "elsewhere")
    (folder / JOURNAL).mkdir()
    ensure_private_folder(folder)
    assert mode(folder) == 0o777
    assert modes(folder) == {"notes.txt": 0o666, "elsewhere": 0o666, HEARD: 0o666, JOURNAL: 0o700}


def test_where_rights_are_fixed_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / JOURNAL).touch()

    def read_only(*_: object, **__: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(Path, "chmod", read_only)
    assert ensure_private_folder(tmp_path) == tmp_path
    monkeypatch.setattr(Path, "iterdir", read_only)
    assert ensure_private_folder(tmp_path) == tmp_path


# --- a file that takes the place of another -------------------------------------------------------

BEFORE, AFTER = b"old", b"new" * 9999  # more than one write takes
NEW, HERE = ".file.new", "file"
CALLS: Final = [
    ("unlink", NEW),  # of an attempt that was cut off
    ("open", NEW),
    ("write", NEW),
    ("fsync", NEW),  # all of it is on the disk, …
    ("replace", NEW),  # … then only it takes the name, …
    ("fsync", "folder"),  # … and the name is on the disk
]


class PowerCut(BaseException):
    """Nothing runs any more."""


@dataclass
class Disk:
    """Notes what each call of the system is about and what the file is then; one may fail."""

    folder: Path
    fails_at: int = len(CALLS)
    failure: type[BaseException] = PowerCut
    calls: list[tuple[str, str]] = field(default_factory=list)
    seen: list[bytes] = field(default_factory=list)  # in the file, before each call and at the end

    def write(self) -> None:
        """Write the new file on this disk."""
        with pytest.MonkeyPatch.context() as patch:
            for name in ("open", "unlink", "replace", "fsync"):
                patch.setattr(os, name, self._noted(name, getattr(os, name)))
            patch.setattr(os, "fdopen", lambda number, _: BufferedWriter(Paper(number, self)))
            private_files.write(self.folder / HERE, AFTER)
        self.seen.append((self.folder / HERE).read_bytes())

    def note(self, call: str, about: int | str | Path) -> None:
        if isinstance(about, int):
            about = Path(f"/proc/self/fd/{about}").readlink()
        path = Path(about)
        if path == self.folder and call == "open":
            return  # it changes nothing
        with (self.folder / HERE).open("rb") as file:
            self.seen.append(file.read())
        self.calls.append((call, "folder" if path == self.folder else path.name))
        cut_off = self.failure is PowerCut and len(self.calls) > self.fails_at
        if cut_off or len(self.calls) == self.fails_at + 1:
            raise self.failure(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _noted(self, call: str, act: Callable[..., object]) -> Callable[..., object]:
        def noted(about: int | str | Path, *more: object, **named: object) -> object:
            self.note(call, about)
            return act(about, *more, **named)

        return noted


class Paper(FileIO):
    """The file that is written, on a disk that notes it."""

    def __init__(self, number: int, disk: Disk) -> None:
        super().__init__(number, "w")
        self._disk = disk

    def write(self, data: Any) -> int:
        self._disk.note("write", self.fileno())
        return super().write(data)


def test_at_no_instant_a_file_is_neither_the_old_one_nor_the_new_one(tmp_path: Path) -> None:
    (tmp_path / HERE).write_bytes(BEFORE)
    disk = Disk(tmp_path)
    disk.write()
    assert disk.calls == CALLS
    assert disk.seen == [BEFORE] * 5 + [AFTER] * 2
    assert modes(tmp_path) == {HERE: 0o600}


@pytest.mark.parametrize("step", range(1, len(CALLS)), ids=lambda step: "-".join(CALLS[step]))
@pytest.mark.parametrize("failure", [OSError, PowerCut])
def test_a_file_is_whole_whatever_step_fails(
    step: int, failure: type[BaseException], tmp_path: Path
) -> None:
    (tmp_path / HERE).write_bytes(BEFORE)
    disk = Disk(tmp_path, step, failure)
    with pytest.raises(failure):
        disk.write()
    assert set(disk.seen) <= {BEFORE, AFTER}
    assert (tmp_path / HERE).read_bytes() == (AFTER if step == len(CALLS) - 1 else BEFORE)
    if failure is OSError:
        assert [*tmp_path.iterdir()] == [tmp_path / HERE]
    Disk(tmp_path).write()
    assert (tmp_path / HERE).read_bytes() == AFTER
    assert modes(tmp_path) == {HERE: 0o600}


@pytest.mark.parametrize("mask", [0, 0o077])
def test_a_file_for_everybody_is_so_whatever_the_umask_says(tmp_path: Path, mask: int) -> None:
    os.umask(mask)
    private_files.write(tmp_path / HERE, b"for all", 0o644)
    assert modes(tmp_path) == {HERE: 0o644}


@pytest.mark.usefixtures("nobody_waits")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_not_an_ordinary_file_is_refused_at_once(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    known = (Stopper(bytes(6), 1, bytes(16)),)
    for name in (STOPPERS, HEARD, "export"):
        make(tmp_path / name)
    with pytest.raises(OSError, match=r"not an ordinary file|Is a directory"):
        private_files.read(tmp_path / HEARD, 10)
    assert stopper_registry.load_counters(tmp_path, known) == {}
    with pytest.raises(CompanionError):
        stopper_registry.load(tmp_path)
    journal = Journal(tmp_path / JOURNAL)
    with pytest.raises(CompanionError):
        import_file(journal, tmp_path / "export")
    journal.close()


def test_no_more_is_read_than_a_file_may_hold(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    assert private_files.read(tmp_path / "file", 5) == b"12345"
    with pytest.raises(OSError, match="too large"):
        private_files.read(tmp_path / "file", 4)
