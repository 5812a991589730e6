"""Icons: a sign for each colour, for people who are colour-blind, and an animal for each person."""

from functools import cache
from typing import Final, Literal

from markupsafe import Markup

from companion.present.viewer import Viewer
from companion.referee.people.person import Animal
from companion.system.text import SeatName

# one path each, 48 units wide and high; what lies within another part is cut out of it
SHAPES: Final[dict[Animal, str]] = {
    Animal.FOX: (
        "M4 4 17 12H31L44 4 45 24 32 37 24 46 16 37 3 24ZM11 21 20 25 14 27Z"
        "M37 21 28 25 34 27ZM20 38H28L24 43Z"
    ),
    Animal.OWL: (
        "M6 2 16 8Q24 5 32 8L42 2Q45 12 43 24 42 46 24 46 6 46 5 24 3 12 6 2Z"
        "M7 21a8 8 0 1 0 16 0a8 8 0 1 0-16 0ZM12 21a3.500 3.500 0 1 0 7 0a3.500 3.500 0 1 0-7 0Z"
        "M25 21a8 8 0 1 0 16 0a8 8 0 1 0-16 0ZM29 21a3.500 3.500 0 1 0 7 0a3.500 3.500 0 1 0-7 0Z"
        "M20 30H28L24 38Z"
    ),
    Animal.FROG: (
        "M4 14a9 9 0 0 1 17-2Q24 11 27 12a9 9 0 0 1 17 2 8 8 0 0 1-1 6Q47 26 46 32 42 43 24 43"
        " 6 43 2 32 1 26 5 20a8 8 0 0 1-1-6Z"
        "M8 14a4 4 0 1 0 8 0a4 4 0 1 0-8 0ZM32 14a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z"
        "M8 29Q24 42 40 29 38 39 24 39 10 39 8 29Z"
    ),
    Animal.CAT: (
        "M6 4 18 13Q24 11 30 13L42 4 43 22 47 23 43 26 47 30 42 30Q38 43 24 43 10 43 6 30"
        "L1 30 5 26 1 23 5 22ZM12 22Q17 18 21 24 15 28 12 22ZM36 22Q31 18 27 24 33 28 36 22Z"
        "M21 31H27L24 35Z"
    ),
    Animal.HARE: (
        "M15 1Q21 3 22 18H26Q27 3 33 1 39 4 32 20 40 25 39 33 37 46 24 46 11 46 9 33 8 25 16 20"
        " 9 4 15 1ZM16 30a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0Z"
        "M27 30a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0ZM22 36H26L24 39Z"
    ),
    Animal.BEAR: (
        "M2 12a9 9 0 0 1 15-6Q24 4 31 6a9 9 0 0 1 13 12Q46 22 46 27 45 45 24 45 3 45 2 27"
        " 2 22 4 18A9 9 0 0 1 2 12ZM12 21a3 3 0 1 0 6 0a3 3 0 1 0-6 0Z"
        "M30 21a3 3 0 1 0 6 0a3 3 0 1 0-6 0ZM14 33a10 8 0 1 0 20 0a10 8 0 1 0-20 0Z"
        "M20 30a4 3 0 1 0 8 0a4 3 0 1 0-8 0Z"
    ),
    Animal.HEDGEHOG: (
        "M47 34Q42 28 36 26L38 20 32 22 33 14 27 18 26 10 21 16 17 9 15 17 8 13 10 21 3 21 7 27"
        " 1 30 6 33 2 38 9 38V42H15V38H28V42H34V38H44A3 3 0 0 0 47 34Z"
        "M33 31a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0Z"
    ),
    Animal.SNAIL: (
        "M5 40H10Q4 34 4 26a15 15 0 0 1 30 0Q34 30 32 34 36 31 36 24V15L33 6 36 5 39 13H40L44 5 "
        "47 7 43 15Q46 18 45 24 44 38 34 42H5Z"
        "M9 26a10 10 0 1 0 20 0a10 10 0 1 0-20 0ZM12 26a7 7 0 1 0 14 0a7 7 0 1 0-14 0Z"
        "M16 26a3 3 0 1 0 6 0a3 3 0 1 0-6 0Z"
    ),
    Animal.FISH: (
        "M2 24Q8 10 22 10L28 4 31 12Q36 15 39 20L47 11V37L39 28Q33 38 22 38 8 38 2 24Z"
        "M9 21a3 3 0 1 0 6 0a3 3 0 1 0-6 0ZM20 15Q25 24 20 33 28 24 20 15Z"
        "M29 18Q32 24 29 30 36 24 29 18Z"
    ),
    Animal.PENGUIN: (
        "M24 2Q35 2 36 14 44 24 44 34L38 30Q38 38 34 42L38 46H26L24 44 22 46H10L14 42"
        "Q10 38 10 30L4 34Q4 24 12 14 13 2 24 2ZM24 20Q15 22 15 32 16 41 24 41 32 41 33 32"
        " 33 22 24 20ZM17 10a2 2 0 1 0 4 0a2 2 0 1 0-4 0ZM27 10a2 2 0 1 0 4 0a2 2 0 1 0-4 0Z"
        "M20 14H28L24 18Z"
    ),
    Animal.TURTLE: (
        "M1 32Q2 14 19 12 34 13 36 27 37 19 42 19 48 20 47 26 45 33 35 35L37 42H29L27 36H13L11 42"
        "H3L5 35ZM12 17 18 16 20 23 14 25ZM23 16Q28 17 30 21L25 23ZM10 19 11 26 6 29Q7 22 10 19Z"
        "M31 23 33 30 26 30 26 26ZM14 28 22 26 22 31 12 31ZM41 24a1.500 1.500 0 1 0 3 0a1.500 1.500"
        " 0 1 0-3 0Z"
    ),
    Animal.ELEPHANT: (
        "M14 9Q24 3 34 9 44 4 47 16 48 32 36 32 33 34 30 34V40Q30 42 33 42V47H28Q22 46 21 40"
        " 20 36 18 34 15 34 12 32 0 32 1 16 4 4 14 9ZM15 20a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0"
        "-5 0ZM28 20a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0ZM10 13Q5 14 6 20 7 27 12 27 8 20"
        " 10 13ZM38 13Q43 14 42 20 41 27 36 27 40 20 38 13Z"
    ),
}


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
