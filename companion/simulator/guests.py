"""The contract of a game that brings along guests: people who play at the simulated table.

A game that leaves it out is played there by phones and buttons.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Protocol

from companion.core.plugin import PLUGINS
from companion.referee import commands, snapshot
from companion.simulator import run
from companion.system.text import SeatName

Decide = Callable[[commands.CommandBody, str, int], None]  # what, by whom, seeing which version


class Guests(Protocol):
    """All who sit at one table; at each seat a person may play instead."""

    @property
    def wanted(self) -> AbstractSet[SeatName]:
        """Return the seats where people want to play…"""

    @property
    def away(self) -> AbstractSet[SeatName]:
        """…and those where they do."""

    def make_room(self, seat: SeatName) -> bool:
        """Let a person play a seat; return whether that happens at once."""

    def fill(self, seat: SeatName) -> None:
        """Play on where a person has left."""


class GuestController(Protocol):
    """A company that follows the referee."""

    @property
    def guests(self) -> Guests:
        """Return who they are."""

    @property
    def shakes_again(self) -> bool:
        """Whether barrels did not lie where the referee has them, so this round begins anew."""

    def go(self, now: snapshot.Snapshot, decide: Decide) -> bool:
        """Do what there is to do; return False once the evening is over."""


@dataclass(frozen=True, slots=True)
class GuestPlugin:
    """What a game's guests can do."""

    part: ClassVar[str] = "guests"

    follow: Callable[  # so many games; at one seat perhaps a person
        [run.SimulatedTable, Random, Sequence[SeatName], int, SeatName | None], GuestController
    ]
    set_level: Callable[[Any, str], None] | None = None  # of a party; None: all play alike


class NoGuests:
    """The company at a table without guests: whoever comes takes a seat at once."""

    def __init__(self) -> None:
        self.wanted = self.away = frozenset[SeatName]()

    def make_room(self, seat: SeatName) -> bool:
        self.wanted = self.away = self.wanted | {seat}
        return True

    def fill(self, seat: SeatName) -> None:
        self.wanted = self.away = self.wanted - {seat}


Arrive = Callable[
    [GuestPlugin, int], GuestController
]  # guests, and how many games they begin themselves


class GuestSwitcher:
    """The guests of whichever game is played: those of the first come first, and begin it.

    When a match of another game begins that brings guests, too, these take their seats; people
    stay where they are.
    """

    def __init__(self, known: Mapping[str, GuestPlugin], arrive: Arrive, games: int) -> None:
        self._known, self._arrive = known, arrive
        self._game = next(iter(known))
        self._parties = {self._game: arrive(known[self._game], games)}

    @property
    def guests(self) -> Guests:
        """Return who they are: whoever is there when that is asked."""
        return self

    @property
    def shakes_again(self) -> bool:
        """Whether barrels did not lie where the referee has them, so this round begins anew."""
        return self._party.shakes_again

    def go(self, now: snapshot.Snapshot, decide: Decide) -> bool:
        """Do what there is to do; return False once the evening is over."""
        if now.game is not None and now.game in self._known and not now.over:
            self._change_to(now.game)
        return self._party.go(now, decide)

    @property
    def _party(self) -> GuestController:
        return self._parties[self._game]

    def _change_to(self, game: str) -> None:
        before = self._party.guests
        if game == self._game:
            return
        if game not in self._parties:
            self._parties[game] = self._arrive(self._known[game], 0)
        self._game = game
        for seat in frozenset(before.wanted):
            self.make_room(seat)
            before.fill(seat)

    # --- as a company -------------------------------------------------------------------------

    @property
    def wanted(self) -> AbstractSet[SeatName]:
        """Return the seats where people want to play."""
        return self._party.guests.wanted

    @property
    def away(self) -> AbstractSet[SeatName]:
        """Return the seats where people do."""
        return self._party.guests.away

    def make_room(self, seat: SeatName) -> bool:
        """Let a person play a seat; return whether that happens at once."""
        return self._party.guests.make_room(seat)

    def fill(self, seat: SeatName) -> None:
        """Play on where a person has left."""
        self._party.guests.fill(seat)


def visitors() -> Mapping[str, GuestPlugin]:
    """Return the guests of each game that has some, in the order in which people choose."""
    return {name: part for name, game in PLUGINS.items() if (part := game.part(GuestPlugin))}
