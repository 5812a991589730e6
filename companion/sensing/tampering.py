"""In play: barrels that do not weigh what their number should, noted, and told after the round.

It must not tell a number, a weight, or how sure it is, nor anything before all barrels are back.
One weight accuses nobody: several set-downs must agree, and together be sure enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import erf, hypot, sqrt

from companion.sensing.calibration import Calibration
from companion.sensing.seen import ChoosingBegan, ChoosingEnded
from companion.sensing.settings import Settings
from companion.sensing.told import BarrelDoes, Doing, Placed, Taken
from companion.sensing.weighing import Mass, Weighed, Zero, together


@dataclass(frozen=True, slots=True)
class Suspect:
    """A barrel is not what it was: a stone is missing, or its stopper was swapped."""

    stopper: int
    at_us: int


@dataclass(frozen=True, slots=True)
class Watch:
    """What each barrel should weigh, what it weighed since it last was as it should be."""

    should: Mapping[int, Mass]
    stone_mg: float
    weights: Mapping[int, tuple[Weighed, ...]] = field(default_factory=dict)
    doing: Mapping[int, Doing] = field(default_factory=dict)
    placed: frozenset[str] = frozenset()  # seats with a barrel
    choosing: bool = False
    turned: bool = False  # since all have placed, something was flipped or taken back
    kept: frozenset[int] = frozenset()  # suspect, and nobody has been told yet
    told: frozenset[int] = frozenset()

    @classmethod
    def over(cls, calibration: Calibration) -> Watch:
        """Begin with what was enrolled; who was not weighed then is not watched."""
        should = {kept.stopper: kept.whole for kept in calibration.stoppers if kept.whole}
        return cls(should if calibration.stone_mg else {}, calibration.stone_mg or 0.0)


Seen = Weighed | BarrelDoes | Placed | Taken | ChoosingBegan | ChoosingEnded


def step(state: Watch, seen: Seen, settings: Settings) -> tuple[Watch, tuple[Suspect, ...]]:
    """Take what happened; return who is suspect as soon as that may be told."""
    at_us = seen.at_us if isinstance(seen, ChoosingBegan | ChoosingEnded) else seen.moment.at_us
    state = _take(state, seen, settings)
    if not state.kept or not _over(state):
        return state, ()
    found = tuple(Suspect(stopper, at_us) for stopper in sorted(state.kept))
    return replace(state, kept=frozenset(), told=state.told | state.kept), found


def _take(state: Watch, seen: Seen, settings: Settings) -> Watch:
    match seen:
        case ChoosingBegan():
            return replace(state, choosing=True, turned=False)
        case ChoosingEnded():
            return replace(state, choosing=False)
        case Placed(seat=seat):
            return replace(state, placed=state.placed | {seat})
        case Taken(seat=seat):
            return replace(state, placed=state.placed - {seat}, turned=not state.choosing)
        case BarrelDoes(stopper=stopper, doing=doing):
            turned = state.turned or (doing is Doing.FLIPPED and not state.choosing)
            return replace(state, doing={**state.doing, stopper: doing}, turned=turned)
        case Weighed():
            return _weigh(state, seen, settings)


def _over(state: Watch) -> bool:
    """Tell whether the round is over: all that can be felt stand again, and none at a seat."""
    up = {Doing.LIFTED, Doing.SHAKEN, Doing.TILTED, Doing.FLIPPED}
    back = not state.placed and up.isdisjoint(state.doing.values())
    return state.turned and not state.choosing and back


def _weigh(state: Watch, weighed: Weighed, settings: Settings) -> Watch:
    stopper, should = weighed.stopper, state.should.get(weighed.stopper)
    if should is None or weighed.zero is not Zero.NEW:
        return state
    others = tuple(
        one for one in state.weights.get(stopper, ()) if one.set_down != weighed.set_down
    )
    weights = (*others, weighed)[-settings.weighing.kept :]
    if _is_off(weighed, should, state.stone_mg, settings) <= 0.5:  # once well, well for all
        return replace(
            state,
            weights={**state.weights, stopper: ()},
            kept=state.kept - {stopper},
            told=state.told - {stopper},
        )
    state = replace(state, weights={**state.weights, stopper: weights})
    mass = together(weights, settings)
    if mass is None or mass.times < settings.tampering.agreeing or stopper in state.told:
        return state
    if _is_off(mass, should, state.stone_mg, settings) < settings.certain:
        return replace(state, kept=state.kept - {stopper})
    return replace(state, kept=state.kept | {stopper})


def _is_off(found: Weighed | Mass, should: Mass, stone_mg: float, settings: Settings) -> float:
    """Return how likely the true difference is more than half a stone, in the way it seems to be.

    Both weights are of the same cell, so that its span errs in their difference alone.
    """
    found_mg = found.load_mg if isinstance(found, Weighed) else found.mg
    off_mg = abs(found_mg - should.mg)
    sd_mg = hypot(found.sd_mg, should.sd_mg, settings.weighing.span * off_mg)
    beyond = (off_mg - settings.tampering.stones_off * stone_mg) / sd_mg
    return 0.5 * (1 + erf(beyond / sqrt(2)))
