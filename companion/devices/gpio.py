"""GPIO pins through gpiozero, typed: inputs that report edges, dimmable lights, a buzzer.

gpiozero has no types and its backends raise what they like, so only this module names them; what
goes wrong is a `PinError`, if parts are made and used within `USING`. Which pins are used is the
caller's choice: there is no default, and nothing here falls back to other pins.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NewType

import gpiozero
from gpiozero.tones import Tone

Pins = NewType("Pins", object)  # a pin factory of gpiozero
OpenPins = Callable[[], Pins]
# The chips of a Pi's header, by the names that the kernel has for them: Pi 5, 4, and those before.
# Their numbers change from kernel to kernel: on a Pi 5 it was 4, and is 0.
HEADERS: Final = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
DEVICES: Final = Path("/dev")


class PinFault(Enum):
    NOT_INSTALLED = auto()
    NO_CHIP = auto()
    BUSY = auto()
    UNFIT = auto()


class PinError(Exception):
    def __init__(self, fault: PinFault, reason: str) -> None:
        super().__init__(fault, reason)
        self.fault = fault
        self.reason = reason


class _Edge:
    """Makes a `PinError` of all that goes wrong; forty times a second, so it is not a generator."""

    def __init__(self, otherwise: PinFault) -> None:
        self._otherwise = otherwise

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if not isinstance(error, Exception):  # lgpio.error and others share no other base
            return
        reason = str(error) or type(error).__name__
        busy = isinstance(error, gpiozero.GPIOPinInUse) or "busy" in reason.lower()
        raise PinError(PinFault.BUSY if busy else self._otherwise, reason) from error


_OPENING, USING = _Edge(PinFault.NO_CHIP), _Edge(PinFault.UNFIT)


def real_pins() -> Pins:
    """Return the pins of this Pi, through the kernel's gpiochip; raise PinError."""
    if find_spec("lgpio") is None:  # beside the program on an installed table, nowhere else
        raise PinError(PinFault.NOT_INSTALLED, "lgpio")
    with _OPENING:
        import_lgpio()
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - lgpio exists on a Pi only

        number, _ = header() or (None, "")
        return Pins(LGPIOFactory(chip=number))  # without a header gpiozero chooses


def header() -> tuple[int, str] | None:
    """Return number and name of the chip on the header, or None if this is no Pi."""
    import_lgpio()
    lgpio: Any = sys.modules["lgpio"]
    chips: dict[str, int] = {}
    for device in sorted(DEVICES.glob("gpiochip[0-9]*")):
        number = int(device.name.removeprefix("gpiochip"))
        with suppress(Exception):  # one that nobody may open is not ours
            handle = lgpio.gpiochip_open(number)
            chips.setdefault(lgpio.gpio_get_chip_info(handle)[3], number)
            lgpio.gpiochip_close(handle)
    return next(((chips[name], name) for name in HEADERS if name in chips), None)


def chip_name(pins: Pins) -> str | None:
    """Return which chip it is, such as gpiochip0 (pinctrl-rp1); None: not one of the kernel's."""
    number = getattr(pins, "chip", None)
    if number is None or "lgpio" not in sys.modules:
        return None
    on_header = header()
    name = f" ({on_header[1]})" if on_header and on_header[0] == number else ""
    return f"gpiochip{number}{name}"


def import_lgpio() -> None:
    """Import lgpio, which makes a pipe in the folder LG_WD, and leaves the process standing there.

    Without LG_WD it takes the working folder, which a service may not write to. Once imported, it
    has the pipe open and needs its name no more.
    """
    if "lgpio" in sys.modules:
        return
    here = Path.cwd()
    with TemporaryDirectory(prefix="lgpio-") as scratch:
        os.environ["LG_WD"] = scratch
        try:
            import_module("lgpio")
        finally:
            os.chdir(here)
            del os.environ["LG_WD"]


def close_pins(pins: Pins) -> None:
    factory: Any = pins
    with USING:
        factory.close()


class Input:
    """A switch to ground. `changed` is told each edge, from any thread.

    It is told when the kernel saw it, in µs on the clock of the interrupt, and whether it closed.
    The kernel stamps an edge at once, but reads the level later: where edges follow each other as
    quickly as in an infrared word, only one kind of them is watched, `falling`.
    """

    def __init__(
        self, pins: Pins, pin: int, changed: Callable[[int, bool], None], *, falling: bool = False
    ) -> None:
        self._changed = changed
        # No DigitalInputDevice, which tells no times and loses edges if it debounces, and no
        # Button: each has a thread that looks ten times a second whether it is held.
        self._switch: Any = gpiozero.InputDevice(pin, pull_up=True, pin_factory=pins)
        self._switch.pin.bounce = None
        self._switch.pin.edges = "falling" if falling else "both"
        self.watch()

    def _edge(self, ticks_s: float, level: int) -> None:
        self._changed(round(ticks_s * 1e6), not level)

    def closed(self) -> bool:
        return bool(self._switch.is_active)

    def watch(self, on: bool = True) -> None:
        """Report its edges, or do not: then they cost nothing."""
        self._switch.pin.when_changed = self._edge if on else None

    def release(self) -> None:
        self._switch.close()


class Light:
    def __init__(self, pins: Pins, pin: int) -> None:
        self._led: Any = gpiozero.PWMLED(pin, pin_factory=pins)

    def set_brightness(self, brightness: float) -> None:
        """Set the brightness, 0 to 1."""
        self._led.value = brightness

    def release(self) -> None:
        self._led.close()


class Sounder:
    """A buzzer: a passive one plays tones, an active one has its own."""

    def __init__(self, pins: Pins, pin: int, *, passive: bool) -> None:
        self._passive = passive
        if passive:
            self._device: Any = gpiozero.TonalBuzzer(pin, octaves=3, pin_factory=pins)
        else:
            self._device = gpiozero.Buzzer(pin, pin_factory=pins)

    def play(self, frequency_hz: float) -> None:
        """Begin to sound; an active buzzer takes any frequency for its own."""
        if self._passive:
            tone = Tone.from_frequency(frequency_hz)
            low, high = self._device.min_tone, self._device.max_tone
            self._device.play(min(max(tone, low), high))
        else:
            self._device.on()

    def stop(self) -> None:
        if self._passive:
            self._device.stop()
        else:
            self._device.off()

    def release(self) -> None:
        self._device.close()
