"""A load cell on the converter NAU7802, by the chip's registers: power, calibration, readings.

It must not know barrels: it is given the true grams on the foot and the cell's temperature, at any
time since it was last asked. All that a cheap cell does wrong is here, drawn from the seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, sqrt
from random import Random
from typing import Final

from companion.simulator.chips.board_bus import Clock, Fault, Unmodelled, normal

PU_CTRL, CTRL1, CTRL2, I2C_CONTROL, ADCO_B2 = 0x00, 0x01, 0x02, 0x11, 0x12
ADC, PGA, PGA_PWR, DEVICE_REV = 0x15, 0x1B, 0x1C, 0x1F
RESET, DIGITAL_ON, ANALOG_ON, POWER_READY = 0x01, 0x02, 0x04, 0x08
CYCLE_START, CYCLE_READY, INTERNAL_LDO = 0x10, 0x20, 0x80
CALIBRATE, CALIBRATION_ERROR = 0x04, 0x08
WRITABLE: Final = frozenset((*range(0x12), ADC, PGA, PGA_PWR))
READABLE: Final = frozenset((*WRITABLE, *range(ADCO_B2, ADCO_B2 + 3), DEVICE_REV))
RATES_HZ: Final = {0: 10, 1: 20, 2: 40, 3: 80, 7: 320}  # CTRL2's bits 4 to 6
POWER_UP_US, CALIBRATION_US = 200, 344_000

FULL_SCALE_G: Final = 100.0
COUNTS_PER_G: Final = 2**23 * 0.256 / FULL_SCALE_G  # 1 mV/V at gain 128, reference = supply
STOP_G: Final = 1.5 * FULL_SCALE_G  # what carries the rest
NOISE_MG: Final = 0.75  # rms of one second's readings
ZERO_MG_PER_C, SPAN_PER_C = 20.0, 0.0001
CREEP, CREEP_S = 0.0005, 60.0  # 95 % of it in three minutes
HYSTERESIS_MG, HYSTERESIS_G = 0.0003 * FULL_SCALE_G * 1000, 2.0  # and over which change of load
ECCENTRIC, SPAN, ZERO_G = 0.002, 0.003, 1.0  # σ: of each setting down, of each node, of each node


@dataclass(slots=True)
class Cell:
    """What is wrong with one cell, and what it remembers."""

    rng: Random
    own: float  # 1, or 0 for an ideal cell
    reference_c: float
    span: float = 1.0
    zero_g: float = 0.0
    creep_g: float = 0.0
    followed_g: float = 0.0
    eccentric: float = 1.0
    last_us: int = 0
    last_g: float = 0.0

    def __post_init__(self) -> None:
        self.span = 1 + self.own * SPAN * normal(self.rng)
        self.zero_g = self.own * ZERO_G * normal(self.rng)

    def signal_g(self, load_g: float, temperature_c: float, at_us: int) -> float:
        """Return the grams that the cell feels, in its own opinion."""
        warmer = temperature_c - self.reference_c
        if self.last_g < 1.0 <= load_g:  # set down anew, and never in the very middle
            self.eccentric = 1 + self.own * ECCENTRIC * normal(self.rng)
        self.followed_g = min(max(self.followed_g, load_g - HYSTERESIS_G), load_g + HYSTERESIS_G)
        lag = (self.followed_g - load_g) / HYSTERESIS_G  # -1: it came from below
        passed_s = (at_us - self.last_us) / 1e6
        self.creep_g += (CREEP * load_g - self.creep_g) * (1 - exp(-passed_s / CREEP_S))
        self.last_us, self.last_g = at_us, load_g
        felt_g = load_g * self.span * self.eccentric * (1 + self.own * SPAN_PER_C * warmer)
        wrong_mg = ZERO_MG_PER_C * warmer + HYSTERESIS_MG / 2 * lag
        return min(felt_g, STOP_G) + self.zero_g + self.own * (self.creep_g + wrong_mg / 1000)


class Nau7802:
    """One chip with its cell."""

    def __init__(  # noqa: PLR0913 - what it is given, and how it is
        self,
        load_g: Callable[[int], float],
        temperature_c: Callable[[int], float],
        clock_us: Clock,
        seed: int | str,
        *,
        ideal: bool = False,
        strict: bool = True,
    ) -> None:
        self._load_g, self._temperature_c, self._clock_us = load_g, temperature_c, clock_us
        self._strict, self._noise = strict, 0.0 if ideal else NOISE_MG / 1000
        self._rng = Random(f"nau7802 {seed}")  # noqa: S311 - chance in a game, no secret
        self.cell = Cell(self._rng, 0.0 if ideal else 1.0, temperature_c(clock_us()))
        self._input_offset = 0 if ideal else int(5000 * normal(self._rng))
        self.powered = True
        self.fault: Fault | None = None
        self.calibration_fails = False
        self.revision = 0x0F
        self.power_on()

    def power_on(self) -> None:
        """Take the values that a reset gives."""
        self.registers = bytearray(0x20)
        self._powered_us = self._calibrated_us = self._started_us = self._clock_us()
        self._calibrated = False
        self._taken = 0  # conversions, up to the one read last
        self._value = 0

    def read(self, register: int, count: int) -> bytes:
        """Return the bytes from a register on."""
        if self._strict and not READABLE.issuperset(range(register, register + count)):
            raise Unmodelled("NAU7802", "reading", register)
        now_us = self._clock_us()
        registers = self.registers
        self._finish(now_us)
        ready = registers[PU_CTRL] & DIGITAL_ON and now_us - self._powered_us >= POWER_UP_US
        fresh = self._conversions(now_us) > self._taken
        registers[PU_CTRL] = (
            registers[PU_CTRL] & ~(POWER_READY | CYCLE_READY)
            | (POWER_READY if ready else 0)
            | (CYCLE_READY if fresh else 0)
        )
        registers[DEVICE_REV] = self.revision
        if register <= ADCO_B2 < register + count:
            registers[ADCO_B2 : ADCO_B2 + 3] = self._convert(now_us)
        return bytes(registers[register : register + count])

    def write(self, register: int, data: bytes) -> None:
        """Take the bytes from a register on."""
        for at, value in enumerate(data, register):
            if self._strict and at not in WRITABLE:
                raise Unmodelled("NAU7802", f"writing 0x{value:02X}", at)
            before, self.registers[at] = self.registers[at], value
            if at == PU_CTRL:
                self._power(before, value)
            elif at == CTRL2 and value & CALIBRATE:
                self._calibrated_us = self._clock_us() + CALIBRATION_US
            begins = at == PU_CTRL and value & CYCLE_START and not before & CYCLE_START
            if begins or at in (CTRL1, CTRL2):
                self._started_us, self._taken = self._clock_us(), 0

    def _power(self, before: int, value: int) -> None:
        if value & RESET:
            self.power_on()
            self.registers[PU_CTRL] = RESET
        elif value & DIGITAL_ON and not before & DIGITAL_ON:
            self._powered_us = self._clock_us()

    def _finish(self, now_us: int) -> None:
        """End a calibration whose time has come."""
        if self.registers[CTRL2] & CALIBRATE and now_us >= self._calibrated_us:
            self.registers[CTRL2] &= ~(CALIBRATE | CALIBRATION_ERROR)
            if self.calibration_fails:
                self.registers[CTRL2] |= CALIBRATION_ERROR
            else:
                self._calibrated = True
            self._started_us, self._taken = self._calibrated_us, 0

    @property
    def _rate_hz(self) -> int:
        return RATES_HZ.get(self.registers[CTRL2] >> 4 & 7, 0)

    def _conversions(self, now_us: int) -> int:
        on = DIGITAL_ON | ANALOG_ON | CYCLE_START
        if self.registers[PU_CTRL] & on != on or self.fault is Fault.DEAF:
            return 0
        if self.registers[CTRL2] & CALIBRATE:
            return 0
        return max(now_us - self._started_us, 0) * self._rate_hz // 1_000_000

    def _convert(self, now_us: int) -> bytes:
        done = self._conversions(now_us)
        if done > self._taken and self.fault is None:
            self._taken = done
            self._value = self._measure(self._started_us + done * 1_000_000 // self._rate_hz)
        elif self.fault is Fault.SATURATED:
            self._taken, self._value = done, 2**23 - 1
        else:
            self._taken = max(done, self._taken)
        return (self._value & 0xFFFFFF).to_bytes(3, "big")

    def _measure(self, at_us: int) -> int:
        gain = 1 << (self.registers[CTRL1] & 7)
        supplied = bool(self.registers[PU_CTRL] & INTERNAL_LDO)
        felt_g = self.cell.signal_g(self._load_g(at_us), self._temperature_c(at_us), at_us)
        felt_g += self._noise * sqrt(self._rate_hz) * normal(self._rng)
        counts = round(felt_g * COUNTS_PER_G * gain / 128) if supplied else 0
        counts += 0 if self._calibrated else self._input_offset
        return min(max(counts, -(2**23)), 2**23 - 1)
