"""What all chips on the bus share: a state, a start that takes time, and another try later."""

OK, STARTING, SILENT, FOREIGN, BUS_STUCK, STUCK, SATURATED = range(7)
NAMES = ("ok", "starting", "silent", "foreign", "bus-stuck", "stuck", "saturated")

NOBODY = (19, 5, 6)  # ENODEV, EIO, ENXIO: what the ports raise if an address is not acknowledged
RETRY_MS = 1000
STUMBLES = 2  # transfers in a row that may fail before a chip is started again, which takes seconds


def state_of(fault):
    """Return the state that a bus error means: nobody is there, or the lines do not move.

    >>> NAMES[state_of(OSError(19))], NAMES[state_of(OSError(116))]
    ('silent', 'bus-stuck')
    """
    return SILENT if fault.args and fault.args[0] in NOBODY else BUS_STUCK


class Chip:
    """A chip at an address, whose faults are states and never exceptions."""

    def __init__(self, i2c, address):
        self._i2c = i2c
        self._address = address
        self.state = STARTING  # a fault stays until the chip has proved itself
        self._running = False
        self._starting = None
        self._wait_until_ms = self._stumbles = 0

    def read(self, now_ms):
        """Return how many new values there are."""
        if now_ms < self._wait_until_ms:
            return 0
        try:
            if self._running:
                count = self._take(now_ms)
                self._stumbles = 0
                return count
            if self._starting is None:
                self._starting = self._begin()
            self._wait_until_ms = now_ms + next(self._starting)
        except StopIteration:
            self._starting = None
        except OSError as fault:
            self._stumbles += 1
            if not self._running or self._stumbles > STUMBLES:
                self._fail(state_of(fault), now_ms)
        return 0

    def sleep(self):
        """Go to a state that needs next to no power; return whether the chip accepted that."""
        self._running, self._starting = False, None
        try:
            self._lie_down()
        except OSError as fault:
            self.state = state_of(fault)
            return False
        return True

    def _begin(self):
        """Yield how many milliseconds to wait, and at the end set `_running`."""
        raise NotImplementedError

    def _take(self, now_ms):
        """Return how many new values there are, or `_fail`."""
        raise NotImplementedError

    def _lie_down(self):
        """Make it need next to no power."""
        raise NotImplementedError

    def _fail(self, state, now_ms):
        self.state = state
        self._running, self._starting = False, None
        self._wait_until_ms = now_ms + RETRY_MS

    def _get(self, register):
        return self._i2c.readfrom_mem(self._address, register, 1)[0]

    def _put(self, register, value):
        self._i2c.writeto_mem(self._address, register, bytes((value,)))
