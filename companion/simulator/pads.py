"""Simulated pads: a spring and a switch that close, late, under a barrel's weight.

It must not know seats, sensing or rules. A pad has its own source of chance: no barrel moves
differently because of it. How late a pad is never depends on what a barrel weighs: one that stiff
would betray its number.
"""

from random import Random
from typing import Any, Final, Protocol

from companion.simulator import motions, poses
from companion.simulator.barrel import Barrel
from companion.simulator.hand_params import HandSpread, between

PAD_CLOSES_G: Final = 8.0
SWITCH_M: Final = 0.04  # a barrel stands on the coaster, if it is no farther from its middle
LATE_S: Final = 0.12  # at most, for a switch's mean
UNEVEN_S: Final = (0.003, 0.025)  # its deviation, as hands and feet differ
LATEST_S: Final = 0.18
OPENS: Final = 0.5  # of that: springs push upwards faster than a foot settles
ROCKS: Final = 0.1  # how often a foot settles twice…
ROCKS_S: Final = (0.022, 0.06)  # …and for how long each


class Spring:
    """What lies between a foot and a contact: it follows late, in its own way, and may rock.

    >>> spring = Spring(Random(1), 0.12)
    >>> [spring.follow(True, at_us) for at_us in (0, 1_000_000)]
    [False, True]
    """

    def __init__(self, rng: Random, most_s: float) -> None:
        self._rng = rng
        self.closes_s, self.opens_s = (
            HandSpread(between(rng, 0.0, part * most_s), between(rng, *UNEVEN_S), 0.0, LATEST_S)
            for part in (1.0, OPENS)
        )
        self._pressed = self._closed = False
        self._turns: list[tuple[int, bool]] = []  # what it will do, and when

    def follow(self, pressed: bool, at_us: int) -> bool:
        """Return whether it is closed, given what presses on it now; times never go back."""
        if pressed is not self._pressed:
            self._pressed, self._turns = pressed, self._moves(pressed, at_us)
        while self._turns and self._turns[0][0] <= at_us:
            self._closed = self._turns.pop(0)[1]
        return self._closed

    def _moves(self, pressed: bool, at_us: int) -> list[tuple[int, bool]]:
        late = self.closes_s if pressed else self.opens_s
        moves = [(at_us + round(1e6 * late.draw(self._rng)), pressed)]
        if pressed and self._rng.random() < ROCKS:
            for closed in (False, True):
                moves.append((moves[-1][0] + round(1e6 * between(self._rng, *ROCKS_S)), closed))
        return moves


class PadEye(Protocol):
    """What looks up through a pad in the place of a switch."""

    def sees(self, motion: poses.Motion, at_us: int, pad: motions.Vector) -> bool:
        """Return whether a barrel that is moved is near enough."""

    def sees_hand(self, at_us: int) -> bool:
        """Return whether a hand without a barrel is over it."""


def presses(barrel: Barrel, motion: poses.Motion, at_us: int, pad: motions.Vector) -> bool:
    """Return whether a barrel that is moved weighs enough on a switch just now."""
    near = all(abs(a - b) < SWITCH_M for a, b in zip(motion.place(at_us)[0], pad, strict=True))
    return near and barrel.weight_g(at_us) > PAD_CLOSES_G


class SimulatedPins:
    """The outer side of the pins, which are mock pins of gpiozero; that has no types."""

    def __init__(self, factory: Any) -> None:
        self._factory = factory

    def close(self, pin: int) -> None:
        """Close a switch to ground."""
        self._factory.pin(pin).drive_low()

    def open(self, pin: int) -> None:
        self._factory.pin(pin).drive_high()

    def bounce(self, pin: int, closed: bool, times: int = 5) -> None:
        """Close or open a switch that bounces first."""
        for _ in range(times):
            self._set(pin, closed)
            self._set(pin, not closed)
        self._set(pin, closed)

    def _set(self, pin: int, closed: bool) -> None:
        if closed:
            self.close(pin)
        else:
            self.open(pin)
