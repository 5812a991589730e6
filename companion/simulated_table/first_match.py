"""Whether guests wait with their first match: for a person who may come, or who practises.

Once a match was begun they wait only while somebody practises.
"""

from __future__ import annotations

from typing import Final

from companion.referee.snapshot import Snapshot
from companion.simulator.visitors import Company
from companion.workshop.now import Opened

COMING_US: Final = 30_000_000  # this long a person is waited for…
CHOOSES_US: Final = 60_000_000  # …and, once there, until it is said whether to practise


class Coming:
    """The guests' patience."""

    def __init__(self, guests: Company, begun_us: int, *, at_once: bool) -> None:
        self._guests, self._until_us = guests, begun_us + (0 if at_once else COMING_US)
        self._sat = False

    def waits(self, now: Snapshot, opened: Opened | None, now_us: int) -> bool:
        """Return whether they do nothing for now."""
        if opened is None:  # a match is played
            self._until_us = now_us
            return False
        if opened.practice is not None:
            return True
        if opened.practised or now.match is not None:
            self._until_us = now_us
        elif self._guests.wanted is not None and not self._sat and now_us < self._until_us:
            self._sat, self._until_us = True, now_us + CHOOSES_US
        return now_us < self._until_us
