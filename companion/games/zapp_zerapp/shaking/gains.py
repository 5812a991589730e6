"""What a move is worth at first sight: the way it goes, whom it sends back, and what it risks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.core.game import Event
from companion.games.zapp_zerapp.rules import (
    BARRELS,
    CITY,
    Banished,
    Colour,
    Moved,
    Settings,
    TakenAlong,
    Won,
)

Pawns = Mapping[Colour, tuple[int, int, int]]


class Gains:
    """What a move is worth at first sight."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def of(self, events: Iterable[Event], pawns: Pawns) -> float:
        """Return what all that a move brings about is worth."""
        gain = 0.0
        for event in events:
            match event:
                case Won():
                    gain += 1000
                case Moved(seat, start, end):
                    gain += end - start + 4 * (end == CITY)
                    gain += self._danger(seat, start, pawns) - self._danger(seat, end, pawns)
                case Banished(_, pawn):
                    gain += pawn.step
                case TakenAlong(seat, pawn, _, end):
                    gain += (end - pawn.step) * (1 if seat == pawn.colour else -0.5)
                case _:
                    pass
        return gain

    def _danger(self, seat: Colour, step: int, pawns: Pawns) -> float:
        """Return what a pawn on this step risks: its way so far, by how many could reach it."""
        board = self._settings.board
        if not 0 < step < CITY or board.field(seat, step) in self._safe(seat):
            return 0.0
        index = board.field(seat, step)
        ways = (
            board.step(other, index) - at
            for other, camp in pawns.items()
            for at in camp
            if other != seat and 0 < at < CITY
        )
        return step * min(0.6, 0.12 * sum(0 < way < BARRELS for way in ways))

    def _safe(self, seat: Colour) -> tuple[int, ...]:
        board = self._settings.board
        return board.protected(seat) + (board.castles(seat) if self._settings.profi else ())
