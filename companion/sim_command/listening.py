"""What the stoppers say, out of what the hub relays: authentic, each event once, acknowledged.

It must not know ports, clocks, or what an event means for the game. The same messages give the
same observations, live or from a recording.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion import wire
from companion.devices.hub_talk import Heard

LATELY = 64  # events of a stopper that are known again; it sends each for less than a second


@dataclass(frozen=True, slots=True)
class Observation:
    """One message of one stopper, when the host had it, and how loud it was."""

    at_us: int
    node: bytes
    name: str
    boot: int
    sent_us: int  # on the stopper's clock
    hub_us: int  # when the hub had it, on the hub's
    rssi: int
    fields: dict[str, object]


Send = Callable[[bytes], object]


class Listening:
    """One ear for all stoppers whose key is known."""

    def __init__(self, keys: Mapping[bytes, bytes], send: Send = lambda _: None) -> None:
        self._keys, self._send = keys, send
        self._gates = {node: wire.Gate(key, node, wire.UP) for node, key in keys.items()}
        self._seals: dict[bytes, wire.Seal] = {}
        self._events: dict[bytes, deque[int]] = {node: deque(maxlen=LATELY) for node in keys}
        self._boots = dict.fromkeys(keys, 0)
        self.frames = self.again = self.strangers = self.foreign = 0

    @property
    def losses(self) -> Counter[str]:
        """Return what was not taken from the stoppers, and what never came."""
        found: Counter[str] = Counter()
        for gate in self._gates.values():
            found.update(gate.losses)
        return +found

    def hear(self, heard: Heard) -> Observation | None:
        """Return what a stopper says; None for the hub's own, for echoes and for strangers."""
        said = heard.said
        if said.name != "RELAYED":
            return None
        self.frames += 1
        gate = self._gates.get(wire.node_of(said.fields.packet))
        if gate is None:
            self.strangers += 1
            return None
        frame = gate.open(said.fields.packet)
        if not isinstance(frame, wire.Frame):
            self.foreign += isinstance(frame, wire.Foreign)
            return None
        return self._take(heard, frame)

    def _take(self, heard: Heard, frame: wire.Frame) -> Observation | None:
        if frame.boot > self._boots[frame.node]:
            self._boots[frame.node] = frame.boot
            self._events[frame.node].clear()
            self._seals.pop(frame.node, None)
        fields = frame.fields._asdict()
        commands_heard = fields.get("commands_heard")
        if commands_heard is not None and frame.node not in self._seals:
            key = self._keys[frame.node]
            self._seals[frame.node] = wire.Seal(key, frame.node, frame.boot, commands_heard)
        event = fields.get("event")
        if event is not None:
            self._acknowledge(heard.at_us, frame.node, event)
            if event in self._events[frame.node]:
                self.again += 1
                return None
            self._events[frame.node].append(event)
        said = heard.said
        return Observation(
            heard.at_us,
            frame.node,
            frame.name,
            frame.boot,
            frame.time_us,
            said.time_us,
            said.fields.rssi,
            fields,
        )

    def _acknowledge(self, now_us: int, node: bytes, event: int) -> None:
        seal = self._seals.get(node)
        if seal is not None:  # else it was never heard in this boot; its next heartbeat will do
            packet = seal.packet("ACK", now_us, event=event)
            self._send(wire.say("RELAY", now_us, packet=packet))
