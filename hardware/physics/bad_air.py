"""A table at the other end of a hub's line, honest stoppers, and one whose key somebody else has.

Bytes go in where the hub's come in, and what the host answers is heard; there is no simulator, so
that a hundred thousand frames take a minute.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

from companion import wire
from companion.devices.stopper_registry import Stopper
from companion.games.zapp_zerapp.rules import Phase, View
from companion.referee.commands import Command, CommandBody, DoAction
from companion.referee.handlers import usual_match
from companion.referee.maintenance_commands import BeginEnrolling
from companion.system import config
from companion.table.table import Table
from companion.table.table_config import TableConfig

HUB: Final = bytes.fromhex("7cdfa10000ff")
PORT: Final = "/dev/ttyACM0"
S: Final = 1_000_000
HONEST, STOLEN = (
    Stopper(bytes.fromhex("7cdfa1000001"), 1, bytes(range(16))),
    Stopper(bytes.fromhex("7cdfa1000002"), 2, bytes(range(16, 32))),
)
DECLARED: Final = {
    name: dict(part.split(":") for part in fields.replace("+", "").split())
    for name, _, fields in wire.MESSAGES
}
UP, DOWN, FROM_HUB = (
    [name for name, number, _ in wire.MESSAGES if number >> 6 == way]
    for way in (wire.UP, wire.DOWN, wire.FROM_HUB)
)
HELLO_OF_HUB: Final = wire.say(
    "HUB_HELLO", 7, hub=HUB, boot=1, firmware=256, dictionary=wire.DICTIONARY_HASH
)


class Cable:
    """A port and its line: bytes that wait to be read, and those that were written."""

    def __init__(self) -> None:
        self.waiting = self.written = b""

    def find(self, _: Sequence[str]) -> Sequence[str]:
        return (PORT,)

    def open(self, _: str) -> Cable:
        self.waiting = HELLO_OF_HUB
        return self

    def fileno(self) -> int:
        return 0

    def read(self) -> bytes:
        data, self.waiting = self.waiting, b""
        return data

    def write(self, data: bytes) -> int:
        self.written += data
        return len(data)

    def close(self) -> None:
        pass


class Listener:
    """A table in virtual time and one thread, so that whatever is raised ends the test."""

    def __init__(self, folder: Path, stoppers: Sequence[Stopper] = (HONEST, STOLEN)) -> None:
        self.now_us, self.cable = 100 * S, Cable()
        wiring = config.TableWiring(hub=config.Hub(None, (PORT,)))
        self.plan = TableConfig(
            wiring,
            folder,
            tuple(stoppers),
            ports=self.cable,
            clock_us=lambda: self.now_us,
            chance=Random(1),
        )
        self.begin()

    def begin(self) -> None:
        """Switch the computer on."""
        self.table = Table(self.plan)
        self.table.resume()
        self.pass_by(1 * S)

    def end(self) -> None:
        assert self.table.hardware.hub is not None
        self.table.hardware.hub.port.close(self.now_us)
        self.table.stop()

    def pass_by(self, for_us: int = 0) -> None:
        """Let time pass, and everything be done that is due."""
        self.now_us += for_us
        if for_us:
            self.cable.waiting += wire.say("BEACON", self.now_us, hub=HUB, channel=1)
        port = self.table.hardware.hub.port if self.table.hardware.hub else None
        assert port is not None
        port.tick(self.now_us)
        self.table.turn()
        port.tick(self.now_us)  # what is answered

    def comes(self, data: bytes) -> None:
        """Let bytes come over the line."""
        self.cable.waiting += data
        self.pass_by()

    def hears(self, packet: bytes, rssi: int = -50, hub_us: int | None = None) -> None:
        """Let the hub hear a packet."""
        at_us = self.now_us if hub_us is None else hub_us
        self.comes(wire.say("RELAYED", at_us, rssi=rssi, packet=packet))

    def sent(self) -> list[bytes]:
        """Return the packets that the hub was to send since this was asked last."""
        data, self.cable.written = self.cable.written, b""
        said = wire.Line(wire.TO_HUB).hear(data)
        return [
            one.fields.packet for one in said if isinstance(one, wire.Said) and one.name == "RELAY"
        ]

    def says(self, wish: CommandBody) -> None:
        """Let somebody command something."""
        command = Command(f"{self.now_us} {type(wish).__name__}", wish, "red")
        does = self.table.maintenance.handle_command if isinstance(wish, BeginEnrolling) else None
        if does is None:
            answer = self.table.referee.handle_command(command, self.now_us)
        else:
            answer = does(command, 0, self.now_us)
        assert answer.refused is None, answer.refused

    def chooses(self) -> None:
        """Begin a match, and let barrels be chosen."""
        self.says(usual_match(["red", "blue"]))
        self.says(DoAction("roll 9"))
        view = self.table.snapshot.view
        assert isinstance(view, View)
        assert view.phase is Phase.PLACE


@dataclass
class Board:
    """One boot after another of a stopper that works as it should, without its chips."""

    air: Listener
    stopper: Stopper
    boot: int = 0
    events: int = 0
    began_us: int = 0
    seal: wire.Seal = field(init=False)
    gate: wire.Gate = field(init=False)

    def __post_init__(self) -> None:
        self.begins()

    def begins(self) -> None:
        """Switch it on."""
        self.boot, self.events, self.began_us = self.boot + 1, 0, self.air.now_us - 5 * S
        key, node = self.stopper.key, self.stopper.node
        self.seal = wire.Seal(key, node, self.boot)
        self.gate = wire.Gate(key, node, wire.DOWN, self.boot)
        self.says("HELLO")

    @property
    def clock_us(self) -> int:
        return self.air.now_us - self.began_us

    def says(self, name: str, **fields: Any) -> None:
        """Say something, and do what is answered."""
        usual = plausible(name, self.clock_us) | {"commands_heard": self.gate.seq}
        fields = {one: usual[one] for one in DECLARED[name]} | fields
        if "event" in fields:
            self.events += 1
            fields["event"] = self.events & 0xFFFF
        self.air.hears(self.seal.packet(name, self.clock_us, **fields))
        for packet in self.air.sent():
            frame = self.gate.open(packet)
            if isinstance(frame, wire.Frame) and frame.name == "HELLO_REQUEST":
                self.says("HELLO")

    def lives(self, for_s: int) -> None:
        """Let time pass; it tells now and then that it is well."""
        for _ in range(for_s // 10):
            self.air.pass_by(10 * S)
            self.says("HEARTBEAT")

    def is_turned_over(self) -> None:
        """Be lifted, and turned over."""
        for name in ("SET", "LIFT", "TILT", "FLIP"):
            self.air.pass_by(S)
            self.says(name)


def plausible(name: str, clock_us: int) -> dict[str, Any]:
    """Return fields as a stopper might say them."""
    numbers: dict[str, Any] = dict.fromkeys(DECLARED[name], 0)
    numbers |= {"at_us": clock_us - 20_000, "tilt_cdeg": 9_000, "held_ms": 120, "step_us": 20_000}
    numbers |= {"battery_mv": 3_900, "firmware": 256, "can": 15, "rssi": -50, "span_ms": 250}
    numbers |= {
        "dictionary": wire.DICTIONARY_HASH,
        "hub": HUB,
        "packet": b"",
        "hash": bytes(32),
        "data": b"",
        "start_us": clock_us,
    }
    samples = struct.pack(wire.SAMPLE.format, 9_000, 20, 0) * 20
    numbers |= {"samples": samples if name == "RAW" else 20}
    return {one: numbers.get(one, 0) for one in (*DECLARED[name], "commands_heard")}


# --- who has a stopper's key ------------------------------------------------------------------


def extremes(kind: str, rng: Random) -> list[Any]:
    """Return what is worth trying of a field."""
    if kind[0] in "ui":
        bits = int(kind[1:])
        least, end = (-(1 << bits - 1), 1 << bits - 1) if kind[0] == "i" else (0, 1 << bits)
        near = {0, 1, least, least + 1, end // 2, end // 2 - 1, end - 2, end - 1}
        return sorted(near | {rng.randrange(least, end)})
    size = {"address": 6, "hash": 8}.get(kind)
    if size is None:
        return [b"", b"\0", rng.randbytes(rng.randrange(214)), b"\xff" * 213]
    return [bytes(size), b"\xff" * size, rng.randbytes(size)]


def every_extreme(rng: Random) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each message with each field at each of its extremes, the others as usual."""
    for name, kinds in DECLARED.items():
        for one, kind in kinds.items():
            for value in extremes(kind, rng):
                yield name, {one: value}
        yield name, {}


