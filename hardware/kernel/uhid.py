"""The kernel's door for HID devices that are software, /dev/uhid, and a CP2112 behind it.

The structures are those of linux/uhid.h, without padding.

    with Plugged(chip):
        …                       # the kernel has found a device; /dev/i2c-N and /dev/gpiochipN come
"""

import errno
import os
import struct
from contextlib import AbstractContextManager
from threading import Thread
from typing import Final, Self

from hardware.kernel.cp2112 import PRODUCT, VENDOR, Cp2112, descriptor

(
    DESTROY,
    STOP,
    OUTPUT,
    GET_REPORT,
    GET_REPORT_REPLY,
    CREATE2,
    INPUT2,
    SET_REPORT,
    SET_REPORT_REPLY,
) = (*(1, 3, 6, 9, 10, 11, 12, 13, 14),)
BUS_USB: Final = 3
DATA_AT_MOST: Final = 4096
EVENT_AT_MOST: Final = 4 + 276 + DATA_AT_MOST  # the type, and the longest of the union


def create(name: bytes = b"CP2112 that is software") -> bytes:
    """Return the event by which the kernel gets the device."""
    head = struct.pack("<I128s64s64s", CREATE2, name, b"", b"")
    rest = descriptor()
    return head + struct.pack("<HHIIII", len(rest), BUS_USB, VENDOR, PRODUCT, 0, 0) + rest


def answers(chip: Cp2112, event: bytes) -> list[bytes]:
    """Return the events that answer one of the kernel's."""
    match struct.unpack_from("<I", event)[0]:
        case 9:  # GET_REPORT
            request, number = struct.unpack_from("<IB", event, 4)
            report = chip.feature(number)
            data, code = (b"", errno.EIO) if report is None else (report, 0)
            return [struct.pack("<IIHH", GET_REPORT_REPLY, request, code, len(data)) + data]
        case 13:  # SET_REPORT
            request, _, _, size = struct.unpack_from("<IBBH", event, 4)
            code = 0 if chip.set_feature(event[12 : 12 + size]) else errno.EIO
            return [struct.pack("<IIH", SET_REPORT_REPLY, request, code)]
        case 6:  # OUTPUT
            (size,) = struct.unpack_from("<H", event, 4 + DATA_AT_MOST)
            inputs = chip.output(event[4 : 4 + size])
            return [struct.pack("<IH", INPUT2, len(data)) + data for data in inputs]
        case _:  # started, opened, closed: nothing is asked
            return []


class Plugged(AbstractContextManager["Plugged"]):
    """A chip as a device of this computer, served by a thread of its own."""

    def __init__(self, chip: Cp2112, path: str = "/dev/uhid", *, urgent: bool = False) -> None:
        """`urgent`, which only root may be, is for a slow computer: the kernel waits 50 ms."""
        self._chip, self._path, self._urgent = chip, path, urgent
        self._pulled = False
        self._thread = Thread(target=self._serve, name="uhid", daemon=True)

    def __enter__(self) -> Self:
        """Plug it in."""
        self._file = os.open(self._path, os.O_RDWR | os.O_CLOEXEC | os.O_NOCTTY)
        os.write(self._file, create())
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Pull it out."""
        self._pulled = True
        os.write(self._file, struct.pack("<I", DESTROY))
        self._thread.join()
        os.close(self._file)

    def _serve(self) -> None:
        if self._urgent:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # of this thread alone
        while True:
            event = os.read(self._file, EVENT_AT_MOST)
            for answer in answers(self._chip, event):
                os.write(self._file, answer)
            if self._pulled and event[:4] == struct.pack("<I", STOP):
                return  # the last thing that the kernel says
