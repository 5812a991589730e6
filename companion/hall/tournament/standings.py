"""Standings (leaderboard) of a tournament: ranks its guests by mode, and explains the order."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from types import MappingProxyType
from typing import Final

from openskill.models import PlackettLuce

from companion.core.game import Outcome
from companion.hall.tournament.events import Mode, Places
from companion.hall.tournament.limits import points
from companion.hall.tournament.tournament import Round, Tournament, TournamentMatch
from companion.system.text import Text


def entrants(tournament: Tournament) -> tuple[str, ...]:
    """Return who is or was in the present knock-out, or would be if it began."""
    rounds = rounds_of_contest(tournament)
    if not rounds:
        return tournament.here
    players = (player for match in tournament.of_round(rounds[0].id) for player in match.players)
    return (*players, *rounds[0].byes)


def rounds_of_contest(tournament: Tournament) -> tuple[Round, ...]:
    """Return the rounds that count together with what is played now."""
    return tuple(
        round_
        for round_ in tournament.rounds
        if round_.contest == tournament.contest and not round_.cancelled
    )


def still_in(tournament: Tournament) -> tuple[str, ...]:
    """Return who has not been beaten and is here, even while matches of this round run."""
    out = beaten(tournament)
    return tuple(
        player
        for player in entrants(tournament)
        if player not in out and tournament.guests[player].here
    )


def beaten(tournament: Tournament) -> dict[str, int]:
    """Return who is out, and in which round they were beaten or had left."""
    inside, out = {*entrants(tournament)}, dict[str, int]()
    for round_ in rounds_of_contest(tournament):
        gone = inside & round_.absent
        for match in tournament.of_round(round_.id):
            order = [player for place in match.result or () for player in place if player in inside]
            gone.update(order[count_going_on(tournament, match) :])
        out |= dict.fromkeys(gone, round_.id)
        inside -= gone
    return out


def count_going_on(tournament: Tournament, match: TournamentMatch) -> int:
    """Return how many of a match go on: fewer than play it, and of a final nobody but the first."""
    round_ = tournament.rounds[match.round]
    if len(tournament.of_round(match.round)) == 1 and not round_.byes:
        return 1
    return max(1, min(round_.chosen.go_on, len(match.players) - 1))


def undecided(places: Collection[tuple[str, ...]], most: int) -> tuple[str, ...]:
    """Return those who share the place that decides who goes on.

    >>> undecided((("a",), ("b", "c")), 2), undecided((("a", "b"), ("c",)), 2)
    (('b', 'c'), ())
    """
    ahead = 0
    for place in places:
        if ahead < most < ahead + len(place):
            return place
        ahead += len(place)
    return ()


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
class MatchSums:
    """What somebody's matches came to."""

    games: int = 0
    byes: int = 0  # including cancelled matches; in a casual tournament, whoever waits just waits
    wins: int = 0
    points: int = 0  # in tenths
    last: int = 0  # the place in the latest match
    opponents: int = 0  # points of an opponent, on average, in thousandths of a tenth


@dataclass(frozen=True, slots=True)
class Rank:
    """Where somebody stands; several may share a place."""

    place: int
    person: str
    tally: MatchSums
    still_in: bool = True  # in a knock-out


def standings(tournament: Tournament) -> tuple[Rank, ...]:
    """Return the ranking of all who have played or are here, the first place first."""
    mode = tournament.chosen.mode if tournament.chosen else Mode.CASUAL
    tallies = tally(tournament, rounds_of_contest(tournament))
    people = [
        person
        for person in tournament.guests
        if person in tallies or tournament.guests[person].here
    ]
    out = beaten(tournament) if mode is Mode.KNOCK_OUT else {}
    inside = len(tournament.rounds)

    def order(person: str) -> tuple[int, ...]:
        sums = tallies[person]
        match mode:
            case Mode.CASUAL:
                return -sums.wins, -sums.points
            case Mode.POINTS:
                return -sums.points, -sums.wins, -sums.opponents
        return -out.get(person, inside), sums.last if person in out else 0, -sums.points

    people.sort(key=order)
    shown, ahead = [], 0
    for _, sharing in groupby(people, order):
        equals = [Rank(ahead + 1, person, tallies[person], person not in out) for person in sharing]
        shown += equals
        ahead += len(equals)
    return tuple(shown)


