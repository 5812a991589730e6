"""What can happen in Trap the Wizard, as people are told it.

It must not know how it comes about.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.game import Event
from companion.games.trap_the_wizard.rules.board import Robe


@dataclass(frozen=True, slots=True)
class DieCast(Event):
    """The die shows a number."""

    seat: Robe
    number: int


@dataclass(frozen=True, slots=True)
class NoWay(Event):
    """No wizard of the player can use its points; they are lost."""

    seat: Robe
    points: int


@dataclass(frozen=True, slots=True)
class WizardSetOut(Event):
    """A wizard left its start; `path` are the fields it came to."""

    seat: Robe
    end: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WizardWalked(Event):
    """A wizard went from field to field; `path` are the fields it came to."""

    seat: Robe
    start: int
    end: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WizardReturned(Event):
    """A wizard came back to its start with what it held; `path` are the fields before that."""

    seat: Robe
    start: int
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WizardCaptured(Event):
    """A wizard was captured and rides under its captor from now on."""

    seat: Robe
    victim: Robe
    field: int


@dataclass(frozen=True, slots=True)
class CaptivesHandedOver(Event):
    """What a captured captor held is now held by its own captor."""

    seat: Robe
    victim: Robe
    captives: tuple[Robe, ...]


@dataclass(frozen=True, slots=True)
class CaptivesReleased(Event):
    """What a captured captor held is free: wizards on their starts, the joker on its field."""

    victim: Robe
    captives: tuple[Robe, ...]


@dataclass(frozen=True, slots=True)
class JokerCaptured(Event):
    """A wizard took the joker from its field."""

    seat: Robe
    field: int


@dataclass(frozen=True, slots=True)
class CaptivesBroughtHome(Event):
    """Captured opponents left the game; they score for their captor."""

    seat: Robe
    captives: tuple[Robe, ...]


@dataclass(frozen=True, slots=True)
class CaptivesFreed(Event):
    """The player's own wizards that were among the captives begin again on the start."""

    seat: Robe
    wizards: int


@dataclass(frozen=True, slots=True)
class JokerWentBack(Event):
    """The joker stands on its field again."""

    field: int


@dataclass(frozen=True, slots=True)
class JokerLeft(Event):
    """The joker left the game until the round is over."""

    seat: Robe


@dataclass(frozen=True, slots=True)
class PointsLeftOver(Event):
    """Another wizard of the player may use the points that the way home has left over."""

    seat: Robe
    points: int


@dataclass(frozen=True, slots=True)
class PointsGivenUp(Event):
    """The player leaves them unused."""

    seat: Robe
    points: int


@dataclass(frozen=True, slots=True)
class AnotherTurn(Event):
    """The player rolls again, because of a six."""

    seat: Robe


@dataclass(frozen=True, slots=True)
class TrapShut(Event):
    """All wizards of all players but one are captured: the round is over."""

    round: int
    seat: Robe


@dataclass(frozen=True, slots=True)
class CatchCounted(Event):
    """A player's points for the round, and in all."""

    seat: Robe
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class TrapWon(Event):
    """The last round is over; nobody has more points than these."""

    seats: tuple[Robe, ...]
