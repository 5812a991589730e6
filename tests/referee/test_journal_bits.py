"""One bit that turned over in a journal's files: nothing that was acknowledged goes silently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import Final

import pytest

from companion.referee import journal_log, salvage
from companion.referee.entry import Entry
from companion.referee.journal_state import JournalState
from tests.referee.journals import WON, Table, folder_in_memory, state
from tests.referee.test_journal_crashes import happened

FILE, LOG, MEMORY = "journal", "journal-wal", "journal-shm"
ENTRIES: Final = 61
FRAME: Final = 4096 + 24
HEADER: Final = 32
PAGE: Final = 4096
FINE: Final = {JournalState.WRITING, JournalState.CAUGHT_UP}

Image = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Evening:
    """What a killed program left behind, and what it had acknowledged."""

    image: Image
    over: tuple[Entry, ...]  # a match that was over…
    going: tuple[Entry, ...]  # …and the one that was being played
    closed: Image  # what there is if the program ends by itself


@dataclass(frozen=True, slots=True)
class After:
    """What a later start finds."""

    over: tuple[Entry, ...]
    going: tuple[Entry, ...]
    state: JournalState
    aside: Image  # what is kept of the damaged one


@pytest.fixture(scope="module")
def evening() -> Evening:
    """One match is over, the other is being played when the program is killed."""
    with folder_in_memory() as folder:
        table = Table(folder / FILE)
        journal = table.open()
        matches = []
        for _ in range(2):
            matches.append(journal.begin(happened(0)))
            for number in range(1, ENTRIES):
                journal.append(matches[-1], number, happened(number))
            if len(matches) == 1:
                journal.append(matches[-1], ENTRIES, WON)
        image = {name: (folder / name).read_bytes() for name in (FILE, LOG)}
        over, going = map(journal.events, matches)
        journal.close()
        return Evening(image, over, going, {FILE: (folder / FILE).read_bytes()})


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a folder where syncing takes no time."""
    with folder_in_memory() as folder:
        yield folder


def after(image: Image, evening: Evening, folder: Path) -> After:
    """Start again from what is on the disk, and read all of it."""
    rmtree(folder / "card", ignore_errors=True)
    (folder / "card").mkdir()
    for name, data in image.items():
        (folder / "card" / name).write_bytes(data)
    journal = Table(folder / "card" / FILE).open()
    going, over = (journal.events(match[0].match) for match in (evening.going, evening.over))
    found = After(over, going, state(journal), kept_aside(folder / "card"))  # type: ignore[arg-type]
    journal.close()
    return found


def kept_aside(folder: Path) -> Image:
    """Return the files that were kept aside, by the names they had."""
    mark = ".damaged-1"
    return {
        file.name.replace(mark, ""): file.read_bytes()
        for file in folder.iterdir()
        if mark in file.name
    }


