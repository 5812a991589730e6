"""Diagnoses load cells: silent, stuck, saturated, noisy, drifting or changed; and finds their gain.

Each fault rests on evidence that a healthy cell hardly ever gives, and goes when a healthy
message comes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from math import hypot

from companion import wire
from companion.sensing import observations
from companion.sensing.settings import Settings, WeighingSettings
from companion.sensing.weighing import WEIGH, Mass, foot_swing_fits
from companion.system.format_names import format_name


@format_name("Cell")
class CellFault(Enum):
    """How a load cell can be ill, as a sentence with its cure."""

    SILENT = (
        "The load cell of {stopper:=stopper|a stopper} does not answer: look at the four wires to "
        "its converter; until then people tap who placed it."
    )
    STUCK = (
        "The load cell of {stopper:=stopper|a stopper} always shows the same value: check that "
        "the foot ring moves freely, and that the cell's wires hold."
    )
    SATURATED = (
        "The load cell of {stopper:=stopper|a stopper} is at the end of its range: look for a "
        "broken wire at the cell, or for something that wedges the foot ring."
    )
    NOISY = (
        "The load cell of {stopper:=stopper|a stopper} is never steady: look for a loose wire, "
        "and for something that touches the foot ring."
    )
    DRIFTING = (
        "The load cell of {stopper:=stopper|a stopper} drifts: let it stand for ten minutes to "
        "warm up; if it goes on, the cell was overloaded or its glue gives way, and it needs a new "
        "one."
    )
    CHANGED = (
        "The load cell of {stopper:=stopper|a stopper} feels its foot differently from before: "
        "check whether something sticks to the foot or wedges its ring; until a flip fits again, "
        "its weights are not trusted."
    )


@dataclass(frozen=True, slots=True)
class CellHealth:
    boot: int
    ills: frozenset[CellFault] = frozenset()
    raws: tuple[int, ...] = ()  # of the newest heartbeats
    stood_raw: int | None = None  # of the first heartbeat since it stands untouched…
    stood_cc: int = 0  # …and how warm it was
    down_us: int | None = None  # when it was set down, as long as it was not weighed
    weighed: bool = False  # since it stands: no hand is on it, and the converter is awake
    noisy: int = 0  # weights in a row
    drifting: int = 0  # heartbeats in a row
    weighs: bool = True  # otherwise it has no cell that could be ill
    foot_mg: int = 0  # as weighing has it
    event: int | None = None  # number of the newest lift, set-down or weight


@dataclass(frozen=True, slots=True)
class CellFaults:
    of: Mapping[int, CellHealth] = field(default_factory=dict)

    def ills(self, stopper: int) -> frozenset[CellFault]:
        """Return all that is wrong with a stopper's cell now."""
        return self.of[stopper].ills if stopper in self.of else frozenset()


def step(state: CellFaults, felt: observations.StopperMessage, settings: Settings) -> CellFaults:
    """Handle a message: it may tell that something is wrong with its cell, or no more."""
    before = state.of.get(felt.stopper, CellHealth(felt.boot))
    if felt.boot < before.boot:
        return state
    after = (
        before
        if felt.boot == before.boot
        else CellHealth(felt.boot, before.ills, weighs=before.weighs)
    )
    if felt.gap:  # what was missed may have been a weight, or a hand
        after = replace(after, down_us=None, stood_raw=None, drifting=0)
    after = _take(after, felt, settings.weighing)
    restless = sum(cell.noisy > 0 for stopper, cell in state.of.items() if stopper != felt.stopper)
    if restless >= settings.weighing.restless:  # then it is the table, or the music
        after = _judge(after, CellFault.NOISY, ill=False)
    return CellFaults({**state.of, felt.stopper: after})