def tally(tournament: Tournament, rounds: Iterable[Round]) -> defaultdict[str, MatchSums]:
    """Return what everybody's matches of some rounds came to."""
    sums: defaultdict[str, MatchSums] = defaultdict(MatchSums)
    met: defaultdict[str, list[str]] = defaultdict(list)
    for round_ in rounds:
        resting = [*round_.byes]
        for match in tournament.of_round(round_.id):
            if match.cancelled:  # through no fault of theirs
                resting += match.players
            _count(match, sums)
            for person in match.players if match.result else ():
                met[person] += [other for other in match.players if other != person]
        for person in () if round_.chosen.mode is Mode.CASUAL else resting:
            sums[person].byes += 1
            sums[person].points += BYE
    for person, others in met.items():
        total = sum(sums[other].points for other in others)
        sums[person].opponents = total * 1000 // len(others)
    return sums


def _count(match: TournamentMatch, sums: defaultdict[str, MatchSums]) -> None:
    if match.result is not None:
        worth = points(tuple(map(len, match.result)))
        for place, (people, each) in enumerate(zip(match.result, worth, strict=True), 1):
            for player in people:
                sums[player].games += 1
                sums[player].wins += place == 1
                sums[player].points += each
                sums[player].last = place


def places(outcome: Outcome, sitting: dict[int, str]) -> Places:
    """Return who came first, second, ... as a table's log says: winners, then by their scores.

    >>> places(Outcome((1,), ((0, 7), (1, 7), (2, 3))), {0: "a", 1: "b", 2: "c"})
    (('b',), ('a',), ('c',))
    """
    scores = dict(outcome.scores)
    order = sorted(sitting, key=lambda seat: (seat not in outcome.winners, -scores[seat]))
    rank = groupby(order, lambda seat: seat in outcome.winners or -scores[seat])
    return tuple(tuple(sitting[seat] for seat in sharing) for _, sharing in rank)


START: Final = 1000  # where everybody begins; the rest is in the library's proportions to it
SPREAD: Final = START / 3


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed about somebody's strength."""

    mean: float = START
    spread: float = SPREAD  # one standard deviation
    matches: int = 0

    @property
    def points(self) -> int:
        return round(self.mean)

    @property
    def off(self) -> int:
        """Return how far it may be off: no farther in 19 of 20 cases, if the model is right."""
        return round(2 * self.spread)

    @property
    def sure(self) -> int:
        """Return what is certain of it, by which people are ranked."""
        return self.points - self.off


NEW: Final = Rating()
NOBODY: Final[Mapping[str, Rating]] = MappingProxyType({})


def rated(results: Iterable[Places], before: Mapping[str, Rating] = NOBODY) -> dict[str, Rating]:
    """Return everybody's rating after some more matches."""
    ratings, model = {**before}, _model()
    for places in results:
        people = [player for place in places for player in place]
        ranks = [float(rank) for rank, place in enumerate(places) for _ in place]
        if len(people) < 2:
            continue
        was = [ratings.get(player, NEW) for player in people]
        teams = [[model.rating(mu=rating.mean, sigma=rating.spread)] for rating in was]
        for player, old, (now,) in zip(people, was, model.rate(teams, ranks=ranks), strict=True):
            ratings[player] = Rating(now.mu, now.sigma, old.matches + 1)
    return ratings


@cache
def _model() -> PlackettLuce:
    return PlackettLuce(mu=START, sigma=SPREAD, beta=SPREAD / 2, tau=SPREAD / 100)
