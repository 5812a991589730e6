"""The power goes at any moment, or the program is killed: what was acknowledged is there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from shutil import rmtree

import apsw
import pytest

from companion import private_files
from companion.referee import journal_log, journal_place, salvage
from companion.referee.entry import Entry, Happened
from companion.referee.journal import Journal
from companion.referee.journal_memory import Clocks
from companion.referee.journal_state import JournalState
from tests.referee.crashes import Disk, Step, Sync, Told, Write, lay_out, moments
from tests.referee.journals import folder_in_memory, state

MATCH = "5f0c7be81a24"
CLOCKS = Clocks(wall_ms=lambda: 1_700_000_000_000, now_us=lambda: 0, name=lambda: MATCH)
SAMPLE = 60  # moments in a quick test
SIZES = (1, 1, 1, 1, 1, 3)  # events that are added together


def happened(number: int) -> Happened:
    """Return some event, now and then a long one that takes several pages."""
    note = "x" * (9000 if number % 37 == 5 else number % 90)
    return Happened("moved", {"number": number, "note": note}, request=f"c-{number}")


def play(disk: Disk, path: Path, count: int) -> tuple[Entry, ...]:
    """Play on a disk, with restarts; return the events in order."""
    random = Random(4)
    journal = Journal(path, clocks=CLOCKS, connect=disk.connect)
    number = 0
    while number < count:
        coming = random.choice(SIZES)
        disk.steps.append(Told(number, coming))
        events = [happened(n) for n in range(number, number + coming)]
        if number:
            journal.append(MATCH, number, *events)
        else:
            journal.begin(*events)
        number += coming
        disk.steps.append(Told(number, 0))
        if random.random() < 0.03:
            journal.close()
            journal = Journal(path, clocks=CLOCKS, connect=disk.connect)
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
def evening(tmp_path_factory: pytest.TempPathFactory, full: bool) -> tuple[list[Step], list[Entry]]:
    """Everything that one evening wrote, and its events."""
    disk = Disk()
    played = play(disk, tmp_path_factory.mktemp("disk") / "journal", 240 if full else 80)
    return disk.steps, list(played)


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
        for image in moment.images(random, 2):
            journal = restarted(image, fast_path / "after")
            assert state(journal) in {JournalState.WRITING, JournalState.ANEW}, index
            found = journal.events(MATCH)
            assert len(found) in {told.certain, told.certain + told.coming}, index
            assert list(found) == played[: len(found)]
            if found:
                journal.append(MATCH, len(found), Happened("resumed", {}))
            journal.close()
            assert not found or journal_in(fast_path / "after")[-1].kind == "resumed"


def test_no_torn_end_is_taken_for_damage(
    evening: tuple[list[Step], list[Entry]], full: bool
) -> None:
    random, looked_at = Random(17), 0
    for moment in moments(evening[0]):
        for image in moment.images(random, 8 if full else 1):
            assert not journal_log.read(image.get("journal-wal", b"")).damaged
            looked_at += 1
    assert looked_at > 1000


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
    random = Random(16)
    for index, moment in enumerate(moments(steps, lies=True)):
        if index not in looked_at:
            continue
        for image in moment.images(random, 1):
            journal = restarted(image, fast_path / "after")
            found = journal.events(MATCH)
            assert journal.waiting == 0
            assert list(found) == played[: len(found)]
            journal.close()


def test_the_test_notices_a_journal_that_does_not_sync(fast_path: Path) -> None:
    disk = Disk()
    played = play(disk, fast_path / "journal", 20)
    steps = [step for step in disk.steps if not isinstance(step, Sync)]
    *_, last = moments(steps)
    journal = restarted(next(last.images(Random(1), 0)), fast_path / "after")
    assert len(journal.events(MATCH)) < len(played)
    journal.close()


@pytest.mark.parametrize("fault", [apsw.FullError, apsw.IOError, apsw.ReadOnlyError])
@pytest.mark.parametrize("kind", [Write, Sync])
def test_a_disk_that_fails_once_at_any_step_catches_up(
    fast_path: Path, fault: type[apsw.Error], kind: type[Step], full: bool
) -> None:
    whole = Disk()
    play(whole, fast_path / "whole", 40)
    there = sum(isinstance(step, kind) for step in whole.steps)
    for broken in range(0, there, 1 if full else max(1, there // 12)):
        folder = fast_path / str(broken)
        folder.mkdir()
        disk, seen = Disk(), iter(range(10**9))
        disk.breaks = lambda step, at=broken, seen=seen: (  # type: ignore[misc]
            fault if isinstance(step, kind) and next(seen) == at else None
        )
        time_us = iter(range(0, 10**12, 10**8))
        journal = Journal(
            folder / "journal",
            clocks=replace(CLOCKS, now_us=lambda time_us=time_us: next(time_us)),  # type: ignore[misc]
            connect=disk.connect,
        )
        journal.begin(happened(0))
        for number in range(1, 40):
            journal.append(MATCH, number, happened(number))
            if number % 7 == 0:
                journal.tend()
        journal.tend()
        assert state(journal) in {JournalState.CAUGHT_UP, JournalState.WRITING}
        assert journal.waiting == 0
        journal.close()
        assert [entry.number for entry in journal_in(folder)] == [*range(40)]
        *_, last = moments(disk.steps)
        journal = restarted(next(last.images(Random(2), 0)), fast_path / "after")
        assert len(journal.events(MATCH)) == 40
        journal.close()


class PowerCut(BaseException):
    """The program ends here."""


@pytest.mark.parametrize("cut", range(6))
def test_a_power_cut_while_a_damaged_file_is_replaced_loses_nothing(
    fast_path: Path, cut: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fast_path / "journal"
    play(Disk(), path, 200)
    data = bytearray(path.read_bytes())
    middle = len(data) * 3 // 4 // 4096 * 4096
    data[middle : middle + 4096] = bytes(4096)
    path.write_bytes(data)
    readable = len(salvage.read(path))
    assert 0 < readable < 200
    moves = iter(range(100))
    rename, sync = Path.rename, private_files.sync_folder

    def moved(old: Path, new: Path) -> Path:
        if next(moves) == cut:
            raise PowerCut
        return rename(old, new)

    def synced(folder: Path) -> None:
        if next(moves) == cut:
            raise PowerCut
        sync(folder)

    monkeypatch.setattr(Path, "rename", moved)
    monkeypatch.setattr(salvage, "sync_folder", synced)
    monkeypatch.setattr(journal_place, "flock", lambda *_: None)  # as if this program ended
    with pytest.raises(PowerCut):
        Journal(path, clocks=CLOCKS)
    monkeypatch.undo()
    half_way = not path.exists()
    if half_way:
        path.with_name("journal-wal").write_bytes(b"log")
    journal = Journal(path, clocks=CLOCKS)
    assert len(journal.events(MATCH)) == readable
    assert (fast_path / "journal.damaged-1").read_bytes() == data
    assert path.with_name("journal.damaged-1-wal").exists() == half_way
    journal.close()


WRITER = """
import sys
from pathlib import Path
from tests.referee.test_journal_crashes import CLOCKS, MATCH, happened
from companion.referee.journal import Journal
journal = Journal(Path(sys.argv[1]), clocks=CLOCKS)
number = len(journal.events(MATCH))
print(number, flush=True)
while True:
    journal.append(MATCH, number, happened(number)) if number else journal.begin(happened(0))
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
