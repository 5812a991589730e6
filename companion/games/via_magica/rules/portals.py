"""The forty kinds of portals, the animi and the rewards, as data.

A kind is known by its number, 1 to 40.
"""

from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

from companion.system.format_names import format_name

Counts = tuple[int, int, int, int, int, int]  # by animus, without the joker


@format_name("Animus")
class Animus(IntEnum):
    """What can be caught in the bag."""

    AIR = 0
    WATER = 1
    EARTH = 2
    LIFE = 3
    FIRE = 4
    SHADOW = 5
    JOKER = 6  # serves as any; no field bears it

    __hash__ = int.__hash__  # that of an Enum is far slower

    @property
    def said(self) -> str:
        """Return it in English, as people are told it."""
        return self.name.lower()


@format_name("Hue")
class Hue(IntEnum):
    """The colour of a portal, which says when it is worth something (VM-4)."""

    GREEN = 0  # at the end
    YELLOW = 1  # at once
    VIOLET = 2  # points only
    BLUE = 3  # from now on

    @property
    def said(self) -> str:
        """Return it in English, as people are told it."""
        return self.name.lower()


class Power(Enum):
    """What a yellow portal lets its owner do when it is opened."""

    PLACE = "place"  # this many crystals on fields of one animus; the joker: on any
    GAIN = "gain"  # this many crystals more
    OPEN = "open"  # another portal of the building zone, whatever it lacks
    TAKE = "take"  # one portal more, on a further place of the building zone
    REARRANGE = "rearrange"  # the crystals that are placed


@dataclass(frozen=True, slots=True)
class Portal:
    hue: Hue
    fields: Counts  # how many of each animus
    points: int  # for `per` each
    per: Hue | Animus | None = None  # green: for each portal of a hue, or field of an animus
    power: Power | None = None  # yellow
    count: int = 0  # of crystals
    animus: Animus | None = None  # yellow: where crystals are placed; blue: what serves as a joker


@format_name("Reward")
class Reward(IntEnum):
    """What is awarded besides the portals' own points."""

    YELLOW = 0
    VIOLET = 1
    GREEN = 2
    BLUE = 3
    EVERY = 4
    TWO = 5
    THREE = 6
    FOUR = 7
    FIVE = 8
    SIX = 9

    __hash__ = int.__hash__  # that of an Enum is far slower

    @property
    def said(self) -> str:
        """Return it in English, as people are told it."""
        return _SAID[self]


_SAID: Final = {
    Reward.YELLOW: "three yellow portals",
    Reward.VIOLET: "three violet portals",
    Reward.GREEN: "three green portals",
    Reward.BLUE: "three blue portals",
    Reward.EVERY: "a portal of every colour",
    Reward.TWO: "two portals",
    Reward.THREE: "three portals",
    Reward.FOUR: "four portals",
    Reward.FIVE: "five portals",
    Reward.SIX: "six portals",
}


BAG: Final = (6, 5, 4, 3, 2, 1, 2)  # of each animus (VM-1)
ANIMI: Final = tuple(Animus)[: Animus.JOKER]
COPIES: Final = 2  # of every kind (VM-1)
TRIPLES: Final = {  # three portals of one hue
    Reward.YELLOW: Hue.YELLOW,
    Reward.VIOLET: Hue.VIOLET,
    Reward.GREEN: Hue.GREEN,
    Reward.BLUE: Hue.BLUE,
}
COUNTED: Final = {2: Reward.TWO, 3: Reward.THREE, 4: Reward.FOUR, 5: Reward.FIVE, 6: Reward.SIX}
WORTH: Final = {  # VM-5
    Reward.YELLOW: 2,
    Reward.VIOLET: 4,
    Reward.GREEN: 6,
    Reward.BLUE: 10,
    Reward.EVERY: 8,
    Reward.TWO: 2,
    Reward.THREE: 4,
    Reward.FOUR: 6,
    Reward.FIVE: 8,
    Reward.SIX: 10,
}


