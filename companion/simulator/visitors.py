"""The contract of a game that brings along guests: people who play at the simulated table.

It must not know what they play. A game that leaves it out is played there by phones and buttons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Protocol

from companion.core.game import SeatName
from companion.core.kit import KITS
from companion.referee.commands import Wish
from companion.referee.snapshot import Snapshot
from companion.simulator.run import SimulatedTable
from companion.simulator.script import Line
from companion.simulator.world import World

Decide = Callable[[Wish, str, int], None]  # what, by whom, seeing which version


class Company(Protocol):
    """All who sit at one table; at one seat a person may play instead."""

    wanted: SeatName | None  # the seat where a person wants to play…
    away: SeatName | None  # …and does

    def make_room(self, seat: SeatName) -> bool:
        """Let a person play a seat; return whether that is so at once."""

    def fill(self) -> None:
        """Play on where a person has left."""


class Players(Company, Protocol):
    """A company that plays by itself, without a referee."""

    def rounds(self, how_many: int) -> Iterator[Iterator[Line]]:
        """Yield round after round; arrange each before the next is asked for."""


class Party(Protocol):
    """A company that follows the referee."""

    @property
    def guests(self) -> Company:
        """Return who they are."""

    def go(self, now: Snapshot, decide: Decide) -> bool:
        """Do what is to be done; return False once the evening is over."""


@dataclass(frozen=True, slots=True)
class Visitors:
    """What a game's guests can do."""

    part: ClassVar[str] = "guests"

    gather: Callable[[World, Random, Sequence[SeatName]], Players]
    follow: Callable[  # so many games; at one seat perhaps a person
        [SimulatedTable, Random, Sequence[SeatName], int, SeatName | None], Party
    ]


class Nobody:
    """The company at a table without guests: whoever comes takes a seat at once."""

    def __init__(self) -> None:
        self.wanted: SeatName | None = None
        self.away: SeatName | None = None

    def make_room(self, seat: SeatName) -> bool:
        """Let a person play a seat."""
        self.wanted = self.away = seat
        return True

    def fill(self) -> None:
        """Leave the seat empty."""
        self.wanted = self.away = None


def visitors() -> Visitors | None:
    """Return the guests of the first game that has some; None: no game that is installed has."""
    return next((found for kit in KITS.values() if (found := kit.part(Visitors))), None)
