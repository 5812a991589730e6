"""The fake kernel below smbus2: every call of smbus2 does to a chip what the real one would."""

import ctypes
import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import smbus2
import smbus2.smbus2 as edge
from smbus2 import SMBus

from companion.simulator.chips.is31fl3729 import IS31FL3729
from companion.simulator.i2c_dev import Kernel
from companion.system import config
from hardware.kernel.i2c_bus import TIMEOUT_US, FaultyKernel, Nack, WholeBus

AT = 0x34


class Registers:
    """256 registers that count up, without any meaning."""

    def __init__(self) -> None:
        self.values = bytearray(256)
        self.pointer = 0

    def write(self, data: bytes) -> None:
        for value in data[:1]:
            self.pointer = value
        for value in data[1:]:
            if self.pointer == 0xEE:
                raise Nack
            self.values[self.pointer] = value
            self.pointer = (self.pointer + 1) % 256

    def read(self, count: int) -> bytes:
        at = self.pointer
        self.pointer += count
        return bytes(self.values[at : at + count])

    def power_on(self) -> None:
        self.values = bytearray(256)


@pytest.fixture
def chip() -> Registers:
    return Registers()


@pytest.fixture
def kernel(chip: Registers) -> Iterator[FaultyKernel]:
    with FaultyKernel({1: WholeBus({AT: chip})}).below(edge) as kernel:
        yield kernel


@pytest.fixture
def bus(kernel: FaultyKernel) -> Iterator[SMBus]:
    assert kernel.buses
    with SMBus(1) as bus:
        yield bus


def write(bus: SMBus, register: int, *values: int, at: int = AT) -> None:
    bus.write_i2c_block_data(at, register, list(values))


def test_a_block_arrives_from_its_register_on_in_one_transfer(
    bus: SMBus, chip: Registers, kernel: FaultyKernel
) -> None:
    write(bus, 8, *range(32))
    assert chip.values[8:40] == bytes(range(32))
    assert kernel.buses[1].transfers == 1


def test_what_no_driver_of_ours_calls_is_refused(bus: SMBus) -> None:
    for call in (
        lambda: bus.read_i2c_block_data(AT, 0, 1),
        lambda: bus.write_byte_data(AT, 0, 1),
        lambda: bus.process_call(AT, 0, 1),
    ):
        with pytest.raises(OSError, match="not supported"):
            call()


def test_the_functionality_is_that_of_a_pi(bus: SMBus) -> None:
    assert bus.funcs & smbus2.I2cFunc.I2C
    assert bus.funcs & smbus2.I2cFunc.SMBUS_WRITE_I2C_BLOCK
    assert not bus.funcs & smbus2.I2cFunc.ADDR_10BIT


def test_nobody_at_an_address_is_a_remote_error(bus: SMBus) -> None:
    with pytest.raises(OSError, match="Remote I/O") as caught:
        write(bus, 1, 1, at=0x35)
    assert caught.value.errno == errno.EREMOTEIO


def test_a_chip_may_refuse(bus: SMBus) -> None:
    with pytest.raises(OSError, match="Remote I/O"):
        write(bus, 0xEE, 1)


def test_an_address_beyond_seven_bits_is_invalid(bus: SMBus) -> None:
    with pytest.raises(OSError, match="Invalid"):
        write(bus, 1, 1, at=0x80)


def test_a_claimed_address_is_busy(bus: SMBus, kernel: FaultyKernel) -> None:
    kernel.buses[1].claimed.add(AT)
    with pytest.raises(OSError, match="busy"):
        write(bus, 1, 1)


def test_every_nth_transfer_breaks_off_after_some_bytes(
    bus: SMBus, kernel: FaultyKernel, chip: Registers
) -> None:
    kernel.buses[1].nack_every, kernel.buses[1].nack_after = 2, 3
    bus.write_i2c_block_data(AT, 0, [1, 1, 1, 1])
    with pytest.raises(OSError, match="Remote I/O"):
        bus.write_i2c_block_data(AT, 0, [2, 2, 2, 2])
    assert chip.values[:4] == bytes((2, 2, 1, 1))


