"""Health of the computer: free disk, clock, under-voltage and temperature, as sentences.

Files of the system tell it, and whatever is not there cannot be known here. It may be slow, so
whoever shows it asks from a thread of its own.

    for condition in conditions(folder): print(condition)
"""

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
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


def conditions(
    folder: Path,
    system: Path = SYSTEM,
    ask: Callable[[], str] = lambda: says(THROTTLED) or "",  # nothing, where it is no Raspberry Pi
    wall_s: Callable[[], float] = time.time,
) -> tuple[Condition, ...]:
    """Look at card, clock, power and warmth; return how each is, as far as that can be known."""
    celsius = next((milli // 1000 for milli in _numbers(system, ZONE)), None)
    is_set = (system / SYNCHRONISED).exists()
    return (
        card(_free_mb(folder)),
        Condition(_clock(wall_s(), is_set=is_set), 0),
        Condition(_power(system, ask()), 0),
        warmth(celsius),
    )


def card(free_mb: int | None) -> Condition:
    if free_mb is None:
        return Condition(Card.UNKNOWN, 0)
    if free_mb >= ENOUGH_MB:
        return Condition(Card.ENOUGH, 0)
    return Condition(Card.FULL if free_mb < LITTLE_MB else Card.LITTLE, 0, {"mb": free_mb})


def warmth(celsius: int | None) -> Condition:
    if celsius is None:
        return Condition(Warmth.UNKNOWN, 0)
    if celsius < WARM_C:
        return Condition(Warmth.COOL, 0)
    return Condition(Warmth.HOT if celsius >= HOT_C else Warmth.WARM, 0, {"celsius": celsius})


def _clock(wall_s: float, *, is_set: bool) -> Clock:
    if wall_s < BUILT_S:
        return Clock.WRONG
    return Clock.RIGHT if is_set else Clock.ALONE


def _power(system: Path, answer: str) -> PowerSupply:
    """Return how the supply is: a Pi's firmware knows it, and elsewhere perhaps the kernel."""
    if match := re.search(r"0x([0-9a-fA-F]+)", answer):
        bits = int(match[1], 16)
        if bits & UNDER_VOLTAGE:
            return PowerSupply.WEAK
        return PowerSupply.WAS_WEAK if bits & SINCE_START else PowerSupply.GOOD
    alarms = list(_numbers(system, ALARMS))
    if not alarms:
        return PowerSupply.UNKNOWN
    return PowerSupply.WEAK if any(alarms) else PowerSupply.GOOD


# --- reading ----------------------------------------------------------------------------------


def says(command: Sequence[str]) -> str | None:
    """Return what a program says; None: it is not there, or fails."""
    with suppress(OSError, subprocess.SubprocessError):
        return subprocess.run(  # noqa: S603 - a fixed list of words, and no shell
            command, capture_output=True, text=True, timeout=ASK_S, check=True
        ).stdout
    return None


def _free_mb(folder: Path) -> int | None:
    with suppress(OSError):
        disk = os.statvfs(folder)
        return disk.f_bavail * disk.f_frsize // 1_000_000
    return None


def _numbers(system: Path, pattern: str) -> Iterator[int]:
    for path in sorted(system.glob(pattern)):
        with suppress(OSError, ValueError):
            yield int(path.read_text("ascii"))
