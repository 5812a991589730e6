"""The hardware of the hub: any ESP32-S3 with native USB."""

import select
import sys
import time

import machine
import micropython
from air import Radio
from flash import Flash

RADIO_DBM = 20  # as strong as it can: the cable feeds it
AT_ONCE = 256  # bytes from the host in a step
CHUNK = 64  # bytes to the host at a time: one USB packet


class Usb:
    """The serial line to the host, without waiting."""

    def __init__(self):
        micropython.kbd_intr(-1)  # 0x03 is a byte like any other
        self._in, self._out = sys.stdin.buffer, sys.stdout.buffer
        self._ready = select.poll()
        self._ready.register(sys.stdin, select.POLLIN)
        self._room = select.poll()
        self._room.register(sys.stdout, select.POLLOUT)

    def read(self):
        """Return what has come."""
        data = b""
        while len(data) < AT_ONCE and self._ready.poll(0):
            byte = self._in.read(1)
            if not byte:
                break
            data += byte
        return data

    def write(self, data):
        """Return how many bytes were taken: none while the host does not listen."""
        if not self._room.poll(0):
            return 0
        return self._out.write(data[:CHUNK]) or 0


class Board:
    """What `Hub` asks for."""

    def __init__(self):
        self.radio = Radio(RADIO_DBM)
        self.usb = Usb()
        self.flash = Flash()
        self.unique_id = machine.unique_id()

    def ticks_us(self):
        """Return microseconds, which start over every 18 minutes."""
        return time.ticks_us()

    def reset(self):
        """Start over with a new boot."""
        machine.reset()
