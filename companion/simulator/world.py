"""The simulated world: thirteen barrels, a plateau, seats with pads, and hands that do as told.

It must not know sensors, messages or rules: people may do what the rulebook forbids.
"""

from collections.abc import Mapping, Sequence
from math import cos, dist, pi, sin
from random import Random
from typing import Final

from companion.sensing.settings import BARRELS
from companion.simulator import hand_params, tabletop
from companion.simulator.barrel import Barrel
from companion.simulator.ground_truth import Happening, TruthLog, What
from companion.simulator.hands import Hand, seconds
from companion.simulator.motions import Vector
from companion.simulator.pads import LATE_S as PADS_LATE_S
from companion.simulator.pads import PadEye, Spring, presses
from companion.simulator.people import People
from companion.simulator.poses import STANDING, Motion, Pose, Support, stay
from companion.simulator.stones import SHELL_G, Stones
from companion.simulator.traits import KIND, Imperfections, Trait
from companion.system import chance, config, text

LABEL_DEG: Final = 45.0  # psi: the most oblique view in which a recessed label can be read
EYES_DEG: Final = hand_params.HandSpread(
    33.0, 6.0, 20.0, 50.0
)  # how far above the barrel the holder's eyes are
PLATEAU_M: Final = 0.11
PADS_M: Final = 0.34
NEVER: Final = 1 << 62


class World:
    """Everything that stands on the table; what people do is arranged ahead, in virtual time.

    >>> world = World(Random(1))
    >>> [len(world.barrels[number].stones_g) for number in (1, 13)], world.now_free_us
    ([1, 13], 0)
    """

    def __init__(  # noqa: PLR0913 - everything that can be chosen of it
        self,
        rng: Random,
        *,
        seats: Sequence[text.SeatName] = config.SEATS,
        stones: Stones = Stones.BALLS_4_5_MM,
        stoppers: Sequence[int] | None = None,
        shell_g: float = SHELL_G,
        traits: Imperfections = KIND,
    ) -> None:
        self.rng, self.traits = rng, traits
        self.seats = tuple(seats)
        numbers = range(1, BARRELS + 1)
        self.stoppers = dict(zip(numbers, stoppers or chance.mixed(rng, numbers), strict=True))
        self.barrel_of = {stopper: number for number, stopper in self.stoppers.items()}
        top = tabletop.Tabletop(self.own_chance("tabletop")) if Trait.TABLE in traits else None
        self._tabletop = top
        self.hand = Hand(rng, cloth=top.cloth if top else 1.0)
        self.spots = tuple(_place(number) for number in range(BARRELS))
        places = chance.mixed(rng, self.spots)
        self.places = dict(zip(numbers, places, strict=True))
        self.pads = {seat: _around(PADS_M, seat / len(config.SEATS)) for seat in self.seats}
        self.eyes: Mapping[text.SeatName, PadEye] = {}  # of pads without a switch
        self.fit_springs(PADS_LATE_S)
        self.barrels = {
            number: Barrel(
                number,
                rng,
                stones=stones,
                pose=Pose(self.places[number]),
                shell_g=shell_g,
                tabletop=self._tabletop,
            )
            for number in numbers
        }
        self.eyes_deg = {seat: EYES_DEG.draw(rng) for seat in self.seats}
        self.people = People.at(self.seats, self.stoppers) if Trait.PEOPLE in traits else None
        if self.people is not None:
            self.eyes_deg |= self.people.low_eyes_deg
        self.truth = TruthLog()
        self.free_us = dict.fromkeys(self.seats, 0)  # when each one's hands are free
        self.table_us = 0  # when the table has stopped ringing

    def own_chance(self, name: str) -> Random:
        """Return a source of chance of its own, within this world."""
        return Random(f"{name} {self.stoppers}")  # noqa: S311 - a game and no secret

    def fit_springs(self, most_s: float) -> None:
        """Let pads close late, by so much at most for each one's mean, if they have that trait."""
        late = self.seats if Trait.PADS in self.traits else ()
        self._springs = {seat: Spring(self.own_chance(f"spring {seat}"), most_s) for seat in late}

    @property
    def now_free_us(self) -> int:
        """Return when everything arranged so far is done."""
        ends = [barrel.free_us for barrel in self.barrels.values()]
        return max(*ends, *self.free_us.values(), self.table_us)

    def by_stopper(self, stopper: int) -> Barrel:
        return self.barrels[self.barrel_of[stopper]]

    def pad_closed(self, seat: text.SeatName, at_us: int) -> bool:
        """Return whether something stands on a seat's pad, as far as the pad can tell.

        With springs, as with eyes, times never go back.
        """
        closed, spring = self._pressed(seat, at_us), self._springs.get(seat)
        return closed if spring is None else spring.follow(closed, at_us)

    def _pressed(self, seat: text.SeatName, at_us: int) -> bool:
        pad, eye = self.pads[seat], self.eyes.get(seat)
        for barrel in self.barrels.values():
            motion = barrel.motion(at_us)
            if pad in (motion.before.at_m, motion.after.at_m):
                if motion.resting:
                    return True
                if eye.sees(motion, at_us, pad) if eye else presses(barrel, motion, at_us, pad):
                    return True
        return eye is not None and eye.sees_hand(at_us)

    def still_until_us(self, at_us: int) -> int:
        """Return until when the table does nothing to what stands on it; music does not count."""
        return NEVER if self._tabletop is None else self._tabletop.still_until_us(at_us)

    def on_pad(self, seat: text.SeatName) -> int | None:
        """Return the barrel that will stand on a pad when all is done: of two, the middle one."""
        pad = self.pads[seat]
        there = {
            number: dist(barrel.pose.at_m, pad)
            for number, barrel in self.barrels.items()
            if not barrel.pose.held and _near(barrel.pose.at_m, pad)
        }
        return min(there, key=there.__getitem__, default=None)

    def holder(self, number: int) -> text.SeatName | None:
        """Return who will have a barrel in hand when all is done."""
        barrel = self.barrels[number]
        return self.truth.holder(number, barrel.free_us) if barrel.pose.held else None

    def stands(self, number: int) -> bool:
        """Return whether a barrel will stand upright where it belongs when all is done."""
        pose = self.barrels[number].pose
        return pose.support is Support.FOOT and pose.at_m == self.places[number]

    def hand_of(self, seat: text.SeatName | None) -> Hand:
        return self.hand if self.people is None else self.people.hand(self.hand, seat)

    def limit_deg(self, seat: text.SeatName | None) -> float:
        """Return the tilt from which somebody can read a label; nobody: the best placed of all."""
        eyes = min(self.eyes_deg.values()) if seat is None else self.eyes_deg[seat]
        return eyes + 90.0 - LABEL_DEG

    def lay(self, number: int, place: Vector, pose: Pose, seat: text.SeatName | None) -> None:
        """Have a barrel lie somewhere from the beginning, perhaps in a hand or before somebody."""
        self.places[number] = place
        self.barrels[number].motions = [stay(pose, 0)]
        if seat is not None:
            what = What.LIFTED if pose.held else What.PLACED
            self.truth.add(Happening(what, 0, 0, number, seat, seat))

    def forget(self, before_us: int) -> None:
        """Delete what was over before this time; nobody may ask for it any more."""
        for barrel in self.barrels.values():
            barrel.forget(before_us)
        self.truth.forget(before_us)


