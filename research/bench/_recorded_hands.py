"""Recorded movements of real hands as one stopper would feel them, one after another.

It must not know any detector. The recorded acceleration goes into the accelerometer's model, from
there through the driver and the firmware; what the firmware sends is what the host sees.

The recorder was a game remote, not a barrel. Its z points up when it lies level, as a barrel's axis
does when it stands, so z is taken for the barrel's axis. Not all remotes lay level: a second
reading turns every recording so that the force at its beginning points up, as a barrel's would.
"""

import statistics
from bisect import bisect_right
from collections.abc import Sequence
from math import acos, cos, degrees, sin
from pathlib import Path
from random import Random

from companion import wire
from companion.sensing.observations import ChoosingBegan, PadChanged
from companion.sensing.settings import Settings
from companion.simulator.boards import HUB, StopperBoard, node
from companion.simulator.motions import Vector
from companion.simulator.radio import RadioChannel, Weather
from research.bench._evenings import Recorded, Session
from research.bench._gestures import PICK_UP, RATE_HZ, SHAKE, Recording, length, read, upright
from research.bench._hearing import Hearing

KINDS = {"lift": PICK_UP, "shake": SHAKE}
READINGS = ("as_recorded", "levelled")
STEP_US = round(1e6 / RATE_HZ)
Times = Sequence[int]  # of each sample, in µs from the first
LEAD_US, STANDS_US = 12_000_000, 4_000_000  # until all is calibrated; between two recordings
AIR_US = 300_000  # held upright before and after
TURN_US, TURN_DEG_S = 200_000, 450.0  # from there to the first sample: at least so long, so fast
MASS_G = 24.6  # a barrel with seven stones
UP: Vector = (0.0, 0.0, 1.0)
STOPPER = 1


class NeverDropped:
    """What else a board asks of its barrel, and what matters little to whoever is in a hand."""

    slope_deg = 0.0

    def in_hand(self, at_us: int) -> bool:  # noqa: ARG002 - the contract has it
        """Return whether a hand has it."""
        return True

    def falls(self, at_us: int) -> bool:  # noqa: ARG002 - the contract has it
        """Return whether it has slipped out of it just now."""
        return False


class HandHeld(NeverDropped):
    """A barrel that does what was recorded; it stands before, between and after."""

    def __init__(self, recordings: Sequence[Recording], times_us: Sequence[Times]) -> None:
        self.spans: list[tuple[int, int]] = []
        self._samples = [[UP, *one, UP] for one in recordings]
        self._times_us = times_us
        self._turns_us = [(_turn_us(one[0]), _turn_us(one[-1])) for one in recordings]
        at_us = LEAD_US
        for times, turns in zip(times_us, self._turns_us, strict=True):
            end_us = at_us + 2 * AIR_US + sum(turns) + times[-1]
            self.spans.append((at_us, end_us))
            at_us = end_us + STANDS_US
        self._starts = [begin for begin, _ in self.spans]
        self.end_us = at_us

    def first_us(self, turn: int) -> int:
        """Return when a recording's first sample is felt."""
        return self.spans[turn][0] + AIR_US + self._turns_us[turn][0]

    def acceleration_g(self, at_us: int) -> Vector:
        """Return the force between the two recorded samples next to a time, on a straight line."""
        turn = bisect_right(self._starts, at_us) - 1
        if turn < 0 or at_us >= self.spans[turn][1]:
            return UP
        samples, since_us = self._samples[turn], at_us - self._starts[turn] - AIR_US
        there_us, back_us = self._turns_us[turn]
        times = self._times_us[turn]
        last_us = times[-1]  # of the recording itself
        if since_us < there_us:
            return _turned(samples[1], 1.0 - since_us / there_us)
        since_us -= there_us
        if since_us >= last_us:
            return _turned(samples[-2], (since_us - last_us) / back_us)
        step = bisect_right(times, since_us) - 1
        share = (since_us - times[step]) / (times[step + 1] - times[step])
        return _mix(samples[step + 1], samples[step + 2], share)

    def load_g(self, at_us: int) -> float:
        """Return what its foot carries."""
        turn = bisect_right(self._starts, at_us) - 1
        return MASS_G if turn < 0 or at_us >= self.spans[turn][1] else 0.0

    def temperature_c(self, at_us: int) -> float:  # noqa: ARG002 - the contract has it
        """Return the temperature."""
        return 21.0


def _mix(one: Vector, other: Vector, share: float) -> Vector:
    share = min(1.0, max(0.0, share))
    x, y, z = (a + (b - a) * share for a, b in zip(one, other, strict=True))
    return x, y, z


