"""Limits of games in a tournament: how many can play, how many sit down where, on which seats."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from companion.core.plugin import seats_of
from companion.present.page import page_of


@dataclass(frozen=True, slots=True)
class Limits:
    """How many players a game takes."""

    fewest: int
    most: int


def limits(game: str) -> Limits:
    """Return how many players a game takes, as its plugin says."""
    page, seats = page_of(game), len(seats_of(game))
    return Limits(page.box.fewest, page.box.most or seats) if page else Limits(2, seats)


def spread(seats: Sequence[str], players: int) -> tuple[str, ...]:
    """Return the seats on which this many sit, as far apart as they can.

    >>> spread(("red", "green", "blue", "yellow"), 2)
    ('red', 'blue')
    """
    return tuple(seats[place * len(seats) // players] for place in range(players))


def sizes(people: int, tables: int, fewest: int, most: int, wanted: int) -> tuple[int, ...]:
    """Return how many sit at each table: as few byes as possible, then all close to what is wanted.

    >>> sizes(9, 8, 2, 4, 4), sizes(5, 8, 3, 4, 4), sizes(9, 2, 2, 4, 4)
    ((3, 3, 3), (4,), (4, 4))
    """

    def even(seated: int, count: int) -> tuple[int, ...]:
        each, more = divmod(seated, count)
        return (each + 1,) * more + (each,) * (count - more)

    options = [
        even(seated, count)
        for count in range(1, min(tables, people // fewest) + 1)
        for seated in [min(people, count * most)]
    ]
    return min(
        options,
        key=lambda option: (
            -sum(option),
            sum((size - wanted) ** 2 for size in option),
            len(option),
        ),
        default=(),
    )


@cache
def points(places: tuple[int, ...]) -> tuple[int, ...]:
    """Return the points of each place, in tenths; whoever shares a place shares the points of it.

    >>> points((1, 1, 1, 1)), points((1, 1, 1)), points((2, 1))
    ((120, 80, 40, 0), (120, 60, 0), (90, 0))
    """
    players, ahead, shares = sum(places), 0, []
    for sharing in places:
        shares.append(120 * (2 * (players - 1 - ahead) - sharing + 1) // (2 * (players - 1)))
        ahead += sharing
    return tuple(shares)
