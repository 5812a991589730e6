"""The facts of the rulebook, one after another, each in the smallest position that shows it."""

from typing import Any

import pytest

from companion.core.game import TABLE, Outcome
from companion.games.trap_the_wizard import rules
from companion.games.trap_the_wizard.rules import SPOKED, AnotherTurn, CatchCounted, DieCast, NoWay
from companion.system.errors import RulesError
from tests.games.trap_the_wizard.tables import (
    BLUE,
    CENTRE,
    GREEN,
    HOME,
    JOKER,
    RED,
    YELLOW,
    opening,
    position,
)

FAR = {GREEN: (20, 23, 36)}  # an opponent who is out of the way


def test_tw_1_three_wizards_on_the_own_start_and_one_die() -> None:
    table = opening()
    assert [table.camp(robe) for robe in rules.PLAYERS] == [(HOME,) * 3] * 4
    assert table.game.turns(table.state) == (TABLE,)
    assert table.may() == [f"roll {number}" for number in (1, 2, 3, 4, 5, 6)]
    assert list(table.game.odds(table.state)) == [1] * 6


def test_tw_1_a_wizard_moves_exactly_the_rolled_number() -> None:
    table = opening().do("roll 1")
    assert table.may() == ["move red start 5"]
    assert table.tell("move red start 5") == (rules.WizardSetOut(RED, 5, (5,)),)
    assert opening().do("roll 3").ends("start") == {"3", "7", "53"}
    assert position({RED: (30, HOME, HOME), **FAR}, 2).ends("30") == {"28", "32", "64"}


def test_tw_1_the_roll_is_not_split_between_wizards() -> None:
    table = position({RED: (30, 32, HOME), **FAR}, 4).do("move red 30 26")
    assert table.camp(RED) == (HOME, 26, 32)
    assert table.turn == ("roll", GREEN)


def test_tw_2_ending_on_a_field_with_opponents_captures_them() -> None:
    table = position({RED: (30, HOME, HOME), GREEN: (32, 32, 40)}, 2)
    assert table.tell("move red 30 32") == (
        rules.WizardWalked(RED, 30, 32, (31, 32)),
        rules.WizardCaptured(RED, GREEN, 32),
        rules.WizardCaptured(RED, GREEN, 32),
    )
    after = table.do("move red 30 32")
    assert after.camp(RED) == (HOME, HOME, (32, (GREEN, GREEN)))
    assert after.camp(GREEN) == (40,)


def test_tw_2_a_capture_does_not_depend_on_what_was_asked_of_another_moment() -> None:
    table = position({RED: (30,), GREEN: (32, 40)}, 2, pass_over=False)
    stuck = position({RED: (30,), GREEN: (29, 31)}).state
    assert table.game.apply(stuck, rules.Roll(3)).turn == GREEN
    assert "move red 30 32" in table.may()
    assert table.game.apply(stuck, rules.Roll(3)).turn == GREEN
    assert table.do("move red 30 32").camp(GREEN) == (40,)


def test_tw_2_nobody_is_captured_on_a_special_field() -> None:
    table = position({RED: (32, HOME, HOME), GREEN: (34, HOME, HOME)}, 2).do("move red 32 34")
    assert (table.camp(RED), table.camp(GREEN)) == ((HOME, HOME, 34), (HOME, HOME, 34))


def test_tw_3_a_third_wizard_has_no_room() -> None:
    own = position({RED: (30, 32, 32), **FAR}, 2)
    assert own.ends("30") == {"28", "64"}
    special = position({RED: (32, HOME, HOME), GREEN: (34, 34, HOME)}, 2)
    assert special.ends("32") == {"30", "64"}
    mixed = position({RED: (32, 34, HOME), GREEN: (34, HOME, HOME)}, 2)
    assert mixed.ends("32") == {"30", "64"}
    strangers = position({RED: (32, 9, HOME), GREEN: (34, 20, HOME), BLUE: (34, 20, HOME)}, 2)
    assert strangers.ends("32") == {"30", "64"}


def test_tw_3_two_of_one_player_share_any_field() -> None:
    table = position({RED: (30, 32, HOME), **FAR}, 2).do("move red 30 32")
    assert table.camp(RED) == (HOME, 32, 32)


def test_tw_3_captives_need_no_room() -> None:
    table = position({RED: (30, (34, (GREEN, GREEN)), HOME), GREEN: (9,)}, 4)
    assert table.do("move red 30 34").camp(RED) == (HOME, 34, (34, (GREEN, GREEN)))


