"""Hands, the stack and what was discarded: nobody learns of them what is not its own."""

import random
from typing import Any

import pytest

from companion.core import SeatName
from companion.core.game import TABLE, Action, choices
from companion.core.log import Log
from companion.core.notation import read, write
from companion.games.via_magica.rules import Deal, Draw, Keep, Phase, Settings, State, ViaMagica
from companion.system.errors import RulesError
from tests.games.via_magica.games import BLUE, GREEN, RED, random_game
from tests.referee.twins import seen_by

GAME = ViaMagica(Settings((RED, GREEN, BLUE)))
VIEWERS: list[int | None] = [*GAME.seats, None]
TYPED = ("deal", "draw", "keep", "keep green", "turn", "catch", "open", "nonsense", "waive red")


def played(seed: int, count: int) -> Log[State]:
    """Return the beginning of a random game."""
    steps = random_game(random.Random(seed), GAME)
    return Log.begin(GAME, [action for _, (_, action) in zip(range(count), steps, strict=False)])


def known(log: Log[State], viewer: int | None) -> list[object]:
    """Return all that a viewer is told of a game."""
    steps = zip(log.states, log.actions, strict=False)
    return [
        GAME.view(log.state, viewer),
        choices(GAME, log.state, viewer),
        seen_by(log, viewer),
        [GAME.explain(state, action) for state, action in steps],
        [_answer(log, text, viewer) for text in TYPED],
    ]


def _answer(log: Log[State], text: str, viewer: int | None) -> object:
    try:
        return write(read(GAME, log.state, text, viewer))
    except RulesError as refused:
        return str(refused)


def exchanged(log: Log[State], one: SeatName, other: SeatName, rng: random.Random) -> list[Action]:
    """Return the actions of a set-up in which two hands were dealt and kept otherwise."""
    hands = [a.portal for a in log.actions if isinstance(a, Deal) and a.player in {one, other}]
    rng.shuffle(hands)
    dealt: dict[SeatName, list[Any]] = {one: [], other: []}
    changed: list[Action] = []
    for action in log.actions:
        match action:
            case Deal(player) if player in dealt:
                dealt[player].append(hands.pop())
                changed.append(Deal(player, dealt[player][-1]))
            case Keep(seat) if seat in dealt:
                kinds = sorted(rng.sample(sorted(set(dealt[seat])), 3))
                changed.append(Keep(seat, tuple(kinds)))
            case _:
                changed.append(action)
    return changed


@pytest.mark.parametrize("seed", range(3))
def test_nobody_knows_what_the_others_were_dealt_and_keep(seed: int) -> None:
    """VM-1: whatever two others hold, a third sees the same until all is unveiled."""
    rng = random.Random(seed)
    count = next(i for i in range(99) if played(seed, i).state.phase is Phase.UNVEIL)
    for length in (12, 17, *range(23, count + 1)):
        here = played(seed, length)
        for viewer, others in ((RED, (GREEN, BLUE)), (GREEN, (RED, BLUE)), (BLUE, (RED, GREEN))):
            there = Log.begin(GAME, exchanged(here, *others, rng))
            assert known(here, viewer) == known(there, viewer)
            assert known(here, None) == known(there, None)


@pytest.mark.parametrize("seed", range(2))
def test_nobody_knows_the_stack_nor_what_is_drawn_before_it_is_turned(seed: int) -> None:
    """VM-3: another portal may have been drawn; then it lies open and all know."""
    log = played(seed, 3 * 6)
    for portal in (action.portal for action in GAME.legal(log.state, TABLE)[::6]):  # type: ignore[attr-defined]
        drawn = log.play(Draw(portal))
        first = log.play(GAME.legal(log.state, TABLE)[0])
        for viewer in VIEWERS:
            assert known(drawn, viewer) == known(first, viewer)
            assert seen_by(drawn, viewer)[-1] == Draw()
    while log.state.phase is Phase.DRAW:
        log = log.play(GAME.legal(log.state, TABLE)[0])
    turned = log.play(GAME.legal(log.state, TABLE)[0])
    assert seen_by(turned, None)[18:] == turned.actions[18:]
    assert GAME.view(turned.state, None).display == turned.state.display


def test_the_owner_sees_its_hand_and_what_it_kept_and_nobody_else() -> None:
    log = played(1, 24)
    assert log.state.phase is Phase.KEEP
    hand = log.state.players[RED].hand
    assert len(GAME.view(log.state, RED).hand) == 6
    assert GAME.view(log.state, None).hand == ()
    keep = GAME.legal(log.state, RED)[0]
    log = log.play(keep)
    assert GAME.view(log.state, RED).kept == keep.portals  # type: ignore[attr-defined]
    assert GAME.view(log.state, RED).zones[0].building == ()
    assert seen_by(log, RED)[-1] == keep
    assert seen_by(log, GREEN)[-1] == seen_by(log, None)[-1] == Keep(RED)
    for seat in (GREEN, BLUE):
        log = log.play(GAME.legal(log.state, seat)[0])
    log = log.play(read(GAME, log.state, "unveil"))
    assert keep in seen_by(log, None)
    assert [len(zone.building) for zone in GAME.view(log.state, None).zones] == [3, 3, 3]
    assert GAME.view(log.state, RED).hand == ()
    assert all(a.portal is None for a in seen_by(log, RED) if isinstance(a, Deal))
    assert set(hand) >= {b.portal for b in GAME.view(log.state, None).zones[0].building}
