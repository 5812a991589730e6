"""The board of Trap the Wizard: which fields are joined, where the starts are, which are special.

Data only.
"""

import itertools
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Final

from companion.system.errors import RulesError
from companion.system.format_names import format_name

START: Final = -1  # a place: on the own start, which is joined to one field of the board
MOST_FIELDS: Final = 200  # of a board; where one can get to is worked out while people wait
MOST_WAYS: Final = 8  # from one field to others
Place = Annotated[int, {START: "start"}]


@format_name("Robe")
class Robe(IntEnum):
    """Whose a wizard is: a player's, which is also its seat, clockwise; or nobody's."""

    RED = 0
    GREEN = 1
    BLUE = 2
    YELLOW = 3
    JOKER = 4

    __hash__ = int.__hash__  # that of an Enum is far slower, and loads are looked up all the time

    @property
    def said(self) -> str | None:
        """Return it in English, as people are told it; None: by the name of its seat."""
        return "the joker" if self is Robe.JOKER else None


PLAYERS: Final = (Robe.RED, Robe.GREEN, Robe.BLUE, Robe.YELLOW)


@dataclass(frozen=True, slots=True)
class Board:
    """Fields 0, 1, 2 … and the paths that lead over them; a path may be walked either way (TW-11).

    >>> SPOKED.neighbours()[5], SPOKED.neighbours()[SPOKED.joker]
    ((4, 6, 52), (57, 63, 69, 75))
    """

    paths: tuple[tuple[int, ...], ...]  # each the fields it leads over, in order
    homes: tuple[int, int, int, int]  # by player: the field that its start is joined to
    special: tuple[int, ...]  # the fields on which wizards of different players may stand
    joker: int  # the field on which the joker stands

    def __post_init__(self) -> None:
        """Refuse a board on which nobody can play."""
        joined = self.neighbours()
        if not joined or [*joined] != [*range(len(joined))]:
            raise RulesError("The fields of the paths must be numbered from 0, without a gap.")
        most = max(map(len, joined.values()))
        if len(joined) > MOST_FIELDS or most > MOST_WAYS:
            raise RulesError(
                "A board has at most {fields} fields, each joined to at most {ways} others.",
                fields=MOST_FIELDS,
                ways=MOST_WAYS,
            )
        for part, fields in (("homes", self.homes), ("special", self.special)):
            for field in fields:
                _demand_field(part, field, len(joined))
        _demand_field("joker", self.joker, len(joined))
        if len(self.homes) != len(PLAYERS) or len({*self.homes}) != len(PLAYERS):
            raise RulesError("Each of four starts must be joined to a field of its own.")
        reached, new = {0}, {0}
        while new := {to for field in new for to in joined[field]} - reached:
            reached |= new
        if len(reached) < len(joined):
            lonely = min({*joined} - reached)
            raise RulesError("No path leads from field 0 to field {field}.", field=lonely)

    def neighbours(self) -> dict[int, tuple[int, ...]]:
        """Return the fields that each field is joined to, all in ascending order."""
        joined: dict[int, set[int]] = {field: set() for path in self.paths for field in path}
        for path in self.paths:
            for here, there in itertools.pairwise(path):
                joined[here].add(there)
                joined[there].add(here)
        return {field: tuple(sorted(joined[field] - {field})) for field in sorted(joined)}


def _demand_field(part: str, field: int, count: int) -> None:
    if not 0 <= field < count:
        raise RulesError(
            "'{part}' names field {field}; the board has fields 0 to {last}.",
            part=part,
            field=field,
            last=count - 1,
        )


def _spoked() -> Board:
    """Return the ring with four spokes: 52 + 24 + 1 fields (TW-9)."""
    homes, centre = (5, 18, 31, 44), 76
    spokes = [tuple(range(first, first + 6)) for first in range(52, centre, 6)]
    ways = [(home, *spoke, centre) for home, spoke in zip(homes, spokes, strict=True)]
    beside = [home + side for home in homes for side in (-3, 3)]
    third = [spoke[2] for spoke in spokes]
    return Board(((*range(52), 0), *ways), homes, (*beside, *third), centre)


SPOKED: Final = _spoked()
