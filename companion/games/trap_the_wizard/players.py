"""Bots for Trap the Wizard: choose by how good the position is, and search ahead."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Final

from companion.core import Action, Options, Seat
from companion.core.players.levels import EXPERT, GOOD, careless, levels
from companion.core.players.monte_carlo import SearchBudget, searching
from companion.games.trap_the_wizard.rules import (
    START,
    Board,
    Move,
    Phase,
    Robe,
    Roll,
    Settings,
    State,
    TrapTheWizard,
    View,
    Wizard,
)
from companion.games.trap_the_wizard.rules.model import SIDES
from companion.games.trap_the_wizard.rules.moves import Ways


@lru_cache(maxsize=1024)
def distances(board: Board, goal: int) -> dict[int, int]:
    """Return how many fields each field is away from one."""
    joined, far, new = board.neighbours(), {goal: 0}, [goal]
    while new:
        new = [to for field in new for to in joined[field] if to not in far]
        far |= dict.fromkeys(new, max(far.values()) + 1)
    return far


TAKEN, HELD, FREED, JOKER_WORTH = 15.0, 6.0, 1.0, 2.0  # worth of one each, brought home or held
NEAR, FAR = 9.0, 30  # what it is worth to be home with one, and where that is worth nothing
OWN, RISK = 3.0, 3.0  # worth of a wizard that is captured, and how much losing counts
THREAT, OUT = 1.0, 0.1  # of a likely catch, of setting out
HUNT_WORTH, IMPATIENT = (
    0.1,
    1.0,
)  # of a field to the nearest prey; for whoever has waited long enough
BOLD: Final = 0.1  # how often somebody has: two who only wait for each other never meet
OTHERS: Final = 1.0  # what counts against it that opponents hold

Camps = tuple[tuple[Wizard, ...], ...]  # by robe
Hits = Mapping[int, int]  # by where one can end: by which numbers, a bit each


@dataclass(frozen=True)
class BoardFacts:
    """What a board and its rules allow, worked out once."""

    game: TrapTheWizard
    homes: tuple[int, ...]
    special: frozenset[int]
    far: Sequence[Mapping[int, int]]  # by field: how far away each field is
    hits: Mapping[tuple[Robe, int], Hits]  # by robe and place


@lru_cache(maxsize=8)
def board_facts(settings: Settings) -> BoardFacts:
    board, ways = settings.board, Ways(settings)
    fields = range(len(board.neighbours()))
    return BoardFacts(
        TrapTheWizard(settings),
        board.homes,
        frozenset(board.special),
        [distances(board, field) for field in fields],
        {(robe, at): _hits(ways, robe, at) for robe in settings.seats for at in (START, *fields)},
    )


def _hits(ways: Ways, seat: Robe, place: int) -> Hits:
    reached: dict[int, int] = {}
    for number in range(1, SIDES + 1):
        for end in ways.ends(seat, place, number, home=False):
            reached[end] = reached.get(end, 0) | 1 << number
    return reached


def experienced(settings: Any, view: Any, seat: Seat, options: Options, chance: Random) -> Action:
    """Choose what leads to the best position; now and then whoever waited grows impatient."""
    if len(options) == 1:
        return options[0]
    hunt = IMPATIENT if chance.random() < BOLD else HUNT_WORTH
    return best_choice(board_facts(settings), state_of(view), Robe(seat), options, hunt)


def impatient(settings: Any, view: Any, seat: Seat, options: Options, _chance: Random) -> Action:
    """Choose as whoever has waited long enough."""
    return best_choice(board_facts(settings), state_of(view), Robe(seat), options, IMPATIENT)


def best_choice(
    rules: BoardFacts, state: State, seat: Robe, options: Sequence[Action], hunt: float = HUNT_WORTH
) -> Action:
    promise = promises(rules, state, seat, options, hunt)
    return max(options, key=promise.__getitem__)


def promises(
    rules: BoardFacts, state: State, seat: Robe, options: Sequence[Action], hunt: float
) -> dict[Action, float]:
    """Return how good the positions are to which choices lead."""
    promised: dict[Action, float] = {}
    for action in options:
        camps, taken = state.wizards, state.taken
        if isinstance(action, Move):
            camps, _, taken = rules.game.moves.after(state, action)
        promised[action] = TAKEN * len(taken[seat]) + position_worth(rules, camps, seat, hunt)
    return promised


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


def position_worth(rules: BoardFacts, camps: Camps, seat: Robe, hunt: float = HUNT_WORTH) -> float:
    others = [robe for robe in rules.game.seats if robe != seat]
    against = sum([wizard.opponents(robe) for robe in others for wizard in camps[robe]])
    own = sum([_of_own(rules, camps, seat, others, wizard) for wizard in camps[seat]])
    prey = [wizard for robe in others for wizard in camps[robe] if wizard.place != START]
    caught = sum([_of_prey(rules, camps[seat], seat, wizard) for wizard in prey])
    far = _far(rules, camps[seat], seat, prey)
    return own + caught - OTHERS * against / len(others) - hunt * far


def _of_own(
    rules: BoardFacts, camps: Camps, seat: Robe, others: list[Robe], wizard: Wizard
) -> float:
    """Return what a wizard holds, less what is at risk where it stands."""
    place, holds = wizard.place, wizard.opponents(seat)
    burden = HELD * holds + FREED * wizard.load.count(seat)
    worth = burden + JOKER_WORTH * wizard.load.count(Robe.JOKER)
    if place == START:
        return worth
    worth += OUT + NEAR * holds * (1 - rules.far[rules.homes[seat]][place] / FAR)
    if [wizard.place for wizard in camps[seat]].count(place) > 1:  # TW-3: nobody can end there
        return worth
    safe = 1.0
    for robe in others:
        safe *= 1 - _hit(rules, camps[robe], robe, place)
    return worth - RISK * (1 - safe) * (OWN + burden)


def _hit(rules: BoardFacts, camp: tuple[Wizard, ...], robe: Robe, place: int) -> float:
    """Return how probably a player's next number brings one of its wizards onto a place."""
    numbers, hits = 0, rules.hits
    for wizard in camp:
        if place not in rules.special or Robe.JOKER in wizard.load:  # TW-2, TW-7
            numbers |= hits[robe, wizard.place].get(place, 0)
    return numbers.bit_count() / SIDES


