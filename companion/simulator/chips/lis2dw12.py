"""The accelerometer LIS2DW12 by its registers: FIFO, own clock, noise, steps and limits.

It must not know barrels: it is given the specific force in its own axes, in g, for any time since
it was last asked. Samples come into being when they are read, so an unread second costs nothing.
"""

from collections.abc import Callable
from math import sqrt
from random import Random
from struct import pack
from typing import Final

from companion.simulator.chips.board_bus import NORMAL, Clock, SensorFault, Unmodelled, normal

# Who else says so: ST's own driver (STMems_Standard_C_drivers, lis2dw12_reg.h), which is not ours,
# names every register and bit here: WHO_AM_I 0x44; odr in CTRL1's upper half, mode and lp_mode in
# its lower; if_add_inc, bdu and soft_reset in CTRL2; lir in CTRL3; int1_wu in CTRL4; fs and
# low_noise in CTRL6; fmode and diff, fifo_ovr of the FIFO; wk_ths, wake_dur; interrupts_enable in
# CTRL7. Unverified: the value of registers after a reset, but for WHO_AM_I and if_add_inc; what is
# read of an empty FIFO; that ALL_INT_SRC lets go of a latched interrupt.
Force = Callable[[int], tuple[float, float, float]]

WHO_AM_I, CTRL1, CTRL2, CTRL3, CTRL4, CTRL5, CTRL6 = 0x0F, *range(0x20, 0x26)
STATUS, OUT_X_L, OUT_Z_H, FIFO_CTRL, FIFO_SAMPLES = 0x27, 0x28, 0x2D, 0x2E, 0x2F
WAKE_UP_THS, WAKE_UP_DUR, ALL_INT_SRC, CTRL7 = 0x34, 0x35, 0x3B, 0x3F
AT_RESET: Final = {WHO_AM_I: 0x44, CTRL2: 0x04}  # all others 0
MUST_BE_0: Final = {CTRL2: 0x23, CTRL3: 0x04, CTRL6: 0x03}  # reserved, or the end of I2C
SETTINGS: Final = (CTRL1, CTRL2, CTRL3, CTRL4, CTRL5, CTRL6, FIFO_CTRL, CTRL7)
WRITABLE: Final = frozenset((*SETTINGS, WAKE_UP_THS, WAKE_UP_DUR))
READABLE: Final = frozenset((*WRITABLE, WHO_AM_I, STATUS, FIFO_SAMPLES, ALL_INT_SRC))
RATES_HZ: Final = (0, 12.5, 12.5, 25, 50, 100, 200, 400, 800, 1600)  # CTRL1's upper half
DEPTH: Final = 32
CONTINUOUS: Final = 6
STEP_MG: Final = 0.244  # at ±2 g in 14 bits; 1.952 at ±16 g
DENSITY_UG: Final = 110.0  # per √Hz
SETTLING: Final = 3  # samples at most after it is armed, in which its high-pass filter pulses
OFFSET_MG, GAIN, CLOCK = 20.0, 0.01, 0.02  # one chip's error: σ, σ, at most


