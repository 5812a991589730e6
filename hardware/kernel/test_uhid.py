"""What the kernel says and hears at /dev/uhid, by the structures of linux/uhid.h."""

import errno
import os
import struct
import tty
from threading import Event, Thread

import pytest

from companion.system import config
from hardware.kernel import cp2112, uhid
from hardware.kernel.cp2112 import Cp2112
from hardware.kernel.i2c_bus import ReadableLights, WholeBus

AT = 0x34


@pytest.fixture
def chip() -> Cp2112:
    return Cp2112(WholeBus({AT: ReadableLights(config.LIGHT_WIRING)}))


def test_the_kernel_gets_a_usb_device_of_the_right_maker() -> None:
    event = uhid.create()
    kind, name = struct.unpack_from("<I128s", event)
    assert (kind, name.rstrip(b"\0")) == (11, b"CP2112 that is software")
    size, bus, vendor, product = struct.unpack_from("<HHII", event, 4 + 256)
    assert (bus, vendor, product) == (3, 0x10C4, 0xEA90)
    assert event[4 + 276 :] == cp2112.descriptor()
    assert size == len(cp2112.descriptor())


def test_a_report_that_the_kernel_asks_for_comes_with_its_number(chip: Cp2112) -> None:
    (answer,) = uhid.answers(chip, struct.pack("<IIBB", 9, 77, cp2112.VERSION, 0))
    assert answer == struct.pack("<IIHH", 10, 77, 0, 3) + bytes((5, 0x0C, 3))
    (answer,) = uhid.answers(chip, struct.pack("<IIBB", 9, 78, 0x7F, 0))
    assert answer == struct.pack("<IIHH", 10, 78, errno.EIO, 0)


def test_a_report_that_the_kernel_sets_is_taken_or_refused(chip: Cp2112) -> None:
    head = struct.pack("<IIBBH", 13, 79, cp2112.GPIO_SET, 0, 3)
    (answer,) = uhid.answers(chip, (head + bytes((4, 1, 1))).ljust(uhid.EVENT_AT_MOST, b"\0"))
    assert answer == struct.pack("<IIH", 14, 79, 0)
    assert chip.latch == 1
    head = struct.pack("<IIBBH", 13, 80, cp2112.VERSION, 0, 3)
    (answer,) = uhid.answers(chip, head + bytes((5, 1, 1)))
    assert answer == struct.pack("<IIH", 14, 80, errno.EIO)


def test_what_the_kernel_sends_is_answered_by_an_input(chip: Cp2112) -> None:
    def sent(report: bytes) -> list[bytes]:
        data = report.ljust(uhid.DATA_AT_MOST, b"\0")
        return uhid.answers(chip, struct.pack("<I", 6) + data + struct.pack("<HB", len(report), 1))

    assert sent(bytes((0x14, AT << 1, 2, 0x90, 7))) == []
    status = bytes((cp2112.STATUS_IS, cp2112.COMPLETE, cp2112.SUCCESS, 0, 0, 0, 2))
    assert sent(bytes((cp2112.STATUS, 0x01))) == [struct.pack("<IH", 12, 7) + status]


@pytest.mark.parametrize("kind", [2, 3, 4, 5])
def test_started_stopped_opened_and_closed_need_no_answer(chip: Cp2112, kind: int) -> None:
    assert uhid.answers(chip, struct.pack("<I", kind)) == []


def test_a_plugged_chip_is_made_known_served_and_taken_away(chip: Cp2112) -> None:
    kernel, door = os.openpty()
    tty.setraw(door)
    said: list[bytes] = []
    served = Event()

    def be_the_kernel() -> None:
        said.append(os.read(kernel, uhid.EVENT_AT_MOST))
        os.write(kernel, struct.pack("<IIBB", 9, 77, cp2112.VERSION, 0))
        said.append(os.read(kernel, uhid.EVENT_AT_MOST))
        served.set()
        said.append(os.read(kernel, uhid.EVENT_AT_MOST))
        os.write(kernel, struct.pack("<I", 3))  # stopped

    thread = Thread(target=be_the_kernel)
    thread.start()
    with uhid.Plugged(chip, os.ttyname(door)):
        assert served.wait(timeout=10)
    thread.join()
    version = struct.pack("<IIHH", 10, 77, 0, 3) + bytes((cp2112.VERSION, 0x0C, 3))
    assert said == [uhid.create(), version, struct.pack("<I", 1)]
    os.close(kernel)
    os.close(door)
