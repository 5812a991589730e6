"""What a phone in a hand feels, as the force on a barrel at any time: samples of a browser.

It must not know who holds it, nor a number. A browser tells 20 to 120 samples a second, rounded to
0.1 m/s², a batch every 100 ms; the chip asks 400 times a second. So the host plays them a little
late, straight from one to the next: no way in between is pushed harder than both its ends. The
chip adds its own range, noise and filter, as it does to any other force. What a batch tells of
times that are over was never felt, and counts for nothing.

A gap is a gap. For as long as three batches the barrel stays as it was held: a connection that
stutters ends no look. Then it stands upright in the hand: if it stayed longer as it was, whoever
loses the connection would be accused of a look that nobody felt. Who cuts the line to look gains
nothing: a phone shows no number but what the host sends after a look that it has felt.

What the stones do is not in it: 0.1 m/s² is too coarse for them. They are modelled, from the swings
of the shaking that is felt.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import acos, atan2, exp, hypot, isfinite
from typing import Final

from companion.present.simulated_hands import PhoneSamples
from companion.simulator import motions, poses, stones
from companion.system.errors import CompanionError

BUFFER_US: Final = 250_000  # so late the newest sample is felt: a batch, its way, and half as much
LEAST_US, MOST_US = 100_000, 500_000  # earlier or later than that, and the clocks are set anew
HOLD_US: Final = 300_000  # it stays so long as it was held…
SINKS_US: Final = 150_000  # …and stands upright so much later
KEPT_US: Final = 5_000_000
SMOOTH_US: Final = 150_000  # as the firmware smooths: what is left is how it is held, not shaken
FLAT_G: Final = 0.02  # a phone that lies still stays within this, rounding and all
MOST_G: Final = 40.0  # no hand gets so far, and no page
FALLS_G: Final = 0.3  # with less than this left nothing says where down is
SHAKEN_G: Final = 0.4
# What leans on something feels like what is held steadily, but for how its tilt wavers: as means of
# 20 ms by 0.3° within half a second, sensing asks, and the chip's noise may take a little of that.
WAVERS_RAD, LEANS_US, TILT_US = 0.007, 400_000, 20_000
# Who reads holds it so still that sensing counts each moment in full: by less than this pushed off
# how it is held, that by so little more or less than 1 g, and turned no faster.
READS_G, PACE_G, TURNING_RAD_S = 0.15, 0.06, 1.0
HALF: Final = 0.5  # of its peak: then a swing is as hard as it will be
UPRIGHT_RAD: Final = 1.047  # 60°: as the firmware says that nothing is tilted
SHOWS_RAD: Final = 2.09  # 120°: the screen is up, and whoever holds it reads it
HEAD_RAD: Final = 2.7  # 155°: as the firmware says that it is upside down
UPRIGHT: Final = (0.0, 0.0, 1.0)


def dot(left: motions.Vector, right: motions.Vector) -> float:
    return left[0] * right[0] + left[1] * right[1] + left[2] * right[2]


def mixed(left: motions.Vector, right: motions.Vector, share: float) -> motions.Vector:
    """Return what lies between two vectors: 0 is the left one."""
    rest = 1.0 - share
    return (
        rest * left[0] + share * right[0],
        rest * left[1] + share * right[1],
        rest * left[2] + share * right[2],
    )


@dataclass(frozen=True, slots=True)
class PhoneFrame:
    """How a phone lies in its barrel: its screen is the barrel's foot.

    Whatever a browser's signs, units and axes, what it feels lying on either side says all that
    counts. How it is turned about the barrel's axis does not; nor whether its picture is mirrored.

    >>> ios = PhoneFrame.lying((0.0, 0.0, 9.8), (0.0, 0.0, -9.8))
    >>> android = PhoneFrame.lying((0.0, 0.0, -9.8), (0.0, 0.0, 9.8))
    >>> ios.force_g((0.0, 0.0, 9.8)) == android.force_g((0.0, 0.0, -9.8)) == UPRIGHT
    True
    """

    zero: motions.Vector
    axes: tuple[motions.Vector, motions.Vector, motions.Vector]

    @classmethod
    def lying(cls, down: motions.Vector, up: motions.Vector) -> "PhoneFrame":
        """Return it from what is felt with the screen on the table, and up; it must have lain."""
        zero = mixed(down, up, 0.5)
        axis = down[0] - zero[0], down[1] - zero[1], down[2] - zero[2]
        size = dot(axis, axis) ** 0.5
        if not isfinite(size) or size < 0.5 or dot(zero, zero) > (0.3 * size) ** 2:
            raise CompanionError("Your phone did not lie flat; lay it on the table once more.")
        z = axis[0] / size, axis[1] / size, axis[2] / size
        least = min(range(3), key=lambda axis: abs(z[axis]))
        x = tuple(float(at == least) - z[least] * z[at] for at in range(3))
        long = hypot(*x)
        x = x[0] / long, x[1] / long, x[2] / long
        y = z[1] * x[2] - z[2] * x[1], z[2] * x[0] - z[0] * x[2], z[0] * x[1] - z[1] * x[0]
        scaled = [(axis[0] / size, axis[1] / size, axis[2] / size) for axis in (x, y, z)]
        return cls(zero, (scaled[0], scaled[1], scaled[2]))

    def force_g(self, felt: motions.Vector) -> motions.Vector:
        """Return the force in the barrel's axes."""
        off = felt[0] - self.zero[0], felt[1] - self.zero[1], felt[2] - self.zero[2]
        x, y, z = (max(-MOST_G, min(MOST_G, dot(axis, off))) for axis in self.axes)
        return x, y, z