def _of_prey(rules: BoardFacts, camp: tuple[Wizard, ...], seat: Robe, prey: Wizard) -> float:
    return THREAT * _hit(rules, camp, seat, prey.place) * (1 + len(prey.load))


def _far(rules: BoardFacts, camp: tuple[Wizard, ...], seat: Robe, prey: list[Wizard]) -> int:
    """Return by how many fields a seat is away from whom it could capture."""
    door = rules.homes[seat]
    fields = [(1, door) if own.place == START else (0, own.place) for own in camp]
    return min(
        [
            more + rules.far[wizard.place][field]
            for wizard in prey
            if wizard.place not in rules.special
            for more, field in fields
        ],
        default=0,
    )


WORTHY, CLOSE = 3, 6.0  # so many choices are worth a search, and so close to the best
WON: Final = 60.0  # what it is worth to win, beside the points
MOST_ENDS: Final = 4096  # that are remembered


class Foresight:
    def __init__(self) -> None:
        self.worth = lru_cache(MOST_ENDS)(self._worth)

    def world(self, game: TrapTheWizard, view: View, seat: Seat, chance: Random) -> State:  # noqa: ARG002 - the contract
        """Return the state: nothing is hidden."""
        return state_of(view)

    def candidates(self, game: TrapTheWizard, view: View, seat: Seat, options: Options) -> Options:
        """Return what leads to the best positions."""
        promise = promises(
            board_facts(game.settings), state_of(view), Robe(seat), options, HUNT_WORTH
        )
        most = sorted(options, key=lambda action: -promise[action])[:WORTHY]
        return [action for action in most if promise[action] > promise[most[0]] - CLOSE]

    def policy(self, game: TrapTheWizard, state: State, options: Options) -> Action:
        return best_choice(board_facts(game.settings), state, state.turn, options)

    def rests(self, state: State, seat: Seat) -> bool:
        """Tell whether a seat is about to roll, for all others have moved; or has nobody left."""
        if state.phase is not Phase.ROLL:
            return False
        return (state.turn == seat and not state.sixes) or not state.wizards[seat]

    def _worth(self, game: TrapTheWizard, state: State, seat: Seat) -> float:
        """Return how good the best position is to which each number leads, on average."""
        rules, robe = board_facts(game.settings), Robe(seat)
        ahead = TAKEN * state.scores[robe] - _of_others(rules, state, robe)
        if end := game.outcome(state):
            return ahead + WON * (robe in end.winners) / len(end.winners)
        if state.phase is not Phase.ROLL or state.turn != seat:
            return ahead + _standing(rules, state, robe)
        rolled = [game.apply(state, Roll(number)) for number in range(1, SIDES + 1)]
        return ahead + sum([_best(rules, after, robe) for after in rolled]) / SIDES


FORESIGHT: Final = Foresight()


def _best(rules: BoardFacts, state: State, robe: Robe) -> float:
    if state.phase is not Phase.MOVE:  # there was no way
        return _standing(rules, state, robe)
    options = rules.game.legal(state, robe)
    return max(promises(rules, state, robe, options, HUNT_WORTH).values())


def _standing(rules: BoardFacts, state: State, robe: Robe) -> float:
    return TAKEN * len(state.taken[robe]) + position_worth(rules, state.wizards, robe)


def _of_others(rules: BoardFacts, state: State, robe: Robe) -> float:
    """Return what the others have brought home, and how near they are with what they hold."""
    others = [other for other in rules.game.seats if other != robe]
    worth = 0.0
    for other in others:
        far = rules.far[rules.homes[other]]
        worth += TAKEN * (state.scores[other] + len(state.taken[other]))
        for wizard in state.wizards[other]:
            if wizard.place != START:
                worth += NEAR * wizard.opponents(other) * (1 - far[wizard.place] / FAR)
    return worth / len(others)


BOLD_PLAYER: Final = 0.03  # how often somebody is impatient: two who only wait never meet
EFFORT: Final = SearchBudget(playouts=24, rests=1)  # until it is one's own turn again
SEARCHING: Final = searching(TrapTheWizard, FORESIGHT, EFFORT)


def expert(settings: Any, view: Any, seat: Seat, options: Options, chance: Random) -> Action:
    """Choose what turns out best; now and then be impatient, or experts might wait for ever."""
    choose = impatient if chance.random() < BOLD_PLAYER else SEARCHING
    return choose(settings, view, seat, options, chance)


PLAYERS: Final = levels(careless(experienced), {EXPERT: expert, GOOD: experienced})
