"""The Witches of Blackmore on the lights: a dial of nine values, and whose card wins."""

from dataclasses import replace

import pytest

from companion.core import SeatName
from companion.games.blackmore.lights import EXAMPLE_TRICK, PASSING, RANKS, SIX, SUITS
from companion.games.blackmore.rules import Blackmore, Settings, Side, Suit, View
from companion.present.lights.canvas import CITIES, GAMMA, ROUND_US, VIOLET, WHITE, Rgb
from companion.present.lights.scenes import scene
from tests.table.lights.games.tables import Played
from tests.table.lights.looking import BLUE, LATER, RED, SECOND, at, city, glow, ring, start

DIM = 0.4
FULL_TURN_US = 3_900_000  # this long the calm light needs for all nine ranks
DARKEST_US = LATER - LATER % FULL_TURN_US + 3_800_000  # when it has passed them


def table(*texts: str, side: Side = Side.DESCENDING) -> Played:
    return Played.of(Blackmore(Settings(by_hand=True, side=side))).do(*texts)


def shade(colour: Rgb, brightness: float) -> Rgb:
    red, green, blue = (round(part * brightness**GAMMA) for part in colour)
    return red, green, blue


def dial(played: Played) -> list[int]:
    """Return the values from the brightest of the nine fields to the darkest."""
    shown = at(played.now, DARKEST_US)
    fields = {field: max(shown[field]) for field in range(9)}
    return [1 + field for field in sorted(fields, key=fields.__getitem__, reverse=True)]


def test_before_the_wheel_is_turned_the_ring_is_dark() -> None:
    assert at(table().now, LATER) == {start(RED): glow(RED, 1.0)}, "who gets the first card"


def test_the_brighter_a_field_of_the_dial_the_higher_its_value_ranks() -> None:
    assert dial(table(*EXAMPLE_TRICK[:25])) == [7, 6, 5, 4, 3, 2, 1, 9, 8]
    assert dial(table(*EXAMPLE_TRICK[:25], side=Side.ASCENDING)) == [7, 8, 9, 1, 2, 3, 4, 5, 6]


def test_a_calm_light_runs_from_the_highest_rank_to_the_lowest() -> None:
    now, begun_us = table(*EXAMPLE_TRICK[:25]).now, LATER - LATER % FULL_TURN_US
    passes = [at(now, begun_us + rank * 300_000) for rank in range(1, 9)]
    way = [value - 1 for value in (6, 5, 4, 3, 2, 1, 9, 8)]
    blue = SUITS[Suit.BLUE]
    assert [shown[field] for shown, field in zip(passes, way, strict=True)] == [
        shade(blue, PASSING)
    ] * 8
    assert {shown[6] for shown in passes} == {shade(blue, 1.0)}, "the highest stays the brightest"


@pytest.mark.parametrize("suit", Suit)
def test_the_trump_is_told_by_its_number_opposite_the_arrow(suit: Suit) -> None:
    deals = EXAMPLE_TRICK[:24]
    shown = ring(at(table(*deals, f"turn {suit.name.lower()}:3").now, DARKEST_US))
    assert {*shown} == {*range(9), *range(12, 12 + suit + 1)}
    assert {shown[field] for field in shown if field > 8} == {SUITS[suit]}
    assert shown[2] == SUITS[suit]


def test_without_a_trump_the_wheel_is_white_and_there_is_no_number() -> None:
    now = table(*EXAMPLE_TRICK[:25]).now
    assert isinstance(now.view, View)
    shown = ring(at(replace(now, view=replace(now.view, trump=None)), DARKEST_US))
    assert {*shown} == {*range(9)}
    assert shown[6] == WHITE


def test_whose_turn_it_is_breathes_and_who_wins_so_far_is_dim_at_the_city() -> None:
    table_ = table(*EXAMPLE_TRICK[:25])
    leads = list[tuple[int, int]]()
    for text in EXAMPLE_TRICK[25:28]:
        table_ = table_.do(text)
        shown = at(table_.now, LATER + SECOND)
        leads.append(
            (
                next(light for light in range(24, 28) if light in shown),
                next(light for light in range(28, 32) if light in shown),
            )
        )
    assert leads == [
        (25, city(RED)),  # yellow was led, and red 7 is neither yellow nor trump
        (26, city(RED)),
        (27, city(BLUE)),  # with a trump
    ]
    assert at(table_.now, LATER)[city(BLUE)] == glow(BLUE, DIM)
    assert scene(table_.now, LATER).seats == {"red": 0, "green": 0, "blue": 0, "yellow": 1.0}


def test_whoever_has_won_a_trick_flashes_twice_at_the_city_and_the_wheel_breathes() -> None:
    now = table(*EXAMPLE_TRICK).now
    flashes = [at(now, step * 150_000).get(city(BLUE)) == glow(BLUE, 1.0) for step in range(8)]
    assert flashes == [True, False] * 2 + [False] * 4
    assert at(now, LATER)[city(BLUE)] == glow(BLUE, DIM)
    bright, dark = at(now, LATER), at(now, LATER + SECOND)
    for rank, value in enumerate((7, 6, 5, 4, 3, 2, 1, 9, 8)):
        assert bright[value - 1] == shade(SUITS[Suit.BLUE], RANKS[rank])
        assert max(dark.get(value - 1, (0, 0, 0))) <= max(shade(SUITS[Suit.BLUE], 0.2))
    assert dark[start(BLUE)] == glow(BLUE, 0.2)


def test_a_trick_is_shown_won_also_when_the_next_one_has_been_led() -> None:
    now = table(*EXAMPLE_TRICK, "keep blue").now
    won = table(*EXAMPLE_TRICK).now.happened
    shown = at(replace(now, happened=(*won, *now.happened)), 0)
    assert shown[city(BLUE)] == glow(BLUE, 1.0)


def test_a_button_shows_the_wheel_as_it_would_be() -> None:
    now = table(*EXAMPLE_TRICK).offering("blue", "change blue red:7")
    shown = ring(at(now, 0))
    assert shown[6] == shade(SUITS[Suit.RED], 1.0)
    assert {*shown} == {*range(9), 12}
    heads = [at(now, step * 100_000)[value - 1] for step, value in enumerate((7, 6, 5, 4))]
    assert heads[1:] == [shade(SUITS[Suit.RED], PASSING)] * 3
    other = table(*EXAMPLE_TRICK).offering("blue", "change blue yellow:2")
    assert ring(at(other, 0))[1] == shade(SUITS[Suit.YELLOW], 1.0)


def test_for_who_has_no_lights_one_goes_round_the_cities_bright_in_turn_and_dim_in_the_lead() -> (
    None
):
    played = Played.of(Blackmore(Settings(tuple(SeatName), by_hand=True))).do(*SIX)
    violet = played.now
    lights = {*range(9), *range(12, 16)}
    rounds = [at(violet, step * ROUND_US) for step in range(4)]
    assert [{*shown} for shown in rounds] == [
        {*lights, city(BLUE), CITIES + step} for step in range(4)
    ]
    assert [shown[CITIES + step] for step, shown in enumerate(rounds)] == [VIOLET] * 4
    assert scene(violet, LATER).seats == dict.fromkeys(("red", "green", "blue", "yellow"), 0.0)
    white = played.do("play violet blue:5").now
    rounds = [at(white, step * ROUND_US) for step in range(4)]
    assert [shown[CITIES + step] for step, shown in enumerate(rounds)] == [shade(VIOLET, DIM)] * 4
    assert [shown[CITIES + city] for shown, city in zip(rounds, (1, 0, 3, 2), strict=True)] == [
        WHITE
    ] * 4
