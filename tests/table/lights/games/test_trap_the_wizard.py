"""Trap the Wizard on the lights: a quarter of the ring counts, a start tells who is captured."""

from dataclasses import replace

from companion.games.trap_the_wizard import lights
from companion.games.trap_the_wizard.lights import EXAMPLE_CAUGHT, EXAMPLE_HOME, LEFT_OVER
from companion.games.trap_the_wizard.rules import (
    CaptivesReleased,
    Robe,
    Settings,
    TrapTheWizard,
    View,
)
from companion.present.lights.scenes import scene
from tests.table.lights import looking
from tests.table.lights.games.tables import Played, in_quarters
from tests.table.lights.looking import GREEN, LATER, RED, SECOND, YELLOW, at, glow, ring, start

DIM = 0.4
TWO = Settings((Robe.RED, Robe.GREEN), pass_over=False)


def table(*texts: str, settings: Settings | None = None) -> Played:
    return Played.of(TrapTheWizard(settings)).do(*texts)


def test_before_the_first_roll_only_its_player_breathes() -> None:
    now = table().now
    assert at(now, LATER) == {start(RED): glow(RED, 1.0)}
    assert at(now, LATER + SECOND) == {start(RED): glow(RED, 0.2)}
    assert scene(now, LATER).seats == {"red": 1.0, "green": 0.0, "blue": 0.0, "yellow": 0.0}


def test_the_die_is_as_many_fields_of_the_movers_own_quarter() -> None:
    first = table("roll 4")
    assert ring(at(first.now, LATER + SECOND)) == dict.fromkeys(range(4), glow(RED, 1.0))
    second = first.do("move red start 8", "roll 6")
    assert ring(at(second.now, LATER)) == dict.fromkeys(range(6, 12), glow(GREEN, 1.0))


def test_points_left_over_breathe_in_place_of_being_steady() -> None:
    now = table(*LEFT_OVER).now
    assert ring(at(now, LATER)) == dict.fromkeys((18, 19), glow(YELLOW, 1.0))
    assert ring(at(now, LATER + SECOND)) == dict.fromkeys((18, 19), glow(YELLOW, 0.2))


def test_while_somebody_rolls_each_quarter_counts_what_was_caught_in_this_round() -> None:
    now = table(*EXAMPLE_CAUGHT).now
    shown = at(now, LATER)
    assert in_quarters(shown) == {"red": 3, "yellow": 1}
    assert {*ring(shown).values()} == {glow(RED, DIM), glow(YELLOW, DIM)}


def test_the_city_is_the_seventh_that_is_counted_and_stands_for_more() -> None:
    now = table(*EXAMPLE_CAUGHT).now
    assert isinstance(now.view, View)
    many = replace(now.view, taken=((Robe.RED, (Robe.BLUE,) * 5), *now.view.taken[1:]))
    shown = at(replace(now, view=many), LATER)
    assert in_quarters(shown) == {"red": 7, "yellow": 1}
    assert shown[looking.city(RED)] == glow(RED, DIM)


def test_neither_ones_own_wizards_nor_the_joker_count_as_caught() -> None:
    now = table(*EXAMPLE_CAUGHT).now
    assert isinstance(now.view, View)
    held = (Robe.RED, Robe.BLUE, Robe.JOKER)
    red = tuple(wizard._replace(load=held) for wizard in now.view.wizards[0][1][:1])
    view = replace(now.view, wizards=((Robe.RED, red), *now.view.wizards[1:]))
    assert in_quarters(at(replace(now, view=view), LATER))["red"] == 1


def test_whoever_is_captured_blinks_at_the_start_for_some_seconds() -> None:
    now = table(*LEFT_OVER[:10]).now
    shown = [at(now, 200_000 * step).get(start(GREEN)) for step in range(4)]
    assert shown == [glow(GREEN, 1.0), None] * 2
    assert start(GREEN) not in at(now, LATER)


def test_wizards_that_are_released_are_steady_at_their_starts() -> None:
    released = CaptivesReleased(Robe.GREEN, (Robe.BLUE, Robe.YELLOW, Robe.JOKER))
    shown = at(replace(table().now, happened=(released,)), SECOND)
    assert shown == {
        start(RED): glow(RED, 0.2),
        start(looking.BLUE): glow(looking.BLUE, 1.0),
        start(YELLOW): glow(YELLOW, 1.0),
    }


def test_a_move_that_a_button_offers_shows_whom_it_would_capture() -> None:
    before = table(*LEFT_OVER[:9])
    now = before.offering("yellow", LEFT_OVER[9])
    assert [start(GREEN) in at(now, LATER + step * 200_000) for step in range(4)] == [
        *(True, False) * 2
    ]
    heads = [at(now, step * 300_000) for step in range(2)]
    assert (heads[0][start(YELLOW)], heads[1][looking.city(YELLOW)]) == (glow(YELLOW, 1.0),) * 2
    assert ring(at(now, LATER)) == dict.fromkeys(range(18, 24), glow(YELLOW, 1.0))


def test_a_number_that_a_button_offers_lies_where_the_die_would() -> None:
    now = table("roll 4", "move red start 8").offering("red", "roll 3")
    assert [*ring(at(now, 0))] == [6, 7, 8]


def test_whoever_comes_home_runs_clockwise_over_six_fields_to_the_start() -> None:
    now = table(*EXAMPLE_HOME).now
    way = [*range(6), start(GREEN)]
    heads = [at(now, step * 100_000)[light] for step, light in enumerate(way)]
    assert heads == [glow(GREEN, 1.0)] * 7
    assert [start(looking.BLUE) in at(now, step * 150_000) for step in range(8)] == [
        *(True, False) * 2,
        *[False] * 4,
    ]


def test_points_that_nobody_can_use_blink_where_the_die_would_be() -> None:
    now = table(*lights.EXAMPLE_LOST, settings=TWO).now
    on, off = ring(at(now, 0)), ring(at(now, 200_000))
    assert {light: on[light] for light in range(4)} == dict.fromkeys(range(4), glow(RED, 1.0))
    assert not {*range(4)} & {*off}


def test_at_the_end_of_a_round_what_it_brought_flashes_twice_in_each_quarter() -> None:
    now = table(*lights.EXAMPLE_SHUT, settings=TWO).now
    seen = [in_quarters(ring(at(now, step * 150_000))) for step in range(8)]
    assert seen == [{"green": 3}, {}, {"green": 3}, *[{}] * 5]
    assert in_quarters(at(now, LATER)) == {}, "a new round: nobody has caught anybody"
