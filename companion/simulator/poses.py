"""Poses and motions of one barrel: from a pose, through smooth pieces, to a pose.

The barrel's axes: z from the stopper to the top; a lean is the direction in which its top goes
over.
"""

from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import cos, degrees, hypot, radians, sin
from typing import Final

from companion.simulator.motions import STILL, G, Piece, Vector, Wobble, ease
from companion.simulator.stones import SILENT, Rattle

FOREVER: Final = 1 << 62
LEVER_M: Final = 0.02  # from the middle of the barrel down to the sensor
# How fast a label may move and still be read: acuity for what moves (Ludvigh and Miller, Study of
# visual acuity during the ocular pursuit of moving test objects, 1958) falls with the cube of the
# speed, and notably above 30 to 60°/s; eyes that follow a smooth way keep up until then (Meyer,
# Lasker and Robinson, The upper limit of human smooth pursuit velocity, 1985). Whoever holds a
# barrel in the hand sees it from 57 cm, where 1 cm is 1°. The lower end is taken for both, so that
# what counts as readable surely is: a number 8 mm high needs a tenth of the acuity of a good eye.
FOLLOWED_DEG_S: Final = 30.0
SLOW_M_S: Final = 0.01 * FOLLOWED_DEG_S
# A glance takes a number in within 0.1 s (as long as the shortest fixations of readers); one that
# turns by more than 12° meanwhile changes its shape.
STEADY_RAD_S: Final = radians(12 / 0.1)


class Support(Enum):
    """What carries a barrel that nothing moves."""

    FOOT = auto()
    HEAD = auto()  # flipped, its label to the sky
    SIDE = auto()
    HAND = auto()


