"""Whoever reads the past may be in any thread, and is not told of nothing where nobody can look."""

import errno
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.journal import Journal, JournalState
from companion.journal import journal as journal_module
from companion.journal.match_file import EDGE_BYTES
from companion.system.errors import NoAnswer
from tests.journal.crashes import Disk
from tests.journal.journals import BEGUN, LATER_US, WON, Table, folder_in_memory, moved, state


class Tables(Table):
    """A table that lets go of every journal in the end."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.life = ExitStack()

    def open(self) -> Journal:
        journal = super().open()
        self.life.callback(journal.close)
        return journal


@pytest.fixture
def table() -> Iterator[Table]:
    with folder_in_memory() as folder:
        made = Tables(folder / "journal")
        with made.life:
            yield made


def opened(table: Table, matches: int, each: int) -> Journal:
    """Return the journal of a later start, after so many matches of so many events."""
    journal = table.open()
    for _ in range(matches):
        journal.append(table.play(journal, each - 1), each - 1, WON)
    journal.close()
    return table.open()


@given(st.lists(st.integers(0, 3), max_size=20))
def test_the_list_is_what_a_later_start_says(events: list[int]) -> None:
    with folder_in_memory() as folder, ExitStack() as life:
        table = Tables(folder / "journal")
        life.push(table.life)
        journal, names = table.open(), list[str]()
        for event in events:
            if event == 0 or not names:
                names.append(journal.start(BEGUN, moved(1)))
                continue
            name = names[-1 - event % len(names)]
            count = len(journal.events(name))
            more = [*map(moved, range(count, count + event))]
            journal.append(name, count, *more)
            journal.append(name, count, *more)  # once more
        listed = journal.matches()
        assert [match.id for match in listed] == names[::-1]
        played = {name: journal.entries(name) for name in names}
        assert {match.id: match.count for match in listed} == {
            name: len(entries) for name, entries in played.items()
        }
        journal.close()
        again = table.open()
        assert again.matches() == listed
        assert {name: again.entries(name) for name in names} == played


def test_a_start_reads_both_ends_of_matches(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(table, 3, 200).close()
    assert min(path.stat().st_size for path in table.path.glob("*.jsonl")) > 3 * EDGE_BYTES

    def read(path: Path) -> None:
        raise AssertionError(path)

    monkeypatch.setattr(journal_module, "read", read)
    assert [match.count for match in table.open().matches()] == [200] * 3


def test_an_event_longer_than_what_a_start_reads_is_found_all_the_same(table: Table) -> None:
    journal = table.open()
    match = journal.start(BEGUN)
    journal.append(match, 1, *(moved(number) for number in range(1, 200)))
    listed = journal.matches()
    journal.close()
    assert table.open().matches() == listed


def test_a_file_that_somebody_copied_or_called_otherwise_is_one_match(table: Table) -> None:
    opened(table, 2, 5).close()
    first, second = table.file("match-1"), table.file("match-2")
    first.with_name("000007-match-7.jsonl").write_bytes(first.read_bytes())
    second.rename(second.with_name("000009-of-grandma.jsonl"))
    journal = table.open()
    assert [match.id for match in journal.matches()] == ["match-2", "match-1"]
    assert {len(journal.entries(match.id)) for match in journal.matches()} == {5}


def test_a_list_that_was_handed_out_stays_as_it_is(table: Table) -> None:
    journal = opened(table, 2, 3)
    before = journal.matches()
    name = journal.start(BEGUN)
    journal.append(name, 1, moved(1))
    assert [match.id for match in before] == ["match-2", "match-1"]
    assert [match.count for match in journal.matches()] == [2, 3, 3]
    assert journal.entries("of no match") == ()


def test_what_cannot_be_read_now_is_not_nothing(table: Table) -> None:
    journal, disk = opened(table, 2, 3), Disk(table.path.parent)
    with disk:
        disk.unreadable, disk.breaks = lambda: True, lambda _: errno.EIO
        with pytest.raises(NoAnswer):
            journal.entries("match-1")
        assert journal.events("match-1") == ()
        assert state(journal) is JournalState.FAILING
        assert [match.id for match in journal.matches()] == ["match-2", "match-1"]
    table.now_us += LATER_US
    journal.tick()
    assert len(journal.entries("match-1")) == 3


def test_damage_that_a_reader_finds_is_kept_aside_by_the_table(table: Table) -> None:
    journal = opened(table, 2, 9)
    path = table.file("match-1")
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"number":5,', b'"number":5.', 1).replace(b"moved", b"mowed", 9))
    with pytest.raises(NoAnswer):
        journal.entries("match-1")
    assert len(journal.entries("match-2")) == 9
    journal.tick()
    assert state(journal) is JournalState.RESTORED
    assert len(journal.entries("match-1")) == journal.matches()[1].count < 9


def test_where_there_never_was_a_journal_nobody_says_that_nothing_was_played(
    tmp_path: Path,
) -> None:
    table = Tables(tmp_path / "no folder" / "journal")
    journal = table.open()
    with pytest.raises(NoAnswer):
        journal.matches()
    journal.start(BEGUN)
    assert len(journal.matches()) == 1  # what was played in memory can be read
    assert len(journal.entries("match-1")) == 1
    journal.close()


def test_whoever_reads_while_somebody_writes_gets_whole_lines(table: Table) -> None:
    journal = opened(table, 1, 60)
    path = table.file("match-1")
    data = path.read_bytes()
    *_, coming = data.splitlines(keepends=True)
    for end in range(len(coming)):
        path.write_bytes(data + coming[:end])
        assert len(journal.entries("match-1")) == 60
    assert not journal._doubted


def test_whoever_reads_less_than_was_written_says_nothing_and_has_it_looked_at(
    table: Table,
) -> None:
    journal = opened(table, 1, 60)
    data = table.file("match-1").read_bytes()
    for end in range(len(data) - 700, len(data), 13):
        os.truncate(table.file("match-1"), end)
        journal._doubted.clear()
        with pytest.raises(NoAnswer):
            journal.entries("match-1")
        assert journal._doubted == {"match-1"}
        table.file("match-1").write_bytes(data)
    assert len(journal.entries("match-1")) == 60
