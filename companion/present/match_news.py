"""What happened to a match beside its game's events: begun, put right, taken back, ruled on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.referee.match import Foul
from companion.referee.snapshot import Snapshot
from companion.text import SeatName, Text

WITHDRAWN: Final = "withdrawn"


def begun(now: Snapshot) -> Iterator[Text]:
    """Yield who plays, once a match has begun."""
    if now.match is not None:
        seats = tuple(SeatName[seat.colour.upper()] for seat in now.seats)
        yield Text("{seats:and} {seats:#plays|play}.", seats=seats)


def put_right(then: Snapshot, now: Snapshot) -> Iterator[Text]:
    """Yield what people have undone or put right between two snapshots of a match."""
    if now.version == then.version:
        return
    rules = then.unrules
    if now.dropped > then.dropped or (now.acted == then.acted and now.view != then.view):
        yield Text("An earlier entry was corrected.")
    elif now.acted < then.acted:
        for event in then.undoes[:1]:
            yield Text("Taken back: {what}", what=Text(event.template, **event.values))
    elif rules is not None and _upheld(rules, now) is None:
        yield Text("A ruling is taken back.")
    elif then.over and not now.over:
        yield Text("The match goes on.")


def ruled(then: Snapshot, now: Snapshot) -> Iterator[Foul]:
    """Yield the fouls on which the table has ruled since, and those withdrawn."""
    known = {foul.raised.foul: _state(foul) for foul in then.fouls}
    for foul in now.fouls:
        state = _state(foul)
        if state is not None and known.get(foul.raised.foul, state) != state:
            yield foul


def _state(foul: Foul) -> object:
    """Return how a foul ended; None: it did not yet."""
    return WITHDRAWN if foul.raised.weight == WITHDRAWN else foul.upheld


def _upheld(ruling: Foul, now: Snapshot) -> bool | None:
    """Return how the table has ruled on this foul by now."""
    same = (foul.upheld for foul in now.fouls if foul.raised.foul == ruling.raised.foul)
    return next(same, None)
