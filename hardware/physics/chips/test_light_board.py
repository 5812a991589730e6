"""The light board through the real smbus2, above a bus and a chip that are models."""

import errno
import random
from collections.abc import Iterator

import pytest
import smbus2.smbus2
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.devices.light_board import DARK, LightBoard, LightBoardState, Rgb
from companion.simulator.chips.is31fl3729 import IS31FL3729
from companion.system import config
from companion.system.status import Condition
from hardware.kernel.i2c_bus import FaultyKernel, WholeBus

AT = 0x34
FRAME_US = 33_333
FULL = config.LightBoardConfig(brightness_limit_percent=100)
WHITE: tuple[Rgb, ...] = ((255, 255, 255),) * 32


class Setup:
    """A board, its chip, its bus and what it reported."""

    def __init__(self, kernel: FaultyKernel, limit: config.LightBoardConfig = FULL) -> None:
        self.kernel = kernel
        self.bus = kernel.buses[1]
        self.chip = IS31FL3729(config.LIGHT_WIRING)
        self.bus.chips[AT] = self.chip
        self.heard: list[Condition] = []
        self.board = LightBoard(limit, self.heard.append)
        self.now_us = 0

    def show(self, picture: tuple[Rgb, ...]) -> None:
        self.board.set(picture)
        self.pump()

    def pump(self, times: int = 1) -> None:
        for _ in range(times):
            self.now_us += FRAME_US
            self.board.tick(self.now_us)

    def states(self) -> list[object]:
        return [condition.state for condition in self.heard]

    def writes(self) -> list[bytes]:
        return [m.data for m in self.bus.messages if m.wants is None and len(m.data) > 1]


@pytest.fixture
def table() -> Iterator[Setup]:
    with FaultyKernel({1: WholeBus({})}).below(smbus2.smbus2) as kernel:
        setup = Setup(kernel)
        yield setup
        setup.board.close(setup.now_us)
        assert not setup.chip.strays


def picture_of(seed: int) -> tuple[Rgb, ...]:
    chance = random.Random(seed)
    return tuple(
        (chance.randrange(256), chance.randrange(256), chance.randrange(256)) for _ in DARK
    )


def test_the_first_pump_sets_the_chip_up_register_by_register(table: Setup) -> None:
    table.pump()
    assert [(data[0], data[1:]) for data in table.writes()] == [
        (0xCF, b"\xae"),
        (0xB0, b"\x33"),
        (0xB1, b"\x00"),
        (0xB2, b"\x01"),
        (0x90, b"\xff" * 12),
        (0xA1, b"\x40"),
        (0x01, bytes(28)),
        (0x21, bytes(28)),
        (0x41, bytes(28)),
        (0x61, bytes(28)),
        (0xA0, b"\x11"),
    ]
    assert table.states() == [LightBoardState.LIT]


def test_the_lights_come_on_after_the_first_picture_is_there(table: Setup) -> None:
    table.show(WHITE)
    order = [data[0] for data in table.writes()]
    assert order.index(0xA0) > order.index(0x61)
    assert table.chip.lights() == WHITE


@pytest.mark.parametrize("light", range(32))
def test_each_light_sits_on_its_own_registers(table: Setup, light: int) -> None:
    table.show(DARK)
    table.bus.messages.clear()
    picture = list(DARK)
    picture[light] = (10, 20, 30)
    table.show(tuple(picture))
    row, place = divmod(light, 4)
    (data,) = table.writes()
    assert data[0] == 16 * row + 1
    assert data[1:] == bytes(3 * place) + bytes((10, 20, 30)) + bytes(9 - 3 * place)
    assert table.chip.lights() == tuple(picture)


def test_an_unchanged_picture_costs_nothing_on_the_bus(table: Setup) -> None:
    table.show(picture_of(1))
    before = table.bus.transfers
    table.show(picture_of(1))
    assert table.bus.transfers == before


