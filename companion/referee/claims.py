"""Claims of people that contradict sensors: asked back once; confirmed, they count.

It must not know a game, nor a barrel's number before all are flipped. Where the sensors are not
sure they contradict nobody; a table without sensors trusts.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum

from companion.core.game import TABLE, Action
from companion.system.text import seat_word


class Objection(Enum):
    """What speaks against a claim, as a journal has it."""

    NO_BARREL = "no-barrel"  # none stands in front of that seat
    UPRIGHT = "upright"  # not all barrels stand on their heads
    ELSEWHERE = "elsewhere"  # the barrel with that number stands where it always did


@dataclass(frozen=True, slots=True)
class Claim:
    """What somebody said, as it was asked back."""

    text: str  # the action in the game's notation
    by: str
    seat: str | None  # whose barrel it is about; None: everybody's
    objection: Objection


@dataclass(frozen=True, slots=True)
class DisputeRecord:
    """A claim that people stood by, as it is noted."""

    entry: int
    seat: str | None
    objection: Objection
    round: int = 0


def seat_of(action: Action) -> str | None:
    """Return whose barrel an action is about; None: everybody's."""
    whose = getattr(action, "player", action.seat)
    return None if whose == TABLE else seat_word(whose)


@dataclass(frozen=True, slots=True)
class Senses:
    """What sensors surely know of barrels and pads at this moment."""

    pads: Mapping[str, bool]  # whether a barrel stands there, of those that ever said something
    standing: AbstractSet[int]  # upright, for sure
    touched: AbstractSet[int]  # since barrels are being chosen, or nobody knows
    turned: AbstractSet[int]  # stood on their heads since then
    stoppers: AbstractSet[int]  # all of this table

    @property
    def upright(self) -> AbstractSet[int]:
        """Return the barrels that surely are not upside down."""
        return self.standing | (self.stoppers - self.touched)
