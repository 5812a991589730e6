"""Tracks what each barrel does: standing, lifted, shaken, tilted, flipped, lost; and how surely.

It must not know numbers, weights, seats or rules. The table says what follows from what: down the
side what a barrel did, at the top an event of its stopper, or what its features show, or silence.

What is sure was told, and nothing is missing since that could have told otherwise. An event is sent
until it is acknowledged, three times at most: so fewer missing packets hide none, once the time for
its tries is over. Features only make sure what they say clearly, and say a second time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from companion import wire
from companion.sensing.events import BarrelMotion, BarrelMoved
from companion.sensing.observations import EVENT_NUMBERS, MeasuredTime, StopperMessage
from companion.sensing.settings import Settings, TrackingSettings

GRID: Final = """
         LIFT    SET      TILT   UPRIGHT  FLIP    STILL    shaken held   stands   lies  silent
unknown  lifted  standing tilted lifted   flipped standing shaken lifted standing lying lost
standing lifted  standing tilted standing flipped standing shaken lifted standing lying lost
lifted   lifted  standing tilted lifted   flipped standing shaken lifted standing lying lost
shaken   shaken  standing tilted shaken   flipped standing shaken lifted standing lying lost
tilted   tilted  standing tilted lifted   flipped standing shaken lifted standing lying lost
flipped  flipped standing tilted lifted   flipped standing shaken lifted standing lying lost
lying    lifted  standing tilted lifted   flipped standing shaken lifted standing lying lost
lost     lifted  standing tilted lifted   flipped standing shaken lifted standing lying lost
"""
HEAD, *ROWS = (line.split() for line in GRID.strip().splitlines())
TABLE: Final = {
    (BarrelMotion(row[0]), cue): BarrelMotion(then)
    for row in ROWS
    for cue, then in zip(HEAD, row[1:], strict=True)
}
SAYS: Final = {  # what an event says, whatever was before
    "LIFT": BarrelMotion.LIFTED,
    "SET": BarrelMotion.STANDING,
    "TILT": BarrelMotion.TILTED,
    "FLIP": BarrelMotion.FLIPPED,
    "STILL": BarrelMotion.STANDING,
}
ALOFT: Final = frozenset(
    {BarrelMotion.LIFTED, BarrelMotion.SHAKEN, BarrelMotion.TILTED, BarrelMotion.FLIPPED}
)
BY_LOAD: Final = frozenset({BarrelMotion.STANDING, BarrelMotion.LIFTED})
# nobody holds it: it may sleep
RESTING: Final = {BarrelMotion.STANDING, BarrelMotion.FLIPPED, BarrelMotion.LYING}
NO_LOAD, NO_MOTION = (
    sum(1 << bit for bit, name in enumerate(wire.FAULTS) if name.startswith((part, "bus")))
    for part in ("load", "motion")
)


@dataclass(frozen=True, slots=True)
class TrackedBarrel:
    boot: int = -1
    doing: BarrelMotion = BarrelMotion.UNKNOWN
    moment: MeasuredTime = field(default=MeasuredTime(0, 0))
    known: bool = False  # it was told, or seen twice
    missing: int = 0  # packets since
    missed_us: int = 0  # when the last of those was noticed
    event: int = -1  # number of the newest
    heard_us: int = 0
    busy_us: int = 0  # when more was heard than a heartbeat
    faults: int = 0
    before: BarrelMotion = BarrelMotion.UNKNOWN  # before it was lost

    @property
    def sure(self) -> bool:
        """Whether nothing else can be true.

        >>> TrackedBarrel(doing=BarrelMotion.STANDING, known=True).sure
        True
        >>> TrackedBarrel(doing=BarrelMotion.STANDING, known=True, missing=1).sure
        False
        """
        if self.faults & NO_LOAD and self.doing in BY_LOAD:
            return False
        if self.faults & NO_MOTION and self.doing in ALOFT:
            return False
        return self.known and not self.missing


@dataclass(frozen=True, slots=True)
class Tracking:
    barrels: Mapping[int, TrackedBarrel] = field(default_factory=dict)


BarrelsMoved = tuple[BarrelMoved, ...]


def step(
    state: Tracking, felt: StopperMessage, settings: Settings
) -> tuple[Tracking, BarrelsMoved]:
    """Handle a message; tell what the barrel does if that is news."""
    before = state.barrels.get(felt.stopper, TrackedBarrel())
    if felt.boot < before.boot:
        return state, ()
    after = _apply(before, felt, settings.tracking)
    events = () if _same(before, after) else (_moved(felt.stopper, after),)
    return Tracking({**state.barrels, felt.stopper: after}), events


def advance(state: Tracking, now_us: int, settings: Settings) -> tuple[Tracking, BarrelsMoved]:
    """Advance the time: a barrel silent for too long is lost; one that stood long enough sleeps."""
    limits, lost = settings.tracking, dict[int, TrackedBarrel]()
    since_us = now_us - limits.lost_s * 1e6
    for stopper, barrel in state.barrels.items():
        if barrel.heard_us > since_us or barrel.doing is BarrelMotion.LOST:
            continue
        silent_us = now_us - barrel.heard_us
        if barrel.doing in RESTING and _sleeps(barrel, limits):
            if not barrel.known:
                continue
            lost[stopper] = replace(barrel, known=False)
        else:
            then, moment = TABLE[barrel.doing, "silent"], MeasuredTime(barrel.heard_us, silent_us)
            lost[stopper] = replace(
                barrel, doing=then, moment=moment, known=False, before=barrel.doing
            )
    news = {who: barrel for who, barrel in lost.items() if not _same(barrel, state.barrels[who])}
    if not news:
        return state, ()
    events = tuple(_moved(stopper, barrel) for stopper, barrel in sorted(news.items()))
    return Tracking({**state.barrels, **news}), events


def _sleeps(barrel: TrackedBarrel, limits: TrackingSettings) -> bool:
    """Return whether it stood untouched for so long that it speaks again only when moved."""
    return barrel.heard_us - barrel.busy_us >= limits.asleep_s * 1e6


def _same(barrel: TrackedBarrel, other: TrackedBarrel) -> bool:
    return barrel.doing is other.doing and barrel.sure == other.sure


def _moved(stopper: int, barrel: TrackedBarrel) -> BarrelMoved:
    return BarrelMoved(stopper, barrel.doing, barrel.moment, barrel.sure)


def _apply(barrel: TrackedBarrel, felt: StopperMessage, limits: TrackingSettings) -> TrackedBarrel:
    if felt.boot > barrel.boot:
        barrel = TrackedBarrel(boot=felt.boot, moment=felt.moment, busy_us=felt.heard_us)
    elif barrel.doing is BarrelMotion.LOST:
        barrel = replace(barrel, doing=barrel.before, moment=felt.moment)
    busy_us = barrel.busy_us if felt.name == "HEARTBEAT" else felt.heard_us
    barrel = _count(replace(barrel, heard_us=felt.heard_us, busy_us=busy_us), felt)
    match felt.name:
        case "FEATURES":
            return _features(barrel, felt, limits)
        case "HEARTBEAT":
            return _heartbeat(barrel, felt, limits)
        case name if name in HEAD:
            return _event(barrel, felt, limits)
    return barrel


def _count(barrel: TrackedBarrel, felt: StopperMessage) -> TrackedBarrel:
    """Count what is missing; when it could have been an event with all its tries, nothing holds."""
    if not felt.gap:
        return barrel
    missing = barrel.missing + felt.gap
    known = barrel.known and missing < wire.TRIES
    return replace(barrel, missing=missing, missed_us=felt.heard_us, known=known)


def _event(barrel: TrackedBarrel, felt: StopperMessage, limits: TrackingSettings) -> TrackedBarrel:
    """Handle an event, if none that came later was heard already."""
    number = felt.fields["event"]
    if barrel.event >= 0 and not 0 < (number - barrel.event) % EVENT_NUMBERS < EVENT_NUMBERS // 2:
        return barrel
    barrel = replace(barrel, event=number)
    then = TABLE[barrel.doing, felt.name]
    clear = not (felt.resent and barrel.missing) and _clear(felt, limits)
    if SAYS.get(felt.name) is then and clear:
        return replace(barrel, doing=then, moment=felt.moment, known=True, missing=0)
    known = barrel.known and not barrel.missing and clear
    if then is barrel.doing:
        return replace(barrel, known=known)
    return replace(barrel, doing=then, moment=felt.moment, known=known)


def _clear(felt: StopperMessage, limits: TrackingSettings) -> bool:
    """Return whether it came at once, so that nothing newer is lost, and means what it says."""
    if felt.on_the_way_us > 1000 * limits.late_ms:
        return False
    if felt.name == "TILT" and felt.fields["tilt_cdeg"] < limits.turned_cdeg:
        clear = felt.fields["tilt_cdeg"] >= limits.clear_cdeg
        return bool(clear and felt.fields["deviation_permille"] <= limits.quiet_permille)
    return True


def _features(
    barrel: TrackedBarrel, felt: StopperMessage, limits: TrackingSettings
) -> TrackedBarrel:
    """Take what the last quarter of a second was like, if it was like one thing throughout."""
    if felt.on_the_way_us > 1000 * limits.late_ms:
        return barrel
    cue = _cue(felt.fields, barrel.faults, limits)
    if cue is None or (cue == "held" and felt.unread):
        return barrel
    then = TABLE[barrel.doing, cue]
    half_us = felt.fields["span_ms"] * 500
    moment = MeasuredTime(felt.moment.at_us - half_us, felt.moment.doubt_us + half_us)
    if then is not barrel.doing:
        known = barrel.known and not barrel.missing and barrel.doing in ALOFT and then in ALOFT
        return replace(barrel, doing=then, moment=moment, known=known)
    if barrel.event < 0:  # a cell that has just been started shows nothing yet
        return barrel
    since = barrel.moment if barrel.known else moment
    return replace(barrel, moment=since, known=True, missing=0)  # said twice


def _cue(fields: Mapping[str, int], faults: int, limits: TrackingSettings) -> str | None:
    """Return what features show clearly, as the table has it."""
    if fields["span_ms"] < limits.least_span_ms:
        return None
    aloft = fields["load_max_mg"] < limits.floats_mg
    if faults & NO_LOAD:
        aloft = fields["shake_rms_permille"] >= limits.shaken_permille  # no table shakes like that
    elif fields["load_min_mg"] > limits.stands_mg:
        return "stands"
    if faults & NO_MOTION:
        return None
    if (aloft or faults & NO_LOAD) and _lies(fields, limits):
        return "lies"
    if not aloft:
        return None
    if (
        fields["shake_rms_permille"] >= limits.shaken_permille
        and fields["tilt_max_cdeg"] < limits.turned_cdeg
    ):
        return "shaken"
    calm = fields["shake_rms_permille"] <= limits.calm_permille
    return "held" if calm and fields["tilt_max_cdeg"] < limits.upright_cdeg else None


def _lies(fields: Mapping[str, int], limits: TrackingSettings) -> bool:
    """Return whether it was as still, and as far over, as nothing but a table keeps it."""
    least, most = fields["tilt_min_cdeg"], fields["tilt_max_cdeg"]
    near = limits.lies_cdeg[0] <= least <= most <= limits.lies_cdeg[1]
    even = most - least <= limits.lies_even_cdeg
    return near and even and fields["shake_rms_permille"] <= limits.lies_permille


def _heartbeat(
    barrel: TrackedBarrel, felt: StopperMessage, limits: TrackingSettings
) -> TrackedBarrel:
    """Take a sign of life: of few missing packets none was an event, or it had been sent again."""
    faults = felt.fields["faults"]
    if faults & (NO_LOAD | NO_MOTION):
        return replace(barrel, faults=faults, known=False)
    barrel = replace(barrel, faults=faults)
    tried = felt.heard_us - barrel.missed_us >= 1000 * limits.tries_ms
    if (
        barrel.known and tried and barrel.doing is BarrelMotion.STANDING
    ):  # otherwise features told more
        return replace(barrel, missing=0)
    return barrel
