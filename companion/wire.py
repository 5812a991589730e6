"""The wire: frames between stopper, hub and host, as bytes in and frames out, alike on all three.

It must not know ports, radios, clocks, files or games, nor the number on a label, which no stopper
knows. It runs unchanged on MicroPython, so it imports little and holds little memory.

A stopper seals a message into a packet for the air. What the hub hears there it says to the host,
in a message of its own, as a frame on the serial line. The way back is the same.

    frame     COBS of (version, number, sender's clock, fields, CRC-32), then 0x00, which occurs
              nowhere else: after any garbage the next 0x00 starts over
    packet    version, number, node, flags, boot, seq, sender's clock, fields, tag
              with MORE in an event's flags, before the tag: of each further event its number, the
              top bit set if it was sent before, its size and its fields; then the size of all that

The tag is the start of SHA-256 over the key, which only stopper and host have, and all that stands
before the tag. (boot, seq) must rise: a stopper counts its boots in flash and in each its packets,
from 1. What goes to a stopper bears the *stopper's* boot, so that it need not remember and older
recordings are worth nothing; its seq is the host's, who goes on from the `commands_heard` it reads.

A message may grow at its end: older readers take what they know, newer ones read 0 for what is not
there. Anything else that changes needs a new VERSION, in which only a packet's first eight bytes
and a frame's first one stay as they are. What comes in wrong is counted; what we would send wrong
raises ValueError, TypeError or KeyError.
"""

import binascii
import hashlib
import struct
from collections import namedtuple

TYPE_CHECKING = False  # the boards have no typing; type checkers take this name for true
if TYPE_CHECKING:
    from typing import Any, NamedTuple
else:

    def NamedTuple(name, fields):  # noqa: N802 - named as in typing
        return namedtuple(name, [field for field, _ in fields])  # noqa: PYI024 - boards have no other


VERSION = 1
END_U32, END_U64 = 1 << 32, 1 << 64  # one Python would wrap what is beyond, and the other raise
MISFIT = getattr(struct, "error", TypeError)  # what struct raises for no number; boards: TypeError
TRIES, FEATURES_PER_S, HEARTBEAT_S, BEACON_S = 3, 4, 10, 1  # at least; all sides count on it