@given(st.lists(st.lists(st.integers(0, 31)), min_size=1, max_size=8), st.integers(0))
@settings(max_examples=100, deadline=None)
def test_only_rows_that_differ_are_sent_and_the_eye_sees_the_picture(
    steps: list[list[int]], seed: int
) -> None:
    chance = random.Random(seed)
    with FaultyKernel({1: WholeBus({})}).below(smbus2.smbus2) as kernel:
        table = Setup(kernel)
        picture = list(DARK)
        table.show(DARK)
        for lights in steps:
            table.bus.messages.clear()
            before = list(picture)
            for light in lights:
                picture[light] = (chance.randrange(256), chance.randrange(256), 7)
            table.show(tuple(picture))
            dirty = {i // 4 for i in range(32) if picture[i] != before[i]}
            sent: set[int] = set()
            for data in table.writes():
                assert len(data) <= 1 + 32
                first = data[0] // 16
                sent |= set(range(first, first + (len(data) + 4) // 16))
            assert sent == dirty
            assert table.chip.lights() == tuple(picture)
        table.board.close(table.now_us)
        assert not table.chip.strays


@given(st.binary(min_size=255, max_size=255))
@settings(max_examples=30, deadline=None)
def test_the_set_up_does_not_rely_on_what_the_registers_held(noise: bytes) -> None:
    with FaultyKernel({1: WholeBus({})}).below(smbus2.smbus2) as kernel:
        table = Setup(kernel)
        table.chip.registers[:] = noise + b"\x00"
        table.show(picture_of(3))
        assert table.chip.lights() == picture_of(3)
        table.board.close(table.now_us)
        assert table.chip.lights() == DARK


def test_the_brightness_limit_goes_to_the_global_current() -> None:
    with FaultyKernel({1: WholeBus({})}).below(smbus2.smbus2) as kernel:
        table = Setup(kernel, config.LightBoardConfig(brightness_limit_percent=25))
        table.show(WHITE)
        assert table.chip.registers[0xA1] == 16
        assert table.chip.lights()[0] == (64, 64, 64)
        table.board.close(table.now_us)


def test_a_missing_board_is_said_once_and_tried_ever_more_rarely(table: Setup) -> None:
    table.bus.unplug(AT)
    table.pump(30 * 20)
    assert table.states() == [LightBoardState.MISSING]
    assert "0x34 on I2C bus 1" in str(table.heard[0])
    assert table.bus.transfers <= 3 * 10


def test_a_board_that_comes_back_is_set_up_again(table: Setup) -> None:
    table.show(picture_of(1))
    table.bus.unplug(AT)
    table.show(picture_of(2))
    assert table.states()[-1] == LightBoardState.MISSING
    table.bus.plug(AT)
    table.pump(30 * 5)
    assert table.states() == [LightBoardState.LIT, LightBoardState.MISSING, LightBoardState.LIT]
    assert table.chip.lights() == picture_of(2)


def test_a_loss_of_power_between_two_pictures_is_made_good_within_four_seconds(
    table: Setup,
) -> None:
    table.show(picture_of(1))
    table.chip.power_on()
    assert table.chip.lights() == DARK
    table.pump(30 * 4)
    assert table.chip.lights() == picture_of(1)
    assert table.states() == [LightBoardState.LIT]


@pytest.mark.parametrize("every", [2, 3, 5, 7, 11])
@pytest.mark.parametrize("after", [0, 1, 2, 9, 28])
def test_broken_calls_are_repeated_until_the_picture_is_whole(
    table: Setup, every: int, after: int
) -> None:
    table.show(DARK)
    table.bus.nack_every, table.bus.nack_after = every, after
    for seed in range(20):
        table.show(picture_of(seed))
        assert table.chip.lights() == picture_of(seed)
    assert table.states() == [LightBoardState.LIT]
    assert table.board.failures > 0
    table.bus.nack_every = 0


@pytest.mark.parametrize("at", range(12))
def test_a_failure_for_a_while_in_mid_frame_recovers(table: Setup, at: int) -> None:
    table.show(DARK)
    table.bus.failing = at
    table.show(WHITE)
    table.pump(30 * 3)
    assert table.chip.lights() == WHITE
    assert table.states()[-1] == LightBoardState.LIT


def test_a_stuck_bus_is_not_tried_twice_in_one_pump(table: Setup) -> None:
    table.show(DARK)
    table.bus.stuck = True
    before = table.bus.transfers
    table.show(WHITE)
    assert table.bus.transfers == before + 1
    assert table.states()[-1] == LightBoardState.STUCK
    table.bus.stuck = False
    table.pump(30)
    assert table.chip.lights() == WHITE


def test_a_bus_that_vanishes_and_returns(table: Setup) -> None:
    table.show(DARK)
    bus = table.kernel.buses.pop(1)
    table.show(WHITE)
    table.pump(30)
    assert table.states()[-1] == LightBoardState.NO_BUS
    table.kernel.buses[1] = bus
    table.pump(30 * 3)
    assert table.chip.lights() == WHITE


def test_a_user_without_the_group_is_told_so(table: Setup) -> None:
    table.kernel.denied = True
    table.pump()
    assert table.states() == [LightBoardState.DENIED]


def test_an_address_that_the_kernel_holds_is_told_so(table: Setup) -> None:
    table.bus.claimed.add(AT)
    table.pump()
    assert table.states() == [LightBoardState.CLAIMED]


def test_an_unheard_of_error_has_its_sentence_too(
    table: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> int:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr(smbus2.smbus2, "ioctl", broken)
    table.pump()
    assert "Cannot allocate memory" in str(table.heard[-1])


def test_closing_makes_the_board_dark_and_lets_go(table: Setup) -> None:
    table.show(WHITE)
    table.board.close(table.now_us)
    assert table.chip.lights() == DARK
    assert table.states()[-1] == LightBoardState.OFF


def test_a_picture_of_the_wrong_size_is_a_mistake_of_the_caller(table: Setup) -> None:
    with pytest.raises(ValueError, match="32 lights"):
        table.board.set(DARK[1:])


def test_a_full_frame_needs_a_tenth_of_its_time_on_the_bus(table: Setup) -> None:
    table.show(DARK)
    before_us = table.bus.busy_us
    table.show(WHITE)
    assert table.bus.busy_us - before_us < FRAME_US / 10
