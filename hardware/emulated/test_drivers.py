"""The drivers against the chips' models: every access, and every fault as a state of its own."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.simulator.chips.board_bus import SensorFault
from hardware.emulated.bench import Access, Board, Script
from hardware.emulated.source import load

MOTION, LOAD = 0x19, 0x2A
chip = load("drivers.chip")


def started() -> Board:
    """Return a board that has stood for two seconds."""
    return Board(Script().stand(120)).run(2_000_000)


def accesses(board: Board, address: int) -> list[str]:
    """Return the transfers with a chip as lines, reads without what was read."""
    return [told(access) for access in board.i2c.log if access.address == address]


def told(access: Access) -> str:
    """Return a transfer as a line."""
    data = access.data.hex() if access.action == "write" else str(len(access.data))
    return f"{access.action} {access.register:02x} {data}"


def test_the_accelerometer_is_known_reset_and_set_up_register_by_register() -> None:
    lines = accesses(started(), MOTION)
    assert lines[:6] == [
        "read 0f 1",  # WHO_AM_I
        "write 21 40",  # CTRL2: soft reset
        "write 21 0c",  # CTRL2: block data update, address increment
        "write 25 34",  # CTRL6: ±16 g, low noise, bandwidth half the rate
        "write 2e c0",  # FIFO_CTRL: continuous
        "write 20 74",  # CTRL1: 400 Hz, high performance
    ]
    rest = lines[6:]
    assert set(rest[::2]) == {"read 2f 1"}  # FIFO_SAMPLES
    assert all(line.startswith("read 28 ") for line in rest[1::2])  # and as many from OUT_X_L
    assert all(int(line.split()[2]) % 6 == 0 for line in rest[1::2])


def test_the_converter_is_powered_up_and_calibrated_register_by_register() -> None:
    lines = accesses(started(), LOAD)
    begin = [
        "write 00 01",  # PU_CTRL: reset
        "write 00 02",  # PU_CTRL: digital part on
        "read 00 1",  # PU_CTRL: is it ready?
        "read 1f 1",  # DEVICE_REV
        "write 00 86",  # PU_CTRL: analog part and its regulator on
        "write 01 2f",  # CTRL1: 3.0 V, gain 128
        "write 02 20",  # CTRL2: 40 Hz
        "write 15 30",  # ADC: chopper off
        "write 1b 00",  # PGA: for capacitors of low resistance
        "write 1c 80",  # PGA_PWR: capacitor at the second input
        "write 00 96",  # PU_CTRL: cycle start
        "write 02 24",  # CTRL2: calibrate
    ]
    assert lines[: len(begin)] == begin
    rest = lines[len(begin) :]
    polls = rest.count("read 02 1")
    assert rest[:polls] == ["read 02 1"] * polls  # CTRL2 until it is calibrated
    assert 344 <= polls * 25 <= 400
    assert set(rest[polls:]) == {"read 00 1", "read 12 3"}  # CYCLE_READY, then ADCO


def test_asleep_the_accelerometer_waits_for_a_movement_and_the_converter_is_off() -> None:
    board = started()
    board.i2c.log.clear()
    assert board.feels.sleep()
    assert board.weighs.sleep()
    assert [told(access) for access in board.i2c.log] == [
        "write 2e 00",  # FIFO_CTRL: bypass
        "write 25 00",  # CTRL6: ±2 g
        "write 22 10",  # CTRL3: latched
        "write 34 03",  # WAKE_UP_THS: 94 mg
        "write 35 20",  # WAKE_UP_DUR: one sample
        "write 23 20",  # CTRL4: wake-up to INT1
        "write 3f 20",  # CTRL7: interrupts on
        "write 20 30",  # CTRL1: 25 Hz, low power
        "read 3b 1",  # ALL_INT_SRC: let go
        "write 00 00",  # PU_CTRL: off
    ]


Spoil = Callable[[Board], None]


def fault(part: str, what: SensorFault) -> Spoil:
    """Return what gives a chip this fault."""
    return lambda board: setattr(getattr(board, part), "fault", what)


def gone(part: str) -> Spoil:
    """Return what takes a chip off the bus."""
    return lambda board: setattr(getattr(board, part), "powered", False)


def stuck_bus(board: Board) -> None:
    """Let something hold a line down."""
    board.i2c.stuck = True


def another(part: str, name: str) -> Spoil:
    """Return what puts another chip in this one's place."""

    def spoil(board: Board) -> None:
        setattr(getattr(board, part), name, 0x33)
        getattr(board, part).power_on()

    return spoil


def uncalibrated(board: Board) -> None:
    """Let no calibration succeed, and one be needed."""
    board.load_chip.calibration_fails = True
    board.load_chip.power_on()


