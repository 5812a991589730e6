"""Those who begin by their seats' buttons play what is usual at their table."""

from typing import Any

from companion.core.codec import pack
from companion.referee.commands import ClearTable, GiveUp, NewMatch
from companion.referee.events import USUAL_HOUSE, Bot, FoulCost, HouseRules, Roller
from companion.system.text import SeatName
from tests.referee.tables import Round

PROFI = {"seats": ["red", "blue"], "profi": True}
HOUSE = HouseRules(FoulCost.SIT_OUT, Roller.COMPANION)


def after(game: str, settings: dict[str, Any], house: HouseRules = HOUSE) -> Round:
    """Return a table at which that was played, and seats are chosen again."""
    table = Round()
    for wish in (NewMatch(game, settings, house), GiveUp(), ClearTable()):
        assert table.wish(wish).refused is None
    return table


def hold(table: Round, *colours: str) -> None:
    """Have seats join, and the last of them hold its button."""
    for colour in colours:
        table.press(colour)
    table.press(colours[-1], long=True)


def test_at_a_new_table_it_is_the_first_game_with_barrels() -> None:
    table = Round()
    hold(table, "yellow", "red")
    assert (table.now.game, table.now.house) == ("zapp-zerapp", USUAL_HOUSE)
    assert pack(table.now.settings)["seats"] == ["red", "yellow"]


def test_it_is_the_last_game_as_it_was_agreed_on_for_those_who_join() -> None:
    table = after("zapp-zerapp", PROFI)
    hold(table, "green", "yellow", "red")
    assert pack(table.now.settings)["seats"] == ["red", "green", "yellow"]
    assert (table.now.settings.profi, table.now.house) == (True, HOUSE)


def test_what_was_played_by_cards_is_played_again_by_those_who_press() -> None:
    bots = HouseRules(roller=Roller.COMPANION, bots=(Bot(SeatName.RED, "random"),))
    table = after("trap-the-wizard", {"seats": ["red", "green"], "rounds": 3}, bots)
    hold(table, "yellow", "blue")
    assert (table.now.game, table.now.settings.rounds) == ("trap-the-wizard", 3)
    assert table.now.house == HouseRules(roller=Roller.COMPANION)


def test_phones_are_told_what_a_long_press_would_begin() -> None:
    table = after("zapp-zerapp", PROFI)
    told = [table.now.begins]
    for colour in ("red", "green"):
        table.press(colour)
        told.append(table.now.begins)
    *before, begins = told
    assert before == [None, None]
    assert isinstance(begins, NewMatch)
    assert (begins.game, begins.settings["seats"]) == ("zapp-zerapp", ["red", "green"])
    assert begins.settings["profi"]


def test_seats_that_the_game_does_not_have_are_refused_and_nothing_breaks() -> None:
    table = Round()
    hold(table, "violet", "red")
    assert (table.now.match, table.now.joining) == (None, ("violet", "red"))
