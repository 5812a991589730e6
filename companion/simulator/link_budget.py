"""The radio's link budget: how strong a stopper arrives, and what drowns it: hands, rooms, ovens.

Nobody has measured ESP-NOW in a closed fist, as far as we found. The figures are put together from
hands around phones (0 to 6.7 dB: Berg 2009; up to 15 dB at 2.3 GHz: Nielsen 2012) and from how busy
access points are (20 % and more, the top tenth above 50 %: Meraki, SIGCOMM 2015). Every part is a
trait of its own, and draws from its own source.

    level = power + antenna - 3 - (40 + 20 log10 metres) - hand - body        dBm
    heard = level + fade > what the receiver needs
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, hypot, log, log10, sqrt
from random import Random
from typing import Final

from companion.simulator.barrel import Barrel
from companion.simulator.hand_params import between
from companion.simulator.motions import Vector
from companion.simulator.traits import RADIO, Imperfections, Trait
from companion.system.chance import wobble

Spread = tuple[float, float]  # mean and deviation, or least and most

STOPPER_DBM, HUB_DBM = 13.0, 20.0  # as the firmware sets them
HUB_ANTENNA_DB: Final = -3.0
STOPPER_NEEDS_DBM: Final = -92.0  # at 1 Mbit/s; nothing beside it makes it deaf
AT_1_M_DB: Final = 40.0
NEAR_M, FAR_M = 0.3, 1.5
HUBS_AT_M: Final[tuple[Vector, ...]] = ((0.75, 0.0, 0.0), (-0.75, 0.0, 0.0))  # from the middle
USUAL_DB: Final = 2.5  # of a table without `antenna`: everybody at 0.75 m

GRIP_US: Final = 2e6  # a hand closes otherwise after this time, on average
HARDEST_DB: Final = 35.0
BODY_DB: Final = (8.0, 4.0)
BODY_HELD, BODY_STANDING = 0.2, 0.1  # how often somebody is in between
DECORRELATES_M: Final = 0.0196  # on this way echoes become others, at 2.4 GHz
SPEEDS_M_S: Final = (0.05, 1.5)  # what moves in a room, at least; and hands at most
K_HELD, K_STANDING = 1.0, 10**0.6  # the direct way's power, as a multiple of that of all echoes

QUIET_LOSS, BUSY_LOSS = (0.005, 0.01), (0.06, 0.12)  # of a try
QUIET_WAIT_US, BUSY_WAIT_US = 700.0, (4_000.0, 8_000.0)  # for a gap between others, on average
DROWNED_S: Final = (0.02, 0.3)
MAINS_US, OVEN_ON_US = 20_000, 9_500
OVEN_S, OVEN_WITHIN_S = 180.0, 3_600.0
STARTS_US: Final = (30_000, 120_000)  # nothing goes out before, once a radio was off
FOREVER: Final = 1 << 62


@dataclass(frozen=True, slots=True)
class RadioSite:
    """How radios are built, and where the table stands."""

    name: str
    hand_db: Spread = (15.0, 6.0)
    antenna_db: Spread = (-10.0, 3.0)
    hub_needs_dbm: Spread = (-86.0, 4.0)
    busy_share: float = 0.1
    busy_s: float = 0.3
    drowned_every_s: float = 60.0
    oven_share: float = 0.1  # of all evenings, for three minutes; 1: all the time
    hubs: int = 1  # that benches listen with


HOME: Final = RadioSite("home")  # built with care


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a stopper is, how fast it moves, and whether a hand is around it."""

    in_hand: bool = False
    at_m: Vector = (0.0, 0.0, 0.0)
    speed_m_s: float = 0.0


Where = Callable[[int], Whereabouts]


def where_is(barrel: Barrel) -> Where:
    """Return what tells where a barrel's stopper is."""

    def where(at_us: int) -> Whereabouts:
        at_m, (x, y, z) = barrel.motion(at_us).place(at_us)
        return Whereabouts(barrel.in_hand(at_us), at_m, hypot(x, y, z))

    return where


