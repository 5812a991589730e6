"""Guests at a simulated table who follow the referee: they shake by hand and decide by command.

It must not know sensors. Guests do what people do: they read the dice aloud, move when it is their
turn, and help out where the referee did not notice for a while what hands did.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from companion.referee.commands import Act, Wish
from companion.referee.snapshot import Snapshot
from companion.referee.wishes import zapp_zerapp
from companion.rules.zapp_zerapp import Colour, Phase, View
from companion.simulator.chance import pick
from companion.simulator.guests import Guests
from companion.simulator.run import SimulatedTable
from companion.simulator.truth import What

THINK_US: Final = 1_500_000  # before a move, or before a number is read aloud
NOTICE_US: Final = 4_000_000  # so long the referee may take to notice
CHEER_US: Final = 8_000_000  # after a game
Decide = Callable[[Wish, str, int], None]  # what, by whom, seeing which version


@dataclass(slots=True)
class Shaken:
    """One round as hands play it."""

    magic: int
    rolled_us: int
    placed_us: dict[Colour, int]
    flipped_us: int | None = None  # None: they still wait until all have placed


class Party:
    """The guests of one evening; `go` is called again and again, by who drives the table."""

    def __init__(self, table: SimulatedTable, guests: Guests, rng: Random, games: int) -> None:
        self._table, self._guests, self._rng = table, guests, rng
        self._left, self._round = games, 0
        self._shaken: Shaken | None = None
        self._seen: tuple[str | None, int] = (None, -2)
        self._since_us = 0  # when that was seen first
        self._decided_us: int | None = None  # when somebody decided about what is seen now

    def go(self, now: Snapshot, decide: Decide) -> bool:
        """Do what is to be done; return False once the evening is over."""
        now_us = self._table.now_us
        if self._seen != (now.match, now.version):
            self._seen, self._since_us = (now.match, now.version), now_us
            self._decided_us = None
        over = now.match is None or now.over
        if over and self._left == 0:
            return now_us - self._since_us < CHEER_US
        waits = self._decided_us is not None and now_us < self._decided_us + NOTICE_US
        if not waits and (wish := self._wish(now, now_us)):
            self._decided_us = now_us
            decide(*wish, now.version)
        return True

    def _wish(self, now: Snapshot, now_us: int) -> tuple[Wish, str] | None:
        waited_us = now_us - self._since_us
        first = next(iter(self._guests.guests)).name.lower()
        if now.match is None or now.over:
            if now.over and waited_us < CHEER_US:
                return None
            self._left -= 1
            return zapp_zerapp(seat.name.lower() for seat in self._guests.guests), first
        view: View = now.view
        match view.phase:
            case Phase.ROLL:
                return self._roll(view, now_us)
            case Phase.PLACE | Phase.FLIP:
                return self._help(view, now_us)
            case Phase.SAY if waited_us > THINK_US:
                return self._say(view)
            case Phase.MOVE if waited_us > THINK_US:
                return self._move(now, view)
        return None

    def _roll(self, view: View, now_us: int) -> tuple[Wish, str] | None:
        """Put the last round's barrels back, arrange the next, and read its dice aloud."""
        free = now_us >= self._table.world.now_free_us
        shaken = self._shaken
        if shaken is None:
            self._shaken = self._arrange() if free else None
        elif shaken.flipped_us is not None:
            if now_us >= shaken.flipped_us:
                self._table.act(self._guests.clear(self._round))
                self._shaken = None
        elif now_us >= shaken.rolled_us:
            return Act(f"roll {shaken.magic}"), view.roller.name.lower()
        return None

    def _arrange(self) -> Shaken:
        self._round += 1
        self._table.act(self._guests.play(self._round))
        truth = self._table.world.truth
        rolled = truth.of(What.ROLLED)[-1]
        placed = {
            one.other: one.until_us
            for one in truth.of(What.PLACED)
            if one.other is not None and one.at_us > rolled.at_us
        }
        return Shaken(rolled.magic or 2, rolled.at_us, placed)

    def _help(self, view: View, now_us: int) -> tuple[Wish, str] | None:
        """Tell the referee what it should have noticed by now."""
        shaken = self._shaken
        if shaken is None:  # the power was cut in this round: they begin it anew
            if now_us >= self._table.world.now_free_us:
                self._shaken = self._arrange()
            return None
        for seat, at_us in shaken.placed_us.items():
            colour = seat.name.lower()
            waits = view.phase is Phase.PLACE and seat not in view.placed
            if waits and now_us > at_us + NOTICE_US:
                return Act(f"place {colour}"), colour
        return self._flip(shaken, view, now_us) if view.phase is Phase.FLIP else None

    def _flip(self, shaken: Shaken, view: View, now_us: int) -> tuple[Wish, str] | None:
        """Turn the barrels over now that the referee says so."""
        if shaken.flipped_us is None:
            if now_us >= self._table.world.now_free_us:
                self._table.act(self._guests.flip(self._round))
                shaken.flipped_us = self._table.world.now_free_us
        elif now_us > shaken.flipped_us + NOTICE_US:
            return Act("flip"), view.roller.name.lower()
        return None

    def _say(self, view: View) -> tuple[Wish, str] | None:
        """Read a number aloud that no sensor knew."""
        read = dict(view.numbers)
        for seat, guest in self._guests.guests.items():
            if seat not in read and guest.placed is not None:
                colour = seat.name.lower()
                return Act(f"say {colour} {guest.placed}"), colour
        return None

    def _move(self, now: Snapshot, view: View) -> tuple[Wish, str] | None:
        mover = Colour(view.turns[0]).name.lower()
        offers = next(seat.offers for seat in now.seats if seat.colour == mover)
        moves = [
            one.wish
            for one in offers
            if isinstance(one.wish, Act) and one.wish.text.startswith("move")
        ]
        return (pick(self._rng, moves), mover) if moves else None
