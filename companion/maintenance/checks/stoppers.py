"""Checks the stoppers: which are heard, whose battery lasts, what is wrong; and wired parts.

It must not know how they were heard, nor any barrel's number.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from companion.maintenance.checks import computer
from companion.maintenance.checks.result import CheckResult, check_result
from companion.maintenance.stopper_status import ENOUGH_PERCENT, ChargeStage
from companion.maintenance.view import StopperShown
from companion.system import format_names, text
from companion.system.status import Condition, Fine, Status


@format_names.format_name("Heard")
class HeardCheck(Status):
    ALL = Fine("All {count} stoppers of this table are heard.")
    SILENT = (
        "{stoppers:#Stopper|Stoppers} {stoppers:and} {stoppers:#was|were} not heard from; lift "
        "{stoppers:#its barrel|their barrels} to wake {stoppers:#it|them}, and charge what stays "
        "silent."
    )
    NONE = "This table does not know any stoppers yet; run: {program} flash stopper"
    ALIKE = (
        "{stoppers:#Stopper|Stoppers} {stoppers:and} {stoppers:#says|say} the same name to pads as "
        "another one, so there people are asked; flash {stoppers:#it|them} again, for a new key: "
        "{program} flash stopper"
    )


@format_names.format_name("Battery")
class Battery(Status):
    ENOUGH = Fine("Every battery that has reported will last for an evening.")
    LOW = (
        "{stoppers:#The battery of stopper|The batteries of stoppers} {stoppers:and} will not "
        "last for an evening; charge {stoppers:#it|them}."
    )
    UNKNOWN = Fine("No stopper has reported its battery yet.")


@format_names.format_name("Box")
class ChargingBoxCheck(Status):
    CHARGING = Fine(
        "{stoppers:#Stopper|Stoppers} {stoppers:and} {stoppers:#is|are} being charged in the box."
    )
    FULL = Fine("{stoppers:#Stopper|Stoppers} {stoppers:and} in the box {stoppers:#is|are} full.")
    NOT_CHARGING = (
        "{stoppers:#Stopper|Stoppers} {stoppers:and} {stoppers:#lies|lie} in the box and "
        "{stoppers:#does|do} not charge; wipe the contacts, and put {stoppers:#it|them} in again."
    )


@format_names.format_name("HubReach")
class ReachCheck(Status):
    """How well the hub hears them, which mostly is where it stands."""

    GOOD = Fine("The hub hears every stopper well; the weakest comes with {dbm} dBm.")
    WEAK = (
        "{stoppers:#Stopper|Stoppers} {stoppers:and} {stoppers:#reaches|reach} the hub with only "
        "{dbm} dBm, and a hand takes 15 dB of that; move the hub: half a metre away from the Pi, "
        "USB 3 and phones, and in sight of the table."
    )
    LOSSY = (
        "{percent} % of what {stoppers:#stopper|stoppers} {stoppers:and} {stoppers:#says|say} is "
        "lost; move the hub: half a metre away from the Pi, USB 3 and phones, and in sight of the "
        "table. If that does not help, give it another channel."
    )


WEAK_DBM: Final = -60  # standing: less 15 for a hand and 8 for a body is what a careful hub hears
LOSSY_PERCENT: Final = 10
BOXED: Final = {
    ChargeStage.CHARGING: ChargingBoxCheck.CHARGING,
    ChargeStage.FULL: ChargingBoxCheck.FULL,
    ChargeStage.NONE: ChargingBoxCheck.NOT_CHARGING,
}


def judge_stoppers(
    stoppers: Sequence[StopperShown],
    hub_firmware: str | None = None,
    losses: Mapping[int, int] = MappingProxyType({}),
) -> Iterator[CheckResult]:
    """Yield what is to be said of all stoppers of a table, and of the firmware of its boards.

    `losses` is what is lost of the packets of some of them, in percent.
    """
    silent = tuple(stopper.number for stopper in stoppers if stopper.heard_ago_s is None)
    if not stoppers:
        yield check_result("stoppers", HeardCheck.NONE)
    elif silent:
        yield check_result("stoppers", HeardCheck.SILENT, stoppers=silent)
    else:
        yield check_result("stoppers", HeardCheck.ALL, count=len(stoppers))
    yield from _reach(stoppers, losses)
    yield _battery(stoppers)
    for charge, state in BOXED.items():
        if there := tuple(stopper.number for stopper in stoppers if stopper.charge is charge):
            yield check_result("box", state, stoppers=there)
    yield from boards(stoppers, hub_firmware)
    for stopper in stoppers:
        yield from (CheckResult("stoppers", ailment) for ailment in stopper.ailments)


def boards(stoppers: Sequence[StopperShown], hub_firmware: str | None) -> tuple[CheckResult, ...]:
    """Return what is to be said of the firmware of stoppers and hub."""
    versions = {stopper.number: stopper.firmware for stopper in stoppers if stopper.firmware}
    return computer.judge_firmware(versions, hub_firmware)


def _reach(stoppers: Sequence[StopperShown], losses: Mapping[int, int]) -> Iterator[CheckResult]:
    heard = [stopper for stopper in stoppers if stopper.rssi_dbm is not None]
    strengths = {stopper.number: stopper.rssi_dbm or 0 for stopper in heard}
    weak = tuple(number for number, dbm in strengths.items() if dbm < WEAK_DBM)
    lossy = tuple(number for number, percent in losses.items() if percent >= LOSSY_PERCENT)
    if weak:
        dbm = min(strengths[number] for number in weak)
        yield check_result("radio", ReachCheck.WEAK, stoppers=weak, dbm=dbm)
    if lossy:
        percent = max(losses[number] for number in lossy)
        yield check_result("radio", ReachCheck.LOSSY, stoppers=lossy, percent=percent)
    if strengths and not weak and not lossy:
        yield check_result("radio", ReachCheck.GOOD, dbm=min(strengths.values()))


def _battery(stoppers: Sequence[StopperShown]) -> CheckResult:
    charges = {
        stopper.number: stopper.battery_percent
        for stopper in stoppers
        if stopper.battery_percent is not None and stopper.charge is not ChargeStage.CHARGING
    }
    low = tuple(number for number, percent in charges.items() if percent < ENOUGH_PERCENT)
    if low:
        return check_result("batteries", Battery.LOW, stoppers=low)
    return check_result("batteries", Battery.ENOUGH if charges else Battery.UNKNOWN)


WELL: Final = 0.85  # of the words that begin at a pad end well there, with clean windows


@format_names.format_name("Names")
class NamesCheck(Status):
    """How well a pad reads what barrels say to it."""

    READS = Fine("The pad of {seat} (GPIO {pin}) read {words} words, {percent} % of all.")
    NOTHING = Fine(
        "The pad of {seat} (GPIO {pin}) has read no name in {seconds} seconds; if a barrel stands "
        "on it that was moved just now, check the receiver."
    )
    POORLY = (
        "The pad of {seat} (GPIO {pin}) could read only {words} words, {percent} % of all; clean "
        "its window and the barrel's, and keep lamps and the sun away from it."
    )


@dataclass(frozen=True, slots=True)
class NamesRead:
    """What a pad's receiver came to."""

    seat: text.SeatName
    pin: int
    words: int
    damaged: int


