"""The companion and the slow reference agree on whole games, under every reading of the rules."""

import random
from collections import Counter
from dataclasses import fields
from itertools import pairwise
from typing import Any

import pytest

from companion.core.game import TABLE, Action
from companion.games.trap_the_wizard import rules
from companion.games.trap_the_wizard.rules import PLAYERS, START, Again, Leave, Robe, TrapTheWizard
from tests.games.trap_the_wizard.games import random_game, random_settings
from tests.games.trap_the_wizard.reference import Reference

GAMES, IN_FULL = 20, 300
ACTIONS = 300  # of each game


def named(robe: int) -> str:
    return Robe(robe).name.lower()


def load_of(robes: tuple[Robe, ...]) -> tuple[str, ...]:
    return tuple(map(named, robes))


def place(number: int) -> object:
    return "start" if number == START else number


def translated(action: Action) -> tuple[Any, ...]:
    match action:
        case rules.Roll(number):
            return ("roll", number)
        case rules.Move(seat, start, end, load, spare):
            move = ("move", named(seat), place(start), place(end))
            return (*move, load_of(load), load_of(spare))
        case Leave(seat):
            return ("leave", named(seat))
        case Again(seat):
            return ("again", named(seat))
        case rules.Pass(seat):
            return ("pass", named(seat))
    raise AssertionError(action)


def sit_down(settings: rules.Settings) -> Reference:
    board = settings.board
    joined: dict[int, list[int]] = {}
    for path in board.paths:
        for one, other in pairwise(path):
            joined.setdefault(one, []).append(other)
            joined.setdefault(other, []).append(one)
    return Reference(
        [named(seat) for seat in settings.seats],
        {part.name: getattr(settings, part.name) for part in fields(settings)},
        joined,
        {named(robe): board.homes[robe] for robe in PLAYERS},
        list(board.special),
        board.joker,
    )


def check_same(game: TrapTheWizard, state: rules.State, oracle: Reference) -> None:
    """The same position, and the same things to do."""
    here = (state.round, state.phase.value, named(state.turn), state.points, state.sixes)
    rounds = min(oracle.round, game.settings.rounds)
    assert here == (rounds, oracle.phase, oracle.turn, oracle.points, oracle.sixes)
    legal = [translated(action) for seat in game.turns(state) for action in game.legal(state, seat)]
    assert len(legal) == len(set(legal))
    assert set(legal) == oracle.legal()
    assert state.joker == (oracle.where["joker"] == game.settings.board.joker)
    for seat in game.seats:
        camp = Counter((place(w.place), load_of(w.load)) for w in state.wizards[seat])
        name = named(seat)
        assert camp == Counter((oracle.where[w], oracle.load(w)) for w in oracle.free(name))
        gone = Counter(w[0] for w in oracle.wizards() if oracle.where[w] == ("gone", name))
        taken = Counter(named(robe) for robe in state.taken[seat] if robe != Robe.JOKER)
        assert state.phase.value == "over" or gone == taken


@pytest.mark.parametrize("part", range(5))
def test_both_play_the_same_game(part: int, full: bool) -> None:
    play_games(range(part, IN_FULL if full else GAMES, 5))


def play_games(seeds: range) -> None:
    for seed in seeds:
        rng = random.Random(seed)
        game = TrapTheWizard(random_settings(rng))
        oracle = sit_down(game.settings)
        after = game.start()
        for state, action, after in random_game(rng, game, ACTIONS):  # noqa: B007 - the last one is used below
            check_same(game, state, oracle)
            oracle.do(translated(action))
        check_same(game, after, oracle)
        end = game.outcome(after)
        if end is not None:
            assert dict(end.scores) == {seat: oracle.score[named(seat)] for seat in game.seats}
        for seat in (TABLE, *PLAYERS):
            assert bool(game.legal(after, seat)) == (seat in game.turns(after))
