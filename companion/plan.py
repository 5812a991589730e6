"""What a table consists of, as a value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random, SystemRandom

from companion import config
from companion.condition import Condition
from companion.devices import gpio
from companion.devices.hub_thread import monotonic_us
from companion.devices.serial_line import Ports, SerialPorts
from companion.present.hands import Hands
from companion.sensing.calibration import Calibration
from companion.stoppers import Stopper


@dataclass(frozen=True, slots=True)
class Pages:
    """Where the pages for phones are served."""

    port: int | None  # None: the usual one or, if that is taken, any that is free
    hands: Hands | None = None  # a person's at a simulated table; None: the table is real


@dataclass(frozen=True, slots=True)
class Plan:
    """What a table consists of, and where it keeps what it must not lose."""

    wiring: config.Table
    folder: Path
    stoppers: tuple[Stopper, ...] = ()
    calibration: Calibration | None = None  # None: the newest that lies in the folder
    ports: Ports = field(default_factory=SerialPorts)
    open_pins: gpio.OpenPins = gpio.real_pins
    clock_us: Callable[[], int] = monotonic_us
    chance: Random = field(default_factory=SystemRandom)
    pages: Pages | None = None  # None: nobody brings a phone
    troubles: tuple[Condition, ...] = ()  # what was found before it began
    simulated: bool = False  # which must be said wherever somebody could take it for real
    record: Path | None = None  # a new file for all that the stoppers and pads say
