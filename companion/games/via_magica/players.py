"""Who can be seated at this game, the best first."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from companion.core import Action, Options, Seat
from companion.core.players.levels import EXPERT, GOOD, levels
from companion.core.players.monte_carlo import SearchBudget, searching
from companion.games.via_magica import rules
from companion.games.via_magica.search_model import FORESIGHT, experienced

SCARCE = (1.0, 1.2, 1.5, 2.0, 3.0, 6.0)  # of each animus: how long one waits for it
EARLY = {
    rules.Reward.TWO,
    rules.Reward.THREE,
    rules.Reward.FOUR,
}  # with only one such reward: better may come
NEAR_THE_END = 5  # opened portals of somebody
POWERS = {
    rules.Power.PLACE: 3.0,
    rules.Power.GAIN: 5.0,
    rules.Power.OPEN: 9.0,
    rules.Power.TAKE: 2.0,
    rules.Power.REARRANGE: 1.0,
}
BLUE, PER_PORTAL = 6.0, 2.5  # what a lasting joker is worth, and how many things a green one counts


def choose(
    view: rules.View, choices: Sequence[Action], seat: int, *, one_number: bool = True
) -> Action:
    """Return the choice that looks best; the first of equals."""
    return max(choices, key=lambda action: _worth(view, action, seat, one_number))


def _worth(view: rules.View, action: Action, seat: int, one_number: bool) -> float:
    match action:
        case rules.Keep(portals=tuple(portals)):
            return sum(map(_rate, portals))
        case rules.Take(portal=portal):
            return _rate(portal)
        case rules.Open(portal=portal):
            return _gain(portal)
        case rules.Claim(reward=reward):
            late = any(len(zone.opened) >= NEAR_THE_END for zone in view.zones)
            spared = one_number and reward in EARLY and not late
            return -1.0 if spared else rules.WORTH[reward]
        case rules.Crystallize():
            return _progress(_own(view, seat), action)
    return 0.0  # waive


def _own(view: rules.View, seat: int) -> rules.Zone:
    return next(zone for zone in view.zones if zone.seat == seat)


def _gain(portal: int) -> float:
    kind = rules.PORTALS[portal]
    points = kind.points * (PER_PORTAL if kind.hue is rules.Hue.GREEN else 1.0)
    if kind.power is not None:
        points += POWERS[kind.power]
    return points + (BLUE if kind.hue is rules.Hue.BLUE else 0.0)


def _rate(portal: int) -> float:
    """Return what a portal brings for the time that it takes; early ends count too."""
    return (_gain(portal) + 4.0) / _wait(rules.PORTALS[portal].fields)


def _wait(fields: Sequence[int]) -> float:
    return sum(count * scarce for count, scarce in zip(fields, SCARCE, strict=True))


def _progress(zone: rules.Zone, action: rules.Crystallize) -> float:
    """Return how much nearer a placement brings the portals; what it uncovers counts against it."""
    covered = {building.portal: building.covered for building in zone.building}
    worth = _step(action.on.portal, action.on.animus, covered[action.on.portal])
    if action.source is None:
        return worth + 0.01
    if action.source == action.on:
        return 0.0
    return worth - _step(action.source.portal, action.source.animus, covered[action.source.portal])


def _step(portal: int, animus: rules.Animus, covered: Sequence[int]) -> float:
    """A crystal is worth more on a scarce field, and on a portal that lacks little."""
    fields = rules.PORTALS[portal].fields
    return _rate(portal) * SCARCE[animus] * (1.0 + 3.0 * sum(covered) / sum(fields))


def casual(settings: Any, view: Any, seat: Seat, options: Options, _chance: Random) -> Action:
    """Choose what promises most at the moment."""
    return choose(view, options, seat, one_number=settings.numbers == 1)


EFFORT: Final = SearchBudget(playouts=40, rests=3)  # this round, and two more
PLAYERS: Final = levels(
    casual, {EXPERT: searching(rules.ViaMagica, FORESIGHT, EFFORT), GOOD: experienced}
)