def test_a_stuck_bus_times_out_and_an_ill_one_fails_for_a_while(
    bus: SMBus, kernel: FaultyKernel
) -> None:
    wires = kernel.buses[1]
    wires.stuck = True
    with pytest.raises(TimeoutError):
        write(bus, 1, 1)
    assert wires.busy_us == TIMEOUT_US
    wires.stuck = False
    wires.failing = 2
    for _ in range(2):
        with pytest.raises(OSError, match="Input/output"):
            write(bus, 1, 1)
    write(bus, 1, 1)


def test_unplugging_takes_the_power_too(bus: SMBus, kernel: FaultyKernel, chip: Registers) -> None:
    write(bus, 1, 1)
    kernel.buses[1].unplug(AT)
    with pytest.raises(OSError, match="Remote I/O"):
        write(bus, 1, 1)
    kernel.buses[1].plug(AT)
    assert chip.values == bytes(256)


def test_a_missing_or_forbidden_bus_cannot_be_opened(kernel: FaultyKernel) -> None:
    kernel.denied = True
    with pytest.raises(PermissionError):
        SMBus(1)
    kernel.buses.pop(1)
    with pytest.raises(FileNotFoundError, match="i2c-1"):
        SMBus(1)


def test_a_bus_that_went_away_fails_where_it_was_open(bus: SMBus, kernel: FaultyKernel) -> None:
    kernel.buses.pop(1)
    with pytest.raises(OSError, match="No such device"):
        write(bus, 1, 1)


def test_other_files_go_to_the_real_kernel(kernel: FaultyKernel, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        SMBus(str(tmp_path / "i2c-1"))
    ordinary = tmp_path / "ordinary"
    ordinary.touch()
    with pytest.raises(OSError, match="Inappropriate ioctl"):
        SMBus(str(ordinary))
    assert edge.os.getpid() == os.getpid()  # type: ignore[attr-defined]
    assert kernel.numbers == {1}


def test_unknown_requests_are_refused(bus: SMBus, kernel: FaultyKernel) -> None:
    assert bus.fd is not None
    assert kernel.ioctl(bus.fd, 0x0702, 3) == 0
    with pytest.raises(OSError, match="Inappropriate ioctl"):
        kernel.ioctl(bus.fd, 0x1234, 0)
    broken = ctypes.create_string_buffer(16)
    with pytest.raises(OSError, match="Inappropriate ioctl"):
        kernel.ioctl(bus.fd, 0x0720, broken)


def test_the_real_calls_are_back_afterwards() -> None:
    kernel = Kernel({1: WholeBus({})})
    with kernel.below(edge):
        forgotten = SMBus(1).fd
    assert edge.os is os  # type: ignore[attr-defined]
    assert edge.ioctl is fcntl.ioctl  # type: ignore[attr-defined]
    assert forgotten is not None
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(forgotten)


def light_driver() -> IS31FL3729:
    return IS31FL3729(config.LIGHT_WIRING)


def test_the_light_driver_notices_what_a_driver_ought_not_to_do() -> None:
    chip = light_driver()
    for register, value in ((0x00, 1), (0xA1, 65), (0xA2, 0), (0xB3, 1), (0xCF, 1), (0xFF, 1)):
        chip.write(bytes((register, value)))
    assert [register for register, _ in chip.strays] == [0x00, 0xA1, 0xA2, 0xB3, 0xCF, 0xFF]
    assert chip.registers[0xA1] == 0


def test_the_light_driver_is_dark_until_all_four_say_light() -> None:
    chip = light_driver()
    on = {0x01: 255, 0x90: 255, 0xA1: 64, 0xA0: 0x11}
    for missing in on:
        chip.power_on()
        for register, value in on.items():
            if register != missing:
                chip.write(bytes((register, value)))
        assert chip.lights()[0] == (0, 0, 0)
    chip.write(bytes((0xA0, 0x11)))
    assert chip.lights()[0] == (255, 0, 0)


@pytest.mark.parametrize(("mode", "lines"), [(0, 9), (1, 8), (2, 7), (7, 2), (8, 9)])
def test_the_switch_lines_follow_the_configuration(mode: int, lines: int) -> None:
    chip = light_driver()
    chip.write(bytes((0xA0, mode << 4 | 1)))
    assert chip.switch_lines == lines


def test_a_reset_clears_everything() -> None:
    chip = light_driver()
    chip.write(bytes((0x01, 1, 2, 3)))
    chip.write(bytes((0xCF, 0xAE)))
    assert chip.resets == 1
    assert not any(chip.registers[1:0x90])
