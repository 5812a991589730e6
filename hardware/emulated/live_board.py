"""A board whose every access is asked of the process that started this one: for MicroPython.

`wires.ask` hands a line over and waits for the answer; an answer that begins with "e" is an OSError
of that number.
"""

import binascii


def told(data: "bytes | memoryview") -> str:
    """Return bytes as text; nothing is a dot."""
    return binascii.hexlify(data).decode() or "."


def heard(text: str) -> bytes:
    """Return text as bytes."""
    return b"" if text == "." else binascii.unhexlify(text)


def answer(*words: object) -> str:
    """Return what the other process answers."""
    from wires import ask  # type: ignore[import-not-found] # noqa: PLC0415 - it exists only in that process

    reply: str = ask(" ".join([str(word) for word in words]))
    if reply[:2] == "e ":
        raise OSError(int(reply[2:]))
    return reply


class Board:
    """All the hardware that a stopper or a hub asks for."""

    def __init__(self, node: bytes) -> None:
        self.unique_id = node
        self.i2c = self.radio = self.flash = self.usb = self
        self.disk, self.slot, self.trial = self, "a", False  # nothing is updated in there
        self.cold = answer("cold") == "1"

    def ticks_us(self) -> int:
        """Return the ticks."""
        return int(answer("ticks"))

    def readfrom_mem(self, address: int, register: int, count: int) -> bytes:
        """Return the bytes from a register on."""
        return heard(answer("get", address, register, count))

    def readfrom_mem_into(self, address: int, register: int, buffer: memoryview) -> None:
        """Fill the buffer with them."""
        buffer[:] = self.readfrom_mem(address, register, len(buffer))

    def writeto_mem(self, address: int, register: int, data: bytes) -> None:
        """Write bytes from a register on."""
        answer("put", address, register, told(data))

    def send(self, to: bytes, data: bytes) -> bool:
        """Send a packet."""
        return answer("send", told(to), told(data)) == "1"

    def receive(self) -> "tuple[bytes, bytes, int] | None":
        """Return a packet that came."""
        words = answer("receive").split()
        return (heard(words[0]), heard(words[1]), int(words[2])) if words else None

    def switch(self, on: bool) -> None:
        """Switch the radio."""
        answer("switch", int(on))

    def _tune(self, channel: int) -> None:
        answer("channel", channel)

    channel = property(None, _tune)

    def load(self, name: str) -> "bytes | None":
        """Return what was saved."""
        words = answer("load", name).split()
        return heard(words[0]) if words else None

    def save(self, name: str, data: bytes) -> None:
        """Save something."""
        answer("save", name, told(data))

    def read(self) -> bytes:
        """Return what the host says."""
        return heard(answer("read"))

    def write(self, data: bytes) -> int:
        """Return how many bytes the line takes."""
        return int(answer("write", told(data)))

    def battery_mv(self) -> int:
        """Return the battery's voltage."""
        return int(answer("battery"))

    def temperature_c(self) -> float:
        """Return the temperature."""
        return float(answer("temperature"))

    def led(self, on: bool) -> None:
        """Switch the light."""
        answer("led", int(on))

    def shine(self, pulses: "tuple[int, ...]") -> None:
        """Say something by infrared light."""
        answer("shine", *pulses)

    def moved(self) -> bool:
        """Return whether INT1 is high."""
        return answer("moved") == "1"

    def plugged(self) -> bool:
        """Return whether a computer is at the USB."""
        return answer("plugged") == "1"

    def boxed(self) -> bool:
        """Return whether the charging box gives it power."""
        return answer("boxed") == "1"

    def charging(self) -> bool:
        """Return whether the charger is at work."""
        return answer("charging") == "1"

    def reset(self) -> None:
        """Start over."""
        answer("reset")

    def deep_sleep(self) -> None:
        """Sleep."""
        answer("sleep")
