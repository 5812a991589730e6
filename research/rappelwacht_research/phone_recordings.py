"""Plays what a phone has recorded into a simulated stopper, which tells of it as a barrel's does.

    for entry in played(replay_all(path)):      # what the hub heard, and what was noted, by time

Such a recording has a note of the `phone`, and what that `felt`; hardware/recordings.md says how
it is written. The same one is always played to the same bytes, whoever plays it. A recording of a
table is passed on as it is.

It must not judge: whoever knows what was asked for does.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from random import Random
from typing import Any, Final

from companion import wire
from companion.devices.hub_discovery import HubMessage
from companion.devices.recording import Note
from companion.present.simulated_hands import Felt3, PhoneSamples
from companion.sensing.pipeline import Sensing, SensingLink
from companion.sensing.settings import Settings
from companion.simulator import poses, stones
from companion.simulator.barrel import Barrel
from companion.simulator.boards import HUB, StopperBoard, key, node
from companion.simulator.live.phone_motion import (
    BUFFER_US,
    HOLD_US,
    HeldPhone,
    PhoneFrame,
    PhoneMotion,
    PhoneTurn,
)
from companion.simulator.radio import RadioChannel, Weather
from companion.system import signals
from companion.system.errors import CompanionError
from rappelwacht_research.notes import from_note

STOPPER: Final = 7  # in the middle: what else a barrel holds a phone does not know
TICK_US: Final = 20_000
AFTER_US: Final = 5_000_000  # what is still told when nothing more is felt
LONGEST_US: Final = 3_600_000_000  # nobody shakes a phone for an hour
MOST: Final = 1e4  # m/s²
Sample = tuple[int, Felt3]


def played(entries: Iterable[HubMessage | Note]) -> Iterator[HubMessage | Note]:
    """Yield a recording; if it is a phone's, with what a stopper says that feels the same."""
    barrel: PhoneStopper | None = None
    kept = list(entries)
    felt = [sample for entry in kept if isinstance(entry, Note) for sample in samples(entry.what)]
    for entry in kept:
        if barrel is not None:
            yield from barrel.play(entry.at_us)
        if isinstance(entry, Note):
            if barrel is None and (lying := lying_of(entry.what)) is not None:
                barrel = PhoneStopper(*lying, felt)
            elif barrel is not None:
                barrel.note(entry.what)
        yield entry
    if barrel is not None:
        yield from barrel.play(barrel.now_us + AFTER_US)


def lying_of(note: Mapping[str, Any]) -> tuple[Felt3, Felt3] | None:
    """Return what a phone feels with its screen on the table, and up; None: it is another note.

    >>> lying_of({"kind": "phone", "down": [0, 0, -9.8], "up": [0, 0, 9.8]})
    ((0.0, 0.0, -9.8), (0.0, 0.0, 9.8))
    """
    if note.get("kind") != "phone":
        return None
    down, up = _vector(note.get("down")), _vector(note.get("up"))
    return None if down is None or up is None else (down, up)


def samples(note: Mapping[str, Any]) -> Iterator[Sample]:
    """Yield what a phone felt, and when; what is damaged is left out.

    >>> list(samples({"kind": "felt", "samples": [[5, 0, 0.1, -9.8], [9, 0, None, 1], 7]}))
    [(5, (0.0, 0.1, -9.8))]
    """
    rows = note.get("samples") if note.get("kind") == "felt" else None
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, list) and len(row) == 4 and type(row[0]) is int:
            force = _vector(row[1:])
            if force is not None and 0 <= row[0] <= LONGEST_US:
                yield row[0], force


def _vector(row: object) -> Felt3 | None:
    if not isinstance(row, list) or len(row) != 3:
        return None
    if not all(type(part) in {int, float} and isfinite(part) and abs(part) < MOST for part in row):
        return None
    return float(row[0]), float(row[1]), float(row[2])


@dataclass(frozen=True, slots=True)
class PhoneHandling:
    """One thing that was done with a phone: forces in g, along a barrel's axes."""

    task: str
    times_us: list[int]
    forces_g: list[Felt3]


