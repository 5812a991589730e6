"""The light driver IS31FL3729 by its registers, and the light that comes out of it.

A wiring says, for each light, its switch line SW and its current sinks CS for red, green and blue.
What a driver should not do is recorded in `strays`.

Who else says so: *Q*, the driver of QMK (drivers/led/issi/is31fl3729); *A*, the Arduino library
avivgr/IS31FL3729_LED_Matrix. Beyond what they name it is Lumissil's data sheet, revision D, alone,
as we read it; what is marked "unverified" nothing of ours may need.

    chip.write(bytes([0x01, 255]))      # register 0x01 and on: SW1's sinks CS1, CS2, …
    chip.lights()[0]                    # (0, 0, 0): still shut down
"""

from collections import deque
from collections.abc import Sequence
from typing import Final

Rgb = tuple[int, int, int]

PWM, PWM_END = 0x01, 0x90  # 16·(SW−1)+CS, without pages (Q, A)
SCALING, SCALING_END = 0x90, 0xA0  # one for each CS (Q, A)
CONFIG: Final = 0xA0  # bits 7–4: which switch lines run; 0: normal operation (Q, A)
GLOBAL_CURRENT: Final = 0xA1  # (Q, A); 0 to 64 (Q takes 64 as the most)
PULLS, SPREAD, PWM_FREQUENCY = 0xB0, 0xB1, 0xB2  # (Q, A)
FAULTS, FAULTS_END = 0xB3, 0xC5  # open or short (A); that it is read-only is unverified
RESET, RESET_VALUE = 0xCF, 0xAE  # (A; Q knows the register)

AT_RESET: Final = {PULLS: 0x33, PWM_FREQUENCY: 0x01}  # all others 0: unverified
WRITABLE: Final = frozenset((*range(PWM, CONFIG + 2), PULLS, SPREAD, PWM_FREQUENCY, RESET))
CURRENT_STEPS: Final = 64


class IS31FL3729:
    """One chip; its pin AD, tied to ground, makes it 0x34."""

    def __init__(self, wiring: Sequence[tuple[int, int, int, int]]) -> None:
        self.wiring = tuple(wiring)
        self.registers = bytearray(256)
        self.pointer = 0
        self.resets = 0
        self.strays: deque[tuple[int, int]] = deque(maxlen=256)  # register, value
        self.power_on()

    def power_on(self) -> None:
        self.registers[:] = bytes(256)
        for register, value in AT_RESET.items():
            self.registers[register] = value
        self.pointer = 0

    def write(self, data: bytes) -> None:
        """Take a register's number and the values for it and those after it."""
        if not data:
            return
        self.pointer = data[0]
        for value in data[1:]:
            self._set(self.pointer, value)
            self.pointer = (self.pointer + 1) % 256

    def _set(self, register: int, value: int) -> None:
        beyond = register == GLOBAL_CURRENT and value > CURRENT_STEPS
        wrong_key = register == RESET and value != RESET_VALUE
        if register not in WRITABLE or beyond or wrong_key:
            self.strays.append((register, value))
        elif register == RESET:
            self.resets += 1
            self.power_on()
        else:
            self.registers[register] = value

    @property
    def switch_lines(self) -> int:
        """Return how many switch lines run, SW1 first."""
        mode = self.registers[CONFIG] >> 4
        return 9 - mode if mode < 8 else 9

    def lights(self) -> tuple[Rgb, ...]:
        """Return what an eye would see: 255 is all that the chip can give."""
        level = self._level
        return tuple((level(sw, r), level(sw, g), level(sw, b)) for sw, r, g, b in self.wiring)

    def _level(self, sw: int, cs: int) -> int:
        mode = self.registers[CONFIG]
        dark = not mode & 1 or sw > self.switch_lines or (cs == 16 and mode >> 4 == 0)
        if dark:
            return 0
        pwm = self.registers[16 * (sw - 1) + cs]
        scaling = self.registers[SCALING + cs - 1]
        current = self.registers[GLOBAL_CURRENT]
        return round(pwm * scaling * current / (255 * CURRENT_STEPS))
