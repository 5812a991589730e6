"""Every sentence that people read, in every language that there is a file for.

It must not know who asks nor what they read it on. What can be said has an English template, which
stands where it is raised and is the key of its translations in `companion/locale`, and values that
fill it. A template may ask for a form of its values:

    {seats:and}           several with a conjunction: "Red, Green and Blue"
    {count:#field|fields} a word that depends on how many there are; a translation has as many
                          forms as its language, in the order of its plural rule
    {stopper:=stopper|a stopper}   a thing with its number, or where none may be told, without
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from string import Formatter
from typing import Any, Final, Protocol

from companion.core.game import SEATS, SeatName
from companion.errors import CompanionError, RulesError, Text
from companion.program import program
from companion.say.catalogue import ENGLISH, Catalogue, folders, languages

__all__ = ["LANGUAGES", "Templated", "Text", "Typed", "name", "say", "spoken"]

LANGUAGES: Final = dict(languages(folders()))
NAMES: Final = ("{file}", "{folder}", "{port}")  # written as they are


class Templated(Protocol):
    """An event, an error or a text: an English template and what fills it."""

    @property
    def template(self) -> str:
        """Return the sentence with its placeholders."""

    @property
    def values(self) -> Mapping[str, object]:
        """Return what fills them."""


class Typed:
    """What somebody may type for one thing: "quit|exit", and what the language has for it."""

    def __init__(self, english: str) -> None:
        self.english = english

    def words(self, language: str) -> frozenset[str]:
        """Return all that may be typed, in lower case; English is always understood.

        >>> sorted(Typed("undo").words("de"))
        ['undo', 'zurueck', 'zurück']
        """
        own = LANGUAGES[language].word("typed", self.english)
        return frozenset(f"{self.english}|{own}".split("|"))


def say(thing: Templated, language: str = ENGLISH) -> str:
    """Return the sentence for a thing.

    >>> say(Text("After round {round}", round=3), "de")
    'Nach Runde 3'
    """
    template, values = thing.template, thing.values
    if "faults" in values and (faults := _faults(thing)):
        return " ".join(say(fault, language) for fault in faults)
    sentence = _filled(template, values, LANGUAGES[language])
    if isinstance(thing, Text) or template.startswith(NAMES):
        return sentence
    return sentence[:1].upper() + sentence[1:]


def name(value: object, language: str) -> str:
    """Return what people call a value.

    >>> name(SeatName.GREEN, "de"), name(2.5, "de"), name(2.5, "en")
    ('Grün', '2,5', '2.5')
    """
    return _word(value, LANGUAGES[language])


def spoken(environment: Mapping[str, str]) -> str:
    """Return the language that the environment asks for; English, if it is none of ours.

    >>> spoken({"LANG": "de_AT.UTF-8"}), spoken({"LANG": "de", "LC_ALL": "C"}), spoken({})
    ('de', 'en', 'en')
    """
    asked = (environment.get(part) for part in ("LC_ALL", "LC_MESSAGES", "LANG"))
    whole = next(filter(None, asked), "").partition(".")[0].replace("-", "_")
    known = {code.lower(): code for code in LANGUAGES}  # such as pt_BR, or pt
    return known.get(whole.lower()) or known.get(whole.partition("_")[0].lower(), ENGLISH)


def _filled(template: str, values: Mapping[str, Any], catalogue: Catalogue) -> str:
    pieces, plural = catalogue.pieces(template)
    said = []
    for text, field, form in pieces:
        said.append(text)
        if field is None:
            continue
        value = values[field] if field in values else _value(field, values)
        if form.startswith("#"):
            count = value if isinstance(value, int) else len(value)
            forms = form[1:].split("|")
            said.append(forms[min(plural(count), len(forms) - 1)])
        elif form.startswith("="):
            numbered, without = form[1:].split("|")
            said.append(without if value is None else f"{numbered} {_word(value, catalogue)}")
        elif form == "and" and type(value) is tuple and len(value) > 1:
            *several, last = (_word(one, catalogue) for one in value)
            said.append(catalogue.both.format(several=catalogue.comma.join(several), last=last))
        else:
            said.append(_word(value, catalogue))
    return "".join(said)


def _value(field: str, values: Mapping[str, Any]) -> Any:
    """Return a part of a value, such as {pawn.colour}, or what every sentence may name."""
    if field == "program":
        return program()
    return FORMATTER.get_field(field, (), values)[0]


def _word(value: object, catalogue: Catalogue) -> str:
    if type(value) is tuple:
        return catalogue.comma.join([_word(one, catalogue) for one in value])
    if isinstance(value, RulesError | CompanionError | Text):
        return say(value, catalogue.code)  # one fault wrapped in another
    if isinstance(value, Enum):
        return _enum(value, catalogue)
    if isinstance(value, float):
        return f"{value:.1f}".replace(".", catalogue.point)
    return "".join(c if c.isprintable() else "�" for c in str(value))


def _enum(value: Enum, catalogue: Catalogue) -> str:
    """Return the word for a member: its own, that of a seat, or its name."""
    kind = type(value)
    if (known := catalogue.words.get((kind, value.name))) is not None:
        return known
    word = value.name.lower()
    if (said := getattr(value, "said", None)) is not None:
        word = catalogue.word(f"{kind.__name__}.{value.name}", said)
    elif word in SEATS:
        word = _enum(SeatName(SEATS.index(word)), catalogue)
    catalogue.words[kind, value.name] = word
    return word


def _faults(thing: Templated) -> tuple[Templated, ...]:
    """Return the single faults of a bad board, also where a file's fault was caused by one."""
    found: tuple[Templated, ...] = getattr(thing, "faults", ())
    return found or getattr(getattr(thing, "__cause__", None), "faults", ())


FORMATTER: Final = Formatter()
