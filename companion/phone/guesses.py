"""How often a PIN may be guessed: too seldom to find it, and without keeping anybody else out.

Who comes from an address that has not guessed is heard at once, whatever others do. So an attacker
has as many tries as addresses, and those are counted: within reach of a table there are few.

    GUESSERS addresses, TRIES each     10,000 PINs, 1 % of all; a home has 253 addresses: 0.13 %
    then LATE an hour, of all together (500,000 - 10,000) / 60 h: an even chance after 340 days,
                                       if nobody starts the companion anew with another PIN
    one address alone                  about 15 a day: an even chance after 90 years
"""

from __future__ import annotations

from collections import Counter, deque
from typing import Final

from companion.phone.addresses import caller, neighbourhood

TRIES: Final = 5  # wrong PINs of one address until it has to wait
PAUSE_S: Final = 60.0  # for so long, and twice as long after each further one …
DAY_S: Final = 24 * 3600.0  # … within a day
GUESSERS: Final = 2000  # if more addresses have guessed, all are as if they had had their tries
NEIGHBOURS: Final = 32  # guessing addresses of one network of version 6; all others are one
LATE: Final = 60  # tries an hour, of all who have had theirs
HOUR_S: Final = 3600.0


class Guesses:
    """Who entered wrong PINs, and when; an address is forgotten once it enters the right one."""

    def __init__(self) -> None:
        self._wrong: dict[str, list[float]] = {}
        self._near = Counter[str]()  # so many of them by network
        self._late: deque[float] = deque(maxlen=LATE)

    def rest_s(self, address: str, now_s: float) -> float:
        """Return for how long an address has to wait until it may try; 0: not at all."""
        wrong = self._wrong.get(self._who(address), [])
        if self._early(wrong):
            return 0.0
        today = sum(now_s - at_s < DAY_S for at_s in wrong)
        rests_s = [0.0]
        if today >= TRIES:
            rests_s.append(wrong[-1] + PAUSE_S * 2 ** (today - TRIES) - now_s)
        if len(self._late) == LATE:
            rests_s.append(self._late[0] + HOUR_S - now_s)
        return max(rests_s)

    def count(self, address: str, now_s: float) -> None:
        """Remember a wrong PIN."""
        who = self._who(address)
        if not self._early(self._wrong.get(who, [])):
            self._late.append(now_s)
        if who not in self._wrong:
            self._wrong[who] = []
            self._near[neighbourhood(who)] += 1
        self._wrong[who].append(now_s)

    def forget(self, address: str) -> None:
        """Hold nothing against an address: it knows the PIN."""
        who = self._who(address)
        if self._wrong.pop(who, None) is not None:
            self._near[neighbourhood(who)] -= 1

    def _early(self, wrong: list[float]) -> bool:
        return len(wrong) < TRIES and len(self._wrong) < GUESSERS

    def _who(self, address: str) -> str:
        """Return whom to count: an address, or a network of which too many addresses guess."""
        one, near = caller(address), neighbourhood(address)
        known = one in self._wrong or self._near[near] < NEIGHBOURS
        return one if known or one == near else near
