"""What the stoppers say, out of what the hub relays: authentic, each event once, acknowledged.

It must not know ports, clocks, or what an event means for the game. The same messages give the
same observations, live or from a recording.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping
from typing import Any

from companion import wire
from companion.sensing.seen import Observation

LATELY = 64  # events of a stopper that are known again; it sends each for less than a second
NEVER = (0, 0)


Send = Callable[[bytes], object]
Refused = Callable[[int, bytes, int], object]  # when, which node, which version it speaks


class Listening:
    """One ear for all stoppers whose key is known.

    `last` is what `newest` was when the program ended: what was heard then is not heard again.
    """

    def __init__(
        self,
        keys: Mapping[bytes, bytes],
        send: Send = lambda _: None,
        *,
        last: Mapping[bytes, tuple[int, int]] | None = None,
        refused: Refused = lambda *_: None,
    ) -> None:
        self._keys, self._send, self._refused = keys, send, refused
        last = last or {}
        self._gates = {
            node: wire.Gate(key, node, wire.UP, *last.get(node, NEVER))
            for node, key in keys.items()
        }
        self._seals: dict[bytes, wire.Seal] = {}
        self._events: dict[bytes, deque[int]] = {node: deque(maxlen=LATELY) for node in keys}
        self._boots = {node: gate.boot for node, gate in self._gates.items()}
        self._gaps = dict.fromkeys(keys, 0)
        self.frames = self.again = self.strangers = self.foreign = 0

    @property
    def losses(self) -> Counter[str]:
        """Return what was not taken from the stoppers, and what never came."""
        found: Counter[str] = Counter()
        for gate in self._gates.values():
            found.update(gate.losses)
        return +found

    @property
    def newest(self) -> dict[bytes, tuple[int, int]]:
        """Return boot and seq of the newest packet of each node, to be kept for the next time."""
        found = {node: (gate.boot, gate.seq) for node, gate in self._gates.items()}
        return {node: newest for node, newest in found.items() if newest != NEVER}

    def hear(self, at_us: int, said: wire.Said) -> Observation | None:
        """Return what a stopper says; None for the hub's own, for echoes and for strangers."""
        if said.name != "RELAYED":
            return None
        self.frames += 1
        gate = self._gates.get(wire.node_of(said.fields.packet))
        if gate is None:
            self.strangers += 1
            return None
        missed = gate.losses["missed"]
        frame = gate.open(said.fields.packet)
        self._gaps[gate.node] += gate.losses["missed"] - missed
        if isinstance(frame, wire.Foreign):
            self.foreign += 1
            self._refused(at_us, frame.node, frame.version)
        if not isinstance(frame, wire.Frame):
            return None
        return self._take(at_us, said, frame)

    def tell(self, now_us: int, node: bytes, name: str, **fields: Any) -> bool:
        """Send a command to a stopper; False if it was not heard yet in this boot of its."""
        seal = self._seals.get(node)
        if seal is None:
            return False
        packet = seal.packet(name, now_us, **fields)
        self._send(wire.say("RELAY", now_us, packet=packet))
        return True

    def _take(self, at_us: int, said: wire.Said, frame: wire.Frame) -> Observation | None:
        node = frame.node
        if frame.boot > self._boots[node]:
            self._begin(frame)
        fields = frame.fields._asdict()
        commands_heard = fields.get("commands_heard")
        if commands_heard is not None and node not in self._seals:
            self._seals[node] = wire.Seal(self._keys[node], node, frame.boot, commands_heard)
            if frame.name != "HELLO":  # it said who it is before this program began
                self.tell(at_us, node, "HELLO_REQUEST")
        event = fields.get("event")
        if event is not None:
            self.tell(at_us, node, "ACK", event=event)  # else its next heartbeat will do
            if event in self._events[node]:
                self.again += 1
                return None  # what was missed before it counts for the next one
            self._events[node].append(event)
        gap, self._gaps[node] = self._gaps[node], 0
        return Observation(
            at_us,
            node,
            frame.name,
            frame.boot,
            frame.seq,
            frame.time_us,
            said.time_us,
            said.fields.rssi,
            fields,
            gap,
            bool(frame.flags & wire.RESENT),
        )

    def _begin(self, frame: wire.Frame) -> None:
        """Take a new boot of a stopper: it counts from 1 again."""
        self._boots[frame.node] = frame.boot
        self._events[frame.node].clear()
        self._seals.pop(frame.node, None)
        self._gaps[frame.node] = frame.seq - 1