# After a + stands what was added later, and what an older sender leaves out.
# Units: _us microseconds on the sender's clock, _mg milligrams on the foot since the last lift,
# which is its zero, _cdeg hundredths of a degree off upright, _permille thousandths of gravity,
# _cc hundredths of a degree Celsius, _dhz tenths of a hertz, _mv millivolts.
FORMATS = {"u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "u64": "Q"}
FORMATS.update({"address": "6s", "hash": "8s", "rest": ""})  # a radio's; of SHA-256; to the end
FORMATS["digest"] = "32s"  # all of SHA-256
EVENT = "event:u16 at_us:u64 "  # an event sent again keeps both, and gets a new seq
BLIND = " +blind_ms:u32"  # this long the load could not be read: it began in [at_us - blind, at_us]
# σ of load_mg's zero as the stopper knows it; what hangs on the cell of a lifted barrel (foot,
# screws, label), in the cell's own opinion. And by how much more the cell feels upside down than
# upright in the air, in this flight alone: twice that foot, if all is well. 0: it does not say.
ZERO = " +zero_doubt_mg:u16 foot_mg:u16"
SWING = " +swing_mg:i32"
# Not 0: a sample's tilt is not low-passed, and its deviation is two bytes, in so many permille:
# the deviation, and the pace, which is the same but for up and down making up for each other: by
# 150 ms of low-pass it is a speed along the pull of gravity, of which 1000 are 1.5 m/s.
GRAIN = " +grain_permille:u16"
POWER = " +power:u8"  # bits as in POWERED; 0: it has no box, or is not in it
LIFE = "commands_heard:u32 "  # seq of the last packet it took from the host in this boot, or 0
LEAN = "tilt_cdeg:u16 tilt_min_cdeg:u16 tilt_max_cdeg:u16 "  # the first is low-passed
LOAD = "load_mg:i32 load_min_mg:i32 load_max_mg:i32 "  # likewise
FORCE = "deviation_permille:u16 shake_rms_permille:u16 "  # deviation of |a| from 1 g, low-passed
RATTLE = "shake_dhz:u16 rattle_rms_permille:u16 rattle_peaks:u16"  # the last is how many
ILLS = "faults:u16 drops:u16 unheard:u16 rssi:i8"  # drops: refused; unheard: never acknowledged
DROPS = "unsent:u32 up_drops:u32 down_drops:u32 line_losses:u32"  # refused on the air; queue full
UP, DOWN, FROM_HUB, TO_HUB = 0, 1, 2, 3  # the two top bits of a number, lest an echo be believed
# fmt: off
MESSAGES = (
    # 1-63: from a stopper
    ("HELLO", 1, LIFE + "firmware:u32 dictionary:hash can:u16"),
    ("LIFT", 2, EVENT + "load_mg:i32" + BLIND),  # what it had settled to before
    ("SET", 3, EVENT + "load_mg:i32 tilt_cdeg:u16" + BLIND),  # not settled yet
    ("TILT", 4, EVENT + "tilt_cdeg:u16 deviation_permille:u16 held_ms:u16"),
    ("UPRIGHT", 5, EVENT + "tilt_cdeg:u16 tilt_max_cdeg:u16 held_ms:u16"),  # of the tilt now over
    ("FLIP", 6, EVENT + "tilt_cdeg:u16" + SWING),
    ("STILL", 7, EVENT + "load_mg:i32 spread_mg:u16 still_ms:u16 temperature_cc:i16 tilt_cdeg:u16"
     + BLIND + ZERO),  # blind: it may have been lifted and set down meanwhile
    ("FEATURES", 16, "span_ms:u16 samples:u16 clipped:u16 " + LEAN + LOAD + FORCE + RATTLE),
    ("HEARTBEAT", 17, LIFE + "uptime_s:u32 battery_mv:u16 temperature_cc:i16 load_raw:i32 " + ILLS
     + POWER),
    ("RAW_HEAD", 18, "request:u16 start_us:u64 step_us:u32 samples:u16 chunks:u16" + GRAIN),
    ("RAW", 19, "request:u16 chunk:u16 samples:rest"),  # PART after PART
    ("UPDATE", 20, "update:u16 state:u8 file:u8 offset:u32"),  # the piece that it wants next
    # 64-127: to a stopper
    ("ACK", 64, "event:u16"),
    ("RAW_REQUEST", 65, "request:u16 start_us:u64 length_ms:u16"),
    ("BLINK", 66, "blink_ms:u16"),
    ("HELLO_REQUEST", 67, ""),
    ("UPDATE_BEGIN", 68, "update:u16 kind:u8 firmware:u32 size:u16 hash:digest"),  # of its list
    ("UPDATE_PIECE", 69, "update:u16 file:u8 offset:u32 data:rest"),  # file 0 is the list
    ("UPDATE_DO", 70, "update:u16 deed:u8"),
    # 128-191: from the hub; a BEACON also to all stoppers, sealed with OPEN_KEY
    ("BEACON", 128, "hub:address channel:u8"),
    ("HUB_HELLO", 129, "hub:address boot:u32 firmware:u32 dictionary:hash"),
    ("HUB_STATUS", 130, "hub:address uptime_s:u32 channel:u8 relayed:u32 sent:u32 " + DROPS),
    ("RELAYED", 131, "rssi:i8 packet:rest"),  # its time is when the packet came
    # 192-255: to the hub
    ("RELAY", 192, "packet:rest"),
    ("HUB_HELLO_REQUEST", 193, ""),
    ("HUB_CHANNEL", 194, "channel:u8"),
)
PART = ("SAMPLE", 0, "tilt_cdeg:u16 deviation_permille:u16 load_mg:i32")  # of RAW.samples
CAN = ("weigh", "feel", "blink", "remember", "update")  # bits of HELLO.can, from the lowest
FAULTS = (  # bits of HEARTBEAT.faults, from the lowest
    "load-silent", "load-stuck", "load-saturated", "motion-silent", "motion-stuck",
    "motion-saturated", "battery-low", "watchdog", "load-foreign", "motion-foreign", "bus-stuck",
)
UPDATE_STATES = (
    "nothing", "wants", "whole", "moved", "weak", "older", "other", "failed", "trial",
)  # of UPDATE.state: it has none, wants more, has all; and why it takes none just now
UPDATE_DEEDS = ("look", "run", "stop")
KINDS = ("stopper", "hub")  # of UPDATE_BEGIN
POWERED = ("box", "charging", "full")  # bits of HEARTBEAT.power, from the lowest
EVENTS = range(2, 16)  # numbers of those that are sent until they are acknowledged
RESENT, MORE = 1, 2  # bits of a packet's flags: not the first try; further events come with it
LOSSES = (
    "too_long", "too_short", "bad_cobs", "bad_crc",  # frames; too short also packets
    "misaddressed", "forged", "stale",  # packets of another node, a wrong tag, another boot
    "duplicated", "reordered", "replayed",  # the last again; late but new; seen before or too late
    "missed",  # packets that never came: gaps in seq
    "wrong_way", "foreign", "unknown",  # our own come back; another VERSION; a number not known
    "short", "longer",  # a part is missing; taken, but for what a later version added
)
Frame = NamedTuple("Frame", [
    ("name", str), ("node", bytes), ("flags", int), ("boot", int), ("seq", int), ("time_us", int),
    ("fields", "Any"),  # by name, as in MESSAGES
])
Said = NamedTuple("Said", [("name", str), ("time_us", int), ("fields", "Any")])
Foreign = NamedTuple("Foreign", [("version", int), ("node", bytes)])  # no node: the hub
# fmt: on
PACKET, PACKET_SIZE, TAG_SIZE, MAX_PACKET = "<BB6sBIIQ", 25, 8, 250  # what ESP-NOW carries
LINE, LINE_SIZE = "<BBQ", 10
MAX_PAYLOAD, MAX_CODED = LINE_SIZE + 1 + MAX_PACKET, LINE_SIZE + 1 + MAX_PACKET + 4 + 2
WINDOW = 16  # packets so far back are known one by one
OPEN_KEY = bytes(16)  # everybody has it, so nothing sealed with it is trusted


class Message:
    """One line of MESSAGES, ready to pack and to unpack."""

    def __init__(self, name: str, number: int, declared: str) -> None:
        parts = [part.split(":") for part in declared.replace("+", "").split()]
        self.name, self.number = name, number
        self.format = _layout(declared.replace("+", ""))
        self.size = struct.calcsize(self.format)
        grown = declared.split("+")
        ends = range(1, len(grown) + 1)
        self.sizes = [struct.calcsize(_layout("".join(grown[:end]))) for end in ends]
        self.least = self.sizes[0]
        self.tail = declared.endswith(":rest")
        self.limits = [(field, _limits(kind)) for field, kind in parts if kind[0] in "ui"]
        self.named: Any = NamedTuple(name, parts)  # type: ignore[misc, arg-type]

    def pack(self, fields: "dict[str, Any]") -> bytes:
        """Return the fields as bytes; a number out of range goes as the nearest that fits."""
        for field, (least, greatest) in self.limits:  # one Python would raise, and the other wrap
            fields[field] = min(max(fields[field], least), greatest)
        values = self.named(**fields)
        fixed = len(values) - self.tail
        return _packed(self.format, values[:fixed]) + b"".join(values[fixed:])

    def unpack(self, body: bytes, losses: "dict[str, int]") -> "Any":
        """Return the fields by name, or None if one is missing."""
        if len(body) < self.least:
            losses["short"] += 1
            return None
        if len(body) < self.size:
            known = max([size for size in self.sizes if size <= len(body)])
            body = body[:known] + bytes(self.size - known)
        values = struct.unpack_from(self.format, body)
        if self.tail:
            values += (body[self.size :],)
        elif len(body) > self.size:
            losses["longer"] += 1
        return self.named(*values)


def _layout(declared: str) -> str:
    return "<" + "".join([FORMATS[part.split(":")[1]] for part in declared.split()])


def _packed(layout: str, values: "tuple[Any, ...]") -> bytes:
    try:
        return struct.pack(layout, *values)
    except MISFIT as fault:
        raise TypeError(f"{values} do not fit {layout}: {fault}") from fault


def _limits(kind: str) -> "tuple[int, int]":
    end = 1 << int(kind[1:]) - (kind[0] == "i")
    return (-end if kind[0] == "i" else 0, end - 1)


NAMED = {message[0]: Message(*message) for message in MESSAGES}
NUMBERED = {message.number: message for message in NAMED.values()}
SAMPLE = Message(*PART)
ROWS = MESSAGES + (PART,)  # noqa: RUF005 - the boards cannot do it otherwise
DICTIONARY = "\n".join([f"{name} {number} {fields}" for name, number, fields in ROWS])
DICTIONARY_HASH = hashlib.sha256(DICTIONARY.encode()).digest()[:8]


class Decoder:
    """Bytes as they arrive, however cut; out come the payloads of whole and undamaged frames."""

    def __init__(self) -> None:
        self.losses = dict.fromkeys(LOSSES, 0)
        self._begun = b""

    def feed(self, data: bytes) -> "list[bytes]":
        *ended, begun = (self._begun + data).split(b"\0")
        self._begun = begun[: MAX_CODED + 1]  # enough to know it as too long when it ends
        return [whole for whole in [self._payload(coded) for coded in ended if coded] if whole]

    def _payload(self, coded: bytes) -> bytes:
        raw = []
        start, size = 0, len(coded)
        while start < size <= MAX_CODED:
            end = start + coded[start]
            raw.append(coded[start + 1 : end])
            if end - start < 255 and end < size:
                raw.append(b"\0")
            start = end
        whole = b"".join(raw)
        if size > MAX_CODED:
            self.losses["too_long"] += 1
        elif start > size:
            self.losses["bad_cobs"] += 1
        elif len(whole) < 5:
            self.losses["too_short"] += 1
        elif struct.pack("<I", binascii.crc32(whole[:-4])) != whole[-4:]:
            self.losses["bad_crc"] += 1
        else:
            return whole[:-4]
        return b""


def encode(payload: bytes) -> bytes:
    """Return a payload as a frame: with CRC-32, and without any 0x00 but the one at the end."""
    if not 0 < len(payload) <= MAX_PAYLOAD:
        raise ValueError(f"{len(payload)} bytes do not fit into a frame")
    runs = (payload + struct.pack("<I", binascii.crc32(payload))).split(b"\0")
    coded = []
    for run in runs:
        full = len(run) // 254 * 254  # a run of 254 bytes has 0xFF before it, and no 0x00 after it
        coded += [b"\xff" + run[start : start + 254] for start in range(0, full, 254)]
        coded.append(bytes((len(run) - full + 1,)) + run[full:])
    if full == len(run) > 0:
        coded.pop()  # nothing is left of the last run
    return b"".join(coded) + b"\0"


def say(name: str, time_us: int, **fields: "Any") -> bytes:
    """Return a message between hub and host as a frame, ready for the line."""
    message = NAMED[name]
    if not 0 <= time_us < END_U64:
        raise ValueError(f"no clock shows {time_us} µs")
    return encode(_packed(LINE, (VERSION, message.number, time_us)) + message.pack(fields))


class Line(Decoder):
    """What the other end of the serial line says: the hub (FROM_HUB) or the host (TO_HUB)."""

    def __init__(self, way: int) -> None:
        super().__init__()
        self.way = way

    def hear(self, data: bytes) -> "list[Said | Foreign]":
        return [
            message for message in [self._said(payload) for payload in self.feed(data)] if message
        ]

    def _said(self, payload: bytes) -> "Said | Foreign | None":
        reason = ""
        if payload[0] != VERSION:
            reason = "foreign"
        elif len(payload) < LINE_SIZE:
            reason = "too_short"
        elif payload[1] >> 6 != self.way:
            reason = "wrong_way"
        elif payload[1] not in NUMBERED:
            reason = "unknown"
        if reason:
            self.losses[reason] += 1
            return Foreign(payload[0], b"") if reason == "foreign" else None
        _, number, time_us = struct.unpack_from(LINE, payload)
        fields = NUMBERED[number].unpack(payload[LINE_SIZE:], self.losses)
        return None if fields is None else Said(NUMBERED[number].name, time_us, fields)


def node_of(packet: bytes) -> bytes:
    """Return whom a packet names, truly or not: which gate to bring it to."""
    return packet[2:8]


class Seal:
    """One stopper's packets, or the host's to one stopper: each gets a higher seq."""

    def __init__(self, key: bytes, node: bytes, boot: int, seq: int = 0) -> None:
        if len(key) != 16 or len(node) != 6:
            raise ValueError("a key has 16 bytes, and a node 6")
        if not (0 <= boot < END_U32 and 0 <= seq < END_U32):
            raise ValueError(f"boot {boot} and seq {seq} do not both fit into 32 bits")
        self._key, self.node, self.boot, self.seq = key, node, boot, seq

    def packet(
        self, name: str, time_us: int, flags: int = 0, more: bytes = b"", **fields: "Any"
    ) -> bytes:
        """Return a message as a packet, ready for the air; `more`: further events."""
        message = NAMED[name]
        if not (0 <= time_us < END_U64 and 0 <= flags < 256 and self.seq + 1 < END_U32):
            raise ValueError(f"time {time_us}, flags {flags} or seq {self.seq + 1} is out of range")
        self.seq += 1
        if more:
            flags, more = flags | MORE, more + bytes((len(more),))
        head = (VERSION, message.number, self.node, flags, self.boot, self.seq, time_us)
        packet = _packed(PACKET, head) + message.pack(fields) + more
        if len(packet) + TAG_SIZE > MAX_PACKET:
            raise ValueError(f"{name} does not fit into a packet")
        return packet + _tag(self._key, packet)


def _tag(key: bytes, sealed: bytes) -> bytes:
    return hashlib.sha256(key + sealed).digest()[:TAG_SIZE]


class Gate:
    """Lets in what a node sends (UP) or what the host sends to it (DOWN), each packet once."""

    def __init__(self, key: bytes, node: bytes, way: int, boot: int = 0, seq: int = 0) -> None:
        # the last boot and seq, so that nothing older gets in even after a restart
        self.losses = dict.fromkeys(LOSSES, 0)
        self._key, self.node, self.way, self.boot, self.seq = key, node, way, boot, seq
        self._seen = -1  # its bit n: seq - n was here

    def open(self, packet: bytes) -> "Frame | Foreign | None":
        """Return what a packet says, or that it is foreign, or None if it is not taken."""
        reason = self._refusal(packet)
        if reason:
            self.losses[reason] += 1
            return Foreign(packet[0], self.node) if reason == "foreign" else None
        _, number, node, flags, boot, seq, time_us = struct.unpack_from(PACKET, packet)
        body = packet[PACKET_SIZE:-TAG_SIZE]
        if flags & MORE and number in EVENTS:
            for size in body[-1:]:
                body = body[: -1 - size]
        fields = NUMBERED[number].unpack(body, self.losses)
        if fields is None:
            return None
        return Frame(NUMBERED[number].name, node, flags, boot, seq, time_us, fields)

    def _refusal(self, packet: bytes) -> str:
        if node_of(packet) != self.node:
            return "misaddressed"
        if packet[0] != VERSION:
            return "foreign"
        if len(packet) < PACKET_SIZE + TAG_SIZE:
            return "too_short"
        unlike = 0  # made of every byte, so that the time it takes tells nothing
        tag = _tag(self._key, packet[:-TAG_SIZE])
        for ours, theirs in zip(tag, packet[-TAG_SIZE:]):  # noqa: B905 - boards have no strict
            unlike |= ours ^ theirs
        if unlike:
            return "forged"
        _, number, _, _, boot, seq, _ = struct.unpack_from(PACKET, packet)
        if number >> 6 != self.way:
            return "wrong_way"
        return self._delay(boot, seq) or ("" if number in NUMBERED else "unknown")

    def _delay(self, boot: int, seq: int) -> str:
        step = seq - self.seq if boot == self.boot else WINDOW
        if boot < self.boot or (boot > self.boot and self.way == DOWN):
            return "stale"  # a stopper knows which boot it is in
        if step <= 0:
            if step > -WINDOW and not self._seen >> -step & 1:
                self._seen |= 1 << -step
                return "reordered"
            return "replayed" if step else "duplicated"
        if boot == self.boot:
            self.losses["missed"] += step - 1
        self._seen = (self._seen << step | 1) & 0xFFFF if step < WINDOW else 1
        self.boot, self.seq = boot, seq
        return ""
