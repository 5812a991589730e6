"""Via Magica on the lights: which animus, who has still to place, and how many portals are open."""

from dataclasses import replace

import pytest

from companion.games.via_magica import lights
from companion.games.via_magica.lights import ANIMI, CALL, CALM, CATCH, EXAMPLE_PORTALS, HUES, WATER
from companion.games.via_magica.rules import BAG, Animus, Hue, ViaMagica, View
from companion.present.lights.canvas import GAMMA, Rgb
from companion.present.lights.scenes import scene
from tests.table.lights.games.tables import Played, in_quarters
from tests.table.lights.looking import (
    BLUE,
    GREEN,
    LATER,
    RED,
    SECOND,
    YELLOW,
    at,
    city,
    glow,
    ring,
    start,
)

DIM = 0.4
SWIRL_US = 3_600_000  # this long a calm light needs once round the ring


def table(*texts: str) -> Played:
    return Played.of(ViaMagica()).do(*texts)


def shade(colour: Rgb, brightness: float) -> Rgb:
    red, green, blue = (round(part * brightness**GAMMA) for part in colour)
    return red, green, blue


def test_whoever_has_to_choose_breathes_and_who_has_chosen_is_steady() -> None:
    now = table(*lights.EXAMPLE_KEEP).now
    dark = {start(seat): glow(seat, 0.2) for seat in (RED, BLUE)}
    steady = {start(seat): glow(seat, 1.0) for seat in (GREEN, YELLOW)}
    assert at(now, LATER + SECOND) == dark | steady
    assert scene(now, LATER + SECOND).seats == {
        "red": 0.029,
        "blue": 0.029,
        "green": 1.0,
        "yellow": 1.0,
    }


def test_whoever_catches_breathes_alone() -> None:
    assert at(table(*CATCH).now, LATER) == {start(RED): glow(RED, 1.0)}


@pytest.mark.parametrize("animus", [*Animus][: Animus.JOKER])
def test_an_animus_is_as_many_fields_of_each_quarter_as_the_bag_holds(animus: Animus) -> None:
    now = table(*WATER).now
    assert isinstance(now.view, View)
    now = replace(now, view=replace(now.view, animus=animus))
    for step in range(24):
        shown = ring(at(now, step * 150_000))
        assert {*shown} == {field for field in range(24) if field % 6 < BAG[animus]}
        assert {*shown.values()} <= {shade(ANIMI[animus], part) for part in (CALM, 1.0)}


def test_a_calm_light_passes_over_the_animus() -> None:
    now = table(*WATER).now
    for field in (0, 4, 6, 22):
        assert at(now, LATER - LATER % SWIRL_US + field * 150_000)[field] == ANIMI[Animus.WATER]
    gap = ring(at(now, LATER - LATER % SWIRL_US + 5 * 150_000))
    assert {*gap.values()} == {shade(ANIMI[Animus.WATER], CALM)}, "it passes a field that is dark"


def test_the_joker_is_one_comet_in_the_colours_of_all_animi() -> None:
    now = table(*CATCH, "catch joker").now
    heads = []
    for field in range(24):
        shown = ring(at(now, LATER - LATER % SWIRL_US + field * 150_000))
        assert len(shown) == 4
        heads.append(shown[field])
    assert heads == [*ANIMI.values()] * 4


def test_whoever_has_still_to_place_breathes_and_the_others_are_steady() -> None:
    shown = at(table(*WATER).now, LATER + SECOND)
    assert {seat: shown[start(seat)] for seat in (RED, GREEN, BLUE, YELLOW)} == {
        RED: glow(RED, 0.2),
        GREEN: glow(GREEN, 1.0),
        BLUE: glow(BLUE, 0.2),
        YELLOW: glow(YELLOW, 1.0),
    }


def test_an_animus_that_a_button_offers_is_shown_as_if_it_was_caught() -> None:
    now = table(*CATCH).offering("green", "catch water")
    shown = at(now, 0)
    assert {*ring(shown)} == {field for field in range(24) if field % 6 < 5}
    assert shown[start(GREEN)] == glow(GREEN, 1.0), "it runs to the city: not confirmed yet"
    assert at(now, 300_000)[city(GREEN)] == glow(GREEN, 1.0)


def test_whoever_can_open_a_portal_blinks_until_it_is_told_who_called_first() -> None:
    now = table(*CALL).now
    assert [{*at(now, LATER + step * 200_000)} for step in range(4)] == [
        {start(RED), start(BLUE)},
        set(),
    ] * 2
    assert scene(now, LATER + 200_000).seats == dict.fromkeys(
        ("red", "green", "blue", "yellow"), 0.0
    )


def test_the_first_caller_that_a_button_offers_is_the_seat_on_which_it_runs() -> None:
    now = table(*CALL).offering("green", "call blue")
    assert at(now, 0)[start(BLUE)] == glow(BLUE, 1.0)
    assert at(now, 300_000)[city(BLUE)] == glow(BLUE, 1.0)
    assert scene(now, 0).seats["green"] == 1.0


def test_a_portal_that_opens_bursts_out_of_its_start_to_both_sides() -> None:
    now = table(*lights.EXAMPLE_OPENED).now
    violet = shade(HUES[Hue.VIOLET], 1.0)
    for step in range(13):
        shown = ring(at(now, step * 100_000))
        heads = {(12 + step) % 24, (12 - step) % 24}
        assert {field for field in shown if shown[field] == violet} == heads
    assert ring(at(now, LATER)) == {12: glow(BLUE, DIM)}


def test_each_quarter_counts_the_portals_that_are_open() -> None:
    now = table(*EXAMPLE_PORTALS).now
    shown = at(now, LATER + SECOND)
    assert in_quarters(shown) == {"red": 2, "green": 1, "blue": 1}
    assert shown[0] == shown[1] == glow(RED, DIM)
    assert shown[start(RED)] == glow(RED, 0.2), "red is the catcher"


def test_the_seventh_portal_is_the_city() -> None:
    now = table(*EXAMPLE_PORTALS).now
    assert isinstance(now.view, View)
    seven = replace(now.view.zones[0], opened=tuple(range(1, 8)))
    view = replace(now.view, zones=(seven, *now.view.zones[1:]))
    assert at(replace(now, view=view), LATER)[city(RED)] == glow(RED, DIM)
