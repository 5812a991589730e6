"""Synchronises clocks: a stopper's time becomes the hub's and the host's, with its error.

What is sent arrives later, never earlier: so of all that a line has seen, the least delayed counts,
and each new word is a bound that nothing can undercut. From these least delays follows how much
faster one clock goes than the other.

In a light sleep a stopper's clock errs by thousandths, and differently each time. So after
a silence the line starts over with the first word, and is doubted by as much as that clock errs
until the words of some 0.9 s agree: the stopper moves then, and its crystal counts.

    stopper's clock ── hub_line: the hub's, when it came ──> host's clock, when the host had it
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from statistics import median

from companion import wire
from companion.sensing.observations import MeasuredTime, Observation, StopperMessage
from companion.sensing.settings import RadioTiming, Settings

LONGEST_US = 60_000_000  # nothing that is told is older, whatever a clock that leaps makes of it
Point = tuple[int, int]  # a time on the sender's clock, and how much later it came on the other


@dataclass(frozen=True, slots=True)
class ClockFit:
    own_us: int = 0  # when a word was sent…
    offset_us: int = 0  # …and how much later it came, by the other, less what delayed it
    rate: float = 0.0  # how much faster the other goes, as a share of 1
    since_us: int = 0  # the first word that came with about the least delay
    slack_us: int = 0  # how far words that came a little late may have led it astray
    doubt_us: int = 0  # of what was taken last
    points: tuple[Point, ...] = ()  # the least delayed of each span of time, the newest last
    strays: tuple[Point, ...] = ()  # the newest ones, if all were late: or is the line wrong?
    unsure_us: int = LONGEST_US  # how late it can be at most, before words agree

    def offset_us_at(self, own_us: int) -> int:
        """Return how much later it is on the other clock, with the least delay that was seen."""
        return self.offset_us + int(self.rate * (own_us - self.own_us))


@dataclass(frozen=True, slots=True)
class ClockFits:
    hub: ClockFit = field(default_factory=ClockFit)
    hub_us: int = 0  # the newest on the hub's clock
    hub_boot: int = 0
    nodes: Mapping[bytes, tuple[int, ClockFit]] = field(default_factory=dict)


def step(
    state: ClockFits, seen: Observation, stopper: int, settings: Settings
) -> tuple[ClockFits, StopperMessage]:
    """Handle a message; return it with the time of what it tells."""
    air, cable = settings.clocks.air, settings.clocks.cable
    hub = _hub(state, seen.at_us, seen.hub_us, cable)
    came_us = min(seen.hub_us + hub.offset_us_at(seen.hub_us), seen.at_us)
    boot, line = state.nodes.get(seen.node, (seen.boot, ClockFit()))
    line = _take(line if boot == seen.boot else ClockFit(), seen.sent_us, came_us, air)
    nodes = {**state.nodes, seen.node: (seen.boot, line)}
    own_us = seen.fields.get("at_us", seen.sent_us)
    ago_us = max(0, seen.sent_us - own_us)
    usual_us = air.usual_us + cable.usual_us
    at_us = min(own_us + line.offset_us_at(own_us) - usual_us, seen.at_us)
    at_us = max(at_us, seen.at_us - LONGEST_US)
    doubt_us = line.doubt_us + hub.doubt_us + air.wander_ppm * ago_us // 1_000_000
    doubt_us += air.asleep_ppm * min(ago_us, air.untold_us) // 1_000_000
    doubt_us = min(doubt_us, LONGEST_US)
    felt = StopperMessage(
        stopper,
        seen.name,
        MeasuredTime(at_us, doubt_us + _blind_us(seen)),
        seen.at_us,
        seen.boot,
        seen.gap,
        seen.fields,
        seen.resent,
        max(0, seen.at_us - seen.sent_us - line.offset_us_at(seen.sent_us)),
    )
    return ClockFits(hub, seen.hub_us, state.hub_boot, nodes), felt


def handle_hub_message(
    state: ClockFits, at_us: int, message: wire.Said, settings: Settings
) -> ClockFits:
    """Handle a message of the hub itself; a new boot of its begins a new clock."""
    if message.name == "HUB_HELLO" and message.fields.boot != state.hub_boot:
        state = replace(state, hub=ClockFit(), hub_us=0, hub_boot=message.fields.boot)
    hub = _hub(state, at_us, message.time_us, settings.clocks.cable)
    return replace(state, hub=hub, hub_us=message.time_us)


def _blind_us(seen: Observation) -> int:
    """Return how long before its time a foot may have moved, since nobody could read its load."""
    return 1000 * int(seen.fields.get("blind_ms", 0)) if seen.name in ("LIFT", "SET") else 0


def _hub(state: ClockFits, at_us: int, hub_us: int, cable: RadioTiming) -> ClockFit:
    began_anew = hub_us < state.hub_us
    return _take(ClockFit() if began_anew else state.hub, hub_us, at_us, cable)


def _take(line: ClockFit, own_us: int, other_us: int, way: RadioTiming) -> ClockFit:
    """Handle one word: sent and received; what it may be worth is left in `doubt_us`."""
    offset_us = other_us - own_us
    if not line.points:
        return _begun(own_us, offset_us, way)
    likely_us = line.offset_us_at(own_us)
    late_us = offset_us - likely_us
    rested = way.asleep_ppm > 0 and own_us - line.own_us > way.awake_us
    if rested and (woken := _woken(line, own_us, late_us, way)) is not None:
        return woken
    if late_us > way.doubt_us:
        return _stray(line, own_us, offset_us, way)
    if late_us < -way.overtaken_us:  # so all words before were late
        return replace(_begun(own_us, offset_us, way), rate=line.rate)
    later_us = min(late_us, _wander_us(line, own_us, way))
    slack_us = max(0, line.slack_us + later_us)
    points = _with(line.points, (own_us, offset_us), line.rate, way)
    grown = points[-1][0] // way.span_us > line.points[-1][0] // way.span_us
    rate = (_rate(points, way) or line.rate) if grown else line.rate
    doubt_us = _doubt_us(line, own_us, way) + slack_us + max(0, -late_us)
    offset_us = likely_us + later_us
    own = own_us, offset_us, rate, line.since_us, slack_us, doubt_us, points
    return ClockFit(*own, unsure_us=line.unsure_us)


def _woken(line: ClockFit, own_us: int, late_us: int, way: RadioTiming) -> ClockFit | None:
    """Start over after what may have been a sleep; None: so late no sleep makes it."""
    astray_us = way.asleep_ppm * (own_us - line.own_us) // 1_000_000
    if late_us > astray_us + way.doubt_us:
        return None
    known = line.unsure_us < LONGEST_US or own_us - line.since_us >= way.settle_us
    before_us = way.doubt_us if known else way.late_us  # that one was late, and this one, too: rare
    unsure_us = max(late_us + astray_us, 0) + line.slack_us + before_us
    begun = _begun(own_us, line.offset_us_at(own_us) + late_us, way)
    return replace(begun, unsure_us=unsure_us, doubt_us=min(unsure_us, way.late_us))


def _wander_us(line: ClockFit, own_us: int, way: RadioTiming) -> int:
    """Return by how much the line may be wrong by now, as its rate is not known exactly."""
    ppm = way.known_ppm if line.rate else way.wander_ppm
    return ppm * abs(own_us - line.own_us) // 1_000_000


def _doubt_us(line: ClockFit, own_us: int, way: RadioTiming) -> int:
    settled = own_us - line.since_us >= way.settle_us
    return way.doubt_us if settled else min(way.late_us, line.unsure_us)


def _begun(own_us: int, offset_us: int, way: RadioTiming) -> ClockFit:
    point = own_us, offset_us
    return ClockFit(own_us, offset_us, since_us=own_us, doubt_us=way.late_us, points=(point,))


def _stray(line: ClockFit, own_us: int, offset_us: int, way: RadioTiming) -> ClockFit:
    """Take a late word: it took long to get here, or a clock changed its speed or started over.

    Until enough of them tell that the line is wrong, what is true lies between it and them.
    """
    late_us = offset_us - line.offset_us_at(own_us)
    strays = (*line.strays, (own_us, offset_us))
    if len(strays) >= way.strays and strays[-1][0] - strays[0][0] >= way.apart_us:
        slack_us = late_us if late_us < way.overtaken_us else 0  # others may always speak before it
        line = replace(_begun(own_us, offset_us, way), rate=_rate(strays, way), slack_us=slack_us)
        return replace(line, doubt_us=late_us + way.doubt_us)
    jump_us = way.jump_ppm * abs(own_us - line.own_us) // 1_000_000
    later_us = late_us if late_us > way.longest_us else min(late_us, jump_us)
    doubt_us = _doubt_us(line, own_us, way) + line.slack_us + later_us
    return replace(line, strays=strays, doubt_us=doubt_us)


def _with(
    points: tuple[Point, ...], point: Point, rate: float, way: RadioTiming
) -> tuple[Point, ...]:
    """Return the points with one more, and of each span of time only the least delayed."""
    own_us, offset_us = points[-1]
    if point[0] // way.span_us > own_us // way.span_us:
        return (*points, point)[-way.spans :]
    if point[1] - int(rate * (point[0] - own_us)) < offset_us:
        return (*points[:-1], point)
    return points


def _rate(points: tuple[Point, ...], way: RadioTiming) -> float:
    """Return the middle of the slopes from each point to the one half of all further on."""
    half = len(points) // 2
    if half < 2 or points[-1][0] - points[0][0] < way.apart_us:
        return 0.0
    rate = median(
        (later - offset) / max(then - own, 1)
        for (own, offset), (then, later) in zip(points, points[half:], strict=False)
    )
    most = way.jump_ppm / 1e6
    return min(max(rate, -most), most)
