"""What each seat is doing, in a word or two."""

from __future__ import annotations

from dataclasses import dataclass

from companion.present.reader import Reader
from companion.referee.snapshot import Snapshot
from companion.text import seat_word


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat in the row of all."""

    colour: str
    doing: str
    number: int | None = None  # what its barrel has shown
    fails: bool = False
    turn: bool = False  # everybody waits for it
    asked: bool = False
    home: int = 0
    yours: bool = False


def may_have_go_on(now: Snapshot, seat: str, reader: Reader) -> bool:
    """Tell whether a phone may roll or draw for a seat: a bot that waits, anybody has go on."""
    bots = now.house.bots if now.house else ()
    plays_itself = seat in [seat_word(bot.seat) for bot in bots]
    return reader.may_act_for(seat) or (reader.acts and plays_itself)


def joining(now: Snapshot, reader: Reader) -> list[SeatLine]:
    """Return the seats before a match, clockwise."""
    said = reader.say("plays too")
    return [SeatLine(one.colour, said, yours=reader.seat == one.colour) for one in now.seats]
