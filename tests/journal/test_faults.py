"""Whatever happens to the journal's disk, play goes on, says so, and nothing written is lost."""

import errno
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import pytest

from companion.i18n.translate import say
from companion.journal import Journal, JournalState, NewEntry
from companion.journal.match_file import MatchFile
from companion.journal.status import JournalFault
from tests.journal.crashes import Disk, Step, Write
from tests.journal.journals import BEGUN, LATER_US, WON, Table, folder_in_memory, moved, state


@pytest.fixture
def table() -> Iterator[Table]:
    """Yield a table whose journal does not exist yet."""
    with folder_in_memory() as folder:
        yield Table(folder / "journal")


def put_newer(path: Path) -> None:
    """Put a match there as a later version may write it."""
    path.mkdir()
    (path / "000001-later.jsonl").write_bytes(sealed({"version": 2, "match": "later"}))


def put_newer_with_ours(path: Path) -> None:
    """Put a match of a later version beside some of ours."""
    table = Table(path, made=5)
    journal = table.open()
    table.play(journal, 3)
    journal.close()
    (path / "000002-later.jsonl").write_bytes(sealed({"version": 2, "match": "later"}) + b"more\n")


def put_a_file(path: Path) -> None:
    """Put a file where the journal should be."""
    path.write_bytes(b"a diary")


def sealed(head: dict[str, object]) -> bytes:
    text = json.dumps(head).encode()
    return b"%s %08x\n" % (text, crc32(text))


