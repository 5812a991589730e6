"""What the stoppers say, out of what the hub relays: authentic, each event once, acknowledged.

It must not know ports, clocks, or what an event means for the game. The same messages give the
same observations, live or from a recording.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping

from companion import wire
from companion.sensing.seen import Observation

LATELY = 64  # events of a stopper that are known again; it sends each for less than a second


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

    def hear(self, at_us: int, said: wire.Said) -> Observation | None:
        """Return what a stopper says; None for the hub's own, for echoes and for strangers."""
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
        return self._take(at_us, said, frame)

    def _take(self, at_us: int, said: wire.Said, frame: wire.Frame) -> Observation | None:
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
            self._acknowledge(at_us, frame.node, event)
            if event in self._events[frame.node]:
                self.again += 1
                return None
            self._events[frame.node].append(event)
        return Observation(
            at_us,
            frame.node,
            frame.name,
            frame.boot,
            frame.seq,
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
