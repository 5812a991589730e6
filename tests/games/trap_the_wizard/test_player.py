"""Who plays Trap the Wizard by experience takes what it can, and comes to an end."""

import random

from companion.core.game import TABLE
from companion.core.notation import write
from companion.games.trap_the_wizard.players import experienced
from companion.games.trap_the_wizard.rules import Robe, Settings, TrapTheWizard
from tests.games.trap_the_wizard.tables import Table, position

RED, GREEN, BLUE, _, JOKER = Robe
GAMES, IN_FULL = 12, 60


def chosen(table: Table) -> str:
    view = table.game.view(table.state, RED)
    settings, chance = table.game.settings, random.Random(1)
    return write(experienced(settings, view, RED, view.choices, chance))


def test_it_captures_and_brings_home_what_it_has_captured() -> None:
    assert chosen(position({RED: (30, 9, -1), GREEN: (32, 20, 21)}, 2)) == "move red 30 32"
    home = position({RED: ((6, (GREEN,)), 30), GREEN: (20, 40)}, 2)
    assert chosen(home) == "move red 6 start load green"
    assert chosen(position({RED: (57, -1, -1), GREEN: (20, 21, 40)}, 1)) == "move red 57 76"


def test_it_does_not_take_a_special_field_for_a_catch() -> None:
    table = position({RED: (32, 23, -1), GREEN: (34, 25, 40)}, 2)
    assert chosen(table) == "move red 23 25"


def test_it_captures_where_it_may_spare_and_rolls_again_where_it_may_pass() -> None:
    joker = position({RED: ((32, (JOKER,)),), GREEN: (34, 20)}, 2, joker_spares=True)
    assert chosen(joker) == "move red 32 34 load joker"
    six = position({RED: (30, 9), GREEN: (20, 21)}, 6, sixes=1, six_passes=True)
    assert chosen(six.do("move red 30 36")) == "again red"


def test_it_walks_home_with_its_catch_and_out_of_danger() -> None:
    assert chosen(position({RED: ((50, (GREEN,)),), GREEN: (30, 31)}, 3)) == (
        "move red 50 1 load green"
    )
    assert chosen(position({RED: (36,), GREEN: (33, 37, -1)}, 5)) == "move red 36 41"


def test_it_hunts_whom_it_can_capture() -> None:
    assert chosen(position({RED: (20,), GREEN: (35,)}, 4)) == "move red 20 24"
    assert chosen(position({RED: (20,), GREEN: (5,)}, 4)) == "move red 20 16"


def test_two_of_them_come_to_an_end(full: bool) -> None:
    for seed in range(IN_FULL if full else GAMES):
        rng, free = random.Random(seed), bool(seed % 2)
        settings = Settings((RED, GREEN), rounds=1, joker_spares=free, six_passes=free)
        game = TrapTheWizard(settings)
        state, actions = game.start(), 0
        while seats := game.turns(state):
            view = game.view(state, seats[0])
            rolls = seats[0] == TABLE
            if rolls:
                action = rng.choice(game.legal(state, TABLE))
            else:
                action = experienced(settings, view, seats[0], view.choices, rng)
            state, actions = game.apply(state, action), actions + 1
        assert actions < 1000, seed  # two who only avoid danger would walk around forever
