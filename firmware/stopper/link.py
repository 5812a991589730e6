"""The stopper's side of the air: packets out, commands in, and events until they are acknowledged.

It must not know what an event means.
"""

import wire

BROADCAST = b"\xff" * 6
# Between the tries of an event, in ms: no two are alike by the 50 or 60 Hz of an oven, and nearby
# tables do not keep meeting. Then LAST_MS, for hands may mute it for 2 s; then it gives up.
SPACING_MS = (23, 31, 43, 57, 71, 97, 131, 171, 223)
APART_MS = 9  # more or less, each time differently
LASTS_MS = 2700
AT_ONCE = 16  # packets in a step, so that a flood cannot hold it up
LOST_MS = 25_000  # the hub answers each heartbeat; silent for this long, it is no longer there
WANDER_MS, SEARCH_MS = 30_000, 9_000  # silent for this long, it may be on another channel; on each
CHANNELS = 13
LISTEN_MS = 30  # after speaking, a stopper listens this long for what is held for it
PENDING = 8  # events at once
ROOM = wire.MAX_PACKET - wire.PACKET_SIZE - wire.TAG_SIZE - 1  # for an event and further ones
SINCE = 3  # of a pending event: when it was sent first, or None


class Link:
    """One boot's packets."""

    def __init__(self, radio, node, key, boot, home=b""):
        self._radio = radio
        self._seal = wire.Seal(key, node, boot)
        self._gate = wire.Gate(key, node, wire.DOWN, boot)
        self._hub = BROADCAST  # until a packet sealed for this stopper says where the hub is
        self._met_ms = 0  # when it was heard last
        self.home = home  # address and channel of the hub that was proved last, in this boot or not
        self._channel = radio.channel = home[-1] if home else 1
        self._near_ms = 0  # when something last showed that it is on this channel
        self._patience_ms = WANDER_MS
        self._doubtful = False  # something was said on this channel, and nobody heard it
        self._events = 0
        self._pending = []  # of [number, name, fields, since_ms], the oldest first
        self._tries = self._due_ms = 0  # since the newest event was told; when to send all again
        self.unheard = 0
        self.rssi = 0
        self.spoke_ms = 0

    @property
    def commands_heard(self):
        """Return the number of the last packet taken from the host in this boot."""
        return self._gate.seq

    @property
    def waiting(self):
        """Whether an event still waits for its acknowledgement."""
        return bool(self._pending)

    def listening(self, now_ms):
        """Whether an answer may still come."""
        return self.waiting or now_ms - self.spoke_ms < LISTEN_MS

    def refused(self):
        """Return how many packets were not taken."""
        losses = self._gate.losses
        return sum(losses.values()) - losses["missed"]

    def say(self, name, now_us, fields, flags=0, more=b""):
        """Send a message once: to its hub, or to all if the hub does not seem to hear."""
        self.spoke_ms = now_us // 1000
        if self.spoke_ms - self._met_ms > LOST_MS:
            self._hub = BROADCAST
        if self.spoke_ms - self._near_ms > self._patience_ms:
            self._wander()
        to = BROADCAST if self._tries & 1 and flags & wire.RESENT else self._hub
        self._radio.send(to, self._seal.packet(name, now_us, flags, more, **fields))

    def tell(self, name, fields):
        """Send an event with the next `speak`, and again until somebody acknowledges it."""
        self._events = (self._events + 1) & 0xFFFF
        fields["event"] = self._events
        if len(self._pending) >= PENDING:
            self._pending.pop(0)
            self.unheard += 1
        self._pending.append([self._events, name, fields, None])
        self._tries = self._due_ms = 0

    def speak(self, now_us):
        """Send all events, if it is time: as many in a packet as it holds."""
        now_ms = now_us // 1000
        before = len(self._pending)
        self._pending = [
            e for e in self._pending if e[SINCE] is None or now_ms - e[SINCE] < LASTS_MS
        ]
        self.unheard += before - len(self._pending)
        self._doubtful = self._doubtful or before > len(self._pending)
        if not self._pending or now_ms < self._due_ms:
            return
        packets, room = [], 0  # of an event, its flags, and what goes with it
        for event in self._pending:
            flags = 0 if event[SINCE] is None else wire.RESENT
            message = wire.NAMED[event[1]]
            body = message.pack(dict(event[2]))
            if len(body) + 2 > room:
                packets.append([event, flags, b""])
                room = ROOM - message.size
            else:
                packets[-1][2] += bytes((message.number | flags << 7, len(body))) + body
                room -= len(body) + 2
            if event[SINCE] is None:
                event[SINCE] = now_ms
        for event, flags, more in packets:
            self.say(event[1], now_us, dict(event[2]), flags, more)
        spacing_ms = SPACING_MS[min(self._tries, len(SPACING_MS) - 1)]
        jitter_ms = (12 * self._seal.seq + 5 * self._seal.node[-1]) % (2 * APART_MS + 1) - APART_MS
        self._tries, self._due_ms = self._tries + 1, now_ms + spacing_ms + jitter_ms

    def hear(self, now_ms):
        """Return the host's commands among the next packets."""
        commands = []
        for _ in range(AT_ONCE):
            heard = self._radio.receive()
            if heard is None:
                break
            sender, packet, rssi = heard
            sender, packet = bytes(sender), bytes(packet)
            if len(packet) > 1 and packet[1] >> 6 == wire.FROM_HUB:
                if sender == self._hub:  # any other beacon only says that there is a hub
                    self._met_ms, self.rssi = now_ms, rssi
                if sender == self.home[:-1] or not (self.home or self._doubtful):
                    self._stay(now_ms)
                continue
            frame = self._gate.open(packet)
            if frame is None or isinstance(frame, wire.Foreign):
                continue
            self._hub, self._met_ms, self.rssi = sender, now_ms, rssi
            self.home = sender + bytes((self._channel,))
            self._stay(now_ms)
            if frame.name == "ACK":
                self._pending = [e for e in self._pending if e[0] != frame.fields.event]
            else:
                commands.append(frame)
        return commands

    def _stay(self, now_ms):
        self._near_ms, self._patience_ms = now_ms, WANDER_MS

    def _wander(self):
        """Try the next channel, and move on from it sooner: a hub answers each heartbeat."""
        self._near_ms, self._patience_ms, self._doubtful = self.spoke_ms, SEARCH_MS, False
        self._channel = self._radio.channel = self._channel % CHANNELS + 1
