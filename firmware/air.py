"""ESP-NOW as both boards use it; only for the ESP32."""

import espnow
import network

PEERS = 20  # as many as ESP-NOW has
HEARD_BYTES = 4096  # waiting to be read, about 30 packets; when it is full, more are lost


class Radio:
    """The radio: switched on when somebody sends, and off for a light sleep."""

    def __init__(self, power_dbm):
        self._power_dbm = power_dbm
        self._wlan = network.WLAN(network.WLAN.IF_STA)
        self._espnow = espnow.ESPNow()
        self._espnow.config(rxbuf=HEARD_BYTES)  # by default it has room for only two of the longest
        self._channel = 1  # until the firmware knows better
        self._peers = []
        self._on = False
        self.switch(True)

    @property
    def channel(self):
        """Return the channel of all our packets."""
        return self._channel

    @channel.setter
    def channel(self, channel):
        self._channel = channel
        if self._on:  # otherwise it is set when the radio is switched on
            self._wlan.config(channel=channel)

    def switch(self, on):
        """Switch the radio, which a sleep would leave in a bad state."""
        if on == self._on:
            return
        self._on = on
        if on:
            self._wlan.active(True)
            self._wlan.config(channel=self._channel, pm=network.WLAN.PM_NONE)
            self._wlan.config(txpower=self._power_dbm)
            self._espnow.active(True)
        else:
            self._espnow.active(False)
            self._wlan.active(False)
            self._peers = []

    def send(self, to, data):
        """Send without waiting; return whether the radio took it."""
        self.switch(True)
        try:
            if to in self._peers:
                self._peers.remove(to)
            else:
                if len(self._peers) >= PEERS:
                    self._espnow.del_peer(self._peers.pop(0))  # the one not spoken to for longest
                self._espnow.add_peer(to)
            self._peers.append(to)
            return bool(self._espnow.send(to, data, False))
        except OSError:
            return False

    def receive(self):
        """Return (sender, data, rssi), or None if there is nothing."""
        if not self._on or not self._espnow.any():
            return None
        sender, data = self._espnow.recv(0)
        if sender is None or data is None:
            return None
        known = self._espnow.peers_table.get(sender)
        return sender, data, known[0] if known else 0
