"""Imperfections: traits of real tables that a simulated one has, switched on one by one.

It must not know how a trait is modelled: barrels, chips, boards, air, pads and people each ask for
theirs. What a trait draws by chance, it draws from a source of its own, so that with or without it
all else is the same.

    kind       none of them: what the first simulated table was
    honest     all of them, and what commands and benches have unless another is asked for
    foot,pads  only these
    radio      all that the radio of a real table has, together
"""

from enum import Enum
from typing import Final

from companion.system.errors import CompanionError


class Trait(Enum):
    """One thing about real tables; its value is its name on the command line."""

    FOOT = "foot"  # hangs on the load cell of a lifted barrel, and weighs by how that is tilted
    GAIN = "gain"  # each cell has its own until it is calibrated with a known mass
    MOUNTING = "mounting"  # sensors sit askew in their stoppers, and stoppers in their barrels
    CREEP = "creep"  # cells follow slowly, lag behind, and drift while a room warms up
    RING = "ring"  # a foot rubs or has a crumb in its gap, and never stands in the very middle
    LEAVES = "leaves"  # a barrel bounces on its cell's, and a foot rings there in the air
    TABLE = "table"  # slopes, has a cloth on it, gets knocked, and music plays
    STEPS = "steps"  # MicroPython takes time: each step, each boot, and to collect garbage
    SLEEP = "sleep"  # in light sleep a board counts by a clock that is far less exact
    WAKING = "waking"  # an interrupt pulses once when it is armed; a sleep ends the board's USB
    HAND = "hand"  # damps a radio that it closes around, as does a body in between
    ANTENNA = "antenna"  # each is as good as it was built, and as far from a hub that hears so well
    FADING = "fading"  # echoes strengthen and cancel what is on the air, as hands move
    ROOM = "room"  # others send, too: a try waits for a gap, and some are lost
    DROWNED = "drowned"  # a hub hears nobody for a moment, beside a Pi or a phone
    OVEN = "oven"  # one evening in ten somebody warms something up
    STARTING = "starting"  # a radio that was off takes a while, and its board waits for it
    PADS = "pads"  # close late, each in its own way
    WORDS = "words"  # in infrared get lost now and then, and their edges are stamped late
    WINDOWS = "windows"  # through which they go get dirty
    REACH = "reach"  # of a word ends a little above a pad, and beside its middle, where feet stand
    RECEIVERS = "receivers"  # in pads are dead, one evening in five hundred
    PEOPLE = "people"  # look, shake and tremble in more ways than hands usually do


Imperfections = frozenset[Trait]
KIND: Final[Imperfections] = frozenset()
HONEST: Final[Imperfections] = frozenset(Trait)
USUAL: Final = HONEST
RADIO: Final[Imperfections] = frozenset(
    {Trait.HAND, Trait.ANTENNA, Trait.FADING, Trait.ROOM, Trait.DROWNED, Trait.OVEN, Trait.STARTING}
)
GROUPS: Final = {"radio": RADIO}  # what one word means together


def traits(word: str | None) -> Imperfections:
    """Return the traits that a word on the command line means; None: the usual ones.

    >>> [trait.name for trait in traits("foot")], traits("honest") == HONEST
    (['FOOT'], True)
    """
    if word is None:
        return USUAL
    if word in ("kind", "honest"):
        return HONEST if word == "honest" else KIND
    names = {trait.value: frozenset({trait}) for trait in Trait} | GROUPS
    if unknown := [part for part in word.split(",") if part not in names]:
        raise CompanionError(
            "'{word}' is not a world; write kind, honest, or some of {names}, separated by commas.",
            word=unknown[0],
            names=tuple(names),
        )
    return frozenset[Trait]().union(*(names[part] for part in word.split(",")))
