"""The mountain: which fields the ring has and where each colour joins and leaves it. Data only."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from reprlib import repr as shorten
from typing import Final

from companion.core import RulesError, Text

FIELDS: Final = 24
START: Final = 0  # a pawn's step: 0 on its start, 1–24 on the ring, 25 in its city
CITY: Final = FIELDS + 1


class Colour(IntEnum):
    """A guild of sorcerers' apprentices, which is also its seat, clockwise."""

    RED = 0
    GREEN = 1
    BLUE = 2
    YELLOW = 3


MOST_FAULTS: Final = 30  # every field, and some that are missing
LONGEST: Final = 20  # of what was written, as a sentence shows it
LETTERS: Final = {colour.name[0]: colour for colour in Colour}


class BadBoard(RulesError):
    """A ring on which the game cannot be played; `faults` holds a sentence for each reason.

    Nobody reads more than some of them, so the rest is only counted.
    """

    def __init__(self, faults: tuple[RulesError, ...]) -> None:
        if len(faults) > MOST_FAULTS:
            rest = RulesError("There are {count} mistakes in all.", count=len(faults))
            faults = (*faults[:MOST_FAULTS], rest)
        super().__init__("{faults}", faults=" ".join(map(str, faults)))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Board:
    """A ring of 24 fields, clockwise; "R" is a protected field of red, "RG" a castle field.

    >>> PRESETS["two-before-city"].castles(Colour.RED)
    (3, 21)
    >>> PRESETS["two-before-city"].field(Colour.GREEN, 1), PRESETS["two-before-city"].gates[0]
    (6, 23)
    """

    ring: tuple[str, ...]
    entries: tuple[int, int, int, int]  # by colour: the index of the field a pawn joins on
    gates: tuple[int, int, int, int]  # by colour: the index of the field before its city

    def __post_init__(self) -> None:
        """Refuse a board with faults, all of them at once."""
        if faults := tuple(_faults(self)):
            raise BadBoard(faults)

    def field(self, colour: Colour, step: int) -> int:
        """Return the ring index of a colour's 1st to 24th field."""
        return (self.entries[colour] + step - 1) % FIELDS

    def step(self, colour: Colour, index: int) -> int:
        """Return which of its own fields, 1 to 24, a ring index is to a colour."""
        return (index - self.entries[colour]) % FIELDS + 1

    def protected(self, colour: Colour) -> tuple[int, ...]:
        return tuple(i for i, kind in enumerate(self.ring) if kind == colour.name[0])

    def castles(self, colour: Colour) -> tuple[int, ...]:
        letter = colour.name[0]
        return tuple(i for i, kind in enumerate(self.ring) if len(kind) == 2 and letter in kind)


def read_board(data: Mapping[str, object]) -> Board:
    """Return the board that an owner wrote as `ring`, `entries` and `gates`, or raise BadBoard.

    The ring may be one string with spaces (and bars, which mean nothing) or a list of fields.
    """
    ring = data.get("ring")
    if isinstance(ring, str):
        ring = ring.replace("|", " ").split()
    faults: list[RulesError] = [
        RulesError(
            "A board has no part called '{name}'; its parts are ring, entries and gates.",
            name=_short(name),
        )
        for name in data
        if name not in {"ring", "entries", "gates"}
    ]
    if not isinstance(ring, list | tuple) or not all(isinstance(kind, str) for kind in ring):
        faults.append(RulesError("The ring is not a list of fields such as 'B B RG Y'."))
        ring = None
    places = {}
    for what, part in ((Text("entry"), "entries"), (Text("gate"), "gates")):
        places[part], wrong = _places(what, data.get(part))
        faults += wrong
    if ring is None or faults:
        raise BadBoard((*(_ring_faults(tuple(ring)) if ring else ()), *faults))
    return Board(tuple(ring), places["entries"], places["gates"])


