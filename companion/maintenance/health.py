"""Health of the computer: free disk, clock, under-voltage and temperature, as sentences.

`read` looks at files of the system, and whatever is not there cannot be known here; `judge` is
pure. It may be slow, so whoever shows it asks from a thread of its own.

    for condition in judge(read(folder)): print(condition)
"""

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.system.format_names import format_name
from companion.system.status import Condition, Fine, Status

SYSTEM: Final = Path("/")
SYNCHRONISED: Final = "run/systemd/timesync/synchronized"
ALARMS: Final = "sys/class/hwmon/hwmon*/in0_lcrit_alarm"
ZONE: Final = "sys/class/thermal/thermal_zone0/temp"
THROTTLED: Final = ("/usr/bin/vcgencmd", "get_throttled")
UNDER_VOLTAGE, SINCE_START = 1 << 0, 1 << 16  # bits of what it answers
ASK_S: Final = 5.0

ENOUGH_MB: Final = 500  # a match takes less than one; the rest is for the system itself
LITTLE_MB: Final = 50
BUILT_S: Final = 1_767_225_600  # 2026-01-01: no true clock is before this program was written
WARM_C, HOT_C = 70, 80  # at 80 a Pi slows down


@format_name("Card")
class Card(Status):
    ENOUGH = Fine("The card has enough room.")
    LITTLE = "The card has only {mb} MB left; remove what you do not need."
    FULL = "The card is nearly full ({mb} MB left); make room before you play."
    UNKNOWN = Fine("This computer does not say how much room the card has.")


@format_name("Clock")
class Clock(Status):
    """Whether the wall clock can be right; play never depends on it."""

    RIGHT = Fine("The clock is set by the network.")
    ALONE = Fine(
        "The clock runs without the network, so it may be wrong; play does not depend on it."
    )
    WRONG = (
        "The clock is wrong, so matches get wrong dates; connect the computer to the network once. "
        "Play does not depend on it."
    )


@format_name("Power")
class PowerSupply(Status):
    GOOD = Fine("The power supply is strong enough.")
    WEAK = "The power supply is too weak right now; use the one made for this computer."
    WAS_WEAK = (
        "The power supply has been too weak since start-up; use the one made for this computer, "
        "and a short cable."
    )
    UNKNOWN = Fine("This computer does not say whether its power supply is strong enough.")


@format_name("Warmth")
class Warmth(Status):
    COOL = Fine("The computer is not too warm.")
    WARM = "The computer is warm ({celsius} °C); give it some air."
    HOT = "The computer is too hot ({celsius} °C) and has slowed down; give it air, or a heat sink."
    UNKNOWN = Fine("This computer does not say how warm it is.")


@dataclass(frozen=True, slots=True)
class Readings:
    """What was read; None: that cannot be known here."""

    free_mb: int | None
    wall_s: float
    synchronised: bool
    weak: bool | None  # the supply, now
    was_weak: bool | None  # or at any time since the start
    celsius: int | None


def judge(read: Readings) -> tuple[Condition, ...]:
    """Return how card, clock, power and warmth are."""
    mb, celsius = {"mb": read.free_mb}, {"celsius": read.celsius}
    return (
        Condition(card := _card(read.free_mb), 0, mb if "{mb}" in card.template else {}),
        Condition(_clock(read), 0),
        Condition(_power(read), 0),
        Condition(warmth := _warmth(read.celsius), 0, celsius if "{c" in warmth.template else {}),
    )


def _card(free_mb: int | None) -> Card:
    if free_mb is None:
        return Card.UNKNOWN
    if free_mb < LITTLE_MB:
        return Card.FULL
    return Card.ENOUGH if free_mb >= ENOUGH_MB else Card.LITTLE


def _clock(read: Readings) -> Clock:
    if read.wall_s < BUILT_S:
        return Clock.WRONG
    return Clock.RIGHT if read.synchronised else Clock.ALONE


def _power(read: Readings) -> PowerSupply:
    if read.weak:
        return PowerSupply.WEAK
    if read.was_weak:
        return PowerSupply.WAS_WEAK
    return PowerSupply.UNKNOWN if read.weak is None else PowerSupply.GOOD


def _warmth(celsius: int | None) -> Warmth:
    if celsius is None:
        return Warmth.UNKNOWN
    if celsius >= HOT_C:
        return Warmth.HOT
    return Warmth.WARM if celsius >= WARM_C else Warmth.COOL


# --- reading ----------------------------------------------------------------------------------


def says(command: Sequence[str]) -> str | None:
    """Return what a program says; None: it is not there, or fails."""
    with suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(  # noqa: S603 - a fixed list of words, and no shell
            command, capture_output=True, text=True, timeout=ASK_S, check=True
        ).stdout
    return None


def throttled() -> str:
    """Return what a Raspberry Pi's firmware says of its power; nothing elsewhere."""
    return says(THROTTLED) or ""


def read(
    folder: Path,
    system: Path = SYSTEM,
    ask: Callable[[], str] = throttled,
    wall_s: Callable[[], float] = time.time,
) -> Readings:
    """Read all that can be known here."""
    weak, was_weak = _supply(system, ask)
    return Readings(
        _free_mb(folder),
        wall_s(),
        (system / SYNCHRONISED).exists(),
        weak,
        was_weak,
        next((milli // 1000 for milli in _numbers(system, ZONE)), None),
    )


def _free_mb(folder: Path) -> int | None:
    with suppress(OSError):
        disk = os.statvfs(folder)
        return disk.f_bavail * disk.f_frsize // 1_000_000
    return None


def _supply(system: Path, ask: Callable[[], str]) -> tuple[bool | None, bool | None]:
    """Return whether the supply is too weak now, and whether it was; the firmware knows both."""
    if match := re.search(r"0x([0-9a-fA-F]+)", ask()):
        bits = int(match[1], 16)
        return bool(bits & UNDER_VOLTAGE), bool(bits & SINCE_START)
    alarms = list(_numbers(system, ALARMS))
    return (any(alarms), None) if alarms else (None, None)


def _numbers(system: Path, pattern: str) -> Iterator[int]:
    for path in sorted(system.glob(pattern)):
        with suppress(OSError, ValueError):
            yield int(path.read_text("ascii"))