def anything(rng: Random) -> tuple[str, dict[str, Any]]:
    """Return a message of which some fields are extreme."""
    name = rng.choice([*UP, *UP, *UP, *DOWN, *FROM_HUB])
    share = rng.choice([0.0, 0.2, 1.0])
    kinds = DECLARED[name].items()
    return name, {one: rng.choice(extremes(k, rng)) for one, k in kinds if rng.random() < share}


def sealed(head: Sequence[Any], body: bytes, key: bytes) -> bytes:
    """Return an authentic packet with any head: node, number, flags, boot, seq, clock."""
    node, number, flags, boot, seq, time_us = head
    packet = struct.pack(wire.PACKET, wire.VERSION, number, node, flags, boot, seq, time_us) + body
    return packet + sha256(key + packet).digest()[: wire.TAG_SIZE]


class Thief:
    """Somebody with the key of a stopper, who knows its boot, and may use up its counters."""

    def __init__(self, air: Listener, victim: Board, rng: Random, leaps: float = 0.0) -> None:
        self.air, self.victim, self.rng, self.leaps = air, victim, rng, leaps
        self.boot, self.seq = victim.boot, 1
        self.packets: list[bytes] = []

    def says(self, name: str, fields: dict[str, Any]) -> None:
        """Say something in the stopper's name, or the hub's."""
        rng, clock_us = self.rng, self.victim.clock_us
        usual = {one: plausible(name, clock_us)[one] for one in DECLARED[name]} | fields
        if name in FROM_HUB:
            times = (0, clock_us, self.air.now_us, (1 << 64) - 1, rng.randrange(1 << 64))
            self.air.comes(wire.say(name, rng.choice(times), **usual))
            return
        number, body = wire.NAMED[name].number, wire.NAMED[name].pack(usual)
        if rng.random() < 20 * self.leaps:
            body = body[: rng.randrange(len(body) + 1)] + rng.randbytes(rng.randrange(8))
        node, key = self.victim.stopper.node, self.victim.stopper.key
        head = (node, number, self._flags(), *self._counters(), self._clock(clock_us))
        packet = sealed(head, body, key)[: wire.MAX_PACKET]
        self.packets.append(packet)
        self.air.hears(packet, rng.randrange(-128, 128))

    def replays(self) -> None:
        """Say again what was said at any time."""
        if self.packets:
            self.air.hears(self.rng.choice(self.packets))

    def _flags(self) -> int:
        return self.rng.choice((0, 0, wire.RESENT, 255 ^ wire.MORE))  # nothing comes with it

    def _counters(self) -> tuple[int, int]:
        rng = self.rng
        self.seq += 1
        if rng.random() < self.leaps:
            ends = (0, 1, self.victim.boot + 1, (1 << 31) - 1, 1 << 31, (1 << 32) - 1)
            self.boot = rng.choice((*ends, rng.randrange(1 << 32)))
        if rng.random() < self.leaps:
            self.seq = rng.choice((0, (1 << 32) - 1, rng.randrange(1 << 32)))
        return self.boot, min(self.seq, (1 << 32) - 1)

    def _clock(self, clock_us: int) -> int:
        rng = self.rng
        if rng.random() >= 20 * self.leaps:
            return clock_us
        return rng.choice((0, 1, clock_us + 3600 * S, (1 << 50) - 1, (1 << 64) - 1))
