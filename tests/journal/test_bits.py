"""Bits that turned over in a journal's files: nothing that was acknowledged goes silently."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from shutil import rmtree
from typing import Final

import pytest

from companion.journal import Entry, JournalState
from companion.journal.match_file import content
from tests.journal.journals import WON, Table, folder_in_memory, moved, state

ENTRIES: Final = 61
Image = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Evening:
    """What a killed program left behind: a match that is over, and one that is going on."""

    files: Image
    played: dict[str, tuple[Entry, ...]]  # by file


@dataclass(frozen=True, slots=True)
class After:
    """What a later start finds."""

    found: dict[str, tuple[Entry, ...]]  # by file
    told: JournalState
    aside: Image


@pytest.fixture(scope="module")
def evening() -> Evening:
    """One match is over, the other is being played when the program is killed."""
    with folder_in_memory() as folder:
        table = Table(folder / "journal")
        journal = table.open()
        over, going = table.play(journal, ENTRIES - 3), table.play(journal, ENTRIES - 3)
        for match in (over, going):  # at last three that are written together
            journal.append(match, ENTRIES - 3, *map(moved, range(ENTRIES - 3, ENTRIES)))
        journal.append(over, ENTRIES, WON)
        files = {file.name: file.read_bytes() for file in table.path.glob("*.jsonl")}
        played = {table.file(match).name: journal.events(match) for match in (over, going)}
        journal.close()
        return Evening(files, played)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a folder where syncing takes no time."""
    with folder_in_memory() as folder:
        yield folder


def after(files: Image, evening: Evening, folder: Path) -> After:
    """Start again from what is on the disk, and read all of it; play one more event."""
    rmtree(folder / "journal", ignore_errors=True)
    (folder / "journal").mkdir()
    for name, data in files.items():
        (folder / "journal" / name).write_bytes(data)
    table = Table(folder / "journal", made=9)
    journal = table.open()
    found = {}
    for name, entries in evening.played.items():
        found[name] = journal.events(entries[0].match)
    told = state(journal)
    assert isinstance(told, JournalState)
    aside = {path.name: path.read_bytes() for path in table.path.glob("*.damaged-*")}
    for name, entries in found.items():
        if entries:
            journal.append(evening.played[name][0].match, len(entries), moved(99))
    table.play(journal, 2)
    assert journal.waiting == 0
    journal.close()
    return After(found, told, aside)


