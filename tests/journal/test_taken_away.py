"""A journal whose files are taken away in play, or where something else is in their place."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, rmtree

import pytest

from companion.i18n.translate import say
from companion.journal import Journal, JournalState
from companion.journal.match_file import count_file
from companion.system.errors import NoAnswer
from companion.system.small_files import KeptAside
from companion.system.status import Condition
from companion.system.text import Text
from tests.journal.crashes import Disk, Sync, SyncNames
from tests.journal.journals import LATER_US, WON, Table, folder_in_memory, moved, state


@pytest.fixture
def table() -> Iterator[Table]:
    """Yield a table whose journal does not exist yet, in a folder of its own."""
    with folder_in_memory() as folder:
        (folder / "card").mkdir()
        yield Table(folder / "card" / "journal")


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


@pytest.mark.usefixtures("nobody_waits")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
@pytest.mark.parametrize("end", ["", ".lock"])
def test_what_is_in_the_way_is_named(table: Table, end: str, make: Callable[[Path], None]) -> None:
    journal, played = evening(table)
    journal.close()
    if not end and make is os.mkdir:
        return  # that is how it should be
    way, good = table.path / end, table.path.with_name("good")
    there = not end
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


def leads_nowhere(path: Path) -> None:
    """Put a link there to what is not."""
    path.symlink_to("nowhere")


@pytest.mark.usefixtures("nobody_waits")
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, leads_nowhere])
@pytest.mark.parametrize(
    "end", ["000001-match-1.jsonl", "000002-match-2.jsonl", "000009-new.jsonl"]
)
def test_what_is_no_file_of_a_match_is_kept_aside_and_costs_only_that_match(
    table: Table, end: str, make: Callable[[Path], None]
) -> None:
    journal, played = evening(table)
    journal.close()
    way, good = table.path / end, table.path.with_name("good")
    there = way.exists()
    if there:
        way.rename(good)
    make(way)
    journal = table.open()
    aside = way.with_name(f"{end}.damaged-1")
    assert [heard.state for heard in table.heard if not heard.state.fine] == [KeptAside.ASIDE]
    assert table.heard[-2].values["aside"] == aside
    assert say(heard_text(table.heard[-2]), "de").startswith(f"{way} war nicht zu gebrauchen")
    assert os.path.lexists(aside)
    assert journal.writable
    rest = {match: count for match, count in played.items() if match not in end}
    assert {match.id: match.count for match in journal.matches()} == rest
    new = table.play(journal, 3)
    assert table.file(new).name.startswith("000010" if "9" in end else "000004")
    (aside.rmdir if make is os.mkdir else aside.unlink)()
    if there:
        good.rename(way)
    journal.close()
    assert after_a_power_cut(table) == played | {new: 3}


def test_a_match_in_play_whose_file_becomes_a_folder_is_written_anew(table: Table) -> None:
    journal, played = evening(table)
    (*_, going) = played
    way = table.file(going)
    way.unlink()
    way.mkdir()
    journal.tick()
    assert (state(journal), journal.waiting) == (JournalState.MADE_AGAIN, 0)
    journal.append(going, 30, moved(30))
    assert after_a_power_cut(table) == played | {going: 31}
    assert way.with_name(f"{way.name}.damaged-1").is_dir()
    journal.close()


@pytest.mark.parametrize("fault", [errno.EACCES, errno.EIO])
def test_one_file_that_cannot_be_read_costs_only_its_match_and_stays(
    table: Table, fault: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, played = evening(table)
    journal.close()
    bad, real = table.path / "000001-match-1.jsonl", os.open
    before = bad.read_bytes()

    def refuse(path: Path, *args: int, **named: int) -> int:
        if path == bad:
            raise OSError(fault, os.strerror(fault), str(path))
        return real(path, *args, **named)

    monkeypatch.setattr(os, "open", refuse)
    journal = table.open()
    assert [heard.state for heard in table.heard if not heard.state.fine] == [KeptAside.UNREAD]
    assert (state(journal), journal.waiting) == (JournalState.WRITING, 0)
    assert {match.id for match in journal.matches()} == {*played} - {"match-1"}
    assert table.file(table.play(journal, 3)).name.startswith("000004")
    journal.close()
    monkeypatch.undo()
    assert bad.read_bytes() == before
    assert after_a_power_cut(table).items() >= played.items()


def test_where_no_file_can_be_read_it_is_the_disk_and_nothing_is_told_of_matches(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal, played = evening(table)
    journal.close()
    real = os.open

    def refuse(path: Path, *args: int, **named: int) -> int:
        if str(path).endswith(".jsonl"):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return real(path, *args, **named)

    monkeypatch.setattr(os, "open", refuse)
    journal = table.open()
    assert [heard.state for heard in table.heard if not heard.state.fine] == [
        JournalState.FORBIDDEN
    ]
    with pytest.raises(NoAnswer):
        journal.matches()
    monkeypatch.undo()
    table.now_us += LATER_US
    journal.tick()
    assert state(journal) is JournalState.CAUGHT_UP
    assert {match.id: match.count for match in journal.matches()} == played
    journal.close()


def heard_text(condition: Condition) -> Text:
    """Return what people read of how something is."""
    return Text(condition.state.template, **condition.values)


@pytest.mark.parametrize("torn", [False, True])
@pytest.mark.parametrize("lines", [2, 9, 29])
def test_lines_missing_at_the_end_are_told_of(table: Table, lines: int, *, torn: bool) -> None:
    journal, played = evening(table)
    journal.close()
    for match, count in played.items():
        path = table.file(match)
        whole = path.read_bytes().splitlines(keepends=True)
        left = min(lines, len(whole) - 1)
        cut = b"".join(whole[:left]) + (whole[left][:-7] if torn else b"")
        path.write_bytes(cut)
        table.heard.clear()
        journal = table.open()
        assert state(journal) is JournalState.RESTORED, match
        assert journal.condition.values["count"] == left - 1 < count
        assert path.with_name(f"{path.name}.damaged-1").read_bytes() == cut
        assert len(journal.resume(match)) == left - 1
        journal.close()
        journal = table.open()
        assert state(journal) is JournalState.WRITING  # it is told once
        journal.close()


@pytest.mark.parametrize("left", [b"", bytes(20), b"0000000099 00000000\n", b"nonsense", None])
def test_a_count_that_a_power_cut_spoilt_alarms_nobody(table: Table, left: bytes | None) -> None:
    journal, played = evening(table)
    journal.close()
    for match in played:
        noted = count_file(table.file(match))
        noted.unlink()
        if left is None:
            noted.mkdir()
        else:
            noted.write_bytes(left)
    journal = table.open()
    assert state(journal) is JournalState.WRITING
    assert {match.id: match.count for match in journal.matches()} == played
    for match, count in played.items():
        journal.append(match, count, moved(count))
    assert journal.waiting == 0
    journal.close()


def test_an_event_costs_no_more_syncs_than_its_own(table: Table) -> None:
    disk = Disk(table.path.parent)
    with disk:
        journal = table.open()
        match = table.play(journal, 2)
        disk.steps.clear()
        journal.append(match, 2, moved(2))
        name = f"journal/{table.file(match).name}"
        assert [step for step in disk.steps if isinstance(step, Sync | SyncNames)] == [Sync(name)]
        journal.close()
