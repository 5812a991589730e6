"""What a match came to, against what was counted by hand."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Settings, ZappZerapp
from companion.games.zapp_zerapp.summary import best_shakers
from companion.referee import commands
from companion.referee.barrel_game import MatchSummary, PlayerSummary, summary
from companion.referee.commands import Call, CommandBody, CorrectAction, GiveUp, Rule, Undo
from companion.referee.events import ActionDone, HouseRules
from companion.referee.match import Match, apply
from companion.referee.replay import FoulCount
from companion.sensing.events import FoulCode, FoulFinding, Weight
from companion.system.text import SeatName
from tests.referee.tables import Round

RED, GREEN, BLUE, YELLOW, *_ = SeatName
THREE = (RED, GREEN, BLUE)
GAME = """
roll 10 / place red 4 / place green 6 / place blue 11 / flip     # red lacks 6, green 4, blue fails
move green start / move red start
roll 9 / place red 8 / place green 10 / place blue 3 / flip      # red lacks 1, green fails, blue 6
move red 4 / move blue start                                     # red banishes green from its 6
roll 5 / place red 5 / place green 4 / place blue 2 / flip       # red lacks 0, green 1, blue 3
move red start / move green start / move blue 3
roll 7 / place red 7 / place green 8 / place blue 12 / flip      # red lacks 0, green and blue fail
move red 5 take green:4                                          # red takes green along
correct pawns red:24,red:city,red:city
roll 2 / place red 1 / place green 2 / place blue 3 / flip       # red lacks 1, green 0, blue fails
move green start / move red 24                                   # red wins
"""
COUNTED = (  # by hand
    PlayerSummary(RED, 5, 0, 8, 8, banished=1, sent_back=0, took=1, was_taken=0, home=3),
    PlayerSummary(GREEN, 3, 2, 5, 5 + 9 + 7, banished=0, sent_back=1, took=0, was_taken=1, home=0),
    PlayerSummary(
        BLUE, 2, 3, 9, 9 + 10 + 7 + 2, banished=0, sent_back=0, took=0, was_taken=0, home=0
    ),
)


def table(profi: bool = True) -> Round:
    """Return a table at which red, green and blue sit."""
    settings = Settings(tuple(map(Colour, THREE)), profi=profi)
    begun = Round()
    begun.wish(commands.NewMatch(ZappZerapp.name, pack(settings), HouseRules()))
    return begun


def play(at: Round, text: str) -> None:
    """Do what a text says."""
    for line in text.splitlines():
        for action in filter(None, map(str.strip, line.split("#")[0].split("/"))):
            do(at, commands.DoAction(action))


def do(at: Round, wish: CommandBody) -> None:
    """Have a wish granted."""
    assert at.wish(wish).refused is None, wish


def of(at: Round) -> MatchSummary:
    """Return what the match came to."""
    match = at.referee.match
    assert match is not None
    total = summary(match)
    assert isinstance(total, MatchSummary)
    return total


def test_a_whole_game_is_counted_as_by_hand() -> None:
    played = table()
    play(played, GAME)
    assert of(played) == MatchSummary(
        rounds=5, moves=10, actions=36, winner=RED, players=COUNTED, best=(RED,), fouls=()
    )
    assert of(played).of(GREEN).short_by == Fraction(5, 3)
    assert of(played).of(GREEN).lost_by == Fraction(21, 5)


def test_it_is_shown_once_the_game_is_over_and_goes_when_that_is_taken_back() -> None:
    played = table()
    play(played, GAME)
    *before, last = (shown.summary for shown in played.shown)
    assert (set(before), last) == ({None}, of(played))
    do(played, Undo())
    assert played.now.summary is None
    do(played, GiveUp())
    given_up = played.shown[-1].summary
    assert given_up is not None
    assert given_up.winner is None


def test_what_was_taken_back_or_put_right_counts_as_it_is_now() -> None:
    played = table()
    play(played, "roll 10 / place red 4 / place green 6 / place blue 11 / flip")
    do(played, Undo())
    play(played, "flip")
    assert [player.spells for player in of(played).players] == [1, 1, 1]
    do(played, CorrectAction(1, "roll 12"))
    assert [player.short for player in of(played).players] == [8, 6, 1]
    assert [player.failed for player in of(played).players] == [0, 0, 0]


def test_no_number_counts_before_its_flip() -> None:
    played = table()
    play(played, "roll 10 / place red 4 / place green 6")
    do(played, GiveUp())
    assert all(player == PlayerSummary(player.seat) for player in of(played).players)
    assert of(played).best == ()
    assert of(played).rounds == 1


def test_a_match_in_which_nothing_was_rolled_came_to_nothing() -> None:
    nothing = MatchSummary(0, 0, 0, None, tuple(map(PlayerSummary, THREE)), (), ())
    assert of(table()) == nothing


def test_fouls_are_counted_by_code_and_seat_as_the_table_ruled() -> None:
    played = table()
    for code, seat in (("peek", "blue"), ("peek", "blue"), ("snatched", None), ("peek", "red")):
        do(played, Call(code, seat))
    do(played, Rule(1, upheld=True))
    do(played, Rule(2, upheld=False))
    do(played, Rule(4, upheld=False))
    assert of(played).fouls == (
        FoulCount("peek", "blue", raised=2, upheld=1, dismissed=1),
        FoulCount("snatched", None, raised=1, upheld=0, dismissed=0),
        FoulCount("peek", "red", raised=1, upheld=0, dismissed=1),
    )


@pytest.mark.parametrize("weight", [Weight.WARNING, Weight.WITHDRAWN])
def test_a_warning_and_what_was_withdrawn_accuse_nobody(weight: Weight) -> None:
    played = table()
    play(played, "roll 10")
    played.tell(FoulFinding(1, FoulCode.PEEK, weight, 0, 400_000, (3,), "blue", 0.9))
    assert of(played).fouls == ()


def test_whoever_keeps_small_barrels_does_not_shake_best() -> None:
    bold = PlayerSummary(RED, worked=3, failed=1, short=0, lost=7)
    timid = PlayerSummary(BLUE, worked=4, failed=0, short=20, lost=20)
    assert best_shakers((bold, timid)) == (RED,)


def test_a_tie_goes_to_fewer_failures_then_to_more_spells_then_to_both() -> None:
    failed = PlayerSummary(RED, worked=1, failed=1, short=0, lost=6)
    close = PlayerSummary(GREEN, worked=2, failed=0, short=6, lost=6)
    longer = PlayerSummary(BLUE, worked=4, failed=0, short=12, lost=12)
    assert best_shakers((failed, close)) == (GREEN,)
    assert best_shakers((close, longer)) == (BLUE,)
    assert best_shakers((failed, longer, PlayerSummary(YELLOW, 4, 0, 12, 12))) == (BLUE, YELLOW)


@given(st.data())
def test_in_any_game_all_figures_fit_together(data: st.DataObject) -> None:
    played = table(profi=data.draw(st.booleans()))
    for _ in range(data.draw(st.integers(0, 60))):
        match = played.referee.match
        assert isinstance(match, Match)
        if match.over:
            break
        seat = data.draw(st.sampled_from(match.game.turns(match.state)))
        action = data.draw(st.sampled_from(match.game.legal(match.state, seat)))
        played.referee.match = apply(match, ActionDone(action, "red"))
    total = of(played)
    players = total.players
    assert sum(one.banished for one in players) == sum(one.sent_back for one in players)
    assert sum(one.took for one in players) >= sum(one.was_taken for one in players)
    assert all(one.spells <= total.rounds for one in players)
    assert all(0 <= one.short <= one.lost for one in players)
    assert bool(total.best) == any(one.spells for one in players)
    assert all(
        total.of(seat).lost_by == min(one.lost_by for one in players if one.lost_by is not None)
        for seat in total.best
    )
