"""What holds of every game on the lights: total, pure, within limits, silent on hidden cards."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.core import SeatName
from companion.core.game import Action, Game, Outcome
from companion.games.blackmore.rules import (
    DECK,
    Blackmore,
    Change,
    Deal,
    Play,
    Side,
    Turn,
    ranking,
    winning,
)
from companion.games.blackmore.rules import Settings as Blackmoor
from companion.games.trap_the_wizard.rules import PLAYERS, TrapTheWizard
from companion.games.trap_the_wizard.rules import Settings as Trap
from companion.games.via_magica import rules as via_magica
from companion.games.via_magica.rules import Settings as Magic
from companion.games.via_magica.rules import ViaMagica
from companion.present.lights.canvas import LightScene
from companion.present.lights.patterns import VICTORY
from companion.present.lights.scenes import scene
from companion.referee.snapshot import Snapshot
from companion.system.text import SEATS
from tests.table.lights import looking
from tests.table.lights.games.tables import Played, at_random, some_lit
from tests.table.lights.looking import BLUE, GREEN, LATER, RED, SECOND, at, city, glow, ring, start

MOST = 260  # actions of one game


def games(chance: Random) -> Sequence[Game[Any]]:
    """Return a table of each game, of two to six players."""
    count = chance.randint(2, 6)
    return (
        TrapTheWizard(Trap(tuple(sorted(chance.sample(PLAYERS, min(count, 4)))), rounds=1)),
        ViaMagica(Magic(tuple(sorted(chance.sample([*SeatName], count))))),
        Blackmore(
            Blackmoor(
                tuple(sorted(chance.sample([*SeatName], count))),
                side=chance.choice([*Side]),
                by_hand=chance.random() < 0.5,
            )
        ),
    )


@pytest.mark.parametrize("seed", range(2))
def test_any_moment_of_any_game_has_a_scene_within_its_limits(seed: int) -> None:
    chance = Random(seed)
    for game in games(chance):
        for played in at_random(game, chance, MOST):
            if chance.random() < 0.25:
                for now in (played.now, some_lit(played, chance)):
                    for at_us in (0, chance.randrange(5 * SECOND), LATER):
                        looking.check(now, at_us)


@pytest.mark.parametrize("seed", range(2))
def test_whose_turn_it_is_is_seen_at_its_seat(seed: int) -> None:
    chance = Random(seed)
    for game in games(chance):
        for played in at_random(game, chance, 90):
            shown = scene(played.now, LATER)
            turns = {SEATS[seat] for seat in played.now.view.turns if seat in range(4)}
            assert all(shown.seats[seat] == 1.0 for seat in turns)


@pytest.mark.parametrize("seed", range(2))
def test_what_single_seats_see_changes_no_light(seed: int) -> None:
    chance = Random(seed)
    for game in games(chance):
        for played in at_random(game, chance, 80):
            now = played.now
            assert scene(now, SECOND) == scene(replace(now, seen=()), SECOND)


def lights(played: Played) -> list[LightScene]:
    """Return all that is seen for some seconds of a table, with whatever buttons have lit."""
    shown = [played.now]
    for seat in played.now.seats:
        shown += [played.lit(seat.colour, place) for place in range(len(seat.offers))]
    return [scene(now, at_us) for now in shown for at_us in range(0, 6 * SECOND, 770_000)]


def alike(game: Game[Any], *evenings: Sequence[Action]) -> None:
    """Play one game several times, in step; nobody may tell one from another."""
    tables = [Played.of(game) for _ in evenings]
    for actions in zip(*evenings, strict=True):
        tables = [played.do(action) for played, action in zip(tables, actions, strict=True)]
        first, *others = map(lights, tables)
        assert all(other == first for other in others)


@pytest.mark.parametrize("seed", range(2))
def test_no_light_depends_on_cards_that_are_on_hands_or_in_the_pile(seed: int) -> None:
    chance = Random(seed)
    turned, *others = chance.sample(DECK, len(DECK))
    first, others = others[:4], others[4:]

    def evening() -> list[Action]:
        hidden = chance.sample(others, 24)
        dealt = [Deal(SeatName(place % 4), card) for place, card in enumerate(first + hidden[:20])]
        thrown = [Play(SeatName(seat), card) for seat, card in enumerate(first)]
        winner = SeatName(winning(first, turned.suit, ranking(Side.DESCENDING, turned.value)))
        after = [SeatName((winner + step) % 4) for step in range(4)]
        drawn = [Deal(seat, card) for seat, card in zip(after, hidden[20:], strict=True)]
        return [*dealt, Turn(turned), *thrown, Change(winner, first[0]), *drawn]

    alike(Blackmore(), evening(), evening(), evening())


@pytest.mark.parametrize("seed", range(2))
def test_no_light_depends_on_portals_that_are_not_unveiled(seed: int) -> None:
    chance = Random(seed)

    def evening() -> list[Action]:
        dealt_out = chance.sample([*range(1, 31)] * 2, 18)
        hands = [sorted(dealt_out[seat::3]) for seat in range(3)]
        dealt = [
            via_magica.Deal(SeatName(seat), portal)
            for seat, hand in enumerate(hands)
            for portal in hand
        ]
        drawn = [*map(via_magica.Draw, range(31, 36)), via_magica.Turn()]
        kept = [
            via_magica.Keep(SeatName(seat), tuple(sorted({*hand})[:3]))
            for seat, hand in enumerate(hands)
        ]
        return [*dealt, *drawn, *kept]

    alike(ViaMagica(Magic(tuple(SeatName)[:3])), evening(), evening(), evening())


def test_a_game_that_is_given_up_lets_the_seats_begin_another() -> None:
    now = replace(Played.of(TrapTheWizard()).do("roll 5").now, over=True)
    assert at(now, LATER) == {}
    assert scene(now, LATER).seats == dict.fromkeys(("red", "green", "blue", "yellow"), 1.0)


def won(*winners: int) -> Snapshot:
    now = Played.of(Blackmore(Blackmoor(tuple(SeatName), by_hand=True))).now
    return replace(now, over=True, outcome=Outcome(winners, ()))


def test_several_winners_have_as_many_comets_in_their_colours() -> None:
    begun_us = LATER - LATER % 3_600_000
    shown = at(won(RED, BLUE), begun_us)
    assert (shown[0], shown[12]) == (glow(RED, 1.0), glow(BLUE, 1.0))
    assert (shown[city(RED)], shown[city(BLUE)]) == (glow(RED, 1.0), glow(BLUE, 1.0))
    assert {start(RED), start(BLUE)} <= {*shown}
    three = ring(at(won(0, 1, 2), begun_us))
    assert [three[field] for field in (0, 8, 16)] == [glow(one, 1.0) for one in (RED, GREEN, BLUE)]


def test_a_winner_without_lights_has_the_comets_and_a_light_at_the_cities() -> None:
    for seat in (SeatName.VIOLET, SeatName.WHITE):
        now = won(seat)
        assert len(ring(at(now, LATER))) == len(at(now, LATER)) - 1 == 8
        assert not any(scene(now, LATER).seats.values())


def test_every_game_that_is_won_has_its_three_notes() -> None:
    tone = scene(won(RED), 0).tone
    assert tone is not None
    assert tone.frequency_hz == VICTORY[0][0]