def test_tw_3_all_may_stand_on_their_start() -> None:
    table = position({RED: (HOME, HOME, (5, (GREEN,))), GREEN: (34, 34)}, 1)
    assert table.do("move red 5 start").camp(RED) == (HOME, HOME, HOME)


def test_tw_4_only_who_holds_an_opponent_comes_home() -> None:
    bare, joker, catch = (
        position({RED: ((6, load), HOME, HOME), GREEN: (20, 30)}, 2)
        for load in ((), (JOKER,), (GREEN,))
    )
    assert bare.ends("6") == joker.ends("6") == {"4", "8", "52"}
    assert catch.ends("6") == {"4", "8", "52", "start"}
    table = position({RED: ((6, (RED,)), HOME), GREEN: (20, 30, 40)}, 2)
    assert "start" not in table.ends("6"), "its own are no opponents"


def test_tw_4_at_home_opponents_leave_the_game_and_own_ones_are_free() -> None:
    table = position({RED: ((7, (RED, GREEN, BLUE)),), GREEN: (20, 30), BLUE: (9, 40)}, 3)
    told = table.tell("move red 7 start")
    assert told == (
        rules.WizardReturned(RED, 7, (6, 5)),
        rules.CaptivesBroughtHome(RED, (GREEN, BLUE)),
        rules.CaptivesFreed(RED, 1),
    )
    after = table.do("move red 7 start")
    assert after.camp(RED) == (HOME, HOME)
    assert after.state.taken[RED] == (GREEN, BLUE)
    assert after.turn == ("roll", GREEN)


def test_tw_5_the_points_left_over_are_for_another_wizard() -> None:
    table = position({RED: ((6, (GREEN,)), 30), GREEN: (20, 40)}, 5)
    told = table.tell("move red 6 start")
    assert told[-1] == rules.PointsLeftOver(RED, 3)
    rest = table.do("move red 6 start")
    assert rest.turn == ("rest", RED)
    assert rest.state.points == 3
    assert rest.may() == ["move red 30 27", "move red 30 33", "move red 30 65", "leave red"]
    assert rest.tell("leave red") == (rules.PointsGivenUp(RED, 3),)
    assert rest.do("leave red").turn == ("roll", GREEN)
    assert rest.do("move red 30 33").turn == ("roll", GREEN)


def test_tw_5_the_one_come_home_cannot_use_them_but_another_on_the_start_can() -> None:
    alone = position({RED: ((6, (GREEN,)),), GREEN: (20, 40)}, 5)
    assert alone.tell("move red 6 start")[-1] == NoWay(RED, 3)
    assert alone.do("move red 6 start").turn == ("roll", GREEN)
    freed = position({RED: ((6, (RED, GREEN)),), GREEN: (20, 40)}, 5).do("move red 6 start")
    assert freed.ends("start") == {"3", "7", "53"}
    paired = position({RED: ((6, (GREEN,)), 30), GREEN: (20, 40)}, 5).do("move red 6 start")
    assert paired.ends("start") == set()


def test_tw_5_a_rest_can_bring_another_home_with_a_rest_of_its_own() -> None:
    table = position({RED: ((5, (GREEN,)), (6, (GREEN,)), 30), GREEN: (20,)}, 6)
    again = table.do("move red 5 start", "move red 6 start")
    assert again.turn == ("rest", RED)
    assert again.state.points == 3
    assert again.state.taken[RED] == (GREEN, GREEN)


def test_tw_6_a_six_gives_another_turn() -> None:
    table = opening().do("roll 6")
    assert table.tell("move red start 10")[-1] == AnotherTurn(RED)
    assert table.do("move red start 10").turn == ("roll", RED)
    assert opening().do("roll 5", "move red start 9").turn == ("roll", GREEN)


def test_tw_6_also_where_the_six_was_used_by_two_wizards() -> None:
    table = position({RED: ((6, (GREEN,)), 30), GREEN: (20, 40)}, 6, sixes=1)
    rest = table.do("move red 6 start")
    assert rest.do("leave red").turn == rest.do("move red 30 34").turn == ("roll", RED)