def flipped(data: bytes, *bits: int) -> bytes:
    """Return what is there when bits turn over."""
    found = bytearray(data)
    for bit in bits:
        found[bit // 8] ^= 1 << bit % 8
    return bytes(found)


def is_beginning(found: Sequence[Entry], played: Sequence[Entry]) -> bool:
    return list(found) == list(played[: len(found)])


def lines(data: bytes) -> list[range]:
    """Return where each line of a file lies."""
    ends = [at + 1 for at, byte in enumerate(data) if byte == ord("\n")]
    return [range(start, end) for start, end in zip([0, *ends], ends, strict=False)]


def test_every_bit_of_some_bytes_in_each_line_costs_nothing_and_is_told(
    evening: Evening, folder: Path, full: bool
) -> None:
    """The last bytes are the checksum and the end of the line."""
    (_, name), looked_at = sorted(evening.files), 0
    data, played = evening.files[name], evening.played[name]
    for line in lines(data):
        chosen = [*Random(line.start).sample(line[:-10], 12 if full else 1), *line[-10:]]
        for byte in chosen if full else chosen[:1] + chosen[-2:-1]:
            for bit in range(8):
                found = content(flipped(data, 8 * byte + bit), folder)
                assert found.damaged, (byte, bit)
                assert found.entries == played, (byte, bit)
                looked_at += 1
    assert looked_at > 700


def test_any_bit_is_told_and_the_file_is_kept(evening: Evening, folder: Path, full: bool) -> None:
    for name, data in evening.files.items():
        for bit in Random(name).sample(range(8 * len(data)), 500 if full else 30):
            files = evening.files | {name: flipped(data, bit)}
            found = after(files, evening, folder)
            assert found.found == evening.played, bit
            assert found.told is JournalState.RESTORED, bit
            assert found.aside == {f"{name}.damaged-1": files[name]}, bit


def test_a_bit_in_each_of_several_lines_costs_nothing(evening: Evening, folder: Path) -> None:
    name = max(evening.files)
    data = evening.files[name]
    bits = [8 * line[len(line) // 2] + 1 for line in lines(data)[::7]]
    found = after(evening.files | {name: flipped(data, *bits)}, evening, folder)
    assert found.found == evening.played
    assert found.told is JournalState.RESTORED


@pytest.mark.parametrize("length", [2, 60, 512, 4096])
@pytest.mark.parametrize("filler", [b"\0", b"\xa5"])
def test_more_than_a_bit_costs_what_follows_it_and_is_told(
    evening: Evening, folder: Path, length: int, filler: bytes, full: bool
) -> None:
    name = max(evening.files)
    data, places = evening.files[name], lines(evening.files[name])
    for start in (0, *Random(length).sample(range(len(data) - length - 800), 60 if full else 2)):
        spoiled = data[:start] + filler * length + data[start + length :]
        found = after(evening.files | {name: spoiled}, evening, folder)
        whole = sum(line.stop <= start for line in places) - 1  # without the first, which has none
        assert len(found.found[name]) >= max(0, whole), start
        assert is_beginning(found.found[name], evening.played[name])
        assert found.told is JournalState.RESTORED, start
        assert found.aside == {f"{name}.damaged-1": spoiled}
        assert found.found[min(evening.files)] == evening.played[min(evening.files)]


@pytest.mark.parametrize("which", [1, 2, 30, ENTRIES - 3])
def test_a_line_lost_twice_or_elsewhere_is_told(evening: Evening, folder: Path, which: int) -> None:
    name = max(evening.files)
    told = evening.files[name].splitlines(keepends=True)
    other = evening.files[min(evening.files)].splitlines(keepends=True)
    for spoiled in (
        [*told[:which], *told[which + 1 :]],
        [*told[:which], told[which], *told[which:]],
        [*told[:which], *told[which : which + 2][::-1], *told[which + 2 :]],
        [*told[:which], other[which], *told[which + 1 :]],
        [*told[:which], b"[]\n", *told[which:]],
    ):
        found = after(evening.files | {name: b"".join(spoiled)}, evening, folder)
        assert which - 1 <= len(found.found[name]) <= which
        assert is_beginning(found.found[name], evening.played[name])
        assert found.told is JournalState.RESTORED


def test_a_torn_end_is_not_damage(evening: Evening, folder: Path, full: bool) -> None:
    name = max(evening.files)
    data, last = evening.files[name], lines(evening.files[name])[-1]
    for start in range(last.start, last.stop):
        if start % (1 if full else 5):
            continue
        for left in (data[:start], data[:start] + bytes(last.stop - start)):
            found = content(left, folder)
            assert (found.damaged, found.entries) == (False, evening.played[name][:-3]), start
    found = content(data[: last.start] + bytes(100) + data[last.start + 100 :], folder)
    assert (found.damaged, found.entries) == (False, evening.played[name][:-3])


def test_a_file_of_nothing_or_of_noise_is_told(evening: Evening, folder: Path) -> None:
    name = max(evening.files)
    for spoiled in (b"", bytes(5000), Random(6).randbytes(5000), b"this is no journal\n" * 99):
        found = after(evening.files | {name: spoiled}, evening, folder)
        assert (found.found[name], found.told) == ((), JournalState.RESTORED)
        assert found.aside == {f"{name}.damaged-1": spoiled}


def test_the_test_notices_what_is_not_whole(evening: Evening, folder: Path) -> None:
    name = max(evening.files)
    found = after(evening.files, evening, folder)
    assert (found.found, found.told, found.aside) == (evening.played, JournalState.WRITING, {})
    data = evening.files[name]
    two = flipped(data, 8 * (len(data) // 2), 8 * (len(data) // 2) + 1)
    assert len(content(two, folder).entries) < ENTRIES
