"""The 32 lights while they are being drawn: which is which, their colours, and what is too much."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.core.game import Seat
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
