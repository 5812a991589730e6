"""What the buzzer plays: a pure function of a snapshot and the time.

A warning has no tone: a sound in the room would point at whoever happens to hold a barrel, and the
light is at no one in particular.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.referee.snapshot import Snapshot

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
