"""Hands and the pile are hidden: whatever a viewer cannot know changes nothing that it gets."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import TABLE, choices
from companion.core.log import Log
from companion.core.notation import read
from companion.games.blackmore.rules import DECK, Blackmore, Card, Deal, Phase, Play, State
from companion.system.errors import Ambiguous, Illegal, RulesError
from tests.games.blackmore import tables
from tests.games.blackmore.tables import GREEN, RED, VIEWERS, card, cards, deal, do, game
from tests.referee.twins import seen_by

SEEDS = st.integers(0, 2**32 - 1)
EXAMPLES = settings().max_examples  # far more with --full
LINES = ("play", "play red", "play green", "keep", "change", "nonsense", "turn", "deal", "deal red")


def known(log: Log[State], viewer: int | None) -> list[object]:
    """Return everything that a viewer gets to see of a game."""
    table, state = log.game, log.state
    return [
        table.view(state, viewer),
        choices(table, state, viewer) if viewer != TABLE else (),  # whose hand draws the cards
        seen_by(log, viewer),
        table.turns(state),
        table.odds(state),
        [table.explain(*step) for step in zip(log.states, log.actions, strict=False)],
        [answer(log, line, viewer) for line in LINES],
    ]


def answer(log: Log[State], line: str, viewer: int | None) -> object:
    """Return what a viewer is told who says this."""
    try:
        return read(log.game, log.state, line, viewer)
    except RulesError as refused:
        return str(refused), refused.values


def otherwise(rng: Random, log: Log[State], viewer: int | None) -> Log[State]:
    """Return the same game with all cards that the viewer has not seen shuffled again.

    They are those in the pile, and those that others have drawn from it and not played yet.
    """
    hidden = [one for one, there in zip(DECK, log.state.unseen, strict=True) if there]
    played = {one.card for one in log.actions if isinstance(one, Play)}
    hidden += [
        one.card
        for one in log.actions
        if isinstance(one, Deal) and one.card and one.card not in played and one.player != viewer
    ]
    mixed: dict[Card | None, Card] = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    return Log.begin(
        log.game,
        [
            replace(one, card=mixed[one.card])
            if isinstance(one, Deal) and one.card in mixed
            else one
            for one in log.actions
        ],
    )


@settings(max_examples=EXAMPLES // 4)
@given(SEEDS, st.integers(1, 130) | st.just(None))
def test_what_a_viewer_gets_is_the_same_whatever_is_hidden(seed: int, length: int | None) -> None:
    """Whether it is some moment of a game, or the one at which a card is turned up."""
    rng = Random(seed)
    table = Blackmore(tables.random_settings(rng))
    log = Log.begin(table)
    while table.turns(log.state):
        if len(log.actions) == length or (length is None and log.state.phase is Phase.TURN):
            break
        log = log.play(tables.random_action(rng, table, log.state))
    for viewer in (*table.seats, None, -1):
        twin = otherwise(rng, log, viewer)
        assert known(twin, viewer) == known(log, viewer)


def test_only_the_player_knows_what_it_has_drawn() -> None:
    log = Log.begin(game(2), [Deal(RED, card("red:5")), Deal(GREEN, card("red:6"))])
    assert seen_by(log, RED) == (Deal(RED, card("red:5")), Deal(GREEN))
    assert seen_by(log, GREEN) == (Deal(RED), Deal(GREEN, card("red:6")))
    assert seen_by(log, None) == seen_by(log, -1) == (Deal(RED), Deal(GREEN))


def test_everybody_sees_the_own_hand_and_nobody_anothers() -> None:
    table = game(2)
    state = deal(table, "blue:4", "white:1", "white:2")
    assert card("white:1") in table.view(state, RED).hand
    assert card("white:2") in table.view(state, GREEN).hand
    for viewer in VIEWERS:
        view = table.view(state, viewer)
        assert len(view.hand) == (6 if viewer in {RED, GREEN} else 0)
        assert bool(view.choices) == (viewer == RED)
        assert (view.held, view.pile, view.trumps) == ((6, 6), 41, 1)
        assert view.top == card("blue:4")


def test_no_refusal_lists_a_hand_to_others() -> None:
    table = game(2)
    state = deal(table, "blue:4", "white:1", "white:2")
    with pytest.raises(Ambiguous, match="play red white:1"):
        read(table, state, "play red", RED)
    with pytest.raises(Illegal) as refused:
        read(table, state, "play red", GREEN)
    assert "white:1" not in str(refused.value)
    with pytest.raises(Illegal) as refused:
        do(table, state, "play red white:2")
    assert str(refused.value) == "Red cannot play white:2; play a card from its hand."


def test_a_trick_lies_open() -> None:
    table = game(2)
    state = do(table, deal(table, "blue:4", "white:1"), "play red white:1")
    for viewer in VIEWERS:
        assert [throw.card for throw in table.view(state, viewer).trick] == [*cards("white:1")]
        assert str(table.view(state, viewer).trick[0]) == "red:white:1"
