"""Queues phones that wait for a press of a seat's button: one at each, by turns if many want it.

Whoever waits is never pushed aside: else a press that was meant for one phone would let another in.
Instead one address never has all buttons, and those who were refused go first, the oldest refusal
first of all: however many want one seat, each has its turn, and the PIN lets in at any time.
"""

from collections import defaultdict, deque
from dataclasses import dataclass, field
from enum import Enum
from math import inf
from typing import Final

from companion.web.common.addresses import caller

WINDOW_S: Final = 30.0  # for this long a seat's button lets the phone in that asked for it
MINUTE_S: Final = 60.0
ASKS: Final = 12  # a minute, from one address
AT_ONCE: Final = 3  # buttons for which phones of one address wait
LINED_UP: Final = 64  # addresses at one button; nobody has that many at home
CONFIRMED_S: Final = 120.0  # for this long what was confirmed may be done, once


class PairingRefusal(Enum):
    """Why a phone is not let in."""

    WRONG = "this is not the PIN"
    OFTEN = "too many tries"
    TAKEN = "another phone waits for that button"


@dataclass(frozen=True, slots=True)
class PairingRefused:
    """A phone is not let in."""

    why: PairingRefusal
    rest_s: float = 0.0  # for this long it need not try again


@dataclass(frozen=True, slots=True)
class Waiting:
    """A phone that is let in by the button of a seat."""

    phone: str
    address: str
    until_s: float


@dataclass(slots=True)
class RefusedQueue:
    """Who was refused at a button and goes first, each for a while; then it is the next one's turn.

    >>> line = RefusedQueue(100.0, ["192.168.7.20", "192.168.7.21"])
    >>> line.rest_s("192.168.7.20", 100.0), line.rest_s("192.168.7.21", 110.0)
    (0.0, 20.0)
    """

    free_s: float = 0.0  # since then, or from then on, it is the first one's turn
    callers: list[str] = field(default_factory=list)

    def rest_s(self, who: str, now_s: float) -> float:
        """Return for how long the button is taken, or others go first."""
        while self.callers and now_s >= self.free_s + WINDOW_S:  # the first one did not come
            del self.callers[0]
            self.free_s += WINDOW_S
        place = self.callers.index(who) if who in self.callers else len(self.callers)
        return max(0.0, self.free_s + place * WINDOW_S - now_s)

    def add(self, who: str) -> None:
        """Add somebody who waits for a turn, and keeps the place."""
        if who not in self.callers and len(self.callers) < LINED_UP:
            self.callers.append(who)

    def take(self, who: str, until_s: float) -> None:
        self.callers = [address for address in self.callers if address != who]
        self.free_s = until_s


