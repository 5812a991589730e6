"""The report of a match adds up, and calls decisions and luck by their size."""

from dataclasses import replace
from random import Random
from statistics import fmean, stdev

import pytest

from companion.coach.history import EarSums, growth, played, standing
from companion.coach.report import BLUNDER, ERROR, Decision, Report, report, reported
from companion.core.game import TABLE, Action
from companion.core.log import Log
from tests.coach.toss import COACH, GAME, Bet, Exact, Fine, Guest, State, Toss, reds

RED, GREEN = Guest


def told(*actions: Action) -> Report:
    """Return the report of some actions."""
    return reported(Log.begin(GAME, actions), COACH, Exact())


def match(seed: int, *, best: bool) -> Log[State]:
    """Return a whole match; played best, or at random with rulings in between."""
    chance, log = Random(seed), Log.begin(GAME)
    while seats := GAME.turns(log.state):
        legal = GAME.legal(log.state, seats[0])
        action = chance.choice(legal)
        if best and seats[0] != TABLE:
            action = max(Exact().options(log.state).items(), key=lambda one: one[1])[0]
        elif not best and chance.random() < 0.1:
            action = Fine(chance.choice((RED, GREEN)))
        log = log.play(action)
    return log


@pytest.mark.parametrize("best", [True, False])
def test_the_parts_of_every_seat_add_up_to_its_result(best: bool) -> None:
    for seed in range(60):
        found = reported(match(seed, best=best), COACH, Exact())
        assert found.balance <= 1e-12
        for parts in found.parts:
            luck = sum(one.brought for one in parts.luck)
            moved = parts.own_moves + parts.others_moves + parts.put_right
            assert parts.first + luck + moved == pytest.approx(parts.last, abs=1e-12)
        red, green = found.parts
        assert red.last + green.last == 1
        assert red.own_moves == pytest.approx(-green.others_moves)
        assert red.own_moves <= 1e-12


def test_whoever_plays_best_owes_all_to_the_coin_and_the_coin_favours_nobody() -> None:
    found = [reported(match(seed, best=True), COACH, Exact()) for seed in range(400)]
    assert max(abs(one.parts[0].own_moves) for one in found) < 1e-12
    assert not any(one.dearest for one in found)
    luck = [one.parts[0].luck[0].brought for one in found]
    assert abs(fmean(luck)) <= 3 * stdev(luck) / len(luck) ** 0.5


def test_a_foolish_bet_costs_what_the_best_one_would_have_kept() -> None:
    before = Log.begin(GAME, [Toss(0)]).state
    found = told(Toss(0), Bet(GREEN, 1))
    (one,) = found.decisions
    lost = reds(GAME.apply(before, Bet(GREEN, 1))) - reds(GAME.apply(before, Bet(GREEN, 0)))
    assert one.error == pytest.approx(lost)
    assert lost > 0
    assert one.best == Bet(GREEN, 0)
    assert found.parts[GREEN].own_moves == found.parts[RED].others_moves * -1 == -one.error


def test_of_two_best_ways_the_chosen_one_is_shown() -> None:
    for coin in (0, 1):
        (one,) = told(Toss(1), Bet(GREEN, coin)).decisions
        assert (one.best, one.error) == (one.action, 0.0)


@pytest.mark.parametrize(
    ("error", "kind"),
    [(ERROR, None), (0.021, "error"), (BLUNDER, "error"), (0.081, "blunder"), (0.9, "blunder")],
)
def test_an_error_is_called_by_its_size(error: float, kind: str | None) -> None:
    assert Decision(0, 1, RED, Bet(RED, 1), Bet(RED, 2), error).kind == kind


def test_only_the_three_dearest_are_told_the_dearest_first() -> None:
    errors = (0.01, 0.3, 0.05, 0.09, 0.04)
    some = [Decision(place, 1, RED, Bet(RED, 1), Bet(RED, 2), e) for place, e in enumerate(errors)]
    found = replace(told(Toss(0), Bet(GREEN, 1)), decisions=tuple(some))
    assert [one.error for one in found.dearest] == [0.3, 0.09, 0.05]


def test_luck_that_brings_much_is_a_joker() -> None:
    found = [reported(match(seed, best=True), COACH, Exact()) for seed in range(60)]
    jokers = [one for report in found for one in report.jokers]
    assert jokers
    assert all(one.brought > 0.30 and one.source == "coin" for one in jokers)
    for one in found:
        for joker in one.jokers:
            before, after = (one.curve[joker.actions + by].worths[joker.seat] for by in (0, 1))
            assert after - before == pytest.approx(joker.brought)


def test_what_is_put_right_is_nobodys_luck_and_nobodys_fault() -> None:
    found = told(Toss(1), Fine(RED), Bet(GREEN, 0))
    assert found.parts[RED].put_right < 0 < found.parts[GREEN].put_right
    assert found.balance < 1e-12


def test_a_match_that_is_not_over_and_a_game_without_a_coach_have_no_report() -> None:
    assert report(Log.begin(GAME, [Toss(1)])) is None
    assert report(match(1, best=True)) is None  # nobody has installed it


def test_evenings_know_means_and_how_surely() -> None:
    found = [played(reported(match(seed, best=False), COACH, Exact()))[RED] for seed in range(9)]
    all_of_them = standing(found)
    assert all_of_them is not None
    assert all_of_them.matches == 9
    errors = [
        one.error
        for seed in range(9)
        for one in reported(match(seed, best=False), COACH, Exact()).decided_by(RED)
    ]
    assert all_of_them.errors.mean == pytest.approx(fmean(errors))
    reach = 1.96 * stdev(errors) / len(errors) ** 0.5
    assert all_of_them.errors.reach == pytest.approx(reach)
    assert standing([]) is None


def test_estimates_are_not_mixed_with_what_is_known() -> None:
    one = played(told(Toss(0), Bet(GREEN, 1)))[GREEN]
    found = standing([replace(one, exact=False), one, replace(one, exact=False)])
    assert found is not None
    assert (found.exact, found.matches) == (True, 1)
    guessed = standing([replace(one, exact=False)])
    assert guessed is not None
    assert not guessed.exact


def test_an_ear_that_grows_is_told_from_one_that_may_be_lucky() -> None:
    worse = EarSums.from_pairs([(0.5, 0.6), (0.4, 0.5)] * 6)
    better = EarSums.from_pairs([(0.1, 0.6), (0.2, 0.5)] * 6)
    grown = growth([worse, worse, better, better])
    assert grown is not None
    assert grown.is_sure
    assert grown.gain == pytest.approx((0.9 - 0.3) / 1.1)
    same = growth([worse, worse])
    assert same is not None
    assert not same.is_sure
    assert growth([worse]) is None
    assert growth([EarSums.from_pairs([(1.0, 2.0)]), EarSums.from_pairs([(2.0, 2.0)])]) is None
    assert growth([EarSums.from_pairs([(0.0, 0.0)] * 9)] * 2) is None  # nothing was at stake


def test_an_ear_does_not_seem_to_grow_because_less_is_at_stake() -> None:
    early = EarSums.from_pairs([(0.05, 0.1), (0.04, 0.08)] * 6)
    late = EarSums.from_pairs([(0.0005, 0.001), (0.0004, 0.0008)] * 6)
    found = growth([early, late])
    assert found is not None
    assert found.gain == pytest.approx(0)
    assert not found.is_sure
