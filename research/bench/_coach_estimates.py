"""How far the coach's estimates are off, beside matches that are played to their end."""

from math import fsum, sqrt
from random import Random
from typing import Final

from companion.core.game import TABLE, Action
from companion.games.zapp_zerapp.rules import Colour, Move, Phase, Settings, State, ZappZerapp
from companion.games.zapp_zerapp.rules.board import PRESETS
from companion.games.zapp_zerapp.solution import Worth, worth

RED, GREEN, BLUE, YELLOW = Colour
COMPANIES: Final = {
    "three": Settings(seats=(RED, GREEN, BLUE)),
    "four": Settings(),
    "four_profi": Settings(profi=True),
    "two_profi": Settings(seats=(RED, BLUE), profi=True),
    "unsolved_ring": Settings(seats=(RED, BLUE), board=PRESETS["three-before-city"]),
}
LONGEST: Final = 16  # rounds until a board is looked at


def figures(boards: int, matches: int, seed: int) -> dict[str, float]:
    """Return by company how far a seat's chance is off: the root of the mean square."""
    return {
        f"estimate_off_{name}": off(settings, boards, matches, Random(f"{seed} {name}"))
        for name, settings in COMPANIES.items()
    }


def off(settings: Settings, boards: int, matches: int, chance: Random) -> float:
    """Return it for one company; what so few matches are off themselves is taken away."""
    game, known = ZappZerapp(settings), worth(settings)
    squares = list[float]()
    for _ in range(boards):
        board = _board(game, known, chance)
        ended = [game.outcome(_played(game, known, board, chance)) for _ in range(matches)]
        for seat, chances in zip(game.seats, known.of(board), strict=True):
            won = sum([end is not None and seat in end.winners for end in ended]) / matches
            squares.append((chances - won) ** 2 - won * (1 - won) / (matches - 1))
    return sqrt(max(0.0, fsum(squares) / len(squares)))


def _board(game: ZappZerapp, known: Worth, chance: Random) -> State:
    """Return a moment before a roll in the middle of a match."""
    while True:
        rounds = 1 + int(chance.random() * LONGEST)
        state = _played(game, known, game.start(), chance, rounds)
        if game.turns(state):
            return state


def _played(
    game: ZappZerapp, known: Worth, state: State, chance: Random, rounds: int = -1
) -> State:
    """Play on to the end, or for so many rounds: barrels are drawn blindly, moves are the best."""
    while seats := game.turns(state):
        if state.phase is Phase.ROLL:
            if not rounds:
                break
            rounds -= 1
        options = game.legal(state, seats[0])
        if isinstance(options[0], Move):
            action: Action = _best(game, known, state)
        else:
            odds = game.odds(state) if seats[0] == TABLE else None
            (action,) = chance.choices(options, odds)
        state = game.apply(state, action)
    return state


def _best(game: ZappZerapp, known: Worth, state: State) -> Action:
    at, moves = game.seats.index(state.queue[0]), game.legal(state, state.queue[0])
    return max(moves, key=lambda move: known.start(game.apply(state, move).pawns)[at])
