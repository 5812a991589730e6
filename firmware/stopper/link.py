"""The stopper's side of the air: packets out, commands in, and events until they are acknowledged.

It must not know what an event means.
"""

import wire

BROADCAST = b"\xff" * 6
FIRST_MS, RETRY_MS, TRIES = 100, 200, 14  # hands may mute it for 2 s; then it gives up
AT_ONCE = 16  # packets in a step, so that a flood cannot hold it up
LOST_MS = 25_000  # the hub answers each heartbeat; silent for this long, it is no longer there
WANDER_MS, SEARCH_MS = 30_000, 9_000  # silent for this long, it may be on another channel; on each
CHANNELS = 13
LISTEN_MS = 30  # after speaking, a stopper listens this long for what is held for it
PENDING = 8  # events at once


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
        self._pending = []  # of [number, name, fields, tries, due_ms]
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

    def say(self, name, now_us, fields, flags=0):
        """Send a message once: to its hub, or to all if the hub does not seem to hear."""
        self.spoke_ms = now_us // 1000
        if self.spoke_ms - self._met_ms > LOST_MS:
            self._hub = BROADCAST
        if self.spoke_ms - self._near_ms > self._patience_ms:
            self._wander()
        to = BROADCAST if flags & wire.RESENT else self._hub
        self._radio.send(to, self._seal.packet(name, now_us, flags, **fields))

    def tell(self, name, fields):
        """Send an event with the next `speak`, and again until somebody acknowledges it."""
        self._events = (self._events + 1) & 0xFFFF
        fields["event"] = self._events
        if len(self._pending) >= PENDING:
            self._pending.pop(0)
            self.unheard += 1
        self._pending.append([self._events, name, fields, 0, 0])

    def speak(self, now_us):
        """Send the events that are due."""
        now_ms = now_us // 1000
        for event in self._pending:
            _, name, fields, tries, due_ms = event
            if now_ms >= due_ms and tries < TRIES:
                self.say(name, now_us, dict(fields), wire.RESENT if tries else 0)
                event[3], event[4] = tries + 1, now_ms + (RETRY_MS if tries else FIRST_MS)
        before = len(self._pending)
        self._pending = [e for e in self._pending if e[3] < TRIES or now_ms < e[4]]
        self.unheard += before - len(self._pending)
        self._doubtful = self._doubtful or before > len(self._pending)

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
            if frame.name != "ACK":
                commands.append(frame)
                continue
            self._pending = [e for e in self._pending if e[0] != frame.fields.event]
            for event in self._pending:
                if event[3] > 1:
                    event[4] = now_ms  # the hub is through again: say at once what it has missed
        return commands

    def _stay(self, now_ms):
        self._near_ms, self._patience_ms = now_ms, WANDER_MS

    def _wander(self):
        """Try the next channel, and move on from it sooner: a hub answers each heartbeat."""
        self._near_ms, self._patience_ms, self._doubtful = self.spoke_ms, SEARCH_MS, False
        self._channel = self._radio.channel = self._channel % CHANNELS + 1
