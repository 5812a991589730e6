"""Which phone may act for whom: by the PIN, or by a press of a seat's button.

It must not know pages. A phone carries a name that nobody can guess, signed, in its cookie; what
it may do is kept here, so that a phone that was let go has nothing to come back with.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from threading import Lock
from typing import Final, TypeGuard

from flask import session

from companion.phone import keeping
from companion.phone.reader import TABLE
from companion.rules.game import SEATS
from companion.sensing.seen import ButtonPressed

PIN_DIGITS: Final = 6
WINDOW_S: Final = 30.0  # for so long a seat's button lets the phone in that asked for it
MINUTE_S: Final = 60.0
TRIES: Final = 5  # a minute, from one address
ALL_TRIES: Final = 20  # a minute, from everywhere: a million PINs take a month
PHONES: Final = 64  # more are never at a table; the oldest is forgotten
COOKIE: Final = "phone"


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
    until_s: float


class Tries:
    """How often each address tried within the last minute."""

    def __init__(self) -> None:
        self._tried: deque[tuple[str, float]] = deque()

    def rest_s(self, address: str, now_s: float) -> float:
        """Return for how long an address has to wait until it may try again; 0: not at all."""
        while self._tried and now_s - self._tried[0][1] >= MINUTE_S:
            self._tried.popleft()
        mine = [at_s for who, at_s in self._tried if who == address]
        ends_s = [mine[-TRIES]] if len(mine) >= TRIES else []
        ends_s += [self._tried[-ALL_TRIES][1]] if len(self._tried) >= ALL_TRIES else []
        return max((at_s + MINUTE_S - now_s for at_s in ends_s), default=0.0)

    def count(self, address: str, now_s: float) -> None:
        """Remember a try."""
        self._tried.append((address, now_s))


class Pairing:
    """The phones of a table; all of it may be called from any thread."""

    def __init__(
        self,
        folder: Path | None = None,  # None: forget everything at the end
        pin: str | None = None,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.pin = pin or f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
        self._clock_s = clock_s
        self._kept = keeping.Kept(folder)
        self._roles = self._kept.phones
        self._waiting: dict[str, Waiting] = {}  # by seat
        self._shared = set[str]()  # seats that were: who has seen a hand may be gone by now
        self._pins, self._asks = Tries(), Tries()
        self._lock = Lock()
        self.changed: Callable[[], None] = lambda: None  # called when a phone asks or is let in

    @property
    def asked(self) -> tuple[str, ...]:
        """Return the seats that phones ask for now: the table should know before a press."""
        now_s = self._clock_s()
        with self._lock:
            return tuple(seat for seat in SEATS if self._waits(seat, now_s))

    @property
    def shared(self) -> tuple[str, ...]:
        """Return the seats that several phones have acted for at once, until all are let go.

        Whoever joins so sees the hand, too, and a moment is enough for that.
        """
        roles = [*self._roles.values()]
        return tuple(seat for seat in SEATS if seat in self._shared or roles.count(seat) > 1)

    @property
    def secret(self) -> bytes:
        """Return what signs the cookies of this table."""
        return self._kept.secret

    # --- who asks now -------------------------------------------------------------------------

    def role(self) -> str | None:
        """Return what the phone may do whose request is being answered; None: only look."""
        return self.role_of(session.get(COOKIE))

    def role_of(self, phone: object) -> str | None:
        """Return what a phone may do."""
        return self._roles.get(phone) if isinstance(phone, str) else None

    def waits_s(self, phone: object) -> float:
        """Return for how long the button of a seat still lets this phone in; 0: not at all."""
        with self._lock:
            ends_s = (one.until_s for one in self._waiting.values() if one.phone == phone)
            return max(0.0, max(ends_s, default=0.0) - self._clock_s())

    # --- letting in ---------------------------------------------------------------------------

    def enter(self, address: str, pin: str, role: str, known: object = None) -> str | Refused:
        """Let a phone in that shows the PIN; return its new name, instead of the `known` one."""
        with self._lock:
            now_s = self._clock_s()
            if rest_s := self._pins.rest_s(address, now_s):
                return Refused(Why.OFTEN, rest_s)
            if not secrets.compare_digest(pin.encode(errors="replace"), self.pin.encode()):
                self._pins.count(address, now_s)
                return Refused(Why.WRONG)
            phone = secrets.token_urlsafe(16)
            self._let_go(known)
            self._let_in(phone, role)
        self.keep()
        return phone

    def ask(self, address: str, seat: str, known: object) -> str | Refused:
        """Let a phone in for a seat: at once if it may do all, else by a press of its button."""
        with self._lock:
            now_s = self._clock_s()
            phone = known if self._knows(known) else secrets.token_urlsafe(16)
            if self._roles.get(phone) == TABLE:
                self._let_in(phone, seat)
                return phone
            waiting = self._waiting.get(seat)
            if waiting is not None and waiting.until_s > now_s and waiting.phone != phone:
                return Refused(Why.TAKEN, waiting.until_s - now_s)
            if rest_s := self._asks.rest_s(address, now_s):
                return Refused(Why.OFTEN, rest_s)
            self._asks.count(address, now_s)
            self._forget(phone)
            self._waiting[seat] = Waiting(phone, now_s + WINDOW_S)
        self.changed()
        return phone

    def pressed(self, press: ButtonPressed) -> bool:
        """Let in who waits for this press; whether somebody did. The table's thread calls it."""
        with self._lock:
            waiting = self._waiting.pop(press.colour, None)
            if waiting is None or waiting.until_s <= self._clock_s():
                return False
            self._let_in(waiting.phone, press.colour)
        self.changed()
        return True

    def leave(self, phone: object) -> None:
        """Let a phone go."""
        with self._lock:
            self._let_go(phone)
        self.keep()

    def leave_all(self) -> None:
        """Let every phone go."""
        with self._lock:
            self._roles, self._waiting = {}, {}
            self._shared.clear()
        self.keep()

    def keep(self) -> None:
        """Write down which phones are in; never by the table's thread, which waits for no disk."""
        self._kept.keep(lambda: self._roles)

    def _let_in(self, phone: str, role: str) -> None:
        others = [(one, was) for one, was in self._roles.items() if one != phone]
        if role in (was for _, was in others):
            self._shared.add(role)
        self._roles = dict([*others, (phone, role)][-PHONES:])

    def _let_go(self, phone: object) -> None:
        if isinstance(phone, str):
            self._roles = {one: role for one, role in self._roles.items() if one != phone}
            self._forget(phone)

    def _knows(self, phone: object) -> TypeGuard[str]:
        """Tell whether a phone is in, or waits; the name of one that was let go is used up."""
        waiting = (one.phone for one in self._waiting.values())
        return isinstance(phone, str) and (phone in self._roles or phone in waiting)

    def _waits(self, seat: str, now_s: float) -> bool:
        waiting = self._waiting.get(seat)
        return waiting is not None and waiting.until_s > now_s

    def _forget(self, phone: str) -> None:
        self._waiting = {seat: one for seat, one in self._waiting.items() if one.phone != phone}
