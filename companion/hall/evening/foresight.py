"""Looks one round ahead: whom to seat now, so that nobody has to meet again in the next one.

What is best for each round is not best for an evening: after three rounds of pairs, six people may
have left only whom they met, though in five rounds each can meet each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from typing import Final

from companion.hall.evening.cost import Group, Weighed, seated
from companion.hall.evening.search import Question

Met = Counter[tuple[str, str]]
PEOPLE: Final = 64  # with more there are too many ways to consider
MOST: Final = 2_000  # ways that are compared
TRIES: Final = 300_000  # groups that are considered at most: half a second on a desktop computer


def farsighted(
    groups: Sequence[Group],
    weighed: Weighed,
    question: Question,
    then: Callable[[Sequence[Group]], Question],
) -> tuple[Group, ...]:
    """Return the best seating after which the next round needs no repeat; if there is none, this.

    `then` says who plays in the round after some groups.
    """
    past, found, tries = weighed.past, tuple(groups), iter(range(TRIES))

    def goes_on(groups: Sequence[Group]) -> bool:
        pairs = [pair for group in groups for pair in combinations(group, 2)]
        met = past.met + Counter([*pairs, *(pair[::-1] for pair in pairs)])
        return next(without_repeats(then(groups), met, tries), None) is not None

    if not past.met or len(question.must) + len(question.may) > PEOPLE:
        return found  # while nobody has met anybody, one seating is as good as another
    if weighed.of(found).repeats or goes_on(found):
        return found
    ways = islice(without_repeats(question, past.met, tries), MOST)
    seats = (tuple(seated(group, past) for group in way) for way in ways)
    return next(filter(goes_on, sorted(seats, key=weighed.of)), found)


def without_repeats(
    question: Question, met: Met, tries: Iterator[int]
) -> Iterator[tuple[Group, ...]]:
    """Yield every way to seat people so that nobody meets anybody again, until tries end."""

    def ways(left: Group, sizes: tuple[int, ...], rest: int) -> Iterator[tuple[Group, ...]]:
        if not left:
            yield ()
            return
        first, others = left[0], left[1:]
        if rest and first in may:
            yield from ways(others, sizes, rest - 1)
        strangers = [one for one in others if not met[first, one]]
        for size in dict.fromkeys(sizes):
            fewer = [*sizes]
            fewer.remove(size)
            for company, _ in zip(combinations(strangers, size - 1), tries, strict=False):
                if not any(met[pair] for pair in combinations(company, 2)):
                    without = tuple(one for one in others if one not in company)
                    for way in ways(without, tuple(fewer), rest):
                        yield ((first, *company), *way)

    may = {*question.may}
    yield from ways((*question.must, *question.may), question.sizes, question.rest)
