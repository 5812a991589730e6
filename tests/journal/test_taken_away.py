"""A journal whose files are taken away in play, or where something else is in their place."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from companion.journal import Journal, JournalState
from tests.journal.journals import LATER_US, WON, Table, folder_in_memory, moved, state


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
    signal.alarm(60)
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
    assert len(journal.resume(earlier)) == 8
    over = table.play(journal, 40)
    going = table.play(journal, 30)
    return journal, {earlier: 8, over: 40, going: 30}


def after_a_power_cut(table: Table) -> dict[str, int]:
    """Return what a start would find if the program were killed now, with none of its memory."""
    cut = table.path.parent.with_name("cut")
    copytree(table.path.parent, cut)
    journal = Table(cut / table.path.name).open()
    found = {match.id: len(journal.events(match.id)) for match in journal.matches()}
    journal.close()
    rmtree(cut)
    return found


def test_a_folder_that_is_deleted_in_play_is_missed_and_nothing_that_is_played_is_lost(
    table: Table,
) -> None:
    journal, played = evening(table)
    (earlier, *_, going) = played
    rmtree(table.path.parent)
    journal.append(going, 30, moved(30))
    assert (state(journal), journal.writable) == (JournalState.NO_FOLDER, False)
    journal.append(going, 31, moved(31))
    assert [match.id for match in journal.matches()] == [*played][::-1]
    table.path.parent.mkdir()
    table.now_us += LATER_US
    journal.tick()
    assert (state(journal), journal.waiting) == (JournalState.MADE_AGAIN, 0)
    del played[earlier]  # it was over, so that nothing but its file had it
    assert journal.condition.values["count"] == 40 + 32
    journal.append(going, 32, moved(32))
    assert after_a_power_cut(table) == played | {going: 33}
    journal.close()


def test_a_folder_that_is_missed_though_nobody_writes(table: Table) -> None:
    journal, _ = evening(table)
    rmtree(table.path.parent)
    journal.tick()
    assert state(journal) is JournalState.NO_FOLDER
    journal.close()


def test_a_folder_that_comes_back_is_gone_on_with(table: Table) -> None:
    journal, played = evening(table)
    away = table.path.parent.with_name("away")
    table.path.parent.rename(away)
    journal.tick()
    assert state(journal) is JournalState.NO_FOLDER
    (*_, going) = played
    journal.append(going, 30, moved(30))
    away.rename(table.path.parent)
    table.now_us += LATER_US
    journal.tick()
    assert (state(journal), journal.waiting) == (JournalState.CAUGHT_UP, 0)
    assert after_a_power_cut(table) == played | {going: 31}
    journal.close()


def test_a_folder_in_whose_place_is_another_gets_what_was_played(table: Table) -> None:
    journal, played = evening(table)
    other = Table(table.path.parent.with_name("other") / "journal", made=9)
    other.path.parent.mkdir()
    theirs = other.open()
    match = other.play(theirs, 20)
    theirs.close()
    rmtree(table.path.parent)
    other.path.parent.rename(table.path.parent)
    journal.tick()
    assert (state(journal), journal.waiting) == (JournalState.MADE_AGAIN, 0)
    (earlier, *_) = played
    del played[earlier]
    assert after_a_power_cut(table) == played | {match: 20}
    journal.close()


@pytest.mark.parametrize("which", ["played", "lock", "all"])
def test_a_file_that_is_deleted_in_play_is_made_again(table: Table, which: str) -> None:
    journal, played = evening(table)
    (_, *newer, going) = played
    files = {"played": [table.file(going)], "lock": [table.path / ".lock"]}
    for path in files.get(which) or [*table.path.iterdir()]:
        path.unlink()
    journal.tick()
    assert journal.writable
    assert not journal.waiting
    made = JournalState.CAUGHT_UP if which == "lock" else JournalState.MADE_AGAIN
    assert state(journal) is made
    kept = {match: played[match] for match in (*newer, going)}
    assert after_a_power_cut(table) == (kept if which == "all" else played)
    journal.close()


def test_what_is_taken_away_just_before_the_end_is_written_at_the_end(table: Table) -> None:
    journal, played = evening(table)
    for file in table.path.iterdir():
        file.unlink()
    journal.close()
    (earlier, *_) = played
    del played[earlier]
    assert after_a_power_cut(table) == played


def test_while_all_is_where_it_was_nothing_is_written_again(table: Table) -> None:
    journal, _ = evening(table)
    before = {path: path.stat() for path in table.path.iterdir()}
    for _ in range(3):
        journal.tick()
        table.now_us += LATER_US
    assert {path: path.stat() for path in table.path.iterdir()} == before
    journal.close()


@pytest.mark.usefixtures("_nobody_waits")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
@pytest.mark.parametrize("end", ["", ".lock", "000001-match-1.jsonl", "000009-match-9.jsonl"])
def test_what_is_in_the_way_is_named_and_not_waited_for(
    table: Table, end: str, make: Callable[[Path], None]
) -> None:
    journal, played = evening(table)
    journal.close()
    if not end and make is os.mkdir:
        return  # that is how it should be
    way, good = table.path / end, table.path.with_name("good")
    there = way.exists() and end != ".lock"
    if there:
        way.rename(good)
    way.unlink(missing_ok=True)
    make(way)
    journal = table.open()
    assert state(journal) is (JournalState.IN_THE_WAY if end else JournalState.NOT_A_FOLDER)
    assert journal.condition.values["file"] == way
    way.rename(way.parent.with_name("moved-away"))
    if there:
        good.rename(way)
    table.now_us += LATER_US
    journal.tick()
    assert state(journal) is JournalState.CAUGHT_UP
    assert {match.id: match.count for match in journal.matches()} == played
    journal.close()
