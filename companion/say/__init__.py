"""Every sentence that people read, in English and German.

It must not know who asks nor what they read it on. Three kinds of things can be said: events,
found by the name of their class; errors and texts, found by their English template, which stands
where they are raised. A template may ask for a form of its values:

    {seats:and}           several with a conjunction: "Red, Green and Blue"
    {count:#field|fields} a word that depends on how many there are
    {stopper:=stopper|a stopper}   a thing with its number, or where none may be told, without
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from string import Formatter
from typing import Any, Final, Protocol

from companion.core.game import SEATS, Event, SeatName
from companion.errors import CompanionError, RulesError
from companion.games.zapp_zerapp.rules import (
    CITY,
    START,
    CameHome,
    Moved,
    Order,
    Placed,
    RoundOver,
    Shown,
    TakenAlong,
)
from companion.program import program
from companion.say.catalogue import Catalogue
from companion.say.english import ENGLISH
from companion.say.german import GERMAN

LANGUAGES: Final[dict[str, Catalogue]] = {"en": ENGLISH, "de": GERMAN}
PHRASED: Final = frozenset({"what", "right", "banishable", "part"})  # values that are words of ours
NAMES: Final = ("{file}", "{folder}", "{port}")  # written as they are


class Templated(Protocol):
    """An error or a text: an English template and what fills it."""

    template: str
    values: dict[str, object]


class Text:
    """A text that is neither an event nor an error: a heading, a question, a line of help."""

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = values


def say(thing: Event | Templated, language: str = "en") -> str:
    """Return the sentence for a thing.

    >>> from companion.games.zapp_zerapp.rules import Banished, Colour, Pawn
    >>> say(Banished(Colour.RED, Pawn(Colour.BLUE, 7), 2), "de")
    'Verbannt: Blau muss von seinem Feld 7 zurück zum Start.'
    >>> say(Text("After round {round}", round=3), "de")
    'Nach Runde 3'
    """
    catalogue = LANGUAGES[language]
    if isinstance(thing, Event):
        values = {part: getattr(thing, part) for part in thing.__dataclass_fields__}
        template = catalogue.events[variant(thing)]
    else:
        if faults := _faults(thing):
            return " ".join(say(fault, language) for fault in faults)
        template = catalogue.sentences.get(thing.template, thing.template)
        values = {"program": program()}
        values |= {part: _phrase(catalogue, part, v) for part, v in thing.values.items()}
    sentence = _Voice(language).vformat(template, (), values)
    if isinstance(thing, Text) or template.startswith(NAMES):
        return sentence
    return sentence[:1].upper() + sentence[1:]


def variant(event: Event) -> str:
    """Return the key of an event's sentence: its class name, and what makes it special."""
    special = ""
    match event:
        case Placed(waiting=()):
            special = ":last"
        case Shown(works=False):
            special = ":fails"
        case Order(seats=()):
            special = ":nobody"
        case Moved(start=0):
            special = ":start"
        case Moved(end=25):
            special = ":city"
        case TakenAlong(seat=seat, pawn=pawn, end=end) if seat == pawn.colour:
            special = ":city" if end == CITY else ":own"
        case CameHome(pawns=1):
            special = ":first"
        case RoundOver(shuffle=False):
            special = ":unshuffled"
    return type(event).__name__ + special


def place(step: int, language: str) -> str:
    """Return how people call one of their own steps.

    >>> place(0, "de"), place(8, "de"), place(25, "en")
    ('Start', 'Feld 8', 'city')
    """
    phrases = LANGUAGES[language].phrases
    return {START: phrases["start"], CITY: phrases["city"]}.get(step, f"{phrases['field']} {step}")


def name(value: object, language: str) -> str:
    """Return what people call a value.

    >>> name(SeatName.GREEN, "de"), name(2.5, "de"), name(2.5, "en")
    ('Grün', '2,5', '2.5')
    """
    return _Voice(language).format_field(value, "")


def spoken(environment: Mapping[str, str]) -> str:
    """Return the language that the environment asks for; English, if it is none of ours.

    >>> spoken({"LANG": "de_AT.UTF-8"}), spoken({"LANG": "de", "LC_ALL": "C"}), spoken({})
    ('de', 'en', 'en')
    """
    asked = (environment.get(part) for part in ("LC_ALL", "LC_MESSAGES", "LANG"))
    language = next(filter(None, asked), "").replace("-", "_").split("_")[0].split(".")[0].lower()
    return language if language in LANGUAGES else "en"


class _Voice(Formatter):
    """Fills a template with values as one language says them."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.catalogue = LANGUAGES[language]

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith("#"):
            one, many = format_spec[1:].split("|")
            return one if (value if isinstance(value, int) else len(value)) == 1 else many
        if format_spec.startswith("="):
            numbered, without = format_spec[1:].split("|")
            return without if value is None else f"{numbered} {self._word(value)}"
        if type(value) is tuple:
            words = [self.format_field(item, "") for item in value]
            if format_spec == "and" and len(words) > 1:
                return f"{', '.join(words[:-1])} {self.catalogue.conjunction} {words[-1]}"
            return ", ".join(words)
        if isinstance(value, RulesError | CompanionError):
            return say(value, self.language)  # one fault wrapped in another
        return self._word(value)

    def _word(self, value: object) -> str:
        if isinstance(value, Enum):
            key, word = f"{type(value).__name__}.{value.name}", value.name.lower()
            if key not in self.catalogue.phrases and word in SEATS:
                return self.catalogue.seats[SeatName(SEATS.index(word))]
            return self.catalogue.phrases.get(key, word)
        if isinstance(value, float):
            return f"{value:.1f}".replace(".", self.catalogue.point)
        return "".join(c if c.isprintable() else "�" for c in str(value))


def _phrase(catalogue: Catalogue, part: str, value: object) -> object:
    if part in PHRASED and isinstance(value, str):
        return catalogue.phrases.get(value, value)
    return value


def _faults(thing: Templated) -> tuple[Templated, ...]:
    """Return the single faults of a bad board, also where a file's fault was caused by one."""
    if "faults" not in thing.values:
        return ()
    found: tuple[Templated, ...] = getattr(thing, "faults", ())
    return found or getattr(getattr(thing, "__cause__", None), "faults", ())
