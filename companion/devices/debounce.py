"""Debounces switches and counts button presses. Pure: edges come in with their times.

A level counts once it has stood for `SETTLE_US`; its time is that of its first edge. A missed
edge heals itself, for every look at the switch is as good as one.

>>> switch = Debouncer()
>>> switch.handle_level(1_000, True)
>>> switch.tick(1_000 + SETTLE_US)
Change(closed=True, at_us=1000)
"""

from dataclasses import dataclass
from typing import Final

from companion.sensing.observations import ButtonHeld, ButtonPressed

SETTLE_US: Final = 20_000  # longer than a switch bounces, shorter than a person can press
LONG_US: Final = 800_000  # held so long, a press means "confirm"
HELD_ON_US: Final = 2_500_000  # people are told three seconds; nobody holds so long to confirm


@dataclass(frozen=True, slots=True)
class Change:
    closed: bool
    at_us: int


@dataclass(slots=True)
class Debouncer:
    closed: bool = False  # what counts
    _level: bool = False  # what was seen last
    _moved_us: int = -SETTLE_US  # the last edge
    _began_us: int = 0  # the first edge after a rest

    def handle_level(self, at_us: int, level: bool) -> Change | None:
        """Handle what was seen; return the change that had come to count before."""
        change = self.tick(at_us)
        if level != self._level:
            if at_us - self._moved_us >= SETTLE_US:
                self._began_us = at_us
            self._level = level
            self._moved_us = at_us
        return change

    def tick(self, now_us: int) -> Change | None:
        """Return the change that has come to count, if there is one."""
        if self.is_settled or now_us - self._moved_us < SETTLE_US:
            return None
        self.closed = self._level
        return Change(self.closed, self._began_us)

    @property
    def is_settled(self) -> bool:
        """Return whether what was seen last is what counts."""
        return self._level == self.closed

    @property
    def settles_us(self) -> int | None:
        """Return when what was seen last comes to count; None: it does already."""
        return None if self.is_settled else self._moved_us + SETTLE_US


@dataclass(slots=True)
class PressCounter:
    """Tells a button's short from long presses; a long one is followed by what became of it."""

    colour: str  # of its seat
    down_us: int | None = None  # None: it is up, or all of its press has been told
    long: bool = False  # its long press has been told

    @property
    def due_us(self) -> int | None:
        """Return when it will have been held for long, or on; None: it is not held."""
        if self.down_us is None:
            return None
        return self.down_us + (HELD_ON_US if self.long else LONG_US)

    def handle_change(self, change: Change) -> tuple[ButtonPressed | ButtonHeld, ...]:
        """Handle a change; a release makes a short press, or ends a long one."""
        down_us, long = self.down_us, self.long
        self.down_us, self.long = change.at_us if change.closed else None, False
        if change.closed or down_us is None:
            return ()
        held_us = change.at_us - down_us
        press = ButtonPressed(self.colour, held_us >= LONG_US, down_us, held_us)
        if not press.long:
            return (press,)
        held = ButtonHeld(self.colour, held_us >= HELD_ON_US, down_us)
        return (held,) if long else (press, held)

    def tick(self, now_us: int) -> tuple[ButtonPressed | ButtonHeld, ...]:
        """Return the long press as soon as it is one, and that it is held on as soon as it is."""
        if self.down_us is None or self.due_us is None or now_us < self.due_us:
            return ()
        down_us, held_us, long = self.down_us, now_us - self.down_us, self.long
        self.long = True
        press = () if long else (ButtonPressed(self.colour, True, down_us, held_us),)
        if held_us < HELD_ON_US:
            return press
        self.down_us = None
        return (*press, ButtonHeld(self.colour, True, down_us))
