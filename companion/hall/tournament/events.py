"""What happens in a tournament, as data: each thing that people or tables did or decided."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from companion.core.codec import pack, unpack
from companion.core.game import verb
from companion.referee.people.person import Animal
from companion.system import errors, format_names

# who came first, second, ...; those who share a place together
Places = tuple[tuple[str, ...], ...]


@format_names.format_name("Mode")
class Mode(Enum):
    CASUAL = "casual"
    POINTS = "points"
    KNOCK_OUT = "knock-out"

    @property
    def said(self) -> str:
        """Return what people call it in English."""
        return {"casual": "casual", "points": "rounds with points"}.get(self.value, self.value)


@dataclass(frozen=True, slots=True)
class TableAssignment:
    """Who plays at a table, in the order of their seats."""

    table: str | None  # None: the next one that becomes free
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TournamentEvent:
    """One thing that happened."""


@dataclass(frozen=True, slots=True)
class CheckedIn(TournamentEvent):
    """Somebody came to play; the name is blank once that person wants to be forgotten."""

    person: str  # just a number drawn at random
    name: str
    animal: Animal


@dataclass(frozen=True, slots=True)
class Left(TournamentEvent):
    """Somebody went, perhaps in the middle of a match."""

    person: str


@dataclass(frozen=True, slots=True)
class CameBack(TournamentEvent):
    """Somebody who had left is here again."""

    person: str


@dataclass(frozen=True, slots=True)
class TableAdded(TournamentEvent):
    table: str


@dataclass(frozen=True, slots=True)
class TableBroke(TournamentEvent):
    """Nobody can play at a table any more; whoever did moves to the next one that is free."""

    table: str


@dataclass(frozen=True, slots=True)
class TableMended(TournamentEvent):
    """A table that was broken works again."""

    table: str


@dataclass(frozen=True, slots=True)
class Chosen(TournamentEvent):
    """What is played from now on, and how; the limits are those of the game."""

    game: str
    mode: Mode
    fewest: int  # players at a table
    most: int
    wanted: int  # how many at a table, where the numbers allow it
    go_on: int = 2  # of each table, in a knock-out


@dataclass(frozen=True, slots=True)
class ProposedRound(TournamentEvent):
    """A round that could be played next; nobody has sat down yet."""

    placings: tuple[TableAssignment, ...]
    byes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LastMatch:
    table: str
    match: str  # as its journal names it; "": none


@dataclass(frozen=True, slots=True)
class Begun(TournamentEvent):
    """The proposed round is played; if tables report a new match, it belongs to this one."""

    before: tuple[LastMatch, ...] = ()


@dataclass(frozen=True, slots=True)
class ResultEntered(TournamentEvent):
    """How a match ended, by hand or from its table's log."""

    match: int
    places: Places
    by: str = ""  # who entered it; "" is the table itself


@dataclass(frozen=True, slots=True)
class ResultCorrected(TournamentEvent):
    """How a match really ended; it counts as if nothing else had ever been said."""

    match: int
    places: Places
    by: str = ""


@dataclass(frozen=True, slots=True)
class MatchCancelled(TournamentEvent):
    """A match ends without a result."""

    match: int


@dataclass(frozen=True, slots=True)
class RoundCancelled(TournamentEvent):
    """Whatever is still played in a round ends without a result."""

    round: int


EVENTS: Final = {
    verb(kind): kind
    for kind in (
        *(CheckedIn, Left, CameBack, TableAdded, TableBroke, TableMended),
        *(Chosen, ProposedRound, Begun),
        *(ResultEntered, ResultCorrected, MatchCancelled, RoundCancelled),
    )
}


def to_json(event: TournamentEvent) -> dict[str, Any]:
    """Return an event as JSON can carry it.

    >>> to_json(Left("a1"))
    {'did': 'left', 'person': 'a1'}
    """
    return {"did": verb(type(event)), **pack(event)}


def from_json(data: Mapping[str, Any]) -> TournamentEvent:
    """Return the event that was written; raise Unreadable for what this version does not know.

    >>> from_json({"did": "left", "person": "a1"})
    Left(person='a1')
    """
    kind = data.get("did")
    if not isinstance(kind, str) or kind not in EVENTS:
        raise errors.Unreadable(
            "'{kind}' is not known in an evening; use the version that wrote it, or a newer one.",
            kind=str(kind)[:40],
        )
    return unpack(EVENTS[kind], {name: part for name, part in data.items() if name != "did"}, kind)
