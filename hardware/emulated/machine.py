"""The modules `machine` and `esp32` of an ESP32-C3 as far as `board_stopper.py` uses them.

Runs on MicroPython and CPython. What is done is written down in `LOG`; a light sleep while RMT
still sends stops its clock, so that is an error here.
"""

LOG: "list[str]" = []
DEEPSLEEP_RESET = 4
mem32 = {0x60043024: 0}


class Pin:
    """A pin."""

    IN, OUT = 1, 3

    def __init__(self, number: int, mode: int = 0, value: int = 0) -> None:
        self.number, self.mode, self._value = number, mode, value

    def value(self, to: "int | None" = None) -> int:
        """Return its level, or set it."""
        self._value = self._value if to is None else to
        return self._value


class ADC:
    """A measuring pin."""

    ATTN_11DB = 3

    def __init__(self, pin: Pin, atten: int) -> None:
        pass

    def read_uv(self) -> int:
        """Return half of a battery."""
        return 1_950_000


class I2C:
    """The bus."""

    def __init__(self, number: int, sda: Pin, scl: Pin, freq: int, timeout: int) -> None:
        pass


class RMT:
    """The unit that sends pulses by itself."""

    def __init__(
        self, channel: int, pin: Pin, clock_div: int, tx_carrier: "tuple[int, int, bool]"
    ) -> None:
        LOG.append(f"RMT {channel} GPIO {pin.number} {clock_div} {tx_carrier}")
        self.sends = False

    def write_pulses(self, duration: "tuple[int, ...]", data: bool = True) -> None:
        """Begin to send; 48 symbols of two pulses are all that a channel of a C3 holds."""
        assert len(duration) <= 96
        assert all(0 < length_us < 32_768 for length_us in duration)
        self.sends = True
        LOG.append(f"pulses {data} {' '.join([str(length_us) for length_us in duration])}")

    def wait_done(self, timeout: int = 0) -> bool:
        """Wait until it is sent."""
        LOG.append(f"waits {timeout}" if self.sends else "idle")
        self.sends = False
        return True


def reset_cause() -> int:
    """Return that it had no power."""
    return 1


def unique_id() -> bytes:
    """Return its address."""
    return b"stopp1"


def lightsleep(sleep_ms: int) -> None:
    """Sleep."""
    assert sleep_ms > 0
    assert not LOG[-1].startswith("pulses")
    LOG.append("sleeps")
