"""How often one address may do something open to all: a few times at once, then once in a while.

Many phones of one network may share an address, so `at_once` is more than one person needs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock
from typing import Final

from companion.frame.addresses import neighbourhood

ADDRESSES: Final = 4_000  # while this many have just been here, all others share one turn


class Pace:
    """Who did it lately; any thread may ask."""

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
                    one: at_s for one, at_s in self._used_up_s.items() if at_s > now_s
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
