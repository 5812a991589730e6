"""The referee follows what happens at the table, asks what it cannot know, and forgets nothing."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Moved, Phase, Settings, Shown
from companion.referee import commands
from companion.referee.commands import Call, CorrectAction, DoAction, GiveUp, NewMatch, Rule, Undo
from companion.referee.events import FoulCost, HandCount, HouseRules, from_json, to_json
from companion.referee.handlers import usual_match
from companion.sensing.events import (
    BarrelMotion,
    BarrelMoved,
    Count,
    FoulCode,
    FoulFinding,
    Placed,
    Stayed,
    Weight,
)
from companion.sensing.observations import ChoosingBegan, ChoosingEnded, Settled
from companion.system.errors import CompanionError, Stale
from tests.referee.tables import NOW, Round

RED, GREEN, BLUE, YELLOW = Colour
STAND = (("red", 8), ("blue", 4))


def peek(number: int = 1, seat: str | None = "blue", weight: Weight = Weight.FOUL) -> FoulFinding:
    return FoulFinding(number, FoulCode.PEEK, weight, 1_000_000, 1_700_000, (7,), seat, 0.97)


def shaking(*colours: str) -> Round:
    table = Round(*(colours or ("red", "blue")))
    table.wish(DoAction("roll 9"))
    return table


def flipped() -> Round:
    table = shaking()
    table.place("red", 8)
    table.place("blue", 4)
    table.flip(8, 4)
    return table


def test_a_round_is_played_by_hands_alone_until_somebody_moves() -> None:
    table = shaking()
    assert table.now.view.phase == Phase.PLACE
    table.place("blue", 4)
    assert table.now.view.placed == (BLUE,)
    table.place("red", 8)
    assert table.now.view.phase == Phase.FLIP
    table.flip(4)
    assert table.now.view.phase == Phase.FLIP
    table.flip(8)
    assert (table.now.view.phase, table.now.view.order) == (Phase.MOVE, (RED, BLUE))
    assert table.now.view.numbers == ((RED, 8), (BLUE, 4))
    assert Shown(RED, 8, works=True) in table.now.happened


def test_sensing_is_told_when_barrels_are_being_chosen() -> None:
    table = flipped()
    assert table.sensed == [ChoosingBegan(("red", "blue"), 0), ChoosingEnded(0)]


def test_no_snapshot_before_the_flip_depends_on_which_barrel_stands_where() -> None:
    one, other = shaking(), shaking()
    one.place("red", 8)
    one.place("blue", 4)
    other.place("red", 13)
    other.place("blue", 1)
    assert one.shown == other.shown


def test_a_barrel_that_leaves_its_pad_while_others_choose_is_placed_no_more() -> None:
    table = shaking()
    table.place("blue", 4)
    table.take("blue", 4)
    assert table.now.view.placed == ()
    table.place("blue", 5)
    table.place("red", 8)
    table.take("red", 8)  # to flip it
    assert table.now.view.phase == Phase.FLIP


def test_which_barrel_it_is_may_become_clear_later() -> None:
    table = shaking()
    table.place("blue", 4, confidence=0.6)
    assert [seat.asked for seat in table.now.seats] == [False, True]
    table.place("red", 8)
    table.flip(8, 4)
    assert table.now.view.phase == Phase.FLIP  # it is not sure that 4 is the one
    table.place("blue", 4)
    assert not any(seat.asked for seat in table.now.seats)
    table.flip(4)
    assert table.now.view.phase == Phase.MOVE


def test_what_people_say_settles_it_and_sensing_hears_so() -> None:
    table = shaking()
    table.place("blue", 4, confidence=0.6)
    table.wish(commands.AssignBarrel("blue", 5))
    assert Settled("blue", 5, 0) in table.sensed
    table.place("red", 8)
    table.flip(8, 5)
    assert table.now.view.numbers == ((RED, 8), (BLUE, 5))


def test_a_number_that_no_sensor_knows_is_asked_of_people() -> None:
    table = shaking()
    table.place("red", 8)
    table.wish(DoAction("place blue"))
    table.wish(DoAction("flip"))
    assert (table.now.view.phase, table.now.view.numbers) == (Phase.SAY, ((RED, 8),))
    table.wish(DoAction("say blue 3"))
    assert table.now.view.order == (RED, BLUE)


def test_two_stoppers_that_claim_one_number_are_both_asked() -> None:
    table = shaking()
    table.numbers[4] = 8
    table.place("red", 8)
    table.place("blue", 4)
    table.flip(4, 8)
    assert (table.now.view.phase, table.now.view.numbers) == (Phase.SAY, ())


def test_a_command_is_done_once_however_often_it_comes() -> None:
    table = Round("red", "blue")
    first = table.wish(DoAction("roll 9"))
    table.requests -= 1
    assert table.wish(DoAction("roll 9")) == first
    assert table.now.version == 1


def test_a_command_is_known_again_after_a_loss_of_power() -> None:
    table = Round("red", "blue")
    first = table.wish(DoAction("roll 9"))
    back = table.again()
    back.requests = table.requests - 1
    assert back.wish(DoAction("roll 9")) == first


def unflipped(table: Round) -> tuple[str, ...]:
    return table.now.unflipped


def test_whose_barrel_is_still_upright_is_shown_until_it_is_flipped_and_only_if_it_is_felt() -> (
    None
):
    table = shaking()
    table.tell(*(BarrelMoved(one, BarrelMotion.STANDING, NOW, sure=True) for one in (8, 4)))
    table.place("red", 8)
    assert not unflipped(table)  # others still choose
    table.place("blue", 4)
    assert unflipped(table) == ("red", "blue")
    table.flip(8)
    assert unflipped(table) == ("blue",)
    table.tell(BarrelMoved(4, BarrelMotion.LOST, NOW, sure=True))
    assert not unflipped(table)
    table.tell(BarrelMoved(4, BarrelMotion.LIFTED, NOW, sure=True))
    assert unflipped(table) == ("blue",)
    table.wish(DoAction("flip"))  # people know better
    assert (table.now.view.phase, unflipped(table)) == (Phase.MOVE, ())


def test_nobody_decides_on_what_is_not_so_any_more() -> None:
    table = shaking()
    answer = table.wish(DoAction("place red"), version=0)
    assert isinstance(answer.refused, Stale)
    assert table.now.view.placed == ()
    assert table.wish(DoAction("place red"), version=answer.version).refused is None


def test_nobody_decides_in_a_match_on_what_was_seen_of_another() -> None:
    table = Round("red", "blue")
    late = commands.Command("late", DoAction("roll 9"), "red", 0, "m0")
    table.wish(GiveUp())
    table.wish(usual_match(("red", "blue")))
    assert table.now.version == 0  # as when it was seen
    assert isinstance(table.referee.handle_command(late, 0).refused, Stale)
    table.wish(GiveUp())
    table.wish(commands.ClearTable())
    assert isinstance(table.referee.handle_command(replace(late, match="m1"), 0).refused, Stale)


@pytest.mark.parametrize(
    "wish", [DoAction("move red start"), DoAction("dance"), Undo(), Rule(7, True)]
)
def test_what_is_refused_changes_and_writes_nothing(wish: DoAction | Undo | Rule) -> None:
    table = Round("red", "blue")
    before = list(table.paper.matches["m0"])
    assert isinstance(table.wish(wish).refused, Exception)
    assert (table.now.version, table.paper.matches["m0"]) == (0, before)


def test_without_a_match_there_is_nothing_to_do() -> None:
    assert isinstance(Round().wish(commands.RollForUs()).refused, CompanionError)


def test_a_decision_is_taken_back_with_all_that_followed_from_it() -> None:
    table = flipped()
    table.wish(DoAction("move red start"))
    table.wish(Undo())
    assert (table.now.view.order, table.now.view.phase) == ((RED, BLUE), Phase.MOVE)
    table.wish(Undo())
    assert (table.now.view.phase, table.now.view.numbers) == (Phase.FLIP, ())
    for _ in range(3):
        table.wish(Undo())
    assert (table.now.view.phase, table.now.can_undo) == (Phase.ROLL, False)


def test_the_end_of_a_game_can_be_taken_back_also_after_a_loss_of_power() -> None:
    table = Round("red", "blue")
    table.wish(DoAction("correct pawns red:24,red:city,red:city"))
    table.wish(DoAction("roll 9"))
    for seat, barrel in (("red", 8), ("blue", 4)):
        table.place(seat, barrel)
    table.flip(8, 4)
    table.wish(DoAction("move red 24"))
    assert table.now.over
    back = table.again()
    assert back.now.over
    back.wish(Undo())
    assert (back.now.over, back.now.view.order) == (False, (RED, BLUE))


def test_a_wrong_number_is_put_right_and_the_rest_replayed() -> None:
    table = shaking()
    for text in ("place red", "place blue", "flip", "say red 8", "say blue 4", "move red start"):
        table.wish(DoAction(text))
    say_red = table.now.version - 2
    table.wish(CorrectAction(say_red, "say red 6"))
    assert dict(table.now.view.pawns)[RED] == (0, 0, 6)
    assert table.now.dropped == 0
    table.wish(CorrectAction(say_red, "say red 2"))  # now blue would have been first
    assert (table.now.view.order, table.now.dropped) == ((BLUE, RED), 1)
    table.wish(Undo())
    assert dict(table.now.view.pawns)[RED] == (0, 0, 6)


def test_what_cannot_be_put_right_says_so() -> None:
    table = shaking()
    assert "not an action" in str(table.wish(CorrectAction(0, "roll 4")).refused)
    assert "of its kind" in str(table.wish(CorrectAction(1, "flip")).refused)


def test_a_foul_is_shown_without_saying_which_barrel_it_was() -> None:
    one, other = shaking(), shaking()
    one.tell(peek())
    other.tell(
        FoulFinding(1, FoulCode.PEEK, Weight.FOUL, 1_000_000, 1_700_000, (13,), "blue", 0.97)
    )
    assert one.shown == other.shown
    (foul,) = one.now.fouls
    assert (foul.raised.code, foul.raised.seat, foul.raised.percent) == ("peek", "blue", 95)


def test_a_finding_that_is_told_again_stays_one_foul() -> None:
    table = shaking()
    table.tell(peek(weight=Weight.WARNING), peek(), peek(number=2, seat="red"))
    assert [foul.raised.weight for foul in table.now.fouls] == ["foul", "foul"]


@pytest.mark.parametrize(
    ("cost", "phase", "out"),
    [
        (FoulCost.NOTHING, Phase.FLIP, ()),
        (FoulCost.SIT_OUT, Phase.FLIP, (BLUE,)),
        (FoulCost.PUT_BACK, Phase.PLACE, ()),
    ],
)
def test_an_upheld_foul_costs_what_the_house_agreed(
    cost: FoulCost, phase: Phase, out: tuple[Colour, ...]
) -> None:
    table = Round()
    table.wish(NewMatch("zapp-zerapp", pack(Settings((RED, BLUE))), HouseRules(cost)))
    table.wish(DoAction("roll 9"))
    table.place("blue", 4)
    table.place("red", 8)
    table.tell(peek())
    table.wish(Rule(1, upheld=True))
    assert (table.now.view.phase, table.now.view.out) == (phase, out)
    table.wish(Undo())
    assert (table.now.view.phase, table.now.view.out) == (Phase.FLIP, ())
    assert table.now.fouls[0].upheld is None


def test_a_dismissed_foul_costs_nothing() -> None:
    table = Round()
    table.wish(NewMatch("zapp-zerapp", pack(Settings((RED, BLUE))), HouseRules(FoulCost.SIT_OUT)))
    table.wish(DoAction("roll 9"))
    table.tell(peek())
    table.wish(Rule(1, upheld=False))
    assert (table.now.view.out, table.now.fouls[0].upheld) == ((), False)


def test_people_call_what_no_sensor_can_know() -> None:
    table = shaking()
    table.wish(Call("snatched", "red"))
    assert table.now.fouls[0].raised.code == "snatched"
    assert "no foul 'ugly'" in str(table.wish(Call("ugly", "red")).refused)


def test_a_foul_is_not_forgotten_by_taking_back_what_was_done_before_it() -> None:
    table = shaking()
    table.wish(DoAction("place red"))
    table.tell(peek())
    table.wish(Undo())
    assert table.now.view.placed == ()
    assert len(table.now.fouls) == 1


def test_a_new_match_ends_the_one_before() -> None:
    table = shaking()
    table.wish(NewMatch("zapp-zerapp", pack(Settings((GREEN, YELLOW))), HouseRules()))
    assert (table.now.version, table.now.view.phase) == (0, Phase.ROLL)
    assert table.paper.matches["m0"][-1].kind == "ended"
    assert "not known" in str(table.wish(NewMatch("chess", {}, HouseRules())).refused)


def test_a_match_that_was_given_up_goes_no_further() -> None:
    table = shaking()
    table.wish(GiveUp())
    assert table.now.over
    assert isinstance(table.wish(DoAction("place red")).refused, CompanionError)


# --- buttons alone ----------------------------------------------------------------------------


def confirm(table: Round, colour: str, presses: int = 1) -> None:
    for _ in range(presses):
        table.press(colour)
    table.press(colour, long=True)


def test_a_whole_round_is_played_by_buttons_alone() -> None:
    table = Round(barrels=0)
    for colour in ("red", "blue", "green", "green"):  # green leaves again
        table.press(colour)
    assert table.now.joining == ("red", "blue")
    table.press("green", long=True)
    assert table.now.match is None
    table.press("red", long=True)
    assert table.now.view.phase == Phase.ROLL
    confirm(table, "red", presses=1 + 8)  # for us, 2, 3, ... 9
    assert (table.now.view.phase, table.now.view.magic) == (Phase.PLACE, 9)
    confirm(table, "red")
    confirm(table, "blue")
    confirm(table, "blue")  # by anybody: flip
    assert table.now.view.phase == Phase.SAY
    confirm(table, "red", presses=8)
    confirm(table, "blue", presses=4)
    assert table.now.view.numbers == ((RED, 8), (BLUE, 4))
    table.press("red")
    red = table.now.seats[0]
    assert red.lit == 0
    assert isinstance(red.offers[0].preview[0], Moved)
    table.press("red", long=True)
    assert table.now.view.order == (BLUE,)


def test_a_long_press_confirms_nothing_that_was_not_lit() -> None:
    table = flipped()
    table.press("red", long=True)
    assert table.now.view.order == (RED, BLUE)
    assert table.now.seats[0].lit == 0


def test_a_button_held_from_one_match_into_the_next_does_nothing_there() -> None:
    table = flipped()
    table.press("red")
    assert table.now.seats[0].lit == 0
    table.wish(GiveUp())
    table.wish(usual_match(("red", "blue")))
    table.press("red", long=True)
    assert (table.now.match, table.now.version, table.now.seats[0].lit) == ("m1", 0, 0)


def test_the_last_choice_of_every_button_is_to_take_back() -> None:
    table = flipped()
    table.press("blue")
    table.press("blue", long=True)
    assert table.now.view.phase == Phase.FLIP


def test_whoever_presses_second_decides_on_what_is_lit_for_it_again() -> None:
    table = shaking()
    for colour in ("red", "blue"):
        table.press(colour)
    table.press("red", long=True)
    table.press("blue", long=True)  # what was lit for blue is dark since red placed
    assert table.now.view.placed == (RED,)
    table.press("blue", long=True)
    assert table.now.view.placed == (RED, BLUE)


def test_a_foul_is_ruled_on_by_buttons() -> None:
    table = shaking()
    table.tell(peek())
    confirm(table, "red", presses=2)  # place, dismiss, uphold, take back
    assert table.now.fouls[0].upheld is False


def test_a_game_after_the_game_begins_by_a_long_press() -> None:
    table = shaking()
    table.wish(GiveUp())
    table.press("blue")
    table.press("blue", long=True)
    assert (table.now.version, table.now.view.phase) == (0, Phase.ROLL)


def test_a_foul_of_hands_brings_its_counts_and_an_old_journal_has_none() -> None:
    table, counts = shaking(), (Count(900_000, 4, 0), Count(1_000_000, 5, 0))
    crowd = replace(peek(2, None), foul=FoulCode.TOO_MANY_IN_HAND, counts=counts)
    table.tell(crowd)
    [foul] = table.now.fouls
    assert foul.raised.counts == (HandCount(-100, 4, 0), HandCount(0, 5, 0))
    kind, body = to_json(foul.raised)
    assert from_json(kind, body) == foul.raised
    del body["counts"]
    assert from_json(kind, body) == replace(foul.raised, counts=())


# --- switched on again ------------------------------------------------------------------------


def test_sensing_is_told_again_what_stood_where_before_anybody_flips() -> None:
    table = shaking("red", "blue", "green")
    table.place("red", 8)
    again = table.again()
    assert again.sensed == [
        ChoosingBegan(("red", "green", "blue"), 0),
        Settled("red", 8, 0, remembered=True),
    ]
    for seat, stopper in (("blue", 4), ("green", 2)):
        again.place(seat, stopper)
    assert [one.colour for one in again.again().sensed if isinstance(one, Settled)] == [
        "blue",
        "green",
        "red",
    ]
    again.flip(2, 4, 8)
    assert not any(isinstance(one, Settled) for one in again.again().sensed)


def chosen() -> Round:
    table = shaking()
    table.place("red", 8)
    table.place("blue", 4)
    assert table.now.view.phase == Phase.FLIP
    return table


def test_no_number_is_told_of_what_only_the_journal_says_stands_there() -> None:
    again = chosen().again()
    assert again.now.unflipped == ()  # which barrels are meant nobody knows
    again.flip(8, 4)
    assert (again.now.view.phase, again.now.view.numbers) == (Phase.SAY, ())
    again.wish(DoAction("say red 3"))  # blue's, too, is asked for
    assert again.now.view.numbers == ((RED, 3),)
    again.wish(DoAction("say blue 5"))
    assert again.now.view.numbers == ((RED, 3), (BLUE, 5))


def test_a_barrel_that_surely_stood_there_all_the_time_is_read() -> None:
    again = chosen().again()
    again.tell(Stayed("red", 8), Stayed("red", 4))  # of blue's barrel that says nothing
    again.flip(8, 4)
    assert again.now.view.numbers == ((RED, 8),)


def test_what_sensing_was_told_from_the_journal_it_has_not_seen() -> None:
    again = chosen().again()
    again.tell(*(Placed(seat, which, NOW, 1.0, (which,), remembered=True) for seat, which in STAND))
    again.flip(8, 4)
    assert again.now.view.numbers == ()


def test_a_barrel_that_was_placed_or_named_since_the_start_is_read() -> None:
    table = shaking()
    table.place("red", 8)
    again = table.again()
    again.place("blue", 4)
    again.wish(commands.AssignBarrel("red", 8))
    again.flip(8, 4)
    assert again.now.view.numbers == ((RED, 8), (BLUE, 4))


def test_whoever_takes_back_to_before_the_start_is_asked_for_the_numbers() -> None:
    again = flipped().again()
    for colour in ("blue", "red"):
        again.wish(DoAction(f"move {colour} start"))
    again.wish(DoAction("roll 9"))
    again.place("red", 8)
    again.place("blue", 4)
    while again.now.view.phase is not Phase.FLIP or again.now.view.round > 1:
        assert again.wish(Undo()).refused is None
    again.wish(DoAction("flip"))
    assert (again.now.view.phase, again.now.view.numbers) == (Phase.SAY, ())


def test_what_stood_in_an_earlier_round_is_not_believed_to_stand() -> None:
    table = flipped()
    for colour in ("red", "blue"):
        table.wish(DoAction(f"move {colour} start"))
    table.wish(DoAction("roll 7"))
    assert table.again().sensed == [ChoosingBegan(("red", "blue"), 0)]
    for wish in (
        DoAction("place red"),
        DoAction("place blue"),
        DoAction("flip"),
    ):  # as if no pad felt it
        table.wish(wish)
    assert (table.now.view.phase, table.now.view.numbers) == (Phase.SAY, ())


def test_what_was_put_back_is_not_believed_to_stand() -> None:
    table = shaking()
    table.place("red", 8)
    table.wish(DoAction("putback red"))
    for wish in (DoAction("place red"), DoAction("place blue"), DoAction("flip")):
        table.wish(wish)
    assert (table.now.view.phase, table.now.view.numbers) == (Phase.SAY, ())


@pytest.mark.parametrize(
    "before",
    [
        lambda table: (
            table.flip(8, 4),
            *(table.wish(DoAction(f"move {seat} start")) for seat in ("red", "blue")),
            table.wish(DoAction("roll 7")),
        ),
        lambda table: table.wish(DoAction("putback red")),
        lambda table: (
            table.wish(DoAction("putback red")),
            table.wish(commands.AssignBarrel("red", 8)),
        ),
    ],
    ids=["in-the-last-round", "before-it-was-put-back", "as-people-say"],
)
def test_nobody_can_count_whether_a_barrel_stood_there_before(
    before: Callable[[Round], object],
) -> None:
    seen = []
    for stopper in (8, 7):
        table = shaking()
        table.place("red", 8)
        table.place("blue", 4)
        before(table)
        assert RED not in table.now.view.placed
        table.place("red", stopper)
        assert RED in table.now.view.placed
        seen.append((table.shown, len(table.paper.matches["m0"])))
    assert seen[0] == seen[1]


def test_who_plays_next_is_chosen_again_once_a_match_is_over() -> None:
    table = shaking()
    assert table.wish(commands.ClearTable()).refused is not None
    table.wish(GiveUp())
    confirm(table, "blue", presses=2)  # the same again, choose anew
    assert table.now.match is None
    assert table.again().now.over
    for colour in ("green", "yellow"):
        table.press(colour)
    table.press("green", long=True)
    assert [seat.colour for seat in table.now.seats] == ["green", "yellow"]


def test_a_match_that_was_given_up_by_mistake_is_taken_back() -> None:
    table = shaking()
    table.wish(GiveUp())
    table = table.again()
    assert table.wish(Undo()).refused is None
    assert (table.now.over, table.now.view.phase) == (False, Phase.PLACE)
