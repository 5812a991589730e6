"""Whatever is played, what must always hold does hold, and every game ends with the right sum."""

from copy import deepcopy
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core import SeatName
from companion.core.game import TABLE, Action, Event
from companion.games.blackmore import rules
from companion.games.blackmore.rules import DECK, HAND, Blackmore, Deal, Play, Turn, WheelControlled
from companion.i18n.translate import LANGUAGES, say
from companion.system.errors import Illegal
from tests.games.blackmore.tables import (
    GREEN,
    RED,
    card,
    game,
    random_action,
    random_game,
    random_settings,
)

SEEDS = st.integers(0, 2**32 - 1)
EXAMPLES = settings().max_examples  # far more with --full
LONGEST = 6 * HAND + 1 + 54 + 3 * 54  # every card is dealt, played, and followed by a change

CARDS = st.builds(rules.Card, st.sampled_from(rules.Suit), st.integers(0, 10))
CHAIRS = st.sampled_from(SeatName)
ANY_ACTION: st.SearchStrategy[Action] = st.one_of(
    st.builds(Deal, CHAIRS, st.none() | CARDS),
    st.builds(Turn, CARDS),
    st.builds(Play, CHAIRS, CARDS),
    st.builds(rules.Change, CHAIRS, CARDS),
    st.builds(rules.Keep, CHAIRS),
)


def check_state(table: Blackmore, state: rules.State) -> None:
    """Every card is in one place; numbers of cards are right; only fitting people act."""
    seen = [
        *(one for hand in state.hands for one in hand),
        *(one for won in state.won for one in won),
        *(throw.card for throw in state.trick),
        *state.trumps,
    ]
    unseen = [one for one, hidden in zip(DECK, state.unseen, strict=True) if hidden]
    assert sorted([*seen, *unseen]) == list(DECK)
    assert rules.points(seen) + rules.points(unseen) == 270
    assert len(unseen) == state.pile + sum(state.blind)
    assert any(state.blind) <= table.settings.by_hand
    held = table.view(state, None).held
    assert all(0 <= count <= HAND for count in held)
    assert all(hand == tuple(sorted(hand)) for hand in state.hands)
    if state.phase is rules.Phase.PLAY and not state.trick:
        assert not state.pile or {*held} == {HAND}
        assert max(held) - min(held) <= 1
    if state.trumps:
        assert (state.trump, state.wheel) == state.trumps[-1]
    seats = table.turns(state)
    assert (table.outcome(state) is None) == bool(seats)
    for seat in (*table.seats, TABLE):
        legal = table.legal(state, seat)
        assert bool(legal) == (seat in seats)
        assert len({*legal}) == len(legal)
        assert all(action.seat == seat for action in legal)
    assert len(table.odds(state)) == len(table.legal(state, TABLE))
    if table.outcome(state):
        assert sum(held) == 0 == len(unseen)
        outcome = table.outcome(state)
        assert outcome
        assert sum(score for _, score in outcome.scores) == 270 - rules.points(state.trumps)
        assert outcome.winners


@settings(max_examples=EXAMPLES // 4)
@given(SEEDS)
def test_wb_8_every_game_ends_and_its_points_are_270(seed: int) -> None:
    """With those that are left on the trump pile."""
    rng = Random(seed)
    table = Blackmore(random_settings(rng))
    state, actions, told = table.start(), 0, list[Event]()
    while table.turns(state):
        check_state(table, state)
        before = deepcopy(state)
        action = random_action(rng, table, state)
        told += table.explain(state, action)
        state = table.apply(state, action)
        assert before != state
        actions += 1
        assert actions <= LONGEST
    check_state(table, state)
    outcome = table.outcome(state)
    assert outcome
    most = max(score for _, score in outcome.scores)
    assert [one for one in told if isinstance(one, WheelControlled)] == [
        WheelControlled(tuple(map(SeatName, outcome.winners)), most)
    ]
    assert told[-1] == WheelControlled(tuple(map(SeatName, outcome.winners)), most)


@settings(max_examples=EXAMPLES // 2)
@given(SEEDS, st.integers(0, 115), st.lists(ANY_ACTION, min_size=5, max_size=20))
def test_apply_allows_just_what_legal_lists(seed: int, count: int, attempts: list[Action]) -> None:
    rng = Random(seed)
    table = Blackmore(random_settings(rng))
    state = [state for state, _ in random_game(rng, table)][: count + 1][-1]
    legal = [one for seat in table.turns(state) for one in table.legal(state, seat)]
    for action in attempts:
        if action in legal:
            table.apply(state, action)
            continue
        with pytest.raises(Illegal) as refused:
            table.apply(state, action)
        assert all("{" not in say(refused.value, language) for language in LANGUAGES)
    for action in legal:
        assert table.apply(state, action) != state


def test_people_may_deal_by_hand_so_that_nobody_tells_the_companion_their_cards() -> None:
    """The companion as the scorekeeper of a game with cards on the table."""
    table = game(2, by_hand=True)
    state = table.start()
    while state.phase is rules.Phase.DEAL:
        assert list(table.legal(state, TABLE)) == [Deal(state.queue[0])]
        assert table.odds(state) == (1,)
        state = table.apply(state, table.legal(state, TABLE)[0])
    assert len(table.legal(state, TABLE)) == len(table.odds(state)) == 54
    state = table.apply(state, Turn(card("red:4")))
    assert len(table.legal(state, RED)) == 53
    state = table.apply(state, Play(RED, card("red:9")))
    assert Play(GREEN, card("red:9")) not in table.legal(state, GREEN)
    assert table.view(state, None).held == (5, 6)
    with pytest.raises(Illegal):
        table.apply(table.start(), Deal(RED, card("red:9")))
    with pytest.raises(Illegal):
        game(2).apply(game(2).start(), Deal(RED))


def test_the_companion_deals_and_only_who_holds_a_card_knows_its_choices() -> None:
    dealt, by_hand = game(2), game(2, by_hand=True)
    assert (dealt.unasked, dealt.from_hand) == ((Deal, Turn), (Play,))
    # With cards of paper somebody tells which card was turned up, and no hand is known.
    assert (by_hand.unasked, by_hand.from_hand) == ((Deal,), ())
