"""A barrel that is a phone: when that moves it, sets it down, and shows its number.

Whoever reads a phone holds its screen up, and a barrel stands on its number: so a phone becomes the
barrel once its screen has been towards the table for a while, and is it no more once it has been
laid down like that: whoever then takes it up to read the page has not looked, unless the page says
that barrels are turned over now. In between, turning it up is looking underneath. What that shows
is sent only then, when nobody could deny it: turned over, steady, and for longer than any sensor
needs.

It must not judge: chips feel the barrel, and sensing says what that was.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from companion.present.simulated_hands import HeardKnock, PhoneFelt, PhonePose, PhoneSamples
from companion.simulator import ground_truth, motions, poses, stones
from companion.simulator.live.phone_motion import HEAD_RAD, HeldPhone, PhoneMotion, PhoneTurn
from companion.simulator.world import World
from companion.system.text import SeatName

TOWARDS_US: Final = 1_000_000  # its screen is towards the table for so long: then it is the barrel
LIES_US: Final = 1_000_000  # it has lain still for so long: then it stands, and may be taken up…
LEFT_US: Final = 3_000_000  # …or stays there
MOVED_US: Final = 200_000  # it moves, if it lay still for no longer
LOOK_US: Final = 600_000  # it is in sight for so long: sensors need half of that
LOOKS_US: Final = 3_000_000  # nobody looks on for longer
HEAD_US: Final = 500_000
SILENT_US: Final = 3_000_000  # then another phone may be the barrel
EARLY_MS: Final = 100  # an ear need not wait until the chip feels it
LIFTED_S, LIFTED_M, TURN_S = 0.4, 0.2, 0.4


@dataclass(slots=True)
class PhoneBarrel:
    """One phone, and the barrel that it is to be."""

    phone: str
    number: int
    world: World
    seat: SeatName
    felt: PhoneMotion = field(default_factory=PhoneMotion)
    heard_us: int = 0
    _pose: PhonePose = PhonePose.WAITING
    _since_us: int = 0  # its pose
    _grip: tuple[float, float] | None = None  # since it moves
    _read: bool = False  # since its screen is up
    _stands: bool = False  # before the seat, and so does the phone

    def take(
        self, samples: PhoneSamples, now_us: int, loudness: Callable[[stones.StoneKnock], float]
    ) -> PhoneFelt:
        """Handle a batch of samples; return what comes of it."""
        self.heard_us = now_us
        swings = self.felt.take(samples, now_us)
        if self._pose in {PhonePose.MOVING, PhonePose.TURNED} and not self._follows:
            self._becomes(PhonePose.WAITING)  # something else was done with it
        self._step(now_us, flips=samples.flips)
        knocks: list[stones.StoneKnock] = []
        if swings and self._follows:
            barrel, hand = self.world.barrels[self.number], self.world.hand
            knocks = stones.rattle(
                barrel.stones_g, barrel.shell_g, swings, hand.stones or hand.rng, self._grip
            )
            self.felt.knock(knocks)
        heard = (
            HeardKnock(max(0, (knock.at_us - now_us) // 1000 - EARLY_MS), loudness(knock))
            for knock in knocks
        )
        ordered = tuple(sorted(heard, key=lambda knock: knock.at_ms))
        up = self._up_us(now_us) > 0
        self._read = up and (self._read or self._up_us(now_us, reads=True) >= LOOK_US)
        return PhoneFelt(self._pose, ordered, self.number if self._read else None)

    def release(self, now_us: int) -> None:
        """Hold it as it is just now, by a hand that no phone moves: something else comes."""
        barrel, felt = self.world.barrels[self.number], self.felt
        if not self._follows:
            return
        now_us = max(now_us, barrel.free_us)
        tilt, lean = felt.tilt_rad(now_us), felt.lean_rad(now_us)
        grip = self.world.hand.trembling(now_us)
        pose = replace(barrel.pose, tilt_rad=tilt, lean_rad=lean, grip=grip)
        barrel.become(poses.stay(pose, now_us))
        self._becomes(PhonePose.WAITING)

    @property
    def _follows(self) -> bool:
        last = self.world.barrels[self.number].motions[-1]
        return isinstance(last, HeldPhone) and last.felt is self.felt

    def _becomes(self, pose: PhonePose) -> None:
        self._pose, self._since_us, self._stands = pose, self.felt.newest_us, False

    def _step(self, now_us: int, *, flips: bool) -> None:
        felt = self.felt
        lain_us = felt.newest_us - felt.still_since_us
        known_us = felt.newest_us - felt.known_since_us
        moves, tilted = lain_us < min(MOVED_US, known_us), felt.upright_since_us is None
        if known_us < MOVED_US and not flips:  # whatever was done with it meanwhile
            self._stands = False
        match self._pose:
            case PhonePose.WAITING:
                self._stands = self._stands or self._is_towards()
                held = self.world.barrels[self.number].pose.held
                if held and felt.upright_since_us is not None and lain_us >= LIES_US:
                    self._becomes(PhonePose.STANDING)
                elif self._stands:
                    self._begin(now_us, moves=moves or (flips and tilted))
            case PhonePose.MOVING:
                if felt.upright_since_us is not None and lain_us >= LIES_US:
                    self.release(now_us)
                    self._straighten(now_us)
                    self._becomes(PhonePose.STANDING)
                else:
                    self._turn(now_us)
            case PhonePose.TURNED:
                self._turn(now_us)
            case PhonePose.STANDING | PhonePose.LEFT:
                if moves or tilted:
                    self._becomes(PhonePose.WAITING)
                    self._stands = flips
                elif lain_us >= LEFT_US:
                    self._pose = PhonePose.LEFT

    def _turn(self, now_us: int) -> None:
        """Tell whether it is on its head; whoever has looked for long looks no more."""
        up_us = self._up_us(now_us)
        if up_us >= LOOKS_US:
            self.release(now_us)
            self._straighten(now_us)
        elif up_us >= HEAD_US and self.felt.tilt_rad(now_us) > HEAD_RAD:
            self._pose = PhonePose.TURNED
        else:
            self._pose = PhonePose.MOVING

    def _is_towards(self) -> bool:
        """Return whether its screen has been towards the table."""
        since_us, newest_us = self.felt.upright_since_us, self.felt.newest_us
        return since_us is not None and newest_us - max(since_us, self._since_us) >= TOWARDS_US

    def _begin(self, now_us: int, *, moves: bool) -> None:
        """Let it move: in a hand, unless it lies; before a seat, once it is taken up."""
        barrel = self.world.barrels[self.number]
        if barrel.free_us > now_us or not moves:
            return
        if barrel.pose.held and self._is_towards():
            level = replace(barrel.pose, tilt_rad=0.0, lean_rad=0.0, grip=None)
            self._follow(now_us, level, ())
        elif barrel.pose.support is poses.Support.FOOT:
            rise = motions.Glide(0.0, LIFTED_S, (0.0, 0.0, LIFTED_M))
            self._follow(now_us, barrel.pose, (rise,))
            lifted = ground_truth.Happening(
                ground_truth.What.LIFTED, now_us, now_us, self.number, self.seat
            )
            self.world.truth.add(lifted)

    def _follow(self, now_us: int, pose: poses.Pose, more: tuple[motions.Piece, ...]) -> None:
        x, y, z = pose.at_m
        after = replace(pose, at_m=(x, y, max(z, LIFTED_M)), support=poses.Support.HAND)
        leaves = poses.TableContact(ramps=((0.0, 0.05, -1.0),), share=1.0)
        self.world.barrels[self.number].become(
            HeldPhone(
                "phone",
                now_us,
                poses.FOREVER,
                pose,
                after,
                (*more, PhoneTurn(self.felt, now_us)),
                leaves if more else poses.IN_HAND,
                felt=self.felt,
            )
        )
        self._grip = stones.grasped(self.world.hand.stones or self.world.hand.rng)
        self._becomes(PhonePose.MOVING)

    def _straighten(self, now_us: int) -> None:
        """Hold it upright again."""
        barrel = self.world.barrels[self.number]
        barrel.add(self.world.hand.turn(max(now_us, barrel.free_us), barrel.pose, 0.0, TURN_S))

    def _up_us(self, now_us: int, *, reads: bool = False) -> int:
        """Return for how long its screen has been up, as far as the chip has felt it."""
        since_us = self.felt.reads_since_us if reads else self.felt.up_since_us
        if since_us is None or not self._follows:
            return 0
        begun_us = self.world.barrels[self.number].motions[-1].start_us
        return max(0, now_us - max(since_us, begun_us))