class Spells:
    """Times in which something is so, one after the other; asked for times that hardly go back."""

    def __init__(self, rng: Random, apart_s: float, lasts_s: Callable[[Random], float]) -> None:
        self._rng, self._apart_s, self._lasts_s = rng, apart_s, lasts_s
        self._since_us, self._until_us = 0, 0
        self._next()

    def cover(self, at_us: int) -> bool:
        """Return whether it is so at a time."""
        while at_us >= self._until_us:
            self._next()
        return at_us >= self._since_us

    def _next(self) -> None:
        self._since_us = self._until_us + round(1e6 * self._apart_s * exponential(self._rng))
        self._until_us = self._since_us + 1 + round(1e6 * self._lasts_s(self._rng))


def exponential(rng: Random) -> float:
    """Return a time between two chances, 1 on average."""
    return -log(1.0 - rng.random())


def spread(rng: Random, mean_deviation: Spread) -> float:
    """Return something around a mean."""
    mean, deviation = mean_deviation
    return mean + deviation * wobble(rng)


class Echoes:
    """How echoes strengthen or cancel the direct way between two radios, both ways alike."""

    def __init__(self, rng: Random) -> None:
        self._rng, self._at_us = rng, 0
        self._re, self._im = self._drawn(), self._drawn()

    def gain_db(self, at_us: int, here: Whereabouts) -> float:
        """Return by how much a packet is stronger at a time."""
        slowest, fastest = SPEEDS_M_S
        speed_m_s = min(max(here.speed_m_s, slowest), fastest)
        passed_us, self._at_us = max(0, at_us - self._at_us), max(at_us, self._at_us)
        kept = exp(-passed_us * 1e-6 * speed_m_s / DECORRELATES_M)
        new = sqrt(1.0 - kept * kept)
        self._re = kept * self._re + new * self._drawn()
        self._im = kept * self._im + new * self._drawn()
        direct = K_HELD if here.in_hand else K_STANDING
        re, im = sqrt(direct) + self._re, self._im
        return 10.0 * log10(max((re * re + im * im) / (direct + 1.0), 1e-12))

    def _drawn(self) -> float:
        return wobble(self._rng) * sqrt(0.5)


class SharedAir:
    """What all radios of a room suffer together: others that send, and an oven."""

    def __init__(self, site: RadioSite, has: Imperfections, seed: str) -> None:
        room = Random(f"room {seed}")  # noqa: S311 - a game and no secret
        oven = Random(f"oven {seed}")  # noqa: S311 - likewise
        self._chance = room if Trait.ROOM in has else None
        self._quiet_loss, self._busy_loss = between(room, *QUIET_LOSS), between(room, *BUSY_LOSS)
        self._busy_wait_us = between(room, *BUSY_WAIT_US)
        quiet_s = site.busy_s * (1.0 - site.busy_share) / site.busy_share
        self._busy = Spells(room, quiet_s, lambda rng: site.busy_s * exponential(rng))
        self._oven_us = (0, 0)
        if Trait.OVEN in has and oven.random() < site.oven_share:
            begin_us = round(1e6 * OVEN_WITHIN_S * oven.random())
            always = site.oven_share >= 1.0
            self._oven_us = (0, FOREVER) if always else (begin_us, begin_us + round(1e6 * OVEN_S))

    def wait_us(self, at_us: int) -> int:
        """Return how long whoever wants to send now waits for a gap."""
        if self._chance is None:
            return 0
        mean_us = self._busy_wait_us if self._busy.cover(at_us) else QUIET_WAIT_US
        return round(mean_us * exponential(self._chance))

    def spoils(self, at_us: int) -> bool:
        """Return whether a try at this time meets something else on the air."""
        begin_us, end_us = self._oven_us
        if begin_us <= at_us < end_us and (at_us - begin_us) % MAINS_US < OVEN_ON_US:
            return True
        if self._chance is None:
            return False
        loss = self._busy_loss if self._busy.cover(at_us) else self._quiet_loss
        return self._chance.random() < loss