def _take(
    health: CellHealth, felt: observations.StopperMessage, settings: WeighingSettings
) -> CellHealth:
    fields, at_us = felt.fields, felt.moment.at_us
    if felt.name in ("LIFT", "SET", "STILL"):
        number = fields["event"]
        if (
            health.event is not None
            and (number - health.event) % observations.EVENT_NUMBERS
            > observations.EVENT_NUMBERS // 2
        ):
            return health  # it came late, and is over
        health = replace(health, event=number)
    match felt.name:
        case "HELLO":
            return replace(health, weighs=bool(fields["can"] & WEIGH))
        case "FLIP":
            well = CellFault.CHANGED not in health.ills
            fits = foot_swing_fits(fields, health.foot_mg, settings, before=well)
            return _judge(health, CellFault.CHANGED, ill=not fits)
        case "HEARTBEAT" if not health.weighs:
            return replace(health, ills=frozenset())
        case "HEARTBEAT":
            return _beat(health, fields, at_us, settings)
        case "SET":
            return replace(health, down_us=at_us, stood_raw=None, drifting=0, weighed=False)
        case "LIFT" | "FEATURES":
            health = replace(health, down_us=None, stood_raw=None, drifting=0)
            if felt.name == "LIFT":
                return _judge(replace(health, weighed=False), CellFault.STUCK, ill=False)
            return _upside_down(health, fields, settings)
        case "STILL":
            noisy = health.noisy + 1 if fields["spread_mg"] > settings.noisy_spread_mg else 0
            foot_mg = fields.get("foot_mg", 0)
            health = replace(health, down_us=None, noisy=noisy, weighed=True, foot_mg=foot_mg)
            if noisy and noisy < settings.noisy_times:
                return health
            return _judge(health, CellFault.NOISY, ill=noisy > 0)
    return health


def _beat(
    health: CellHealth, fields: Mapping[str, int], at_us: int, settings: WeighingSettings
) -> CellHealth:
    raw, faults = fields["load_raw"], _faults(fields["faults"])
    silent = bool(faults & {"load-silent", "load-foreign", "bus-stuck"})
    raws = (*health.raws, raw)[-settings.same_heartbeats :]
    same = len(raws) == settings.same_heartbeats and len(set(raws)) == 1
    railed = abs(raw) >= settings.rail
    health = replace(health, raws=raws)
    health = _judge(health, CellFault.SILENT, ill=silent)
    if silent:
        return health  # what else it says is old
    health = _judge(health, CellFault.SATURATED, ill=railed or "load-saturated" in faults)
    if same or "load-stuck" in faults:
        health = _judge(health, CellFault.STUCK, ill=not railed)
    elif len(raws) > 1 and raws[-1] != raws[-2]:
        health = _judge(health, CellFault.STUCK, ill=False)
    down_us = health.down_us
    if down_us is not None and at_us - down_us > 1_000_000 * settings.unsettled_s:
        return _judge(health, CellFault.NOISY, ill=True)
    return _drift(health, raw, fields["temperature_cc"], settings)


def _drift(health: CellHealth, raw: int, celsius_cc: int, settings: WeighingSettings) -> CellHealth:
    if not health.weighed:
        return health
    if health.stood_raw is None:
        return replace(health, stood_raw=raw, stood_cc=celsius_cc)
    wandered_mg = abs(raw - health.stood_raw) * 1000 / settings.counts_per_g
    warmer_c = abs(celsius_cc - health.stood_cc) / 100
    most_mg = settings.drifting_mg + settings.warming_mg * warmer_c
    drifting = health.drifting + 1 if wandered_mg > most_mg else 0
    health = replace(health, drifting=drifting)
    if 0 < drifting < settings.drifting_times:
        return health
    return _judge(health, CellFault.DRIFTING, ill=drifting > 0)


def _upside_down(
    health: CellHealth, fields: Mapping[str, int], settings: WeighingSettings
) -> CellHealth:
    """Take what a foot shows while nothing can rest on it."""
    if fields["tilt_min_cdeg"] < settings.upside_down_cdeg:
        return health
    if fields["load_min_mg"] > settings.resting_mg:
        return _judge(health, CellFault.STUCK, ill=True)
    return health


def _judge(health: CellHealth, cell: CellFault, *, ill: bool) -> CellHealth:
    return replace(health, ills=health.ills | {cell} if ill else health.ills - {cell})


def _faults(bits: int) -> set[str]:
    return {name for at, name in enumerate(wire.FAULTS) if bits >> at & 1}


@dataclass(frozen=True, slots=True)
class Gain:
    shows: float  # 1: all of it
    doubt: float  # by what share of it that may be wrong
    known_mg: float  # what was put in, as people weighed it
    at: str = ""  # when, by the host's clock
    temperature_cc: int = 0
    loaded: Mass | None = None  # what the barrel weighed with it


def gain_of(empty: Mass, loaded: Mass, known_mg: float, settings: WeighingSettings) -> Gain:
    """Return what follows from a barrel that was weighed empty, and with a known mass in it."""
    wider = (empty.scatter + loaded.scatter).error_factor(1.0, settings.believed)
    error_mg = wider * hypot(empty.sd_mg, loaded.sd_mg)
    doubt = hypot(settings.span, error_mg / known_mg)
    return Gain((loaded.mg - empty.mg) / known_mg, doubt, known_mg, loaded=loaded)
