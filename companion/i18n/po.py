"""Reads and compiles the files of translators (.po), as Poedit and Weblate know them.

    entries = read(Path("de.po").read_text("utf-8"))
    compiled(entries)   # what `gettext` reads, a .mo
    readable(file)      # the same, from the .mo beside the file while that is of this very text

The first entry, whose key is empty, is the header. Plural forms stand in the sentences themselves.
"""

import re
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from zlib import crc32

MAGIC: Final = 0x950412DE  # of a .mo
MEANT: Final = {"n": "\n", "t": "\t", "r": "\r"}
FIELD: Final = re.compile(r'(?:(msgctxt|msgid|msgstr)\s*)?"((?:[^"\\]|\\.)*)"\s*$')


class NoCatalogue(ValueError):
    """A file that is no .po, or has what these files do not need."""


@dataclass(frozen=True, slots=True)
class PoEntry:
    key: str  # in English
    translation: str = ""  # empty: not translated yet
    context: str | None = None  # where the English words alone do not say enough
    comments: tuple[str, ...] = ()  # lines as they are, of translators and of tools
    unused: bool = False  # no program says it now

    @property
    def place(self) -> tuple[str | None, str]:
        return self.context, self.key

    @property
    def fuzzy(self) -> bool:
        """Whether the translation is only guessed."""
        return any(line.startswith("#,") and "fuzzy" in line for line in self.comments)


def read(text: str) -> list[PoEntry]:
    r"""Return the entries of a file.

    >>> read('# as a title\nmsgid "Won"\nmsgstr "Gewonnen"')[0].translation
    'Gewonnen'
    """
    return [_entry(lines) for lines in _blocks(text)]


def _blocks(text: str) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines of each entry with their numbers; a comment or a context may begin one."""
    block: list[tuple[int, str]] = []
    complete = False  # whether the block has its translation
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.removeprefix("#~").strip() if line.startswith("#~") else line.strip()
        if not bare or (complete and bare.startswith(("#", "msgctxt", "msgid"))):
            if complete:
                yield block
                block, complete = [], False
            if not bare:
                continue
        complete = complete or bare.startswith("msgstr")
        block.append((number, line.strip()))
    if complete:
        yield block


def _entry(lines: list[tuple[int, str]]) -> PoEntry:
    fields: dict[str, str] = {}
    comments, name, unused = [], "", False
    for number, line in lines:
        if line.startswith("#") and not line.startswith("#~"):
            comments.append(line)
            continue
        unused = unused or line.startswith("#~")
        match = FIELD.match(line.removeprefix("#~").strip())
        if match is None or (name := match[1] or name) == "":
            raise NoCatalogue(f"line {number}: {line}")
        fields[name] = fields.get(name, "") + re.sub(r"\\(.)", _meant, match[2])
    if not {"msgid", "msgstr"} <= fields.keys():
        raise NoCatalogue(f"line {lines[0][0]}: {lines[0][1]}")
    comments = [line for line in comments if not line.startswith("#|")]  # an older key
    context = fields.get("msgctxt")
    return PoEntry(fields["msgid"], fields["msgstr"], context, tuple(comments), unused)


def _meant(escaped: re.Match[str]) -> str:
    return MEANT.get(escaped[1], escaped[1])


def compiled(entries: Iterable[PoEntry]) -> bytes:
    """Return what `gettext.GNUTranslations` reads: all that is translated, sorted by its key."""
    texts = {}
    for entry in entries:
        if entry.translation and not entry.unused and not (entry.fuzzy and entry.key):
            key = entry.key if entry.context is None else f"{entry.context}\x04{entry.key}"
            texts[key.encode()] = entry.translation.encode()
    keys = sorted(texts)
    values = [texts[key] for key in keys]
    count, offset = len(keys), 28 + 16 * len(keys)
    tables = b""
    for group in (keys, values):
        for text in group:
            tables += struct.pack("<2I", len(text), offset)
            offset += len(text) + 1
    head = struct.pack("<7I", MAGIC, 0, count, 28, 28 + 8 * count, 0, 0)
    return head + tables + b"".join(text + b"\0" for text in (*keys, *values))


def compile_folder(folder: Path) -> None:
    """Write a .mo beside every .po of a folder, with a mark of what it was made of; no other."""
    for left in folder.glob("*.mo"):
        left.unlink()  # perhaps of a language that is gone: a wheel would carry it
    for file in folder.glob("*.po"):
        text = file.read_bytes()
        file.with_suffix(".mo").write_bytes(compiled(read(text.decode())) + _mark(text))


def readable(file: Path) -> bytes:
    """Return what `gettext` reads of a .po; a .mo beside it saves time, if it is of this text."""
    made = file.with_suffix(".mo")
    text = file.read_bytes()
    if made.exists() and (known := made.read_bytes()).endswith(_mark(text)):
        return known
    return compiled(read(text.decode()))


def _mark(text: bytes) -> bytes:
    """Return what tells texts apart; `gettext` overlooks it at the end of a .mo."""
    return crc32(text).to_bytes(4, "big")