def handlings(entries: Iterable[HubMessage | Note]) -> list[PhoneHandling]:
    """Return what was done with a phone, as far as it counts; nothing, if it was none."""
    frame: PhoneFrame | None = None
    felt, done = list[Sample](), list[PhoneHandling]()
    for entry in entries:
        what = entry.what if isinstance(entry, Note) else {}
        felt += samples(what)
        if (lying := lying_of(what)) is not None:
            frame = PhoneFrame.lying(*lying)
        match what:
            case {"kind": "again"}:
                del done[-1:]
            case {"kind": "done", "task": str(task), "from_us": int(begin), "to_us": int(end)}:
                part = [sample for sample in felt if begin <= sample[0] < end]
                felt = []
                if frame is not None:
                    forces = [frame.force_g(force) for _, force in part]
                    done.append(PhoneHandling(task, [at_us - begin for at_us, _ in part], forces))
    return done


class PhoneStopper:
    """A stopper whose barrel is a phone, and the hub that hears it, without a hub's own frames.

    While the phone felt nothing its barrel stands. The host asks for what it wants to see, as one
    does with the settings that it comes with.
    """

    def __init__(self, down: Felt3, up: Felt3, felt: Iterable[Sample]) -> None:
        self.now_us = 0
        self._down, self._up = down, up
        self._felt = deque(sorted(felt))
        self._motion = PhoneMotion(_lag_us=0)
        chance = Random("a phone's stones")  # noqa: S311 - a game and no secret
        self._barrel, self._chance = Barrel(STOPPER, chance), chance
        self._grip = stones.grasped(chance)
        air = RadioChannel(chance, lambda: self.now_us, Weather(0.0, 0.0, 0.0))
        self._hub = air.join(HUB)
        self._board = StopperBoard(
            STOPPER,
            self._barrel,
            lambda own: air.join(node(STOPPER), processor=own),
            lambda: self.now_us,
            seed="phone",
            ppm=12.0,
        )
        self._line, self._ticked_us = wire.Line(wire.TO_HUB), 0
        keys = {node(STOPPER): key(STOPPER)}
        self._host = SensingLink(Sensing({node(STOPPER): STOPPER}, Settings()), keys, self._send)
        self._board.power_on()

    def note(self, what: Mapping[str, Any]) -> None:
        """Let the host know when people choose."""
        if (seen := from_note(what)) is not None:
            self._host.handle(seen)

    def play(self, end_us: int) -> Iterator[HubMessage]:
        """Yield what the hub hears until then."""
        if end_us > LONGEST_US:
            raise CompanionError("This recording of a phone is longer than an hour.")
        while self.now_us < end_us:
            signals.check()
            self._feel()
            self.now_us += self._board.step()
            while (heard := self._hub.receive()) is not None:
                fields = wire.NAMED["RELAYED"].named(rssi=heard[2], packet=heard[1])
                relayed = wire.Said("RELAYED", self.now_us, fields)
                self._host.handle_hub_message(self.now_us, relayed)
                yield HubMessage(self.now_us, relayed)
            if self.now_us >= self._ticked_us + TICK_US:
                self._ticked_us = self.now_us
                self._host.tick(self.now_us)

    def _send(self, frame: bytes) -> None:
        for message in self._line.hear(frame):
            if isinstance(message, wire.Said):
                self._hub.send(node(STOPPER), message.fields.packet)

    def _feel(self) -> None:
        """Let the barrel feel what comes next, and take or set it down."""
        batch = []
        while self._felt and self._felt[0][0] <= self.now_us + BUFFER_US:
            batch.append(self._felt.popleft())
        if batch:
            times = tuple(at_us / 1000 for at_us, _ in batch)
            heard = PhoneSamples("", self._down, self._up, times, tuple(felt for _, felt in batch))
            swings = self._motion.take(heard, self.now_us)
            barrel = self._barrel
            self._motion.knock(
                stones.rattle(barrel.stones_g, barrel.shell_g, swings, self._chance, self._grip)
            )
        newest_us, now_us = self._motion.newest_us, self.now_us
        held = newest_us > 0 and now_us <= newest_us + HOLD_US
        if held and not self._barrel.pose.held:
            hand, turn = poses.Pose(support=poses.Support.HAND), PhoneTurn(self._motion, now_us)
            motion = HeldPhone(
                "phone", now_us, poses.FOREVER, hand, hand, (turn,), felt=self._motion
            )
            self._barrel.become(motion)
        elif not held and self._barrel.pose.held:
            self._barrel.become(poses.stay(poses.Pose(), now_us))
