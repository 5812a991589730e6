"""Fingers and barrels on the switches of a table whose pins are gpiozero's own mock pins.

It must not know gpiozero: it is given the factory, which somebody chose on purpose.

    pins = Pins(factory)        # MockFactory(pin_class=MockPWMPin)
    pins.close(17)              # a barrel stands on the pad, a finger is on the button
    pins.bounce(27, True)       # the same with a bad switch
    pins.brightness(22), pins.tone_hz(18)
"""

from __future__ import annotations

from typing import Protocol


class MockPin(Protocol):
    """What a mock pin of gpiozero can do."""

    state: float
    frequency: float | None

    def drive_low(self) -> None:
        """Pull it to ground."""

    def drive_high(self) -> None:
        """Let the pull-up win."""


class MockPins(Protocol):
    """What gpiozero's mock factory can do."""

    def pin(self, name: int) -> MockPin:
        """Return the pin of a GPIO number."""


class Pins:
    """The outer side of the pins."""

    def __init__(self, factory: MockPins) -> None:
        self._factory = factory

    def close(self, pin: int) -> None:
        """Close a switch to ground."""
        self._factory.pin(pin).drive_low()

    def open(self, pin: int) -> None:
        """Open a switch."""
        self._factory.pin(pin).drive_high()

    def bounce(self, pin: int, closed: bool, times: int = 5) -> None:
        """Close or open a switch that bounces first."""
        for _ in range(times):
            self._set(pin, closed)
            self._set(pin, not closed)
        self._set(pin, closed)

    def brightness(self, pin: int) -> float:
        """Return how bright a light is, 0 to 1."""
        return float(self._factory.pin(pin).state)

    def tone_hz(self, pin: int) -> float | None:
        """Return what a passive buzzer plays, or None while it is silent."""
        driven = self._factory.pin(pin)
        return driven.frequency if driven.state else None

    def _set(self, pin: int, closed: bool) -> None:
        if closed:
            self.close(pin)
        else:
            self.open(pin)
