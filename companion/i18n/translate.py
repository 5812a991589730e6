"""Translates (i18n): every sentence that people read, in every language that there is a file for.

What can be said has an English template, which stands where it is raised and is the key of its
translations in `companion/locale`, and values that fill it. A template may ask for a form of its
values:

    {seats:and}           several with a conjunction: "Red, Green and Blue"
    {count:#field|fields} a word that depends on how many there are; a translation has as many
                          forms as its language, in the order of its plural rule
    {stopper:=stopper|a stopper}   a thing with its number, or where none may be told, without
    {seat:@{seat} moves|you move}  what others read, and what the one reads who sits there

The languages lie in the locale folders, each read when somebody first speaks it. A folder has one
file a language, `de.po`, and what is compiled of it, `de.mo`: a file that only saves time, and
counts for nothing once the other is gone. Beside ours there may be one in every package that brings
a game or a command along.

A seat is called as the one who sits there wants to be called, else by its colour. A translation
that cannot be filled is said in English, and an English template is shown as it is: that is better
than no page. A warning names it, which in the tests is an error.
"""

import gettext
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Any, Final, Protocol
from warnings import warn

from companion.i18n import po
from companion.system import errors, format_names
from companion.system.paths import extra_packages
from companion.system.text import SEATS, SeatName, Text, program

LOG: Final = logging.getLogger(__name__)
OURS: Final = Path(__file__).parent.parent / "locale"
ENGLISH: Final = "en"
Pieces = tuple[tuple[str, str | None, str], ...]  # a text, the name of a value, how it is said


class Catalogue:
    def __init__(self, code: str, files: Iterable[Path] = ()) -> None:
        self.code = code  # as its file is called, such as de or pt_BR
        self.files = tuple(files)
        self.words: dict[tuple[type, str], str] = {}  # of enums' members, once they were said
        self._known: dict[str, tuple[Pieces, Callable[[int], int]]] = {}

    @cached_property
    def _texts(self) -> gettext.NullTranslations:
        first = gettext.NullTranslations()
        for file in reversed(self.files):
            texts = _read(file)
            texts.add_fallback(first)
            first = texts
        return first

    @property
    def tag(self) -> str:
        """Return the code as browsers write it."""
        return self.code.replace("_", "-")

    def word(self, context: str, english: str) -> str:
        """Return words that mean something else in another context."""
        return self._texts.pgettext(context, english)

    def pieces(self, template: str) -> tuple[Pieces, Callable[[int], int]]:
        """Return the translation of a template, in pieces, and the rule for its plural forms."""
        if (known := self._known.get(template)) is None:
            translated = (
                self._texts.gettext(template) if template else ""
            )  # the header's key is empty
            rule = _english_plural if translated is template else self.plural
            known = self._known[template] = parsed(translated), rule
        return known

    @cached_property
    def plural(self) -> Callable[[int], int]:
        """Return the rule that says which form follows a number."""
        for part in self._texts.info().get("plural-forms", "").split(";"):
            name, _, expression = part.partition("=")
            if name.strip() == "plural":
                return gettext.c2py(expression)
        return _english_plural

    @cached_property
    def own_name(self) -> str:
        """Return how the language calls itself."""
        own = self.word("the language's name for itself", "English")
        return self.code if own == "English" and self.code != ENGLISH else own

    @cached_property
    def both(self) -> str:
        return self.word("the end of a list", "{several} and {last}")

    @cached_property
    def comma(self) -> str:
        """Return what stands between things of a list."""
        return self.word("between things of a list", ", ")

    @cached_property
    def point(self) -> str:
        """Return what stands before the decimals of a number."""
        return self.word("before the decimals of a number", ".")


@lru_cache(1000)
def parsed(template: str) -> Pieces:
    return tuple((text, name, form or "") for text, name, form, _ in Formatter().parse(template))


@lru_cache(1000)
def by_hearer(form: str) -> tuple[str, str]:
    """Return what others read, and what the one reads who sits there; each may name values.

    >>> by_hearer("@{seat} has {count:#card|cards}|you have {count:#card|cards}")
    ('{seat} has {count:#card|cards}', 'you have {count:#card|cards}')
    """
    deep = 0
    for at, letter in enumerate(form):
        deep += (letter == "{") - (letter == "}")
        if letter == "|" and not deep:
            return form[1:at], form[at + 1 :]
    return form[1:], form[1:]


