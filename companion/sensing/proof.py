"""How a stopper whose counters seem to have gone back proves that it speaks now.

A packet of a former boot, or one seen before, may be a recording; or a stopper that was shut out,
because somebody with its key used up a counter in its name. It is asked in that very boot, with a
number that was in no packet before, and tells back which number it heard last: no recording can.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from companion import wire

AGAIN_US: Final = 10_000_000  # a stopper hears what is held for it when it next speaks
FORGET_US: Final = 60_000_000
FAR, NUMBER_BYTES = 1 << 16, 3  # no boot has so many commands; and hundreds of such steps are left


@dataclass(frozen=True, slots=True)
class Question:
    """What a stopper was asked."""

    seal: wire.Seal
    number: int  # of the packet in which it was
    at_us: int


class Proofs:
    """The question to one stopper, and its answer."""

    def __init__(self, key: bytes, node: bytes) -> None:
        self._key, self._node = key, node
        self._asked: Question | None = None

    def opened(self, packet: bytes) -> wire.Frame | None:
        """Return what an authentic packet says, however old."""
        frame = wire.Gate(self._key, self._node, wire.UP).open(packet)
        return frame if isinstance(frame, wire.Frame) else None

    def proves(self, frame: wire.Frame, now_us: int) -> bool:
        """Return whether this can only have been said after the question."""
        asked = self._asked
        if asked is None or now_us - asked.at_us > FORGET_US or frame.boot != asked.seal.boot:
            return False
        heard = getattr(frame.fields, "commands_heard", None)
        return bool(heard == asked.number)

    def question(self, frame: wire.Frame, now: wire.Seal | None, now_us: int) -> bytes | None:
        """Return the packet that asks, unless that was done just now; `now` is its present seal."""
        asked, heard = self._asked, getattr(frame.fields, "commands_heard", None)
        if heard is None or (asked is not None and now_us - asked.at_us < AGAIN_US):
            return None
        if now is not None and now.boot == frame.boot:
            seal = now
            seal.seq = max(seal.seq, heard)  # its next was in no packet before
        else:
            number = heard + self._number(frame.boot, now_us)
            seal = wire.Seal(self._key, self._node, frame.boot, number)
        packet = seal.packet("HELLO_REQUEST", now_us)
        self._asked = Question(seal, seal.seq, now_us)
        return packet

    def _number(self, boot: int, now_us: int) -> int:
        """Return a number that nobody without the key can foresee; a recording gives it again."""
        drawn = sha256(self._key + b"prove" + b"%d %d" % (boot, now_us)).digest()
        return FAR + int.from_bytes(drawn[:NUMBER_BYTES], "little")
