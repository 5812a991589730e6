"""A journal of an earlier version is taken in once, and what cannot be read of it is told."""

import errno
import gzip
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

from companion.journal import Entry, JournalState
from companion.journal.export import read_export
from companion.system.errors import NoAnswer
from companion.system.paths import JOURNAL, OLD_JOURNAL
from tests.journal.crashes import Disk, Write
from tests.journal.journals import LATER_US, Table, folder_in_memory, kill, moved, state

EARLIER = Path(__file__).parent.parent / "earlier" / "journals"
KILLED, CLOSED = "blackmore", "stoppers"  # with a log beside it, and without
PAGE, FRAME = 4096, 4096 + 24


@pytest.fixture
def table() -> Iterator[Table]:
    """Yield a table in whose folder something of an earlier version lies."""
    with folder_in_memory() as folder:
        yield Table(folder / JOURNAL)


def put(table: Table, name: str) -> tuple[Path, Path]:
    """Lay a journal of an earlier version beside; return its file and that of its log."""
    for end in ("", "-wal"):
        if (packed := EARLIER / f"{name}.sqlite3{end}.gz").exists():
            data = gzip.decompress(packed.read_bytes())
            table.path.with_name(OLD_JOURNAL + end).write_bytes(data)
    return table.path.with_name(OLD_JOURNAL), table.path.with_name(f"{OLD_JOURNAL}-wal")


def played(name: str) -> dict[str, tuple[Entry, ...]]:
    """Return what the earlier version had written."""
    with gzip.open(EARLIER / f"{name}.jsonl.gz") as file:
        return {entries[0].match: entries for entries in read_export(file, Path(name)).matches}  # type: ignore[arg-type]


def taken_in(table: Table) -> tuple[dict[str, tuple[Entry, ...]], JournalState]:
    """Return what a start makes of it."""
    journal = table.open()
    told = state(journal)
    assert isinstance(told, JournalState)
    found = {match.id: journal.events(match.id) for match in reversed(journal.matches())}
    journal.close()
    return found, told


def is_beginning(found: dict[str, tuple[Entry, ...]], name: str) -> bool:
    return all(entries == played(name)[match][: len(entries)] for match, entries in found.items())


@pytest.mark.parametrize("name", [KILLED, CLOSED])
def test_it_is_taken_in_once_and_kept_beside(table: Table, name: str) -> None:
    old, log = put(table, name)
    before = [file.read_bytes() for file in (old, log) if file.exists()]
    for _ in range(2):
        found, told = taken_in(table)
        assert found == played(name)
        assert [*found] == [*played(name)]
        assert told is JournalState.WRITING
    kept = [table.path.with_name(f"{OLD_JOURNAL}.imported{end}") for end in ("", "-wal")]
    assert [file.read_bytes() for file in kept if file.exists()] == before
    assert {file.name for file in table.path.parent.iterdir()} == {
        JOURNAL,
        *(file.name for file in kept if file.exists()),
    }
    if log.exists():
        with closing(sqlite3.connect(kept[0])) as database:  # its log is still found
            ((count,),) = database.execute("SELECT count(*) FROM events")
        assert count == sum(map(len, found.values()))


@pytest.mark.parametrize("spoil", ["cut", "cut in a page", "shifted", "gone", "zeros", "a bit"])
def test_of_a_log_that_is_not_as_it_was_people_are_told(table: Table, spoil: str) -> None:
    _, log = put(table, KILLED)
    data = log.read_bytes()
    middle = 32 + (len(data) // FRAME // 2) * FRAME
    spoiled = {
        "cut": data[:middle],
        "cut in a page": data[: middle + 777],
        "shifted": data[1:],
        "gone": bytes(len(data)),
        "zeros": data[:middle] + bytes(FRAME) + data[middle + FRAME :],
        "a bit": data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :],
    }
    log.write_bytes(spoiled[spoil])
    found, told = taken_in(table)
    assert is_beginning(found, KILLED)
    assert found != played(KILLED)
    if spoil != "cut":  # as if the last events had never been: nobody can tell
        assert told is JournalState.RESTORED
        aside = table.path.with_name(f"{OLD_JOURNAL}.imported-wal")
        assert aside.read_bytes() == spoiled[spoil]


