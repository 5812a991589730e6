"""How the guests of an evening are ranked, and by what: one order for each mode, in a sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from companion.core.game import Outcome
from companion.hall.evening.deeds import Mode, Places
from companion.hall.evening.evening import Evening, Match
from companion.hall.evening.knock_out import beaten, rounds_of_contest
from companion.hall.evening.limits import points
from companion.text import Text

BYE: Final = 60  # tenths of a point: what a match brings on average

BY: Final = {
    Mode.CASUAL: Text(
        "Whoever has won most often is first; if that is equal, whoever has more points."
    ),
    Mode.POINTS: Text(
        "Whoever has the most points is first: 12 for a win, none for last place, even steps in "
        "between, and 6 for a bye or a cancelled match, which is what a match brings on average. "
        "If that is equal, more wins count, then opponents with more points, because those were "
        "the harder matches."
    ),
    Mode.KNOCK_OUT: Text(
        "Whoever got further is first; of those who went out in the same round, whoever finished "
        "ahead at the table, then whoever has more points."
    ),
}
SHARED: Final = Text("Players who are equal in all of this share the place.")


@dataclass(slots=True)
class Tally:
    """What somebody's matches came to."""

    games: int = 0
    byes: int = 0  # including cancelled matches; in a casual evening, whoever waits just waits
    wins: int = 0
    points: int = 0  # in tenths
    last: int = 0  # the place in the latest match
    opponents: int = 0  # points of an opponent, on average, in thousandths of a tenth


@dataclass(frozen=True, slots=True)
class Standing:
    """Where somebody stands; several may share a place."""

    place: int
    person: str
    tally: Tally
    still_in: bool = True  # in a knock-out


def standings(evening: Evening) -> tuple[Standing, ...]:
    """Return the ranking of all who have played or are here, the first place first."""
    mode = evening.chosen.mode if evening.chosen else Mode.CASUAL
    tallies = tally(evening, rounds_of_contest(evening))
    people = [one for one in evening.guests if one in tallies or evening.guests[one].here]
    out = beaten(evening) if mode is Mode.KNOCK_OUT else {}
    inside = len(evening.rounds)

    def order(one: str) -> tuple[int, ...]:
        found = tallies[one]
        match mode:
            case Mode.CASUAL:
                return -found.wins, -found.points
            case Mode.POINTS:
                return -found.points, -found.wins, -found.opponents
        return -out.get(one, inside), found.last if one in out else 0, -found.points

    people.sort(key=order)
    shown, ahead = [], 0
    for _, sharing in groupby(people, order):
        equals = [Standing(ahead + 1, one, tallies[one], one not in out) for one in sharing]
        shown += equals
        ahead += len(equals)
    return tuple(shown)


def tally(evening: Evening, rounds: Iterable[object]) -> defaultdict[str, Tally]:
    """Return what everybody's matches of some rounds came to."""
    found: defaultdict[str, Tally] = defaultdict(Tally)
    met: defaultdict[str, list[str]] = defaultdict(list)
    counted = {*map(id, rounds)}
    for round_ in evening.rounds:
        if id(round_) not in counted:
            continue
        resting = [*round_.byes]
        for match in evening.of_round(round_.id):
            if match.cancelled:  # through no fault of theirs
                resting += match.players
            _count(match, found)
            for one in match.players if match.result else ():
                met[one] += [other for other in match.players if other != one]
        for one in () if round_.chosen.mode is Mode.CASUAL else resting:
            found[one].byes += 1
            found[one].points += BYE
    for one, others in met.items():
        total = sum(found[other].points for other in others)
        found[one].opponents = total * 1000 // len(others)
    return found


def _count(match: Match, found: defaultdict[str, Tally]) -> None:
    if match.result is not None:
        worth = points(tuple(map(len, match.result)))
        for place, (people, each) in enumerate(zip(match.result, worth, strict=True), 1):
            for one in people:
                found[one].games += 1
                found[one].wins += place == 1
                found[one].points += each
                found[one].last = place


def places(outcome: Outcome, sitting: dict[int, str]) -> Places:
    """Return who came first, second, ... as a table's log says: winners, then by their scores.

    >>> places(Outcome((1,), ((0, 7), (1, 7), (2, 3))), {0: "a", 1: "b", 2: "c"})
    (('b',), ('a',), ('c',))
    """
    scores = dict(outcome.scores)
    order = sorted(sitting, key=lambda seat: (seat not in outcome.winners, -scores[seat]))
    rank = groupby(order, lambda seat: seat in outcome.winners or -scores[seat])
    return tuple(tuple(sitting[seat] for seat in sharing) for _, sharing in rank)