@pytest.mark.slow(but=6)
@pytest.mark.parametrize(
    ("spoil", "states", "faults"),
    [
        (gone("motion_chip"), ("silent", "ok"), {"motion-silent"}),
        (gone("load_chip"), ("ok", "silent"), {"load-silent"}),
        (fault("motion_chip", SensorFault.DEAF), ("silent", "ok"), {"motion-silent"}),
        (fault("load_chip", SensorFault.DEAF), ("ok", "silent"), {"load-silent"}),
        (fault("motion_chip", SensorFault.STUCK), ("stuck", "ok"), {"motion-stuck"}),
        (fault("load_chip", SensorFault.STUCK), ("ok", "stuck"), {"load-stuck"}),
        (fault("motion_chip", SensorFault.SATURATED), ("saturated", "ok"), {"motion-saturated"}),
        (fault("load_chip", SensorFault.SATURATED), ("ok", "saturated"), {"load-saturated"}),
        (another("motion_chip", "identity"), ("foreign", "ok"), {"motion-foreign"}),
        (another("load_chip", "revision"), ("ok", "foreign"), {"load-foreign"}),
        (uncalibrated, ("ok", "silent"), {"load-silent"}),
        (stuck_bus, ("bus-stuck", "bus-stuck"), {"bus-stuck"}),
    ],
)
def test_every_fault_is_a_state_that_is_told_and_that_ends(
    spoil: Spoil, states: tuple[str, str], faults: set[str]
) -> None:
    board = Board(Script().stand(120)).run(4_000_000)
    assert board.names() == ["STILL"]
    spoil(board)
    board.run(25_000_000)
    assert told_states(board) == states
    assert told_faults(board) == known(faults)
    heal(board)
    board.run(45_000_000)
    assert told_states(board) == ("ok", "ok")
    assert told_faults(board) == set()
    assert set(board.names()) == {"STILL"}  # no phantom event, whatever broke


def known(faults: set[str]) -> set[str]:
    """Return the faults in the words of the wire: without one of its own, a chip is silent."""
    names = load("stopper.stopper").BITS
    return {
        name if name in names else silent
        for name in faults
        for silent in (
            ["motion-silent", "load-silent"]
            if name == "bus-stuck"
            else [name.split("-")[0] + "-silent"]
        )
    }


def heal(board: Board) -> None:
    """Repair everything."""
    board.i2c.stuck = False
    board.load_chip.calibration_fails = False
    board.motion_chip.identity, board.load_chip.revision = 0x44, 0x0F
    for part in (board.motion_chip, board.load_chip):
        part.powered, part.fault = True, None


def told_states(board: Board) -> tuple[str, ...]:
    """Return the states of both chips in words."""
    parts: list[Any] = [board.feels, board.weighs]
    return tuple(chip.NAMES[part.state] for part in parts)


def told_faults(board: Board) -> set[str]:
    """Return what the last heartbeat complains of."""
    bits = load("stopper.stopper").BITS
    return {name for name, bit in bits.items() if board.last("HEARTBEAT").faults & bit}


class Quiet:
    """A bus with an accelerometer whose FIFO is always full of the same samples."""

    def __init__(self, samples: bytes) -> None:
        self._samples = samples

    def readfrom_mem(self, _: int, register: int, __: int) -> bytes:
        return bytes((len(self._samples) // 6 if register == 0x2F else 0x44,))

    def writeto_mem(self, *_: object) -> None:
        pass

    def readfrom_mem_into(self, _: int, __: int, into: memoryview) -> None:
        into[:] = self._samples


@pytest.mark.parametrize(("differs", "state"), [(False, chip.STUCK), (True, chip.OK)])
def test_a_chip_is_stuck_only_if_each_of_its_samples_is_as_the_one_before(
    differs: bool, state: int
) -> None:
    same = bytes((4, 0, 8, 0, 0, 8))
    samples = same * 20 + (bytes((8, 0, 8, 0, 0, 8)) if differs else same) + same * 11
    motion = load("drivers.lis2dw12").Lis2dw12(Quiet(samples))
    for now_ms in range(0, 1_000, 25):
        motion.read(now_ms)
    assert motion.state == state


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("failing", [1, 2, 5])
def test_a_fault_of_the_bus_at_any_step_of_the_start_only_delays_it(failing: int) -> None:
    for at_ms in range(0, 1500, 25):
        board = Board(Script().stand(30)).run(at_ms * 1000)
        if board.stopper is None:
            board.boot()
        board.i2c.failing = failing
        board.run(6_000_000)
        assert board.names() == ["STILL"]
