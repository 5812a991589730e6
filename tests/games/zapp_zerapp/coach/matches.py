"""Whole matches of Zapp Zerapp for the coach: shaken by people who are made up, or put together."""

from functools import cache
from random import Random
from typing import Any

from companion.core.game import Action, Ruling, after
from companion.core.log import Log
from companion.games.zapp_zerapp.listening_ai.people import Listener
from companion.games.zapp_zerapp.listening_ai.table import Table
from companion.games.zapp_zerapp.rules import (
    Colour,
    Correct,
    Flip,
    Pawn,
    Place,
    PutBack,
    Say,
    Settings,
    SitOut,
    State,
    ZappZerapp,
)

RED, GREEN, BLUE, YELLOW = Colour
TWO = (RED, BLUE)


@cache
def listened(seed: int, seats: tuple[Colour, ...] = TWO, **rules: Any) -> Log[State]:
    """Return a match of people who listen."""
    game = ZappZerapp(Settings(seats=seats, **rules))
    chance = Random(seed)
    people = {seat: Listener(game.settings, chance) for seat in seats}
    steps = Table(game, people, chance).play()
    return Log.begin(game, [action for _, action, _ in steps])


def read_aloud(log: Log[State]) -> Log[State]:
    """Return the same match with numbers that nobody knew before they were read aloud."""
    told = Log.begin(log.game)
    for state, action in zip(log.states, log.actions, strict=False):
        if isinstance(action, Place):
            told = told.play(Place(action.seat))
        elif isinstance(action, Flip):
            told = told.play(action)
            for seat in log.game.seats:
                if (number := state.barrels[seat]) > 0:
                    told = told.play(Say(Colour(seat), number))
        else:
            told = told.play(action)
    return told


def ruled(seed: int, seats: tuple[Colour, ...] = TWO) -> Log[State]:
    """Return a match at random in which people rule as they like: all that can be, happens."""
    chance, log = Random(seed), Log.begin(ZappZerapp(Settings(seats=seats)))
    game = log.game
    while turns := game.turns(log.state):
        rulings: list[Ruling] = [PutBack(chance.choice(seats)), SitOut(chance.choice(seats))]
        seat = chance.choice(seats)
        rulings.append(Correct(tuple(Pawn(seat, chance.randrange(25)) for _ in range(3))))
        ruling = chance.choice(rulings)
        if chance.random() < 0.08 and _fits(game, log.state, ruling):
            log = log.play(ruling)
            continue
        legal = game.legal(log.state, chance.choice(turns))
        log = log.play(chance.choice(legal))
    return log


def _fits(game: Any, state: State, action: Action) -> bool:
    try:
        after(game, state, action)
    except ValueError:
        return False
    return True
