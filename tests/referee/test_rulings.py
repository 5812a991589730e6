"""A ruling that costs something waits for people; one look is one card, however often done."""

import pytest

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Phase, Settings
from companion.referee.commands import Call, DoAction, NewMatch, Rule, Undo
from companion.referee.events import FoulCost, FoulRaised, HouseRules, from_json, to_json
from companion.sensing.events import FoulCode, FoulFinding, Weight
from tests.referee.tables import Round

RED, _, BLUE, _ = Colour


def at_a_table(cost: FoulCost) -> Round:
    table = Round()
    agreed = NewMatch("zapp-zerapp", pack(Settings((RED, BLUE))), HouseRules(cost))
    assert table.wish(agreed).refused is None
    return table


def look(number: int, from_ms: int, for_ms: int, stopper: int = 7, **what: object) -> FoulFinding:
    told = {"weight": Weight.FOUL, "seat": None, "confidence": 0.9, **what}
    return FoulFinding(
        number,
        FoulCode.PEEK,
        told["weight"],  # type: ignore[arg-type]
        1000 * from_ms,
        1000 * (from_ms + for_ms),
        (stopper,),
        told["seat"],  # type: ignore[arg-type]
        told["confidence"],  # type: ignore[arg-type]
    )


def moving(cost: FoulCost) -> Round:
    """Play up to where red moves first, and blue then."""
    table = at_a_table(cost)
    table.wish(DoAction("roll 9"))
    return table


def flipped(table: Round) -> Round:
    table.place("red", 8)
    table.place("blue", 4)
    table.flip(8, 4)
    assert table.now.view.phase is Phase.MOVE
    return table


def test_nobody_moves_away_from_a_penalty_that_is_not_decided() -> None:
    table = moving(FoulCost.SIT_OUT)
    table.tell(look(1, 0, 700))
    flipped(table)  # what sensors tell has happened
    assert table.wish(DoAction("move red start")).refused is not None
    assert (table.now.held, table.now.costly, table.now.may_pay) == (True, (1,), ("red", "blue"))
    table.wish(Rule(1, upheld=False))
    assert (table.now.held, table.now.costly) == (False, ())
    assert table.wish(DoAction("move red start")).refused is None


def test_whom_the_table_names_pays_though_no_sensor_knows_who_it_was() -> None:
    table = moving(FoulCost.SIT_OUT)
    table.tell(look(1, 0, 700))
    flipped(table)
    assert table.wish(Rule(1, upheld=True, seat="red")).refused is None
    assert table.now.view.out == (RED,)
    assert table.now.fouls[0].seat == "red"
    assert table.wish(DoAction("move blue start")).refused is None


def test_where_nobody_knows_who_it_was_an_upheld_foul_is_noted_and_play_goes_on() -> None:
    table = moving(FoulCost.SIT_OUT)
    table.tell(look(1, 0, 700))
    flipped(table)
    table.wish(Rule(1, upheld=True))
    assert (table.now.view.out, table.now.held) == ((), False)
    assert table.wish(DoAction("move red start")).refused is None


def test_a_culprit_who_does_not_play_cannot_be_named() -> None:
    table = moving(FoulCost.SIT_OUT)
    table.tell(look(1, 0, 700))
    refused = table.wish(Rule(1, upheld=True, seat="green")).refused
    assert "green does not play" in str(refused)
    assert table.now.fouls[0].upheld is None


def test_only_who_may_still_pay_is_waited_for() -> None:
    table = flipped(moving(FoulCost.SIT_OUT))
    table.wish(DoAction("move red start"))
    table.wish(Call("peek", "red"))  # who has moved does not sit out any more
    assert (table.now.held, table.now.costly) == (False, ())
    assert table.wish(DoAction("move blue start")).refused is None


def test_where_the_barrel_would_go_back_nobody_says_that_all_are_flipped() -> None:
    table = at_a_table(FoulCost.PUT_BACK)
    for text in ("roll 9", "place red", "place blue"):
        assert table.wish(DoAction(text)).refused is None
    table.wish(Call("snatched", "blue"))
    assert table.wish(DoAction("flip")).refused is not None
    table.wish(Rule(1, upheld=True))
    assert (table.now.view.phase, table.now.view.placed) == (Phase.PLACE, (RED,))


def test_a_house_in_which_fouls_cost_nothing_waits_for_nobody() -> None:
    table = moving(FoulCost.NOTHING)
    table.tell(look(1, 0, 700))
    flipped(table)
    assert (table.now.held, table.now.costly) == (False, ())
    assert table.wish(DoAction("move red start")).refused is None


