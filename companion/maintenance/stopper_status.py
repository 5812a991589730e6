"""Status of each stopper: when it was heard, signal, battery, charging, firmware, how it is held.

It must not know a load beyond whether something stands on the foot, nor any barrel's number.
"""

from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import Final

from companion import wire
from companion.devices.firmware import image
from companion.sensing import evidence, observations
from companion.system import errors
from companion.system.format_names import format_name

UPDATES: Final = 1 << wire.CAN.index("update")
TRAIL: Final = 40  # points: ten seconds of somebody's hand
ENOUGH_SENT: Final = 20  # packets that say something about those that are lost
LATELY: Final = 400  # packets after which what was before counts half
MOST_MISSED: Final = 40  # one after the other
EMPTY_MV, LOW_MV = 3_300, 3_500  # at the second the firmware says that an hour is left
ENOUGH_PERCENT: Final = 30  # at 10 an hour is left; an evening has three
CELL: Final = (  # what a small cell shows while it is used, and how full it is then
    (EMPTY_MV, 0), (LOW_MV, 10), (3_600, 20), (3_700, 35), (3_800, 55), (3_900, 70), (4_000, 83),
    (4_100, 94), (4_180, 100),
)  # fmt: skip


@format_name("Charge")
class ChargeStage(Enum):
    """What the charging box does with a stopper that lies in it, as people are told it."""

    CHARGING = "charging in the box"
    FULL = "in the box, full"
    NONE = "in the box, but not charging"  # it gives power, and the cell takes none

    @property
    def said(self) -> str:
        return self.value


@format_name("TrailPoint")
@dataclass(frozen=True, slots=True)
class TrailPoint:
    """How a barrel was held at a moment, for a plot that goes on."""

    at_ms: int
    tilt_deg: int
    deviation_permille: int
    stands: bool


@dataclass(frozen=True, slots=True)
class StopperStatus:
    heard_us: int
    rssi_dbm: int
    battery_percent: int | None = None
    firmware: str | None = None
    trail: tuple[TrailPoint, ...] = ()
    charge: ChargeStage | None = None  # None: it is not in the box
    updates: bool = False  # whether it can be updated by radio
    heard: int = 0  # packets, of late…
    missed: int = 0  # …and what never came in between

    @property
    def lost_percent(self) -> int | None:
        """Return what share of its packets is lost, once it has sent enough."""
        if self.heard + self.missed < ENOUGH_SENT:
            return None
        return round(100 * self.missed / (self.heard + self.missed))

    @property
    def lasting_percent(self) -> int | None:
        """Return how full it is, if that can be told: a cell shows too much while it charges."""
        return None if self.charge is ChargeStage.CHARGING else self.battery_percent


def updated_status(
    before: StopperStatus | None, seen: observations.Observation, *, open_: bool
) -> StopperStatus:
    """Return what is known after one more message; how it is held only while that is open."""
    vitals = before or StopperStatus(seen.at_us, seen.rssi)
    heard, missed = vitals.heard + 1, vitals.missed + (seen.gap if before is not None else 0)
    if seen.gap > MOST_MISSED:  # it was away, or in another boot
        heard, missed = 1, 0
    if heard + missed > LATELY:
        heard, missed = heard // 2, missed // 2
    vitals = replace(vitals, heard_us=seen.at_us, rssi_dbm=seen.rssi, heard=heard, missed=missed)
    fields = seen.fields
    match seen.name:
        case "HELLO":
            updates = bool(fields["can"] & UPDATES)
            return replace(vitals, firmware=version_text(fields["firmware"]), updates=updates)
        case "HEARTBEAT":
            full = battery_percent(fields["battery_mv"])
            return replace(vitals, battery_percent=full, charge=charge_stage(fields["power"]))
        case "FEATURES" if open_:
            point = TrailPoint(
                seen.at_us // 1000,
                round(fields["tilt_cdeg"] / 100),
                fields["deviation_permille"],
                fields["load_mg"] > evidence.STANDS_MG,
            )
            return replace(vitals, trail=(*vitals.trail, point)[-TRAIL:])
    return vitals


def charge_stage(power: int) -> ChargeStage | None:
    """Return what the bits of a heartbeat say of the box.

    >>> charge_stage(0), [charge_stage(bits).name for bits in (0b001, 0b011, 0b101)]
    (None, ['NONE', 'CHARGING', 'FULL'])
    """
    names = {name for bit, name in enumerate(wire.POWERED) if power >> bit & 1}
    if "box" not in names:
        return None
    if "charging" in names:
        return ChargeStage.CHARGING
    return ChargeStage.FULL if "full" in names else ChargeStage.NONE


def battery_percent(battery_mv: int) -> int:
    """Return how full a cell is, as far as its voltage tells.

    >>> [battery_percent(mv) for mv in (3000, 3500, 3750, 4300)]
    [0, 10, 45, 100]
    """
    for (low_mv, low), (high_mv, high) in pairwise(CELL):
        if battery_mv < high_mv:
            return max(0, low + (high - low) * (battery_mv - low_mv) // (high_mv - low_mv))
    return 100


@cache
def shipped_version(kind: str) -> str | None:
    """Return the version of a board's firmware that came with this program; None: none did."""
    with suppress(errors.CompanionError):
        return version_text(image.version(image.KINDS[kind]))
    return None


def version_text(firmware: int) -> str:
    """Return a firmware version as people write it.

    >>> version_text(0x000100), version_text(0x010203)
    ('0.1.0', '1.2.3')
    """
    return f"{firmware >> 16}.{firmware >> 8 & 255}.{firmware & 255}"
