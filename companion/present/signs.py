"""The signs of the colours, for those who do not see colours, and the animals of who sits there."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from companion.present.animals import animal_svg
from companion.present.reader import Reader
from companion.text import SeatName

SIGNS: Final[
    dict[int, str]
] = {  # what tells a colour to those who do not see it; one unit high and wide
    SeatName.RED: "M0-.52.55.43H-.55Z",
    SeatName.GREEN: "M-.48 0a.48.48 0 1 0 .96 0a.48.48 0 1 0-.96 0Z",
    SeatName.BLUE: "M-.43-.43H.43V.43H-.43Z",
    SeatName.YELLOW: "M0-.6.5 0 0 .6-.5 0Z",
    SeatName.VIOLET: "M0-.6.14-.19.57-.19.23.07.35.49 0 .24-.35.49-.23.07-.57-.19-.14-.19Z",
    SeatName.WHITE: "M-.17-.52H.17V-.17H.52V.17H.17V.52H-.17V.17H-.52V-.17H-.17Z",
}


def sign_svg(colour: int | str) -> Markup:
    """Return the sign of a colour, alone, as large as the text that it stands in."""
    seat = SeatName[colour.upper()] if isinstance(colour, str) else SeatName(colour)
    return Markup(
        '<svg class="seat-sign seat-{}" viewBox="-.7 -.7 1.4 1.4" aria-hidden="true">'
        '<path d="{}" stroke-width=".08"/></svg>'
    ).format(seat.name.lower(), SIGNS[seat])


def face_svg(seat: int | str, reader: Reader) -> Markup:
    """Return the animal of who sits at a seat; nothing, if that is not known."""
    animal = reader.animal(seat if isinstance(seat, str) else SeatName(seat))
    return animal_svg(animal) if animal else Markup("")
