"""Exports matches as JSON lines, and imports them again.

The text is JSON, one object a line, in ASCII. The first line names the format and its version;
each other line is an event, those of a match in order, matches one after another:

    {"rappelwacht": "journal", "version": 1}
    {"match": "5f0c7be81a24", "number": 0, "at_ms": 1700000000000, "kind": "begun",
     "request": null, "ends": false, "seal": 2877495173, "body": {"seats": ["red", "blue"]}}

(An event is one line; it is broken here to be read.) `number` counts from 0 without gaps, `at_ms`
is the wall clock since 1970, `request` the command that led to the event, or null; with an event
that `ends`, the match is over, until another follows. `seal` is the CRC-32 of the JSON list of
match, number, at_ms, kind, the body as JSON without spaces, request and ends.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final

from companion.journal.entry import LONGEST_BODY, Entry, body_text
from companion.journal.journal import Journal
from companion.system.errors import CompanionError
from companion.system.private_files import open_to_read

FIRST_LINE: Final[dict[str, Any]] = {"rappelwacht": "journal", "version": 1}
LONGEST_LINE: Final = LONGEST_BODY + 10_000  # bytes
KINDS: Final[dict[str, type | tuple[type, ...]]] = {
    "match": str,
    "number": int,
    "at_ms": int,
    "kind": str,
    "request": (str, type(None)),
    "ends": bool,
    "seal": int,
    "body": dict,
}


@dataclass(frozen=True, slots=True)
class ReadExport:
    """What a text says: the events of each match, and a sentence for each line that is refused."""

    matches: tuple[tuple[Entry, ...], ...]
    refused: tuple[CompanionError, ...]


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What came of an import: events, and a sentence for each thing that was refused."""

    new: int
    known: int
    refused: tuple[CompanionError, ...]
    matches: tuple[str, ...] = ()  # that are now in the journal as far as the text tells them


def export_lines(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the lines of a text with these events, those of a match in order."""
    yield json.dumps(FIRST_LINE) + "\n"
    for entry in entries:
        parts = {name: getattr(entry, name) for name in KINDS}
        yield json.dumps(parts) + "\n"


def import_file(
    journal: Journal, path: Path, check: Callable[[Sequence[Entry]], None] = lambda _: None
) -> ImportResult:
    """Import what a file says; what is in the journal stays as it is.

    `check` raises CompanionError for a match that means nothing to whoever knows events.
    """
    try:
        with open_to_read(path) as file:
            export = read_export(file, path)
    except OSError as error:
        raise CompanionError(
            "{file}: the file cannot be read ({reason}).", file=path, reason=error.strerror
        ) from error
    refused, taken = list(export.refused), list[str]()
    new = known = 0
    for entries in export.matches:
        try:
            check(entries)
            added = journal.import_match(entries)
        except CompanionError as error:
            refused.append(error)
        else:
            new, known = new + added, known + len(entries) - added
            taken.append(entries[0].match)
    return ImportResult(new, known, tuple(refused), tuple(taken))


def is_export(data: bytes) -> bool:
    """Return whether the first line of a text says that it is one of these, of any version.

    >>> is_export(b'{"rappelwacht": "journal", "version": 7}'), is_export(b'{"rappelwacht": 1}')
    (True, False)
    """
    return _head(data.split(b"\n", 1)[0][:LONGEST_LINE]) is not None


def read_export(file: BinaryIO, path: Path) -> ReadExport:
    """Return what an open text says; CompanionError if it is none of ours."""
    refused: list[CompanionError] = []
    matches: dict[str, list[Entry]] = {}
    _check_head(file.readline(LONGEST_LINE), path)
    # one that is far too long comes in pieces, none of which is an event
    lines = iter(partial(file.readline, LONGEST_LINE), b"")
    for number, line in enumerate(lines, 2):
        try:
            entry = _read_entry(line)
        except (ValueError, RecursionError):
            refused.append(
                CompanionError("{file}, line {number}: this is damaged.", file=path, number=number)
            )
            continue
        entries = matches.setdefault(entry.match, [])
        if entry.number == len(entries):
            entries.append(entry)
        elif entry not in entries:
            refused.append(
                CompanionError(
                    "{file}, line {number}: an event before this one is missing.",
                    file=path,
                    number=number,
                )
            )
    return ReadExport(
        tuple(tuple(entries) for entries in matches.values() if entries), tuple(refused)
    )


def _head(line: bytes) -> dict[str, Any] | None:
    """Return what a first line says, if it is that of such a text."""
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        return None
    ours = isinstance(head, dict) and head.get("rappelwacht") == FIRST_LINE["rappelwacht"]
    return head if ours else None


def _check_head(line: bytes, path: Path) -> None:
    head = _head(line)
    if head is None:
        raise CompanionError("{file}: these are not Rappelwacht matches.", file=path)
    version = head.get("version")
    if type(version) is not int or version < FIRST_LINE["version"]:  # there has never been one
        raise CompanionError("{file}: these are not Rappelwacht matches.", file=path)
    if version > FIRST_LINE["version"]:
        raise CompanionError(
            "{file}: a newer version of this program wrote it; update this program.", file=path
        )


def _read_entry(line: bytes) -> Entry:
    """Return the event that a line says; ValueError if it is not whole."""
    values: Any = json.loads(line)
    if not isinstance(values, dict) or set(values) != set(KINDS):
        raise ValueError("these are not the parts of an event")
    if not all(_fits(values[name], kind) for name, kind in KINDS.items()):
        raise ValueError("a part has the wrong type")
    seal = values.pop("seal")
    entry = Entry(text=body_text(values.pop("body")), **values)
    entry.check()
    if entry.seal != seal:
        raise ValueError("the seal is broken")
    return entry


def _fits(value: object, kind: type | tuple[type, ...]) -> bool:
    return isinstance(value, kind) and (kind is not int or not isinstance(value, bool))