def _fields(letters: str) -> Counts:
    """Return how often each animus occurs.

    >>> _fields("AAWWEL")
    (2, 2, 1, 1, 0, 0)
    """
    air, water, earth, life, fire, shadow = (letters.count(letter) for letter in "AWELFS")
    return air, water, earth, life, fire, shadow


def _green(letters: str, points: int, per: Hue | Animus) -> Portal:
    return Portal(Hue.GREEN, _fields(letters), points, per=per)


def _yellow(
    letters: str, points: int, power: Power, count: int = 0, animus: Animus | None = None
) -> Portal:
    return Portal(Hue.YELLOW, _fields(letters), points, power=power, count=count, animus=animus)


def _violet(letters: str, points: int) -> Portal:
    return Portal(Hue.VIOLET, _fields(letters), points)


def _blue(letters: str, points: int, animus: Animus) -> Portal:
    return Portal(Hue.BLUE, _fields(letters), points, animus=animus)


PORTALS: Final = {  # VM-7
    1: _green("AAWWEL", 3, Hue.GREEN),
    2: _green("AAEELF", 4, Hue.BLUE),
    3: _green("AWELS", 4, Animus.SHADOW),
    4: _green("WEELF", 2, Hue.YELLOW),
    5: _green("AWLL", 2, Animus.EARTH),
    6: _green("AWEE", 2, Animus.LIFE),
    7: _green("WWLL", 3, Hue.VIOLET),
    8: _green("WELF", 3, Animus.FIRE),
    9: _green("WWE", 1, Animus.AIR),
    10: _green("AAE", 1, Animus.WATER),
    11: _yellow("ELLL", 7, Power.PLACE, 2, Animus.LIFE),
    12: _yellow("FFFSS", 3, Power.OPEN),
    13: _yellow("AWEF", 6, Power.PLACE, 1, Animus.JOKER),
    14: _yellow("AWWEL", 5, Power.TAKE),
    15: _yellow("AAWS", 5, Power.PLACE, 2, Animus.SHADOW),
    16: _yellow("EEEL", 5, Power.PLACE, 2, Animus.EARTH),
    17: _yellow("WWWL", 4, Power.PLACE, 2, Animus.WATER),
    18: _yellow("AWLFS", 3, Power.PLACE, 2, Animus.JOKER),
    19: _yellow("AAAL", 3, Power.PLACE, 2, Animus.AIR),
    20: _yellow("AAWF", 3, Power.PLACE, 2, Animus.FIRE),
    21: _yellow("AAE", 3, Power.GAIN, 1),
    22: _yellow("AAWE", 3, Power.GAIN, 2),
    23: _yellow("AWEF", 2, Power.REARRANGE),
    24: _violet("AAWFFS", 16),
    25: _violet("WWEELF", 15),
    26: _violet("AAWSS", 14),
    27: _violet("AWELF", 13),
    28: _violet("AAWWEL", 12),
    29: _violet("AAWEL", 11),
    30: _violet("AAWEE", 10),
    31: _violet("AAWEE", 9),
    32: _violet("AAWWW", 8),
    33: _violet("AW", 3),
    34: _violet("AAAW", 6),
    35: _blue("FFSS", 8, Animus.AIR),
    36: _blue("LLSS", 7, Animus.WATER),
    37: _blue("LLFF", 6, Animus.LIFE),
    38: _blue("EELL", 5, Animus.EARTH),
    39: _blue("WWEE", 4, Animus.FIRE),
    40: _blue("AAWW", 3, Animus.SHADOW),
}
NUMBERS: Final = tuple(PORTALS)
_BLUE: Final = {kind.animus: n for n, kind in PORTALS.items() if kind.hue is Hue.BLUE}
SERVING: Final = tuple(_BLUE.get(animus, 0) for animus in Animus)  # which portal makes it a joker