def _places(what: Text, data: object) -> tuple[tuple[int, int, int, int], list[RulesError]]:
    named = data if isinstance(data, Mapping) else {}
    parts, faults = [], []
    for colour in Colour:
        index = named.get(colour.name.lower())
        values = {"what": what, "colour": colour, "index": _short(index)}
        if index is None:
            faults.append(
                RulesError(
                    "The {what} of {colour} is missing; name one of the fields 0 to 23.", **values
                )
            )
        elif type(index) is not int or not 0 <= index < FIELDS:
            faults.append(
                RulesError(
                    "The {what} of {colour} is {index}; it must be one of the fields 0 to 23.",
                    **values,
                )
            )
        parts.append(index if type(index) is int else 0)
    faults += [
        RulesError(
            "'{name}' among the {what} fields is not a colour; the colours are red, green, blue "
            "and yellow.",
            what=what,
            name=_short(name),
        )
        for name in named
        if name not in {colour.name.lower() for colour in Colour}
    ]
    return (parts[0], parts[1], parts[2], parts[3]), faults


def _short(written: object) -> str:
    """Return what somebody wrote, as far as a sentence can bear."""
    text = shorten(written) if not isinstance(written, str) else written
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _ring_faults(ring: tuple[str, ...]) -> list[RulesError]:
    faults = []
    if len(ring) != FIELDS:
        faults.append(
            RulesError("The ring needs 24 fields, clockwise, not {count}.", count=len(ring))
        )
    for index, kind in enumerate(ring):
        letters = set(kind)
        if not letters or not letters <= LETTERS.keys() or len(kind) > 2:
            faults.append(
                RulesError(
                    "Field {index} is '{kind}'; write R, G, B or Y, or two of them for a castle "
                    "field.",
                    index=index,
                    kind=_short(kind),
                )
            )
        elif len(letters) < len(kind):
            faults.append(
                RulesError(
                    "Castle field {index} shows '{kind}'; its two castles must differ in colour.",
                    index=index,
                    kind=_short(kind),
                )
            )
    return faults


def _faults(board: Board) -> list[RulesError]:
    """Return a sentence for everything that is wrong with a board; none for a good one."""
    faults = _ring_faults(board.ring)
    if (len(board.entries), len(board.gates)) != (len(Colour), len(Colour)):
        return [*faults, RulesError("A board has one entry and one gate for each of four colours.")]
    for colour in Colour:
        entry, gate = board.entries[colour], board.gates[colour]
        for what, index in ((Text("entry"), entry), (Text("gate"), gate)):
            if not 0 <= index < FIELDS:
                faults.append(
                    RulesError(
                        "The {what} of {colour} is {index}; it must be one of the fields 0 to 23.",
                        what=what,
                        colour=colour,
                        index=index,
                    )
                )
        if gate != (entry - 1) % FIELDS:  # ZZ-3: from the entry over all 24 fields to the gate
            faults.append(
                RulesError(
                    "The gate of {colour} is field {gate}; it must be field {right}, the one "
                    "before its entry, so that the way round has 24 fields.",
                    colour=colour,
                    gate=gate,
                    right=(entry - 1) % FIELDS,
                )
            )
        for other in list(Colour)[:colour]:
            if board.entries[other] == entry:
                faults.append(
                    RulesError(
                        "{other} and {colour} both enter on field {entry}; each needs an entry "
                        "of its own.",
                        other=other,
                        colour=colour,
                        entry=entry,
                    )
                )
    return faults


def _preset(ring: str) -> Board:
    return Board(tuple(ring.split()), (0, 6, 12, 18), (23, 5, 11, 17))


PRESETS: Final = {  # ZZ-4, ZZ-5: named by how many fields of a colour's zone lie before its city
    "two-before-city": _preset("B B B RG Y Y Y Y Y GB R R R R R BY G G G G G YR B B"),
    "three-before-city": _preset("B B RG Y Y Y Y Y GB R R R R R BY G G G G G YR B B B"),
}
