"""Six at a table with lights for four: whoever sees no colours reads whose turn it is.

For violet and white a light goes round the cities, clockwise or the other way.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from random import Random

import pytest

from companion.core import SeatName
from companion.core.game import Outcome, Seat
from companion.games.blackmore.lights import leading
from companion.games.blackmore.rules import Blackmore
from companion.games.blackmore.rules import Settings as Blackmoor
from companion.games.blackmore.rules import View as Tricks
from companion.games.via_magica import rules as via_magica
from companion.games.via_magica.lights import CALL
from companion.games.via_magica.rules import PortalOpened, ViaMagica
from companion.games.via_magica.rules import Settings as Magic
from companion.games.via_magica.rules import View as Conjuring
from companion.present.lights.canvas import (
    ASKED_US,
    CITIES,
    DIM,
    GAMMA,
    ROUND_US,
    WHITE,
    LightScene,
)
from companion.present.lights.scenes import WAITS_US, scene
from companion.referee.commands import DoAction
from companion.referee.snapshot import ButtonOption, Snapshot
from companion.system.text import SEATS
from tests.table.lights.games.tables import Played, at_random
from tests.table.lights.looking import LATER, at, ring

VIOLET, WHITE_SEAT = 4, 5
OWN = SEATS[:4]
CLOCKWISE = (0, 1, 2, 3)  # how a light goes round the cities for violet; for white it is reversed
FULL, FAINT = WHITE[0], round(WHITE[0] * DIM**GAMMA)

pytestmark = pytest.mark.usefixtures("colourless")


def looks(now: Snapshot, step_us: int, from_us: int) -> list[LightScene]:
    """Look eight times, as fast as a light goes on, from any moment on."""
    return [scene(now, LATER + from_us + step * step_us) for step in range(8)]


def cities(seen: Sequence[LightScene], level: int) -> list[set[int]]:
    """Return which cities are so bright, look by look."""
    return [{city for city in range(4) if one.lights[CITIES + city][0] == level} for one in seen]


def rounds(lit: Sequence[set[int]]) -> set[Seat]:
    """Return for whom a light goes round."""
    ways = {VIOLET: CLOCKWISE, WHITE_SEAT: CLOCKWISE[::-1]}
    return {
        seat
        for seat, way in ways.items()
        if any(
            all(way[(begun + look) % 4] in found for look, found in enumerate(lit))
            for begun in range(4)
        )
    }


def acting(now: Snapshot, step_us: int, from_us: int = 0) -> set[Seat]:
    """Return whose turn it is, as an eye reads it that knows no colours."""
    levels = [scene(now, LATER + from_us + step * 200_000).seats for step in range(11)]
    own = {
        SEATS.index(seat)
        for seat in OWN
        if max(one[seat] for one in levels) - min(one[seat] for one in levels) > 0.5
    }
    return own | rounds(cities(looks(now, step_us, from_us), FULL))


def conjuring() -> ViaMagica:
    return ViaMagica(Magic(tuple(SeatName)))


def bewitching(*, by_hand: bool = False) -> Blackmore:
    return Blackmore(Blackmoor(tuple(SeatName), by_hand=by_hand))


def some(played: Iterator[Played], chance: Random, share: float) -> Iterator[Snapshot]:
    return (one.now for one in played if chance.random() < share and not one.now.over)


@pytest.mark.parametrize("seed", range(2))
def test_in_any_state_of_via_magica_one_reads_who_has_to_act(seed: int) -> None:
    chance, met = Random(seed), set[Seat]()
    for now in some(at_random(conjuring(), chance, 300), chance, 0.4):
        view = now.view
        assert isinstance(view, Conjuring)
        calls = view.phase is via_magica.Phase.CALL
        turns = {*view.queue} if calls else {seat for seat in view.turns if seat >= 0}
        if view.phase is via_magica.Phase.CATCH:
            turns = {view.catcher}
        step_us = ASKED_US if calls else ROUND_US
        assert acting(now, step_us, 50_000 * chance.randrange(100)) == turns
        met |= turns
    assert met == {*range(6)}


def test_in_any_state_of_blackmore_one_reads_whose_turn_it_is_and_who_wins() -> None:
    chance, met, led = Random(3), set[Seat](), set[Seat]()
    for now in some(at_random(bewitching(), chance, 200), chance, 0.9):
        assert isinstance(now.view, Tricks)
        from_us, turn = 50_000 * chance.randrange(100), {*now.view.queue[:1]}
        assert acting(now, ROUND_US, from_us) == turn
        faint = cities(looks(now, ROUND_US, from_us), FAINT)
        steady = {city for city in range(4) if sum(city in one for one in faint) >= 6}
        wins = set[Seat]() if (best := leading(now.view)) is None else {best}
        bright = wins & turn & {VIOLET, WHITE_SEAT}  # has won: it is as bright as whose turn it is
        assert steady | rounds(faint) == wins - bright
        met |= turn
        led |= wins - bright
    assert met == led == {*range(6)}


def test_whoever_of_the_six_has_still_to_act_is_read_in_every_combination() -> None:
    now = Played.of(conjuring()).now
    assert isinstance(now.view, Conjuring)
    some_of_them = chain.from_iterable(combinations(range(6), many) for many in range(7))
    for turns in some_of_them:
        keep = replace(now.view, phase=via_magica.Phase.KEEP, turns=turns)
        assert acting(replace(now, view=keep), ROUND_US) == {*turns}
        call = replace(now.view, phase=via_magica.Phase.CALL, queue=tuple(map(SeatName, turns)))
        assert acting(replace(now, view=call), ASKED_US) == {*turns}


def test_what_has_to_be_told_goes_round_faster_than_whose_turn_it_is() -> None:
    assert 2 * ASKED_US < ROUND_US


@pytest.mark.parametrize(("called", "way"), [("violet", (0, 1, 2, 3)), ("white", (1, 0, 3, 2))])
def test_a_caller_without_lights_that_a_button_offers_runs_round_the_cities(
    called: str, way: tuple[int, ...]
) -> None:
    now = Played.of(ViaMagica()).do(*CALL).now
    first, *others = now.seats
    offer = ButtonOption(DoAction(f"call {called}"))
    lit = replace(now, seats=(replace(first, offers=(offer,), lit=0), *others))
    heads = [cities([scene(lit, step * WAITS_US)], FULL)[0] for step in range(4)]
    assert heads == [{city} for city in way]


def test_a_portal_of_violet_or_white_bursts_out_between_yellow_and_red() -> None:
    now = Played.of(conjuring()).now
    assert isinstance(now.view, Conjuring)
    view = replace(now.view, phase=via_magica.Phase.CATCH)
    seen = []
    for seat in SeatName:
        opened = replace(now, view=view, happened=(PortalOpened(seat, 1, via_magica.Hue.BLUE),))
        (first,) = ring(at(opened, 0))
        seen.append(first)
    assert seen == [0, 6, 12, 18, 20, 22]


def test_a_winner_without_lights_is_told_by_the_way_round_the_cities() -> None:
    now = Played.of(bewitching()).now
    for seat in (VIOLET, WHITE_SEAT):
        won = replace(now, over=True, outcome=Outcome((seat,), ()))
        assert acting(won, ROUND_US) == {seat}
