"""The last five seconds as samples of tilt, deviation and load, for whoever asks for evidence.

It must not know why somebody asks.
"""

import struct

import wire

STEP_MS = 20
GRAIN_PERMILLE = 8  # deviation and pace share two bytes
HELD = 250
ASKABLE = 200  # the others are overwritten while these are being sent
SIZE = wire.SAMPLE.size
PER_CHUNK = (wire.MAX_PACKET - wire.PACKET_SIZE - wire.TAG_SIZE - wire.NAMED["RAW"].size) // SIZE


class Window:
    """A ring of samples, and what is on its way out."""

    def __init__(self):
        self._ring = bytearray(HELD * SIZE)
        self._next = 0  # number of the next sample; its place is the rest by HELD
        self._next_ms = 0  # when it is due
        self._request = self._chunk = self._from = self._to = 0
        self.sending = False

    def due(self, at_ms):
        """Return whether it is time for a sample."""
        return at_ms >= self._next_ms

    def put(self, at_ms, tilt_cdeg, deviation_permille, pace_permille, load_mg):
        """Keep a sample if one is due; after a gap start over."""
        if not self.due(at_ms):
            return
        if at_ms - self._next_ms > STEP_MS:
            self._next, self._next_ms = 0, at_ms
        place = self._next % HELD * SIZE
        struct.pack_into(
            wire.SAMPLE.format,
            self._ring,
            place,
            min(max(tilt_cdeg, 0), 0xFFFF),
            min(deviation_permille // GRAIN_PERMILLE, 255)
            | min(pace_permille // GRAIN_PERMILLE, 255) << 8,
            load_mg,
        )
        self._next += 1
        self._next_ms += STEP_MS

    def ask(self, request, start_ms, length_ms):
        """Begin to send what is left of a span; return RAW_HEAD's fields."""
        oldest = max(self._next - ASKABLE, 0)
        first_ms = self._next_ms - STEP_MS * self._next  # of sample 0
        begin = (start_ms - first_ms) // STEP_MS
        self._from = min(max(begin, oldest), self._next)
        self._to = min(max(begin + length_ms // STEP_MS, self._from), self._next)
        self._request, self._chunk = request, 0
        self.sending = self._to > self._from
        return {
            "request": request,
            "start_us": (first_ms + self._from * STEP_MS) * 1000,
            "step_us": STEP_MS * 1000,
            "samples": self._to - self._from,
            "chunks": -((self._from - self._to) // PER_CHUNK),
            "grain_permille": GRAIN_PERMILLE,
        }

    def chunk(self):
        """Return the fields of the next RAW."""
        until = min(self._from + PER_CHUNK, self._to)
        samples = b""
        for number in range(self._from, until):
            place = number % HELD * SIZE
            samples += bytes(self._ring[place : place + SIZE])
        fields = {"request": self._request, "chunk": self._chunk, "samples": samples}
        self._from, self._chunk = until, self._chunk + 1
        self.sending = until < self._to
        return fields
