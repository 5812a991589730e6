"""Somebody who plays Trap the Wizard sensibly and greedily, one choice at a time.

It knows the board, what its seat sees and what it may do, and must not know the rules' states.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

from companion.core.game import Action, Seat
from companion.core.kit import Options
from companion.games.trap_the_wizard.rules import SPOKED, START, Board, Move, Robe, View

REACH = 6  # so far away an opponent is a danger, and so far a die leads
HOME, CAUGHT, JOKER, HOMEWARD, DANGER = 9.0, 6.0, 2.0, 0.3, 1.0  # worth, of one each
HUNT = 0.1  # of one field nearer to prey: without it, two who avoid danger never meet


def choose(view: View, choices: Sequence[Action], board: Board = SPOKED) -> Action:
    """Return what promises most; of equal choices the first."""
    return max(choices, key=lambda action: _promise(view, action, board))


def _promise(view: View, action: Action, board: Board) -> float:
    if not isinstance(action, Move):
        return 0.0
    prey = _opponents(action.seat, action.load)
    relief = _danger(view, action.seat, action.start, board) * (1 + prey)
    if action.end == START:
        return HOME * prey + relief
    met = [
        wizard
        for robe, camp in view.wizards
        for wizard in camp
        if robe != action.seat and wizard.place == action.end
    ]
    if action.spare or (action.end in board.special and Robe.JOKER not in action.load):
        met = []
    caught = sum(1 + _opponents(action.seat, wizard.load) for wizard in met)
    gain = CAUGHT * caught + JOKER * (view.joker == action.end)
    burden = prey + caught
    risk = _danger(view, action.seat, action.end, board) * (1 + burden)
    hunt = 0.0 if burden else HUNT * _closing_in(view, action, board)
    return gain + relief - risk + hunt + HOMEWARD * burden * _nearer(action, board)


def _opponents(seat: Robe, load: tuple[Robe, ...]) -> int:
    return sum(robe not in {seat, Robe.JOKER} for robe in load)


def _nearer(move: Move, board: Board) -> int:
    """Return by how many fields a move comes nearer to its home."""
    far = distances(board, board.homes[move.seat])
    return (far[move.start] if move.start != START else -1) - far[move.end]


def _closing_in(view: View, move: Move, board: Board) -> int:
    """Return by how many fields a move comes nearer to the nearest wizard that it could capture."""
    standing = [
        wizard.place
        for robe, camp in view.wizards
        for wizard in camp
        if robe != move.seat and wizard.place != START
    ]
    prey = [at for at in standing if at not in board.special or Robe.JOKER in move.load]
    if not prey:
        return 0
    far = [distances(board, field) for field in prey]
    door = board.homes[move.seat]
    before = min(f[door] + 1 if move.start == START else f[move.start] for f in far)
    return before - min(f[move.end] for f in far)


def _danger(view: View, seat: Robe, place: int, board: Board) -> float:
    """Return about how likely an opponent ends on a place: each within reach by one number."""
    if place == START:
        return 0.0
    far, hunters = distances(board, place), 0
    for robe, camp in view.wizards:
        for wizard in camp if robe != seat else ():
            away = 1 + far[board.homes[robe]] if wizard.place == START else far[wizard.place]
            safe = place in board.special and Robe.JOKER not in wizard.load
            hunters += 0 < away <= REACH and not safe
    return DANGER * hunters / REACH


@lru_cache(maxsize=1024)
def distances(board: Board, goal: int) -> dict[int, int]:
    """Return how many fields each field is away from one."""
    joined, far, new = board.neighbours(), {goal: 0}, [goal]
    while new:
        new = [to for field in new for to in joined[field] if to not in far]
        far |= dict.fromkeys(new, max(far.values()) + 1)
    return far


def casual(settings: Any, view: Any, _seat: Seat, options: Options, _chance: Random) -> Action:
    """Choose what promises most at the moment."""
    return choose(view, options, settings.board)
