"""Plays whole games at random, and searches by playing on (Monte Carlo).

The search plays on many times, in worlds that agree with what a seat sees. It counts playouts, not
seconds, so that the same seed gives the same choice on every machine. All options meet the same
worlds and the same chance; after each heat the worse half is out, so that most playouts are spent
where it is close.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, Protocol, TypeVar

from companion.core.game import TABLE, Action, Game, Seat
from companion.core.log import Log
from companion.core.plugin import Choose, Options
from companion.system.chance import pick

S = TypeVar("S")


class Foresight(Protocol):
    """What a search has to know of a game."""

    def world(self, game: Any, view: Any, seat: Seat, chance: Random) -> Any:
        """Return a state that could be, by all that a seat sees."""

    def candidates(self, game: Any, view: Any, seat: Seat, options: Options) -> Options:
        """Return the options that are worth a search."""

    def policy(self, game: Any, state: Any, options: Options) -> Action:
        """Return quickly what somebody sensible would do."""

    def rests(self, state: Any, seat: Seat) -> bool:
        """Tell whether nothing is half done in a state, so that a seat's playout may end there."""

    def worth(self, game: Any, state: Any, seat: Seat) -> float:
        """Return how good a state is for a seat."""


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """How much is searched."""

    playouts: int  # in all, whatever has to be chosen
    rests: int  # that a playout comes to; it ends at the last of them, if not with the game


def searching(
    kind: Callable[[Any], Game[Any]], foresight: Foresight, effort: SearchBudget
) -> Choose:
    game_of = lru_cache(maxsize=8)(kind)

    def choose(settings: Any, view: Any, seat: Seat, options: Options, luck: Random) -> Action:
        seed = luck.random()  # one draw, however much is searched
        game = game_of(settings)
        worthy = foresight.candidates(game, view, seat, options)
        if len(worthy) == 1:
            return worthy[0]
        chance = Random(seed)  # noqa: S311 - a game and no secret

        def world() -> Any:
            return foresight.world(game, view, seat, chance)

        def ends(state: Any, luck: float) -> float:
            end = _played_on(game, foresight, state, seat, effort, luck)
            return foresight.worth(game, end, seat)

        return worthy[_best(game, worthy, effort.playouts, world, ends, chance)]

    return choose


def _best(  # noqa: PLR0913, PLR0917 - what is searched, and how
    game: Game[Any],
    options: Options,
    playouts: int,
    world: Callable[[], Any],
    ends: Callable[[Any, float], float],
    chance: Random,
) -> int:
    """Return the place of what came to most; of equals the first."""
    left = list(range(len(options)))
    sums = [0.0] * len(options)
    heats = (len(left) - 1).bit_length()
    for _ in range(heats):
        for _ in range(max(1, playouts // (heats * len(left)))):
            state, luck = world(), chance.random()
            for place in left:
                sums[place] += ends(game.apply(state, options[place]), luck)
        left.sort(key=lambda place: (-sums[place], place))  # each of them had as many playouts
        del left[(len(left) + 1) // 2 :]
    return left[0]


def _played_on(  # noqa: PLR0913, PLR0917 - what is searched, and how
    game: Game[Any], foresight: Foresight, state: Any, seat: Seat, effort: SearchBudget, luck: float
) -> Any:
    turns, legal, apply, policy = game.turns, game.legal, game.apply, foresight.policy
    chance = Random(luck)  # noqa: S311 - a game and no secret
    rests = 0
    while seats := turns(state):
        rests += foresight.rests(state, seat)
        if rests == effort.rests:
            break
        options = legal(state, seats[0])
        if seats[0] == TABLE:
            action = draw_by_chance(options, game.odds(state), chance)
        else:
            action = options[0] if len(options) == 1 else policy(game, state, options)
        state = apply(state, action)
    return state


def random_game(game: Game[S], chance: Random) -> Log[S]:
    """Play a match to its end: the table draws by its odds, and seats choose anything."""
    log = Log.begin(game)
    while seats := game.turns(log.state):
        seat = chance.choice(seats)
        options = game.legal(log.state, seat)
        if seat == TABLE:
            log = log.play(draw_by_chance(options, game.odds(log.state), chance))
        else:
            log = log.play(chance.choice(options))
    return log


def draw_by_chance(options: Sequence[Action], odds: Sequence[int], chance: Random) -> Action:
    """Return what the table does by chance, each as often as it should."""
    if odds[0] == odds[-1] and min(odds) == max(odds):
        return pick(chance, options)
    mark = chance.random() * sum(odds)
    for action, weight in zip(options, odds, strict=True):
        mark -= weight
        if mark < 0:
            return action
    return options[-1]
