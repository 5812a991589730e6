"""The load cell's model: the converter's registers, and all that a cheap cell does wrong."""

from statistics import fmean, pstdev

import pytest

from companion.simulator.chips.board_bus import BoardBus, SensorFault, Unmodelled
from companion.simulator.chips.load_cell import Flaws
from companion.simulator.chips.nau7802 import Nau7802
from companion.simulator.stopper_kinds import LEAVES
from hardware.emulated.bench import LoggedBus

SETUP = ((0x00, 0x86), (0x01, 0x2F), (0x02, 0x20), (0x00, 0x96))


class Bench:
    """A chip, a load, a temperature and a clock."""

    def __init__(self, seed: int = 1, *, ideal: bool = False, load_g: float = 0.0) -> None:
        self.now_us, self.load_g, self.temperature_c = 0, load_g, 22.0
        self.chip = Nau7802(
            lambda _: self.load_g,
            lambda _: self.temperature_c,
            lambda: self.now_us,
            seed,
            ideal=ideal,
        )
        self.chip.write(0x00, b"\x02")
        self.now_us += 1000
        for register, value in SETUP:
            self.chip.write(register, bytes((value,)))

    def calibrate(self) -> int:
        """Calibrate; return CTRL2 when it ended."""
        self.chip.write(0x02, b"\x24")
        assert self.chip.read(0x02, 1)[0] & 0x04
        self.now_us += 344_000
        return self.chip.read(0x02, 1)[0]

    def grams(self, seconds: float = 1.0) -> list[float]:
        """Return all readings of a time."""
        until_us = self.now_us + round(seconds * 1e6)
        found = []
        while self.now_us < until_us:
            self.now_us += 5_000
            if self.chip.read(0x00, 1)[0] & 0x20:
                data = self.chip.read(0x12, 3)
                found.append(int.from_bytes(data, "big", signed=True) / LEAVES.counts_per_g)
        return found

    def put(self, load_g: float, seconds: float = 1.0) -> float:
        """Put a load on; return what is measured a second later."""
        self.load_g = load_g
        self.grams(seconds)
        return fmean(self.grams())


def test_it_has_a_revision_and_is_ready_a_little_after_power_up() -> None:
    bench = Bench()
    assert bench.chip.read(0x1F, 1)[0] & 0x0F == 0x0F
    bench.chip.write(0x00, b"\x01")
    bench.chip.write(0x00, b"\x02")
    assert not bench.chip.read(0x00, 1)[0] & 0x08
    bench.now_us += 200
    assert bench.chip.read(0x00, 1)[0] & 0x08


@pytest.mark.parametrize(("bits", "hz"), [(0, 10), (1, 20), (2, 40), (3, 80), (7, 320)])
def test_new_readings_come_at_the_chosen_rate(bits: int, hz: int) -> None:
    bench = Bench()
    bench.chip.write(0x02, bytes((bits << 4,)))
    count = 0
    for _ in range(2000):
        bench.now_us += 1000
        if bench.chip.read(0x00, 1)[0] & 0x20:
            bench.chip.read(0x12, 3)
            count += 1
    assert count == pytest.approx(2 * hz, abs=1)


def test_calibration_takes_its_time_and_takes_the_converters_own_offset_away() -> None:
    bench = Bench(2)
    before = fmean(bench.grams())
    assert bench.calibrate() == 0x20
    after = fmean(bench.grams())
    assert after == pytest.approx(bench.chip.cell.zero_g, abs=0.01)
    assert before != pytest.approx(after, abs=0.01)
    bench.chip.calibration_fails = True
    assert bench.calibrate() == 0x28


def test_an_ideal_cell_is_as_exact_as_24_bits() -> None:
    bench = Bench(ideal=True, load_g=26.5)
    assert fmean(bench.grams()) == pytest.approx(26.5, abs=1e-4)


def test_noise_is_what_its_kind_says_for_half_a_second() -> None:
    bench = Bench(4)
    bench.calibrate()
    means = [fmean(bench.grams(0.5)) * 1000 for _ in range(200)]
    assert pstdev(means) == pytest.approx(LEAVES.noise_mg, rel=0.2)


def test_warmth_moves_zero_and_span() -> None:
    bench = Bench(5)
    bench.calibrate()
    cold = bench.put(0.0)
    bench.temperature_c += 4
    assert bench.put(0.0) - cold == pytest.approx(0.080, abs=0.005)


def test_it_creeps_and_does_not_come_from_above_as_from_below() -> None:
    bench = Bench(6)
    bench.calibrate()
    early = bench.put(80.0, 0.1)
    late = bench.put(80.0, 180.0)
    assert (late - early) / 80 == pytest.approx(0.0005, rel=0.15)
    bench.load_g = 95.0
    bench.grams(0.2)
    assert (bench.put(80.0, 0.1) - late) * 1000 == pytest.approx(Flaws().hysteresis_mg, abs=8)


def test_no_two_settings_down_and_no_two_nodes_are_the_same() -> None:
    bench = Bench(7)
    bench.calibrate()
    loads = []
    for _ in range(60):
        bench.put(0.0, 0.1)
        loads.append(bench.put(30.0, 0.1) / 30)
    assert pstdev(loads) == pytest.approx(Flaws().eccentric, rel=0.3)
    spans = [Bench(seed).chip.cell.span for seed in range(300)]
    assert pstdev(spans) == pytest.approx(0.003, rel=0.15)


def test_faults() -> None:
    bench = Bench(load_g=26.0)
    bench.grams()
    bench.chip.fault = SensorFault.STUCK
    assert len(set(bench.grams())) == 1
    bench.chip.fault = SensorFault.SATURATED
    bench.grams(0.1)
    assert set(bench.grams()) == {(2**23 - 1) / LEAVES.counts_per_g}
    bench.chip.fault = SensorFault.DEAF
    assert bench.grams() == []


def test_a_stop_carries_what_is_too_much() -> None:
    assert fmean(Bench(ideal=True, load_g=2000.0).grams()) == pytest.approx(LEAVES.stop_g, abs=1)


@pytest.mark.parametrize("register", [0x12, 0x1F, 0x1D, 0x18])
def test_what_must_not_be_written_is_noticed(register: int) -> None:
    with pytest.raises(Unmodelled):
        Bench().chip.write(register, b"\0")


@pytest.mark.parametrize("register", [0x16, 0x1D])
def test_what_is_not_modelled_is_noticed(register: int) -> None:
    with pytest.raises(Unmodelled):
        Bench().chip.read(register, 1)


def test_the_bus_raises_what_micropython_raises() -> None:
    bench = Bench()
    bus = LoggedBus({0x2A: bench.chip})
    bus.writeto_mem(0x2A, 0x01, b"\x2f")
    buffer = bytearray(1)
    bus.readfrom_mem_into(0x2A, 0x01, buffer)
    assert buffer == b"\x2f"
    assert [(a.action, a.register, a.data) for a in bus.log] == [
        ("write", 1, b"\x2f"),
        ("read", 1, b"\x2f"),
    ]
    for spoil, number in (("powered", 19), ("failing", 5), ("stuck", 110)):
        if spoil == "powered":
            bench.chip.powered = False
        else:
            bench.chip.powered = True
            setattr(bus, spoil, True)
        with pytest.raises(OSError, match=r".") as raised:
            bus.readfrom_mem(0x2A, 0x00, 1)
        assert raised.value.errno == number
    with pytest.raises(OSError, match="ENODEV"):
        BoardBus({}).readfrom_mem(0x19, 0x0F, 1)
