"""The portals of a building zone with their crystals, and what each of them allows.

The theory: there are so few ways to cover the fields of forty portals that each is made once,
beforehand, and knows which one it becomes by a crystal more or less. So nothing is computed while a
game is played, and whoever names a building gets the same object.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, product
from typing import Final, NamedTuple

from companion.games.via_magica.rules.portals import ANIMI, PORTALS, Animus, Counts

NO_CRYSTALS: Final[Counts] = (0, 0, 0, 0, 0, 0)


class Field(NamedTuple):
    """A field by its portal and animus; equal fields of one portal are the same choice."""

    portal: int
    animus: Animus

    def __str__(self) -> str:
        """Return the field as the notation names it.

        >>> str(Field(17, Animus.WATER))
        '17:water'
        """
        return f"{self.portal}:{self.animus.name.lower()}"


@dataclass(frozen=True, slots=True, eq=False)
class Building:
    """A portal in a building zone.

    >>> Building(33).more[Animus.AIR] is Building(33, (1, 0, 0, 0, 0, 0))
    True
    """

    portal: int
    covered: Counts = NO_CRYSTALS  # how many of its fields bear a crystal, by animus
    # By animus, what it is with one crystal more or less; the joker's field does not exist.
    more: tuple[Building | None, ...] = field(init=False, repr=False)
    less: tuple[Building | None, ...] = field(init=False, repr=False)
    free: tuple[tuple[Field, ...], ...] = field(init=False, repr=False)  # that match an animus
    bearing: tuple[Field, ...] = field(init=False, repr=False)  # a crystal
    full: bool = field(init=False, repr=False)  # all fields are covered (VM-3)

    def __new__(cls, portal: int, covered: Counts = NO_CRYSTALS) -> Building:  # noqa: PYI034 - never a subclass
        """Return the one that there is."""
        return _BUILDINGS.get((portal, covered)) or object.__new__(cls)

    def __reduce__(self) -> tuple[type[Building], tuple[int, Counts]]:
        """Have it copied and pickled as what it is; the rest is found there again."""
        return Building, (self.portal, self.covered)


def _know(building: Building) -> None:
    """Have it know what it becomes and allows, once all are there."""
    portal, covered = building.portal, building.covered
    more = [_with(building, animus, 1) for animus in ANIMI]
    less = [_with(building, animus, -1) for animus in ANIMI]
    free = [(_FIELDS[portal, animus],) if more[animus] else () for animus in ANIMI]
    knows = {
        "more": (*more, None),
        "less": (*less, None),
        "free": (*free, tuple(chain(*free))),
        "bearing": tuple(_FIELDS[portal, animus] for animus in ANIMI if less[animus]),
        "full": covered == PORTALS[portal].fields,
    }
    for name, value in knows.items():
        object.__setattr__(building, name, value)


def _with(building: Building, animus: Animus, count: int) -> Building | None:
    covered = list(building.covered)
    covered[animus] += count
    air, water, earth, life, fire, shadow = covered
    return _BUILDINGS.get((building.portal, (air, water, earth, life, fire, shadow)))


_FIELDS: Final = {(number, animus): Field(number, animus) for number in PORTALS for animus in ANIMI}
_BUILDINGS: Final[dict[tuple[int, Counts], Building]] = {}


def _build_all() -> None:
    for number, kind in PORTALS.items():
        for counts in product(*(range(count + 1) for count in kind.fields)):
            air, water, earth, life, fire, shadow = counts
            covered = air, water, earth, life, fire, shadow
            _BUILDINGS[number, covered] = Building(number, covered)
    for building in _BUILDINGS.values():
        _know(building)


_build_all()
FREE: Final = tuple(  # by animus: all that have a free field that matches it
    frozenset([building for building in _BUILDINGS.values() if building.free[animus]])
    for animus in Animus
)
