"""What is asked back where sensors see otherwise than people claim, and what is noted of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.present.reader import Reader
from companion.referee.claims import Insisted, Objection
from companion.referee.snapshot import Snapshot
from companion.text import SeatName, Text

ASKS: Final = {
    Objection.NO_BARREL: Text(
        "The sensors see no barrel in front of {seat:@{seat}|you}. Placed anyway?"
    ),
    Objection.UPRIGHT: Text("The sensors do not see every barrel upside down. Flipped anyway?"),
    Objection.ELSEWHERE: Text(
        "The sensors say that the barrel with that number stands elsewhere. Is the number right "
        "anyway?"
    ),
}
NOTED: Final = {
    Objection.NO_BARREL: Text(
        "{seat:@{seat} has|You have} placed a barrel, though the sensors saw none: you said so."
    ),
    Objection.UPRIGHT: Text(
        "All barrels are flipped, though the sensors did not see it: you said so."
    ),
    Objection.ELSEWHERE: Text(
        "The number of {seat:@{seat}'s|your} barrel is not the one the sensors expect: you said so."
    ),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim that is asked back, and by whom it can be answered."""

    text: str
    seat: str  # empty: it is about all
    question: str
    mine: bool  # this reader may answer


def asked(now: Snapshot, reader: Reader) -> list[Asked]:
    """Return all that is asked back now."""
    return [
        Asked(
            claim.text,
            claim.seat or "",
            _said(ASKS[claim.objection], claim.seat, reader),
            reader.acts and (claim.seat is None or reader.may_act_for(claim.seat)),
        )
        for claim in now.claims
    ]


def noted(now: Snapshot, reader: Reader) -> list[str]:
    """Return what people claimed against the sensors, and stood to."""
    return [insisted(one, reader) for one in now.insisted]


def insisted(one: Insisted, reader: Reader) -> str:
    """Return what is noted of a claim to which people stood."""
    said = _said(NOTED[one.objection], one.seat, reader)
    if not one.round:
        return said
    return reader.say("Round {round}: {foul}", round=one.round, foul=said)


def _said(text: Text, seat: str | None, reader: Reader) -> str:
    whose = {} if seat is None else {"seat": SeatName[seat.upper()]}
    return reader.say(Text(text.template, **whose))
