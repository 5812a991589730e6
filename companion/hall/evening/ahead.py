"""Looks one round ahead, where few play: whom to seat now, so that nobody has to meet again then.

Round by round the best is not the best of an evening: after three rounds of pairs, six people may
have left only whom they met, though in five rounds each can meet each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice
from typing import Final

from companion.hall.evening.cost import Group, Weighed, seated
from companion.hall.evening.search import EXACT, Question

Met = Counter[tuple[str, str]]
LOOKS: Final = 200  # seatings of which it is looked what comes after them, the best first


def farsighted(
    groups: Sequence[Group],
    weighed: Weighed,
    question: Question,
    then: Callable[[Sequence[Group]], Question],
) -> tuple[Group, ...]:
    """Return the best seating after which the next round needs no repeat; if there is none, this.

    `then` says who plays in the round after some groups.
    """
    past, found = weighed.past, tuple(groups)
    many = len(question.must) + len(question.may) > EXACT
    if many or not past.met or weighed.of(found).repeats or _goes_on(found, past.met, then):
        return found  # nobody has met anybody yet: then one seating is as good as another
    ways = [
        tuple(seated(group, past) for group in way) for way in without_repeats(question, past.met)
    ]
    ways.sort(key=weighed.of)
    return next((one for one in ways[:LOOKS] if _goes_on(one, past.met, then)), found)


def _goes_on(
    groups: Sequence[Group], met: Met, then: Callable[[Sequence[Group]], Question]
) -> bool:
    pairs = [pair for group in groups for pair in combinations(group, 2)]
    after = met + Counter([*pairs, *(pair[::-1] for pair in pairs)])
    return any(True for _ in islice(without_repeats(then(groups), after), 1))


def without_repeats(question: Question, met: Met) -> Iterator[tuple[Group, ...]]:
    """Yield every way to seat people so that nobody meets anybody again."""

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
            for company in combinations(strangers, size - 1):
                if not any(met[pair] for pair in combinations(company, 2)):
                    without = tuple(one for one in others if one not in company)
                    for way in ways(without, tuple(fewer), rest):
                        yield ((first, *company), *way)

    may = {*question.may}
    yield from ways((*question.must, *question.may), question.sizes, question.rest)