class PairingQueue:
    """The phones that wait, by seat; whoever uses it sees to it that only one thread does."""

    def __init__(self) -> None:
        self._waiting: dict[str, Waiting] = {}
        self._lines: defaultdict[str, RefusedQueue] = defaultdict(RefusedQueue)
        self._asked: deque[tuple[str, float]] = deque()

    def seats(self, now_s: float) -> frozenset[str]:
        """Return the seats whose buttons would let a phone in."""
        return frozenset(seat for seat, waiting in self._waiting.items() if waiting.until_s > now_s)

    def left_s(self, phone: str, now_s: float) -> float:
        """Return for how long a phone still waits; 0: not at all."""
        ends_s = (waiting.until_s for waiting in self._waiting.values() if waiting.phone == phone)
        return max(0.0, max(ends_s, default=0.0) - now_s)

    def seat(self, phone: str, now_s: float) -> str | None:
        """Return the seat that a phone waits for; None: it does not."""
        waits = self._waiting.items()
        return next(
            (seat for seat, ask in waits if ask.phone == phone and ask.until_s > now_s), None
        )

    def has(self, phone: str) -> bool:
        """Tell whether a phone has asked, and nothing came of it yet."""
        return any(waiting.phone == phone for waiting in self._waiting.values())

    def ask(self, seat: str, phone: str, address: str, now_s: float) -> PairingRefused | None:
        """Queue a phone for a seat's button; None: it waits."""
        who = caller(address)
        if rest_s := self._often_s(who, now_s):
            return PairingRefused(PairingRefusal.OFTEN, rest_s)
        self._asked.append((who, now_s))
        there, line = self._there(seat, now_s), self._lines[seat]
        if there is not None and there.phone == phone:
            return None  # for no longer: it could have asked again and again
        if rest_s := line.rest_s(who, now_s):
            if there is None or there.address != who:  # whose turn it is lines up after it
                line.add(who)
            return PairingRefused(PairingRefusal.TAKEN, rest_s)
        if rest_s := self._full_s(phone, who, now_s):
            return PairingRefused(PairingRefusal.OFTEN, rest_s)
        self.forget(phone, now_s)
        self._waiting[seat] = Waiting(phone, who, now_s + WINDOW_S)
        line.take(who, now_s + WINDOW_S)
        return None

    def pressed(self, seat: str, now_s: float) -> str | None:
        """Return the phone that a press lets in; None: nobody waits for it."""
        there = self._there(seat, now_s)
        if there is not None:
            self.forget(there.phone, now_s)
        return None if there is None else there.phone

    def forget(self, phone: str, now_s: float) -> None:
        """Remove a phone from the queue: its button is free."""
        for seat in [seat for seat, waiting in self._waiting.items() if waiting.phone == phone]:
            del self._waiting[seat]
            self._lines[seat].free_s = min(now_s, self._lines[seat].free_s)

    def clear(self, now_s: float) -> None:
        for waiting in [*self._waiting.values()]:
            self.forget(waiting.phone, now_s)

    def _there(self, seat: str, now_s: float) -> Waiting | None:
        there = self._waiting.get(seat)
        return there if there is not None and there.until_s > now_s else None

    def _often_s(self, who: str, now_s: float) -> float:
        while self._asked and now_s - self._asked[0][1] >= MINUTE_S:
            self._asked.popleft()
        mine_s = [at_s for address, at_s in self._asked if address == who]
        return mine_s[-ASKS] + MINUTE_S - now_s if len(mine_s) >= ASKS else 0.0

    def _full_s(self, phone: str, who: str, now_s: float) -> float:
        """Return when one of those ends that wait at the same address, if they are too many."""
        mine = [
            waiting
            for waiting in self._waiting.values()
            if waiting.address == who and waiting.phone != phone
        ]
        ends_s = sorted(waiting.until_s for waiting in mine if waiting.until_s > now_s)
        return ends_s[0] - now_s if len(ends_s) >= AT_ONCE else 0.0


@dataclass(slots=True)
class ActConfirmation:
    """An act of care that the table has to confirm, one at a time; one thread at a time uses it.

    >>> acts = ActConfirmation()
    >>> acts.ask("phone", "restart", 0.0, again=False), acts.is_confirmed
    (0.0, False)
    >>> acts.held(3.0), acts.take("phone", "restart", 4.0), acts.take("phone", "restart", 5.0)
    (True, True, False)
    """

    phone: str = ""
    act: str = ""
    until_s: float = -inf
    is_confirmed: bool = False
    line: RefusedQueue = field(default_factory=RefusedQueue)

    def ask(self, phone: str, act: str, now_s: float, *, again: bool) -> float:
        """Queue a phone's act, or confirm it by asking `again`; return for how long others wait.

        What waits for another phone is not pushed aside: else a press would confirm something else.
        Nor does a phone ask for one act after another while others were refused: they go first.
        """
        mine = self.until_s > now_s and self.phone == phone
        if mine and self.act == act:
            if again and not self.is_confirmed:
                self._confirm(now_s)
            return 0.0
        if mine and not self.line.callers:
            self.line.free_s = now_s
        if rest_s := self.line.rest_s(phone, now_s):
            self.line.add(phone)
            return rest_s
        self.phone, self.act, self.is_confirmed = phone, act, False
        self._have_until(now_s + WINDOW_S)
        return 0.0

    def waits(self, now_s: float) -> str | None:
        """Return the act that waits to be confirmed; None: none does."""
        return self.act if self.until_s > now_s and not self.is_confirmed else None

    def left_s(self, phone: str, now_s: float) -> float:
        """Return for how long a phone's act still waits, or may still be done."""
        return max(0.0, self.until_s - now_s) if self.phone == phone else 0.0

    def held(self, now_s: float) -> bool:
        """Confirm what waits, as a button was held at the table; whether anything did."""
        waited = self.waits(now_s) is not None
        if waited:
            self._confirm(now_s)
        return waited

    def take(self, phone: str, act: str, now_s: float) -> bool:
        """Tell whether a phone may do that now; it has to ask again the next time."""
        may = self.is_confirmed and self.until_s > now_s and (self.phone, self.act) == (phone, act)
        if may:
            self.until_s, self.line.free_s = -inf, now_s
        return may

    def _confirm(self, now_s: float) -> None:
        self.is_confirmed = True
        self._have_until(now_s + CONFIRMED_S)

    def _have_until(self, until_s: float) -> None:
        self.until_s = until_s
        self.line.take(self.phone, until_s)
