"""Matches leave a journal as a text and come into another one, whole and never over others."""

import json
from pathlib import Path

import pytest

from companion.journal import Journal, JournalState, NewEntry
from companion.journal.export import export_lines, import_file
from companion.system.errors import CompanionError
from tests.journal.journals import BEGUN, WON, Table, moved, state


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """Return a text with two matches, of 6 events and of 3."""
    table = Table(tmp_path / "first")
    journal = table.open()
    long, short = table.play(journal, 5), table.play(journal, 3)
    journal.append(long, 5, NewEntry("won", {"seat": "Jürgen"}, ends=True))
    file = tmp_path / "evening.jsonl"
    told = [*export_lines(journal.events(long)), *list(export_lines(journal.events(short)))[1:]]
    file.write_text("".join(told), "ascii")
    journal.close()
    return file


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """Return another journal, which is empty."""
    return Table(tmp_path / "second").open()


def test_a_text_comes_in_once_as_it_left(text: Path, journal: Journal) -> None:
    first = import_file(journal, text)
    assert (first.new, first.known, first.refused) == (9, 0, ())
    again = import_file(journal, text)
    assert (again.new, again.known, again.refused) == (0, 9, ())
    assert [match.count for match in journal.matches()] == [3, 6]
    told = "".join(export_lines(journal.events("match-1")))
    assert told.splitlines() == text.read_text().splitlines()[:7]
    journal.close()


def test_every_line_is_one_object_with_what_the_format_names(text: Path) -> None:
    header, first, *_ = map(json.loads, text.read_text().splitlines())
    assert header == {"rappelwacht": "journal", "version": 1}
    assert list(first) == [
        "match", "number", "at_ms", "kind", "request", "ends", "seal", "body",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "damage",
    [b"", b"{", b"[1]", b'"\xff"', b"[" * 100_000, b'{"match": "match-1"}', b"x" * 3_000_000],
)
def test_a_damaged_line_is_named_and_all_before_it_and_beside_it_comes_in(
    text: Path, journal: Journal, damage: bytes
) -> None:
    told = text.read_bytes().splitlines()
    told[3] = damage
    text.write_bytes(b"\n".join(told) + b"\n")
    taken = import_file(journal, text)
    assert taken.new == 2 + 3
    numbers = [one.values["number"] for one in taken.refused]
    assert (numbers[0], 7 in numbers) == (4, True)  # what follows it misses it
    journal.close()


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("number", True),
        ("number", -1),
        ("at_ms", 1.5),
        ("at_ms", 2**70),
        ("kind", ""),
        ("request", 7),
        ("ends", 1),
        ("body", []),
        ("body", {"number": 9}),
        ("match", "match-2"),
        ("more", 1),
    ],
)
def test_a_changed_line_is_refused(text: Path, journal: Journal, part: str, value: object) -> None:
    told = text.read_text().splitlines()
    told[2] = json.dumps(json.loads(told[2]) | {part: value})
    text.write_text("\n".join(told))
    taken = import_file(journal, text)
    assert taken.refused[0].values["number"] == 3
    assert taken.new == 1 + 3
    journal.close()


def test_a_torn_last_line_costs_only_itself(text: Path, journal: Journal) -> None:
    text.write_bytes(text.read_bytes()[:-20])
    assert (import_file(journal, text).new, import_file(journal, text).known) == (8, 8)
    assert len(import_file(journal, text).refused) == 1
    journal.close()


def test_a_longer_copy_of_a_match_goes_on_where_ours_ends(text: Path, journal: Journal) -> None:
    whole = text.read_text()
    text.write_text("".join(whole.splitlines(keepends=True)[:4]))
    assert import_file(journal, text).new == 3
    text.write_text(whole)
    taken = import_file(journal, text)
    assert (taken.new, taken.known) == (6, 3)
    assert len(journal.events("match-1")) == 6
    journal.close()


def test_a_match_that_went_differently_or_is_being_played_stays(tmp_path: Path, text: Path) -> None:
    table = Table(tmp_path / "third")
    journal = table.open()
    match = journal.start(BEGUN)  # the same name and beginning as in the text
    taken = import_file(journal, text)
    playing = taken.refused[0]
    assert playing.values["match"] == match
    journal.append(match, 1, moved(7), WON)
    taken = import_file(journal, text)
    assert taken.refused[0].values["match"] == match
    assert taken.refused[0].template != playing.template
    assert [event.kind for event in journal.events(match)] == ["begun", "moved", "won"]
    journal.close()


def test_nothing_comes_into_a_journal_that_cannot_be_written(tmp_path: Path, text: Path) -> None:
    journal = Table(tmp_path / "nowhere" / "journal").open()
    assert state(journal) is JournalState.NO_FOLDER
    taken = import_file(journal, text)
    assert (taken.new, len(taken.refused)) == (0, 2)
    assert "cannot be written" in str(taken.refused[0])
    journal.close()


def test_other_files_are_refused(text: Path, journal: Journal) -> None:
    told = []
    for first in (
        *(b"", b"\x00\xff", b"[]", b'{"rappelwacht": "link"}', b'{"rappelwacht": "journal"}'),
        b'{"rappelwacht": 1, "game": "zapp-zerapp"}',
        b'{"rappelwacht": "journal", "version": 0}',
        b'{"rappelwacht": "journal", "version": 2}',
    ):
        text.write_bytes(first + b"\n")
        with pytest.raises(CompanionError) as refused:
            import_file(journal, text)
        told.append(refused.value.template)
    *others, newer = told
    assert {*others} == {others[0]} != {newer}
    with pytest.raises(CompanionError):
        import_file(journal, text.parent / "nothing")
    journal.close()
