"""A stopper numbers its events, so that it is known from when to when none of them is missing.

It must not know what an event means.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

NUMBERS = 1 << 16
NEVER_US = -(1 << 62)
MOST_LOST = 16  # a stopper keeps eight; more missing is another boot, or hours


@dataclass(frozen=True, slots=True)
class Numbered:
    """A run of events without a gap, and what is missing between it and the run before.

    >>> heard = Numbered().heard(7, 1_000).heard(8, 5_000)
    >>> heard.from_us, heard.to_us, heard.heard(11, 9_000).missing
    (1000, 5000, frozenset({9, 10}))
    >>> late = heard.heard(10, 9_000).heard(9, 7_000)
    >>> late.from_us, late.to_us, late.missing
    (1000, 9000, frozenset())
    """

    number: int = -1  # of the newest; -1: none came yet
    from_us: int = NEVER_US  # of the run's first
    to_us: int = NEVER_US  # … and newest
    missing: frozenset[int] = frozenset()
    before: tuple[int, int] = (NEVER_US, NEVER_US)  # of the run before: its first and its newest

    def heard(self, number: int, at_us: int, *, blind: bool = False) -> Numbered:
        """Return it with one more event; what was read blind may stand for more than one."""
        ahead = (number - self.number) % NUMBERS
        if self.number < 0 or blind:
            return Numbered(number, at_us, at_us)
        if ahead == 1:
            return replace(self, number=number, to_us=max(self.to_us, at_us))
        if number in self.missing:
            missing = self.missing - {number}
            from_us = self.from_us if missing else self.before[0]
            return replace(self, missing=missing, from_us=from_us)
        if 0 < ahead <= MOST_LOST:
            missing = frozenset((self.number + one) % NUMBERS for one in range(1, ahead))
            return Numbered(number, at_us, at_us, missing, (self.from_us, self.to_us))
        return self if ahead > NUMBERS // 2 else Numbered(number, at_us, at_us)

    def whole(self, from_us: int, to_us: int) -> bool:
        """Return whether no event is missing between two times."""
        return self.from_us <= from_us and to_us <= self.to_us

    def unheard_us(self, from_us: int, to_us: int, least: int) -> int:
        """Return how long the span is in which at least so many are missing, if it touches; or 0.

        >>> gap = Numbered().heard(7, 1_000).heard(10, 9_000)
        >>> gap.unheard_us(4_000, 5_000, 2), gap.unheard_us(4_000, 5_000, 3)
        (8000, 0)
        """
        begin_us, end_us = self.before[1], self.from_us
        touches = begin_us <= to_us and end_us >= from_us
        return end_us - begin_us if touches and len(self.missing) >= least else 0
