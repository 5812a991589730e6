"""Guests who play rounds at the simulated table of their own accord, each with a temperament.

They must not know sensors, nor a number but by ear, by peeking, or once all is flipped. A round is
decided act by act while it is arranged, so an evening of any length needs no more than one round.

    table.go_on(Guests(table.world, Random(1)).rounds(3))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import count
from math import fsum
from random import Random
from typing import Final

from companion.rules.zapp_zerapp import Colour
from companion.simulator.chance import below, die, mixed, pick
from companion.simulator.habits import between
from companion.simulator.handling import Support
from companion.simulator.hands import seconds
from companion.simulator.people import NUMBERS, Ear
from companion.simulator.script import Act, Line, Verb
from companion.simulator.temperament import TEMPERAMENTS, Temperament
from companion.simulator.world import World

READY_US: Final = 3_000_000  # a stopper weighs from the third second after power-on
STOOD_US: Final = 500_000  # so long a barrel stands before somebody else reaches for it
GOOD: Final = 0.75  # of the magic number: worth keeping at once
LOOK_S: Final = (1.5, 3.0)  # all look at what was flipped
MOVE_S: Final = (2.0, 5.0)  # one moves a pawn, the others watch


class Guest:
    """Somebody at one seat: what the hands hold, what the ears made of it, what comes next."""

    def __init__(self, seat: Colour, temperament: Temperament, rng: Random) -> None:
        self.seat, self.temperament = seat, temperament
        self._rng, self._ear = rng, Ear()
        self.begin(0)

    def begin(self, magic: int) -> None:
        """Begin a round with empty hands."""
        self.magic, self.tries = magic, 2 + below(self._rng, 4)
        self.held: list[int] = []
        self.placed: int | None = None
        self._fallen: int | None = None
        self._compared: tuple[int, ...] = ()
        self._worth: dict[int, float] = {}  # of each barrel heard, in fields

    def pause_us(self) -> int:
        """Return how long this time it takes until something else is done."""
        return seconds(between(self._rng, *self.temperament.pause_s))

    def welcomes(self) -> bool:
        """Whether there is a hand for one more barrel."""
        return self.placed is None and self._fallen is None and len(self.held) < 2

    def decide(self, standing: Sequence[int], takers: Sequence[Guest]) -> Act | None:
        """Return what to do now, with what stands on the plateau; None is to wait."""
        if self._fallen is not None:
            return self._take(self._fallen)
        if self.held and (whim := self._whim(takers)) is not None:
            return whim
        if unheard := [number for number in self.held if number not in self._worth]:
            return self._shake(unheard[0])
        if len(self.held) == 2:
            if self._compared != tuple(self.held) and self._feels_like(self.temperament.compares):
                return self._compare(*self.held)
            return self._put_back(min(self.held, key=self._worth.__getitem__))
        if self.held and (self.tries <= 0 or self._worth[self.held[0]] >= GOOD * self.magic):
            return self._place(self.held[0])
        return self._reach(standing)

    def _feels_like(self, chance: float) -> bool:
        return self._rng.random() < chance

    def _act(self, verb: Verb, *barrels: int, to: Colour | None = None) -> Act:
        return Act(verb, self.seat, barrels, to)

    # --- what hands do ------------------------------------------------------------------------

    def _reach(self, standing: Sequence[int]) -> Act | None:
        """Take one of the barrels, or two at once to compare them, rather those not yet heard."""
        fresh = [number for number in standing if number not in self._worth]
        choice = mixed(self._rng, fresh or standing)
        if not choice:
            return None
        if len(fresh) >= 2 and not self.held and self._feels_like(self.temperament.compares / 2):
            return self._compare(*choice[:2])
        return self._take(choice[0])

    def _take(self, number: int) -> Act:
        self._fallen = None
        self.held.append(number)
        return self._act(Verb.LIFT, number)

    def _shake(self, number: int) -> Act:
        self.tries -= 1
        self._listen(number)
        vigour = pick(self._rng, self.temperament.vigours)
        span_s = between(self._rng, *self.temperament.shake_s)
        return Act(Verb.SHAKE, self.seat, (number,), vigour=vigour, for_s=span_s)

    def _compare(self, *both: int) -> Act:
        self.tries -= sum(number not in self._worth for number in both)
        self.held = list(both)
        self._compared = both
        for number in both:
            self._listen(number)
        span_s = between(self._rng, *self.temperament.shake_s)
        return Act(Verb.COMPARE, self.seat, both, for_s=1.0 + span_s)

    def _listen(self, number: int) -> None:
        """Guess what a barrel is good for: none above the magic number is; heard twice, better."""
        odds = self._ear.chances(self._ear.hear(number, self._rng))
        worth = fsum(n * p for n, p in zip(NUMBERS, odds, strict=True) if n <= self.magic)
        self._worth[number] = (worth + self._worth.get(number, worth)) / 2.0

    def _put_back(self, number: int) -> Act:
        self.held.remove(number)
        return self._act(Verb.PUT_BACK, number)

    def _place(self, number: int) -> Act:
        self.held.remove(number)
        self.placed = number
        return self._act(Verb.PLACE, number)

    # --- what comes over one ------------------------------------------------------------------

    def _whim(self, takers: Sequence[Guest]) -> Act | None:
        mood, number = self.temperament, pick(self._rng, self.held)
        chance = self._rng.random()
        if chance < mood.kicks:
            return Act(Verb.KICK)
        if chance < mood.kicks + mood.drops:
            self.held.remove(number)
            self._fallen = number
            return self._act(Verb.DROP, number)
        if chance < mood.kicks + mood.drops + mood.peeks:
            self._worth[number] = float(number) if number <= self.magic else 0.0
            return Act(Verb.PEEK, self.seat, (number,), for_s=between(self._rng, 0.3, 1.0))
        if takers and chance > 1.0 - mood.hands_on:
            taker = pick(self._rng, takers)
            self.held.remove(number)
            taker.held.append(number)
            return self._act(Verb.HAND_OVER, number, to=taker.seat)
        return None


class Guests:
    """All who sit at one table."""

    def __init__(
        self,
        world: World,
        rng: Random,
        seats: Sequence[Colour] = tuple(Colour),
        temperaments: Sequence[Temperament] = TEMPERAMENTS,
    ) -> None:
        self._world, self._rng = world, rng
        moods = mixed(rng, temperaments)
        self.magic = 0
        self.guests = {
            seat: Guest(seat, moods[turn % len(moods)], rng) for turn, seat in enumerate(seats)
        }

    def rounds(self, how_many: int | None = None) -> Iterator[Iterator[Line]]:
        """Yield round after round; arrange each before the next is asked for."""
        for number in count(1) if how_many is None else range(1, how_many + 1):
            yield self._round(number)

    def _round(self, number: int) -> Iterator[Line]:
        yield from self.play(number)
        yield from self.flip(number)
        yield from self.clear(number)

    def play(self, number: int) -> Iterator[Line]:
        """Roll, and listen all at once until everybody has placed a barrel."""
        world, rng, seats = self._world, self._rng, tuple(self.guests)
        self.magic = die(rng) + die(rng)
        at_us = max(world.now_free_us, READY_US) + seconds(between(rng, 1.0, 2.0))
        yield _line(number, at_us, Act(Verb.ROLL, seats[number % len(seats)], magic=self.magic))
        for guest in self.guests.values():
            guest.begin(self.magic)
        yield from self._listen(number, world.now_free_us)

    def flip(self, number: int) -> Iterator[Line]:
        """Turn all placed barrels over at once."""
        at_us = self._world.now_free_us + seconds(between(self._rng, 0.8, 2.0))
        yield _line(number, at_us, Act(Verb.FLIP_ALL))

    def _listen(self, number: int, from_us: int) -> Iterator[Line]:
        """Let everybody do one thing after another, whoever is first, until all have placed."""
        turns = [(from_us + guest.pause_us(), seat) for seat, guest in self.guests.items()]
        heapify(turns)
        while turns:
            at_us, seat = heappop(turns)
            guest, free_us = self.guests[seat], self._world.free_us[seat]
            if free_us <= at_us:  # else something was handed over to this one
                act = guest.decide(self._standing(at_us), self._takers(guest, at_us))
                if act is not None:
                    yield _line(number, at_us, act)
            if guest.placed is None:
                ready_us = max(at_us, self._world.free_us[seat])
                heappush(turns, (ready_us + guest.pause_us(), seat))

    def clear(self, number: int) -> Iterator[Line]:
        """Put back at once what fails, and the others one after another, each after a move."""
        world, rng, magic = self._world, self._rng, self.magic
        at_us = world.now_free_us + seconds(between(rng, *LOOK_S))
        for guest in sorted(self.guests.values(), key=lambda guest: (guest.placed or 0) <= magic):
            assert guest.placed is not None
            fails = guest.placed > magic
            at_us += seconds(between(rng, 0.1, 0.6) if fails else between(rng, *MOVE_S))
            yield _line(number, at_us, Act(Verb.PUT_BACK, guest.seat, (guest.placed,)))

    def _standing(self, at_us: int) -> list[int]:
        """Return the barrels on the plateau, each for so long that one may reach for it."""
        return [
            number
            for number, barrel in self._world.barrels.items()
            if barrel.free_us <= at_us - STOOD_US
            and barrel.pose.support is Support.FOOT
            and barrel.pose.at_m == self._world.places[number]
        ]

    def _takers(self, giver: Guest, at_us: int) -> list[Guest]:
        """Return who could be given a barrel right now."""
        return [
            guest
            for seat, guest in self.guests.items()
            if guest is not giver and guest.welcomes() and self._world.free_us[seat] <= at_us
        ]


def _line(number: int, at_us: int, act: Act) -> Line:
    return Line(number, act, at_us / 1e6)
