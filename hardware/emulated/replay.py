"""A board that says again what another one said: runs on MicroPython and on CPython.

It must not know chips: each line of the recording is one answer of the hardware, in its order.

    t 25000         the ticks were 25000
    r 0f44          a read gave these bytes
    e 19            the bus raised OSError(19)
    a 7cdf... -50   the radio heard these bytes; "a" alone: nothing
"""

import binascii

TYPE_CHECKING = False  # the boards have no typing; type checkers take this name for true
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Flash = dict[str, bytes]
    Heard = tuple[bytes, bytes, int]


def told(data: bytes) -> str:
    """Return bytes as text."""
    return binascii.hexlify(data).decode()


class Replay:
    """The hardware, and whatever is sent comes out as a line of text."""

    def __init__(
        self, lines: "Iterable[str]", node: bytes, kept: "Flash", tell: "Callable[[str], None]"
    ) -> None:
        self._lines = iter(lines)
        self.unique_id, self._kept, self._tell = node, kept, tell
        self.i2c = self.radio = self.flash = self
        self.cold, self.box = True, False

    def _answer(self, kind: str) -> "list[str]":
        line = next(self._lines).split()
        if line[0] == "e" and kind == "r":
            raise OSError(int(line[1]))
        assert line[0] == kind, (kind, line)
        return line[1:]

    def ticks_us(self) -> int:
        """Return the ticks."""
        return int(self._answer("t")[0])

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        """Return what was read."""
        data = binascii.unhexlify(self._answer("r")[0])
        assert len(data) == count, (address, register, count)
        return data

    def readfrom_mem_into(self, address: int, register: int, buffer: bytearray) -> None:
        """Fill the buffer with what was read."""
        buffer[:] = self.readfrom_mem(address, register, len(buffer))

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        """Say what is written; the recording knows whether it failed."""
        self._answer("r")
        self._tell(f"w {address:02x} {register:02x} {told(data)}")

    def send(self, to: bytes, data: bytes) -> bool:
        """Say what is sent."""
        self._tell(f"> {told(to)} {told(data)}")
        return True

    def switch(self, on: bool) -> None:
        """Say that the radio is switched."""
        self._tell(f"radio {int(on)}")

    def receive(self) -> "Heard | None":
        """Return what was heard."""
        heard = self._answer("a")
        if not heard:
            return None
        return binascii.unhexlify(heard[0]), binascii.unhexlify(heard[1]), int(heard[2])

    def load(self, name: str) -> "bytes | None":
        """Return what was saved."""
        return self._kept.get(name)

    def save(self, name: str, data: bytes) -> None:
        """Save something."""
        self._kept[name] = data

    def battery_mv(self) -> int:
        """Return the battery's voltage."""
        return 3900

    def temperature_c(self) -> float:
        """Return the temperature."""
        return 22.0

    def shine(self, pulses: "tuple[int, ...]") -> None:
        """Say what is said by infrared light."""
        self._tell("shines " + " ".join([str(length_us) for length_us in pulses]))

    def led(self, on: bool) -> None:
        """Say which way the light goes."""
        self._tell(f"led {int(on)}")

    def moved(self) -> bool:
        """Return that it lies still."""
        return False

    def plugged(self) -> bool:
        """Return that nobody is at the USB."""
        return False

    def boxed(self) -> bool:
        """Return whether it lies in its box."""
        return self.box

    def charging(self) -> bool:
        """Return whether the charger is at work there."""
        return self.box

    def deep_sleep(self) -> None:
        """Say that it would sleep."""
        self._tell("sleeps")
