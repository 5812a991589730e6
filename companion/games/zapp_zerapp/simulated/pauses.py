"""How long people at the table look at what just happened, before one of them goes on.

It must not know pages: nobody asks whether a picture is drawn. People simply watch.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum
from random import Random
from typing import Final

from companion.core.game import Event
from companion.games.zapp_zerapp.rules import Banished, Moved, Shown, TakenAlong, Won
from companion.referee.match import Foul
from companion.referee.snapshot import Snapshot
from companion.referee.summary import FOUL
from companion.simulator.habits import between
from companion.simulator.hands import seconds

TAKE_IN_S: Final = (0.8, 2.0)  # then somebody goes on
REVEAL_S, BANISHED_S, WON_S, FIELD_S, PAWN_S = 2.8, 1.2, 3.0, 0.2, 0.5
MOST_S: Final = 12.0  # nobody stares at one thing for longer
RULE_US: Final = 15_000_000  # this long people are left to rule where it costs nothing


def watched_s(happened: Iterable[Event]) -> float:
    """Return for how long there is something to see.

    >>> from companion.games.zapp_zerapp.rules import Colour, Moved, Shown
    >>> watched_s([Shown(Colour.RED, 5, works=True), Moved(Colour.RED, 0, 5, (0, 1, 2, 3, 4))])
    4.3
    """
    return min(MOST_S, round(fsum(map(_lasts_s, happened)), 1))


def _lasts_s(event: Event) -> float:
    match event:
        case Shown():
            return REVEAL_S
        case Moved(path=path):
            return PAWN_S + FIELD_S * len(path)
        case Banished() | TakenAlong():
            return BANISHED_S
        case Won():
            return WON_S
    return 0.0


class Watching:
    """What people at the table are still looking at, or have to rule on."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._acted: tuple[str | None, int] = (None, -1)
        self._fouls: tuple[tuple[int, int], ...] = ()
        self._until_us = self._ruled_by_us = 0

    def see(self, now: Snapshot, now_us: int) -> None:
        """Take what has happened."""
        if (now.match, now.acted) != self._acted:
            self._acted = now.match, now.acted
            span_s = watched_s(now.happened) + between(self._rng, *TAKE_IN_S)
            self._until_us = now_us + seconds(span_s)
        fouls = tuple((foul.raised.foul, foul.raised.times) for foul in now.fouls if _open(foul))
        if not set(fouls) <= set(self._fouls):
            self._ruled_by_us = now_us + RULE_US
        elif not fouls:
            self._ruled_by_us = now_us
        self._fouls = fouls

    def goes_on(self, now: Snapshot, now_us: int) -> bool:
        """Return whether somebody may go on: all was seen, and what costs something is decided."""
        return not now.costly and now_us >= max(self._until_us, self._ruled_by_us)


def _open(foul: Foul) -> bool:
    return foul.upheld is None and foul.raised.weight == FOUL