def flipped(image: Image, name: str, bit: int) -> Image:
    """Return what is there when a bit of one file turns over."""
    data = bytearray(image[name])
    data[bit // 8] ^= 1 << bit % 8
    return image | {name: bytes(data)}


def is_beginning(found: Sequence[Entry], played: Sequence[Entry]) -> bool:
    return list(found) == list(played[: len(found)])


def some_bits(size: int, count: int, seed: int) -> list[int]:
    return Random(seed).sample(range(8 * size), count)


def told_in_the_file_alone(image: Image) -> list[int]:
    """Return one bit of what was told in each page of the file that the log has not anew."""
    file, log = image[FILE], image[LOG]
    starts = range(HEADER, len(log), FRAME)
    logged = {int.from_bytes(log[start : start + 4], "big") for start in starts}
    pages = [page for page in range(len(file) // PAGE) if page + 1 not in logged]
    notes = [file.find(b"xxxx", PAGE * page, PAGE * (page + 1)) for page in pages]
    return [8 * place + place % 8 for place in notes if place >= 0]


def test_a_bit_in_the_log_loses_nothing_at_all(evening: Evening, folder: Path, full: bool) -> None:
    size = len(evening.image[LOG])
    bits = some_bits(size, 3000 if full else 24, seed=1)
    header = some_bits(HEADER, HEADER * 8 if full else 8, seed=2)
    last = [8 * (size - FRAME) + bit for bit in some_bits(FRAME, 600 if full else 12, seed=3)]
    for bit in (*bits, *header, *last):
        image = flipped(evening.image, LOG, bit)
        found = after(image, evening, folder)
        assert found.going == evening.going, bit
        assert found.over == evening.over, bit
        assert found.state is JournalState.RESTORED, bit
        assert found.aside == image, bit


def test_a_bit_in_the_file_is_said_or_does_no_harm(
    evening: Evening, folder: Path, full: bool
) -> None:
    """Harmless is what stands in the log, too, and what lies in a page without meaning anything."""
    size = len(evening.image[FILE])
    bits = some_bits(size, 3000 if full else 24, seed=4)
    first = some_bits(100, 800 if full else 12, seed=5)  # the header of the file
    told = told_in_the_file_alone(evening.image)
    assert len(told) > 2
    for bit in (*bits, *first, *told):
        image = flipped(evening.image, FILE, bit)
        found = after(image, evening, folder)
        assert is_beginning(found.going, evening.going), bit
        assert is_beginning(found.over, evening.over), bit
        if found.state in FINE:
            assert bit not in told
            assert (found.going, found.over) == (evening.going, evening.over), bit
        elif found.state is JournalState.RESTORED:  # where only a reader noticed it, with its log
            assert FILE in found.aside, bit


@pytest.mark.parametrize("bit", [*range(8 * 68, 8 * 72, 5), *range(8 * 60, 8 * 63, 5)])
def test_a_bit_in_whose_file_it_is_or_of_which_version_is_damage(
    evening: Evening, folder: Path, bit: int
) -> None:
    image = flipped(evening.closed, FILE, bit)
    found = after(image, evening, folder)
    assert (found.going, found.over) == (evening.going, evening.over)
    assert (found.state, found.aside) == (JournalState.RESTORED, image)


def test_a_file_of_shared_memory_that_another_program_left_is_not_believed(
    evening: Evening, folder: Path
) -> None:
    noise = Random(6).randbytes(32768)
    found = after(evening.image | {MEMORY: noise}, evening, folder)
    assert (found.going, found.state) == (evening.going, JournalState.WRITING)


@pytest.mark.parametrize("length", [1, 512, 4096, FRAME, 3 * FRAME])
@pytest.mark.parametrize("filler", [b"\0", b"\xa5"])
def test_more_than_a_bit_in_the_log_is_said_and_the_rest_is_read(
    evening: Evening, folder: Path, length: int, filler: bytes, full: bool
) -> None:
    size = len(evening.image[LOG])
    for start in (0, *Random(length).sample(range(HEADER, size - 8 * FRAME), 40 if full else 2)):
        data = bytearray(evening.image[LOG])
        data[start : start + length] = filler * length
        if bytes(data) == evening.image[LOG]:
            continue
        image = evening.image | {LOG: bytes(data)}
        found = after(image, evening, folder)
        assert found.state is JournalState.RESTORED, start
        assert found.over == evening.over
        assert is_beginning(found.going, evening.going)
        assert found.aside == image


def test_a_torn_end_is_not_damage(evening: Evening, folder: Path) -> None:
    log = evening.image[LOG]
    for cut in (*range(1, 6 * FRAME, 999), len(log) - HEADER, len(log) - 5, len(log)):
        image = evening.image | {LOG: log[: len(log) - cut]}
        found = after(image, evening, folder)
        assert found.state is JournalState.WRITING, cut
        assert is_beginning(found.going, evening.going)


def test_what_is_left_of_an_older_log_behind_the_newer_is_not_damage(folder: Path) -> None:
    table = Table(folder / FILE)
    journal = table.open()
    match = table.play(journal, 500)  # so many that SQLite begins the log again, in place
    image = {name: (folder / name).read_bytes() for name in (FILE, LOG)}
    played = journal.events(match)
    journal.close()
    log = journal_log.read(image[LOG])
    assert not log.damaged
    assert len(log.frames) < len(image[LOG]) // FRAME
    assert after(image, Evening(image, played, played, {}), folder).going == played


def test_the_test_notices_a_log_that_is_not_looked_into(
    evening: Evening, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_log, "read", lambda _: journal_log.Log())
    found = after(flipped(evening.image, LOG, 8 * (HEADER + 30)), evening, folder)
    assert (found.going, found.state) == ((), JournalState.WRITING)


def schema_bits(image: Image) -> list[int]:
    """Return the bits of what SQLite tells of the tables and triggers in the file."""
    data = image[FILE][:PAGE]
    start, end = data.rfind(b"trigger"), data.find(b"CREATE TABLE events")
    assert 100 < start < end
    return [*range(8 * start, 8 * PAGE)]


def test_a_bit_in_the_schema_or_the_head_keeps_nobody_from_writing(
    evening: Evening, folder: Path, full: bool
) -> None:
    bits = schema_bits(evening.closed)
    head = [8 * byte + bit for byte in (18, 19, *range(44, 48), *range(60, 64)) for bit in range(8)]
    start = 8 * evening.closed[FILE].find(b"CREATE TABLE events")
    text = [start + 8 * letter + 7 for letter in range(8)]  # each makes a byte no text
    for bit in (*head, *text, *(bits if full else bits[::151])):
        image = flipped(evening.closed, FILE, bit)
        found = after(image, evening, folder)
        assert (found.going, found.over) == (evening.going, evening.over), bit
        assert found.state in {*FINE, JournalState.RESTORED}, bit
        if bit in text:
            assert (found.state, found.aside) == (JournalState.RESTORED, image), bit
        assert_goes_on(folder / "card" / FILE, evening, bit)


def assert_goes_on(path: Path, evening: Evening, bit: int) -> None:
    """Play one more event, and find it after one more start."""
    match, number = evening.going[0].match, len(evening.going)
    journal = Table(path).open()
    journal.append(match, number, happened(number))
    assert journal.waiting == 0, bit
    journal.close()
    journal = Table(path).open()
    assert len(journal.events(match)) == number + 1, bit
    journal.close()


def test_whatever_goes_wrong_with_what_is_read_the_table_starts(
    evening: Evening, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unforeseen(_: Path) -> list[Entry]:
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")

    monkeypatch.setattr(salvage, "read", unforeseen)
    image = flipped(evening.closed, FILE, 8 * 70)
    found = after(image, evening, folder)
    assert (found.going, found.state, found.aside) == ((), JournalState.RESTORED, image)