def test_taking_a_ruling_back_has_the_table_wait_again() -> None:
    table = moving(FoulCost.SIT_OUT)
    table.tell(look(1, 0, 700))
    flipped(table)
    table.wish(Rule(1, upheld=True, seat="red"))
    table.wish(Undo())
    assert (table.now.held, table.now.view.out, table.now.fouls[0].seat) == (True, (), None)


# --- one look is one card -------------------------------------------------------------------------


def test_whoever_looks_again_and_again_is_accused_once_and_the_card_grows() -> None:
    table = moving(FoulCost.NOTHING)
    for number in range(6):
        table.tell(look(2 * number + 1, 2000 * number, 800 + 20 * number))
    (foul,) = table.now.fouls
    assert (foul.raised.times, foul.raised.length_ms) == (6, 5100)


def test_a_look_at_another_barrel_may_be_somebody_elses() -> None:
    table = moving(FoulCost.NOTHING)
    table.tell(look(1, 0, 700, stopper=7), look(3, 1000, 700, stopper=8))
    assert [foul.raised.times for foul in table.now.fouls] == [1, 1]


def test_what_was_decided_does_not_grow() -> None:
    table = moving(FoulCost.NOTHING)
    table.tell(look(1, 0, 700))
    table.wish(Rule(1, upheld=True))
    table.tell(look(3, 2000, 700))
    assert [(foul.raised.times, foul.upheld) for foul in table.now.fouls] == [(1, True), (1, None)]


def test_a_look_that_is_withdrawn_counts_no_more() -> None:
    table = moving(FoulCost.NOTHING)
    table.tell(look(1, 0, 700), look(3, 2000, 900))
    table.tell(look(3, 2000, 900, weight=Weight.WITHDRAWN, confidence=0.0))
    (foul,) = table.now.fouls
    assert (foul.raised.weight, foul.raised.times, foul.raised.length_ms) == ("foul", 1, 700)


@pytest.mark.parametrize("confidence", [0.95, 0.999, 1.0])
def test_no_card_is_surer_than_what_was_measured(confidence: float) -> None:
    table = moving(FoulCost.NOTHING)
    table.tell(look(1, 0, 700, confidence=confidence))
    assert table.now.fouls[0].raised.percent == 95


def test_how_often_it_was_is_written_and_an_old_journal_says_nothing_of_it() -> None:
    raised = FoulRaised(1, "peek", "foul", None, 700, 90)
    assert "times" not in to_json(raised)[1]
    kind, body = to_json(FoulRaised(1, "peek", "foul", None, 700, 90, times=3))
    again = from_json(kind, body)
    assert isinstance(again, FoulRaised)
    assert again.times == 3


# --- who shakes for somebody far away ------------------------------------------------------------


@pytest.mark.parametrize("called", [True, False])
def test_a_foul_counts_against_the_hands_and_not_the_ears(*, called: bool) -> None:
    table = moving(FoulCost.SIT_OUT)
    table.hands["blue"] = "red"  # who plays, too
    if called:
        table.wish(Call("peek", "blue"))
    else:
        table.tell(look(1, 0, 700, seat="blue"))
    flipped(table)
    assert table.wish(Rule(1, upheld=True)).refused is None
    assert table.now.fouls[0].seat == "red"
    assert table.now.view.out == (RED,)
    assert table.again().now.fouls == table.now.fouls  # as the journal has it, whoever shakes then


def test_whom_the_table_names_is_who_shook() -> None:
    table = moving(FoulCost.SIT_OUT)
    table.hands["blue"] = "red"
    table.tell(look(1, 0, 700))  # of which no sensor knows whose it is
    flipped(table)
    table.wish(Rule(1, upheld=True, seat="blue"))
    assert (table.now.fouls[0].seat, table.now.view.out) == ("red", (RED,))


@pytest.mark.parametrize("hands", ["others", "green"])  # green has no seat in this match
def test_hands_that_do_not_play_cost_nobody_anything(hands: str) -> None:
    table = moving(FoulCost.SIT_OUT)
    table.hands["blue"] = hands
    table.wish(Call("peek", "blue"))
    flipped(table)
    table.wish(Rule(1, upheld=True))
    assert (table.now.fouls[0].seat, table.now.fouls[0].upheld) == (None, True)
    assert table.now.view.out == ()