def _english_plural(count: int) -> int:
    return int(count != 1)


def _read(file: Path) -> gettext.NullTranslations:
    try:
        return gettext.GNUTranslations(BytesIO(po.readable(file)))
    except (OSError, ValueError) as why:
        message = "%s cannot be read, so its sentences stay English: %s"
        LOG.error(message, file, why)  # noqa: TRY400 - this program made no mistake
        return gettext.NullTranslations()


def folders() -> Iterator[Path]:
    """Yield ours, and those of the packages with games and commands; none is imported for it."""
    yield OURS
    for package in extra_packages():
        spec = find_spec(package)
        for place in (spec and spec.submodule_search_locations) or ():
            if (folder := Path(place) / "locale") != OURS:
                yield folder


def languages(places: Iterable[Path]) -> Mapping[str, Catalogue]:
    """Return every language of these folders by its code; English first, which needs none."""
    files: dict[str, list[Path]] = {ENGLISH: []}
    for place in places:
        for file in sorted(place.glob("*.po")):
            files.setdefault(file.stem, []).append(file)
    return {code: Catalogue(code, files[code]) for code in sorted(files, key=_english_first)}


def _english_first(code: str) -> tuple[bool, str]:
    return code != ENGLISH, code


LANGUAGES: Final = dict(languages(folders()))
UNFILLED: Final = (LookupError, AttributeError, TypeError, ValueError)
NAMES: Final = ("{file}", "{folder}", "{port}")  # written as they are
JOINS: Final = "\u200c\u200d\u2068\u2069"  # unseen, but scripts and names in them need these


class Translatable(Protocol):
    """An event, an error or a text: an English template and what fills it."""

    @property
    def template(self) -> str:
        """Return the sentence with its placeholders."""

    @property
    def values(self) -> Mapping[str, object]:
        """Return what fills them."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is told: how those who sit at the table are called, and where the hearer sits."""

    names: Mapping[str, str] = field(default_factory=dict)  # by the word of a seat
    seat: str | None = None  # who is addressed there; None: nobody is

    def owns(self, value: object) -> bool:
        """Tell whether a value is the seat of whoever is addressed, and no other beside it."""
        if type(value) is tuple and len(value) == 1:
            value = value[0]
        return self.seat is not None and seat_of(value) == self.seat


EVERYBODY: Final = Audience()


class Keyword:
    """What somebody may type for one thing: "quit|exit", and what the language has for it."""

    def __init__(self, english: str) -> None:
        self.english = english

    def words(self, language: str) -> frozenset[str]:
        """Return all that may be typed, in lower case; English is always understood.

        >>> sorted(Keyword("undo").words("de"))
        ['undo', 'zurueck', 'zurück']
        """
        own = LANGUAGES[language].word("typed", self.english)
        return frozenset(f"{self.english}|{own}".split("|"))


def say(thing: Translatable, language: str = ENGLISH, hearer: Audience = EVERYBODY) -> str:
    """Return the sentence for a thing.

    >>> say(Text("After round {round}", round=3), "de")
    'Nach Runde 3'
    """
    try:
        return filled(thing, language, hearer)
    except UNFILLED as fault:
        lacks = f"no {fault}" if isinstance(fault, KeyError) else type(fault).__name__
        warning = f"In '{language}' this cannot be said: {thing.template} ({lacks})"
        warn(warning, RuntimeWarning, stacklevel=2)
        return thing.template if language == ENGLISH else say(thing, ENGLISH, hearer)


def filled(thing: Translatable, language: str = ENGLISH, hearer: Audience = EVERYBODY) -> str:
    """Return the sentence for a thing, or raise one of UNFILLED."""
    template, values = thing.template, thing.values
    if "faults" in values and (faults := _faults(thing)):
        return " ".join(say(fault, language, hearer) for fault in faults)
    catalogue = LANGUAGES[language]
    sentence = _filled(*catalogue.pieces(template), values, _Speaker(catalogue, hearer))
    if isinstance(thing, Text) or template.startswith(NAMES):
        return sentence
    return sentence[:1].upper() + sentence[1:]


def name(value: object, language: str, hearer: Audience = EVERYBODY) -> str:
    """Return what people call a value.

    >>> name(SeatName.GREEN, "de"), name(2.5, "de"), name(2.5, "en")
    ('Grün', '2,5', '2.5')
    >>> name(SeatName.GREEN, "de", Audience({"green": "Oma"}))
    'Oma'
    """
    return _word(value, _Speaker(LANGUAGES[language], hearer))