def test_tw_6_by_agreement_the_other_turn_may_be_passed_up() -> None:
    """The rulebook says "darf": who has rolled a six may have another turn."""
    table = opening(six_passes=True).do("roll 6")
    assert table.tell("move red start 10") == (rules.WizardSetOut(RED, 10, (5, 6, 7, 8, 9, 10)),)
    asked = table.do("move red start 10")
    assert asked.turn == ("again", RED)
    assert asked.may() == ["again red", "pass red"]
    assert asked.tell("again red") == (AnotherTurn(RED),)
    assert asked.tell("pass red") == (rules.TurnPassed(RED),)
    passed = asked.do("pass red")
    assert (passed.turn, passed.state.sixes) == (("roll", GREEN), 0)
    again = asked.do("again red")
    assert (again.turn, again.state.sixes) == (("roll", RED), 1)
    assert again.do("roll 5", "move red start 9").turn == ("roll", GREEN)
    camps = {RED: (30,), GREEN: (29, 31)}
    idle = position(camps, pass_over=False, six_passes=True)
    assert idle.tell("roll 6") == (DieCast(RED, 6), NoWay(RED, 6))
    assert idle.do("roll 6").turn == ("again", RED)
    last = position({RED: (30, 9, 40), **FAR}, sixes=2, six_passes=True)
    assert last.do("roll 6", "move red 30 36").turn == ("roll", GREEN)


def test_tw_7_the_joker_stands_in_the_middle_and_is_captured_there() -> None:
    table = position({RED: (57, HOME, HOME), **FAR}, 1)
    assert table.game.view(table.state, None).joker == CENTRE
    told = (rules.WizardWalked(RED, 57, 76, (76,)), rules.JokerCaptured(RED, CENTRE))
    assert table.tell("move red 57 76") == told
    after = table.do("move red 57 76")
    assert after.camp(RED) == (HOME, HOME, (CENTRE, (JOKER,)))
    assert after.game.view(after.state, None).joker is None


def test_tw_7_its_holder_captures_on_special_fields_too() -> None:
    table = position({RED: ((32, (JOKER,)), 34, HOME), GREEN: (34, 20, HOME)}, 2)
    assert table.do("move red 32 34").camp(RED) == (HOME, 34, (34, (GREEN, JOKER)))
    both = position({RED: ((32, (JOKER,)), HOME), GREEN: (34, 20), BLUE: (34, 9)}, 2)
    after = both.do("move red 32 34")
    assert after.camp(RED) == (HOME, (34, (GREEN, BLUE, JOKER)))
    assert after.camp(BLUE) == (9,)
    full = position({RED: ((32, (JOKER,)), 34, 34), **FAR}, 2)
    assert "34" not in full.ends("32")


def test_tw_7_by_agreement_its_holder_may_share_a_special_field_instead() -> None:
    """The rulebook says "kann": it can capture there, and need not."""
    table = position({RED: ((32, (JOKER,)), HOME), GREEN: (34, 20)}, 2, joker_spares=True)
    both = [text for text in table.may() if " 34" in text]
    assert both == ["move red 32 34 load joker", "move red 32 34 load joker spare green"]
    assert table.tell(both[1]) == (rules.WizardWalked(RED, 32, 34, (33, 34)),)
    shared = table.do(both[1])
    assert (shared.camp(RED), shared.camp(GREEN)) == ((HOME, (34, (JOKER,))), (20, 34))
    assert table.do(both[0]).camp(RED) == (HOME, (34, (GREEN, JOKER)))
    back = position(
        {RED: ((34, (JOKER,)), HOME), GREEN: (34, 20)}, 2, joker_spares=True, turn_back=True
    )
    assert "move red 34 34 load joker spare green" in back.may()


@pytest.mark.parametrize(
    "camps",
    [
        {RED: ((32, (JOKER,)), 34), GREEN: (34, 20)},  # no room for a third
        {RED: ((32, (JOKER,)), HOME), GREEN: (34, 34)},
        {RED: ((32, (JOKER,)), 34), GREEN: (9, 20)},  # nobody to spare
        {RED: ((31, (JOKER,)), HOME), GREEN: (33, 20)},  # no special field
        {RED: (32, (9, (JOKER,))), GREEN: (34, 20)},  # somebody else holds the joker
    ],
)
def test_tw_7_nobody_else_is_spared(camps: Any) -> None:
    table = position(camps, 2, joker_spares=True)
    assert not [text for text in table.may() if "spare" in text]


def test_tw_8_by_agreement_the_same_player_begins_every_round() -> None:
    for rotates, first in ((True, GREEN), (False, RED)):
        table = position({RED: (30, 9), GREEN: (32,)}, 2, starter_rotates=rotates)
        assert table.do("move red 30 32").turn == ("roll", first)


def test_tw_8_a_round_ends_when_only_one_player_is_left() -> None:
    taken = {RED: (GREEN, GREEN), GREEN: (RED,)}
    table = position({RED: (30, 9), GREEN: (32,)}, 2, taken=taken, scores=(4, 5, 0, 0))
    assert table.tell("move red 30 32")[2:] == (
        rules.TrapShut(1, RED),
        CatchCounted(RED, 3, 7),
        CatchCounted(GREEN, 1, 6),
    )
    after = table.do("move red 30 32")
    assert after.state.scores == (7, 6, 0, 0)
    assert (after.state.round, after.turn) == (2, ("roll", GREEN))
    assert after.camp(RED) == after.camp(GREEN) == (HOME,) * 3
    assert after.state.joker
    assert not any(after.state.taken)


