"""Translatable sentences with their values, and what seats are called, in no language yet.

The English template is the key of its translations; `i18n.translate` knows every language.
"""

import os
import sys
from collections.abc import Mapping
from enum import Enum, IntEnum
from pathlib import Path
from string import Formatter
from typing import Any, Final

from companion.system.format_names import format_name

DOOR: Final = "RAPPELWACHT_STARTED_AS"  # of the environment; ./run says there how it was started
INSTALLED: Final = "rappelwacht"


def program() -> str:
    """Return the first word of every command of this program."""
    return os.environ.get(DOOR) or INSTALLED


def is_project() -> bool:
    """Tell whether it was started by ./run, which can do more than the program."""
    return program() != INSTALLED


def program_for_root() -> str:
    """Return the same behind `sudo`, whose PATH may not know a virtual environment."""
    script = Path(sys.argv[0])
    return str(script) if script.name == INSTALLED else program()


@format_name("SeatName")
class SeatName(IntEnum):
    """Where somebody can sit, clockwise. Each game names the seats that it has by these words."""

    RED = 0
    GREEN = 1
    BLUE = 2
    YELLOW = 3
    VIOLET = 4
    WHITE = 5

    @property
    def said(self) -> str:
        return self.name.title()


SEATS: Final = tuple(place.name.lower() for place in SeatName)


def seat_word(seat: int) -> str:
    """Return the word that names a seat, the same in every game.

    >>> seat_word(2)
    'blue'
    """
    return SEATS[seat]


def word(value: object) -> str:
    """Return a value as a sentence shows it: enums by name, several things with commas."""
    if isinstance(value, Enum):
        return value.name.lower()
    if type(value) is tuple:
        return ", ".join(map(word, value))
    return str(value)


class Text:
    """A sentence or words of ours, also as a value in another sentence.

    The English template is the key of its translations; `values` fills the placeholders.

    >>> str(Text("pad of {seat}", seat=SeatName.RED))
    'pad of red'
    """

    __slots__ = ("template", "values")

    def __init__(self, template: str, **values: object) -> None:
        self.template = template
        self.values = values

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Text):
            return NotImplemented
        return (self.template, self.values) == (other.template, other.values)

    def __hash__(self) -> int:
        """Return the same number for what says the same."""
        return hash(self.template)

    def __str__(self) -> str:
        return filled_in_english(self.template, self.values)


class _English(Formatter):
    """Fills a template in English for nobody in particular: for logs and uncaught errors.

    >>> _English().format("{seat:@{seat} has|you have} {n} {n:#card|cards}.", seat="red", n=1)
    'red has 1 card.'
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a value in the form that the template asks for."""
        if format_spec.startswith("@"):
            return self.vformat(format_spec[1:].partition("|")[0], (), {"seat": word(value)})
        if format_spec.startswith("#"):
            count = value if isinstance(value, int) else len(value)
            return format_spec[1:].split("|")[count != 1]
        if format_spec.startswith("="):
            numbered, without = format_spec[1:].split("|")
            return without if value is None else f"{numbered} {word(value)}"
        if format_spec == "and" and type(value) is tuple and len(value) > 1:
            return f"{word(value[:-1])} and {word(value[-1])}"
        return word(value)


_ENGLISH: Final = _English()


def filled_in_english(template: str, values: Mapping[str, object]) -> str:
    return _ENGLISH.vformat(template, (), {"program": program(), **values})
