"""The hub as a whole: one step hears the air and the line, and passes on without understanding.

It must not know keys, nor anything of what a packet says except its number. A board is handed in,
with `radio`, `usb`, `flash`, `unique_id`, `ticks_us()` and `reset()`; nothing here waits for any of
them.
"""

import struct

import wire
from stopper.clock import Clock

from hub.mailbox import Mailbox
from hub.queue import Queue

FIRMWARE = 0x000200
STEP_MS = 2
BEACON_MS, STATUS_MS = 1000 * wire.BEACON_S, 10_000
ROOM = 64  # frames to the host
AT_ONCE = 16  # packets in a step, so that the line gets its turn
BROADCAST = b"\xff" * 6
REFUSALS, REFUSING_MS = 20, 2000  # packets in a row, in so long: its buffers leak, it starts over
FIRST_CHANNEL, CHANNELS = 1, 13
EXPENDABLE = tuple([wire.NAMED[name].number for name in ("FEATURES", "RAW", "BEACON")])
ANSWERED = tuple([wire.NAMED[name].number for name in ("HELLO", "HEARTBEAT")])


class Hub:
    """One boot of the hub."""

    def __init__(self, board):
        self._board, self._radio = board, board.radio
        self._node = bytes(board.unique_id)
        self._clock = Clock(board.ticks_us)
        self._boot = (self._number("boot", 4, 0) + 1) & 0xFFFFFFFF
        board.flash.save("boot", struct.pack("<I", self._boot))
        channel = self._number("channel", 1, FIRST_CHANNEL)
        channel = channel if 1 <= channel <= CHANNELS else FIRST_CHANNEL
        self._radio.channel = self._channel = channel
        self._seal = wire.Seal(wire.OPEN_KEY, self._node, self._boot)
        self._line = wire.Line(wire.TO_HUB)
        self._queue, self._mailbox = Queue(ROOM), Mailbox()
        self._relayed = self._sent = self._unsent = 0
        self._refusals = self._taken_ms = 0  # since the radio took a packet last
        self._beacon_ms = self._status_ms = 0
        self._queue.put(self._mishap() + b"\0", False)  # this also ends what the boot loader said
        self._hello()

    def step(self):
        """Do what is to be done now; return after how many milliseconds to call again."""
        now_ms = self._clock.read()
        for _ in range(AT_ONCE):
            heard = self._radio.receive()
            if heard is None:
                break
            self._relay(heard, now_ms)
        for said in self._line.hear(self._board.usb.read()):
            if isinstance(said, wire.Said):
                self._obey(said, now_ms)
        self._tick(now_ms)
        self._queue.pump(self._board.usb.write)
        return max(now_ms + STEP_MS - self._clock.read(), 0)  # however long all this took

    def _relay(self, heard, now_ms):
        sender, packet, rssi = heard
        packet = bytes(packet)
        if not wire.PACKET_SIZE <= len(packet) <= wire.MAX_PACKET:
            return
        if packet[1] >> 6 == wire.FROM_HUB:
            return  # another hub's beacon is for stoppers
        self._relayed += 1
        self._say("RELAYED", packet[1] in EXPENDABLE, rssi=rssi, packet=packet)
        node = wire.node_of(packet)
        for held in self._mailbox.heard(node, now_ms):
            self._send(node, held)
        if packet[1] in ANSWERED:
            self._send(bytes(sender), self._beacon())

    def _obey(self, said, now_ms):
        if said.name == "RELAY":
            node = wire.node_of(said.fields.packet)
            if len(node) == len(self._node) and len(said.fields.packet) <= wire.MAX_PACKET:
                self._send(node, said.fields.packet)
                self._mailbox.put(node, said.fields.packet, now_ms)
        elif said.name == "HUB_HELLO_REQUEST":
            self._hello()
        elif said.name == "HUB_CHANNEL" and 1 <= said.fields.channel <= CHANNELS:
            self._channel = self._radio.channel = said.fields.channel
            self._board.flash.save("channel", bytes((self._channel,)))

    def _tick(self, now_ms):
        if now_ms >= self._beacon_ms:
            self._beacon_ms = now_ms + BEACON_MS
            self._send(BROADCAST, self._beacon())
            self._say("BEACON", True, hub=self._node, channel=self._channel)
        if now_ms >= self._status_ms:
            self._status_ms = now_ms + STATUS_MS
            self._status(now_ms)

    def _status(self, now_ms):
        self._say(
            "HUB_STATUS",
            False,
            hub=self._node,
            uptime_s=now_ms // 1000,
            channel=self._channel,
            relayed=self._relayed,
            sent=self._sent,
            unsent=self._unsent,
            up_drops=self._queue.drops,
            down_drops=self._mailbox.drops,
            line_losses=sum(self._line.losses.values()),
        )

    def _hello(self):
        self._say(
            "HUB_HELLO",
            False,
            hub=self._node,
            boot=self._boot,
            firmware=FIRMWARE,
            dictionary=wire.DICTIONARY_HASH,
        )

    def _beacon(self):
        now_us = self._clock.us
        return self._seal.packet("BEACON", now_us, hub=self._node, channel=self._channel)

    def _say(self, name, expendable, **fields):
        self._queue.put(wire.say(name, self._clock.us, **fields), expendable)

    def _send(self, to, packet):
        try:
            taken = self._radio.send(to, packet)
        except OSError:  # the radio's own queue is full
            taken = False
        self._sent += 1
        now_ms = self._clock.us // 1000
        if taken is not False:
            self._refusals, self._taken_ms = 0, now_ms
            return
        self._unsent += 1
        self._refusals += 1
        if self._refusals >= REFUSALS and now_ms - self._taken_ms >= REFUSING_MS:
            self._refusals, self._taken_ms = 0, now_ms
            self._board.flash.save("mishap", b"the radio took nothing any more")
            self._board.reset()

    def _mishap(self):
        """Return why it booted, as text for people who look at the line: the host skips it."""
        said = self._board.flash.load("mishap") or b""
        if said:
            self._board.flash.save("mishap", b"")
        return said.replace(b"\0", b"")

    def _number(self, name, size, otherwise):
        data = self._board.flash.load(name)
        return int.from_bytes(data, "little") if data and len(data) == size else otherwise
