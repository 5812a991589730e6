"""The signs of the colours, for those who do not see colours. It must not know who is shown."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from companion.rules.zapp_zerapp import Colour

SIGNS: Final = {  # what tells a colour to those who do not see it; one unit high and wide
    Colour.RED: "M0-.52.55.43H-.55Z",
    Colour.GREEN: "M-.48 0a.48.48 0 1 0 .96 0a.48.48 0 1 0-.96 0Z",
    Colour.BLUE: "M-.43-.43H.43V.43H-.43Z",
    Colour.YELLOW: "M0-.6.5 0 0 .6-.5 0Z",
}


def sign_svg(colour: Colour | str) -> Markup:
    """Return the sign of a colour, alone, as large as the text that it stands in."""
    seat = Colour[colour.upper()] if isinstance(colour, str) else colour
    return Markup(
        '<svg class="seat-sign seat-{}" viewBox="-.7 -.7 1.4 1.4" aria-hidden="true">'
        '<path d="{}" stroke-width=".08"/></svg>'
    ).format(seat.name.lower(), SIGNS[seat])
