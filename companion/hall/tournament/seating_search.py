"""Finds who sits with whom: up to twelve people exactly, and more by many small swaps.

Seating one table after the other is the classic mistake: the last table gets whoever is left. Here
a whole round is weighed at once. Swaps are accepted by *late acceptance*: whatever is no worse than
what was there some swaps ago. This asks only which of two is better, so rules in an order need no
weights against each other.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice
from random import Random
from typing import Final

from companion.hall.tournament.tournament import MeetingHistory
from companion.system.chance import below, mixed

Group = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatingRules:
    """What a seating is judged by.

    In this order: how often those at a table have met, how often those who play have played, how
    often they sat in that place already, and the square of what is between their strengths.
    """

    past: MeetingHistory
    apart: bool = False  # are the strong kept apart?

    def between(self, player: str, other: str) -> int:
        """Return what it costs if two of different strength meet."""
        strength = self.past.strength
        square = (strength[player] - strength[other]) ** 2
        return FARTHEST - square if self.apart else square


FARTHEST = 1 << 20  # the square of the greatest difference in strength: a thousand places


def seated(group: Group, past: MeetingHistory) -> Group:
    """Return a group in the order in which each has been seldom; of several, the first."""
    sat = past.sat

    @cache
    def best(rest: Group) -> tuple[int, Group]:
        place = len(group) - len(rest)
        cheapest: tuple[int, Group] = (0, ())
        for at, player in enumerate(rest):
            cost, others = best(rest[:at] + rest[at + 1 :])
            cost += sat[player, place]
            if not at or cost < cheapest[0]:
                cheapest = cost, (player, *others)
        return cheapest

    return best(group)[1]


EXACT: Final = 12
STEP: Final = 40  # bits: no rule's cost comes near to 2 ** 40
MEMORY: Final = 50  # swaps after which a seating must be no worse
SWAPS: Final = 600  # for each person, in each try
ALL_SWAPS: Final = 120_000  # in all tries: half a second on a desktop PC; more people get fewer

People = tuple[int, ...]
Groups = list[list[int]]


@dataclass(frozen=True, slots=True)
class SeatingProblem:
    """Who has to be seated: those who must play, and those of whom the surplus rests."""

    must: tuple[str, ...]
    may: tuple[str, ...]
    sizes: tuple[int, ...]

    @property
    def rest(self) -> int:
        """Return how many of those who may rest do so."""
        return len(self.must) + len(self.may) - sum(self.sizes)


def search(
    question: SeatingProblem, rules: SeatingRules, seed: int, exact: int = EXACT
) -> tuple[Group, ...]:
    """Return the groups that cost least, each in the order of its seats."""
    chance = Random(seed)  # noqa: S311 - who sits with whom is no secret
    everybody = mixed(chance, (*question.must, *question.may))
    board = SeatingCosts(everybody, {*question.may}, rules)
    if len(everybody) <= exact:
        groups = _exactly(board, question)
    else:
        groups = _by_swaps(board, question, chance)
    return tuple(seated(tuple(everybody[index] for index in group), rules.past) for group in groups)


class SeatingCosts:
    """People as numbers, and what groups of them cost as one number each."""

    def __init__(self, people: Sequence[str], may_rest: set[str], rules: SeatingRules) -> None:
        past = rules.past
        self.count = len(people)
        self.met = [[past.met[player, other] for other in people] for player in people]
        self.may_rest = [player in may_rest for player in people]
        self._between = [[rules.between(player, other) for other in people] for player in people]
        self._games = [past.games[player] for player in people]
        places = range(max((place for _, place in past.sat), default=0) + 6)
        self._sat = [[past.sat[player, place] for place in places] for player in people]
        self._costs: dict[People, int] = {}

    def cost(self, group: Sequence[int]) -> int:
        """Return what a group costs, in its best order of seats."""
        people = tuple(sorted(group))
        if people not in self._costs:
            self._costs[people] = self._cost(people)
        return self._costs[people]

    def repeats(self, group: Sequence[int]) -> int:
        """Return how often those of a group have met: it is quick to find, and decides the most."""
        met = self.met
        return sum([met[player][other] for player, other in combinations(group, 2)]) << 3 * STEP

    def _cost(self, group: People) -> int:
        between = self._between
        strength = sum([between[player][other] for player, other in combinations(group, 2)])
        games = sum([self._games[player] for player in group])
        return self.repeats(group) + ((games << STEP) + self._seats(group) << STEP) + strength

    def _seats(self, group: People) -> int:
        """Return what the best order of seats costs: place after place, for each set of people."""
        best = {0: 0}
        for place in range(len(group)):
            then: dict[int, int] = {}
            for taken, cost in best.items():
                for at, player in enumerate(group):
                    bit = 1 << at
                    if not taken & bit:
                        now = cost + self._sat[player][place]
                        if now < then.get(taken | bit, now + 1):
                            then[taken | bit] = now
            best = then
        return best[(1 << len(group)) - 1]


def _exactly(board: SeatingCosts, question: SeatingProblem) -> tuple[People, ...]:
    """Return the best of all ways: the first of those left chooses company."""

    @cache
    def best(left: People, sizes: People, rest: int) -> tuple[int, tuple[People, ...]]:
        if not left:
            return 0, ()
        first, others = left[0], left[1:]
        cheapest: tuple[int, tuple[People, ...]] | None = None
        if rest and board.may_rest[first]:
            cheapest = best(others, sizes, rest - 1)
        for size in dict.fromkeys(sizes):
            fewer = list(sizes)
            fewer.remove(size)
            for company in combinations(others, size - 1):
                without = tuple(player for player in others if player not in company)
                cost, groups = best(without, tuple(fewer), rest)
                cost += board.cost((first, *company))
                if cheapest is None or cost < cheapest[0]:
                    cheapest = cost, ((first, *company), *groups)
        return cheapest or (IMPOSSIBLE, ())

    return best(tuple(range(board.count)), question.sizes, question.rest)[1]


IMPOSSIBLE: Final = 1 << 5 * STEP


def _by_swaps(board: SeatingCosts, question: SeatingProblem, chance: Random) -> tuple[People, ...]:
    """Return the best that several tries find; each begins with another seating.

    At first a try looks at nothing but who met before: the later rules would only bar its way.
    """
    swaps = min(ALL_SWAPS, SWAPS * board.count)
    tries = []
    for _ in range(ALL_SWAPS // swaps):
        groups = _first(board, question, chance)
        groups = _walk(board, groups, chance, swaps, board.repeats)
        tries.append(_walk(board, groups, chance, swaps, board.cost)[:-1])
    best = min(tries, key=lambda groups: sum(map(board.cost, groups)))
    return tuple(tuple(sorted(group)) for group in best)


def _walk(
    board: SeatingCosts,
    groups: Groups,
    chance: Random,
    swaps: int,
    price: Callable[[Sequence[int]], int],
) -> Groups:
    """Return the best seating on a way of many swaps; the last group is who rests."""
    at = {player: place for place, group in enumerate(groups) for player in group}
    resting = len(groups) - 1
    costs = [*map(price, groups[:-1]), 0]
    now = best = sum(costs)
    kept, memory = [*groups], [now] * MEMORY
    for swap in range(swaps):
        if not best:
            break
        first, other = below(chance, board.count), below(chance, board.count)
        here, there = at[first], at[other]
        if here == there or (there == resting and not board.may_rest[first]):
            continue
        if here == resting and not board.may_rest[other]:
            continue
        mine, theirs = _swapped(groups[here], first, other), _swapped(groups[there], other, first)
        limit = max(now, memory[swap % MEMORY])
        base = now - costs[here] - costs[there]
        repeats = (here != resting and board.repeats(mine)) + (
            there != resting and board.repeats(theirs)
        )
        if base + repeats <= limit:  # otherwise the rest cannot make up for it
            cost_here = 0 if here == resting else price(mine)
            cost_there = 0 if there == resting else price(theirs)
            if base + cost_here + cost_there <= limit:
                groups[here], groups[there] = mine, theirs
                costs[here], costs[there] = cost_here, cost_there
                at[first], at[other] = there, here
                now = base + cost_here + cost_there
                if now < best:
                    best, kept = now, [*groups]
        memory[swap % MEMORY] = min(now, memory[swap % MEMORY])
    return kept


def _first(board: SeatingCosts, question: SeatingProblem, chance: Random) -> Groups:
    """Return some seating to begin with; whoever rests is the last group."""
    order = mixed(chance, range(board.count))
    rest = [player for player in order if board.may_rest[player]][: question.rest]
    playing = iter([player for player in order if player not in {*rest}])
    return [*([next(playing) for _ in range(size)] for size in question.sizes), rest]


def _swapped(group: list[int], goes: int, comes: int) -> list[int]:
    return [comes if player == goes else player for player in group]


Met = Counter[tuple[str, str]]
PEOPLE: Final = 64  # with more there are too many ways to consider
MOST: Final = 2_000  # ways that are compared
TRIES: Final = 300_000  # groups that are considered at most: half a second on a desktop computer


def farsighted(
    groups: Sequence[Group],
    rules: SeatingRules,
    question: SeatingProblem,
    then: Callable[[Sequence[Group]], SeatingProblem],
) -> tuple[Group, ...]:
    """Return the best seating after which the next round needs no repeat; if there is none, this.

    `then` says who plays in the round after some groups.
    """
    past, best, tries = rules.past, tuple(groups), iter(range(TRIES))
    everybody = (*question.must, *question.may)
    board, number = SeatingCosts(everybody, set(), rules), everybody.index

    def price(groups: Sequence[Group]) -> int:
        return sum(board.cost([number(player) for player in group]) for group in groups)

    def goes_on(groups: Sequence[Group]) -> bool:
        pairs = [pair for group in groups for pair in combinations(group, 2)]
        met = past.met + Counter([*pairs, *(pair[::-1] for pair in pairs)])
        return next(without_repeats(then(groups), met, tries), None) is not None

    if not past.met or len(everybody) > PEOPLE:
        return best  # while nobody has met anybody, one seating is as good as another
    meet_again = any(past.met[pair] for group in best for pair in combinations(group, 2))
    if meet_again or goes_on(best):
        return best
    ways = islice(without_repeats(question, past.met, tries), MOST)
    seats = (tuple(seated(group, past) for group in way) for way in ways)
    return next(filter(goes_on, sorted(seats, key=price)), best)


def without_repeats(
    question: SeatingProblem, met: Met, tries: Iterator[int]
) -> Iterator[tuple[Group, ...]]:
    """Yield every way to seat people so that nobody meets anybody again, until tries end."""

    def ways(left: Group, sizes: tuple[int, ...], rest: int) -> Iterator[tuple[Group, ...]]:
        if not left:
            yield ()
            return
        first, others = left[0], left[1:]
        if rest and first in may:
            yield from ways(others, sizes, rest - 1)
        strangers = [player for player in others if not met[first, player]]
        for size in dict.fromkeys(sizes):
            fewer = [*sizes]
            fewer.remove(size)
            for company, _ in zip(combinations(strangers, size - 1), tries, strict=False):
                if not any(met[pair] for pair in combinations(company, 2)):
                    without = tuple(player for player in others if player not in company)
                    for way in ways(without, tuple(fewer), rest):
                        yield ((first, *company), *way)

    may = {*question.may}
    yield from ways((*question.must, *question.may), question.sizes, question.rest)
