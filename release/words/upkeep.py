"""Brings the translators' files up to what a package says, and tells what is wrong with them."""

import gettext
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from string import Formatter
from typing import Final

from companion.i18n.po import NoCatalogue, PoEntry, read
from companion.i18n.translate import by_hearer
from release.words.finding import Found

HEADER: Final = """\
Project-Id-Version: {project}
Language: {language}
MIME-Version: 1.0
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: 8bit
Plural-Forms: nplurals=2; plural=(n != 1);
"""
ABOUT: Final = (
    "# {name} stands for a value, and every one of them stays in the translation.",
    '# {names:and} are several, the last one after what is here for "and".',
    "# {count:#field|fields} is a word that depends on a number; a translation has as many forms",
    "# as Plural-Forms counts, in that order.",
    "# {stopper:=stopper|a stopper} stands before a number, or alone where none may be told.",
    "# {seat:@{seat} moves|you move} has what others read, and then what the one reads who sits",
    "# there, as friends talk to each other; both may name other values.",
)
MANY: Final = 20  # untranslated sentences: from there on they are only counted
ALIKE: Final = 0.6  # how much of a sentence that was changed a guess has to share with it
Spoils = Callable[[str, str, int], str]  # what is wrong with a translation, of this many forms
WIDTH: Final = 78
ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
PIECE: Final = re.compile(r"[^ \n]*(?:\n| +|$)")
PLURALS: Final = re.compile(
    r"^Plural-Forms: *nplurals *= *(\d+) *; *plural *=([^;]+);? *$", re.MULTILINE
)


def updated(entries: Iterable[PoEntry], found: Iterable[Found]) -> list[PoEntry]:
    """Return entries for all that was found, in its order, and as unused what was not.

    What was changed keeps the translation of the words that it was most like, marked as a guess.
    """
    known, found = {entry.place: entry for entry in entries}, [*found]
    places = {(one.context, one.key) for one in found}
    lost = [entry for place, entry in known.items() if place not in places and entry.translation]
    fresh: dict[tuple[str | None, str], PoEntry] = {}
    for one in found:
        place = one.context, one.key
        entry = fresh.get(place) or _bare(known.get(place) or _guessed(one, lost))
        more = [f"#. {one.note}"] if one.note else []
        fresh[place] = _marked(entry, *more, f"#: {one.file}")
    header = [known[None, ""]] if (None, "") in known else []
    guesses = {entry.translation for entry in fresh.values() if entry.fuzzy}
    unused = [
        replace(_bare(entry), unused=True)
        for place, entry in known.items()
        if place not in fresh
        and entry.key
        and entry.translation
        and entry.translation not in guesses
    ]
    return [*header, *fresh.values(), *unused]


def begun(project: str, language: str) -> PoEntry:
    """Return the header of a new file."""
    return PoEntry("", HEADER.format(project=project, language=language), comments=ABOUT)


def _guessed(one: Found, lost: Iterable[PoEntry]) -> PoEntry:
    """Return an entry for what is new, guessed from what is lost; read `#, fuzzy` as a guess."""
    alike = {entry.key: entry for entry in lost if entry.context == one.context and entry.key}
    best = get_close_matches(one.key, alike, 1, ALIKE)
    if not best:
        return PoEntry(one.key, context=one.context)
    return PoEntry(one.key, alike[best[0]].translation, one.context, ("#, fuzzy",))


def _bare(entry: PoEntry) -> PoEntry:
    """Return an entry with the comments of people alone."""
    own = tuple(line for line in entry.comments if line[:2] not in {"#:", "#."})
    return replace(entry, comments=own, unused=False)


def _marked(entry: PoEntry, *lines: str) -> PoEntry:
    """Return an entry with comments of ours, each once; flags come last."""
    flags = tuple(line for line in entry.comments if line[:2] == "#,")
    rest = tuple(line for line in entry.comments if line[:2] != "#,")
    return replace(entry, comments=(*dict.fromkeys((*rest, *lines)), *flags))


# --- what is wrong -------------------------------------------------------------------------------


def faults(
    file: Path, found: Iterable[Found], spoils: Spoils | None = None, *, whole: bool = True
) -> Iterator[str]:
    """Yield what is wrong with one file, a line each; `whole`: also whatever it lacks."""
    try:
        entries = read(file.read_text("utf-8"))
    except FileNotFoundError:
        yield f"{file.name}: there is none in {file.parent}; `./run words {file.stem}` begins it"
        return
    except (NoCatalogue, UnicodeDecodeError) as error:
        yield f"{file.name}: it cannot be read: {error}"
        return
    places = [entry.place for entry in entries]
    for place in {place for place in places if places.count(place) > 1}:
        yield f"{file.name}: it stands there twice: {place[1]}"
    known = {entry.place: entry for entry in entries if not entry.unused}
    forms, said = _forms(known.get((None, "")), file.stem)
    yield from (f"{file.name}: {one}" for one in said)
    wanted = dict.fromkeys((one.context, one.key) for one in found)
    bare = [place for place in wanted if place not in known or not known[place].translation]
    if not whole:
        bare = []
    if len(bare) > MANY:  # a language that somebody is still at work on
        yield f"{file.name}: {len(bare)} are not translated yet; they are said in English"
    else:
        yield from (f"{file.name}: it is not translated: {place[1]}" for place in bare)
    for place in wanted:
        entry = known.get(place)
        if entry is None or not entry.translation or (entry.fuzzy and not whole):
            continue
        if entry.fuzzy:
            yield f"{file.name}: it is marked as fuzzy: {place[1]}"
        elif wrong := (spoils or spoiled)(entry.key, entry.translation, forms):
            yield f"{file.name}: {wrong}: {entry.translation}"
    for entry in entries:
        if whole and entry.key and entry.place not in wanted:
            yield f"{file.name}: no longer used, so delete it or use its text: {entry.key}"


