"""The boards in stoppers and hub: the firmware's own source, on simulated hardware.

It must not know what the firmware does; it loads the files by path, as a board would import them.
"""

import importlib
import sys
from collections.abc import Callable
from hashlib import sha256
from random import Random
from types import ModuleType
from typing import Any, Final

from companion import wire
from companion.simulator import flash, stopper_kinds, tabletop, weighing
from companion.simulator.barrel import Barrel
from companion.simulator.cable import Cable
from companion.simulator.chips import board_bus, lis2dw12
from companion.simulator.chips.board_bus import Clock
from companion.simulator.processor import (
    HUB_STEP_US,
    NOTHING_US,
    SEALING_US,
    STOPPER_STEP_US,
    Oscillator,
    Processor,
    SlowClock,
    TimedBus,
)
from companion.simulator.radio import NodeRadio
from companion.simulator.traits import KIND, Imperfections, Trait
from companion.system import errors, paths

FIRMWARE: Final = paths.project_file("firmware")
TICKS: Final = (1 << 30) - 1  # where a board's ticks start over
HUB: Final = bytes.fromhex("7cdfa10000ff")
SECOND_HUB: Final = bytes.fromhex("7cdfa10000fe")
FULL_MV, FLAT_MV = 3900, 3350
MISHAP_US: Final = 500_000  # from an exception until the firmware starts over
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
        raise errors.CompanionError(
            "The firmware's source is not at {folder}; start the simulated table from a complete "
            "copy of the project.",
            folder=FIRMWARE,
        )
    sys.modules.setdefault("wire", wire)
    if str(FIRMWARE) not in sys.path:
        sys.path.insert(0, str(FIRMWARE))
    return importlib.import_module(name)


def chance(trait: Trait, traits: Imperfections, seed: str) -> Random | None:
    """Return what a trait is drawn from, if there is one."""
    if trait not in traits:
        return None
    return Random(f"{trait.value} {seed}")  # noqa: S311 - a game and no secret


Join = Callable[[Processor], NodeRadio]  # puts a board with this processor on the air


