"""Detects tampering: barrels that do not weigh what their number should, told after the round.

It must not tell a number, a weight, or how sure it is, nor anything before all barrels are back.
One weight accuses nobody: several set-downs must agree, and tell more than this very cell's own
scatter would now and then.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import hypot, pi, sqrt

from companion.sensing import weighing
from companion.sensing.calibration import Calibration
from companion.sensing.events import BarrelMotion, BarrelMoved, Placed, Taken
from companion.sensing.observations import ChoosingBegan, ChoosingEnded
from companion.sensing.settings import BARRELS, Settings
from companion.sensing.weighing import BarrelWeighed, Mass, Scatter, combined


@dataclass(frozen=True, slots=True)
class Suspect:
    """A barrel is not what it was: a stone is missing, or its stopper was swapped."""

    stopper: int
    at_us: int


@dataclass(frozen=True, slots=True)
class WeightWatch:
    """What each barrel should weigh, and what it has weighed since it was last as it should be."""

    should: Mapping[int, Mass]
    stone_mg: float
    scatter: Mapping[int, Scatter] = field(default_factory=dict)  # of each cell, at other times
    usual: float = 1.0  # by how much the errors of all of them are wider than they are said to be
    weights: Mapping[int, tuple[BarrelWeighed, ...]] = field(default_factory=dict)
    doing: Mapping[int, BarrelMotion] = field(default_factory=dict)
    placed: frozenset[str] = frozenset()  # seats with a barrel
    choosing: bool = False
    turned: bool = False  # since all have placed, something was flipped or taken back
    pending: frozenset[int] = frozenset()  # suspect, and nobody has been told yet
    reported: frozenset[int] = frozenset()

    @classmethod
    def from_calibration(cls, calibration: Calibration, settings: Settings) -> WeightWatch:
        """Begin with what was enrolled; barrels that were not weighed then are not watched."""
        should = {kept.stopper: kept.whole for kept in calibration.stoppers if kept.whole}
        if not calibration.stone_mg:
            return cls({}, 0.0)
        apart = {kept.stopper: kept.scatter for kept in calibration.stoppers}
        known = (apart[stopper] + mass.scatter for stopper, mass in should.items())
        usual = weighing.error_factor(known, settings.weighing.believed)
        return cls(should, calibration.stone_mg, apart, usual)


Seen = BarrelWeighed | BarrelMoved | Placed | Taken | ChoosingBegan | ChoosingEnded


def step(
    state: WeightWatch, seen: Seen, settings: Settings
) -> tuple[WeightWatch, tuple[Suspect, ...]]:
    """Handle what happened; return which barrels are suspect as soon as that may be told."""
    at_us = seen.at_us if isinstance(seen, ChoosingBegan | ChoosingEnded) else seen.moment.at_us
    state = _take(state, seen, settings)
    if not state.pending or not _over(state):
        return state, ()
    suspects = tuple(Suspect(stopper, at_us) for stopper in sorted(state.pending))
    anew: dict[int, tuple[BarrelWeighed, ...]] = dict.fromkeys(state.pending, ())
    return replace(
        state,
        pending=frozenset(),
        reported=state.reported | state.pending,
        weights={**state.weights, **anew},
    ), suspects


def _take(state: WeightWatch, seen: Seen, settings: Settings) -> WeightWatch:
    match seen:
        case ChoosingBegan():
            return replace(state, choosing=True, turned=False)
        case ChoosingEnded():
            return replace(state, choosing=False)
        case Placed(seat=seat):
            return replace(state, placed=state.placed | {seat})
        case Taken(seat=seat):
            return replace(state, placed=state.placed - {seat}, turned=not state.choosing)
        case BarrelMoved(stopper=stopper, doing=doing):
            turned = state.turned or (doing is BarrelMotion.FLIPPED and not state.choosing)
            return replace(state, doing={**state.doing, stopper: doing}, turned=turned)
        case BarrelWeighed():
            return _weigh(state, seen, settings)


def _over(state: WeightWatch) -> bool:
    """Tell whether the round is over: all that can be felt stand again, and none at a seat."""
    up = {BarrelMotion.LIFTED, BarrelMotion.SHAKEN, BarrelMotion.TILTED, BarrelMotion.FLIPPED}
    up.add(BarrelMotion.LYING)
    back = not state.placed and up.isdisjoint(state.doing.values())
    return state.turned and not state.choosing and back


def _weigh(state: WeightWatch, weighed: BarrelWeighed, settings: Settings) -> WeightWatch:
    stopper, should = weighed.stopper, state.should.get(weighed.stopper)
    worthless = not weighed.sound or weighed.sd_mg > settings.enrolment.usable_mg
    if should is None or worthless:
        return state
    others = tuple(
        other for other in state.weights.get(stopper, ()) if other.set_down != weighed.set_down
    )
    weights = (*others, weighed)
    if stopper in state.reported:  # what counts is how it is now
        weights = weights[-settings.tampering.agreeing :]
    state = replace(state, weights={**state.weights, stopper: weights})
    likely = _changed(state, stopper, settings)
    if len(weights) > settings.tampering.kept and likely < 1:  # else it may be what has changed
        should, weights = should.combined_with(_alone(weights[0])), weights[1:]
        state = replace(
            state,
            weights={**state.weights, stopper: weights},
            should={**state.should, stopper: should},
        )
    elif len(weights) > settings.tampering.most:
        state = replace(state, weights={**state.weights, stopper: weights[1:]})
    if stopper in state.reported:
        well = len(weights) >= settings.tampering.agreeing and likely < 1
        return replace(state, reported=state.reported - {stopper}) if well else state
    suspect = likely >= settings.tampering.against
    return replace(
        state, pending=state.pending | {stopper} if suspect else state.pending - {stopper}
    )


def _alone(weighed: BarrelWeighed) -> Mass:
    return Mass(weighed.load_mg, weighed.sd_mg)


def _changed(state: WeightWatch, stopper: int, settings: Settings) -> float:
    """Return how many times likelier it is that it changed at some time than that it never did."""
    least, weights = settings.tampering.agreeing, state.weights[stopper]
    before, odds = state.should[stopper], []
    for at in range(len(weights) - least + 1):
        since = combined(weights[at:])
        assert since
        odds.append(_likelier(before, since, state, stopper, settings))
        before = before.combined_with(_alone(weights[at]))
    return sum(odds) / len(odds) if odds else 0.0


def _likelier(
    before: Mass, since: Mass, state: WeightWatch, stopper: int, settings: Settings
) -> float:
    """Return how many times likelier weights are if it weighs something else since then.

    By how much all errors are wider than they are said to be is not known beforehand: it is what
    these weights, and those of other times, make likely.
    """
    tampering, worth = settings.tampering, settings.weighing.believed
    other = state.scatter.get(stopper, Scatter()) + before.scatter + since.scatter
    quiet = worth * state.usual**2 + other.squares
    power = (worth + other.freedom + 1) / 2
    sd_mg, off_mg = hypot(before.sd_mg, since.sd_mg), since.mg - before.mg
    nothing = quiet + (off_mg / sd_mg) ** 2

    def likelier(by_mg: float) -> float:
        return float((nothing / (quiet + ((off_mg - by_mg) / sd_mg) ** 2)) ** power)

    stones = sum(
        0.5 ** (count + 1) * likelier(way * count * state.stone_mg)
        for count in range(1, BARRELS + 1)
        for way in (-1, 1)
    )
    width_mg = sd_mg * sqrt(2 * pi * quiet / (worth + other.freedom))
    anything = likelier(off_mg) * min(1.0, width_mg / (2 * tampering.strange_mg))
    return (1 - tampering.strange) * stones + tampering.strange * anything
