"""Whatever happens to the journal's disk, play goes on, says so, and nothing written is lost."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from companion.referee import salvage
from companion.referee.entry import Happened
from companion.referee.journal import Journal
from companion.referee.journal_file import OURS, Connection, connect
from companion.referee.journal_state import JournalFault, JournalState
from companion.say import say
from tests.referee.journals import BEGUN, LATER_US, WON, Table, folder_in_memory, moved, state

CUT_OFF = """
import os, sys
from pathlib import Path
from companion.referee.journal import Journal
Journal(Path(sys.argv[1]), connect=lambda _: os._exit(9))
"""


@pytest.fixture
def table() -> Iterator[Table]:
    """Yield a table whose journal does not exist yet."""
    with folder_in_memory() as folder:
        yield Table(folder / "journal")


def make_folder(path: Path) -> None:
    """Put a folder where the journal should be."""
    path.mkdir()


def put_foreign(path: Path) -> None:
    """Put somebody else's database there."""
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE events (recipe TEXT)")
    database.close()


def put_newer(path: Path) -> None:
    """Put a journal there as a later version may write it."""
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE more (than TEXT)")
        database.execute(f"PRAGMA application_id = {OURS}")
        database.execute("PRAGMA user_version = 2")
    database.close()


def put_newer_with_ours(path: Path) -> None:
    """Put a journal there to which a later version has added something."""
    Table(path).open().close()
    put_newer(path)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (put_newer_with_ours, JournalState.NEWER),
        (make_folder, JournalState.FOLDER),
        (put_foreign, JournalState.FOREIGN),
        (put_newer, JournalState.NEWER),
    ],
)
def test_what_is_not_ours_stays_as_it_is_and_play_goes_on(
    table: Table, spoil: Callable[[Path], None], told: JournalState
) -> None:
    spoil(table.path)
    before = table.path.read_bytes() if table.path.is_file() else b""
    journal = table.open()
    assert state(journal) is told
    assert journal.matches() == ()
    match = table.play(journal, 5)
    table.now_us += LATER_US
    journal.tend()
    assert (len(journal.events(match)), journal.waiting) == (5, 5)
    assert before == (table.path.read_bytes() if table.path.is_file() else b"")
    table.path.rename(table.path.with_name("elsewhere"))
    table.now_us += LATER_US
    journal.tend()
    assert state(journal) is JournalState.CAUGHT_UP
    journal.close()
    assert len(table.events(match)) == 5


