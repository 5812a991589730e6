"""Rate limits by address: how often a PIN may be tried, and whatever costs much.

PINs may be guessed too seldom to find one, and without keeping anybody else out.

Whoever comes from an address that has not guessed is heard at once, whatever others do. So an
attacker has as many tries as addresses, and those are counted: within reach of a table there are
few. Where there are too many to count, those of one network of version 6 or, after GUESSERS, all of
them share one try every PAUSE_S, whoever comes first. Whoever knew the PIN before, or is in, is
still heard at once then, and has no more tries than anybody else.

    GUESSERS addresses, TRIES each     10,000 PINs, 1 % of all; a home has 253 addresses: 0.13 %
    then one every PAUSE_S, of all     60 an hour; (500,000 - 10,000) / 60 h: an even chance after
    together                           340 days, if nobody starts it again with another PIN
    one network of version 6           NEIGHBOURS addresses and the network itself, TRIES each, 165
                                       PINs; then its share of those 60 an hour
    one address alone                  about 15 a day: an even chance after 90 years
"""

import math
import time
from collections import Counter
from collections.abc import Callable
from threading import Lock
from typing import Final

from companion.web.common.addresses import caller, neighbourhood

TRIES: Final = 5  # wrong PINs of one address until it has to wait
PAUSE_S: Final = 60.0  # for this long, and one address twice as long after each further one …
# … within a day; of all who have had their tries, one in each such pause
DAY_S: Final = 24 * 3600.0
GUESSERS: Final = 2000  # if more addresses have guessed, all are as if they had had their tries
NEIGHBOURS: Final = 32  # guessing addresses of one network of version 6; all others are one
KNOWN: Final = 256  # who knew the PIN lately
REMEMBERED: Final = 64  # wrong PINs of one address


class PinRateLimit:
    """Wrong PINs by address, and when; an address is forgotten once it enters the right one."""

    def __init__(self) -> None:
        self._wrong: dict[str, list[float]] = {}
        self._near = Counter[str]()  # so many of them by network
        self._late_s = -math.inf  # when somebody tried last who had had all tries
        self._known: dict[str, None] = {}  # the newest last

    def rest_s(self, address: str, now_s: float) -> float:
        """Return for how long an address has to wait until it may try; 0: not at all."""
        who = self._who(address)
        if self._early(who):
            return 0.0
        wrong = self._wrong.get(who, [])
        today = sum(now_s - at_s < DAY_S for at_s in wrong)
        rests_s = [0.0, self._late_s + PAUSE_S - now_s]
        if today >= TRIES:  # a network is not one person: it would be shut for whoever lives there
            doubled = today - TRIES if who == caller(address) else 0
            rests_s.append(wrong[-1] + PAUSE_S * 2**doubled - now_s)
        return max(rests_s)

    def count(self, address: str, now_s: float) -> None:
        who = self._who(address)
        if not self._early(who):
            self._late_s = now_s
        if who not in self._wrong:
            self._wrong[who] = []
            self._near[neighbourhood(who)] += 1
        self._wrong[who] = [*self._wrong[who], now_s][-REMEMBERED:]

    def forget(self, address: str) -> None:
        """Forget the failed tries of an address: it knows the PIN."""
        self.know(address)
        who = caller(address)
        if self._wrong.pop(who, None) is not None:
            self._near[neighbourhood(who)] -= 1

    def know(self, address: str) -> None:
        """Count an address by itself from now on, and hear it, however many others guess."""
        who = caller(address)
        self._known.pop(who, None)
        self._known[who] = None
        if len(self._known) > KNOWN:
            del self._known[next(iter(self._known))]

    def _early(self, who: str) -> bool:
        few = len(self._wrong) < GUESSERS or who in self._known
        return few and len(self._wrong.get(who, ())) < TRIES

    def _who(self, address: str) -> str:
        """Return whom to count: an address, or a network from which too many addresses guess."""
        who, near = caller(address), neighbourhood(address)
        known = who in self._known or who in self._wrong or self._near[near] < NEIGHBOURS
        return who if known or who == near else near


ADDRESSES: Final = 4_000  # while this many have just been here, all others share one turn


class RateLimit:
    """So many at once, then one every few seconds, from each address; any thread may ask."""

    def __init__(
        self, at_once: int, then_s: float, clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._ahead_s, self._then_s, self._clock_s = (at_once - 1) * then_s, then_s, clock_s
        self._used_up_s: dict[str, float] = {}  # until when, by address
        self._lock = Lock()

    def rest_s(self, address: str) -> float:
        """Count that an address does it, and return 0; or for how long it has to wait."""
        now_s = self._clock_s()
        with self._lock:
            if len(self._used_up_s) >= ADDRESSES:
                self._used_up_s = {
                    home: at_s for home, at_s in self._used_up_s.items() if at_s > now_s
                }
            who = neighbourhood(address)
            if who not in self._used_up_s and len(self._used_up_s) >= ADDRESSES:
                who = ""
            used_up_s = max(now_s, self._used_up_s.get(who, now_s))
            rest_s = used_up_s - self._ahead_s - now_s
            if rest_s > 0:
                return rest_s
            self._used_up_s[who] = used_up_s + self._then_s
            return 0.0
