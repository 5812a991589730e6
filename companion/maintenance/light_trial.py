"""Test pattern of the lights: some of them in every colour, the others dark."""

from dataclasses import dataclass
from typing import Final

Rgb = tuple[int, int, int]
LIGHTS: Final = 32
SEATS: Final = ("red", "green", "blue", "yellow")
DARK: Final[Rgb] = (0, 0, 0)
FULL, SHARED = 200, 90  # all at once draw too much current, and only dazzle
EACH_US: Final = 1_000_000  # one colour after another, so that no part of a light is left out
LASTS_US: Final = 60_000_000  # whoever forgets it finds the table as it should be


@dataclass(frozen=True, slots=True)
class LightTrial:
    """What is tried: lights of the board, or one seat's."""

    until_us: int
    board: frozenset[int] = frozenset()
    seat: str | None = None

    def lights(self, at_us: int) -> tuple[Rgb, ...]:
        """Return the board's lights at a time: red, green, blue, white, again and again.

        >>> trial = LightTrial(0, frozenset({2}))
        >>> trial.lights(0)[1:4], trial.lights(3_000_000)[2]
        (((0, 0, 0), (200, 0, 0), (0, 0, 0)), (200, 200, 200))
        """
        level = FULL if len(self.board) == 1 else SHARED
        part = at_us // EACH_US % 4
        shown = (
            (level,) * 3 if part == 3 else tuple(level * (part == channel) for channel in range(3))
        )
        colour = (shown[0], shown[1], shown[2])
        return tuple(colour if light in self.board else DARK for light in range(LIGHTS))

    def seats(self) -> dict[str, float]:
        return {colour: float(colour == self.seat) for colour in SEATS}
