"""Guests at the simulated table: bots with a temperament that shake and choose by hand.

They must not know sensors, nor a number but by ear, by peeking, or once all is flipped. A round is
decided act by act, when its time comes, as persons may play with them.

    table.follow(guests.choosing(9, table.now_us))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import fsum
from operator import mul
from random import Random
from types import MappingProxyType
from typing import Final

from companion.core import Event, SeatName, write
from companion.core.players.levels import CASUAL, EXPERT, GOOD, RANDOM
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.listening_ai import listener, people
from companion.games.zapp_zerapp.listening_ai.people import NUMBERS, Ear
from companion.referee import match, replay, snapshot
from companion.referee.commands import DoAction
from companion.simulator import hands, run
from companion.simulator.hand_params import ScriptVigour, between
from companion.simulator.script import ScriptAct, ScriptLine, Verb
from companion.simulator.world import World
from companion.system import chance, config


@dataclass(frozen=True, slots=True)
class Temperament:
    """How somebody plays, and what may come over one with a barrel in hand."""

    vigours: tuple[ScriptVigour, ...]
    pause_s: tuple[float, float]
    shake_s: tuple[float, float]
    compares: float
    peeks: float = 0.0
    hands_on: float = 0.0
    drops: float = 0.0
    kicks: float = 0.0


GENTLE: Final = Temperament((ScriptVigour.GENTLY,), (0.8, 2.4), (1.2, 2.2), 0.6, hands_on=0.02)
SLY: Final = Temperament(
    (ScriptVigour.GENTLY, ScriptVigour.AS_USUAL), (0.6, 1.8), (0.8, 1.6), 0.4, peeks=0.05
)
CALM: Final = Temperament((ScriptVigour.AS_USUAL,), (0.6, 1.8), (0.9, 1.8), 0.5, hands_on=0.01)
LIVELY: Final = Temperament(
    (ScriptVigour.AS_USUAL, ScriptVigour.FIRMLY),
    (0.3, 1.2),
    (0.7, 1.5),
    0.3,
    0.005,
    0.03,
    0.005,
    0.005,
)
WILD: Final = Temperament(
    (ScriptVigour.FIRMLY, ScriptVigour.WILDLY), (0.2, 0.8), (0.6, 1.4), 0.2, 0.01, 0.01, 0.02, 0.02
)
TEMPERAMENTS: Final = (GENTLE, SLY, CALM, LIVELY, WILD)


WORTH_KEEPING: Final = 0.75  # of what is best: worth keeping at once

Curve = Sequence[float]  # what each number would be worth, from 1


def fields(magic: int) -> Curve:
    """Return how many fields each number is good for: none above the magic number.

    >>> fields(2)[:4]
    (1.0, 2.0, 0.0, 0.0)
    """
    return tuple(float(number) if number <= magic else 0.0 for number in NUMBERS)


class Guest:
    """Somebody at one seat: what the hands hold, what the ears made of it, what comes next."""

    def __init__(self, seat: SeatName, temperament: Temperament, rng: Random) -> None:
        self.seat, self.temperament = seat, temperament
        self._rng, self._ear = rng, Ear()
        self.begin(fields(0))

    def begin(self, curve: Curve) -> None:
        """Begin a round with empty hands, knowing what each number would be worth."""
        self._curve, self.tries = curve, 2 + chance.below(self._rng, 4)
        least = min(curve)
        self._good = least + WORTH_KEEPING * (max(curve) - least)
        self.held: list[int] = []
        self.placed: int | None = None
        self._fallen: int | None = None
        self._compared: tuple[int, ...] = ()
        self._worth: dict[int, float] = {}  # of each barrel heard

    def hurry(self) -> None:
        """Try no other barrel: place what is in hand, or the next that is heard."""
        self.tries = min(self.tries, 0 if self.held else 1)

    def rest(self) -> None:
        """Be done with a round: all barrels are back, and what was heard is worth nothing."""
        self.held, self._fallen, self._worth = [], None, {}

    def take_over(self, held: Sequence[int], placed: int | None) -> None:
        """Go on in the middle of a round with what somebody else held and placed."""
        self.held, self.placed = list(held), placed

    def pause_us(self) -> int:
        """Return how long this time it takes until something else is done."""
        return hands.seconds(between(self._rng, *self.temperament.pause_s))

    def welcomes(self) -> bool:
        """Whether there is a hand for one more barrel."""
        return self.placed is None and self._fallen is None and len(self.held) < 2

    def decide(self, standing: Sequence[int], takers: Sequence[Guest]) -> ScriptAct | None:
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
        if self.held and (self.tries <= 0 or self._worth[self.held[0]] >= self._good):
            return self._place(self.held[0])
        return self._reach(standing)

    def _feels_like(self, chance: float) -> bool:
        return self._rng.random() < chance

    def _act(self, verb: Verb, *barrels: int, to: SeatName | None = None) -> ScriptAct:
        return ScriptAct(verb, self.seat, barrels, to)

    # --- what hands do ------------------------------------------------------------------------

    def _reach(self, standing: Sequence[int]) -> ScriptAct | None:
        """Take one of the barrels, or two at once to compare them, rather those not yet heard."""
        fresh = [number for number in standing if number not in self._worth]
        choice = chance.mixed(self._rng, fresh or standing)
        if not choice:
            return None
        if len(fresh) >= 2 and not self.held and self._feels_like(self.temperament.compares / 2):
            return self._compare(*choice[:2])
        return self._take(choice[0])

    def _take(self, number: int) -> ScriptAct:
        self._fallen = None
        self.held.append(number)
        return self._act(Verb.LIFT, number)

    def _shake(self, number: int) -> ScriptAct:
        self.tries -= 1
        self._listen(number)
        vigour = chance.pick(self._rng, self.temperament.vigours)
        span_s = between(self._rng, *self.temperament.shake_s)
        return ScriptAct(Verb.SHAKE, self.seat, (number,), vigour=vigour, for_s=span_s)

    def _compare(self, *both: int) -> ScriptAct:
        self.tries -= sum(number not in self._worth for number in both)
        self.held = list(both)
        self._compared = both
        for number in both:
            self._listen(number)
        span_s = between(self._rng, *self.temperament.shake_s)
        return ScriptAct(Verb.COMPARE, self.seat, both, for_s=1.0 + span_s)

    def _listen(self, number: int) -> None:
        """Guess what a barrel is worth; heard twice, better."""
        odds = self._ear.chances(self._ear.hear(number, self._rng))
        worth = fsum(map(mul, self._curve, odds))
        self._worth[number] = (worth + self._worth.get(number, worth)) / 2.0

    def _put_back(self, number: int) -> ScriptAct:
        self.held.remove(number)
        return self._act(Verb.PUT_BACK, number)

    def _place(self, number: int) -> ScriptAct:
        self.held.remove(number)
        self.placed = number
        return self._act(Verb.PLACE, number)

    # --- what comes over one ------------------------------------------------------------------

    def _whim(self, takers: Sequence[Guest]) -> ScriptAct | None:
        mood, number = self.temperament, chance.pick(self._rng, self.held)
        mark = self._rng.random()
        if mark < mood.kicks:
            return ScriptAct(Verb.KICK)
        if mark < mood.kicks + mood.drops:
            self.held.remove(number)
            self._fallen = number
            return self._act(Verb.DROP, number)
        if mark < mood.kicks + mood.drops + mood.peeks:
            self._worth[number] = self._curve[number - 1]
            return ScriptAct(Verb.PEEK, self.seat, (number,), for_s=between(self._rng, 0.3, 1.0))
        if takers and mark > 1.0 - mood.hands_on:
            taker = chance.pick(self._rng, takers)
            self.held.remove(number)
            taker.held.append(number)
            return self._act(Verb.HAND_OVER, number, to=taker.seat)
        return None


HASTE_US: Final = 300_000  # … between two things that somebody does who is waited for
STOOD_US: Final = 500_000  # this long a barrel stands before somebody else reaches for it
FLIP_S: Final = (0.8, 2.0)  # until all barrels are turned over…
BRISK_S: Final = (0.1, 0.4)  # …and where people play who would have to wait
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
        self.world, self.rng = world, rng
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
                self._known[seat] = Guest(seat, mood, self.rng)
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
        rng, playing = self.rng, self.playing
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
        at_us = self._calm_us(from_us) + hands.seconds(between(self.rng, *soon_s))
        if not self.away:
            yield _line(number, at_us, ScriptAct(Verb.FLIP_ALL))
            return
        for guest in self.playing:
            if guest.placed is not None:
                late_us = at_us + hands.seconds(between(self.rng, 0.0, 0.4))
                yield _line(number, late_us, ScriptAct(Verb.FLIP, guest.seat, (guest.placed,)))

    def collect(self, number: int, from_us: int) -> Iterator[ScriptLine]:
        """Put back what everybody has placed, all at once: also for people."""
        world, at_us = self.world, self._calm_us(from_us)
        for seat, guest in self.guests.items():
            if (barrel := world.on_pad(seat)) is not None:
                late_us = at_us + hands.seconds(between(self.rng, 0.0, 0.5))
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
