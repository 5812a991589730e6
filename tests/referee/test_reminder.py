"""The first look of a match that may have been listening is a reminder, where the house agrees."""

from dataclasses import replace
from typing import Final

import pytest

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Settings
from companion.referee.commands import DoAction, NewMatch, Rule, Undo
from companion.referee.events import USUAL_HOUSE, FoulCost, HouseRules, MatchStarted, from_json
from companion.referee.match import Foul
from companion.referee.replay import replay_steps
from companion.sensing.events import FoulCode, FoulFinding, Weight
from tests.referee.tables import Round

FIRST: Final = FoulFinding(
    1, FoulCode.PEEK, Weight.FOUL, 0, 700_000, (7,), None, 0.9, listening=True
)
SECOND: Final = replace(FIRST, number=3, from_us=9_000_000, to_us=9_700_000, stoppers=(8,))


def played(house: HouseRules = USUAL_HOUSE) -> Round:
    table = Round()
    table.wish(NewMatch("zapp-zerapp", pack(Settings((Colour.RED, Colour.BLUE))), house))
    table.wish(DoAction("roll 9"))
    return table


def weights(table: Round) -> list[str]:
    return [foul.raised.weight for foul in table.now.fouls]


def test_the_first_one_is_a_reminder_and_the_second_a_foul() -> None:
    table = played(replace(USUAL_HOUSE, cost=FoulCost.SIT_OUT))
    table.tell(FIRST)
    assert (weights(table), table.now.costly) == (["reminder"], ())
    table.tell(SECOND)
    assert (weights(table), table.now.costly) == (["reminder", "foul"], (2,))


def test_a_house_may_do_without() -> None:
    table = played(replace(USUAL_HOUSE, reminder=False))
    table.tell(FIRST)
    assert weights(table) == ["foul"]


@pytest.mark.parametrize(
    "other",
    [
        replace(FIRST, listening=False),
        replace(FIRST, foul=FoulCode.EARLY_FLIP, listening=False),
        replace(FIRST, foul=FoulCode.SECOND_PLACED, listening=False),
    ],
)
def test_what_cannot_have_been_listening_is_no_reminder_and_uses_none_up(
    other: FoulFinding,
) -> None:
    table = played()
    table.tell(other)
    assert weights(table) == ["foul"]
    table.tell(SECOND)
    assert weights(table) == ["foul", "reminder"]


def test_a_reminder_that_is_withdrawn_is_still_to_come() -> None:
    table = played()
    table.tell(FIRST, replace(FIRST, weight=Weight.WITHDRAWN, confidence=0.0), SECOND)
    assert weights(table) == ["withdrawn", "reminder"]


def test_whoever_then_turns_it_further_is_no_listener() -> None:
    table = played()
    table.tell(FIRST, replace(FIRST, listening=False))
    assert weights(table) == ["foul"]


def test_what_grows_from_a_warning_is_told_once_as_a_reminder() -> None:
    table = played()
    before = len(table.events)
    table.tell(replace(FIRST, weight=Weight.WARNING), FIRST, replace(FIRST, to_us=900_000))
    seen = [event.what for event in table.events[before:] if isinstance(event.what, Foul)]
    assert [foul.raised.weight for foul in seen] == ["warning", "reminder"]


def test_what_the_table_has_ruled_on_does_not_become_a_reminder() -> None:
    table = played()
    table.tell(FIRST, SECOND)
    table.wish(Rule(2, upheld=True))
    table.tell(replace(FIRST, weight=Weight.WITHDRAWN, confidence=0.0), SECOND)
    assert weights(table) == ["withdrawn", "foul"]


def test_taking_back_gives_nobody_a_second_reminder() -> None:
    table = played()
    table.tell(FIRST)
    table.wish(Undo())
    table.wish(DoAction("roll 8"))
    table.tell(SECOND)
    assert weights(table) == ["reminder", "foul"]


def test_it_stays_used_up_when_the_power_was_cut_and_is_replayed_as_it_was() -> None:
    table = played()
    table.tell(FIRST)
    again = table.again()
    again.tell(replace(SECOND, number=1))
    assert weights(again) == ["reminder", "foul"]
    steps, fault = replay_steps(table.papers["m0"])
    assert fault is None
    assert [foul.raised.weight for foul in steps[-1].after.fouls] == ["reminder", "foul"]


def test_an_older_match_goes_on_without_reminders() -> None:
    old = {"cost": "sit_out", "coached": True}
    settings = '{"seats": ["red", "blue"]}'
    body = {"game": "zapp-zerapp", "schema": 1, "settings": settings, "house": old}
    began = from_json("began", body)
    assert isinstance(began, MatchStarted)
    assert began.house == HouseRules(FoulCost.SIT_OUT, coached=True)
    assert not HouseRules().reminder
