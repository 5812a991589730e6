"""A work bench: one stopper's board as software, and a barrel that does what a script says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import cos, pi, radians, sin
from typing import Any, NamedTuple

from companion import wire
from companion.sensing.receiver import further_events
from companion.simulator.chips.board_bus import BoardBus, Chip
from companion.simulator.chips.lis2dw12 import Lis2dw12
from companion.simulator.chips.load_cell import flaws
from companion.simulator.chips.nau7802 import Nau7802
from companion.simulator.stopper_kinds import LEAVES, CellKind
from companion.simulator.traits import Imperfections, Trait
from companion.simulator.weighing import Foot
from hardware.emulated.source import load

NODE = bytes.fromhex("7cdfa1000001")
HUB = bytes.fromhex("7cdfa10000ff")
KEY = bytes(range(16))
BARREL_G = 26.5
TURN_S = 0.2

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Piece:
    """A while in which one thing happens."""

    start_us: int
    length_us: int
    load_g: float
    from_deg: float
    to_deg: float
    push: Callable[[float], Vector]


def nothing(_: float) -> Vector:
    """Return no force beside gravity."""
    return (0.0, 0.0, 0.0)


@dataclass(slots=True)
class Script:
    """What happens to a barrel, one thing after the other; it begins standing."""

    mass_g: float = BARREL_G
    pieces: list[Piece] = field(default_factory=list)
    _at: int = 0

    def stand(self, seconds: float) -> Script:
        """Stand on the table, upright; touching it gives a small blow."""
        struck = bool(self.pieces) and self.pieces[-1].load_g == 0
        blow: Callable[[float], Vector] = (
            (lambda t: (0.0, 0.0, 0.8 * cos(200 * pi * t) if t < 0.02 else 0.0))
            if struck
            else nothing
        )
        return self.add(seconds, self.mass_g, 0.0, blow)

    def hold(self, seconds: float, tilt_deg: float = 0.0) -> Script:
        """Hold it in the hand, which trembles a little."""
        return self.add(
            seconds, 0.0, tilt_deg, lambda t: (0.012 * sin(55 * t), 0.008 * sin(47 * t), 0.0)
        )

    def shake(self, seconds: float, amplitude_g: float = 2.0, hz: float = 5.0) -> Script:
        """Shake it to and fro, mostly sideways."""
        return self.add(
            seconds,
            0.0,
            0.0,
            lambda t: (
                amplitude_g * sin(2 * pi * hz * t),
                0.0,
                0.4 * amplitude_g * sin(4 * pi * hz * t),
            ),
        )

    def rest(self, seconds: float, tilt_deg: float) -> Script:
        """Let it lie on the table, not on its foot."""
        return self.add(seconds, 0.0, tilt_deg, nothing)

    def kicked(self, seconds: float) -> Script:
        """Stand on a table that somebody kicks."""
        return self.add(
            seconds,
            self.mass_g,
            0.0,
            lambda t: (
                (0.6 * sin(120 * t) * 2.718 ** (-t / 0.05), 0.0, 0.4 * sin(170 * t))
                if t < 0.2
                else (0.0, 0.0, 0.0)
            ),
        )

    def add(
        self, seconds: float, load_g: float, to_deg: float, push: Callable[[float], Vector]
    ) -> Script:
        before = self.pieces[-1].to_deg if self.pieces else to_deg
        length = round(seconds * 1e6)
        self.pieces.append(Piece(self._at, length, load_g, before, to_deg, push))
        self._at += length
        return self

    @property
    def end_us(self) -> int:
        """Return when it is over."""
        return self._at

    def _piece(self, at_us: int) -> Piece:
        for piece in self.pieces:
            if at_us < piece.start_us + piece.length_us:
                return piece
        return self.pieces[-1]

    def acceleration_g(self, at_us: int) -> Vector:
        """Return the specific force in the stopper's axes."""
        piece = self._piece(at_us)
        seconds = (at_us - piece.start_us) / 1e6
        part = min(seconds / TURN_S, 1.0)
        angle = radians(piece.from_deg + (piece.to_deg - piece.from_deg) * part)
        x, y, z = piece.push(seconds)
        return (sin(angle) + x, y, cos(angle) + z)

    def load_g(self, at_us: int) -> float:
        """Return what rests on the foot."""
        return self._piece(at_us).load_g


class Radio:
    """The air: what was sent, and what is to be heard; by default a host acknowledges."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self.sent: list[tuple[bytes, bytes]] = []
        self.inbox: list[tuple[bytes, bytes, int]] = []
        self.gate = wire.Gate(KEY, NODE, wire.UP)
        self.seal: Any = None
        self.frames: list[Any] = []
        self.acknowledges, self.on = True, True
        self.switched: list[tuple[int, bool]] = []  # when it was, and to what
        self.channel = 1

    def send(self, to: bytes, data: bytes) -> bool:
        """Take a packet off the stopper."""
        self.sent.append((to, data))
        first = self.gate.open(data)
        assert isinstance(first, wire.Frame), self.gate.losses
        for frame in (first, *further_events(first, data)):
            self.frames.append(frame)
            if self.acknowledges and "event" in frame.fields._fields:
                self.command("ACK", event=frame.fields.event)
        return True

    def switch(self, on: bool) -> None:
        """Note whether it is on."""
        self.on = on
        self.switched.append((self._board.now_us, on))

    def command(self, name: str, **fields: Any) -> None:
        """Let the host say something."""
        if self.seal is None or self.seal.boot != self.gate.boot:
            self.seal = wire.Seal(KEY, NODE, self.gate.boot)
        self.inbox.append((HUB, self.seal.packet(name, self._board.now_us, **fields), -50))

    def receive(self) -> tuple[bytes, bytes, int] | None:
        """Hand the stopper what was said to it."""
        return self.inbox.pop(0) if self.inbox else None


class Access(NamedTuple):
    """One transfer, as the wire saw it."""

    address: int
    action: str
    register: int
    data: bytes


class LoggedBus(BoardBus):
    """A board's bus that keeps what went over it."""

    def __init__(self, chips: dict[int, Chip]) -> None:
        super().__init__(chips)
        self.log: list[Access] = []

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        data = super().readfrom_mem(address, register, count)
        self.log.append(Access(address, "read", register, data))
        return data

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        super().writeto_mem(address, register, data)
        self.log.append(Access(address, "write", register, bytes(data)))