class StopperBoard:
    """One stopper's hardware, below the barrel that it closes."""

    def __init__(  # noqa: PLR0913 - what it is connected with, and how it is
        self,
        stopper: int,
        barrel: Barrel,
        join: Join,
        clock_us: Clock,
        *,
        seed: str,
        ppm: float,
        traits: Imperfections = KIND,
        kind: stopper_kinds.StopperKind = stopper_kinds.WEIGHING,
        shine: Callable[[int, tuple[int, ...]], None] = lambda *_: None,
    ) -> None:
        self.traits, self.kind, own = traits, kind, f"{seed} {stopper}"
        works = chance(Trait.STEPS, traits, own)
        self.processor = Processor(clock_us, STOPPER_STEP_US, SEALING_US, works)
        self.unique_id, self.radio = node(stopper), join(self.processor)
        own_us = self.processor.now_us
        self.oscillator = Oscillator(own_us, ppm)
        asleep = chance(Trait.SLEEP, traits, own)
        self._slow_clock = SlowClock(asleep) if asleep else None
        self._room = tabletop.RoomClimate(seed) if Trait.CREEP in traits else None
        self.barrel = barrel
        weighs = weighing.WeighingParts(barrel, self._celsius, own_us, own, traits, kind.cell)
        self.foot, self.load_chip = weighs.foot, weighs.chip
        wakes = Trait.WAKING in traits
        self.motion_chip = lis2dw12.Lis2dw12(weighs.felt, own_us, own, wakes=wakes)
        chips: dict[int, board_bus.Chip] = {MOTION: self.motion_chip}
        if kind.cell is not None:
            chips[LOAD] = self.load_chip
        self.i2c = TimedBus(chips, self.processor)
        self.flash = flash.Flash(key=key(stopper), **weighs.turned_over_once())
        self.disk, self.slot, self.trial = flash.Disk(), "a", False
        self.battery, self.powered, self.lit, self.asleep = FULL_MV, False, False, False
        self.usb_alive, self.usb_host = True, False
        self.cold = True  # it booted from power-on
        self.compiled = True  # what `flash` puts on it; source is compiled at each boot
        self.since_us = 0  # when its firmware began
        # its charging box, while it lies there: by the time, its voltage, and whether that rises
        self.box: Callable[[int], tuple[int, bool]] | None = None
        self._resets = False
        self._nap = 1.0  # the share of the time that it spends in light sleep
        self._clock_us = clock_us
        self._shine = shine
        self.stopper: Any = None  # the firmware, as it runs

    def power_on(self) -> None:
        """Begin a new boot, as after a loss of power."""
        self.motion_chip.power_on()
        self.load_chip.power_on()
        self.wake(cold=True)

    def wake(self, *, cold: bool = False) -> None:
        """Begin a new boot; out of a deep sleep the chips have kept their power."""
        self.cold = cold
        self.oscillator.restart()
        self.powered, self.radio.powered = True, False
        self.asleep = self.lit = False
        self.usb_alive = True
        now_us = self._clock_us()
        self.since_us = now_us + self.processor.boot(compiled=self.compiled)
        self.stopper = None
        if self.since_us == now_us:
            self._begin()

    def power_off(self) -> None:
        """Fall silent."""
        self.powered = self.radio.powered = False

    @property
    def resting(self) -> bool:
        """Whether the firmware sees no movement and expects no answer."""
        return self.stopper is not None and bool(self.stopper.at_rest)

    @property
    def healthy(self) -> bool:
        """Whether bus and chips work."""
        chips = (self.motion_chip, self.load_chip)
        return not self.i2c.stuck and all(chip.powered and not chip.fault for chip in chips)

    def step(self) -> int:
        """Let the firmware do a step that ends now; return in how many µs the next one ends."""
        if self.stopper is None:
            if self._clock_us() < self.since_us:
                return self.since_us - self._clock_us()
            self._begin()
            if self.stopper is None:
                return MISHAP_US
        self.processor.begin()
        self.oscillator.sleep(0.0)
        try:
            wait_us = self.oscillator.true_us(1000 * self.stopper.step())
        except Exception as mishap:  # noqa: BLE001 - firmware may raise anything
            return self._fail(mishap)
        next_us = wait_us + self.processor.end()
        if self._resets:
            self._resets = False
            self.wake(cold=True)
            return max(self.since_us - self._clock_us(), 0)
        if self.stopper.at_rest:
            self.radio.switch(False)
            self._sleep(1.0)
        self._nap = wait_us / max(next_us, 1)
        return max(next_us, 0)

    def doze(self) -> None:
        """Leave steps out; the share of time asleep stays what it is."""
        self._sleep(min(self._nap, 1.0))

    def _begin(self) -> None:
        self.radio.powered = True
        self.slot, self.trial = load("slots").chosen(self.flash)
        files = self.disk.slot(self.slot)  # nothing, before its first update
        first = "stopper.stopper"
        try:
            self.stopper = (flash.imported(files, first) if files else load(first)).Stopper(self)
        except Exception as mishap:  # noqa: BLE001 - firmware may raise anything
            self._fail(mishap)
        self.processor.end()

    def _fail(self, mishap: Exception) -> int:
        """Do as main.py does: note it and start over; if it never worked, the fault is ours."""
        if not self.trial:
            raise mishap
        self.flash.save("mishap", repr(mishap).encode())
        self.stopper, self._resets = None, False
        self.since_us = self._clock_us() + MISHAP_US
        return MISHAP_US

    def _sleep(self, share: float) -> None:
        """Sleep lightly for this share of the time, if the firmware does."""
        if not self.stopper.sleeps:
            return
        if Trait.WAKING in self.traits:
            self.usb_alive = False  # its clock stands, and whoever listens sees it go
        if self._slow_clock is not None:
            self.oscillator.sleep(share * self._slow_clock.ppm())

    def ticks_us(self) -> int:
        """Return the ticks, which start over every 18 minutes."""
        self.processor.look()
        return self.oscillator.us() & TICKS

    def battery_mv(self) -> int:
        """Return the battery's voltage."""
        return self.battery if self.box is None else self.box(self._clock_us())[0]

    def temperature_c(self) -> float:
        return self._celsius(self._clock_us())

    def _celsius(self, at_us: int) -> float:
        warmer_c = self._room.above_usual_c(at_us) if self._room else 0.0
        return self.barrel.temperature_c(at_us) + warmer_c

    def led(self, on: bool) -> None:
        """Switch the light."""
        self.lit = on

    def shine(self, pulses: tuple[int, ...]) -> None:
        """Say a word by infrared light, which begins at once, before the step is over."""
        self._shine(self.processor.now_us(), pulses)

    def moved(self) -> bool:
        """Return whether INT1 is high."""
        return self.motion_chip.int1

    def boxed(self) -> bool:
        """Return whether its charging box gives it power."""
        return self.box is not None

    def charging(self) -> bool:
        return self.box is not None and self.box(self._clock_us())[1]

    def reset(self) -> None:
        """Start over when this step is over; the chips keep their power."""
        self._resets = True

    def plugged(self) -> bool:
        """Return whether a computer is at its USB."""
        return self.usb_host

    def deep_sleep(self) -> None:
        """Sleep until the accelerometer feels a movement."""
        self.asleep = True
        self.radio.switch(False)


