"""The boards in stoppers and hub: the firmware's own source, on simulated hardware.

It must not know what the firmware does; it loads the files by path, as a board would import them.
"""

from __future__ import annotations

import importlib
import struct
import sys
from hashlib import sha256
from random import Random
from types import ModuleType
from typing import Any, Final, Protocol

from companion import wire
from companion.errors import CompanionError
from companion.project_files import project_file
from companion.simulator.air import Radio
from companion.simulator.barrel import Barrel
from companion.simulator.chips.board_bus import BoardBus, Clock
from companion.simulator.chips.lis2dw12 import Lis2dw12
from companion.simulator.chips.load_cell import COUNTS_PER_G
from companion.simulator.chips.nau7802 import Nau7802
from companion.simulator.foot import Foot
from companion.simulator.mounting import Force, askew_rad, mounted
from companion.simulator.room import Room
from companion.simulator.traits import USUAL, Trait, Traits

FIRMWARE: Final = project_file("firmware")
TICKS: Final = (1 << 30) - 1  # where a board's ticks begin anew
HUB: Final = bytes.fromhex("7cdfa10000ff")
FULL_MV, FLAT_MV = 3900, 3350
MOTION, LOAD = 0x19, 0x2A


def node(stopper: int) -> bytes:
    """Return the radio id of a simulated stopper, 1 to 13.

    >>> node(13).hex(":")
    '7c:df:a1:00:00:0d'
    """
    return HUB[:5] + bytes((stopper,))


def key(stopper: int) -> bytes:
    """Return its key, which everybody may know: there is nothing to protect."""
    return sha256(b"simulated stopper" + node(stopper)).digest()[:16]


def load(name: str) -> ModuleType:
    """Return a module of the firmware, such as `stopper.stopper`."""
    if not FIRMWARE.is_dir():
        raise CompanionError(
            "The firmware's source is not at {folder}; start the simulated table from a whole copy "
            "of the project.",
            folder=FIRMWARE,
        )
    sys.modules.setdefault("wire", wire)
    if str(FIRMWARE) not in sys.path:
        sys.path.insert(0, str(FIRMWARE))
    return importlib.import_module(name)


class Oscillator:
    """A board's own clock, some millionths too fast or too slow."""

    def __init__(self, clock_us: Clock, ppm: float) -> None:
        self._clock_us, self.ppm = clock_us, ppm
        self._since_us, self._shown_us = clock_us(), 0

    def us(self) -> int:
        """Return what it shows."""
        passed_us = self._clock_us() - self._since_us
        return self._shown_us + passed_us + round(passed_us * self.ppm / 1e6)

    def drift(self, ppm: float) -> None:
        """Go at another speed from now on, without a jump."""
        self._shown_us, self._since_us, self.ppm = self.us(), self._clock_us(), ppm

    def restart(self) -> None:
        """Begin at 0."""
        self._shown_us, self._since_us = 0, self._clock_us()

    def true_us(self, own_us: int) -> int:
        """Return how long a span on this clock truly is."""
        return round(own_us / (1 + self.ppm / 1e6))


class Flash(dict[str, bytes]):
    """Named bytes that outlive a boot."""

    def load(self, name: str) -> bytes | None:
        """Return what was saved, or None."""
        return self.get(name)

    def save(self, name: str, data: bytes) -> None:
        """Save something."""
        self[name] = bytes(data)


class Usb(Protocol):
    """The hub's end of the serial line."""

    def read(self) -> bytes:
        """Return what has come."""

    def write(self, data: bytes) -> int:
        """Return how many bytes were taken."""


