"""The path of infrared light from stoppers into pads: which bursts of a word are seen, and when.

It must not know what a word says. What is sent are the pulses that the firmware hands to its
board. Each trait has a source of chance of its own, and none looks at what a barrel holds: two
tables that differ in that have the same words.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import hypot
from random import Random
from typing import Final

from companion.sensing.observations import LONG_AGO_US
from companion.simulator.traits import Imperfections, Trait
from companion.simulator.world import World
from companion.system import chance, text

ABOVE_M: Final = 0.012  # a word is read from no higher…
BESIDE_M: Final = 0.013  # …from no farther off a pad's middle…
ASKEW_DEG: Final = 20.0  # …and from no more tilted foot
NEAR_M: Final = 0.04  # without that trait it is read wherever a barrel stands on its coaster
AIM_M: Final = 0.0035  # how far off the middle people put it, each way: a guess
OK: Final = 0.97  # the share of words that a clean window lets through…
DIRT: Final = ((0.4, 0.02), (0.7, 0.10))  # …a very dirty one, a dirty one; and how many are so
DEAD: Final = 1 / 500
LATE_US: Final = 12.0  # an interrupt's usual delay…
TAIL_US: Final = (100.0, 200.0)  # …and that of one edge in two thousand
TAIL: Final = 0.0005
BURST_US: Final = 263
SPEAKS_US: Final = 1_500_000  # whoever stands awake says a word each second


@dataclass(frozen=True, slots=True, order=True)
class BurstEdge:
    """A receiver sees a burst begin."""

    at_us: int  # as the kernel stamps it
    seat: text.SeatName


class LightPath:
    """All stoppers' lights and all pads' receivers.

    >>> from companion.simulator.world import World
    >>> world = World(Random(1))
    >>> path = LightPath(world, "1")
    >>> path.shine(4, 1_000, (263, 1000, 263))
    >>> path.edges(2_000_000)  # it stands in the middle
    []
    """

    def __init__(self, world: World, seed: str) -> None:
        self._world, self._seed = world, seed
        traits: Imperfections = world.traits
        self._near = NEAR_M if Trait.REACH not in traits else BESIDE_M
        self._words = self._own("words") if Trait.WORDS in traits else None
        self._ok = dict.fromkeys(world.stoppers.values(), OK if self._words else 1.0)
        if Trait.WINDOWS in traits:
            self._ok |= self._dirty()
        self._chance = self._own("windows words")
        self._aims: dict[int, tuple[int, float, float]] = {}  # when each was seen, and how it stood
        self._aim = self._own("reach")
        dead = self._own("receivers") if Trait.RECEIVERS in traits else None
        self.dead = {seat for seat in world.seats if dead is not None and dead.random() < DEAD}
        self._waiting: list[BurstEdge] = []
        self._dark_us: dict[text.SeatName, int] = {}  # when each began to see a burst

    def _own(self, name: str) -> Random:
        return Random(f"{name} {self._seed}")  # noqa: S311 - a game and no secret

    def _dirty(self) -> Mapping[int, float]:
        """Return how many words get through the windows that are dirty this evening."""
        rng, dirty = self._own("windows"), dict[int, float]()
        in_order = sorted(self._world.barrel_of)  # not by barrel: nothing follows from its number
        for stopper in in_order:
            drawn = rng.random()
            share = next((share for share, often in DIRT if drawn < often), None)
            dirty |= {} if share is None else {stopper: share}
        return dirty

    def keep_clean(self, ok: float) -> None:
        """Let this share of all words through, whoever says them."""
        self._ok = dict.fromkeys(self._ok, ok)

    def shine(self, stopper: int, at_us: int, pulses: Sequence[int]) -> None:
        """Send a word: light, darkness, light and so on, each for so many µs."""
        seat = self._seat_below(stopper, at_us)
        lost = self._chance.random() >= self._ok[stopper]  # drawn whoever may see it
        if seat is None or seat in self.dead:
            return
        gone = 2 * int(self._chance.random() * (len(pulses) // 2)) if lost else -1
        for number, length_us in enumerate(pulses):
            if number % 2 == 0 and number != gone:
                heappush(self._waiting, BurstEdge(at_us + self._late_us(), seat))
            at_us += length_us

    def _late_us(self) -> int:
        if self._words is None:
            return 0
        if self._words.random() < TAIL:
            low, high = TAIL_US
            return round(low + (high - low) * self._words.random())
        return round(self._words.expovariate(1 / LATE_US))

    def _seat_below(self, stopper: int, at_us: int) -> text.SeatName | None:
        """Return on, or just above, whose pad a barrel is, so that its word can be read there."""
        barrel = self._world.by_stopper(stopper)
        x, y, z = barrel.motion(at_us).place(at_us)[0]
        for seat, pad in self._world.pads.items():
            beside = hypot(x - pad[0], y - pad[1])
            if beside >= NEAR_M:
                continue
            if Trait.REACH in self._world.traits:
                aim_x, aim_y = self._aimed(stopper, at_us)
                beside = hypot(x - pad[0] + aim_x, y - pad[1] + aim_y)
            if beside < self._near and z - pad[2] < ABOVE_M and barrel.tilt_deg(at_us) < ASKEW_DEG:
                return seat
        return None

    def _aimed(self, stopper: int, at_us: int) -> tuple[float, float]:
        """Return how far off it was put, which stays so for as long as it speaks there."""
        seen_us, x, y = self._aims.get(stopper, (LONG_AGO_US, 0.0, 0.0))
        if at_us - seen_us > SPEAKS_US:
            x, y = AIM_M * chance.wobble(self._aim), AIM_M * chance.wobble(self._aim)
        self._aims[stopper] = at_us, x, y
        return x, y

    def edges(self, until_us: int) -> list[BurstEdge]:
        """Return what receivers have seen by then, in order, once."""
        seen = list[BurstEdge]()
        while self._waiting and self._waiting[0].at_us <= until_us:
            edge = heappop(self._waiting)
            if edge.at_us - self._dark_us.get(edge.seat, LONG_AGO_US) >= BURST_US:
                self._dark_us[edge.seat] = edge.at_us  # else it still sees the one before
                seen.append(edge)
        return seen
