"""Diagnoses stoppers: each fault is a sentence that ends with its cure.

Load cells have faults of their own, in `load_cell_faults`, which are told with the others. The
sentence in English is also the key of its translations.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from companion import wire
from companion.sensing import events, load_cell_faults
from companion.sensing.observations import Refused, StopperMessage
from companion.sensing.settings import FaultSettings, Settings
from companion.system.format_names import format_name


@format_name("Ailment")
class StopperFault(Enum):
    """What can be wrong with a stopper, apart from its load cell."""

    OLD_STOPPER = (
        "{stopper:=Stopper|A stopper} speaks another version of the link and is not understood; "
        "flash it again. All the others play on."
    )
    OTHER_DICTIONARY = (
        "The firmware of {stopper:=stopper|a stopper} does not quite fit this program; flash it "
        "again."
    )
    NONSENSE = (
        "{stopper:=Stopper|A stopper} reports impossible values, which are ignored; switch it off "
        "and on, and if that does not help, flash it again. All the others play on."
    )
    SILENT = (
        "{stopper:=Stopper|A stopper} has gone silent; charge it, or bring it nearer to the hub. "
        "Until then people tap what it does."
    )
    BATTERY_LOW = "The battery of {stopper:=stopper|a stopper} is nearly empty; charge it."
    IN_HAND = (
        "{stopper:=Stopper|A stopper} has started in somebody's hand; put it on the table for a "
        "second."
    )
    LYING = "The barrel of {stopper:=stopper|a stopper} lies on its side; pick it up."
    STARTS_OFTEN = (
        "{stopper:=Stopper|A stopper} keeps restarting; look for a loose wire at its battery."
    )
    UNHEARD = (
        "Some of what {stopper:=stopper|a stopper} says is lost; bring the hub nearer, or remove "
        "whatever is in the way."
    )
    MOTION_SILENT = (
        "The motion sensor of {stopper:=stopper|a stopper} does not answer; look at its four "
        "wires. Until then nobody is suspected of peeking with it."
    )
    MOTION_STUCK = (
        "The motion sensor of {stopper:=stopper|a stopper} always shows the same value; switch "
        "the stopper off and on, and if that does not help, change the sensor."
    )
    MOTION_SATURATED = (
        "The motion sensor of {stopper:=stopper|a stopper} is at the end of its range; shake it "
        "less hard, or, if nobody shakes it, change the sensor."
    )
    MOTION_FOREIGN = "{stopper:=Stopper|A stopper} has the wrong motion sensor; fit an LIS2DW12."
    LOAD_FOREIGN = (
        "{stopper:=Stopper|A stopper} has the wrong converter at its load cell; fit an NAU7802."
    )
    BUS_STUCK = (
        "{stopper:=Stopper|A stopper} cannot reach any of its sensors; check whether a wire or "
        "some solder connects SDA or SCL to something else."
    )
    WATCHDOG = (
        "The program of {stopper:=stopper|a stopper} had stopped and was restarted; if it "
        "happens again, flash it again."
    )


BITS: Final = {
    "battery-low": StopperFault.BATTERY_LOW,
    "motion-silent": StopperFault.MOTION_SILENT,
    "motion-stuck": StopperFault.MOTION_STUCK,
    "motion-saturated": StopperFault.MOTION_SATURATED,
    "motion-foreign": StopperFault.MOTION_FOREIGN,
    "load-foreign": StopperFault.LOAD_FOREIGN,
    "bus-stuck": StopperFault.BUS_STUCK,
    "watchdog": StopperFault.WATCHDOG,
}
CHARGING: Final = 1 << wire.POWERED.index("charging")
BY_HEARTBEAT: Final = frozenset({*BITS.values(), StopperFault.UNHEARD})


@dataclass(frozen=True, slots=True)
class StopperHealth:
    boot: int = -1
    began_us: int = 0  # when this boot was first heard
    heard_us: int = 0
    stood: bool = False  # in this boot, on its foot or its head; otherwise it was woken
    boots_us: tuple[int, ...] = ()  # when the newest boots began
    nonsense_us: int = 0  # when it last said something impossible
    ills: frozenset[Enum] = frozenset()


@dataclass(frozen=True, slots=True)
class StopperFaults:
    of: Mapping[int, StopperHealth] = field(default_factory=dict)
    cells: load_cell_faults.CellFaults = field(default_factory=load_cell_faults.CellFaults)

    def ills(self, stopper: int) -> frozenset[Enum]:
        """Return all that is wrong with a stopper now, its cell included."""
        own = self.of[stopper].ills if stopper in self.of else frozenset[Enum]()
        return own | self.cells.ills(stopper)


Seen = StopperMessage | events.BarrelMoved | Refused


def step(
    state: StopperFaults, seen: Seen, settings: Settings
) -> tuple[StopperFaults, tuple[events.FaultsChanged, ...]]:
    """Handle what was seen or told; tell all that is wrong with a stopper if that has changed."""
    health, cells, before = state.of.get(seen.stopper), state.cells, state.ills(seen.stopper)
    after, at_us = _take(health or StopperHealth(), seen, settings.ailing)
    if isinstance(seen, StopperMessage):
        cells = load_cell_faults.step(cells, seen, settings)
    state = StopperFaults({**state.of, seen.stopper: after}, cells)
    ills = state.ills(seen.stopper)
    return state, () if ills == before else (events.FaultsChanged(seen.stopper, ills, at_us),)


def _take(health: StopperHealth, seen: Seen, settings: FaultSettings) -> tuple[StopperHealth, int]:
    match seen:
        case StopperMessage():
            return _feel(health, seen, settings), seen.heard_us
        case Refused(foreign=True):
            return _judge(health, StopperFault.OLD_STOPPER, ill=True), seen.at_us
        case Refused():
            health = replace(health, nonsense_us=seen.at_us)
            return _judge(health, StopperFault.NONSENSE, ill=True), seen.at_us
        case events.BarrelMoved():
            lost, lies = (seen.doing is events.BarrelMotion[name] for name in ("LOST", "LYING"))
            health = _judge(health, StopperFault.LYING, ill=lies and seen.sure)
            return _judge(health, StopperFault.SILENT, ill=lost), seen.moment.at_us


def _feel(health: StopperHealth, felt: StopperMessage, settings: FaultSettings) -> StopperHealth:
    if felt.boot > health.boot:
        health = _begin(health, felt, settings)
    health = _judge(replace(health, heard_us=felt.heard_us), StopperFault.OLD_STOPPER, ill=False)
    match felt.name:
        case "HELLO":
            other = felt.fields["dictionary"] != wire.DICTIONARY_HASH
            return _judge(health, StopperFault.OTHER_DICTIONARY, ill=other)
        case "HEARTBEAT":
            since_us = felt.heard_us - int(settings.nonsense_s * 1e6)
            if health.nonsense_us <= since_us:  # it makes sense again
                health = _judge(health, StopperFault.NONSENSE, ill=False)
            return _beat(health, felt.fields, settings)
        case "SET" | "STILL" | "FLIP":  # nobody holds a barrel that stands on its head, either
            return _judge(replace(health, stood=True), StopperFault.IN_HAND, ill=False)
        case "LIFT" if not health.stood:
            soon_us = health.began_us + int(settings.in_hand_s * 1e6)
            return _judge(health, StopperFault.IN_HAND, ill=felt.moment.at_us < soon_us)
    return health


def _begin(health: StopperHealth, felt: StopperMessage, settings: FaultSettings) -> StopperHealth:
    """Handle a new boot; whatever was wrong in the one before may be over."""
    since_us = felt.heard_us - int(settings.boots_s * 1e6)
    lately = (*(at_us for at_us in health.boots_us if at_us > since_us), felt.heard_us)
    lately = lately[-settings.boots :]
    slept = health.boot < 0 or felt.heard_us - health.heard_us >= settings.asleep_s * 1e6
    health = replace(health, boot=felt.boot, began_us=felt.heard_us, stood=slept, boots_us=lately)
    return _judge(health, StopperFault.STARTS_OFTEN, ill=len(lately) == settings.boots)


def _beat(
    health: StopperHealth, fields: Mapping[str, int], settings: FaultSettings
) -> StopperHealth:
    ills = {ill for name, ill in BITS.items() if fields["faults"] >> wire.FAULTS.index(name) & 1}
    if fields["battery_mv"] < settings.low_mv:
        ills.add(StopperFault.BATTERY_LOW)
    if fields["power"] & CHARGING:
        ills.discard(StopperFault.BATTERY_LOW)
    if fields["unheard"] >= settings.unheard:
        ills.add(StopperFault.UNHEARD)
    return replace(health, ills=health.ills - BY_HEARTBEAT | ills)


def _judge(health: StopperHealth, ailment: StopperFault, *, ill: bool) -> StopperHealth:
    if (ailment in health.ills) is ill:
        return health
    return replace(health, ills=health.ills | {ailment} if ill else health.ills - {ailment})