def _forms(header: PoEntry | None, language: str) -> tuple[int, list[str]]:
    """Return how many forms a word has that follows a number, and what is wrong with the header."""
    said = header.translation if header else ""
    wrong = []
    if f"Language: {language}\n" not in said:
        wrong.append(f"the header does not say 'Language: {language}'")
    if "charset=UTF-8" not in said:
        wrong.append("the header does not say 'charset=UTF-8'")
    if (found := PLURALS.search(said)) is None:
        return 2, [*wrong, "the header has no line Plural-Forms"]
    count = int(found[1])
    try:
        rule = gettext.c2py(found[2].strip())
        fits = all(0 <= rule(number) < count for number in range(1000))
    except ValueError:
        fits = False
    if not fits:
        wrong.append("the rule of Plural-Forms cannot be used")
    return count, wrong


def faults_of_english(found: Iterable[Found]) -> Iterator[str]:
    """Yield what is wrong with the English templates themselves."""
    for one in found:
        if wrong := spoiled(one.key, one.key, 2):
            yield f"{one.file}: {wrong}: {one.key}"


def spoiled(key: str, said: str, forms: int) -> str:
    """Tell what is wrong with the placeholders of a translation, if anything.

    >>> spoiled("{count} {count:#field|fields}", "{count} {count:#pole|pola|pól}", 3)
    ''
    >>> spoiled("{seats:and} win", "{seat} wygrywa", 3)
    'the placeholders are not those of the English'
    """
    try:
        wanted, parts = placeholders(key), list(Formatter().parse(said))
        has = placeholders(said)
    except ValueError:
        return "its braces are not in order"
    if has != wanted:
        return "the placeholders are not those of the English"
    for _, name, form, conversion in parts:
        if name is None:
            continue
        kind, several = str(form)[:1], str(form).count("|") + 1
        if kind == "@" and not conversion:
            if wrong := _spoiled_address(str(form), forms):
                return wrong
            continue
        if conversion or (form not in {"", "and"} and kind not in {"#", "="}):
            return f"nobody knows the form {form or conversion}"
        if kind == "#" and several != forms:
            return f"it needs {forms} forms"
        if kind == "=" and several != 2:
            return "it needs words for with and without a number"
    return ""


def placeholders(template: str) -> set[str]:
    """Return the names that a template puts values in for."""
    return {name for _, name, _ in _named(template)}


def _named(template: str) -> Iterator[tuple[str, str, str]]:
    """Yield where a template names values, also within what is said to one and to others."""
    for text, name, form, _ in Formatter().parse(template):
        if name:
            yield text, name, str(form)
            if str(form).startswith("@"):
                for one in by_hearer(str(form)):
                    yield from _named(one)


def _spoiled_address(form: str, forms: int) -> str:
    """Tell what is wrong with what is said to others and to whoever sits there."""
    if by_hearer(form)[0] == form[1:]:
        return "it needs words for others and for whoever sits there"
    return next(filter(None, (spoiled(one, one, forms) for one in by_hearer(form))), "")


# --- a file as it is written ---------------------------------------------------------------------


def write(entries: Iterable[PoEntry]) -> str:
    """Return the file of these entries, those that are unused last."""
    ordered = sorted(entries, key=lambda entry: entry.unused)
    return "\n".join("".join(f"{line}\n" for line in _lines(entry)) for entry in ordered)


def _lines(entry: PoEntry) -> Iterator[str]:
    yield from entry.comments
    before = "#~ " if entry.unused else ""
    for name, text in (
        ("msgctxt", entry.context),
        ("msgid", entry.key),
        ("msgstr", entry.translation),
    ):
        if text is not None:
            for line in _field(name, text):
                yield before + line


def _field(name: str, text: str) -> Iterator[str]:
    """Yield a text on one line, or on several that end where words or its own lines do."""
    whole = f'{name} "{_escaped(text)}"'
    if len(whole) <= WIDTH and "\n" not in text[:-1]:
        yield whole
        return
    yield f'{name} ""'
    line = ""
    for piece in PIECE.findall(text):
        if line and (line.endswith("\n") or len(_escaped(line + piece)) > WIDTH - 2):
            yield f'"{_escaped(line)}"'
            line = ""
        line += piece
    if line:
        yield f'"{_escaped(line)}"'


def _escaped(text: str) -> str:
    return "".join(ESCAPES.get(letter, letter) for letter in text)
