"""The CP2112 that is software, by the reports that Linux's hid-cp2112 sends and expects."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.system import config
from hardware.kernel import cp2112
from hardware.kernel.cp2112 import Cp2112
from hardware.kernel.i2c_bus import ReadableLights, WholeBus

AT = 0x34
WIRE = AT << 1
STATUS = bytes((cp2112.STATUS, 0x01))
COMPLETE = bytes.fromhex("16 02 05 0000")


@pytest.fixture
def board() -> ReadableLights:
    return ReadableLights(config.LIGHT_WIRING)


@pytest.fixture
def chip(board: ReadableLights) -> Cp2112:
    return Cp2112(WholeBus({AT: board}))


def status(chip: Cp2112) -> bytes:
    (report,) = chip.output(STATUS)
    return report


def forced(chip: Cp2112, count: int) -> bytes:
    """Have what was read, as the driver does: told complete, its length, padded to the full."""
    (report,) = chip.output(struct.pack(">BH", cp2112.READ_FORCE, count))
    assert report[:2] == bytes((cp2112.READ_IS, 0x02))
    assert len(report) == 64
    return report[3 : 3 + report[2]]


# --- the bus -----------------------------------------------------------------------------------


def test_it_is_idle_before_anything_was_asked(chip: Cp2112) -> None:
    assert status(chip) == bytes.fromhex("16 00 00 0000 0000")


def test_a_write_reaches_the_chip_on_the_bus(chip: Cp2112, board: ReadableLights) -> None:
    assert chip.output(bytes((0x14, WIRE, 3, 0x90, 7, 8))) == []
    assert status(chip) == COMPLETE + b"\0\3"
    assert board.registers[0x90:0x92] == bytes((7, 8))


def test_what_fills_a_report_up_is_not_written(chip: Cp2112, board: ReadableLights) -> None:
    chip.output(bytes((0x14, WIRE, 2, 0x90, 7)).ljust(64, b"\xff"))
    assert board.registers[0x90:0x92] == bytes((7, 0))


def test_a_register_is_read_with_a_repeated_start(chip: Cp2112, board: ReadableLights) -> None:
    board.write(bytes((0xA0, 0x11, 64)))
    chip.output(bytes((0x11, WIRE, 0, 2, 1, 0xA0)))
    assert status(chip) == COMPLETE + b"\0\2"
    assert [(m.data, m.wants) for m in chip.bus.messages] == [(b"\xa0", None), (b"\x11\x40", 2)]
    assert forced(chip, 2) == b"\x11\x40"
    assert forced(chip, 2) == b""  # each byte once


def test_a_plain_read_goes_on_where_the_chip_stands(chip: Cp2112, board: ReadableLights) -> None:
    board.write(bytes((0xA0, 0x11)))
    board.write(bytes((0xA0,)))
    chip.output(struct.pack(">BBH", 0x10, WIRE, 1))
    assert forced(chip, 1) == b"\x11"


@given(st.integers(1, 512))
def test_a_long_read_comes_in_pieces_of_at_most_61_bytes(count: int) -> None:
    board = ReadableLights(config.LIGHT_WIRING)
    board.registers[:] = bytes(range(256))
    chip = Cp2112(WholeBus({AT: board}))
    chip.output(struct.pack(">BBHBB", 0x11, WIRE, count, 1, 0x00))
    read, lengths = b"", []
    while piece := forced(chip, count - len(read)):
        read += piece
        lengths.append(len(piece))
    assert read == bytes(i % 256 for i in range(count))
    assert lengths[:-1] == [61] * ((count - 1) // 61)


@pytest.mark.parametrize(("count", "refused"), [(0, True), (1, False), (512, False), (513, True)])
def test_a_read_is_of_1_to_512_bytes(chip: Cp2112, count: int, refused: bool) -> None:
    report = struct.pack(">BBH", 0x10, WIRE, count)
    if not refused:
        assert chip.output(report) == []
        return
    with pytest.raises(ValueError, match=str(count)):
        chip.output(report)


def test_a_chip_that_is_gone_is_a_nack(chip: Cp2112, board: ReadableLights) -> None:
    chip.bus.unplug(AT)
    chip.output(bytes((0x14, WIRE, 2, 0x90, 7)))
    assert status(chip) == bytes.fromhex("16 03 00 0001 0000")
    assert forced(chip, 1) == b""
    chip.bus.plug(AT)
    chip.output(bytes((0x14, WIRE, 2, 0x90, 7)))
    assert status(chip) == COMPLETE + b"\0\2"
    assert board.registers[0x90] == 7


def test_a_failed_read_leaves_nothing_of_the_one_before(chip: Cp2112) -> None:
    chip.output(struct.pack(">BBH", 0x10, WIRE, 4))
    chip.bus.unplug(AT)
    chip.output(struct.pack(">BBH", 0x10, WIRE, 4))
    assert forced(chip, 4) == b""


def test_a_bus_that_is_held_down_and_other_failures_are_told_apart(chip: Cp2112) -> None:
    chip.bus.stuck = True
    chip.output(bytes((0x14, WIRE, 1, 0x90)))
    assert status(chip)[:3] == bytes.fromhex("16 03 01")
    chip.bus.stuck, chip.bus.failing = False, 1
    chip.output(bytes((0x14, WIRE, 1, 0x90)))
    assert status(chip)[:3] == bytes.fromhex("16 03 02")


def test_a_cancelled_transfer_is_forgotten(chip: Cp2112) -> None:
    chip.output(struct.pack(">BBH", 0x10, WIRE, 4))
    chip.output(bytes((cp2112.CANCEL, 0x01)))
    assert status(chip)[1] == cp2112.IDLE
    assert forced(chip, 4) == b""


def test_a_report_that_no_host_sends_is_refused(chip: Cp2112) -> None:
    with pytest.raises(ValueError, match="0x13"):
        chip.output(bytes((cp2112.READ_IS,)))


# --- the pins ----------------------------------------------------------------------------------


def set_up(chip: Cp2112, outputs: int) -> None:
    assert chip.set_feature(bytes((cp2112.GPIO_CONFIG, outputs, 0xFF, 0, 0)))


def test_inputs_are_high_until_something_pulls_them_down(chip: Cp2112) -> None:
    assert chip.feature(cp2112.GPIO_GET) == bytes((cp2112.GPIO_GET, 0xFF))
    chip.close(2)
    chip.close(5)
    assert chip.feature(cp2112.GPIO_GET) == bytes((cp2112.GPIO_GET, 0b1101_1011))
    chip.open(2)
    assert chip.levels == 0b1101_1111


def test_outputs_are_what_they_were_told_pin_by_pin(chip: Cp2112) -> None:
    set_up(chip, 0b0001_0001)
    assert chip.levels == 0b1110_1110
    assert chip.set_feature(bytes((cp2112.GPIO_SET, 0xFF, 0b0001_0000)))
    assert chip.levels == 0b1111_1110
    assert chip.set_feature(bytes((cp2112.GPIO_SET, 0x00, 0b0001_0000)))
    assert chip.levels == 0b1110_1110


def test_an_input_does_not_show_what_its_latch_was_told(chip: Cp2112) -> None:
    assert chip.set_feature(bytes((cp2112.GPIO_SET, 0x00, 0xFF)))
    assert chip.levels == 0xFF


# --- all other reports -------------------------------------------------------------------------


def test_the_driver_finds_what_it_asks_for_when_it_begins(chip: Cp2112) -> None:
    assert chip.feature(cp2112.VERSION) == bytes((cp2112.VERSION, 0x0C, 0x03))
    settings = chip.feature(cp2112.SMBUS_CONFIG)
    assert settings is not None
    assert struct.unpack(">BIBBHHBH", settings) == (6, 100_000, 2, 0, 0, 0, 0, 0)
    assert chip.set_feature(settings[:-1] + b"\1")
    assert chip.feature(cp2112.SMBUS_CONFIG) == settings[:-1] + b"\1"
    assert chip.feature(cp2112.LOCK) == bytes((cp2112.LOCK, 0))
    assert len(chip.feature(cp2112.USB_CONFIG) or b"") == 10


@pytest.mark.parametrize(
    "report",
    [
        *(bytes((0x05, 1, 1)), bytes((0x03, 1)), bytes((0x20, 1))[:1], bytes((0x7F, 0))),
        *(bytes((0x02, 1)), bytes((0x04, 1, 1, 1))),
    ],
)
def test_what_cannot_be_set_or_does_not_fit_is_refused(chip: Cp2112, report: bytes) -> None:
    before = dict(chip.features)
    assert not chip.set_feature(report)
    assert chip.features == before


def test_what_the_factory_wrote_once_stays(chip: Cp2112) -> None:
    before = chip.feature(cp2112.USB_CONFIG)
    assert before is not None
    assert chip.set_feature(before[:1] + bytes(9))
    assert chip.feature(cp2112.USB_CONFIG) == before


def test_the_descriptor_names_each_report_once_with_its_length() -> None:
    said = cp2112.descriptor()
    assert said[:6] == bytes.fromhex("06 00ff 09 01 a1")
    assert said[-1] == 0xC0
    found = {}
    for at in range(14, len(said) - 1, 8):
        number_is, number, _, _, count_is, count, kind, variable = said[at : at + 8]
        assert (number_is, count_is, variable) == (0x85, 0x95, 0x02)
        found[kind, number] = count
    assert found[0xB1, cp2112.SMBUS_CONFIG] == 13
    assert found[0x81, cp2112.READ_IS] == found[0x81, cp2112.STATUS_IS] == 63
    assert {number for kind, number in found if kind == 0x91} == {*range(0x10, 0x18)} - {0x13, 0x16}
