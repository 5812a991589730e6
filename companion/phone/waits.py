"""Which phones wait for a press of a seat's button: one at each, and by turns if many want it.

Whoever waits is never pushed aside: else a press that was meant for one phone would let another in.
Instead one address never has all buttons, and has to let others go first where they were refused.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import Enum
from typing import Final

from companion.phone.addresses import caller

WINDOW_S: Final = 30.0  # for so long a seat's button lets the phone in that asked for it
MINUTE_S: Final = 60.0
ASKS: Final = 12  # a minute, from one address
AT_ONCE: Final = 3  # buttons for which phones of one address wait


class Why(Enum):
    """Why a phone is not let in."""

    WRONG = "this is not the PIN"
    OFTEN = "too many tries"
    TAKEN = "another phone waits for that button"


@dataclass(frozen=True, slots=True)
class Refused:
    """A phone is not let in."""

    why: Why
    rest_s: float = 0.0  # for so long it need not try again


@dataclass(frozen=True, slots=True)
class Waiting:
    """A phone that is let in by the button of a seat."""

    phone: str
    address: str
    until_s: float


class Waits:
    """The phones that wait, by seat; whoever uses it sees to it that only one thread does."""

    def __init__(self) -> None:
        self._waiting: dict[str, Waiting] = {}
        self._others_first: dict[str, tuple[str, float]] = {}  # than an address, and until when
        self._asked: deque[tuple[str, float]] = deque()

    def seats(self, now_s: float) -> frozenset[str]:
        """Return the seats whose buttons would let a phone in."""
        return frozenset(seat for seat, one in self._waiting.items() if one.until_s > now_s)

    def left_s(self, phone: str, now_s: float) -> float:
        """Return for how long a phone still waits; 0: not at all."""
        ends_s = (one.until_s for one in self._waiting.values() if one.phone == phone)
        return max(0.0, max(ends_s, default=0.0) - now_s)

    def has(self, phone: str) -> bool:
        """Tell whether a phone has asked, and nothing came of it yet."""
        return any(one.phone == phone for one in self._waiting.values())

    def ask(self, seat: str, phone: str, address: str, now_s: float) -> Refused | None:
        """Have a phone wait for a seat's button; None: it does."""
        who = caller(address)
        if rest_s := self._often_s(who, now_s):
            return Refused(Why.OFTEN, rest_s)
        self._asked.append((who, now_s))
        there = self._waiting.get(seat)
        if there is not None and there.until_s > now_s:
            if there.phone == phone:
                return None  # for no longer: it could have asked again and again
            if there.address != who:
                self._others_first[seat] = there.address, there.until_s + WINDOW_S
            return Refused(Why.TAKEN, there.until_s - now_s)
        if rest_s := self._turn_s(seat, who, now_s):
            return Refused(Why.TAKEN, rest_s)
        if rest_s := self._full_s(phone, who, now_s):
            return Refused(Why.OFTEN, rest_s)
        self.forget(phone)
        self._waiting[seat] = Waiting(phone, who, now_s + WINDOW_S)
        return None

    def pressed(self, seat: str, now_s: float) -> str | None:
        """Return the phone that a press lets in; None: nobody waits for it."""
        waiting = self._waiting.pop(seat, None)
        return waiting.phone if waiting is not None and waiting.until_s > now_s else None

    def forget(self, phone: str) -> None:
        """Have a phone wait no longer."""
        self._waiting = {seat: one for seat, one in self._waiting.items() if one.phone != phone}

    def clear(self) -> None:
        """Have nobody wait."""
        self._waiting = {}

    def _often_s(self, who: str, now_s: float) -> float:
        while self._asked and now_s - self._asked[0][1] >= MINUTE_S:
            self._asked.popleft()
        mine_s = [at_s for one, at_s in self._asked if one == who]
        return mine_s[-ASKS] + MINUTE_S - now_s if len(mine_s) >= ASKS else 0.0

    def _turn_s(self, seat: str, who: str, now_s: float) -> float:
        """Return for how long others go first."""
        after, until_s = self._others_first.get(seat, ("", now_s))
        return max(0.0, until_s - now_s) if after == who else 0.0

    def _full_s(self, phone: str, who: str, now_s: float) -> float:
        """Return when one of those ends that wait at the same address, if they are too many."""
        mine = [one for one in self._waiting.values() if one.address == who and one.phone != phone]
        ends_s = sorted(one.until_s for one in mine if one.until_s > now_s)
        return ends_s[0] - now_s if len(ends_s) >= AT_ONCE else 0.0
