"""Decides whose a press of a seat's button is: the game's, or that of a phone that asks to come in.

A long press waits until it is clear whether the button is held on.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from companion.sensing.observations import ButtonHeld, ButtonPressed


class Newcomers(Protocol):
    """The phones that ask for a seat; all of it may be called from any thread."""

    @property
    def asked(self) -> Collection[str]:
        """Return the seats that phones ask for now."""

    def held(self, colour: str) -> bool:
        """Let in who asks for a seat; whether somebody did."""


class Door:
    """Lets phones in by a button that is held; nobody comes in where there are no newcomers."""

    def __init__(self, newcomers: Newcomers | None = None) -> None:
        self._newcomers = newcomers
        self._undecided: dict[str, ButtonPressed] = {}

    def press_of_the_game(self, seen: ButtonPressed | ButtonHeld) -> ButtonPressed | None:
        """Return the press that the game may take now, if any."""
        match seen:
            case ButtonPressed(colour, long=True) if self._is_asked_for(colour):
                self._undecided[colour] = seen
                return None
            case ButtonPressed():
                return seen
            case ButtonHeld(colour):
                press = self._undecided.pop(colour, None)
                return press if press is None or not self._let_in(seen) else None

    def _is_asked_for(self, colour: str) -> bool:
        return self._newcomers is not None and colour in self._newcomers.asked

    def _let_in(self, held: ButtonHeld) -> bool:
        return held.on and self._newcomers is not None and self._newcomers.held(held.colour)
