"""People of better levels: what barrels and moves are worth to them, and that they play by ear."""

from random import Random

import pytest

from companion.core.players.levels import CASUAL, CHILD, EXPERT, GOOD, RANDOM
from companion.games.zapp_zerapp.listening_ai.listener import COME, barrels, camps, judge, somebody
from companion.games.zapp_zerapp.listening_ai.people import Barrel, Hands, Plateau
from companion.games.zapp_zerapp.listening_ai.table import Table
from companion.games.zapp_zerapp.rules import BARRELS, CITY, Colour, Phase, Settings, ZappZerapp
from companion.games.zapp_zerapp.rules.model import State
from companion.games.zapp_zerapp.simulated.guests import chosen, fields, worths
from companion.referee.commands import DoAction
from companion.system.text import SeatName

DUEL = Settings(seats=(Colour.RED, Colour.BLUE))
FOUR = Settings()
START = (0, 0, 0)
NEARLY = (20, CITY, CITY)  # five fields from winning


def state(settings: Settings, phase: Phase, magic: int, *camps: tuple[int, int, int]) -> State:
    pawns = dict(zip(settings.seats, camps, strict=True))
    red, green, blue, yellow = (pawns.get(seat, START) for seat in Colour)
    queue = settings.seats if phase is Phase.PLACE else ()
    return State(3, phase, magic, (0, 0, 0, 0), queue, (red, green, blue, yellow))


@pytest.mark.parametrize("settings", [DUEL, FOUR])
def test_a_number_is_worth_what_it_wins_and_none_above_the_magic_number_is(
    settings: Settings,
) -> None:
    others = [(8, CITY, CITY)] * (len(settings.seats) - 1)
    moment = state(settings, Phase.PLACE, 7, NEARLY, *others)
    curve = judge(settings).curve(ZappZerapp(settings).view(moment, Colour.RED), Colour.RED)
    assert len(curve) == BARRELS
    assert curve[4] > 0.4  # it goes home, unless somebody is quicker
    assert len({*curve[7:]}) == 1
    assert max(curve[3], curve[7]) < curve[4]


def test_whoever_can_win_does() -> None:
    game = ZappZerapp(DUEL)
    both = State(
        5, Phase.MOVE, 9, (6, 0, 3, 0), (Colour.RED, Colour.BLUE), (START, START, START, START)
    )
    pawns = ((19, CITY, CITY), START, NEARLY, START)
    view = game.view(both._replace(pawns=pawns), Colour.RED)
    assert judge(DUEL).best(view).step == 19
    assert (camps(view), barrels(view)) == (pawns, (6, 0, 3, 0))
    for level in (EXPERT, GOOD):
        moves = [(DoAction(f"move red {step}"), ()) for step in (19,)]
        assert chosen(level, DUEL, view, moves, Random(1)) == moves[0][0]


def test_what_is_heard_twice_is_surer_and_time_is_not_unlimited() -> None:
    """Whatever it hears, it keeps a barrel after six tries at most."""
    heard = []

    class Told(Hands):
        def shake(self, place: str) -> float:
            heard.append(place)
            return super().shake(place)

    for seed in range(20):
        heard.clear()
        kept: list[Barrel] = []
        plateau = Plateau()
        expert = somebody(EXPERT, Colour.RED, DUEL, Random(seed))
        hands = Told(plateau, expert._ear, Random(seed), kept.append)  # type: ignore[attr-defined]
        view = ZappZerapp(DUEL).view(state(DUEL, Phase.PLACE, 8, START, START), Colour.RED)
        while not kept:
            expert.shake(hands, view)
        assert 1 <= len(heard) <= 6
        assert len(plateau.free) == BARRELS - 1


@pytest.mark.slow(but=4)
@pytest.mark.parametrize("level", COME)
@pytest.mark.parametrize("settings", [DUEL, Settings(profi=True, overlook=True, shuffle=False)])
def test_people_of_every_level_play_a_match_to_its_end_and_the_same_again(
    level: str, settings: Settings
) -> None:
    played = []
    for _ in range(2):
        rng, game = Random(4), ZappZerapp(settings)
        seats = {seat: somebody(CASUAL, seat, settings, rng) for seat in game.seats}
        seats[Colour.RED] = somebody(level, Colour.RED, settings, rng)
        played.append([action for _, action, _ in Table(game, seats, rng).play()])
    assert played[0] == played[1]


def test_guests_listen_for_as_many_fields_as_possible_unless_they_know_better() -> None:
    view = ZappZerapp(DUEL).view(state(DUEL, Phase.PLACE, 7, NEARLY, START), None)
    assert fields(3) == (1.0, 2.0, 3.0, *[0.0] * 10)
    for level in (GOOD, CASUAL, CHILD):
        assert worths(level, DUEL, view) is None
    expert, anything = worths(EXPERT, DUEL, view), worths(RANDOM, DUEL, view)
    assert expert is not None
    assert anything is not None
    assert expert(SeatName.RED)[4] > 0.98
    assert len({*anything(SeatName.RED)}) == 1
