"""Stoppers that only send, and an ear for them: sealed packets, as they come over the line."""

from dataclasses import dataclass, field
from typing import Any

from companion import wire
from companion.sensing.receiver import Receiver

KEY = bytes(range(16))
NODE = bytes.fromhex("7cdfa1000007")
OTHER = bytes.fromhex("7cdfa1000008")
LIFE: dict[str, Any] = {
    "uptime_s": 1,
    "battery_mv": 3900,
    "temperature_cc": 2100,
    "load_raw": 0,
    "faults": 0,
    "drops": 0,
    "unheard": 0,
    "rssi": -50,
    "power": 0,
}
HELLO: dict[str, Any] = {"firmware": 1, "dictionary": wire.DICTIONARY_HASH, "can": 15}


def relayed(packet: bytes, at_us: int = 0) -> wire.Said:
    """Return what the hub says of a packet that it heard."""
    (said,) = wire.Line(wire.FROM_HUB).hear(wire.say("RELAYED", at_us, rssi=-50, packet=packet))
    assert isinstance(said, wire.Said)
    return said


class Stopper:
    """One boot of a stopper."""

    def __init__(self, boot: int = 1, node: bytes = NODE, key: bytes = KEY) -> None:
        self.node, self.boot = node, boot
        self._seal, self._gate = wire.Seal(key, node, boot), wire.Gate(key, node, wire.DOWN, boot)

    def says(self, name: str, flags: int = 0, more: bytes = b"", **fields: Any) -> wire.Said:
        """Return a message of it, as the hub relays it."""
        if name in ("HELLO", "HEARTBEAT"):
            usual = HELLO if name == "HELLO" else LIFE
            fields = {"commands_heard": self._gate.seq, **usual, **fields}
        return relayed(self._seal.packet(name, 1_000, flags, more, **fields))

    def lifts(self, event: int, flags: int = 0, more: bytes = b"") -> wire.Said:
        """Return that it was lifted, and what else its packet carries."""
        return self.says("LIFT", flags, more, event=event, at_us=500, load_mg=25_000, blind_ms=0)

    def hears(self, frames: list[bytes]) -> list[tuple[str, Any]]:
        """Return which commands among these it would take."""
        found = []
        for said in wire.Line(wire.TO_HUB).hear(b"".join(frames)):
            assert isinstance(said, wire.Said)
            frame = self._gate.open(said.fields.packet)
            if isinstance(frame, wire.Frame):
                found.append((frame.name, frame.fields))
        return found


@dataclass
class Ear:
    """Listening, and what it sent and refused."""

    sent: list[bytes] = field(default_factory=list)
    refused: list[tuple[int, bytes, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.listening = self.begin()

    def begin(self, last: dict[bytes, tuple[int, int]] | None = None) -> Receiver:
        """Start the host, anew if it ran before."""
        keys = {NODE: KEY, OTHER: KEY}
        self.listening = Receiver(
            keys,
            self.sent.append,
            last=last,
            on_refused=lambda *what: self.refused.append(what),
        )
        return self.listening

    def hear(self, *said: wire.Said) -> list[str]:
        """Return the names of what was new."""
        return [seen.name for one in said for seen in self.listening.handle_hub_message(0, one)]
