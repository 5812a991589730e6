"""Icons: a sign for each colour, for people who are colour-blind, and an animal for each person."""

import re
from functools import cache
from pathlib import Path
from typing import Final, Literal

from markupsafe import Markup

from companion.present.viewer import Viewer
from companion.referee.people.person import Animal
from companion.system.text import SeatName

PATH: Final = re.compile(r'<path id="(\w+)"[^>]* d="([^"]+)"')


def paths_of(drawing: Path) -> dict[str, str]:
    """Return the paths of a drawing by their ids."""
    return dict(PATH.findall(drawing.read_text("utf-8")))


_ANIMALS: Final = paths_of(Path(__file__).with_name("animals.svg"))
SHAPES: Final = {animal: _ANIMALS[animal.name.lower()] for animal in Animal}


@cache
def animal_svg(animal: Animal) -> Markup:
    """Return the picture of an animal, as large as the text that it stands in."""
    return Markup(
        '<svg class="animal" viewBox="0 0 48 48" aria-hidden="true">'
        '<path fill="currentColor" fill-rule="evenodd" d="{}"/></svg>'
    ).format(SHAPES[animal])


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


CLOAK: Final = (  # of an apprentice, 27 units wide; the tip of its hood hangs to the right
    "M4-23C1-22-7-20-9-11-9.5-8-9-6-8-4-11 0-12.5 5-12.5 10.5-8 12.5 8 12.5 12.5"
    " 10.5 12.5 5 11 0 8-4 9.5-8 9-13 5.5-17 5-19 6-20.5 8.5-21 7.5-23 5.5-23.5 4-23Z"
)
FACE: Final = "M0-13.5C4-13.5 6-11 6-8 6-4.5 3-2.5 0-2.5-3-2.5-6-4.5-6-8-6-11-4-13.5 0-13.5Z"
EYES: Final = "M-2.2-8h.01M2.2-8h.01"


PawnPlace = Literal["start", "road", "home"]
PLACES: Final[dict[PawnPlace, str]] = {  # one each, 12 units wide: a ring, a dot, a house
    "start": "M6 2a4 4 0 1 0 0 8a4 4 0 1 0 0-8Z",
    "road": "M6 1.500a4.500 4.500 0 1 0 0 9a4.500 4.500 0 1 0 0-9Z",
    "home": "M6 0 12 5.500H10.500V11H1.500V5.500H0Z",
}
State = Literal["rolls", "shakes", "done", "flips", "asked", "turn", "fails", "rests"]
STATES: Final[dict[State, str]] = {  # lines, 24 units wide and high
    "rolls": "M5 5H19V19H5ZM9 9h.01M15 9h.01M12 12h.01M9 15h.01M15 15h.01",
    "shakes": "M9 5H15V19H9ZM5 8Q3 12 5 16M19 8Q21 12 19 16",
    "done": "M4 13 10 19 20 6",
    "flips": "M5 14A7.500 7.500 0 1 1 8 19M5 19V14H10",
    "asked": "M8 9Q8 5 12 5 16 5 16 9 16 12 12 13V15M12 20h.01",
    "turn": "M4 12H19M13 6 19 12 13 18",
    "fails": "M6 6 18 18M18 6 6 18",
    "rests": "M15 4A8.500 8.500 0 1 0 20 15 7 7 0 0 1 15 4Z",
}
CROWN_SVG: Final = Markup(
    '<svg class="crown" viewBox="0 0 24 22" aria-hidden="true">'
    '<path d="M3 20 1 7 7 11 12 2 17 11 23 7 21 20Z"/></svg>'
)


def pawns_svg(places: tuple[PawnPlace, ...], reader: Viewer) -> Markup:
    """Return how far each pawn of a seat has come."""
    counts = (
        reader.say("{count} at the start", count=places.count("start")),
        reader.say("{count} on the road", count=places.count("road")),
        reader.say("{count} home", count=places.count("home")),
    )
    drawn = Markup("").join(
        Markup('<path class="{}" d="{}" transform="translate({} 0)"/>').format(
            place, PLACES[place], 14 * at
        )
        for at, place in enumerate(places)
    )
    return Markup(
        '<svg class="places" viewBox="-1 -1 {} 14" role="img" aria-label="{}">{}</svg>'
    ).format(14 * len(places), ", ".join(counts), drawn)


def state_svg(state: State) -> Markup:
    """Return what a seat is doing, as large as the text beside it."""
    return Markup(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{}"/></svg>'
    ).format(STATES[state])


def apprentice(colour: int | str) -> Markup:
    """Return a hooded apprentice who bears the sign of a colour, to stand inside a picture."""
    seat = SeatName[colour.upper()] if isinstance(colour, str) else SeatName(colour)
    return Markup(  # noqa: S704 - drawn here
        f'<path class="cloak" d="{CLOAK}"/><path class="face" d="{FACE}"/>'
        f'<path class="eyes" d="{EYES}"/>'
        f'<path class="mark" d="{SIGNS[seat]}" transform="translate(0 4.5) scale(9.5)"/>'
    )


def apprentice_svg(colour: str) -> Markup:
    """Return a hooded apprentice alone."""
    return Markup(
        '<svg class="apprentice seat-{}" viewBox="-15 -25 30 40" aria-hidden="true">{}</svg>'
    ).format(colour, apprentice(colour))


def sign_svg(colour: int | str) -> Markup:
    """Return the sign of a colour, alone, as large as the text that it stands in."""
    seat = SeatName[colour.upper()] if isinstance(colour, str) else SeatName(colour)
    return Markup(
        '<svg class="seat-sign seat-{}" viewBox="-.7 -.7 1.4 1.4" aria-hidden="true">'
        '<path d="{}" stroke-width=".08"/></svg>'
    ).format(seat.name.lower(), SIGNS[seat])


def face_svg(seat: int | str, reader: Viewer) -> Markup:
    """Return the animal of who sits at a seat; nothing, if that is not known."""
    animal = reader.animal(seat if isinstance(seat, str) else SeatName(seat))
    return animal_svg(animal) if animal else Markup("")
