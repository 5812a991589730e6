"""Silicon Labs' CP2112 by its HID reports: a bridge from USB to an I2C bus and eight pins.

Report numbers and layouts are those of its interface specification (AN495), as Linux's driver
hid-cp2112 uses them.

    chip = Cp2112(WholeBus({0x34: board}))
    chip.output(bytes([WRITE, 0x34 << 1, 2, 0xA1, 64]))     # of a host, to the chip
    chip.output(bytes([STATUS, 1]))                         # answers with [bytes([STATUS_IS, …])]
    chip.close(2)                                           # pulls a pin to ground
"""

import errno
import struct
from typing import Final

from hardware.kernel.i2c_bus import BusMessage, WholeBus

VENDOR, PRODUCT = 0x10C4, 0xEA90
GPIO_CONFIG, GPIO_GET, GPIO_SET, VERSION, SMBUS_CONFIG = 0x02, 0x03, 0x04, 0x05, 0x06
READ, WRITE_READ, READ_FORCE, READ_IS, WRITE, STATUS, STATUS_IS, CANCEL = (*range(0x10, 0x18),)
LOCK, USB_CONFIG, MAKER, MODEL, SERIAL = (*range(0x20, 0x25),)

IDLE, COMPLETE, ERROR = 0, 2, 3
NACK, BUS_HELD, ARBITRATION_LOST, SUCCESS = 0, 1, 2, 5
FAILURES: Final = {errno.EREMOTEIO: NACK, errno.ETIMEDOUT: BUS_HELD}
PINS: Final = 8
AT_ONCE: Final = 61  # bytes that one report carries
READ_AT_MOST: Final = 512

FEATURES: Final = {  # as the host finds them after a reset; the first byte is the report's number
    GPIO_CONFIG: bytes((0x00, 0x00, 0x00, 0x00)),  # which are outputs, which push-pull, …
    VERSION: bytes((0x0C, 0x03)),  # part, revision: since 2 it can repeat a start
    SMBUS_CONFIG: struct.pack(">IBBHHBH", 100_000, 0x02, 0, 0, 0, 0, 0),  # 100 kHz, no time-outs
    LOCK: bytes((0x00,)),  # all of its one-time memory is written
    USB_CONFIG: struct.pack("<HHBBBBB", VENDOR, PRODUCT, 0x32, 0, 1, 0, 0),
}
LENGTHS: Final = {number: len(data) for number, data in FEATURES.items()} | {
    GPIO_GET: 1,
    GPIO_SET: 2,
}


class Cp2112:
    """One chip with what hangs on it."""

    def __init__(self, bus: WholeBus) -> None:
        self.bus = bus
        self.features = dict(FEATURES)
        self.latch = 0  # what the outputs were told
        self.closed = 0  # which pins something pulls to ground
        self._status = (IDLE, 0, 0, 0)
        self._unread = b""

    # --- the pins' outer side -----------------------------------------------------------------

    def close(self, pin: int) -> None:
        """Pull a pin to ground, as a closed switch does."""
        self.closed |= 1 << pin

    def open(self, pin: int) -> None:
        """Let the resistor pull it up again."""
        self.closed &= ~(1 << pin)

    @property
    def outputs(self) -> int:
        """Return which pins the host drives."""
        return self.features[GPIO_CONFIG][0]

    @property
    def levels(self) -> int:
        """Return which pins are high."""
        return (self.outputs & self.latch) | (~self.outputs & ~self.closed & 0xFF)

    # --- what the host sees -------------------------------------------------------------------

    def feature(self, number: int) -> bytes | None:
        """Return a feature report that the host asks for; None: there is no such report."""
        if number == GPIO_GET:
            return bytes((GPIO_GET, self.levels))
        data = self.features.get(number)
        return None if data is None else bytes((number,)) + data

    def set_feature(self, report: bytes) -> bool:
        """Take a feature report; False: it cannot be set, or does not fit."""
        number, data = report[0], report[1:]
        if len(data) != LENGTHS.get(number) or number in (VERSION, GPIO_GET):
            return False
        if number == GPIO_SET:
            values, mask = data
            self.latch = (self.latch & ~mask) | (values & mask)
        elif number not in (LOCK, USB_CONFIG):  # written once, in the factory
            self.features[number] = data
        return True

    def output(self, report: bytes) -> list[bytes]:
        """Take an output report; return the input reports that it leads to."""
        match report[0]:
            case 0x10:  # READ
                address, count = struct.unpack_from(">xBH", report)
                self._transfer([BusMessage(address >> 1, wants=count)])
            case 0x11:  # WRITE_READ
                address, count, written = struct.unpack_from(">xBHB", report)
                asked = BusMessage(address >> 1, report[5 : 5 + written])
                self._transfer([asked, BusMessage(address >> 1, wants=count)])
            case 0x14:  # WRITE
                address, written = report[1], report[2]
                self._transfer([BusMessage(address >> 1, report[3 : 3 + written])])
            case 0x15:  # STATUS
                status = struct.pack(">BBBHH", STATUS_IS, *self._status)
                return [status]
            case 0x12:  # READ_FORCE
                return [self._read(*struct.unpack_from(">xH", report))]
            case 0x17:  # CANCEL
                self._status, self._unread = (IDLE, 0, 0, 0), b""
            case number:
                raise ValueError(f"report 0x{number:02X} is none that a host sends")
        return []

    def _transfer(self, messages: list[BusMessage]) -> None:
        wants = messages[-1].wants
        if wants is not None and not 1 <= wants <= READ_AT_MOST:
            raise ValueError(f"{wants} bytes cannot be read at once")
        try:
            *_, last = self.bus.transfer(messages)
        except OSError as error:
            self._unread = b""
            self._status = (ERROR, FAILURES.get(error.errno or 0, ARBITRATION_LOST), 1, 0)
        else:
            self._unread = b"" if last.wants is None else last.data
            self._status = (COMPLETE, SUCCESS, 0, len(last.data))

    def _read(self, count: int) -> bytes:
        count = min(count, AT_ONCE)
        data, self._unread = self._unread[:count], self._unread[count:]
        return bytes((READ_IS, COMPLETE, len(data))) + data.ljust(AT_ONCE, b"\0")


def descriptor() -> bytes:
    """Return the report descriptor: all reports are bytes of the maker's own."""
    kinds = (
        [(number, 0xB1, length) for number, length in LENGTHS.items()]
        + [(number, 0x91, 63) for number in (READ, WRITE_READ, READ_FORCE, WRITE, STATUS, CANCEL)]
        + [(number, 0x81, 63) for number in (READ_IS, STATUS_IS)]
    )
    reports = b"".join(
        bytes((0x85, number, 0x09, 0x01, 0x95, length, kind, 0x02))
        for number, kind, length in kinds
    )
    begin = bytes((0x06, 0x00, 0xFF, 0x09, 0x01, 0xA1, 0x01, 0x15, 0x00, 0x26, 0xFF, 0x00, 0x75, 8))
    return begin + reports + bytes((0xC0,))