@dataclass(slots=True)
class _Swing:
    """One half of a shake to and fro: since when, and how hard it has become."""

    since_us: int
    way: motions.Vector
    peak_g: float
    over: bool = False


@dataclass(slots=True)
class PhoneMotion:
    """One phone's samples by the table's clock; times that are asked for may go back a little."""

    us_per_ms: float = 1000.0
    knocks: stones.Rattle = stones.SILENT
    newest_us: int = 0
    upright_since_us: int | None = None  # the screen is towards the table
    up_since_us: int | None = None  # the screen is up…
    reads_since_us: int | None = None  # …and so steady that somebody surely reads it
    still_since_us: int = 0
    known_since_us: int = 0  # the last gap ended
    _lag_us: int | None = None  # from the phone's clock to the table's
    _at_us: list[int] = field(default_factory=list)
    _force: list[motions.Vector] = field(default_factory=list)
    _held: list[motions.Vector] = field(default_factory=list)  # the same, smoothed
    _still: motions.Vector = UPRIGHT
    _wavered_us: int = 0  # when its tilt did last…
    _wavered_rad: float = 0.0  # …and to where
    _swing: _Swing | None = None

    def take(self, samples: PhoneSamples, now_us: int) -> list[stones.ShakeSwing]:
        """Handle a batch of samples; return the swings that stones felt in it."""
        frame = PhoneFrame.lying(samples.down, samples.up)
        times_us = [round(self.us_per_ms * at_ms) for at_ms in samples.at_ms]
        if not times_us:
            return []
        if self._lag_us is None or not (
            LEAST_US <= times_us[-1] + self._lag_us - now_us <= MOST_US
        ):
            self._lag_us = now_us + BUFFER_US - times_us[-1]
            self._forget_after(now_us)
        swings: list[stones.ShakeSwing] = []
        for at_us, felt in zip(times_us, samples.felt, strict=True):
            at_us += self._lag_us  # noqa: PLW2901 - by the table's clock
            if max([now_us, *self._at_us[-1:]]) < at_us <= now_us + MOST_US:
                swings += self._add(at_us, frame.force_g(felt))
        while self._at_us and self._at_us[0] < now_us - KEPT_US:
            del self._at_us[0], self._force[0], self._held[0]
        return swings

    def knock(self, more: Sequence[stones.StoneKnock]) -> None:
        """Let stones knock, too."""
        kept = [knock for knock in self.knocks.knocks if knock.at_us > self.newest_us - KEPT_US]
        self.knocks = stones.Rattle([*kept, *more])

    def force_g(self, at_us: int) -> motions.Vector:
        """Return the specific force in the barrel's axes."""
        before, after, share = self._between(at_us)
        if after is None:
            force = self._left(before, at_us)
        else:
            force = mixed(self._force[before], self._force[after], share)
        if not self.knocks:
            return force
        x, y, z = self.knocks.jolt_g(at_us)
        return force[0] + x, force[1] + y, force[2] + z

    def tilt_rad(self, at_us: int) -> float:
        """Return how far it is held tilted: 0 with the screen towards the table, pi with it up."""
        return _tilt_rad(self._held_g(at_us))

    def lean_rad(self, at_us: int) -> float:
        """Return the direction in which its top goes over."""
        x, y, _ = self._held_g(at_us)
        return atan2(-y, -x)

    def shaken(self, at_us: int) -> bool:
        """Return whether it is being shaken."""
        before, after, _ = self._between(at_us)
        if after is None:
            return False
        (x, y, z), (hx, hy, hz) = self._force[before], self._held[before]
        return hypot(x - hx, y - hy, z - hz) > SHAKEN_G

    # --- in between -------------------------------------------------------------------------------

    def _between(self, at_us: int) -> tuple[int, int | None, float]:
        """Return the samples before and after a time, and how far it is from one to the other."""
        after = bisect_right(self._at_us, at_us)
        if after == 0:
            return 0, (0 if self._at_us else None), 0.0
        if after == len(self._at_us) or self._at_us[after] - self._at_us[after - 1] > HOLD_US:
            return after - 1, None, 0.0
        begun_us = self._at_us[after - 1]
        return after - 1, after, (at_us - begun_us) / (self._at_us[after] - begun_us)

    def _held_g(self, at_us: int) -> motions.Vector:
        before, after, share = self._between(at_us)
        if after is None:
            return self._left(before, at_us)
        return mixed(self._held[before], self._held[after], share)

    def _left(self, before: int, at_us: int) -> motions.Vector:
        """Return how it is held where no samples are: as it was, then upright."""
        if not self._at_us:
            return UPRIGHT
        held = self._held[before]
        size = hypot(*held)
        if size < FALLS_G:
            return UPRIGHT
        late = (at_us - self._at_us[before] - HOLD_US) / SINKS_US
        still = held[0] / size, held[1] / size, held[2] / size
        return still if late <= 0.0 else mixed(still, UPRIGHT, min(1.0, late))

    # --- what comes -------------------------------------------------------------------------------

    def _forget_after(self, now_us: int) -> None:
        """Drop what would come later than now: other samples do."""
        first = bisect_right(self._at_us, now_us)
        del self._at_us[first:], self._force[first:], self._held[first:]

    def _add(self, at_us: int, force: motions.Vector) -> Iterator[stones.ShakeSwing]:
        span_us = at_us - self._at_us[-1] if self._at_us else HOLD_US + 1
        held = force
        if span_us > HOLD_US:  # nothing is known of what was before
            self.upright_since_us = self.up_since_us = self.reads_since_us = self._swing = None
            self.still_since_us, self._still, self.known_since_us = at_us, force, at_us
        else:
            held = mixed(self._held[-1], force, 1.0 - exp(-span_us / SMOOTH_US))
        self._at_us.append(at_us)
        self._force.append(force)
        self._held.append(held)
        self.newest_us = at_us
        self._judge(at_us, span_us, force)
        swing = self._swung(at_us, force, held)
        return iter(()) if swing is None else iter((swing,))

    def _judge(self, at_us: int, span_us: int, force: motions.Vector) -> None:
        held, before = self._held[-1], self._held[max(-2, -len(self._held))]
        if any(abs(new - old) > FLAT_G for new, old in zip(force, self._still, strict=True)):
            self.still_since_us, self._still = at_us, force
        tilt = _tilt_rad(held)
        last = self._force[max(-2, -len(self._force))]
        now = _tilt_rad(mixed(force, last, min(0.5, TILT_US / 2 / span_us)))
        if span_us > HOLD_US or abs(now - self._wavered_rad) > WAVERS_RAD:
            self._wavered_us, self._wavered_rad = at_us, now
        self.upright_since_us = _since(self.upright_since_us, at_us, holds=tilt < UPRIGHT_RAD)
        off = hypot(force[0] - held[0], force[1] - held[1], force[2] - held[2])
        self.up_since_us = _since(self.up_since_us, at_us, holds=tilt > SHOWS_RAD)
        turns = abs(tilt - _tilt_rad(before)) > TURNING_RAD_S * 1e-6 * span_us
        steady = off < READS_G and abs(hypot(*held) - 1.0) < PACE_G and not turns
        leans = at_us - self._wavered_us > LEANS_US and tilt < HEAD_RAD  # on something, unheld
        reads = self.up_since_us is not None and steady and not leans
        self.reads_since_us = _since(self.reads_since_us, at_us, holds=reads)

    def _swung(
        self, at_us: int, force: motions.Vector, held: motions.Vector
    ) -> stones.ShakeSwing | None:
        """Return a swing that is past its peak: once each."""
        off = force[0] - held[0], force[1] - held[1], force[2] - held[2]
        size, swing = hypot(*off), self._swing
        if size == 0.0:
            return None
        way, turns = (off[0] / size, off[1] / size, off[2] / size), False
        if swing is None or (turns := dot(off, swing.way) < 0.0):
            self._swing = _Swing(at_us, way, size)
        elif size > swing.peak_g:
            swing.way, swing.peak_g = way, size
        if swing is None or swing.over or not (turns or size < HALF * swing.peak_g):
            return None
        swing.over = True
        return stones.ShakeSwing(swing.since_us, swing.peak_g, swing.way)


