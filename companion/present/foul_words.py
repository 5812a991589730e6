"""Words for fouls and for whoever a journal names, as a screen shows them."""

from __future__ import annotations

from companion.core.game import SEATS, SeatName
from companion.present.screen import Screen
from companion.say import Text
from companion.sensing.told import Foul


def foul_word(screen: Screen, code: str) -> str:
    """Return what people call a foul; a code of another version stays as it is.

    >>> import io
    >>> foul_word(Screen(io.StringIO(), "de"), "early-flip")
    'zu früh umgedreht'
    """
    if code == "snatched":  # no sensor finds it: people call it
        return screen.say(Text("snatched a barrel"))
    return screen.name(Foul(code)) if code in {foul.value for foul in Foul} else code


def seat_of(word: str | None) -> SeatName | None:
    """Return the seat that a journal names, if it is one.

    >>> seat_of("red"), seat_of("phone of Jo"), seat_of(None)
    (<SeatName.RED: 0>, None, None)
    """
    return SeatName(SEATS.index(word)) if word in SEATS else None
