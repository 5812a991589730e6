"""Words for fouls and for whoever a journal names, for pages and screens alike."""

from __future__ import annotations

from typing import Final, Protocol

from companion.say import Templated
from companion.sensing.findings import Foul
from companion.text import SEATS, SeatName, Text

CODES: Final = frozenset(foul.value for foul in Foul)
SNATCHED: Final = "snatched"  # no sensor finds it: people call it


class Speaker(Protocol):
    """Whatever speaks a language: a reader of pages, a screen."""

    def say(self, thing: Templated) -> str:
        """Return a thing as a sentence."""

    def name(self, value: object) -> str:
        """Return what people call a value."""


def foul_word(code: str, speaker: Speaker) -> str:
    """Return what people call a foul; a code of another version stays as it is.

    >>> from companion.present.reader import Reader
    >>> foul_word("early-flip", Reader("de"))
    'zu früh umgedreht'
    """
    if code == SNATCHED:
        return speaker.say(Text("snatched a barrel"))
    return speaker.name(Foul(code)) if code in CODES else code


def seat_of(word: str | None) -> SeatName | None:
    """Return the seat that a journal names, if it is one.

    >>> seat_of("red"), seat_of("phone of Jo"), seat_of(None)
    (<SeatName.RED: 0>, None, None)
    """
    return SeatName(SEATS.index(word)) if word in SEATS else None