def files(path: Path) -> dict[str, bytes]:
    """Return all that is there, but for the lock."""
    found = path.rglob("*") if path.is_dir() else [path]
    return {file.name: file.read_bytes() for file in found if file.name != ".lock"}


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (put_newer, JournalState.NEWER),
        (put_newer_with_ours, JournalState.NEWER),
        (put_a_file, JournalState.NOT_A_FOLDER),
    ],
)
def test_what_is_not_ours_stays_as_it_is_and_play_goes_on(
    table: Table, spoil: Callable[[Path], None], told: JournalState
) -> None:
    spoil(table.path)
    before = files(table.path)
    journal = table.open()
    assert state(journal) is told
    assert journal.unfinished() == ()
    match = table.play(journal, 5)
    table.now_us += LATER_US
    journal.tick()
    assert (len(journal.events(match)), journal.waiting) == (5, 5)
    assert files(table.path) == before
    table.path.rename(table.path.with_name("elsewhere"))
    table.now_us += LATER_US
    journal.tick()
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
    journal.tick()
    assert journal.waiting == 5  # it was not yet time to try again
    table.now_us += LATER_US
    journal.tick()
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
    lock = table.path / ".lock"
    real = os.open

    def refuse(path: Path, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if flags & os.O_RDWR and path == lock:
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
    journal.tick()
    assert (state(journal), journal.waiting) == (JournalState.CAUGHT_UP, 0)
    journal.close()
    assert len(table.events(match)) == 6


def test_a_disk_that_cannot_even_be_asked_is_told_and_play_goes_on(table: Table) -> None:
    journal = table.open()
    over = table.play(journal, 4)
    journal.append(over, 4, WON)
    match = table.play(journal, 3)
    disk = Disk(table.path.parent)
    with disk:
        disk.unreadable, disk.breaks = lambda: True, lambda _: errno.EIO
        assert journal.events(over) == ()
        assert state(journal) is JournalState.FAILING
        assert [found.count for found in journal.matches()] == [3, 5]
        journal.append(match, 3, moved(3))
        table.now_us += LATER_US
        journal.tick()
        assert state(journal) is JournalState.FAILING
    table.now_us += LATER_US
    journal.tick()
    assert (state(journal), journal.waiting) == (JournalState.CAUGHT_UP, 0)
    journal.close()
    assert len(table.events(match)) == 4


def test_a_full_disk_is_said_and_caught_up_with_when_there_is_room(table: Table) -> None:
    disk, room = Disk(table.path.parent), [20_000]

    def no_room(step: Step) -> int:
        if isinstance(step, Write):
            room[0] -= len(step.data)
            return errno.ENOSPC if room[0] < 0 else 0
        return 0

    disk.breaks = no_room
    with disk:
        journal = table.open()
        match = table.play(journal, 300)
        assert state(journal) is JournalState.FULL
        assert 0 < journal.waiting < 300
        assert len(journal.events(match)) == 300
        table.now_us += LATER_US
        journal.tick()
        assert state(journal) is JournalState.FULL
        room[0] = 10_000_000
        table.now_us += LATER_US
        journal.tick()
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
    second.tick()
    assert state(second) is JournalState.CAUGHT_UP
    assert [match.id for match in second.matches()] == [yours, mine]
    second.close()


@pytest.mark.parametrize("where", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("filler", [b"\0", b"\xff"])
def test_wherever_a_file_is_damaged_it_is_kept_and_a_beginning_is_read(
    table: Table, where: float, filler: bytes
) -> None:
    journal = table.open()
    match = table.play(journal, 120)
    played = journal.events(match)
    journal.close()
    path = table.file(match)
    data = bytearray(path.read_bytes())
    start = round(where * len(data))
    data[start : start + 1000] = filler * 1000
    path.write_bytes(data)
    journal = table.open()
    restored = journal.events(match)
    assert restored == played[: len(restored)]
    assert len(restored) >= 120 * where - 2
    assert state(journal) is JournalState.RESTORED
    aside = path.with_name(f"{path.name}.damaged-1")
    assert aside.read_bytes() == data
    assert say_it(journal) == (
        f"Die Datei {path} war beschädigt; {len(restored)} "
        f"{'Ereignis daraus war' if len(restored) == 1 else 'Ereignisse daraus waren'} zu retten. "
        f"Die beschädigte Datei liegt noch als {aside} da."
    )
    journal.close()
    assert table.events(match) == restored


def say_it(journal: Journal) -> str:
    """Return what a German table reads."""
    condition = journal.condition
    return say(Sentence(condition.state.template, dict(condition.values)), "de")


@pytest.mark.parametrize("state", JournalState)
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_sentence_names_the_folder_twice(state: JournalState, language: str) -> None:
    """A page shows no more of the folder than its name."""
    values = {"file": "journal", "count": 0, "aside": "it.damaged-1", "reason": "it is broken"}
    sentence = say(Sentence(state.template, values), language)
    assert "journal journal" not in sentence.lower()
    assert "0 events could be read" not in sentence


@dataclass
class Sentence:
    """A template with its values."""

    template: str
    values: dict[str, object]


def test_a_file_that_is_damaged_in_play_is_told_by_whoever_reads_it(table: Table) -> None:
    journal = table.open()
    old = table.play(journal, 3)
    journal.append(old, 3, WON)
    match = table.play(journal, 60)
    with table.file(match).open("r+b") as file:  # in place, under the program's hands
        file.seek(2000)
        file.write(os.urandom(500))
    for number in range(60, 200):
        journal.append(match, number, moved(number))
    journal.close()
    journal = table.open()
    assert state(journal) is JournalState.WRITING
    assert 0 < len(journal.resume(match)) < 200
    assert state(journal) is JournalState.RESTORED
    journal.close()


def test_a_file_that_is_cut_in_play_gets_all_that_was_played(table: Table) -> None:
    journal = table.open()
    match = table.play(journal, 60)
    os.truncate(table.file(match), 2000)
    for number in range(60, 70):
        journal.append(match, number, moved(number))
    assert journal.waiting == 0
    journal.close()
    assert [event.number for event in table.events(match)] == [*range(70)]


def test_a_journal_that_vanishes_in_play_gets_all_that_was_played(table: Table) -> None:
    journal = table.open()
    match = table.play(journal, 10)
    journal.close()
    journal = table.open()
    journal.append(match, 10, moved(10))
    journal._go_on_in_memory(JournalFault(JournalState.FAILING, "pulled out"))
    for file in table.path.iterdir():
        file.unlink()
    journal.append(match, 11, moved(11))
    table.now_us += LATER_US
    journal.tick()
    journal.close()
    assert len(table.events(match)) == 12


def test_two_stories_of_one_match_are_never_mixed(table: Table) -> None:
    journal = table.open()
    match = table.play(journal, 3)
    journal._go_on_in_memory(JournalFault(JournalState.FAILING, "pulled out"))
    journal.append(match, 3, moved(3))
    other = MatchFile(table.file(match))
    other.write([NewEntry("begun", BEGUN.body).entry(match, 0, table.wall_ms + 1)])
    table.now_us += LATER_US
    journal.tick()
    assert state(journal) is JournalState.PARTED
    assert len(journal.events(match)) == 4
    journal.close()
