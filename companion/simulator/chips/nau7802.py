"""A load cell on the converter NAU7802, by the chip's registers: power, calibration, readings.

It must not know barrels: it is given the true grams that press on its cell and the temperature
there, at any time since it was last asked. What a cell does wrong is in `load_cell`.
"""

from collections.abc import Callable
from math import sqrt
from random import Random
from typing import Final

from companion.simulator.chips import board_bus, load_cell

# Who else says so: Linux (drivers/iio/adc/nau7802.c): RR, PUD, PUA, PUR, CS, CR, AVDDS of PU_CTRL,
# VLDO and gain of CTRL1, the rate in CTRL2, ready within 210 µs, three signed bytes from ADCO_B2,
# 0x30 to ADC (0x15). SparkFun's and Adafruit's libraries: CALS and CAL_ERROR of CTRL2, PGA (0x1B)
# with LDOMODE, PGA_PWR (0x1C) with PGA_CAP_EN, DEVICE_REV (0x1F). Unverified: how long calibrating
# lasts, that a write to CTRL1 or CTRL2 restarts the conversions, that reading ADCO_B2 is what
# ends CR, and all values after a reset.
PU_CTRL, CTRL1, CTRL2, I2C_CONTROL, ADCO_B2 = 0x00, 0x01, 0x02, 0x11, 0x12
ADC, PGA, PGA_PWR, DEVICE_REV = 0x15, 0x1B, 0x1C, 0x1F
RESET, DIGITAL_ON, ANALOG_ON, POWER_READY = 0x01, 0x02, 0x04, 0x08
CYCLE_START, CYCLE_READY, INTERNAL_LDO = 0x10, 0x20, 0x80
CALIBRATE, CALIBRATION_ERROR = 0x04, 0x08
WRITABLE: Final = frozenset((*range(0x12), ADC, PGA, PGA_PWR))
READABLE: Final = frozenset((*WRITABLE, *range(ADCO_B2, ADCO_B2 + 3), DEVICE_REV))
RATES_HZ: Final = {0: 10, 1: 20, 2: 40, 3: 80, 7: 320}  # CTRL2's bits 4 to 6
POWER_UP_US, CALIBRATION_US = 200, 344_000

NOISE_S: Final = 0.5  # its noise is given for readings of this length


class Nau7802:
    def __init__(  # noqa: PLR0913 - what it is given, and how it is
        self,
        load_g: Callable[[int], float],
        temperature_c: Callable[[int], float],
        clock_us: board_bus.Clock,
        seed: int | str,
        *,
        ideal: bool = False,
        flaws: load_cell.Flaws = load_cell.Flaws(),  # noqa: B008 - it is frozen, so sharing it is safe
    ) -> None:
        self._load_g, self._temperature_c, self._clock_us = load_g, temperature_c, clock_us
        self._noise = 0.0 if ideal else flaws.kind.noise_mg / 1000
        self._counts_per_g = flaws.kind.counts_per_g
        self._rng = Random(f"nau7802 {seed}")  # noqa: S311 - chance in a game, no secret
        own, now_c = 0.0 if ideal else 1.0, temperature_c(clock_us())
        self.cell = load_cell.CellImperfections(self._rng, own, now_c, flaws)
        self._input_offset = 0 if ideal else int(5000 * board_bus.normal(self._rng))
        self.powered = True
        self.fault: board_bus.SensorFault | None = None
        self.calibration_fails = False
        self.revision = 0x0F
        self.power_on()

    def power_on(self) -> None:
        self.registers = bytearray(0x20)
        self._powered_us = self._calibrated_us = self._started_us = self._clock_us()
        self._calibrated = False
        self._taken = 0  # conversions, up to the one read last
        self._value = 0

    def read(self, register: int, count: int) -> bytes:
        if not READABLE.issuperset(range(register, register + count)):
            raise board_bus.Unmodelled("NAU7802", "reading", register)
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
        for at, value in enumerate(data, register):
            if at not in WRITABLE:
                raise board_bus.Unmodelled("NAU7802", f"writing 0x{value:02X}", at)
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
        if self.registers[PU_CTRL] & on != on or self.fault is board_bus.SensorFault.DEAF:
            return 0
        if self.registers[CTRL2] & CALIBRATE:
            return 0
        return max(now_us - self._started_us, 0) * self._rate_hz // 1_000_000

    def _convert(self, now_us: int) -> bytes:
        done = self._conversions(now_us)
        if done > self._taken and self.fault is None:
            self._taken = done
            self._value = self._measure(self._started_us + done * 1_000_000 // self._rate_hz)
        elif self.fault is board_bus.SensorFault.SATURATED:
            self._taken, self._value = done, 2**23 - 1
        else:
            self._taken = max(done, self._taken)
        return (self._value & 0xFFFFFF).to_bytes(3, "big")

    def _measure(self, at_us: int) -> int:
        gain = 1 << (self.registers[CTRL1] & 7)
        supplied = bool(self.registers[PU_CTRL] & INTERNAL_LDO)
        felt_g = self.cell.signal_g(self._load_g(at_us), self._temperature_c(at_us), at_us)
        felt_g += self._noise * sqrt(NOISE_S * self._rate_hz) * board_bus.normal(self._rng)
        counts = round(felt_g * self._counts_per_g * gain / 128) if supplied else 0
        counts += 0 if self._calibrated else self._input_offset
        return min(max(counts, -(2**23)), 2**23 - 1)