def judge_names(read: Sequence[NamesRead], seconds: int) -> Iterator[CheckResult]:
    """Yield how well each pad reads."""
    for pad in read:
        values = {"seat": pad.seat, "pin": pad.pin, "words": pad.words}
        begun = pad.words + pad.damaged
        if not begun:
            yield check_result("names", NamesCheck.NOTHING, seconds=seconds, **values)
            continue
        state = NamesCheck.READS if pad.words >= WELL * begun else NamesCheck.POORLY
        yield check_result("names", state, percent=round(100 * pad.words / begun), **values)


NO_CHIP = "NO_CHIP"  # what such a part says where there are no pins at all


@format_names.format_name("Pins")
class PinsCheck(Status):
    """How all that hangs on the GPIO pins is, where one sentence says it of all."""

    WORK = Fine("All parts on the GPIO pins can be used: {count}.")
    WORK_ON = Fine("All parts on the GPIO pins can be used: {count}, on {chip}.")
    NONE = (
        "The GPIO pins cannot be used ({reason}), so pads, buttons, seat lights and buzzer do "
        "not work; on a Pi, add the user to the group gpio and log in again."
    )


def judge_parts(
    conditions: Sequence[Condition], header: str | None = None
) -> Iterator[CheckResult]:
    """Yield how each part is, and what hangs on the pins at once, if it is the same for all."""
    wired = [condition for condition in conditions if "pin" in condition.values]
    yield from (
        CheckResult("parts", condition) for condition in conditions if condition not in wired
    )
    chip = [condition for condition in wired if condition.state.name == NO_CHIP]
    if chip:
        yield check_result("gpio", PinsCheck.NONE, reason=chip[0].values["reason"])
        return
    ill = {
        str(condition): condition for condition in wired if not condition.state.fine
    }  # what all say is said once
    yield from (CheckResult("gpio", condition) for condition in ill.values())
    if wired and not ill:
        if header is None:
            yield check_result("gpio", PinsCheck.WORK, count=len(wired))
        else:
            yield check_result("gpio", PinsCheck.WORK_ON, count=len(wired), chip=header)
