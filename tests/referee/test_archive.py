"""Whoever reads the past asks no other thread, and is not told of nothing where nobody can look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import NoAnswer
from companion.referee.archive import Archive
from companion.referee.entry import Entry
from companion.referee.journal import Journal
from companion.referee.journal_file import BITE, Connection, connect
from tests.referee.journals import BEGUN, LATER_US, WON, Table, folder_in_memory, moved


class Counting:
    """A connection that counts what it reads, and fails when it is told to."""

    def __init__(self, path: str) -> None:
        self._real = connect(path)
        self.rows: list[int] = []
        self.fails = False

    def execute(self, sql: str, parameters: tuple[Any, ...] = (), /) -> list[tuple[Any, ...]]:
        if self.fails:
            raise OverflowError
        found = list(self._real.execute(sql, parameters))
        if sql.lstrip().startswith(("SELECT match_id", "WITH")):
            self.rows.append(len(found))
        return found

    def close(self) -> None:
        self._real.close()


class Tables(Table):
    """A table that lets go of every journal in the end."""

    def open(self, connect: Callable[[str], Connection] = connect) -> Journal:
        journal = super().open(connect)
        self.life.callback(journal.close)
        return journal

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.life = ExitStack()


def unasked(_: Callable[[], tuple[Entry, ...]]) -> tuple[Entry, ...]:
    raise AssertionError("the table's thread is asked")


@pytest.fixture
def table() -> Iterator[Table]:
    with folder_in_memory() as folder:
        made = Tables(folder / "journal.sqlite3")
        with made.life:
            yield made


def opened(table: Table, matches: int, each: int) -> tuple[Archive, list[Counting]]:
    """Return the archive of a later start, after so many matches of so many events."""
    journal = table.open()
    for _ in range(matches):
        journal.append(table.play(journal, each - 1), each - 1, WON)
    journal.close()
    lines: list[Counting] = []

    def counted(path: str) -> Counting:
        lines.append(Counting(path))
        return lines[-1]

    archive = Archive(table.open(counted), unasked)
    for line in lines:
        line.rows.clear()
    return archive, lines


@given(st.lists(st.integers(0, 3), max_size=20))
def test_the_list_is_what_the_journal_would_say(deeds: list[int]) -> None:
    with folder_in_memory() as folder, ExitStack() as life:
        table = Tables(folder / "journal.sqlite3")
        life.push(table.life)
        journal = table.open()
        archive, names = Archive(journal, unasked), list[str]()
        for deed in deeds:
            if deed == 0 or not names:
                names.append(archive.begin(BEGUN, moved(1)))
                continue
            name = names[-1 - deed % len(names)]
            count = len(archive.events(name))
            archive.append(name, count, *map(moved, range(count, count + deed)))
            archive.append(name, count, *map(moved, range(count, count + deed)))  # once more
        listed = archive.matches()
        assert listed == journal.matches()
        for name in names:
            assert archive.entries(name) == journal.events(name)
        journal.close()
        if names:
            assert Archive(table.open(), unasked).matches() == listed


@pytest.mark.parametrize("matches", [2, 40])
def test_what_is_read_does_not_grow_with_the_number_of_matches(table: Table, matches: int) -> None:
    archive, lines = opened(table, matches, 5)
    assert len(archive.matches()) == matches
    assert [line.rows for line in lines] == [[]]
    assert len(archive.entries("match-2")) == 5
    assert [line.rows for line in lines] == [[5]]


def test_a_long_match_is_read_in_bites_between_which_others_have_their_turn(table: Table) -> None:
    archive, (line,) = opened(table, 1, 3 * BITE + 1)
    assert [one.number for one in archive.entries("match-1")] == [*range(3 * BITE + 1)]
    assert line.rows == [BITE, BITE, BITE, 1]


def test_a_list_that_was_handed_out_stays_as_it_is(table: Table) -> None:
    archive, _ = opened(table, 2, 3)
    before = archive.matches()
    name = archive.begin(BEGUN)
    archive.append(name, 1, moved(1))
    assert [match.id for match in before] == ["match-2", "match-1"]
    assert [match.count for match in archive.matches()] == [2, 3, 3]
    assert archive.entries("of no match") == ()


def test_what_cannot_be_read_now_is_not_nothing(table: Table) -> None:
    archive, (line,) = opened(table, 2, 3)
    archive._ask = lambda call: call()
    line.fails = True
    table.path.rename(table.path.with_name("away"))  # nor can it be replaced
    table.path.mkdir()
    with pytest.raises(NoAnswer):
        archive.entries("match-1")
    table.now_us += LATER_US
    archive.tend()
    assert [match.id for match in archive.matches()] == ["match-2", "match-1"]
    with pytest.raises(NoAnswer):
        archive.entries("match-1")
    table.path.rmdir()
    table.path.with_name("away").rename(table.path)
    table.now_us += LATER_US
    archive.tend()
    assert len(archive.entries("match-1")) == 3


def test_where_there_never_was_a_journal_nobody_says_that_nothing_was_played(
    tmp_path: Path,
) -> None:
    table = Tables(tmp_path / "no folder" / "journal.sqlite3")
    archive = Archive(table.open(), unasked)
    with pytest.raises(NoAnswer):
        archive.matches()
    archive.begin(BEGUN)
    assert len(archive.matches()) == 1  # what was played in memory can be read
    assert len(archive.entries("match-1")) == 1