def _turn_us(force: Vector) -> int:
    """Return how long a hand takes to turn a barrel from upright to where it feels this."""
    return max(TURN_US, round(1e6 * degrees(_tilt(force)) / TURN_DEG_S))


def _tilt(force: Vector) -> float:
    return acos(max(-1.0, min(1.0, force[2] / (length(force) or 1.0))))


def _turned(force: Vector, share: float) -> Vector:
    """Return a force that is turned this share of the way to up, and is that much nearer to 1 g."""
    x, y, _ = force
    size, level, share = length(force), length((x, y)), min(1.0, max(0.0, share))
    tilt = (1.0 - share) * _tilt(force)
    now = size + (1.0 - size) * share
    across = now * sin(tilt)
    if level < 1e-9:
        return across, 0.0, now * cos(tilt)
    return across * x / level, across * y / level, now * cos(tilt)


def levelled(recording: Recording) -> Recording:
    """Return a recording turned so that the force at its beginning points up; no other change."""
    x, y, z = (statistics.fmean(axis) for axis in zip(*recording[:8], strict=True))
    size, level = length((x, y, z)), length((x, y))
    if level < 1e-9:
        return recording
    ax, ay = y / level, -x / level  # turning about this axis brings the force up
    c = z / size
    s = sin(acos(max(-1.0, min(1.0, c))))
    turned: list[Vector] = []
    for px, py, pz in recording:
        along = (ax * px + ay * py) * (1.0 - c)
        turned.append(
            (
                px * c + ay * pz * s + ax * along,
                py * c - ax * pz * s + ay * along,
                pz * c + (ax * py - ay * px) * s,
            )
        )
    return turned


def movements(folder: Path, kind: str, reading: str) -> list[Recording]:
    """Return the recordings of a kind, in one of two readings."""
    found = read(folder, KINDS[kind])
    if reading == "levelled":  # only those that begin at rest say where up is
        found = [levelled(one) for one in found if upright(one)]
    return found


class Listener:
    """A host that hears one stopper, and the radio between them, without a hub's own frames."""

    def __init__(self, barrel: HandHeld, seed: int) -> None:
        self.now_us = 0
        air = RadioChannel(Random(f"hands {seed}"), self._clock_us, Weather(0.0, 0.0, 0.0))
        self._hub = air.join(HUB)
        self.board = StopperBoard(
            STOPPER,
            barrel,  # type: ignore[arg-type] # it has all that a board asks for
            lambda own: air.join(node(STOPPER), processor=own),
            self._clock_us,
            seed=f"hands {seed}",
            ppm=12.0,
        )
        self._line = wire.Line(wire.TO_HUB)
        self.hearing = Hearing(Settings(), self._send)
        self.board.power_on()

    def _clock_us(self) -> int:
        return self.now_us

    def _send(self, frame: bytes) -> None:
        for said in self._line.hear(frame):
            assert isinstance(said, wire.Said)
            self._hub.send(node(STOPPER), said.fields.packet)

    def step(self) -> None:
        """Let the stopper do one step, and hear what it says."""
        self.now_us += self.board.step()
        while (heard := self._hub.receive()) is not None:
            fields = wire.NAMED["RELAYED"].named(rssi=heard[2], packet=heard[1])
            self.hearing.hear(self.now_us, wire.Said("RELAYED", self.now_us, fields))
        self.hearing.pass_to(self.now_us)


def feel(recordings: Sequence[Recording], seed: int = 1) -> Recorded:
    """Return what the host makes of a stopper whose barrel moves as recorded, while all choose."""
    evenly = [range(0, STEP_US * len(one), STEP_US) for one in recordings]
    return feel_barrel(HandHeld(recordings, evenly), seed)


def feel_barrel(barrel: HandHeld, seed: int = 1) -> Recorded:
    """Return what the host makes of a stopper in such a barrel."""
    host = Listener(barrel, seed)
    for seat in ("red", "blue"):
        host.hearing.take(1, PadChanged(seat, False, 1))
    host.hearing.take(2, ChoosingBegan(("red", "blue"), 2))
    while host.now_us < barrel.end_us:
        host.step()
    seen, heard = tuple(host.hearing.seen), tuple(host.hearing.heard)
    session, choosing = Session("recorded hands", "fair", seed, 1), ((2, barrel.end_us),)
    nobody = {STOPPER: STOPPER}
    ill: frozenset[int] = frozenset()
    return Recorded(session, seen, heard, (), (), (), choosing, nobody, ill, barrel.end_us)
