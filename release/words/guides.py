"""Guides in other languages: each page is made of the English one and of a translators' file.

    pieces = split(page)                # headings, paragraphs, items of lists, rows of tables
    translated(page, said)              # the page again, in the words of `said`

What is translated at once is small, so that a figure that changes costs one sentence or one row.
Blocks of code and the lines below the heads of tables stay as they are.
"""

import re
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from companion.i18n.po import PoEntry, read
from release.words import upkeep
from release.words.finding import Found

FOLDER: Final = "companion/locale/guides"
PAGES: Final = (
    "hardware/build.md",
    "hardware/README.md",
    "hardware/stopper.md",
    "hardware/measured.md",
    "hardware/first-boards.md",
    "hardware/pi.md",
    "hardware/far-away.md",
    "hardware/recordings.md",
    "hardware/electronics.md",
    "hardware/boards/README.md",
    "companion/hall/README.md",
    "firmware/flashing.md",
    "hardware/what-it-can-tell.md",
)
WIDTH: Final = 100
FILE: Final = "file name"  # the context of the entry that says how a page is called
HEAD: Final = re.compile(r"#+ +")
ITEM: Final = re.compile(r" *(?:[-*]|\d+\.) +")
CODE: Final = re.compile(r"`[^`]+`")
QUOTED: Final = re.compile(r'"\w+"')  # such as a language, which may be another
GOAL: Final = re.compile(r"\]\([^)]*\)")  # where a link leads
FIGURE: Final = re.compile(r"\d+(?:[.,]\d+)*")
NAME_OF_FIGURES: Final = re.compile(r"\d+\.\d{4,}|\d+\.\d+\.[.\d]+")  # of a steel, of a version
THOUSANDS: Final = re.compile(r",(?=\d{3}(?!\d))")
POINTED: Final = frozenset({"en", "ja", "ko", "zh"})  # these write 0.5 and 1,000; others 0,5
LINE_OF_TABLE: Final = re.compile(r"[|: -]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a page: what stands before its words, and those; without words it is as it is."""

    before: str
    words: str = ""
    wraps: bool = False


def split(page: str) -> Iterator[Piece]:
    r"""Yield the pieces of a page in Markdown, in their order.

    >>> [*split("# Build\n\n1. Print\n   it.\n2. Glue it.\n")]  # doctest: +NORMALIZE_WHITESPACE
    [Piece(before='# ', words='Build', wraps=False), Piece(before='', words='', wraps=False),
     Piece(before='1. ', words='Print it.', wraps=True),
     Piece(before='2. ', words='Glue it.', wraps=True)]
    """
    code, text = False, None
    for line in page.rstrip("\n").split("\n"):
        bare = line.strip()
        fence = bare.startswith("```")
        begins = not bare or fence or code or bare[0] == "|" or HEAD.match(line) or ITEM.match(line)
        if text is not None and not begins:
            text = Piece(text.before, f"{text.words} {bare}", wraps=True)
            continue
        if text is not None:
            yield text
            text = None
        if fence or code:
            code ^= fence
            yield Piece(line)
        elif not bare or LINE_OF_TABLE.fullmatch(bare):
            yield Piece(line)
        elif bare[0] == "|":
            yield Piece(line[: line.index("|")], bare)
        elif head := HEAD.match(line):
            yield Piece(head[0], line[head.end() :])
        else:
            item = ITEM.match(line)
            before = item[0] if item else line[: len(line) - len(line.lstrip())]
            text = Piece(before, line[len(before) :].strip(), wraps=True)
    if text is not None:
        yield text


def translated(page: str, said: Mapping[str, str]) -> str:
    """Return a page in other words; what `said` has no words for stays English."""
    return "".join(f"{_laid_out(piece, said)}\n" for piece in split(page))


def _laid_out(piece: Piece, said: Mapping[str, str]) -> str:
    words = said.get(piece.words, piece.words)
    if not piece.wraps:
        return piece.before + words
    lines = textwrap.wrap(
        words,
        WIDTH,
        initial_indent=piece.before,
        subsequent_indent=" " * len(piece.before),
        break_long_words=False,
        break_on_hyphens=False,
    )
    whole = lines[:1]
    for line in lines[1:]:
        if ITEM.match(line) or HEAD.match(line.lstrip()) or line.lstrip()[0] in "|>":
            whole[-1] += f" {line.lstrip()}"  # else Markdown takes it for something else
        else:
            whole.append(line)
    return "\n".join(whole)


def found_in(root: Path) -> Iterator[Found]:
    """Yield all that is to be translated, and how each page is called."""
    for name in PAGES:
        yield Found(name, 0, name, FILE)
        for piece in split((root / name).read_text("utf-8")):
            if piece.words and any(letter.isalpha() for letter in piece.words):
                yield Found(name, 0, piece.words)


def pages(entries: Iterable[PoEntry], root: Path) -> dict[Path, str]:
    """Return the pages of one language, as its file names them, and what they are to say."""
    known = [entry for entry in entries if entry.translation and not entry.unused]
    said = {
        entry.key: entry.translation
        for entry in known
        if entry.key and not entry.context and not entry.fuzzy
    }
    called = {entry.key: entry.translation for entry in known if entry.context == FILE}
    return {
        root / called[name]: translated((root / name).read_text("utf-8"), said)
        for name in PAGES
        if name in called
    }


def faults(file: Path, root: Path, *, whole: bool = True) -> Iterator[str]:
    """Yield what is wrong with one language, a line each; `whole`: also whatever it lacks."""
    spoils = partial(spoiled, language=file.stem)
    wrong = [*upkeep.faults(file, found_in(root), spoils, whole=whole)]
    yield from (f"{file.parent.name}/{one}" for one in wrong)  # not the file of the program's words
    if not wrong:
        for page, text in pages(read(file.read_text("utf-8")), root).items():
            if not page.exists() or page.read_text("utf-8") != text:
                name = page.relative_to(root).as_posix()
                yield f"{name}: it is not what {file.name} makes of it; `./run words` writes it"


def spoiled(english: str, said: str, _: int = 0, *, language: str = "de") -> str:
    """Tell what is wrong with a translation, if anything: code and figures are the same everywhere.

    >>> spoiled("Type `./run`.", "Tipp `./run`."), spoiled("Type `./run`.", "Tipp `run`.")
    ('', 'what stands between backticks is not that of the English')
    >>> spoiled("0.5 g of 1,000", "0,5 g von 1.000"), spoiled("0.5 g", "0.5 g")
    ('', 'its figures are not those of the English: 0.5, and here 0,5')
    """
    typed, typed_too = (sorted(CODE.findall(QUOTED.sub("", text))) for text in (english, said))
    if typed != typed_too:
        return "what stands between backticks is not that of the English"
    wanted, has = figures(english, "en"), figures(said, language)
    if wanted != has:
        more, less = (" ".join(one.elements()) or "none" for one in (wanted - has, has - wanted))
        return f"its figures are not those of the English: {more}, and here {less}"
    return ""


def figures(words: str, language: str) -> Counter[str]:
    """Return the figures in what people read, as English writes them, without its thousands."""
    found: Counter[str] = Counter()
    for figure in FIGURE.findall(CODE.sub("", GOAL.sub("", words))):
        named = language in POINTED or NAME_OF_FIGURES.fullmatch(figure)
        english = figure if named else figure.translate(str.maketrans(".,", ",."))
        found[THOUSANDS.sub("", english)] += 1
    return found
