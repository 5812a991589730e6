"""What is shown only for a while: what happened just now, and what a button has brought up."""

from __future__ import annotations

from typing import Final

from companion.core.game import Event
from companion.referee.snapshot import Option, Snapshot

WARNED_US: Final = 2_000_000  # one breath
DONE_US: Final = 4_800_000  # this long it is shown what an action has brought about


def warns(now: Snapshot, at_us: int) -> bool:
    """Whether somebody was seen doing what is forbidden just now."""
    return now.warned_us is not None and 0 <= at_us - now.warned_us < WARNED_US


def offered(now: Snapshot) -> tuple[Option, ...]:
    """Return what buttons have brought up, which waits to be confirmed."""
    return tuple(seat.offers[seat.lit] for seat in now.seats if seat.lit is not None)


def recent(now: Snapshot, at_us: int) -> tuple[Event, ...]:
    """Return what the newest action has brought about, unless a button has something lit."""
    if now.acted_us is None or now.over or offered(now):
        return ()
    return now.happened if 0 <= at_us - now.acted_us < DONE_US else ()