def test_tw_8_a_player_whose_wizards_are_all_captured_is_passed_over() -> None:
    table = position({RED: ((30, (GREEN,) * 3), 9), BLUE: (40, 41), GREEN: ()}, 1)
    assert table.do("move red 9 10").turn == ("roll", BLUE)


def test_tw_8_five_rounds_are_a_game_and_most_points_win() -> None:
    at: dict[str, Any] = {"round_": 5, "taken": {RED: (GREEN, GREEN), GREEN: (RED,)}}
    table = position({RED: (30, 9), GREEN: (32,)}, 2, scores=(1, 3, 0, 0), **at)
    assert table.tell("move red 30 32")[-1] == rules.TrapWon((RED, GREEN))
    over = table.do("move red 30 32")
    assert over.game.outcome(over.state) == Outcome((RED, GREEN), ((RED, 4), (GREEN, 4)))
    assert over.game.view(over.state, RED).winners == (RED, GREEN)
    assert over.may() == []
    table = position({RED: (30, 9), GREEN: (32,)}, 2, scores=(1, 2, 0, 0), **at)
    won = table.do("move red 30 32")
    assert won.game.outcome(won.state) == Outcome((RED,), ((RED, 4), (GREEN, 3)))


def test_tw_8_a_six_that_ends_the_round_gives_no_turn_in_the_next() -> None:
    table = position({RED: (26, 9), GREEN: (32,)}, 6, sixes=1)
    assert table.tell("move red 26 32")[-1] == CatchCounted(GREEN, 0, 0)
    after = table.do("move red 26 32")
    assert (after.turn, after.state.sixes) == (("roll", GREEN), 0)


def test_tw_9_the_board() -> None:
    joined = SPOKED.neighbours()
    assert len(joined) == 52 + 24 + 1
    assert all(joined[f][:2] in {(f - 1, f + 1), (1, 51), (0, 50)} for f in range(52))
    assert SPOKED.homes == (5, 18, 31, 44)
    assert {f for f in joined if len(joined[f]) > 2} == {5, 18, 31, 44, CENTRE}
    assert set(SPOKED.special) == {2, 8, 15, 21, 28, 34, 41, 47, 54, 60, 66, 72}
    assert SPOKED.joker == CENTRE
    assert joined[CENTRE] == (57, 63, 69, 75)
    for seat, door in zip(rules.PLAYERS, SPOKED.homes, strict=True):
        first = 52 + 6 * seat
        assert [joined[f] for f in range(first, first + 6)] == [
            (door, first + 1),
            *((f - 1, f + 1) for f in range(first + 1, first + 5)),
            (first + 4, CENTRE),
        ]


@pytest.mark.parametrize("seats", [(RED,), ()])
def test_tw_9_two_to_four_play(seats: tuple[rules.Robe, ...]) -> None:
    assert opening(BLUE, YELLOW).turn == ("roll", BLUE)
    with pytest.raises(RulesError):
        rules.Settings(seats)


def test_tw_10_any_direction_but_no_turning_back() -> None:
    table = position({RED: (30, HOME, HOME), **FAR}, 3)
    assert table.ends("30") == {"27", "33", "65"}
    back = position({RED: (30, HOME, HOME), **FAR}, 3, turn_back=True)
    assert back.ends("30") == {"27", "29", "31", "33", "65"}
    assert position({RED: (30, 30, HOME), **FAR}, 2, turn_back=True).ends("30") >= {"30"}


def test_tw_10_whoever_turns_back_does_not_stand_in_its_own_way() -> None:
    green = {GREEN: (31, HOME, HOME)}
    one = position({RED: (30, HOME, HOME), **green}, 3, turn_back=True, pass_over=False)
    assert "31" in one.ends("30")  # by 29 and 30
    two = position({RED: (30, 30, HOME), **green}, 3, turn_back=True, pass_over=False)
    assert "31" not in two.ends("30")  # the other one does


def test_tw_10_one_may_pass_over_wizards_or_not() -> None:
    camps = {RED: (30, HOME, HOME), GREEN: (29, 31, 31)}
    assert position(camps, 3).ends("30") == {"27", "33", "65"}
    table = position(camps, 3, pass_over=False)
    assert table.ends("30") == set()
    assert position(camps, 1, pass_over=False).ends("30") == {"29", "31"}


