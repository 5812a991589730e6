"""The contract of a game that is played with barrels: what their doings mean in a match of it.

Whoever keeps it asks for a barrel's number only once all are flipped. A game that leaves it out is
played without barrels.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import ClassVar, Final

from companion.core.game import Action
from companion.core.plugin import KITS
from companion.referee.claims import Objection, Senses
from companion.referee.events import MatchEvent
from companion.referee.match import Foul, Match
from companion.referee.ports import NumberOf
from companion.sensing.events import Placed, Taken

SENSORS: Final = "sensors"  # by whom it was entered

Deeds = Sequence[MatchEvent]
Costs = tuple[tuple[str, Action], ...]  # for each seat that it may be
Stoppers = AbstractSet[int]


def nothing(match: Match, foul: Foul) -> Costs:  # noqa: ARG001 - the contract has it
    """Say that a foul costs nothing."""
    return ()


def trusts(match: Match, action: Action, senses: Senses, number_of: NumberOf) -> Objection | None:  # noqa: ARG001 - the contract has it
    """Object to nothing."""
    return None


@dataclass(frozen=True, slots=True)
class BarrelGame:
    """What a game makes of barrels."""

    part: ClassVar[str] = "things"

    choosing: Callable[[Match], tuple[str, ...]]  # the seats, while barrels are shaken and placed
    standing: Callable[
        [Match], tuple[tuple[str, int], ...]
    ]  # which stopper at which seat, till then
    placed: Callable[[Match, Placed, float], Deeds]  # a stopper counts from this certainty on
    taken: Callable[[Match, Taken], Deeds]  # a barrel has left its pad
    flipped: Callable[[Match, Stoppers], Deeds]  # these barrels stand on their heads
    unflipped: Callable[[Match, Stoppers], tuple[str, ...]]  # seats among these that still have to
    follows: Callable[
        [Match, MatchEvent, NumberOf], Deeds
    ]  # from a deed: numbers read, a foul's cost
    costs: Callable[[Match, Foul], Costs] = nothing  # what upholding it now may cost
    objection: Callable[[Match, Action, Senses, NumberOf], Objection | None] = trusts  # to a claim
    waits: tuple[type[Action], ...] = ()  # what has to wait while that is open


def things(match: Match) -> BarrelGame | None:
    """Return what a match is played with; None: no barrels."""
    return KITS[match.game.name].part(BarrelGame)
