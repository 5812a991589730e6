"""What experience tells of a position in Trap the Wizard: what is held, and how surely it stays so.

It looks at how all would stand after each choice, and counts by which numbers of the die opponents
could end on its wizards, and its wizards on them. The weights were found by playing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final

from companion.core.game import Action, Seat
from companion.core.kit import Options
from companion.games.trap_the_wizard.player import distances
from companion.games.trap_the_wizard.rules import (
    START,
    Move,
    Robe,
    Settings,
    State,
    TrapTheWizard,
    View,
    Wizard,
)
from companion.games.trap_the_wizard.rules.state import SIDES
from companion.games.trap_the_wizard.rules.ways import Ways

TAKEN, HELD, FREED, JOKER = 15.0, 6.0, 1.0, 2.0  # worth of one each, brought home or held
NEAR, FAR = 9.0, 30  # what it is worth to be home with one, and where that is worth nothing
OWN, RISK = 3.0, 3.0  # worth of a wizard that is captured, and how much losing counts
THREAT, OUT = 1.0, 0.1  # of a likely catch, of setting out
HUNT, IMPATIENT = 0.1, 1.0  # of a field to the nearest prey; for whoever has waited long enough
BOLD: Final = 0.1  # how often somebody has: two who only wait for each other never meet
OTHERS: Final = 1.0  # what counts against it that opponents hold

Camps = tuple[tuple[Wizard, ...], ...]  # by robe
Hits = Mapping[int, int]  # by where one can end: by which numbers, a bit each


@dataclass(frozen=True)
class Known:
    """What a board and its rules allow, worked out once."""

    game: TrapTheWizard
    homes: tuple[int, ...]
    special: frozenset[int]
    far: Sequence[Mapping[int, int]]  # by field: how far away each field is
    hits: Mapping[tuple[Robe, int], Hits]  # by robe and place


@lru_cache(maxsize=8)
def known(settings: Settings) -> Known:
    """Return what is known of settings."""
    board, ways = settings.board, Ways(settings)
    fields = range(len(board.neighbours()))
    return Known(
        TrapTheWizard(settings),
        board.homes,
        frozenset(board.special),
        [distances(board, field) for field in fields],
        {(robe, at): _hits(ways, robe, at) for robe in settings.seats for at in (START, *fields)},
    )


def _hits(ways: Ways, seat: Robe, place: int) -> Hits:
    found: dict[int, int] = {}
    for number in range(1, SIDES + 1):
        for end in ways.ends(seat, place, number, home=False):
            found[end] = found.get(end, 0) | 1 << number
    return found


def experienced(settings: Any, view: Any, seat: Seat, options: Options, chance: Random) -> Action:
    """Choose what leads to the best position; now and then whoever waited grows impatient."""
    if len(options) == 1:
        return options[0]
    hunt = IMPATIENT if chance.random() < BOLD else HUNT
    return best(known(settings), state_of(view), Robe(seat), options, hunt)


def impatient(settings: Any, view: Any, seat: Seat, options: Options, _chance: Random) -> Action:
    """Choose as whoever has waited long enough."""
    return best(known(settings), state_of(view), Robe(seat), options, IMPATIENT)


def best(
    rules: Known, state: State, seat: Robe, options: Sequence[Action], hunt: float = HUNT
) -> Action:
    """Return what leads to the best position."""
    promise = promises(rules, state, seat, options, hunt)
    return max(options, key=promise.__getitem__)


def promises(
    rules: Known, state: State, seat: Robe, options: Sequence[Action], hunt: float
) -> dict[Action, float]:
    """Return how good the positions are to which choices lead."""
    found: dict[Action, float] = {}
    for action in options:
        camps, taken = state.wizards, state.taken
        if isinstance(action, Move):
            camps, _, taken = rules.game.moves.after(state, action)
        found[action] = TAKEN * len(taken[seat]) + worth(rules, camps, seat, hunt)
    return found


def state_of(view: View) -> State:
    """Return the state that a view shows: all of it lies open."""
    camps, taken, scores = dict(view.wizards), dict(view.taken), dict(view.scores)
    robes = [robe for robe in Robe if robe is not Robe.JOKER]
    return State(
        view.round,
        view.phase,
        view.player,
        view.points,
        view.sixes,
        tuple(camps.get(robe, ()) for robe in robes),
        view.joker is not None,
        tuple(taken.get(robe, ()) for robe in robes),
        tuple(scores.get(robe, 0) for robe in robes),
    )


def worth(rules: Known, camps: Camps, seat: Robe, hunt: float = HUNT) -> float:
    """Return how good it is for a seat that wizards stand so."""
    others = [robe for robe in rules.game.seats if robe != seat]
    against = sum([held(robe, wizard) for robe in others for wizard in camps[robe]])
    own = sum([_of_own(rules, camps, seat, others, wizard) for wizard in camps[seat]])
    prey = [one for robe in others for one in camps[robe] if one.place != START]
    caught = sum([_of_prey(rules, camps[seat], seat, one) for one in prey])
    far = _far(rules, camps[seat], seat, prey)
    return own + caught - OTHERS * against / len(others) - hunt * far


def held(robe: Robe, wizard: Wizard) -> int:
    """Return how many opponents a player's wizard holds."""
    load = wizard.load
    return len(load) - load.count(robe) - load.count(Robe.JOKER) if load else 0


def _of_own(rules: Known, camps: Camps, seat: Robe, others: list[Robe], wizard: Wizard) -> float:
    """Return what a wizard holds, less what is at risk where it stands."""
    place, holds = wizard.place, held(seat, wizard)
    burden = HELD * holds + FREED * wizard.load.count(seat)
    found = burden + JOKER * wizard.load.count(Robe.JOKER)
    if place == START:
        return found
    found += OUT + NEAR * holds * (1 - rules.far[rules.homes[seat]][place] / FAR)
    if [one.place for one in camps[seat]].count(place) > 1:  # TW-3: nobody can end there
        return found
    safe = 1.0
    for robe in others:
        safe *= 1 - _hit(rules, camps[robe], robe, place)
    return found - RISK * (1 - safe) * (OWN + burden)


def _hit(rules: Known, camp: tuple[Wizard, ...], robe: Robe, place: int) -> float:
    """Return how probably a player's next number brings one of its wizards onto a place."""
    numbers, hits = 0, rules.hits
    for wizard in camp:
        if place not in rules.special or Robe.JOKER in wizard.load:  # TW-2, TW-7
            numbers |= hits[robe, wizard.place].get(place, 0)
    return numbers.bit_count() / SIDES


def _of_prey(rules: Known, camp: tuple[Wizard, ...], seat: Robe, prey: Wizard) -> float:
    return THREAT * _hit(rules, camp, seat, prey.place) * (1 + len(prey.load))


def _far(rules: Known, camp: tuple[Wizard, ...], seat: Robe, prey: list[Wizard]) -> int:
    """Return by how many fields a seat is away from whom it could capture."""
    door = rules.homes[seat]
    fields = [(1, door) if own.place == START else (0, own.place) for own in camp]
    return min(
        [
            more + rules.far[one.place][field]
            for one in prey
            if one.place not in rules.special
            for more, field in fields
        ],
        default=0,
    )
