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


@dataclass(frozen=True, slots=True)
class BarrelGame:
    """What a game makes of barrels."""

    part: ClassVar[str] = "things"

    choosing: Callable[[Match], tuple[str, ...]]  # the seats, while barrels are shaken and placed
    # which stopper stands at which seat, till then
    standing: Callable[[Match], tuple[tuple[str, int], ...]]
    placed: Callable[[Match, Placed, float], Deeds]  # a stopper counts from this certainty on
    taken: Callable[[Match, Taken], Deeds]  # a barrel has left its pad
    flipped: Callable[[Match, Stoppers], Deeds]  # these barrels stand on their heads
    unflipped: Callable[[Match, Stoppers], tuple[str, ...]]  # seats among these that still have to
    # from an event: numbers read, a foul's cost
    follows: Callable[[Match, MatchEvent, NumberOf], Deeds]
    costs: Callable[[Match, Foul], Costs] = lambda *_: ()  # what upholding it now may cost
    # to a claim
    objection: Callable[[Match, Action, Senses, NumberOf], Objection | None] = lambda *_: None
    waits: tuple[type[Action], ...] = ()  # what has to wait while that is open


def barrel_game(match: Match) -> BarrelGame | None:
    """Return what a match is played with; None: no barrels."""
    return KITS[match.game.name].part(BarrelGame)
