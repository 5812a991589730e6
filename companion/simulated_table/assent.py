"""Guests who agree to what a hall proposes, once they have read it: nobody else sits here.

Where a person has a seat, that person decides.
"""

from __future__ import annotations

from typing import Final

from companion.referee.commands import Accept
from companion.referee.snapshot import Snapshot

READ_US: Final = 3_000_000


class Assent:
    """What of the proposals was read, and since when."""

    def __init__(self) -> None:
        self._request, self._due_us = "", 0

    def to(self, now: Snapshot, now_us: int) -> Accept | None:
        """Return their word, once; None: there is nothing to decide, or they still read."""
        proposal = now.proposal
        if proposal is None or not proposal.open or (now.match is not None and not now.over):
            return None
        if proposal.request != self._request:
            self._request, self._due_us = proposal.request, now_us + READ_US
        if not self._due_us or now_us < self._due_us:
            return None
        self._due_us = 0
        return Accept(proposal.request)
