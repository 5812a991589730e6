"""An estimate of what nobody has solved adds up, favours nobody, and finds blunders."""

from math import fsum
from random import Random
from typing import Any

import pytest

from companion.coach.evaluator import UNTOLD, Evaluator
from companion.coach.report import BLUNDER, Report, coach_of, report
from companion.core import SeatName
from companion.core.game import TABLE, Action, Game
from companion.core.log import Log
from companion.core.plugin import GAMES, players
from companion.games.trap_the_wizard.rules import Move, Robe
from companion.games.via_magica.rules import Phase, Reward, Settings, ViaMagica, Waive
from tests.games.trap_the_wizard.tables import position
from tests.games.via_magica.games import before_catch, player

ESTIMATED = ("trap-the-wizard", "via-magica")


def game_of(name: str) -> Game[Any]:
    """Return a short game for two."""
    kind: Any = GAMES[name]
    seats = kind().seats[:2]
    short = {"rounds": 1} if name == "trap-the-wizard" else {}
    game: Game[Any] = kind(kind.settings_type(seats=seats, **short))
    return game


def played(game: Game[Any], seed: int) -> Log[Any]:
    """Return a match by good players."""
    chance, choose = Random(seed), players(game.name)["good"]
    log = Log.begin(game)
    while turns := game.turns(log.state):
        if turns[0] == TABLE:
            action = chance.choices(game.legal(log.state, TABLE), game.odds(log.state))[0]
        else:
            view = game.view(log.state, turns[0])
            action = choose(game.settings, view, turns[0], view.choices, chance)
        log = log.play(action)
    return log


def judged(log: Log[Any]) -> Report:
    """Return the report of a match."""
    found = report(log)
    assert found is not None
    return found


def judge_of(game: Game[Any]) -> Evaluator:
    """Return who judges a game."""
    coach = coach_of(game)
    assert coach is not None
    return coach.judge(game)


@pytest.mark.parametrize("name", ESTIMATED)
def test_the_parts_add_up_and_what_cannot_be_told_has_a_row_of_its_own(name: str) -> None:
    found = judged(played(game_of(name), 1))
    assert found.balance <= 1e-9
    assert not found.exact
    for point in found.curve:
        assert fsum(point.worths) == pytest.approx(1)
    for parts in found.parts:
        assert [one.source for one in parts.luck] == ["luck", UNTOLD]
        assert parts.own_moves <= 0
    assert {one.last for one in found.parts} == {0.0, 1.0}
    assert found == judged(played(game_of(name), 1))


@pytest.mark.parametrize("name", ESTIMATED)
def test_luck_comes_to_nothing_on_average(name: str) -> None:
    game = game_of(name)
    judge, log = judge_of(game), played(game, 2)
    moments = [one for one in log.states if game.turns(one) == (TABLE,)]
    for state in moments[:: max(1, len(moments) // 12)]:
        options, odds = game.legal(state, TABLE), game.odds(state)
        changes = [judge.changed(state, one, game.apply(state, one)) or () for one in options]
        for column in zip(*changes, strict=True):
            assert fsum(map(float.__mul__, column, map(float, odds))) == pytest.approx(0, abs=1e-9)


def lost(game: Game[Any], state: Any, action: Action) -> float:
    """Return what an action costs whoever decides on it."""
    worths = judge_of(game).options(state)
    return max(worth for one, worth in worths.items() if one.seat == action.seat) - worths[action]


def test_whoever_does_not_capture_the_last_one_blunders() -> None:
    red, blue = Robe.RED, Robe.BLUE
    table = position({red: (30, 9), blue: (32,)}, 2, rounds=1)
    assert lost(table.game, table.state, Move(red, 30, 32)) == 0
    assert lost(table.game, table.state, Move(red, 30, 28)) > BLUNDER


def test_whoever_waives_the_reward_that_decides_blunders() -> None:
    game = ViaMagica(Settings((SeatName.RED, SeatName.GREEN)))
    own, other = (
        player(opened=(33, 34, 24, 25, 26, 27)),
        player(opened=(28, 29, 30, 31, 32, 24, 33)),
    )
    state = before_catch(game, own, other)._replace(phase=Phase.REWARD, queue=(SeatName.RED,))
    assert Reward.SIX in {getattr(one, "reward", None) for one in game.legal(state, SeatName.RED)}
    assert lost(game, state, Waive(SeatName.RED)) > BLUNDER
