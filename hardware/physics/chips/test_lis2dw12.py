"""The accelerometer's model: registers, FIFO, own clock, noise, steps and limits."""

from math import cos, radians, sin, sqrt
from statistics import fmean, pstdev
from struct import iter_unpack

import pytest

from companion.simulator.chips.board_bus import SensorFault, Unmodelled
from companion.simulator.chips.lis2dw12 import Lis2dw12

STEP_MG = 1.952


class Bench:
    """A chip, a force and a clock."""

    def __init__(self, seed: int = 1, *, ideal: bool = False, g: float = 1.0) -> None:
        self.now_us, self.g = 0, g
        self.chip = Lis2dw12(lambda _: (0.0, 0.0, self.g), lambda: self.now_us, seed, ideal=ideal)
        self.setup()

    def setup(self) -> None:
        """Set it up for 400 Hz, ±16 g, low noise, FIFO continuous."""
        for register, value in ((0x25, 0x34), (0x2E, 0xC0), (0x20, 0x74)):
            self.chip.write(register, bytes((value,)))

    def wait(self, us: int) -> int:
        """Let time pass; return FIFO_SAMPLES."""
        self.now_us += us
        return self.chip.read(0x2F, 1)[0]

    def samples(self, count: int) -> list[tuple[int, ...]]:
        """Return samples in whole steps."""
        taken: list[tuple[int, ...]] = []
        while len(taken) < count:
            held = self.wait(40_000) & 0x3F
            taken += iter_unpack("<3h", self.chip.read(0x28, 6 * held))
        assert all(value & 3 == 0 for sample in taken for value in sample)  # 14 bits, left
        return [tuple(value >> 2 for value in sample) for sample in taken[:count]]


def test_it_says_who_it_is_and_forgets_all_in_a_reset() -> None:
    bench = Bench()
    assert bench.chip.read(0x0F, 1) == b"\x44"
    assert bench.chip.read(0x20, 1) == b"\x74"
    bench.chip.write(0x21, b"\x40")
    assert bench.chip.read(0x20, 2) == b"\x00\x04"
    assert bench.wait(100_000) == 0


def test_the_fifo_holds_32_and_says_when_it_lost_some() -> None:
    bench = Bench(ideal=True)
    assert bench.wait(1_000) == 0
    assert bench.wait(26_600) == 11
    bench.chip.read(0x28, 6 * 11)
    assert bench.wait(0) == 0
    assert bench.wait(80_000) == 32
    assert bench.wait(10_000) == 0x40 | 32
    bench.chip.read(0x28, 6 * 32)
    assert bench.wait(0) == 0


def test_without_the_fifo_there_is_one_sample() -> None:
    bench = Bench(ideal=True)
    bench.chip.write(0x2E, b"\x00")
    assert bench.wait(100_000) == 1


@pytest.mark.parametrize("seed", range(5))
def test_its_clock_is_its_own(seed: int) -> None:
    bench = Bench(seed)
    assert abs(bench.chip.clock_error) <= 0.02
    count = 0
    for _ in range(400):
        held = bench.wait(25_000) & 0x3F
        bench.chip.read(0x28, 6 * held)
        count += held
    assert count == pytest.approx(4000 * (1 + bench.chip.clock_error), abs=2)


def test_chips_differ_as_the_datasheet_says() -> None:
    chips = [Bench(seed).chip for seed in range(400)]
    assert pstdev([o for c in chips for o in c.offsets_mg]) == pytest.approx(20, rel=0.1)
    assert pstdev([g for c in chips for g in c.gains]) == pytest.approx(0.01, rel=0.1)


def test_noise_and_steps_are_those_of_16_g_at_400_hz() -> None:
    bench = Bench(3)
    ups = [z for _, _, z in bench.samples(4000)]
    noise_mg = 0.110 * sqrt(200)
    expected = sqrt(noise_mg**2 + STEP_MG**2 / 12)
    assert pstdev(ups) * STEP_MG == pytest.approx(expected, rel=0.05)
    mean_mg = 1000 * bench.chip.gains[2] + bench.chip.offsets_mg[2]
    assert fmean(ups) * STEP_MG == pytest.approx(mean_mg, abs=0.3)


def test_it_clips_at_16_g() -> None:
    assert Bench(ideal=True, g=40.0).samples(5)[-1][2] == 8191
    assert Bench(ideal=True, g=-40.0).samples(5)[-1][2] == -8192


@pytest.mark.parametrize(("scale", "step_mg"), [(0, 0.244), (1, 0.488), (2, 0.976), (3, 1.952)])
def test_every_scale_has_its_step(scale: int, step_mg: float) -> None:
    bench = Bench(ideal=True)
    bench.chip.write(0x25, bytes((scale << 4,)))
    assert bench.samples(3)[-1][2] == round(1000 / step_mg)


def test_the_axes_are_the_barrels() -> None:
    bench = Bench(ideal=True)
    bench.chip = Lis2dw12(
        lambda _: (sin(radians(60)), 0.0, cos(radians(60))), lambda: bench.now_us, 1, ideal=True
    )
    bench.setup()
    assert bench.samples(3)[-1] == (444, 0, 256)


def test_faults() -> None:
    bench = Bench()
    bench.samples(10)
    bench.chip.fault = SensorFault.STUCK
    assert len(set(bench.samples(50))) == 1
    bench.chip.fault = SensorFault.SATURATED
    assert set(bench.samples(50)) == {(8191, -8192, 8191)}
    bench.chip.fault = SensorFault.DEAF
    assert bench.wait(100_000) == 0


@pytest.mark.parametrize("seed", range(4))
def test_int1_rises_for_a_movement_and_not_for_noise(seed: int) -> None:
    bench = Bench(seed)
    for register, value in (
        *((0x2E, 0x00), (0x25, 0x00), (0x22, 0x10), (0x34, 0x03), (0x35, 0x20)),
        *((0x23, 0x20), (0x3F, 0x20), (0x20, 0x30)),
    ):
        bench.chip.write(register, bytes((value,)))
    bench.now_us += 60_000_000
    quiet = bench.chip.int1
    bench.g = 1.2
    bench.now_us += 100_000
    assert (quiet, bench.chip.int1) == (False, True)
    bench.chip.read(0x3B, 1)
    bench.now_us += 100_000
    assert not bench.chip.int1


@pytest.mark.parametrize(
    ("register", "data"), [(0x0F, b"\0"), (0x27, b"\0"), (0x05, b"\0"), (0x21, b"\x02")]
)
def test_what_must_not_be_written_is_noticed(register: int, data: bytes) -> None:
    with pytest.raises(Unmodelled):
        Bench().chip.write(register, data)


@pytest.mark.parametrize(("register", "count"), [(0x26, 1), (0x00, 1), (0x29, 2), (0x28, 5)])
def test_what_is_not_modelled_is_noticed(register: int, count: int) -> None:
    with pytest.raises(Unmodelled):
        Bench().chip.read(register, count)
