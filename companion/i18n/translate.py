"""Every sentence that people read, in every language that there is a file for.

What can be said has an English template, which stands where it is raised and is the key of its
translations in `companion/locale`, and values that fill it. A template may ask for a form of its
values:

    {seats:and}           several with a conjunction: "Red, Green and Blue"
    {count:#field|fields} a word that depends on how many there are; a translation has as many
                          forms as its language, in the order of its plural rule
    {stopper:=stopper|a stopper}   a thing with its number, or where none may be told, without
    {seat:@{seat} moves|you move}  what others read, and what the one reads who sits there

A seat is called as the one who sits there wants to be called, else by its colour. A translation
that cannot be filled is said in English, and an English template is shown as it is: that is better
than no page. A warning names it, which in the tests is an error.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from string import Formatter
from typing import Any, Final, Protocol
from warnings import warn

from companion.i18n.catalogue import (
    ENGLISH,
    Catalogue,
    Pieces,
    by_hearer,
    folders,
    languages,
    parsed,
)
from companion.system import errors, format_names
from companion.system.text import SEATS, SeatName, Text, program

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
