"""What an eye sees of the lights, for tests: which are lit, and how bright over time."""

from companion.games.zapp_zerapp.rules import Colour
from companion.present.lights.canvas import (
    CITIES,
    COLOURS,
    COUNT,
    DARK,
    GAMMA,
    LIMIT,
    STARTS,
    LightScene,
    Rgb,
)
from companion.present.lights.scenes import scene
from companion.referee.snapshot import Snapshot

SECOND = 1_000_000
LATER = 60 * SECOND  # long after anything was done; a multiple of every pattern's length but FAULT
RED, GREEN, BLUE, YELLOW = Colour
FAINT_WHITE, WHITE = (26, 26, 26), (150, 150, 150)


def lit(shown: LightScene) -> dict[int, Rgb]:
    """Return the lights that are not dark."""
    return {light: colour for light, colour in enumerate(shown.lights) if colour != DARK}


def at(now: Snapshot, at_us: int) -> dict[int, Rgb]:
    return lit(scene(now, at_us))


def glow(colour: Colour, brightness: float) -> Rgb:
    """Return a colour at a brightness."""
    red, green, blue = (round(part * brightness**GAMMA) for part in COLOURS[colour])
    return red, green, blue


def start(colour: Colour) -> int:
    return STARTS + colour


def city(colour: Colour) -> int:
    return CITIES + colour


def ring(shown: dict[int, Rgb]) -> dict[int, Rgb]:
    return {light: colour for light, colour in shown.items() if light < STARTS}


def check(now: Snapshot, at_us: int) -> None:
    """Hold a scene against what must hold of every one: pure, within its limits."""
    before = repr(now)
    shown = scene(now, at_us)
    assert scene(now, at_us) == shown
    assert repr(now) == before
    assert len(shown.lights) == COUNT
    assert all(type(part) is int and 0 <= part <= 255 for light in shown.lights for part in light)
    assert sum(map(sum, shown.lights)) <= LIMIT
    assert set(shown.seats) <= {colour.name.lower() for colour in Colour}
    assert all(0.0 <= level <= 1.0 for level in shown.seats.values())
    if shown.tone is not None:
        assert shown.tone.until_us > at_us