@dataclass(frozen=True, slots=True)
class Grip:
    """A hand's hold: since when, and how it trembles (seconds from then on)."""

    since_us: int
    tremor: Wobble

    def during(self, from_us: int, to_us: int | None = None) -> Wobble:
        """Return the tremor for a motion that begins at from_us; to_us: when the hand lets go."""
        shift = (self.since_us - from_us) * 1e-6
        end = self.tremor.end_s if to_us is None else (to_us - from_us) * 1e-6
        return replace(self.tremor, begin_s=shift, end_s=end)


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a barrel is and how it is held when nothing is being done to it."""

    at_m: Vector = (0.0, 0.0, 0.0)
    tilt_rad: float = 0.0
    lean_rad: float = 0.0
    support: Support = Support.FOOT
    grip: Grip | None = None

    @property
    def held(self) -> bool:
        return self.support is Support.HAND


@dataclass(frozen=True, slots=True)
class TableContact:
    """How much of the weight the table carries over time, and how fingers press."""

    ramps: tuple[tuple[float, float, float], ...] = ()  # beginning, span (s), change of the share
    presses: tuple[tuple[float, float, float], ...] = ()  # beginning, span (s), grams
    share: float = 0.0  # at the beginning

    def weigh(self, at_s: float) -> tuple[float, float]:
        """Return the share of the weight, and the grams pressed on top.

        >>> TableContact(share=1.0, ramps=((0.2, 0.02, -1.0),)).weigh(0.3)
        (0.0, 0.0)
        """
        share, pressed = self.share, 0.0
        for begin, span, change in self.ramps:
            share += change * ease((at_s - begin) / span)[0]
        for begin, span, grams in self.presses:
            half = span / 2.0
            pressed += (
                grams * ease((at_s - begin) / half)[0] * ease((begin + span - at_s) / half)[0]
            )
        return share, pressed


IN_HAND: Final = TableContact()
STANDING: Final = TableContact(share=1.0)


@dataclass(frozen=True, slots=True)
class Motion:
    """A movement with its pieces; seconds count from start_us, end_us is not part of it."""

    name: str
    start_us: int
    end_us: int
    before: Pose
    after: Pose
    pieces: tuple[Piece, ...] = ()
    contact: TableContact = IN_HAND
    rattle: Rattle = SILENT
    leans: float | None = None  # the lean during it, if it differs from the one before
    pivot_m: float = 0.0  # from the barrel's middle up to its pivot, such as a wrist
    sweep: Piece | None = None  # how its lean goes round, as a turn; whole ones
    spin: Piece | None = None  # how it turns about its own axis, as a turn
    resting: bool = field(init=False)  # nothing moves at all
    _way: tuple[float, float] = field(init=False, repr=False)  # of its lean: cosine and sine
    _still: Vector | None = field(init=False, repr=False)  # the force, if it is always the same

    def __post_init__(self) -> None:
        """Compute once what is asked for two hundred times a second."""
        resting = not self.pieces and not self.rattle and not self.contact.ramps
        lean = self.lean_rad
        for name, value in (
            ("resting", resting),
            ("_way", (cos(lean), sin(lean))),
            ("_still", None),
        ):
            object.__setattr__(self, name, value)
        if not self.pieces and not self.rattle:
            object.__setattr__(self, "_still", self.force_g(self.start_us))

    @property
    def lean_rad(self) -> float:
        """Where its top goes over to."""
        return self.before.lean_rad if self.leans is None else self.leans

    def force_g(self, at_us: int) -> Vector:
        """Return the specific force in the barrel's axes: what an accelerometer there feels."""
        if self._still is not None:
            return self._still
        t = (at_us - self.start_us) * 1e-6
        ax = ay = az = turning = twist = 0.0
        tilt = self.before.tilt_rad
        for piece in self.pieces:
            push = piece.push(t)
            if push is not STILL:
                x, y, z, turn, rate, bend = push
                ax, ay, az = ax + x, ay + y, az + z
                tilt, turning, twist = tilt + turn, turning + rate, twist + bend
        az += 1.0
        c, s, (cl, sl) = cos(tilt), sin(tilt), self._way
        lever, round_, rounder = (LEVER_M + self.pivot_m) / G, 0.0, 0.0
        if self.sweep is not None:
            lean, round_, rounder = self.sweep.push(t)[3:]
            cl, sl = cos(self.lean_rad + lean), sin(self.lean_rad + lean)
        level, across = ax * cl + ay * sl, ay * cl - ax * sl
        over = level * c - az * s - lever * twist
        up = level * s + az * c + lever * turning * turning
        if round_ or rounder:
            over += lever * round_ * round_ * s * c
            across -= lever * (rounder * s + 2.0 * turning * round_ * c)
            up += lever * round_ * round_ * s * s
        x, y = over * cl - across * sl, over * sl + across * cl
        if self.spin is not None:
            spun = self.spin.push(t)[3]
            c, s = cos(spun), sin(spun)
            x, y = x * c + y * s, y * c - x * s
        if self.rattle:
            jx, jy, jz = self.rattle.jolt_g(at_us)
            return x + jx, y + jy, up + jz
        return x, y, up

    def tilt_rad(self, at_us: int) -> float:
        """Return how far it is tilted: 0 upright, pi upside down."""
        t = (at_us - self.start_us) * 1e-6
        return self.before.tilt_rad + sum(piece.push(t)[3] for piece in self.pieces)

    @property
    def most_tilt_rad(self) -> float:
        """Return the tilt that it never exceeds, however the turns of its pieces add up."""
        return abs(self.before.tilt_rad) + sum(piece.most_turn_rad for piece in self.pieces)

    def place(self, at_us: int) -> tuple[Vector, Vector]:
        """Return where its middle is (m), and how fast it goes (m/s)."""
        t = (at_us - self.start_us) * 1e-6
        x, y, z = self.before.at_m
        vx = vy = vz = 0.0
        for piece in self.pieces:
            px, py, pz, ux, uy, uz = piece.move(t)
            x, y, z, vx, vy, vz = x + px, y + py, z + pz, vx + ux, vy + uy, vz + uz
        return (x, y, z), (vx, vy, vz)

    def readable(self, at_us: int, from_tilt_deg: float) -> bool:
        """Return whether somebody could read the label just now: tilted enough, nearly still."""
        t = (at_us - self.start_us) * 1e-6
        pushes = [piece.push(t) for piece in self.pieces]
        tilt = self.before.tilt_rad + sum(push[3] for push in pushes)
        if abs(degrees(tilt)) < from_tilt_deg:
            return False
        turning, lean, round_ = sum(push[4] for push in pushes), self.lean_rad, 0.0
        if self.sweep is not None:
            _, _, _, more, round_, _ = self.sweep.push(t)
            lean, round_ = lean + more, round_ * sin(tilt)
        if hypot(turning, round_) > STEADY_RAD_S:
            return False
        _, (x, y, z) = self.place(at_us)
        over, across = self.pivot_m * turning, self.pivot_m * round_
        x -= over * cos(tilt) * cos(lean) - across * sin(lean)
        y -= over * cos(tilt) * sin(lean) + across * cos(lean)
        z += over * sin(tilt)
        return x * x + y * y + z * z < SLOW_M_S * SLOW_M_S


def stay(pose: Pose, from_us: int, to_us: int = FOREVER) -> Motion:
    """Return a motion without movement: it rests, or a hand holds it as still as a hand can."""
    if pose.grip is not None:
        return Motion("hold", from_us, to_us, pose, pose, (pose.grip.during(from_us),))
    on_table = TableContact() if pose.held else STANDING
    return Motion("rest", from_us, to_us, pose, pose, contact=on_table)