def test_tw_10_a_captured_captor_hands_over_all_that_it_held() -> None:
    camps = {RED: (30, HOME), GREEN: ((32, (RED, BLUE, JOKER)), 20), BLUE: (9, 41)}
    table = position(camps, 2)
    held = (RED, BLUE, JOKER)
    assert table.tell("move red 30 32")[1:] == (
        rules.WizardCaptured(RED, GREEN, 32),
        rules.CaptivesHandedOver(RED, GREEN, held),
    )
    assert table.do("move red 30 32").camp(RED) == (HOME, (32, (RED, GREEN, BLUE, JOKER)))
    free = position(camps, 2, hand_over=False)
    assert free.tell("move red 30 32")[-1] == rules.CaptivesReleased(GREEN, held)
    after = free.do("move red 30 32")
    assert (after.camp(RED), after.camp(BLUE)) == ((HOME, HOME, (32, (GREEN,))), (HOME, 9, 41))
    assert after.state.joker


def test_tw_10_the_joker_goes_back_and_scores_nothing() -> None:
    camps = {RED: ((5, (GREEN, JOKER)), HOME), GREEN: (20, 30)}
    table = position(camps, 1)
    assert table.tell("move red 5 start")[-2:] == (
        rules.CaptivesBroughtHome(RED, (GREEN,)),
        rules.JokerWentBack(CENTRE),
    )
    after = table.do("move red 5 start")
    assert after.state.joker
    assert after.state.taken[RED] == (GREEN,)
    gone = position(camps, 1, joker_returns=False)
    assert gone.tell("move red 5 start")[-1] == rules.JokerLeft(RED)
    assert not gone.do("move red 5 start").state.joker
    counted = position(camps, 1, joker_scores=True).do("move red 5 start")
    assert counted.state.taken[RED] == (GREEN, JOKER)


def test_tw_10_captives_still_held_count_but_neither_own_ones_nor_the_joker() -> None:
    camps = {RED: (30, (9, (RED, GREEN, GREEN, JOKER))), GREEN: (32,)}
    assert position(camps, 2).do("move red 30 32").state.scores[RED] == 3
    strict = position(camps, 2, held_count=False)
    assert strict.do("move red 30 32").state.scores[RED] == 0
    joker = position(camps, 2, joker_scores=True)
    assert joker.do("move red 30 32").state.scores[RED] == 4


def test_tw_10_the_home_roll_need_not_be_exact() -> None:
    camps = {RED: ((6, (GREEN,)), HOME), GREEN: (20, 30)}
    assert [("start" in position(camps, n).ends("6")) for n in (1, 2, 3)] == [False, True, True]
    exact = [("start" in position(camps, n, home_exact=True).ends("6")) for n in (1, 2, 3)]
    assert exact == [False, True, False]


def test_tw_10_without_a_legal_move_the_turn_passes() -> None:
    table = position({RED: (30,), GREEN: (29, 31)}, pass_over=False)
    assert table.tell("roll 3") == (DieCast(RED, 3), NoWay(RED, 3))
    assert table.do("roll 3").turn == ("roll", GREEN)


def test_tw_10_a_six_that_cannot_be_used_still_gives_another_roll() -> None:
    camps = {RED: (30,), GREEN: (29, 31)}
    table = position(camps, pass_over=False)
    assert table.tell("roll 6") == (DieCast(RED, 6), NoWay(RED, 6), AnotherTurn(RED))
    assert table.do("roll 6").turn == ("roll", RED)
    strict = position(camps, pass_over=False, idle_six_again=False)
    assert strict.do("roll 6").turn == ("roll", GREEN)


def test_tw_10_three_sixes_in_a_row_at_most() -> None:
    table = opening()
    for end in ("10", "16", "22"):
        assert table.turn == ("roll", RED)
        start = "start" if end == "10" else str(int(end) - 6)
        table = table.do("roll 6", f"move red {start} {end}")
    assert table.turn == ("roll", GREEN)
    assert table.state.sixes == 0
    broken = position({RED: (30, 9, 40), **FAR}, sixes=2).do("roll 5", "move red 30 35")
    assert broken.state.sixes == 0
    assert opening(sixes=1).do("roll 6", "move red start 10").turn == ("roll", GREEN)


def test_tw_11_the_board_is_data() -> None:
    board = rules.Board(((0, 1, 2, 3, 4, 5, 6, 7, 0),), (0, 2, 4, 6), (1,), 3)
    table = opening(RED, BLUE, board=board).do("roll 4")
    assert table.ends("start") == {"3", "5"}
    assert table.do("move red start 3").camp(RED) == (HOME, HOME, (3, (JOKER,)))
