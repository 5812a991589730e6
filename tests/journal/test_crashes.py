"""The power goes at any moment, or the program is killed: what was acknowledged is there."""

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import rmtree

import pytest

from companion.journal import Entry, Journal, JournalState, NewEntry, TimeAndIds
from companion.journal.match_file import MatchFile
from tests.journal.crashes import Disk, Rename, Step, Sync, SyncNames, Told, Write, lay_out, moments
from tests.journal.journals import folder_in_memory, kill, state

MATCH = "5f0c7be81a24"
CLOCKS = TimeAndIds(wall_ms=lambda: 1_700_000_000_000, now_us=lambda: 0, name=lambda: MATCH)
SAMPLE = 60  # moments in a quick test
SIZES = (1, 1, 1, 1, 1, 3)  # events that are added together


def happened(number: int) -> NewEntry:
    """Return some event, now and then a long one that takes several pages."""
    note = "x" * (9000 if number % 37 == 5 else number % 90)
    return NewEntry("moved", {"number": number, "note": note}, request=f"c-{number}")


def play(disk: Disk, count: int) -> tuple[Entry, ...]:
    """Play on a disk, with restarts; return the events in order."""
    random, path = Random(4), disk.folder / "journal"
    with disk:
        journal = Journal(path, clocks=CLOCKS)
        number = 0
        while number < count:
            coming = random.choice(SIZES)
            disk.steps.append(Told(number, coming))
            events = [happened(n) for n in range(number, number + coming)]
            if number:
                journal.append(MATCH, number, *events)
            else:
                journal.start(*events)
            number += coming
            disk.steps.append(Told(number, 0))
            if random.random() < 0.03:
                journal.close()
                journal = Journal(path, clocks=CLOCKS)
        assert state(journal) is JournalState.WRITING
        played = journal.events(MATCH)
        journal.close()
    return played


@pytest.fixture
def fast_path() -> Iterator[Path]:
    """Yield a folder where syncing takes no time."""
    with folder_in_memory() as folder:
        yield folder


@pytest.fixture(scope="module")
def evening(full: bool) -> tuple[list[Step], list[Entry]]:
    """Everything that one evening wrote, and its events."""
    with folder_in_memory() as folder:
        disk = Disk(folder)
        return disk.steps, [*play(disk, 400 if full else 120)]


def chosen(count: int, *, full: bool) -> set[int]:
    """Return the moments to look at: all of them, or some and the first ones."""
    return set(range(count)) if full else {*range(12), *Random(8).sample(range(count), SAMPLE - 12)}


def restarted(image: dict[str, bytes], folder: Path) -> Journal:
    """Start again after a power cut."""
    rmtree(folder, ignore_errors=True)
    folder.mkdir()
    lay_out(image, folder)
    return Journal(folder / "journal", clocks=CLOCKS)


def test_after_a_power_cut_every_acknowledged_event_is_there(
    evening: tuple[list[Step], list[Entry]], fast_path: Path, full: bool
) -> None:
    steps, played = evening
    assert len(steps) >= (1000 if full else 300)
    looked_at = chosen(len(steps), full=full)
    random = Random(15)
    for index, moment in enumerate(moments(steps)):
        if index not in looked_at:
            continue
        told = moment.told
        for image in moment.images(random, 8 if full else 3):
            journal = restarted(image, fast_path / "after")
            assert state(journal) is JournalState.WRITING, index
            found = journal.resume(MATCH)
            assert state(journal) is JournalState.WRITING, index  # no torn end is damage
            assert len(found) in {told.certain, told.certain + told.coming}, index
            assert list(found) == played[: len(found)]
            if found:
                journal.append(MATCH, len(found), NewEntry("resumed", {}))
            journal.close()
            assert not found or journal_in(fast_path / "after")[-1].kind == "resumed"


def journal_in(folder: Path) -> tuple[Entry, ...]:
    """Return the events of the match that a later start finds."""
    journal = Journal(folder / "journal", clocks=CLOCKS)
    assert state(journal) is JournalState.WRITING
    entries = journal.events(MATCH)
    journal.close()
    return entries


def test_a_card_that_lies_about_syncing_leaves_a_beginning_and_never_something_else(
    evening: tuple[list[Step], list[Entry]], fast_path: Path, full: bool
) -> None:
    steps, played = evening
    looked_at = set(Random(9).sample(range(len(steps)), 400 if full else 25))
    random, most = Random(16), 0
    for index, moment in enumerate(moments(steps, lies=True)):
        if index not in looked_at:
            continue
        for image in moment.images(random, 1):
            journal = restarted(image, fast_path / "after")
            found = journal.events(MATCH)
            most = max(most, len(found))
            assert journal.waiting == 0
            assert list(found) == played[: len(found)]
            journal.close()
    assert most > 50


