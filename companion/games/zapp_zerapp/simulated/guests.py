"""Guests who play rounds at the simulated table of their own accord, each with a temperament.

They must not know sensors, nor a number but by ear, by peeking, or once all is flipped. A round is
decided act by act, when its time comes, as persons may play with them.

    table.follow(guests.choosing(9, table.now_us))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from math import fsum
from random import Random
from types import MappingProxyType
from typing import Final

from companion.core import Event, SeatName, write
from companion.core.players.levels import CASUAL, EXPERT, GOOD, RANDOM
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.listening_ai import listener, people
from companion.games.zapp_zerapp.simulated.guest import (
    TEMPERAMENTS,
    Curve,
    Guest,
    Temperament,
    fields,
)
from companion.referee import match, replay, snapshot
from companion.referee.commands import DoAction
from companion.simulator import hands, run
from companion.simulator.hand_params import between
from companion.simulator.script import ScriptAct, ScriptLine, Verb
from companion.simulator.world import World
from companion.system import chance, config

HASTE_US: Final = 300_000  # … between two things that somebody does who is waited for
STOOD_US: Final = 500_000  # this long a barrel stands before somebody else reaches for it
FLIP_S: Final = (0.8, 2.0)  # until all barrels are turned over…
BRISK_S: Final = (0.1, 0.4)  # …and where people play who would have to wait
LOOK_S: Final = (1.5, 3.0)  # all look at what was flipped
MOVE_S: Final = (2.0, 5.0)  # one moves a pawn, the others watch
FEW: Final = 2  # barrels that a guest tries where people play, who try about as many
Worth = Callable[[SeatName], Curve]
AT_ONCE: Final[Mapping[SeatName, int]] = MappingProxyType({})


class Guests:
    """All who sit at one table; at each seat a person may play instead."""

    def __init__(
        self,
        world: World,
        rng: Random,
        seats: Sequence[SeatName] = config.SEATS,
        temperaments: Sequence[Temperament] = TEMPERAMENTS,
    ) -> None:
        self.world, self._rng = world, rng
        self._moods = chance.mixed(rng, temperaments)
        self._known: dict[SeatName, Guest] = {}
        self.magic = 0
        self.guests: dict[SeatName, Guest] = {}  # by seat, also of seats where people play
        self.wanted = self.away = frozenset[SeatName]()  # where people want to play, and do
        self.sit(seats)

    @property
    def playing(self) -> list[Guest]:
        return [guest for seat, guest in self.guests.items() if seat not in self.away]

    # --- who plays ----------------------------------------------------------------------------

    def sit(self, seats: Sequence[SeatName]) -> None:
        """Play at these seats; for a seat where nobody has played yet somebody comes."""
        for seat in seats:
            if seat not in self._known:
                mood = self._moods[len(self._known) % len(self._moods)]
                self._known[seat] = Guest(seat, mood, self._rng)
        self.guests = {seat: self._known[seat] for seat in seats}

    def make_room(self, seat: SeatName) -> bool:
        """Let a person play a seat: at once, unless its guest has placed; else by `next_round`."""
        self.wanted |= {seat}
        if seat not in self.guests or self.guests[seat].placed is None:
            self.away |= {seat}
        return seat in self.away

    def next_round(self) -> None:
        """Let those play who want to."""
        self.away = self.wanted

    def resume(
        self, magic: int, late_us: Mapping[SeatName, int], worth: Worth | None = None
    ) -> Choosing:
        """Go on in the midst of a round, with the barrels that are in hands and on pads."""
        self.magic, world = magic, self.world
        for seat, guest in self.guests.items():
            guest.begin(fields(magic) if worth is None else worth(seat))
            held = [number for number in world.barrels if world.holder(number) is seat]
            guest.take_over(held, world.on_pad(seat))
        choosers = [guest for guest in self.playing if guest.placed is None]
        return Choosing(self, choosers, world.now_free_us, late_us)

    def fill(self, seat: SeatName) -> None:
        """Play on where a person has left, with the barrels that lie there."""
        world, played = self.world, seat in self.away
        self.wanted, self.away = self.wanted - {seat}, self.away - {seat}
        if played and seat in self.guests:
            held = [number for number in world.barrels if world.holder(number) is seat]
            self.guests[seat].take_over(held, world.on_pad(seat))

    def end(self) -> None:
        """Be done with a match: nobody has placed anything, and whoever wants to play does."""
        for guest in self._known.values():
            guest.rest()
            guest.placed = None
        self.next_round()

    # --- rounds -------------------------------------------------------------------------------

    def roll(self, number: int, from_us: int = run.READY_US) -> Iterator[ScriptLine]:
        """Roll both dice, when all is calm."""
        rng, playing = self._rng, self.playing
        self.magic = chance.die(rng) + chance.die(rng)
        at_us = self._calm_us(max(from_us, run.READY_US)) + hands.seconds(between(rng, 1.0, 2.0))
        seat = playing[number % len(playing)].seat
        yield _line(number, at_us, ScriptAct(Verb.ROLL, seat, magic=self.magic))

    def choosing(
        self,
        magic: int,
        from_us: int,
        late_us: Mapping[SeatName, int] = AT_ONCE,
        worth: Worth | None = None,
    ) -> Choosing:
        """Let all listen at once until everybody has placed a barrel; some begin later.

        Each listens for as many fields as possible, or for what is `worth` most at a seat.
        """
        self.magic = magic
        for seat, guest in self.guests.items():
            guest.begin(fields(magic) if worth is None else worth(seat))
            if self.away:
                guest.tries = min(guest.tries, FEW)
        return Choosing(self, self.playing, from_us, late_us)

    def flip(self, number: int, from_us: int = 0) -> Iterator[ScriptLine]:
        """Turn all placed barrels over at once; people do that with their own."""
        soon_s = BRISK_S if self.away else FLIP_S
        at_us = self._calm_us(from_us) + hands.seconds(between(self._rng, *soon_s))
        if not self.away:
            yield _line(number, at_us, ScriptAct(Verb.FLIP_ALL))
            return
        for guest in self.playing:
            if guest.placed is not None:
                late_us = at_us + hands.seconds(between(self._rng, 0.0, 0.4))
                yield _line(number, late_us, ScriptAct(Verb.FLIP, guest.seat, (guest.placed,)))

    def clear(self, number: int, from_us: int = 0) -> Iterator[ScriptLine]:
        """Put back at once what fails, and the others one after another, each after a move."""
        rng, magic = self._rng, self.magic
        at_us = self._calm_us(from_us) + hands.seconds(between(rng, *LOOK_S))
        placed = [(guest, guest.placed) for guest in self.playing if guest.placed is not None]
        for guest, barrel in sorted(placed, key=lambda pair: pair[1] <= magic):
            fails = barrel > magic
            at_us += hands.seconds(between(rng, 0.1, 0.6) if fails else between(rng, *MOVE_S))
            yield _line(number, at_us, ScriptAct(Verb.PUT_BACK, guest.seat, (barrel,)))
        for guest in self.guests.values():
            guest.rest()

    def collect(self, number: int, from_us: int) -> Iterator[ScriptLine]:
        """Put back what everybody has placed, all at once: also for people."""
        world, at_us = self.world, self._calm_us(from_us)
        for seat, guest in self.guests.items():
            if (barrel := world.on_pad(seat)) is not None:
                late_us = at_us + hands.seconds(between(self._rng, 0.0, 0.5))
                yield _line(number, late_us, ScriptAct(Verb.PUT_BACK, seat, (barrel,)))
            guest.rest()

    def tidy(self, number: int, from_us: int) -> Iterator[ScriptLine]:
        """Put back what is still not where it belongs, except what people hold or placed."""
        world, first = self.world, next(iter([*self.playing, *self.guests.values()])).seat
        placed = {world.on_pad(person) for person in self.away}
        for barrel in world.barrels:
            if world.stands(barrel):
                continue
            holder = world.holder(barrel)
            if holder not in self.away and barrel not in placed:
                seat = first if holder is None else holder
                yield _line(
                    number, self._calm_us(from_us), ScriptAct(Verb.PUT_BACK, seat, (barrel,))
                )

    def mix(self, number: int, from_us: int) -> Iterator[ScriptLine]:
        """Mix all barrels on the plateau (ZZ-10)."""
        yield _line(number, self._calm_us(from_us), ScriptAct(Verb.MIX))

    def _calm_us(self, from_us: int) -> int:
        return max(from_us, self.world.now_free_us)

    def takers(self, giver: Guest, at_us: int) -> list[Guest]:
        """Return who could be given a barrel right now."""
        free_us = self.world.free_us
        return [
            guest
            for guest in self.playing
            if guest is not giver and guest.welcomes() and free_us[guest.seat] <= at_us
        ]


class Choosing:
    """All listen at once, one act after another, until everybody has placed a barrel.

    Each act is decided by what stands there when it is asked for; carry it out before the next.
    """

    def __init__(
        self,
        guests: Guests,
        choosers: Sequence[Guest],
        from_us: int,
        late_us: Mapping[SeatName, int] = AT_ONCE,
    ) -> None:
        self._guests, self._world = guests, guests.world
        self._turns = [
            (from_us + guest.pause_us() + late_us.get(guest.seat, 0), guest.seat)
            for guest in choosers
        ]
        self.seats = {guest.seat for guest in choosers}  # of all who choose or have placed
        self._acted: tuple[int, SeatName] | None = None
        heapify(self._turns)

    def next_us(self) -> int | None:
        """Return when somebody does something next; None: all have placed."""
        if self._acted is not None:
            at_us, seat = self._acted
            guest, self._acted = self._guests.guests[seat], None
            if guest.placed is None:
                ready_us = max(at_us, self._world.free_us[seat])
                pause_us = guest.pause_us()
                heappush(self._turns, (ready_us + (HASTE_US if self._awaited else pause_us), seat))
        return self._turns[0][0] if self._turns else None

    @property
    def _awaited(self) -> bool:
        """Tell whether all people have chosen already, and wait for the guests."""
        away = self._guests.away
        return bool(away) and all(self._world.on_pad(seat) is not None for seat in away)

    def step(self, at_us: int) -> ScriptAct | None:
        """Return what is done now by the one whose turn it is; None: nothing."""
        if not self._turns:
            return None
        _, seat = heappop(self._turns)
        guests, world = self._guests, self._world
        if seat in guests.away:
            self.seats.discard(seat)
            return None
        self._acted = at_us, seat
        if world.free_us[seat] > at_us:  # something was handed over to this one
            return None
        guest = guests.guests[seat]
        if self._awaited:
            guest.hurry()
        return guest.decide(self._standing(at_us), guests.takers(guest, at_us))

    def end(self) -> None:
        """Let nobody do anything from now on."""
        self._turns, self._acted = [], None

    def _standing(self, at_us: int) -> list[int]:
        """Return the barrels on the plateau, each for so long that one may reach for it."""
        world = self._world
        return [
            number
            for number, barrel in world.barrels.items()
            if barrel.free_us <= at_us - STOOD_US and world.stands(number)
        ]


def _line(number: int, at_us: int, act: ScriptAct) -> ScriptLine:
    return ScriptLine(number, act, at_us / 1e6)


TAKE_IN_S: Final = (0.4, 1.0)  # then somebody goes on
REVEAL_S, BANISHED_S, WON_S, FIELD_S, PAWN_S = 3.5, 1.2, 3.0, 0.2, 0.5
MOST_S: Final = 12.0  # nobody stares at one thing for longer
RULE_US: Final = 15_000_000  # this long people are left to rule where it costs nothing


def watched_s(happened: Iterable[Event]) -> float:
    """Return for how long there is something to see; all barrels are turned at once.

    >>> from companion.games.zapp_zerapp.rules import Colour, Moved, Shown
    >>> watched_s([Shown(Colour.RED, 5, works=True), Moved(Colour.RED, 0, 5, (0, 1, 2, 3, 4))])
    5.0
    >>> watched_s([Shown(colour, 5 + colour, works=True) for colour in Colour])
    3.5
    """
    seen = [*happened]
    turned_s = REVEAL_S if any(isinstance(event, rules.Shown) for event in seen) else 0.0
    return min(MOST_S, round(turned_s + fsum(map(_lasts_s, seen)), 1))


def _lasts_s(event: Event) -> float:
    match event:
        case rules.Moved(path=path):
            return PAWN_S + FIELD_S * len(path)
        case rules.Banished() | rules.TakenAlong():
            return BANISHED_S
        case rules.Won():
            return WON_S
    return 0.0


class Watching:
    """What people at the table are still looking at, or have to rule on."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._acted: tuple[str | None, int] = (None, -1)
        self._fouls: tuple[tuple[int, int], ...] = ()
        self._until_us = self._ruled_by_us = 0

    def see(self, now: snapshot.Snapshot, now_us: int) -> None:
        """Take what has happened."""
        if (now.match, now.acted) != self._acted:
            self._acted = now.match, now.acted
            span_s = watched_s(now.happened) + between(self._rng, *TAKE_IN_S)
            self._until_us = now_us + hands.seconds(span_s)
        fouls = tuple((foul.raised.foul, foul.raised.times) for foul in now.fouls if _open(foul))
        if not set(fouls) <= set(self._fouls):
            self._ruled_by_us = now_us + RULE_US
        elif not fouls:
            self._ruled_by_us = now_us
        self._fouls = fouls

    def goes_on(self, now: snapshot.Snapshot, now_us: int) -> bool:
        """Return whether somebody may go on: all was seen, and what costs something is decided."""
        return not now.costly and now_us >= max(self._until_us, self._ruled_by_us)


def _open(foul: match.Foul) -> bool:
    return foul.upheld is None and foul.raised.weight == replay.FOUL


Moves = Sequence[tuple[DoAction, tuple[Event, ...]]]  # and what each brings about


def worths(
    level: str, settings: rules.Settings, view: rules.View
) -> Callable[[SeatName], Curve] | None:
    """Return what numbers are worth at each seat; None: as many fields as they are good for."""
    if level == RANDOM:
        return lambda _seat: (1.0,) * rules.BARRELS
    if level != EXPERT:
        return None
    return lambda seat: listener.judge(settings).curve(view, rules.Colour(seat))


def chosen(
    level: str, settings: rules.Settings, view: rules.View, moves: Moves, rng: Random
) -> DoAction:
    """Return the move that somebody of a level makes."""
    if level in {EXPERT, GOOD}:
        best = write(listener.judge(settings).best(view))
        return next(act for act, _ in moves if act.text == best)
    if level == CASUAL:
        gains, pawns = people.Gains(settings), dict(view.pawns)
        return max(moves, key=lambda move: gains.of(move[1], pawns))[0]
    return chance.pick(rng, [act for act, _ in moves])
