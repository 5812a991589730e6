"""Awards at the end of a match, at most three, for what really happened in it.

A game that has some brings `Awards`, a part of its plugin: it counts what happened, and names
nobody for what went wrong. The same match always gives the same awards.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from companion.core.game import Event
from companion.core.plugin import PLUGINS
from companion.referee.match import Match
from companion.system.text import SeatName, Text

MOST: Final = 3
SHARED: Final = 2  # this many can share an award; what more have is nothing special


@dataclass(frozen=True, slots=True)
class Award:
    title: Text
    seats: tuple[SeatName, ...]
    fact: Text  # what that rests on


@dataclass(frozen=True, slots=True)
class Awards:
    """Which awards a game knows, the finest first; it counts all that happened in a match."""

    part: ClassVar[str] = "awards"

    of: Callable[[Sequence[Event]], Iterable[Award | None]]


def most(title: Text, fact: Text, counts: Mapping[int, int]) -> Award | None:
    """Return an award for whoever has most; None: nobody has any, or too many have as much.

    >>> award = most(Text("Most sixes"), Text("{count} sixes"), {0: 3, 2: 5})
    >>> award and award.seats
    (<SeatName.BLUE: 2>,)
    """
    highest = max(counts.values(), default=0)
    seats = tuple(SeatName(seat) for seat in sorted(counts) if counts[seat] == highest)
    if highest <= 0 or len(seats) > SHARED:
        return None
    return Award(title, seats, Text(fact.template, count=highest))


def awards(match: Match) -> tuple[Award, ...]:
    """Return the awards of a match that is won; first those for seats that have none yet."""
    part = PLUGINS[match.game.name].part(Awards)
    if part is None or match.game.outcome(match.state) is None:
        return ()
    earned = [award for award in part.of([*happened(match)]) if award is not None]
    first, others, honoured = list[Award](), list[Award](), set[SeatName]()
    for award in earned:
        (others if {*award.seats} <= honoured else first).append(award)
        honoured |= {*award.seats}
    return tuple((first + others)[:MOST])


def happened(match: Match) -> Iterator[Event]:
    """Go through all that happened in a match, after all that was put right."""
    log = match.log
    for before, action, then in log.steps():
        yield from match.game.explain(before, action, then)