class Lis2dw12:
    """One chip; what makes it different from the next one is drawn from the seed."""

    def __init__(
        self,
        acceleration_g: Force,
        clock_us: Clock,
        seed: int | str,
        *,
        ideal: bool = False,
        wakes: bool = False,
    ) -> None:
        self.force, self._clock_us = acceleration_g, clock_us
        self._rng = rng = Random(f"lis2dw12 {seed}")  # noqa: S311 - chance in a game, no secret
        own = 0.0 if ideal else 1.0
        self.offsets_mg = tuple(own * OFFSET_MG * normal(rng) for _ in range(3))
        self.gains = tuple(1 + own * GAIN * normal(rng) for _ in range(3))
        self.clock_error = own * CLOCK * (2 * rng.random() - 1)
        self._density_ug = own * DENSITY_UG
        self._waking = Random(f"waking {seed}") if wakes else None  # noqa: S311 - no secret
        self._pulses = 0  # samples to come that wake, as the high-pass filter settles
        self.powered = True
        self.fault: SensorFault | None = None
        self.identity = AT_RESET[WHO_AM_I]
        self.power_on()

    def power_on(self) -> None:
        self.registers = bytearray(64)
        for register, value in AT_RESET.items():
            self.registers[register] = value
        self._held: tuple[int, int, int] = (0, 0, 0)
        self._next_us = 0.0  # of the oldest sample not read yet
        self._woken = False
        self._configure()

    @property
    def int1(self) -> bool:
        """Whether the pin INT1 is high: here only for a movement while it waits for one."""
        if self._armed and not self._woken:
            self._woken = self._moved()
        return self._woken

    @property
    def _armed(self) -> bool:
        return bool(self.registers[CTRL7] & 0x20 and self.registers[CTRL4] & 0x20)

    def read(self, register: int, count: int) -> bytes:
        """Return the bytes from a register on; the samples' registers go round and round."""
        if OUT_X_L <= register <= OUT_Z_H:
            if register != OUT_X_L or count % 6:
                raise Unmodelled("LIS2DW12", "reading a part of a sample", register)
            return self._samples(count // 6)
        if not READABLE.issuperset(range(register, register + count)):
            raise Unmodelled("LIS2DW12", "reading", register)
        self.registers[FIFO_SAMPLES] = self._fill()
        self.registers[STATUS] = 0x01 if self.registers[FIFO_SAMPLES] & 0x3F else 0x00
        self.registers[WHO_AM_I] = self.identity
        data = bytes(self.registers[register : register + count])
        if register <= ALL_INT_SRC < register + count:
            while self._armed and self._moved():
                pass  # what was felt until now is let go of
            self._woken = False
        return data

    def write(self, register: int, data: bytes) -> None:
        for at, value in enumerate(data, register):
            if at not in WRITABLE or value & MUST_BE_0.get(at, 0):
                raise Unmodelled("LIS2DW12", f"writing 0x{value:02X}", at)
            if at == CTRL2 and value & 0x40:
                self.power_on()
                continue
            arms = at == CTRL7 and not self.registers[at] & 0x20 and value & 0x20
            if self._waking is not None and (arms or (at == CTRL1 and self._armed)):
                self._pulses = 1 + int(SETTLING * self._waking.random())
            self.registers[at] = value
            if at in (CTRL1, CTRL6, FIFO_CTRL):
                self._configure()

    def _configure(self) -> None:
        rate, mode = self.registers[CTRL1] >> 4, self.registers[CTRL1] & 0x0F
        hz = RATES_HZ[rate] if rate < len(RATES_HZ) else 0
        hz = hz if mode >> 2 == 1 else min(hz, 200)
        self._bits = 12 if mode == 0 else 14
        self._step_mg = STEP_MG * (1 << (self.registers[CTRL6] >> 4 & 3)) * (1 << 14 - self._bits)
        self._period_us = 1e6 / hz / (1 + self.clock_error) if hz else 0.0
        noise = self._density_ug * sqrt(hz / 2) / 1000 / self._step_mg
        self._noises = [noise * value for value in NORMAL] if hz else []
        self._gains = tuple(1000 * gain / self._step_mg for gain in self.gains)
        self._zeros = tuple(offset / self._step_mg for offset in self.offsets_mg)
        self._held = (0, 0, 0)
        self._next_us = self._clock_us() + self._period_us

    def _fill(self) -> int:
        """Return FIFO_SAMPLES: how many wait, and whether some were lost."""
        if not self._period_us or self.fault is SensorFault.DEAF:
            return 0
        waiting = int((self._clock_us() - self._next_us) // self._period_us) + 1
        if self.registers[FIFO_CTRL] >> 5 != CONTINUOUS:
            return min(max(waiting, 0), 1)
        if waiting <= DEPTH:
            return max(waiting, 0)
        self._next_us += (waiting - DEPTH) * self._period_us
        return 0x40 | DEPTH

    def _samples(self, count: int) -> bytes:
        fresh = min(count, self._fill() & 0x3F)
        limit = 1 << self._bits - 1
        room = 16 - self._bits
        if self.fault is SensorFault.SATURATED:
            self._held = (limit - 1 << room, -limit << room, limit - 1 << room)
        if self.fault is None:
            values = self._measure(fresh, limit, room)
            self._held = (values[-3], values[-2], values[-1]) if values else self._held
        else:
            values = [*self._held] * fresh
            for _ in range(fresh):
                self._next_us += self._period_us
        values += self._held * (count - fresh)
        return pack(f"<{3 * count}h", *values)

    def _measure(self, count: int, limit: int, room: int) -> list[int]:
        """Return the next samples, one after the other; a table takes five thousand a second."""
        force, random, noises = self.force, self._rng.random, self._noises
        (gain_x, gain_y, gain_z), (zero_x, zero_y, zero_z) = self._gains, self._zeros
        next_us, period_us = self._next_us, self._period_us
        values: list[int] = []
        for _ in range(count):
            felt_x, felt_y, felt_z = force(int(next_us))
            next_us += period_us
            x = round(felt_x * gain_x + zero_x + noises[int(random() * 4096)])
            y = round(felt_y * gain_y + zero_y + noises[int(random() * 4096)])
            z = round(felt_z * gain_z + zero_z + noises[int(random() * 4096)])
            if not (-limit <= x < limit and -limit <= y < limit and -limit <= z < limit):
                x, y, z = (min(max(value, -limit), limit - 1) for value in (x, y, z))
            values += (x << room, y << room, z << room)
        self._next_us = next_us
        return values

    def _moved(self) -> bool:
        """Return whether two samples since the last look differ by more than the threshold."""
        limit = 1 << self._bits - 1
        threshold = (self.registers[WAKE_UP_THS] & 0x3F) * limit // 64
        while self._period_us and self._next_us <= self._clock_us():
            x, y, z = self._measure(1, limit, 0)
            before, self._held = self._held, (x, y, z)
            if self._pulses:
                self._pulses -= 1
                return True
            steps = [abs(new - old) for new, old in zip(self._held, before, strict=True)]
            if any(before) and max(steps) > threshold:
                return True
        return False