class HubBoard:
    """The hub's hardware between its radio and its cable."""

    def __init__(  # noqa: PLR0913 - what it is connected with, and how it is
        self,
        join: Join,
        usb: Cable,
        clock_us: Clock,
        ppm: float,
        *,
        seed: str,
        traits: Imperfections = KIND,
    ) -> None:
        works = chance(Trait.STEPS, traits, seed)
        self.processor = Processor(clock_us, HUB_STEP_US, NOTHING_US, works)
        self.radio, self.usb = join(self.processor), usb
        self.unique_id = self.radio.node
        self.oscillator = Oscillator(self.processor.now_us, ppm)
        self.flash = flash.Flash()
        self.compiled = True
        self._clock_us = clock_us
        self._begins_us = 0
        self._hub: Any = None
        self._resets = False

    def power_on(self) -> None:
        """Begin a new boot."""
        self.oscillator.restart()
        boot_us = self.processor.boot(compiled=self.compiled)
        self._begins_us = self._clock_us() + boot_us
        self._hub = None
        if not boot_us:
            self._begin()

    def step(self) -> int:
        """Let the firmware do a step that ends now; return in how many µs the next one ends."""
        if self._hub is None:
            if self._clock_us() < self._begins_us:
                return self._begins_us - self._clock_us()
            self._begin()
        self.processor.begin()
        wait_us = self.oscillator.true_us(1000 * self._hub.step())
        if self._resets:
            self._resets = False
            self.power_on()
            return max(self._begins_us - self._clock_us(), 0)
        return wait_us + self.processor.end()

    def reset(self) -> None:
        """Start over when this step is over."""
        self._resets = True

    def ticks_us(self) -> int:
        """Return the ticks, which start over every 18 minutes."""
        self.processor.look()
        return self.oscillator.us() & TICKS

    @property
    def listens(self) -> bool:
        """Whether its firmware runs: nobody hears what is sent before that."""
        return self._hub is not None

    @property
    def waiting_us(self) -> int | None:
        """Return when the step that finds the next packet ends."""
        due_us = self.radio.due_us
        return None if due_us is None else due_us + self.processor.takes_us

    def _begin(self) -> None:
        self._hub = load("hub.hub").Hub(self)
        self.processor.end()