class StopperAir:
    """What is so of one stopper's radio: its antenna, and the hand and body around it.

    What these take away is drawn when it is lifted, and again as the grip changes.
    """

    def __init__(self, site: RadioSite, has: Imperfections, seed: str, where: Where) -> None:
        antenna = Random(f"antenna {seed}")  # noqa: S311 - a game and no secret
        self.where = where
        self._antenna_db = spread(antenna, site.antenna_db) if Trait.ANTENNA in has else 0.0
        self._hand_db = site.hand_db if Trait.HAND in has else None
        self._rng = Random(f"hand {seed}")  # noqa: S311 - likewise
        self._held: bool | None = None
        self._next_us, self._loss_db = 0, 0.0

    def gain_db(self, at_us: int, here: Whereabouts) -> float:
        """Return what antenna and hand make of its strength."""
        held = here.in_hand
        grips = held is not self._held or (held and at_us >= self._next_us)
        if self._hand_db is not None and grips:
            rng, self._held = self._rng, held
            self._next_us = at_us + round(GRIP_US * exponential(rng))
            hand = min(max(spread(rng, self._hand_db), 0.0), HARDEST_DB)
            body, often = max(spread(rng, BODY_DB), 0.0), BODY_HELD if held else BODY_STANDING
            self._loss_db = (hand if held else 0.0) + (body if rng.random() < often else 0.0)
        return self._antenna_db - self._loss_db


class HubAir:
    """What is so of one hub: where it stands, how well it hears, and when nothing at all."""

    def __init__(self, site: RadioSite, has: Imperfections, seed: str, at_m: Vector) -> None:
        drowned, rng = Random(f"drowned {seed}"), Random(f"needs {seed}")  # noqa: S311 - no secret
        self._seed, self._fades = seed, Trait.FADING in has
        self._at_m = at_m if Trait.ANTENNA in has else None
        needs = site.hub_needs_dbm
        self.needs_dbm = spread(rng, needs) if Trait.ANTENNA in has else STOPPER_NEEDS_DBM
        self._drowned = (
            Spells(drowned, site.drowned_every_s, lambda rng: between(rng, *DROWNED_S))
            if Trait.DROWNED in has
            else None
        )
        self._echoes: dict[bytes, Echoes] = {}

    def is_drowned(self, at_us: int) -> bool:
        """Return whether it hears nobody just now."""
        return self._drowned is not None and self._drowned.cover(at_us)

    def path_db(self, node: bytes, at_us: int, here: Whereabouts) -> float:
        """Return what distance and echoes make of a packet from or to a stopper."""
        gain_db = USUAL_DB - AT_1_M_DB + HUB_ANTENNA_DB
        if self._at_m is not None:
            (x, y, z), (hub_x, hub_y, hub_z) = here.at_m, self._at_m
            far_m = hypot(x - hub_x, y - hub_y, z - hub_z)
            gain_db = HUB_ANTENNA_DB - AT_1_M_DB - 20.0 * log10(min(max(far_m, NEAR_M), FAR_M))
        if self._fades:
            if node not in self._echoes:
                self._echoes[node] = Echoes(Random(f"fading {self._seed} {node.hex()}"))  # noqa: S311
            gain_db += self._echoes[node].gain_db(at_us, here)
        return gain_db


class RadioPlan:
    """Which radios a table has, drawn for one evening."""

    def __init__(self, site: RadioSite, has: Imperfections, seed: str) -> None:
        self._site, self._has, self._seed = site, has, seed
        spoiled = bool(has & {Trait.ROOM, Trait.OVEN})
        self.shared = SharedAir(site, has, seed) if spoiled else None

    def stopper(self, number: int, barrel: Barrel) -> StopperAir | None:
        """Return what is so of a stopper's radio; None: nothing that it could suffer from."""
        if not self._has & RADIO:
            return None
        return StopperAir(self._site, self._has, f"{self._seed} {number}", where_is(barrel))

    def hub(self, number: int = 0) -> HubAir | None:
        """Return what is so of a hub's."""
        if not self._has & RADIO:
            return None
        return HubAir(self._site, self._has, f"{self._seed} {number}", HUBS_AT_M[number])

    def starts(self, number: int) -> Random | None:
        """Return what the time is drawn from until a stopper's radio is on."""
        if Trait.STARTING not in self._has:
            return None
        return Random(f"starting {self._seed} {number}")  # noqa: S311 - a game and no secret
