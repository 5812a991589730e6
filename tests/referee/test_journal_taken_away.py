"""A journal whose files are taken away in play, or where something else is in their place."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from companion.referee.journal import Journal
from companion.referee.journal_state import JournalState
from tests.referee.journals import LATER_US, WON, Table, folder_in_memory, moved, state


@pytest.fixture
def table() -> Iterator[Table]:
    """Yield a table whose journal does not exist yet, in a folder of its own."""
    with folder_in_memory() as folder:
        (folder / "card").mkdir()
        yield Table(folder / "card" / "journal")


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


def evening(table: Table) -> tuple[Journal, dict[str, int]]:
    """Return a journal in play, and how many events each of its matches has."""
    journal = table.open()
    earlier = table.play(journal, 7)
    journal.append(earlier, 7, WON)
    journal.close()
    journal = table.open()
    over, going = table.play(journal, 40), ""
    journal.append(over, 40, WON)
    going = table.play(journal, 30)
    return journal, {earlier: 8, over: 41, going: 30}


def after_a_power_cut(table: Table) -> dict[str, int]:
    """Return what a start would find if the program were killed now, with none of its memory."""
    cut = table.path.parent.with_name("cut")
    copytree(table.path.parent, cut)
    journal = Table(cut / table.path.name).open()
    found = {match.id: len(journal.events(match.id)) for match in journal.matches()}
    journal.close()
    rmtree(cut)
    return found


def test_a_folder_that_is_deleted_in_play_is_missed_and_nothing_is_lost(table: Table) -> None:
    journal, played = evening(table)
    rmtree(table.path.parent)
    (*_, going) = played
    journal.append(going, 30, moved(30))  # SQLite itself notices nothing
    journal.tend()
    assert (state(journal), journal.writable) == (JournalState.NO_FOLDER, False)
    journal.append(going, 31, moved(31))
    assert [match.id for match in journal.matches()] == [*played][::-1]
    table.path.parent.mkdir()
    table.now_us += LATER_US
    journal.tend()
    assert (state(journal), journal.waiting) == (JournalState.MADE_AGAIN, 0)
    assert journal.condition.values["count"] == 8 + 41 + 32
    journal.append(going, 32, moved(32))
    assert after_a_power_cut(table) == played | {going: 33}
    journal.close()


def test_a_folder_that_comes_back_is_gone_on_with(table: Table) -> None:
    journal, played = evening(table)
    away = table.path.parent.with_name("away")
    table.path.parent.rename(away)
    journal.tend()
    assert state(journal) is JournalState.NO_FOLDER
    (*_, going) = played
    journal.append(going, 30, moved(30))
    away.rename(table.path.parent)
    table.now_us += LATER_US
    journal.tend()
    assert (state(journal), journal.waiting) == (JournalState.CAUGHT_UP, 0)
    assert after_a_power_cut(table) == played | {going: 31}
    journal.close()


def test_a_folder_in_whose_place_is_another_gets_what_was_played(table: Table) -> None:
    journal, played = evening(table)
    other = Table(table.path.parent.with_name("other") / "journal", made=9)
    other.path.parent.mkdir()
    theirs = other.open()
    match = other.play(theirs, 20)
    killed = other.path.parent.with_name("killed")
    copytree(other.path.parent, killed)  # with a log: it is nobody's to remove
    theirs.close()
    rmtree(table.path.parent)
    killed.rename(table.path.parent)
    journal.tend()
    assert (state(journal), journal.waiting) == (JournalState.CAUGHT_UP, 0)
    assert after_a_power_cut(table) == played | {match: 20}
    journal.close()


@pytest.mark.parametrize("names", [["journal"], ["journal-wal"], ["journal", "journal-wal"]])
def test_a_file_that_is_deleted_in_play_is_made_again(table: Table, names: list[str]) -> None:
    journal, played = evening(table)
    for name in names:
        (table.path.parent / name).unlink()
    journal.tend()
    anew = "journal" in names
    assert journal.writable
    assert not journal.waiting
    if names != ["journal"]:  # a log that is left alone is kept aside as damaged
        assert state(journal) is (JournalState.MADE_AGAIN if anew else JournalState.CAUGHT_UP)
    else:
        assert state(journal) is JournalState.RESTORED
    assert after_a_power_cut(table) == played
    journal.close()


def test_what_is_taken_away_just_before_the_end_is_written_at_the_end(table: Table) -> None:
    journal, played = evening(table)
    for file in table.path.parent.iterdir():
        file.unlink()
    journal.close()
    assert after_a_power_cut(table) == played


def test_while_all_is_where_it_was_nothing_is_opened_again(table: Table) -> None:
    journal, _ = evening(table)
    file = journal._file
    for _ in range(3):
        journal.tend()
        table.now_us += LATER_US
    assert journal._file is file
    journal.close()


@pytest.mark.usefixtures("_nobody_waits")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
@pytest.mark.parametrize("end", ["", "-wal", "-journal", ".lock", ".new", ".new-wal"])
def test_what_is_in_the_way_is_named_and_not_waited_for(
    table: Table, end: str, make: Callable[[Path], None]
) -> None:
    journal, played = evening(table)
    journal.close()
    way = table.path.with_name(f"journal{end}")
    good = table.path.with_name("good")
    if not end:
        table.path.rename(good)
    way.unlink(missing_ok=True)
    make(way)
    journal = table.open()
    folder_itself = make is os.mkdir and not end
    assert state(journal) is (JournalState.FOLDER if folder_itself else JournalState.IN_THE_WAY)
    assert journal.condition.values["file"] == way
    way.rename(way.with_name("moved-away"))
    if not end:
        good.rename(table.path)
    table.now_us += LATER_US
    journal.tend()
    assert state(journal) is JournalState.CAUGHT_UP
    assert {match.id: match.count for match in journal.matches()} == played
    journal.close()
