"""Who plays Blackmore by experience plays well, and knows what its seat sees."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from companion.core.game import Action
from companion.games.blackmore.players import experienced
from companion.games.blackmore.rules import Change, Keep, Play, View
from tests.games.blackmore.tables import BLUE, GREEN, RED, card, deal, do, game


def choose(view: View, options: Sequence[Action]) -> Action:
    return experienced(None, view, view.queue[0], tuple(options), Random(1))


def test_the_last_player_takes_a_rich_trick_with_the_trump_that_it_can_spare() -> None:
    table = game(3)
    state = deal(table, "blue:4", "red:9", "red:8")
    state = do(table, state, "play red red:9", "play green red:8")
    hand = (card("blue:9"), card("blue:3"), card("green:1"))
    view = replace(table.view(state, BLUE), hand=hand)
    assert choose(view, [Play(BLUE, one) for one in hand]) == Play(BLUE, card("blue:9"))


def test_it_gives_little_away_where_it_cannot_win() -> None:
    table = game(2)
    state = do(table, deal(table, "blue:4", "blue:3"), "play red blue:3")
    options = [Play(GREEN, card("red:9")), Play(GREEN, card("red:1")), Play(GREEN, card("white:8"))]
    view = replace(table.view(state, GREEN), hand=tuple(one.card for one in options))
    assert choose(view, options) == Play(GREEN, card("red:1"))


def test_it_changes_the_trump_to_what_it_holds() -> None:
    table = game(2)
    state = deal(table, "blue:4", "red:4 red:5 red:2 red:3 red:9 white:5", "red:1 green:4")
    state = do(table, state, "play red red:4", "play green red:1")
    view = table.view(state, RED)
    assert choose(view, view.choices) == Change(RED, card("red:1"))  # the cheapest of its suit
    state = do(table, deal(table, "red:4", "red:6 red:5 red:2 red:3 red:9 red:8"), "play red red:6")
    state = do(table, state, "play green yellow:1")
    view = table.view(state, RED)
    assert choose(view, view.choices) == Keep(RED)
