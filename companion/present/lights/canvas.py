"""A canvas of the 32 lights: which is which, their colours, and how bright all may be.

Four seats have lights: a button, a start, a city, and a quarter of the ring. For violet and white,
who have none, a light goes round the cities, clockwise for violet and the other way for white; what
else would be drawn there is left out.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.core.game import Seat
from companion.present.lights import patterns
from companion.present.lights.patterns import Tone
from companion.system.text import SeatName, seat_word

Rgb = tuple[int, int, int]
DARK: Final[Rgb] = (0, 0, 0)
FIELDS: Final = 24  # of the ring, clockwise
COLOURS: Final[Mapping[Seat, Rgb]] = {  # of the seats that have lights
    SeatName.RED: (255, 20, 10),
    SeatName.GREEN: (20, 200, 30),
    SeatName.BLUE: (30, 70, 255),
    SeatName.YELLOW: (255, 170, 0),
}
WHITE: Final[Rgb] = (150, 150, 150)
VIOLET: Final[Rgb] = (90, 60, 200)
AMBER: Final[Rgb] = (255, 110, 20)

LAMPS: Final = len(COLOURS)
STARTS: Final = FIELDS  # the light of the first start; the others follow by colour
CITIES: Final = STARTS + LAMPS
COUNT: Final = CITIES + LAMPS

GAMMA: Final = 2.2  # an eye sees half as bright what is a fifth of the light
# No scene may be brighter than 12 fields in full white: the largest magic number must be as bright
# as any other, and more would only dazzle people in a dim room and draw current for nothing.
LIMIT_FIELDS: Final = 12
LIMIT: Final = LIMIT_FIELDS * sum((255, 255, 255))


@dataclass(frozen=True, slots=True)
class LightScene:
    lights: tuple[Rgb, ...]  # ring fields 0 to 23, then starts and cities by colour
    seats: Mapping[str, float]  # how much of the time each seat's own light is on, 0 to 1
    tone: Tone | None = None  # what the buzzer plays


@dataclass(slots=True)
class LightCanvas:
    """The lights at one moment, while they are being drawn; what is drawn last, lies on top."""

    lights: list[Rgb] = field(default_factory=lambda: [DARK] * COUNT)
    seats: dict[str, float] = field(default_factory=dict)

    def draw(self, light: int, colour: Rgb, brightness: float) -> None:
        """Give a light a colour; darkness lets through what lies below."""
        if brightness > 0.0:
            scale = min(brightness, 1.0) ** GAMMA
            red, green, blue = colour
            self.lights[light] = round(red * scale), round(green * scale), round(blue * scale)

    def fill(self, lights: Iterable[int], colour: Rgb, brightness: float) -> None:
        for light in lights:
            self.draw(light, colour, brightness)

    def clear(self, lights: Iterable[int]) -> None:
        """Let nothing through from below."""
        for light in lights:
            self.lights[light] = DARK

    def seat(self, seat: Seat, brightness: float) -> None:
        self.seats[seat_word(seat)] = brightness

    def scene(self, tone: Tone | None) -> LightScene:
        """Return what was drawn; if it is too much light, all of it gets darker alike."""
        lights, total = tuple(self.lights), sum(map(sum, self.lights))
        if total > LIMIT:
            lights = tuple(
                (r * LIMIT // total, g * LIMIT // total, b * LIMIT // total) for r, g, b in lights
            )
        seats = {colour: round(level**GAMMA, 3) for colour, level in self.seats.items()}
        return LightScene(lights, seats, tone)


QUARTER: Final = FIELDS // LAMPS  # fields clockwise from a start
DIM: Final = 0.4  # what is only noted, so that a slip is seen
ROUND_US, ASKED_US = 450_000, 200_000  # from one city to the next
ROUND: Final = (  # of violet and of white: never at the same city
    (CITIES, CITIES + 1, CITIES + 2, CITIES + 3),
    (CITIES + 1, CITIES, CITIES + 3, CITIES + 2),
)
ORIGINS: Final = (0, 6, 12, 18, 20, 22)  # the field of each seat; two sit between yellow and red


def lamps(seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return those of the seats that have lights.

    >>> lamps((-1, 2, 4, 5))
    (2,)
    """
    return tuple(seat for seat in seats if seat in range(LAMPS))


def colour_of(seat: Seat) -> Rgb:
    """Return the colour of a seat, also of one that has no lights."""
    return (*COLOURS.values(), VIOLET, WHITE)[seat]


def way(seat: Seat) -> tuple[int, ...]:
    """Return along what a light runs for a seat: from its start to its city, or round the cities.

    >>> way(1), way(4), way(5)
    ((25, 29), (28, 29, 30, 31), (29, 28, 31, 30))
    """
    if seat < LAMPS:
        return STARTS + seat, CITIES + seat
    return ROUND[seat - LAMPS]


def go_round(
    picture: LightCanvas,
    seats: Iterable[Seat],
    step_us: int,
    at_us: int,
    brightness: float = 1.0,
) -> None:
    """Let a light go round the cities for those of the seats that have no lights."""
    for seat in seats:
        if seat >= LAMPS:
            lights = way(seat)
            light = lights[at_us // step_us % len(lights)]
            picture.draw(light, colour_of(seat), brightness)


def hold(picture: LightCanvas, seats: Iterable[Seat], brightness: float = 1.0) -> None:
    for seat in lamps(seats):
        picture.draw(STARTS + seat, COLOURS[seat], brightness)
        picture.seat(seat, brightness)


def breathe(picture: LightCanvas, seats: Collection[Seat], at_us: int) -> None:
    hold(picture, seats, patterns.pulse(at_us))
    go_round(picture, seats, ROUND_US, at_us)


def ask(picture: LightCanvas, seats: Collection[Seat], at_us: int) -> None:
    """Show about whom something has to be said."""
    lit = lamps(seats)
    picture.clear(STARTS + seat for seat in lit)
    hold(picture, lit, patterns.blink(at_us))
    go_round(picture, seats, ASKED_US, at_us)


def quarter(seat: Seat) -> tuple[int, ...]:
    """Return the fields of a seat's quarter, and its city, which is the seventh.

    >>> quarter(1)
    (6, 7, 8, 9, 10, 11, 29)
    """
    return (*range(QUARTER * seat, QUARTER * (seat + 1)), CITIES + seat)


def count(picture: LightCanvas, seat: Seat, number: int, brightness: float) -> None:
    """Show a number in a seat's quarter; seven stands for more."""
    for colour in lamps([seat]):
        picture.clear(quarter(colour))
        picture.fill(quarter(colour)[:number], COLOURS[colour], brightness)