def seat_of(value: object) -> str | None:
    """Return the word of the seat that a value is, in whichever way its game names it.

    >>> seat_of(SeatName.GREEN), seat_of("green")
    ('green', None)
    """
    if not isinstance(value, Enum):
        return None
    word = value.name.lower()
    known = isinstance(value, SeatName) or getattr(value, "said", None) is None
    return word if known and word in SEATS else None


def spoken(environment: Mapping[str, str]) -> str:
    """Return the language that the environment asks for; English, if it is none of ours.

    >>> spoken({"LANG": "de_AT.UTF-8"}), spoken({"LANG": "de", "LC_ALL": "C"}), spoken({})
    ('de', 'en', 'en')
    """
    asked = (environment.get(part) for part in ("LC_ALL", "LC_MESSAGES", "LANG"))
    whole = next(filter(None, asked), "").partition(".")[0].replace("-", "_")
    known = {code.lower(): code for code in LANGUAGES}  # such as pt_BR, or pt
    return known.get(whole.lower()) or known.get(whole.partition("_")[0].lower(), ENGLISH)


@dataclass(frozen=True, slots=True)
class _Speaker:
    """In which language something is said, and to whom."""

    catalogue: Catalogue
    hearer: Audience


def _filled(
    pieces: Pieces, plural: Callable[[int], int], values: Mapping[str, Any], to: _Speaker
) -> str:
    pieces_said = []
    for text, part, form in pieces:
        pieces_said.append(text)
        if part is None:
            continue
        value = values[part] if part in values else _value(part, values)
        if form.startswith("@"):
            others, own = by_hearer(form)
            chosen = parsed(own if to.hearer.owns(value) else others)
            pieces_said.append(_filled(chosen, plural, values, to))
        elif form.startswith("#"):
            count = value if isinstance(value, int) else len(value)
            forms = form[1:].split("|")
            pieces_said.append(forms[min(plural(count), len(forms) - 1)])
        elif form.startswith("="):
            numbered, without = form[1:].split("|")
            pieces_said.append(without if value is None else f"{numbered} {_word(value, to)}")
        elif form == "and" and type(value) is tuple and len(value) > 1:
            *several, last = (_word(item, to) for item in value)
            catalogue = to.catalogue
            pieces_said.append(
                catalogue.both.format(several=catalogue.comma.join(several), last=last)
            )
        else:
            pieces_said.append(_word(value, to))
    return "".join(pieces_said)


def _value(field: str, values: Mapping[str, Any]) -> Any:
    """Return a part of a value, such as {pawn.colour}, or what every sentence may name."""
    if field == "program":
        return program()
    return FORMATTER.get_field(field, (), values)[0]


def _word(value: object, to: _Speaker) -> str:
    catalogue = to.catalogue
    if type(value) is tuple:
        return catalogue.comma.join([_word(item, to) for item in value])
    if isinstance(value, errors.RulesError | errors.CompanionError | Text):
        return say(value, catalogue.code, to.hearer)  # one fault wrapped in another
    if isinstance(value, Enum):
        named = to.hearer.names.get(seat_of(value) or "") if to.hearer.names else None
        return named or _enum(value, catalogue)
    if isinstance(value, float):
        return f"{value:.1f}".replace(".", catalogue.point)
    return "".join(c if c.isprintable() or c in JOINS else "�" for c in str(value))


def _enum(value: Enum, catalogue: Catalogue) -> str:
    """Return the word for a member: its own, that of a seat, or its name."""
    kind = type(value)
    if (known := catalogue.words.get((kind, value.name))) is not None:
        return known
    word = value.name.lower()
    if (english := getattr(value, "said", None)) is not None:
        word = catalogue.word(f"{format_names.format_name_of(kind)}.{value.name}", english)
    elif word in SEATS:
        word = _enum(SeatName(SEATS.index(word)), catalogue)
    catalogue.words[kind, value.name] = word
    return word


def _faults(thing: Translatable) -> tuple[Translatable, ...]:
    """Return the single faults of a bad board, also where a file's fault was caused by one."""
    faults: tuple[Translatable, ...] = getattr(thing, "faults", ())
    return faults or getattr(getattr(thing, "__cause__", None), "faults", ())


FORMATTER: Final = Formatter()