@pytest.mark.parametrize("lacking", [Sync, SyncNames])
def test_a_journal_that_does_not_sync_is_noticed(fast_path: Path, lacking: type[Step]) -> None:
    disk = Disk(fast_path)
    played = play(disk, 20)
    *_, last = moments([step for step in disk.steps if not isinstance(step, lacking)])
    journal = restarted(next(last.images(Random(1), 0)), fast_path / "after")
    assert len(journal.events(MATCH)) < len(played)
    journal.close()


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO, errno.EROFS])
@pytest.mark.parametrize("kind", [Write, Sync, Rename, SyncNames])
def test_a_disk_that_fails_once_at_any_step_catches_up(
    fast_path: Path, fault: int, kind: type[Step], late: bool, full: bool
) -> None:
    whole = Disk(fast_path / "whole")
    whole.folder.mkdir()
    play(whole, 40)
    there = sum(isinstance(step, kind) for step in whole.steps)
    for broken in range(0, there, 1 if full else max(1, there // 6)):
        disk, seen = Disk(fast_path / str(broken)), iter(range(10**9))
        disk.folder.mkdir()
        disk.late = late
        disk.breaks = lambda step, at=broken, seen=seen: (  # type: ignore[misc]
            fault if isinstance(step, kind) and next(seen) == at else 0
        )
        time_us = iter(range(0, 10**12, 10**8))
        clocks = replace(CLOCKS, now_us=time_us.__next__)
        with disk:
            journal = Journal(disk.folder / "journal", clocks=clocks)
            journal.start(happened(0))
            for number in range(1, 40):
                journal.append(MATCH, number, happened(number))
                if number % 7 == 0:
                    journal.tick()
            journal.tick()
            assert state(journal) in {JournalState.CAUGHT_UP, JournalState.WRITING}
            assert journal.waiting == 0
            journal.close()
        assert [entry.number for entry in journal_in(disk.folder)] == [*range(40)]
        *_, last = moments(disk.steps)
        journal = restarted(next(last.images(Random(2), 0)), fast_path / "after")
        assert len(journal.events(MATCH)) == 40
        journal.close()


def test_whatever_a_start_finds_of_one_that_never_knew_is_on_the_disk_then(fast_path: Path) -> None:
    disk = Disk(fast_path)
    disk.breaks = lambda step: errno.EIO if step == Sync(f"journal/000001-{MATCH}.jsonl") else 0
    with disk:
        journal = Journal(fast_path / "journal", clocks=CLOCKS)
        journal.start(happened(0))
        journal.append(MATCH, 1, happened(1))  # Linux keeps it in memory as if it were written
        assert state(journal) is JournalState.FAILING
        kill(journal)
        disk.breaks = lambda _: 0
        journal = Journal(fast_path / "journal", clocks=CLOCKS)
        assert len(journal.resume(MATCH)) == 2  # …and the next tells people what it finds…
        journal.close()
    *_, last = moments(disk.steps)
    journal = restarted(next(last.images(Random(1), 0)), fast_path / "after")
    assert len(journal.events(MATCH)) == 2  # …so it has to be there after a power cut
    journal.close()


def test_a_power_cut_while_a_damaged_file_is_replaced_loses_nothing(fast_path: Path) -> None:
    first = Disk(fast_path / "first")
    first.folder.mkdir()
    play(first, 60)
    path = first.folder / f"journal/000001-{MATCH}.jsonl"
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 300] = bytes(300)
    path.write_bytes(data)
    readable = 0
    disk = Disk(first.folder)
    with disk:
        disk.steps += [Write(str(path.relative_to(disk.folder)), 0, bytes(data))]
        disk.steps += [Sync(str(path.relative_to(disk.folder))), SyncNames()]
        journal = Journal(first.folder / "journal", clocks=CLOCKS)
        readable = len(journal.resume(MATCH))
        assert 0 < readable < 60
        assert state(journal) is JournalState.RESTORED
        journal.close()
    random, asides = Random(3), set[str]()
    for moment in [*moments(disk.steps[:3])][2:] + [*moments(disk.steps)][3:]:
        for image in moment.images(random, 6):
            journal = restarted(image, fast_path / "after")
            assert len(journal.resume(MATCH)) == readable
            journal.close()
            (aside,) = (fast_path / "after/journal").glob("*.damaged-*")
            assert aside.read_bytes() == data
            asides.add(aside.name)
    assert asides == {f"{path.name}.damaged-1"}


WRITER = """
import sys
from pathlib import Path
from tests.journal.test_crashes import CLOCKS, MATCH, happened
from companion.journal import Journal
journal = Journal(Path(sys.argv[1]), clocks=CLOCKS)
number = len(journal.events(MATCH))
print(number, flush=True)
while True:
    journal.append(MATCH, number, happened(number)) if number else journal.start(happened(0))
    number += 1
    print(number, flush=True)
"""


def test_a_killed_program_has_lost_nothing_that_it_acknowledged(tmp_path: Path, full: bool) -> None:
    path, acknowledged = tmp_path / "journal", 0
    for start in range(60 if full else 6):
        with subprocess.Popen(
            [sys.executable, "-P", "-c", WRITER, str(path)],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        ) as writer:
            assert writer.stdout
            found = int(writer.stdout.readline())
            assert acknowledged <= found <= acknowledged + 1
            told = [writer.stdout.readline() for _ in range(start * 7 % 40)]
            writer.send_signal(signal.SIGKILL)
            acknowledged = int([b"%d" % found, *told, *writer.stdout.read().split()][-1])
    journal = Journal(path, clocks=CLOCKS)
    assert acknowledged <= len(journal.events(MATCH)) <= acknowledged + 1
    assert [entry.number for entry in journal.events(MATCH)] == [*range(len(journal.events(MATCH)))]
    journal.close()


def test_what_is_written_together_is_one_line(fast_path: Path) -> None:
    file = MatchFile(fast_path / "match.jsonl")
    entries = [happened(number).entry(MATCH, number, 0) for number in range(3)]
    file.write(entries[:1])
    file.append(entries[1:])
    assert file.path.read_bytes().count(b"\n") == 3  # with the one that says whose it is