def world_of(
    seed: int,
    stones: Stones = Stones.BALLS_4_5_MM,
    shell_g: float = SHELL_G,
    traits: Imperfections = KIND,
) -> World:
    """Return the same world that the table with this seed stands in."""
    rng = Random(f"world {seed}")  # noqa: S311 - a game and no secret
    return World(rng, stones=stones, shell_g=shell_g, traits=traits)


def _around(radius_m: float, turn: float) -> Vector:
    return radius_m * cos(2.0 * pi * turn), radius_m * sin(2.0 * pi * turn), 0.0


def _place(number: int) -> Vector:
    """Return the middle place, then six around it, then six between and beyond those."""
    ring, step = divmod(number - 1, 6)
    if number == 0:
        return 0.0, 0.0, 0.0
    return _around(PLATEAU_M * (0.5 + 0.5 * ring), step / 6.0 + ring / 12.0)


def _near(first: Vector, second: Vector) -> bool:
    return all(abs(a - b) < 0.04 for a, b in zip(first, second, strict=True))


LATE_S: Final = (0.0, 0.5)  # not all begin at once
SLIDE_S: Final = (1.2, 2.0)


def mix(world: World, at_us: int) -> int:
    """Let hands slide all barrels on the plateau about; return when it is done."""
    at_us = max(at_us, world.table_us)
    places = {world.places[number]: number for number in world.barrels if world.stands(number)}
    spots = [spot for spot in world.spots if spot in places]
    ends = [at_us]
    for spot, goal in zip(spots, chance.mixed(world.rng, spots), strict=True):
        number = places[spot]
        barrel = world.barrels[number]
        begin_us = max(at_us, barrel.free_us) + seconds(hand_params.between(world.rng, *LATE_S))
        barrel.add(_slide(world.hand, begin_us, barrel.pose, goal))
        world.places[number] = goal
        ends.append(barrel.free_us)
    world.truth.add(Happening(What.MIXED, at_us, max(ends)))
    return max(ends)


def _slide(hand: Hand, at_us: int, pose: Pose, goal: Vector) -> Motion:
    """Slide a standing barrel; the table carries it all the way."""
    span = hand_params.between(hand.rng, *SLIDE_S)
    (x, y, z), (to_x, to_y, to_z) = pose.at_m, goal
    pieces = tuple(hand.reach(0.0, span, (to_x - x, to_y - y, to_z - z), 0.0))
    after = Pose(goal, pose.tilt_rad, pose.lean_rad, pose.support)
    return Motion("mix", at_us, at_us + seconds(span), pose, after, pieces, STANDING)
