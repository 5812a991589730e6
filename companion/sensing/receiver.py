"""Receives stoppers' messages from the hub: authenticated, each event once, acknowledged.

It must not know ports, clocks, or what an event means for the game. The same messages give the
same observations, live or from a recording.

Whoever has a stopper's key can say anything in its name. What no working stopper says is ignored,
by sanity checks and a rate limit: then that stopper is not believed, and all others play on.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final

from companion import wire
from companion.sensing.observations import Observation

LAST_BOOT: Final = 1 << 31  # a stopper keeps its boots as a signed number
LATEST_US: Final = 1 << 50  # after 35 years without a boot
LATE_US, EARLY_US = 60_000_000, 1_000_000  # an event is told for a second, then given up
MOST_COMMANDS: Final = 1 << 31  # the host sends one for each event, and some more
HEAVIEST_MG: Final = 1_000_000  # twice the converter's range, for its zero may be anywhere in it
LIMITS: Final = {  # of fields, whichever message has them
    "load_mg": (-HEAVIEST_MG, HEAVIEST_MG),
    "load_min_mg": (-HEAVIEST_MG, HEAVIEST_MG),
    "load_max_mg": (-HEAVIEST_MG, HEAVIEST_MG),
    "load_raw": (-(1 << 23), (1 << 23) - 1),
    "tilt_cdeg": (0, 18_000),
    "tilt_min_cdeg": (0, 18_000),
    "tilt_max_cdeg": (0, 18_000),
    "start_us": (0, LATEST_US),
    "step_us": (1, 1_000_000),
    "chunk": (0, 255),
    "chunks": (0, 255),
}
BURST: Final = 64  # this many wait in the hub while nobody reads
USUAL_PER_S: Final = 40  # events: eight at once, each eighteen times within three seconds
MOST_PER_S: Final = {
    "HELLO": 2,
    "HEARTBEAT": 2,
    "FEATURES": 10,
    "RAW_HEAD": 50,
    "RAW": 50,
    "UPDATE": 50,
}


def is_nonsense(frame: wire.Frame, commands: int = 0) -> bool:
    """Return whether no working stopper can have said this, which was sent so many commands.

    >>> HELLO = wire.NAMED["HELLO"].named(commands_heard=0, firmware=1, dictionary=b"", can=15)
    >>> [is_nonsense(wire.Frame("HELLO", b"", 0, boot, 1, 5, HELLO)) for boot in (3, 1 << 31)]
    [False, True]
    """
    if not (frame.seq > 0 and 0 <= frame.boot < LAST_BOOT and frame.time_us < LATEST_US):
        return True
    fields = frame.fields._asdict()
    if fields.get("commands_heard", 0) > max(commands, MOST_COMMANDS):
        return True
    at_us = fields.get("at_us", frame.time_us)
    if not -EARLY_US <= frame.time_us - at_us <= LATE_US:
        return True
    return any(
        name in fields and not least <= fields[name] <= greatest
        for name, (least, greatest) in LIMITS.items()
    )


@dataclass(slots=True)
class RateMonitor:
    """How many more messages of each kind are taken from one stopper."""

    left: dict[str, float] = field(default_factory=dict)
    at_us: dict[str, int] = field(default_factory=dict)

    def exceeds(self, name: str, now_us: int) -> bool:
        """Return whether this is one too many.

        >>> flood = RateMonitor()
        >>> [flood.exceeds("HEARTBEAT", 0) for _ in range(66)].count(True)
        2
        >>> flood.exceeds("HEARTBEAT", 1_000_000)
        False
        """
        per_s = MOST_PER_S.get(name, USUAL_PER_S)
        passed_us = max(0, now_us - self.at_us.get(name, now_us))
        left = min(self.left.get(name, BURST) + passed_us * per_s / 1e6, BURST)
        self.at_us[name] = now_us
        self.left[name] = left - 1 if left >= 1 else left
        return left < 1


ASK_AGAIN_US: Final = 10_000_000  # a stopper hears what is held for it when it next speaks
QUESTION_LASTS_US: Final = 60_000_000
FAR, NUMBER_BYTES = 1 << 16, 3  # no boot has so many commands; and hundreds of such steps are left
RECENT_EVENTS = 64  # events of a stopper that are known again; it sends each for less than 3 s
NEVER = (0, 0)
NONSENSE_REPORT_US = 1_000_000  # no more often, however much nonsense comes

Send = Callable[[bytes], object]
OnRefused = Callable[[int, bytes, bool], object]  # when, which node, and whether it is `foreign`


@dataclass(frozen=True, slots=True)
class FreshnessQuestion:
    """What a stopper was asked."""

    seal: wire.Seal
    number: int  # of the packet in which it was
    at_us: int


class FreshnessChallenge:
    """The question to one stopper, with a nonce against replayed frames, and its answer."""

    def __init__(self, key: bytes, node: bytes) -> None:
        self._key, self._node = key, node
        self._asked: FreshnessQuestion | None = None

    def decode(self, packet: bytes) -> wire.Frame | None:
        """Return what an authentic packet says, however old."""
        frame = wire.Gate(self._key, self._node, wire.UP).open(packet)
        return frame if isinstance(frame, wire.Frame) else None

    def is_answered_by(self, frame: wire.Frame, now_us: int) -> bool:
        """Return whether this can only have been said after the question."""
        asked = self._asked
        if (
            asked is None
            or now_us - asked.at_us > QUESTION_LASTS_US
            or frame.boot != asked.seal.boot
        ):
            return False
        heard = getattr(frame.fields, "commands_heard", None)
        return bool(heard == asked.number)

    def packet(self, frame: wire.Frame, now: wire.Seal | None, now_us: int) -> bytes | None:
        """Return the packet that asks, unless that was done just now; `now` is its present seal."""
        asked, heard = self._asked, getattr(frame.fields, "commands_heard", None)
        if heard is None or (asked is not None and now_us - asked.at_us < ASK_AGAIN_US):
            return None
        if now is not None and now.boot == frame.boot:
            seal = now
            seal.seq = max(seal.seq, heard)  # its next was in no packet before
        else:
            number = heard + self._number(frame.boot, now_us)
            seal = wire.Seal(self._key, self._node, frame.boot, number)
        packet = seal.packet("HELLO_REQUEST", now_us)
        self._asked = FreshnessQuestion(seal, seal.seq, now_us)
        return packet

    def _number(self, boot: int, now_us: int) -> int:
        """Return a number that nobody without the key can foresee; a recording gives it again."""
        drawn = sha256(self._key + b"prove" + b"%d %d" % (boot, now_us)).digest()
        return FAR + int.from_bytes(drawn[:NUMBER_BYTES], "little")


class Receiver:
    """Receives from all stoppers whose key is known.

    `last` is what `newest` was when the program ended: what was heard then is not heard again.
    """

    def __init__(
        self,
        keys: Mapping[bytes, bytes],
        send: Send = lambda _: None,
        *,
        last: Mapping[bytes, tuple[int, int]] | None = None,
        on_refused: OnRefused = lambda *_: None,
    ) -> None:
        self._keys, self._send, self._on_refused = keys, send, on_refused
        last = last or {}
        self._gates = {
            node: wire.Gate(key, node, wire.UP, *last.get(node, NEVER))
            for node, key in keys.items()
        }
        self._seals: dict[bytes, wire.Seal] = {}
        self._events: dict[bytes, deque[int]] = {node: deque(maxlen=RECENT_EVENTS) for node in keys}
        self._boots = {node: gate.boot for node, gate in self._gates.items()}
        self._gaps = dict.fromkeys(keys, 0)
        self._proofs = {node: FreshnessChallenge(key, node) for node, key in keys.items()}
        self._floods = {node: RateMonitor() for node in keys}
        self._absurd_us: dict[bytes, int] = {}  # when that was told last
        self._ahead = dict.fromkeys(keys, 0)  # by how much boots are counted up since one went back
        self.frames = self.again = self.strangers = self.absurd = 0

    @property
    def losses(self) -> Counter[str]:
        """Return what was not taken from the stoppers, and what never came."""
        losses: Counter[str] = Counter()
        for gate in self._gates.values():
            losses.update(gate.losses)
        return +losses

    @property
    def newest(self) -> dict[bytes, tuple[int, int]]:
        """Return boot and seq of the newest packet of each node, to be kept for the next time."""
        counters = {node: (gate.boot, gate.seq) for node, gate in self._gates.items()}
        return {node: newest for node, newest in counters.items() if newest != NEVER}

    def handle_hub_message(self, at_us: int, message: wire.Said) -> list[Observation]:
        """Return what a stopper says, which may be several events at once, the oldest first.

        It is nothing for the hub's own messages, for echoes and for strangers.
        """
        if message.name != "RELAYED":
            return []
        self.frames += 1
        gate = self._gates.get(wire.node_of(message.fields.packet))
        if gate is None:
            self.strangers += 1
            return []
        missed, old = gate.losses["missed"], _old(gate)
        frame = gate.open(message.fields.packet)
        self._gaps[gate.node] += gate.losses["missed"] - missed
        if isinstance(frame, wire.Foreign):
            self._on_refused(at_us, frame.node, True)
            return []
        if frame is None and _old(gate) > old:
            frame = self._proven(at_us, gate.node, message.fields.packet)
        observations: list[Observation] = []
        for event in (
            () if frame is None else (frame, *further_events(frame, message.fields.packet))
        ):
            if self._is_absurd(at_us, event):
                break
            if (seen := self._take(at_us, message, event)) is not None:
                observations.append(seen)
        return observations

    def _is_absurd(self, at_us: int, frame: wire.Frame) -> bool:
        nonsense = is_nonsense(frame, self._commands(frame))
        if not nonsense and not self._floods[frame.node].exceeds(frame.name, at_us):
            return False
        self.absurd += 1
        if at_us - self._absurd_us.get(frame.node, -NONSENSE_REPORT_US) >= NONSENSE_REPORT_US:
            self._absurd_us[frame.node] = at_us
            self._on_refused(at_us, frame.node, False)
        return True

    def send(self, now_us: int, node: bytes, name: str, **fields: Any) -> bool:
        """Send a command to a stopper; False if it has not been heard in its present boot."""
        seal = self._seals.get(node)
        if seal is None:
            return False
        packet = seal.packet(name, now_us, **fields)
        self._send(wire.say("RELAY", now_us, packet=packet))
        return True

    def _take(self, at_us: int, message: wire.Said, frame: wire.Frame) -> Observation | None:
        node = frame.node
        if frame.boot > self._boots[node]:
            self._begin(frame)
        fields = frame.fields._asdict()
        self._seal(at_us, frame, fields.get("commands_heard"))
        event = fields.get("event")
        if event is not None:
            self.send(at_us, node, "ACK", event=event)  # otherwise its next heartbeat will do
            if event in self._events[node]:
                self.again += 1
                return None  # what was missed before it counts for the next one
            self._events[node].append(event)
        gap, self._gaps[node] = self._gaps[node], 0
        return Observation(
            at_us,
            node,
            frame.name,
            frame.boot + self._ahead[node],
            frame.seq,
            frame.time_us,
            message.time_us,
            message.fields.rssi,
            fields,
            gap,
            bool(frame.flags & wire.RESENT),
        )

    def _seal(self, at_us: int, frame: wire.Frame, commands_heard: int | None) -> None:
        """Go on from the number of the last command that a stopper heard."""
        node = frame.node
        if commands_heard is None:
            return
        seal = self._seals.get(node)
        if seal is not None:  # somebody else may have said more in our name
            seal.seq = max(seal.seq, commands_heard)
            return
        self._seals[node] = wire.Seal(self._keys[node], node, frame.boot, commands_heard)
        if frame.name != "HELLO":  # it said who it is before this program began
            self.send(at_us, node, "HELLO_REQUEST")

    def _proven(self, at_us: int, node: bytes, packet: bytes) -> wire.Frame | None:
        """Accept a packet whose counters went back if it proves to be new; else ask for proof."""
        proofs = self._proofs[node]
        frame = proofs.decode(packet)
        if frame is None:
            return None
        if not proofs.is_answered_by(frame, at_us):
            if is_nonsense(frame, self._commands(frame)):
                return None
            question = proofs.packet(frame, self._seals.get(node), at_us)
            if question is not None:
                self._send(wire.say("RELAY", at_us, packet=question))
            return None
        losses, boot = self._gates[node].losses, self._boots[node]
        self._gates[node] = wire.Gate(self._keys[node], node, wire.UP, frame.boot, frame.seq)
        self._gates[node].losses = losses
        self._ahead[node] += boot + 1 - frame.boot  # for every listener this is one more boot
        self._begin(frame)
        self._seal(at_us, frame, frame.fields.commands_heard)
        return frame

    def _commands(self, frame: wire.Frame) -> int:
        """Return up to which number commands were sent in a boot, as far as that is known."""
        seal = self._seals.get(frame.node)
        return seal.seq if seal is not None and seal.boot == frame.boot else 0

    def _begin(self, frame: wire.Frame) -> None:
        """Handle a new boot of a stopper: it counts from 1 again."""
        self._boots[frame.node] = frame.boot
        self._events[frame.node].clear()
        self._seals.pop(frame.node, None)
        self._gaps[frame.node] = frame.seq - 1


def further_events(frame: wire.Frame, packet: bytes) -> list[wire.Frame]:
    """Return the other events that an authentic packet carries, the oldest first."""
    events: list[wire.Frame] = []
    if not (frame.flags & wire.MORE and wire.NAMED[frame.name].number in wire.EVENTS):
        return events
    end = len(packet) - wire.TAG_SIZE - 1
    at = max(end - packet[end], wire.PACKET_SIZE)
    while at + 1 < end:
        number, size = packet[at], packet[at + 1]
        message = wire.NUMBERED.get(number & 127)
        at += 2
        if message is None or message.number not in wire.EVENTS or at + size > end:
            break
        fields = message.unpack(packet[at : at + size], dict.fromkeys(wire.LOSSES, 0))
        at += size
        if fields is not None:
            events.append(frame._replace(name=message.name, flags=number >> 7, fields=fields))
    return events


def _old(gate: wire.Gate) -> int:
    """Return how many authentic packets came too late, or again."""
    return gate.losses["stale"] + gate.losses["replayed"]