class StopperBoard:
    """One stopper's hardware, below the barrel that it closes."""

    def __init__(  # noqa: PLR0913 - what it is connected with, and how it is
        self,
        stopper: int,
        barrel: Barrel,
        radio: Radio,
        clock_us: Clock,
        *,
        seed: str,
        ppm: float,
        traits: Traits = USUAL,
    ) -> None:
        self.traits = traits
        self.unique_id, self.radio, self.oscillator = (
            node(stopper),
            radio,
            Oscillator(clock_us, ppm),
        )
        self.barrel = barrel
        force: Force = barrel.acceleration_g
        if Trait.MOUNTING in traits:
            rng = Random(f"mounting {seed} {stopper}")  # noqa: S311 - a game and no secret
            force = mounted(force, askew_rad(rng))
        self.motion_chip = Lis2dw12(force, clock_us, f"{seed} {stopper}")
        self._room = Room(seed) if Trait.CREEP in traits else None
        self.foot = Foot(barrel.load_g, self._push_g, f"{seed} {stopper}", traits)
        self.load_chip = Nau7802(
            self.foot.force_g, self._celsius, clock_us, f"{seed} {stopper}", traits=traits
        )
        self.i2c = BoardBus({MOTION: self.motion_chip, LOAD: self.load_chip})
        zero = round(self.load_chip.cell.zero_g * COUNTS_PER_G)
        self.flash = Flash(key=key(stopper), zero=struct.pack("<i", zero))
        self.battery, self.powered, self.lit, self.asleep = FULL_MV, False, False, False
        self.since_us = 0  # when it booted
        self._clock_us = clock_us
        self._stopper: Any = None

    def power_on(self) -> None:
        """Begin a new boot, as after a loss of power."""
        self.motion_chip.power_on()
        self.load_chip.power_on()
        self.wake()

    def wake(self) -> None:
        """Begin a new boot; the chips have kept their power."""
        self.oscillator.restart()
        self.powered = self.radio.powered = True
        self.asleep = self.lit = False
        self.since_us = self._clock_us()
        self._stopper = load("stopper.stopper").Stopper(self)

    def power_off(self) -> None:
        """Fall silent."""
        self.powered = self.radio.powered = False

    @property
    def resting(self) -> bool:
        """Whether the firmware sees no movement and expects no answer."""
        return bool(self._stopper.at_rest)

    @property
    def healthy(self) -> bool:
        """Whether bus and chips work."""
        chips = (self.motion_chip, self.load_chip)
        return not self.i2c.stuck and all(chip.powered and not chip.fault for chip in chips)

    def step(self) -> int:
        """Let the firmware do one step; return after how many true µs it wants to go on."""
        wait_ms = self._stopper.step()
        if self._stopper.at_rest:
            self.radio.sleep()
        return self.oscillator.true_us(1000 * wait_ms)

    def ticks_us(self) -> int:
        """Return the ticks, which begin anew every 18 minutes."""
        return self.oscillator.us() & TICKS

    def battery_mv(self) -> int:
        """Return the battery's voltage."""
        return self.battery

    def temperature_c(self) -> float:
        """Return the temperature."""
        return self._celsius(self._clock_us())

    def _celsius(self, at_us: int) -> float:
        warmer_c = self._room.above_usual_c(at_us) if self._room else 0.0
        return self.barrel.temperature_c(at_us) + warmer_c

    def _push_g(self, at_us: int) -> float:
        return self.barrel.acceleration_g(at_us)[2]

    def led(self, on: bool) -> None:
        """Switch the light."""
        self.lit = on

    def deep_sleep(self) -> None:
        """Sleep until the accelerometer feels a movement."""
        self.asleep = True
        self.radio.sleep()


class HubBoard:
    """The hub's hardware between its radio and its cable."""

    def __init__(self, radio: Radio, usb: Usb, clock_us: Clock, ppm: float) -> None:
        self.unique_id, self.radio, self.usb = HUB, radio, usb
        self.oscillator = Oscillator(clock_us, ppm)
        self.flash = Flash()
        self._hub: Any = None

    def power_on(self) -> None:
        """Begin a new boot."""
        self.oscillator.restart()
        self._hub = load("hub.hub").Hub(self)

    def step(self) -> int:
        """Let the firmware do one step; return after how many true µs it wants to go on."""
        return self.oscillator.true_us(1000 * self._hub.step())

    def ticks_us(self) -> int:
        """Return the ticks, which begin anew every 18 minutes."""
        return self.oscillator.us() & TICKS
