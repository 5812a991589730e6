"""Patterns of light over time, so that each meaning is known without its colour (accessibility).

Each pattern gives the brightness, 0 to 1, at a time in microseconds. None flashes more often than
three times a second, which could harm people.

>>> [round(pulse(at), 2) for at in (0, 500_000, 1_000_000)]
[1.0, 0.6, 0.2]
>>> [blink(at) for at in (0, 200_000, 400_000)]
[1.0, 0.0, 1.0]
"""

from dataclasses import dataclass
from math import cos, pi
from typing import Final

from companion.referee.snapshot import Snapshot

STEP_US: Final = 50_000  # whatever jumps, jumps at a multiple of it
PULSE_US: Final = 2_000_000  # slow: breathing
BLINK_US: Final = 400_000  # fast: look here
DOUBLE_US: Final = 1_200_000  # twice shortly, then a pause
COMET_US: Final = 100_000  # from one light to the next
SWIRL_US: Final = 150_000
TAIL: Final = (1.0, 0.45, 0.2, 0.08)  # behind a comet's head
RATTLE: Final = (0, 3, 6, 1, 5, 2, 7, 4)  # steps by which neighbours are apart, in no order
LOW: Final = 0.2  # how dark a pulse becomes


def steady(_: int) -> float:
    return 1.0


def pulse(at_us: int) -> float:
    """Slowly brighter and darker, never dark."""
    return LOW + (1.0 - LOW) * (0.5 + 0.5 * cos(2.0 * pi * at_us / PULSE_US))


def swell(since_us: int, length_us: int) -> float:
    """Once, softly: from dark to bright to dark.

    >>> [round(swell(since, 4), 2) for since in (-1, 0, 1, 2, 3, 4, 5)]
    [0.0, 0.0, 0.5, 1.0, 0.5, 0.0, 0.0]
    """
    inside = 0 <= since_us < length_us
    return 0.5 - 0.5 * cos(2.0 * pi * since_us / length_us) if inside else 0.0


def blink(at_us: int) -> float:
    return 1.0 if at_us % BLINK_US < BLINK_US // 2 else 0.0


def double(at_us: int) -> float:
    """On twice shortly, then dark for a while."""
    step = at_us % DOUBLE_US // (DOUBLE_US // 8)
    return 1.0 if step in {0, 2} else 0.0


def comet(place: int, length: int, at_us: int, step_us: int = COMET_US) -> float:
    """A head with a tail that runs along a way, again and again; brightness at one place of it.

    >>> [comet(place, 6, 2 * COMET_US) for place in range(4)]
    [0.2, 0.45, 1.0, 0.0]
    """
    behind = at_us // step_us % (length + len(TAIL)) - place
    return TAIL[behind] if 0 <= behind < len(TAIL) else 0.0


def swirl(place: int, length: int, at_us: int) -> float:
    """A comet that never ends, on a ring."""
    behind = (at_us // SWIRL_US - place) % length
    return TAIL[behind] if behind < len(TAIL) else 0.0


def sparkle(place: int, at_us: int) -> float:
    """Fast on and off, each place at another moment, as dice rattle."""
    return blink(at_us + RATTLE[place % len(RATTLE)] * STEP_US)


Melody = tuple[tuple[int, int], ...]  # how high in Hz, and how long in microseconds
SILENT: Final[Melody] = ()
VICTORY: Final[Melody] = ((523, 180_000), (659, 180_000), (784, 420_000))  # C, E, G


@dataclass(frozen=True, slots=True)
class Tone:
    """One tone; it is the same value as long as it sounds, so that nobody starts it twice."""

    frequency_hz: int
    until_us: int


def tone(now: Snapshot, melody: Melody, at_us: int) -> Tone | None:
    """Return the tone of a melody at a time, counted from when something was done."""
    if now.acted_us is None or at_us < now.acted_us:
        return None
    until_us = now.acted_us
    for frequency_hz, length_us in melody:
        until_us += length_us
        if at_us < until_us:
            return Tone(frequency_hz, until_us)
    return None