@pytest.mark.parametrize("page", [0, 1, 2, 3, 5, 8])
@pytest.mark.parametrize("filler", [b"\0", b"\xff"])
def test_of_a_damaged_database_what_can_be_read_is_taken_in_and_people_are_told(
    table: Table, page: int, filler: bytes
) -> None:
    old, _ = put(table, CLOSED)
    data = bytearray(old.read_bytes())
    assert len(data) > 9 * PAGE
    data[PAGE * page : PAGE * (page + 1)] = filler * PAGE
    old.write_bytes(data)
    found, told = taken_in(table)
    assert is_beginning(found, CLOSED)
    assert told is JournalState.RESTORED
    condition = next(each for each in table.heard if each.state is JournalState.RESTORED)
    assert condition.values["count"] == sum(map(len, found.values()))
    assert condition.values["aside"] == table.path.with_name(f"{OLD_JOURNAL}.imported")
    assert old.with_name(f"{OLD_JOURNAL}.imported").read_bytes() == data


def test_a_changed_byte_in_an_event_costs_what_follows_it_in_its_match(table: Table) -> None:
    old, _ = put(table, CLOSED)
    data = old.read_bytes()
    assert b'"foul":1,' in data
    old.write_bytes(data.replace(b'"foul":1,', b'"foul":2,', 1))
    found, told = taken_in(table)
    assert told is JournalState.RESTORED
    assert is_beginning(found, CLOSED)
    assert [match for match in found if found[match] == played(CLOSED)[match]]


def test_what_an_earlier_program_uses_is_not_taken_from_it(table: Table) -> None:
    put(table, CLOSED)
    lock = os.open(table.path.with_name(f"{OLD_JOURNAL}.lock"), os.O_RDWR | os.O_CREAT)
    flock(lock, LOCK_EX)
    journal = table.open()
    assert state(journal) is JournalState.IN_USE
    table.play(journal, 3)
    os.close(lock)
    table.now_us += LATER_US
    journal.tick()
    assert {match.id for match in journal.matches()} == {*played(CLOSED), "match-1"}
    journal.close()


def test_a_database_of_another_program_stays_where_it_is(table: Table) -> None:
    old = table.path.with_name(OLD_JOURNAL)
    with closing(sqlite3.connect(old)) as database:
        database.execute("CREATE TABLE recipes (cake TEXT)")
    before = old.read_bytes()
    assert taken_in(table) == ({}, JournalState.WRITING)
    assert old.read_bytes() == before


def test_where_it_cannot_be_taken_in_nobody_says_that_nothing_was_played(table: Table) -> None:
    put(table, CLOSED)
    disk = Disk(table.path.parent)
    disk.breaks = lambda step: errno.EROFS if isinstance(step, Write) else 0
    with disk:
        journal = table.open()
        assert state(journal) is JournalState.READ_ONLY
        with pytest.raises(NoAnswer):
            journal.matches()
    table.now_us += LATER_US
    journal.tick()
    assert {match.id for match in journal.matches()} == {*played(CLOSED)}
    journal.close()


def test_whenever_it_is_cut_off_it_is_taken_in_all_the_same(table: Table) -> None:
    for cut in range(40):
        for path in sorted(table.path.parent.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        put(table, KILLED)
        disk, steps = Disk(table.path.parent), iter(range(1000))
        disk.breaks = lambda _, steps=steps, cut=cut: 5 if next(steps) >= cut else 0  # type: ignore[misc]
        with disk:
            kill(table.open())
        found, told = taken_in(table)
        assert (found, told) == (played(KILLED), JournalState.WRITING), cut
        if next(steps) < cut:
            return
    raise AssertionError("it takes more steps than were tried")


def test_what_was_played_with_the_earlier_version_since_is_taken_in_too(table: Table) -> None:
    put(table, CLOSED)
    taken_in(table)
    put(table, KILLED)  # as after a roll-back
    journal = table.open()
    assert {match.id for match in journal.matches()} == {*played(CLOSED), *played(KILLED)}
    first = next(iter(played(CLOSED)))
    journal.append(first, len(played(CLOSED)[first]), moved(1))
    journal.close()
    put(table, CLOSED)  # once more: the longer one stays
    found, told = taken_in(table)
    assert len(found[first]) == len(played(CLOSED)[first]) + 1
    assert told is JournalState.WRITING
    assert table.path.with_name(f"{OLD_JOURNAL}.imported-3").exists()
