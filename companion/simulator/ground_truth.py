"""Ground truth: what really happened on the simulated table, to judge the sensors by.

It must never reach a player, a page or a detector: only tests and benches may ask.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from companion.system.text import SeatName


class What(Enum):
    LIFTED = auto()  # at: the foot leaves the table
    SHAKEN = auto()
    HEFTED = auto()
    PEEKED = auto()  # somebody meant to
    HANDED_OVER = auto()
    PUT_BACK = auto()  # at: the foot touches the plateau
    PLACED = auto()  # at: the foot touches the pad
    FLIPPED = auto()  # at: it stands on its head
    CARRIED = auto()
    DROPPED = auto()
    TOPPLED = auto()
    LAID = auto()  # at: it lies on its side
    TRUNDLED = auto()  # or pushed, or rocked: by a hand that does not hold it
    KICKED = auto()
    MIXED = auto()
    PRESSED = auto()
    ROLLED = auto()  # the dice, outside of all barrels


TAKING: Final = (What.LIFTED, What.HANDED_OVER)
LEAVING: Final = (What.PUT_BACK, What.PLACED, What.FLIPPED, What.DROPPED, What.LAID)


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that was done, from when to when, with which barrel, by whom."""

    what: What
    at_us: int
    until_us: int
    barrel: int | None = None
    seat: SeatName | None = None
    other: SeatName | None = None  # who gets it, or at whose pad it is placed
    magic: int | None = None  # the sum of both dice
    manner: str = ""  # how somebody looked


class TruthLog:
    """Happenings in the order in which they were arranged; spans of holding follow from them."""

    def __init__(self) -> None:
        self.happenings: list[Happening] = []

    def add(self, happening: Happening) -> None:
        self.happenings.append(happening)

    def of(self, *kinds: What, barrel: int | None = None) -> list[Happening]:
        """Return the happenings of some kinds, of one barrel or all, by time."""
        fitting = [
            happening
            for happening in self.happenings
            if happening.what in kinds and barrel in {None, happening.barrel}
        ]
        return sorted(fitting, key=lambda happening: happening.at_us)

    def holder(self, barrel: int, at_us: int) -> SeatName | None:
        seat = None
        for happening in self.of(*TAKING, *LEAVING, barrel=barrel):
            if happening.at_us > at_us:
                break
            match happening.what:
                case What.LIFTED:
                    seat = happening.seat
                case What.HANDED_OVER:
                    seat = happening.other
                case _:
                    seat = None
        return seat

    def forget(self, before_us: int) -> None:
        """Forget what was over before this time, but not who took a barrel last."""
        last = {happening.barrel: happening for happening in self.of(*TAKING, *LEAVING)}
        kept = set(map(id, last.values()))
        self.happenings = [
            happening
            for happening in self.happenings
            if happening.until_us >= before_us or id(happening) in kept
        ]