class Flash(dict[str, bytes]):
    """Named bytes that outlive a boot."""

    def load(self, name: str) -> bytes | None:
        """Return what was saved."""
        return self.get(name)

    def save(self, name: str, data: bytes) -> None:
        """Save something."""
        self[name] = data


class Board:
    """The hardware of a stopper, in virtual time."""

    def __init__(
        self,
        script: Script,
        seed: int = 1,
        *,
        ideal: bool = False,
        traits: Imperfections = frozenset({Trait.FOOT}),
        cell: CellKind = LEAVES,
    ) -> None:
        self.script = script
        self.foot = Foot(
            script.load_g, lambda at: script.acceleration_g(at)[2], str(seed), traits, cell
        )
        self.now_us = 0
        self.motion_chip = Lis2dw12(script.acceleration_g, lambda: self.now_us, seed, ideal=ideal)
        self.load_chip = Nau7802(
            self.foot.force_g,
            lambda _: 22.0,
            lambda: self.now_us,
            seed,
            ideal=ideal,
            flaws=flaws(seed, traits),
        )
        self.i2c = LoggedBus({0x19: self.motion_chip, 0x2A: self.load_chip})
        self.radio = Radio(self)
        self.flash = Flash(key=KEY)
        self.unique_id = NODE
        self.lit = False
        self.shone: list[tuple[int, tuple[int, ...]]] = []  # by infrared, and when
        self.slept = 0
        self.cold, self.usb = True, False
        self.box = self.charger = False
        self.resets = 0
        self.battery = 3900
        self.stopper: Any = None

    @property
    def link(self) -> Any:
        """Return what it knows of its host and its radio."""
        return self.stopper.link

    @property
    def motion(self) -> Any:
        """Return what it makes of accelerations."""
        return self.stopper.motion

    @property
    def scale(self) -> Any:
        """Return what it makes of its cell."""
        return self.stopper.scale

    @property
    def memory(self) -> Any:
        """Return what it keeps over a sleep."""
        return self.stopper.memory

    @property
    def feels(self) -> Any:
        """Return its driver of the accelerometer."""
        return self.stopper.feels

    @property
    def weighs(self) -> Any:
        """Return its driver of the converter."""
        return self.stopper.weighs

    def ticks_us(self) -> int:
        """Return the ticks, which start over as MicroPython's do."""
        return (self.now_us + (1 << 30) - 5_000_000) & ((1 << 30) - 1)

    def battery_mv(self) -> int:
        """Return the battery's voltage."""
        return self.battery

    def temperature_c(self) -> float:
        """Return the temperature."""
        return 22.0

    def led(self, on: bool) -> None:
        """Switch the light."""
        self.lit = on

    def shine(self, pulses: tuple[int, ...]) -> None:
        """Note what its infrared light says."""
        self.shone.append((self.now_us, pulses))

    def moved(self) -> bool:
        """Return whether INT1 is high."""
        return self.motion_chip.int1

    def plugged(self) -> bool:
        """Return whether a computer is at the USB."""
        return self.usb

    def boxed(self) -> bool:
        """Return whether the charging box gives it power."""
        return self.box

    def charging(self) -> bool:
        """Return whether the charger is at work."""
        return self.charger

    def reset(self) -> None:
        """Note that it would start over now."""
        self.resets += 1

    def deep_sleep(self) -> None:
        """Note that it would sleep now."""
        self.slept += 1

    def boot(self, *, powered: bool = False) -> None:
        """Start over, as after a loss of power, or with the chips powered all the time."""
        for chip in () if powered else (self.motion_chip, self.load_chip):
            chip.power_on()
        self.stopper = load("stopper.stopper").Stopper(self)

    def run(self, until_us: int | None = None) -> Board:
        """Let time pass, until the script is over or earlier."""
        until_us = self.script.end_us if until_us is None else until_us
        if self.stopper is None:
            self.boot()
        while self.now_us < until_us:
            self.now_us += 1000 * int(self.stopper.step())
        return self

    def events(self) -> list[tuple[str, int, Any]]:
        """Return every event once: its name, when it was in ms, and its fields."""
        first = {
            frame.fields.event: frame
            for frame in reversed(self.radio.frames)
            if "event" in frame.fields._fields
        }
        return [
            (frame.name, frame.fields.at_us // 1000, frame.fields)
            for _, frame in sorted(first.items())
        ]

    def names(self) -> list[str]:
        """Return the names of the events in their order."""
        return [name for name, _, _ in self.events()]

    def last(self, name: str) -> Any:
        """Return the fields of the last message of a name."""
        return next(frame.fields for frame in reversed(self.radio.frames) if frame.name == name)
