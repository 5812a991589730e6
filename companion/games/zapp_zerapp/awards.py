"""What people are honoured for after a match of Zapp Zerapp."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from companion.core.game import Event
from companion.games.zapp_zerapp.rules import (
    Banished,
    Colour,
    MagicNumber,
    Moved,
    Shown,
    TakenAlong,
)
from companion.games.zapp_zerapp.summary import best, players_of
from companion.present.awards import Award, Awards, most
from companion.text import SeatName, Text


def counted(happened: Sequence[Event]) -> Iterator[Award | None]:
    """Yield the awards, the finest first."""
    yield _best_shaker(happened)
    banished, walked, exact, back, took = (Counter[int]() for _ in range(5))
    magic = 0
    for event in happened:
        match event:
            case MagicNumber():
                magic = event.magic
            case Shown(seat, number):
                exact[seat] += number == magic
            case Moved(seat, start, end):
                walked[seat] += end - start
            case Banished(seat, pawn):
                banished[seat] += 1
                back[pawn.colour] += 1
            case TakenAlong(seat):
                took[seat] += 1
            case _:
                pass
    yield most(Text("Great banisher"), Text("sent {count} {count:#pawn|pawns} back"), banished)
    yield most(Text("Longest march"), Text("{count} {count:#field|fields} on foot"), walked)
    yield most(
        Text("Bull's eye"), Text("{count} {count:#time|times} exactly the magic number"), exact
    )
    yield most(Text("Good company"), Text("took {count} {count:#pawn|pawns} along"), took)
    yield most(Text("Never gives up"), Text("set out again {count} {count:#time|times}"), back)


def _best_shaker(happened: Sequence[Event]) -> Award | None:
    """Return who lost least for each spell; several, if they are equal in everything."""
    players = {one.seat: one for one in players_of(happened, [(colour, ()) for colour in Colour])}
    seats = best(players.values())
    if not seats or not players[seats[0]].worked:
        return None
    fact = Text(
        "{worked} of {spells} {spells:#spell|spells} worked",
        worked=players[seats[0]].worked,
        spells=players[seats[0]].spells,
    )
    return Award(Text("Best shaker"), tuple(map(SeatName, seats)), fact)


AWARDS: Final = Awards(counted)
