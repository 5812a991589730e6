"""Matches in lockstep are matches by the rules, and come out as those played one by one."""

from random import Random
from statistics import fmean, stdev

import pytest

from companion.games.zapp_zerapp.listening_ai.table import play
from companion.games.zapp_zerapp.rules import PRESETS, Banished, Colour, Move, Settings, ZappZerapp

np = pytest.importorskip("numpy")

from rappelwacht_research.lockstep import CHUNK, LANES, Lockstep, chunks  # noqa: E402 - it needs numpy

RED, GREEN, BLUE, YELLOW = Colour
TABLES = {
    "two": Settings((RED, BLUE)),
    "two side by side": Settings((GREEN, BLUE)),
    "three": Settings((RED, GREEN, YELLOW)),
    "four": Settings(),
    "another ring": Settings((RED, GREEN), board=PRESETS["three-before-city"]),
}
RANDOM = "random"
SURE = 4.5  # standard errors: one of 100,000 comparisons fails


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("settings", TABLES.values(), ids=TABLES)
def test_what_was_traced_can_be_played_again_by_the_rules(settings: Settings) -> None:
    game = ZappZerapp(settings)
    found = Lockstep(settings).play(300, 1, trace=range(0, 300, 10))
    assert len(found.traces) == 30
    for match, actions in found.traces.items():
        state, banished, moves = game.start(), [0] * len(settings.seats), [0] * len(settings.seats)
        for action in actions:
            before, state = state, game.apply(state, action)
            if isinstance(action, Move):
                at = settings.seats.index(action.seat)
                moves[at] += 1
                events = game.explain(before, action, state)
                banished[at] += sum(isinstance(event, Banished) for event in events)
        outcome = game.outcome(state)
        assert outcome is not None
        assert outcome.winners == (settings.seats[found.winner[match]],)
        assert [home for _, home in outcome.scores] == found.home[match].tolist()
        assert (len(actions), state.round) == (found.actions[match], found.rounds[match])
        assert moves == found.deeds["moves"][match].tolist()
        assert banished == found.deeds["banished"][match].tolist()
        assert sum(banished) == found.deeds["sent_back"][match].sum()


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("settings", TABLES.values(), ids=TABLES)
def test_matches_come_out_as_those_played_one_by_one(settings: Settings) -> None:
    game, chance = ZappZerapp(settings), Random(2)
    rounds, actions, wins = [], [], []
    for _ in range(60):
        steps = list(play(game, (RANDOM,) * len(settings.seats), chance))
        end = game.outcome(steps[-1][2])
        assert end is not None
        rounds.append(steps[-1][2].round)
        actions.append(len(steps))
        wins.append(end.winners[0] == settings.seats[0])
    many = Lockstep(settings).play(5_000, 3)
    for one_by_one, together in (
        (rounds, many.rounds),
        (actions, many.actions),
        (wins, many.winner == 0),
    ):
        error = float(together.std()) / len(one_by_one) ** 0.5
        assert fmean(one_by_one) == pytest.approx(float(together.mean()), abs=SURE * error)
    assert stdev(rounds) == pytest.approx(float(many.rounds.std()), rel=0.5)


def test_dice_barrels_and_pawns_are_drawn_as_often_as_they_should() -> None:
    found = Lockstep(Settings((RED, BLUE))).play(400, 4, trace=range(400))
    actions = [action for trace in found.traces.values() for action in trace]
    rolls = [action.magic for action in actions if hasattr(action, "magic")]
    placed = [action.barrel for action in actions if hasattr(action, "barrel")]
    for drawn, odds in ((rolls, [6 - abs(7 - n) for n in range(2, 13)]), (placed, [1] * 13)):
        low = min(drawn)
        counts = np.bincount(np.array(drawn) - low)
        expected = np.array(odds) / sum(odds) * len(drawn)
        assert ((counts - expected) ** 2 / expected).sum() < len(odds) * 3


def test_every_match_ends_and_the_same_seed_gives_the_same_ones() -> None:
    matches = LANES + 100  # more than go on at once
    lockstep = Lockstep(Settings((RED, YELLOW)))
    one, other = lockstep.play(matches, 5), lockstep.play(matches, 5)
    assert (one.rounds > 0).all()
    assert (one.home.max(axis=1) == 3).all()
    assert (one.rounds == other.rounds).all()
    assert (one.winner == other.winner).all()


def test_only_random_players_of_the_base_game_are_played_so() -> None:
    assert chunks(Settings(), ("casual", RANDOM, RANDOM, RANDOM), CHUNK, 1) is None
    assert chunks(Settings(profi=True), (RANDOM,) * 4, CHUNK, 1) is None
    assert chunks(Settings(overlook=True), (RANDOM,) * 4, CHUNK, 1) is None
    some = chunks(Settings(), (RANDOM,) * 4, 10, 1)
    assert some is not None
    assert len([one for chunk in some for one in chunk()]) == 10