def _tilt_rad(held: motions.Vector) -> float:
    size = hypot(*held)
    return 0.0 if size < FALLS_G else acos(max(-1.0, min(1.0, held[2] / size)))


def _since(before_us: int | None, at_us: int, *, holds: bool) -> int | None:
    """Return since when something holds."""
    if not holds:
        return None
    return at_us if before_us is None else before_us


@dataclass(frozen=True, slots=True)
class HeldPhone(poses.Motion):
    """A barrel in hand that moves as a phone does, until something else is done to it."""

    felt: PhoneMotion = field(kw_only=True)

    def force_g(self, at_us: int) -> motions.Vector:
        """Return what the phone feels, and what its stones add."""
        return self.felt.force_g(at_us)


@dataclass(frozen=True, slots=True)
class PhoneTurn:
    """How a phone is turned, as a piece of a movement; where it goes nobody knows."""

    felt: PhoneMotion
    start_us: int

    @property
    def most_turn_rad(self) -> float:
        """Return what the turn never exceeds."""
        return 3.15

    def push(self, at_s: float) -> motions.Six:
        """Return how it is turned."""
        at_us, step_us = self.start_us + round(at_s * 1e6), 10_000
        turn, before = self.felt.tilt_rad(at_us), self.felt.tilt_rad(at_us - step_us)
        return 0.0, 0.0, 0.0, turn, (turn - before) * 1e6 / step_us, 0.0

    def move(self, at_s: float) -> motions.Six:  # noqa: ARG002 - it stays where it is
        """Return that it stays."""
        return motions.STILL
