"""What outlives a battery: key, boot counter, an empty foot's reading, its hub, last failure."""

import struct

KEY_SIZE, HOME_SIZE = 16, 7  # a hub's address and channel
LAST_BOOT = (1 << 31) - 1  # what fits; damaged data may say anything, and must not stop a boot


class Memory:
    """Named things in flash; nothing that is there or not there can stop a boot."""

    def __init__(self, flash, open_key):
        self._flash = flash
        key = flash.load("key")
        self.key = key if key and len(key) == KEY_SIZE else open_key
        self.keyed = self.key != open_key  # without a key it cannot tell its host from a stranger
        self.zero, self.foot = self._number("zero"), self._number("foot")
        home = flash.load("home")
        self.home = home if home and len(home) == HOME_SIZE else b""
        self.mishap = bool(flash.load("mishap"))
        # Twice: a counter that fell back would make everything it says look old forever.
        boot = max(self._number("boot") or 0, self._number("boot-again") or 0, 0)
        self.boot = min(boot + 1, LAST_BOOT)
        for name in ("boot", "boot-again"):  # before anything is sent in its name
            flash.save(name, struct.pack("<i", self.boot))
        if self.mishap:
            flash.save("mishap", b"")

    def keep_zero(self, empty):
        """Keep what an empty foot reads, unless it is already kept: flash wears out."""
        if empty.zero != self.zero:
            self.zero = empty.zero
            self._flash.save("zero", struct.pack("<i", self.zero))
        if empty.known_foot() and empty.foot != self.foot:
            self.foot = empty.foot
            self._flash.save("foot", struct.pack("<i", self.foot))

    def keep_home(self, home):
        """Keep where its hub is, likewise."""
        if home != self.home:
            self.home = home
            self._flash.save("home", home)

    def _number(self, name):
        data = self._flash.load(name)
        return struct.unpack("<i", data)[0] if data and len(data) == 4 else None