def test_a_missing_folder_may_come_later(table: Table) -> None:
    folder = table.path.parent / "card"
    table.path = folder / "journal"
    journal = table.open()
    assert state(journal) is JournalState.NO_FOLDER
    match = table.play(journal, 5)
    assert [found.id for found in journal.matches()] == [match]
    folder.mkdir()
    journal.tend()
    assert journal.waiting == 5  # it was not yet time to try again
    table.now_us += LATER_US
    journal.tend()
    assert state(journal) is JournalState.CAUGHT_UP
    assert journal.waiting == 0
    journal.close()


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (errno.EROFS, JournalState.READ_ONLY),
        (errno.EACCES, JournalState.FORBIDDEN),
        (errno.ENOSPC, JournalState.FULL),
        (errno.EIO, JournalState.FAILING),
    ],
)
def test_where_nothing_can_be_written_a_match_is_read_and_goes_on(
    table: Table, code: int, told: JournalState, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = table.open()
    match = table.play(journal, 5)
    journal.close()
    lock = table.path.with_name("journal.lock")
    refused = (table.path, lock) if code == errno.EROFS else (table.path,)
    real = os.open

    def refuse(path: Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if flags & os.O_RDWR and path in refused:
            raise OSError(code, os.strerror(code))
        return real(path, flags, mode, dir_fd=dir_fd)  # pytest clears folders away meanwhile

    monkeypatch.setattr(os, "open", refuse)
    journal = table.open()
    assert state(journal) is told
    assert [found.id for found in journal.unfinished()] == [match]
    assert len(journal.events(match)) == 5
    journal.append(match, 5, moved(5))
    assert journal.waiting == 1
    monkeypatch.undo()
    table.now_us += LATER_US
    journal.tend()
    assert (state(journal), journal.waiting) == (JournalState.CAUGHT_UP, 0)
    journal.close()
    assert len(table.events(match)) == 6


class Worn:
    """A connection to a disk that wears out when a test says so."""

    def __init__(self, name: str) -> None:
        self.worn = False
        self._connection = connect(name)

    def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        if self.worn:
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
            raise error
        return list(self._connection.execute(sql, parameters))

    def close(self) -> None:
        self._connection.close()


def test_a_disk_that_cannot_even_be_asked_is_read_as_far_as_it_gives(table: Table) -> None:
    opened: list[Worn] = []

    def wearing(name: str) -> Worn:
        opened.append(Worn(name))
        return opened[-1]

    journal = table.open(wearing)
    over = table.play(journal, 4)
    journal.append(over, 4, WON)
    match = table.play(journal, 3)
    opened[-1].worn = True
    assert len(journal.events(over)) == 5
    assert state(journal) is JournalState.FAILING
    assert [found.count for found in journal.matches()] == [3, 5]
    journal.append(match, 3, moved(3))
    table.now_us += LATER_US
    journal.tend()
    assert (state(journal), journal.waiting) == (JournalState.CAUGHT_UP, 0)
    journal.close()
    assert len(table.events(match)) == 4


def test_a_full_disk_is_said_and_caught_up_with_when_there_is_room(table: Table) -> None:
    pages = [12]

    def small(name: str) -> Connection:
        database = connect(name)
        database.execute(f"PRAGMA max_page_count = {pages[0]}")
        return database

    journal = table.open(small)
    match = table.play(journal, 300)
    assert state(journal) is JournalState.FULL
    assert 0 < journal.waiting < 300
    assert len(journal.events(match)) == 300
    table.now_us += LATER_US
    journal.tend()
    assert state(journal) is JournalState.FULL
    pages[0] = 10_000
    table.now_us += LATER_US
    journal.tend()
    assert (state(journal), journal.waiting) == (JournalState.CAUGHT_UP, 0)
    journal.append(match, 300, WON)
    journal.close()
    assert len(table.events(match)) == 301
    assert [heard.state.name for heard in table.heard][:3] == ["WRITING", "FULL", "CAUGHT_UP"]


def test_a_second_program_gets_a_sentence_and_its_turn_later(table: Table) -> None:
    first, second = table.open(), table.open()
    assert state(second) is JournalState.IN_USE
    mine, yours = table.play(first, 4), table.play(second, 3)
    assert second.matches()[0].id == yours
    first.close()
    table.now_us += LATER_US
    second.tend()
    assert state(second) is JournalState.CAUGHT_UP
    assert [match.id for match in second.matches()] == [yours, mine]
    second.close()


def test_somebody_who_looks_into_the_file_is_waited_for(table: Table) -> None:
    table.open().close()
    looker = sqlite3.connect(table.path, isolation_level=None)
    looker.execute("BEGIN IMMEDIATE")
    journal = table.open()
    assert state(journal) is JournalState.IN_USE
    looker.close()
    table.now_us += LATER_US
    journal.tend()
    assert state(journal) is JournalState.CAUGHT_UP
    journal.close()


def test_an_empty_file_starts_over_and_says_so(table: Table) -> None:
    table.path.touch()
    journal = table.open()
    assert state(journal) is JournalState.ANEW
    table.play(journal, 2)
    journal.close()


def test_a_first_start_that_was_cut_off_has_lost_nothing(table: Table) -> None:
    """The power went when the file was there, and nothing was in it yet."""
    done = subprocess.run([sys.executable, "-c", CUT_OFF, table.path], check=False)
    assert done.returncode == 9
    assert table.path.stat().st_size == 0
    journal = table.open()
    assert state(journal) is JournalState.WRITING
    table.play(journal, 2)
    journal.close()
    os.truncate(table.path, 0)
    journal = table.open()
    assert state(journal) is JournalState.ANEW  # but not twice
    journal.close()


@pytest.mark.parametrize("gone", [True, False])
def test_a_log_without_its_file_is_kept(table: Table, gone: bool) -> None:
    journal = table.open()
    table.play(journal, 30)
    log = table.path.with_name("journal-wal")
    written = log.read_bytes()
    journal.close()
    table.path.unlink()
    log.write_bytes(written)
    if not gone:
        table.path.touch()
    journal = table.open()
    assert state(journal) is JournalState.RESTORED
    assert table.path.with_name("journal.damaged-1-wal").read_bytes() == written
    table.play(journal, 3)
    journal.close()


def page(number: int) -> slice:
    """Return where a page stands."""
    return slice(4096 * (number - 1), 4096 * number)


@pytest.mark.parametrize("number", range(1, 10))
@pytest.mark.parametrize("filler", [b"\0", b"\xff"])
def test_whatever_page_is_damaged_the_file_is_kept_and_a_beginning_is_read(
    table: Table, number: int, filler: bytes
) -> None:
    journal = table.open()
    match = table.play(journal, 120)
    played = journal.events(match)
    journal.close()
    data = bytearray(table.path.read_bytes())
    assert len(data) >= 9 * 4096
    data[page(number)] = filler * 4096
    table.path.write_bytes(data)
    journal = table.open()
    restored = journal.events(match)
    assert restored == played[: len(restored)]
    if number in {1, 3}:  # the first page and the index hold nothing that is nowhere else
        assert len(restored) == 120
    assert state(journal) is JournalState.RESTORED
    aside = table.path.with_name("journal.damaged-1")
    assert aside.read_bytes() == data
    assert say_it(journal) == (
        f"Das Journal {table.path} war beschädigt; {len(restored)} "
        f"{'Ereignis war' if len(restored) == 1 else 'Ereignisse waren'} lesbar und "
        f"{'steht' if len(restored) == 1 else 'stehen'} in einem neuen. "
        f"Die beschädigte Datei liegt noch als {aside} da."
    )
    journal.close()
    assert table.events(match) == restored


def say_it(journal: Journal) -> str:
    """Return what a German table reads."""
    condition = journal.condition
    return say(Sentence(condition.state.template, dict(condition.values)), "de")


@dataclass
class Sentence:
    """A template with its values."""

    template: str
    values: dict[str, object]


def test_a_changed_byte_in_an_event_is_noticed_when_it_is_read(table: Table) -> None:
    journal = table.open()
    match = table.play(journal, 100)
    journal.close()
    data = table.path.read_bytes()
    table.path.write_bytes(data.replace(b'{"number":70,', b'{"number":71,'))
    journal = table.open()
    assert state(journal) is JournalState.WRITING
    assert len(journal.events(match)) == 70
    assert state(journal) is JournalState.RESTORED
    journal.append(match, 70, moved(70))
    journal.close()


def test_what_is_not_a_database_is_moved_aside(table: Table) -> None:
    table.path.write_bytes(b"this is no journal at all\n" * 1000)
    journal = table.open()
    assert state(journal) is JournalState.RESTORED
    assert table.path.with_name("journal.damaged-1").read_bytes().startswith(b"this is no")
    journal.close()


def test_a_journal_that_is_damaged_in_play_gets_all_that_was_played(table: Table) -> None:
    journal = table.open()
    old = table.play(journal, 3)
    journal.append(old, 3, WON)
    match = table.play(journal, 60)
    journal._file.settle()  # type: ignore[union-attr]
    data = bytearray(table.path.read_bytes())
    data[page(2)] = os.urandom(4096)
    with table.path.open("r+b") as file:  # in place, under the program's hands
        file.write(data)
    for number in range(60, 200):
        journal.append(match, number, moved(number))
    journal.close()
    again = table.open()
    assert [event.number for event in again.events(match)] == [*range(200)]
    again.close()


def test_a_journal_that_vanishes_in_play_gets_all_that_was_played(table: Table) -> None:
    journal = table.open()
    match = table.play(journal, 10)
    journal.close()
    journal = table.open()
    journal.append(match, 10, moved(10))
    journal._lose(JournalFault(JournalState.FAILING, "pulled out"))
    for file in table.path.parent.iterdir():
        file.unlink()
    journal.append(match, 11, moved(11))
    table.now_us += LATER_US
    journal.tend()
    journal.close()
    assert len(table.events(match)) == 12


def test_two_stories_of_one_match_are_never_mixed(table: Table) -> None:
    journal = table.open()
    match = table.play(journal, 3)
    journal._lose(JournalFault(JournalState.FAILING, "pulled out"))
    journal._let_go()
    journal.append(match, 3, moved(3))
    other = sqlite3.connect(table.path)
    other.execute("DROP TRIGGER events_stay")
    other.execute("UPDATE events SET at_ms = at_ms + 1, seal = 0 WHERE number = 0")
    other.commit()
    seal = Happened("begun", BEGUN.body).at(match, 0, table.wall_ms + 1).seal
    other.execute("UPDATE events SET seal = ? WHERE number = 0", (seal,))
    other.commit()
    other.close()
    table.now_us += LATER_US
    journal.tend()
    assert state(journal) is JournalState.PARTED
    assert len(journal.events(match)) == 4
    journal.close()


def test_no_room_even_for_a_copy_is_said_and_play_goes_on(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = table.open()
    table.play(journal, 3)
    journal.close()

    def full(_: str) -> Connection:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr(salvage, "connect", full)
    journal = table.open(full)
    assert (state(journal), journal.matches()) == (JournalState.FULL, ())
    match = table.play(journal, 3)
    monkeypatch.undo()
    journal.close()
    journal = table.open()
    assert [found.id for found in journal.matches()] == ["match-1"]
    assert match == "match-2"
    journal.close()
