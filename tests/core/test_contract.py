"""The contract carries what Zapp Zerapp does not need: hands that only their owner sees."""

from dataclasses import dataclass
from enum import IntEnum
from random import Random
from typing import Any, ClassVar, NamedTuple

import pytest

from companion.core.codec import pack, unpack
from companion.core.game import (
    TABLE,
    Action,
    BaseGame,
    Event,
    Outcome,
    Ruling,
    Sealed,
    has_hands,
    seats_by_word,
)
from companion.core.log import Log, load
from companion.core.notation import read, write
from companion.core.players.monte_carlo import random_game
from companion.core.plugin import GAMES
from companion.system.errors import Ambiguous, Illegal, RulesError
from companion.system.text import seat_word
from tests.referee.twins import seen_by


class Guest(IntEnum):
    """Who sits there."""

    ANNA = 0
    OTTO = 1


class Card(NamedTuple):
    """A card."""

    suit: int
    value: int


@dataclass(frozen=True, slots=True)
class Deal(Action):
    """The table gives a card to a guest, who alone sees it."""

    sealed: ClassVar[Sealed | None] = Sealed(("card",), opened_by=None, known_to="guest")
    guest: Guest
    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Play(Action):
    """A guest lays a card open."""

    seat: Guest
    card: Card


@dataclass(frozen=True, slots=True)
class Rules:
    """What the table agrees on."""

    seats: tuple[Guest, ...] = tuple(Guest)
    suits: int = 2


@dataclass(frozen=True, slots=True)
class Redeal(Ruling):
    """The guests want other cards."""


class State(NamedTuple):
    """Hands, the deck, and what lies open."""

    deck: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    laid: tuple[tuple[Guest, Card], ...]


class Beggars(BaseGame[State]):
    """Each guest is dealt two cards and lays both, Anna first; the highest value wins."""

    name = "beggars"
    actions: ClassVar[tuple[type[Action], ...]] = (Deal, Play)
    rulings: ClassVar[tuple[type[Ruling], ...]] = (Redeal,)
    unasked = (Deal,)
    from_hand = (Play,)
    settings_type = Rules

    def start(self) -> State:
        """Return the full deck."""
        deck = tuple(Card(s, v) for s in range(1, self.settings.suits + 1) for v in range(1, 4))
        return State(deck, ((), ()), ())

    def turns(self, state: State) -> tuple[int, ...]:
        """Return who acts."""
        if len(state.laid) == 4:
            return ()
        return (len(state.laid) // 2,) if self.dealt(state) else (TABLE,)

    def dealt(self, state: State) -> bool:
        """Tell whether all have their cards."""
        return bool(state.laid) or [len(hand) for hand in state.hands] == [2, 2]

    def legal(self, state: State, seat: int) -> tuple[Action, ...]:
        """Return the cards that can be dealt, or laid."""
        if seat not in self.turns(state):
            return ()
        if seat == TABLE:
            guest = Guest(len(state.hands[0]) // 2)
            return tuple(Deal(guest, card) for card in state.deck)
        return tuple(Play(Guest(seat), card) for card in state.hands[seat])

    def apply(self, state: State, action: Action) -> State:
        """Deal, or lay."""
        if action not in self.legal(state, action.seat):
            raise Illegal("That card is not at hand.")
        hands = list(state.hands)
        if isinstance(action, Deal) and action.card is not None:
            hands[action.guest] = (*hands[action.guest], action.card)
            deck = tuple(card for card in state.deck if card != action.card)
            return State(deck, tuple(hands), state.laid)
        assert isinstance(action, Play)
        hands[action.seat] = tuple(card for card in hands[action.seat] if card != action.card)
        return State(state.deck, tuple(hands), (*state.laid, (action.seat, action.card)))

    def rule(self, state: State, ruling: Ruling) -> State:
        """Take all cards back."""
        if not isinstance(ruling, Redeal) or state.laid:
            raise Illegal("A card was laid already.")
        return self.start()

    def explain(self, *_: Any, **__: Any) -> tuple[Event, ...]:
        """Tell nothing."""
        return ()

    def view(self, state: State, viewer: int | None) -> tuple[object, ...]:
        """Return what lies open, and the own hand."""
        return state.laid, state.hands[viewer] if viewer in self.seats else ()

    def outcome(self, state: State) -> Outcome | None:
        """Return who laid the highest."""
        if len(state.laid) < 4:
            return None
        best = tuple((g, max(c.value for h, c in state.laid if h == g)) for g in Guest)
        most = max(score for _, score in best)
        return Outcome(tuple(g for g, score in best if score == most), best)


DEALT = (
    Deal(Guest.ANNA, Card(1, 1)),
    Deal(Guest.ANNA, Card(1, 3)),
    Deal(Guest.OTTO, Card(2, 1)),
    Deal(Guest.OTTO, Card(2, 2)),
)


def test_only_the_guest_sees_the_cards_that_it_was_dealt() -> None:
    log = Log.begin(Beggars(), DEALT)
    blank = [Deal(Guest.ANNA), Deal(Guest.ANNA), Deal(Guest.OTTO), Deal(Guest.OTTO)]
    assert seen_by(log, Guest.ANNA) == (*DEALT[:2], *blank[2:])
    assert seen_by(log, Guest.OTTO) == (*blank[:2], *DEALT[2:])
    assert seen_by(log, None) == seen_by(log, TABLE) == tuple(blank)


def test_an_error_lists_the_own_hand_only() -> None:
    log = Log.begin(Beggars(), DEALT)
    with pytest.raises(Ambiguous, match="write one of 'play anna 1:1', 'play anna 1:3'"):
        read(log.game, log.state, "play anna", Guest.ANNA)
    for viewer in (Guest.OTTO, None):
        with pytest.raises(Illegal) as refused:
            read(log.game, log.state, "play", viewer)
        assert "1:" not in str(refused.value)


def test_an_error_names_no_card_that_lies_in_the_deck_not_even_to_whom_it_would_be_dealt() -> None:
    game = Beggars()
    for viewer in (Guest.ANNA, None):
        with pytest.raises(Illegal, match=r"write one of 'deal anna'[.]$"):
            read(game, game.start(), "play", viewer)


def test_what_may_be_turned_up_is_listed_as_a_pattern_for_gaps_would_betray_hands() -> None:
    game, chance = GAMES["blackmore"](), Random(3)
    log = Log.begin(game)
    while type(game.legal(log.state, TABLE)[0]).__name__ == "Deal":
        log = log.play(chance.choice(game.legal(log.state, TABLE)))
    for viewer in (None, TABLE):
        for text in ("turn", "play"):
            with pytest.raises(RulesError) as refused:
                read(game, log.state, text, viewer)
            assert "write one of 'turn CARD'." in str(refused.value)


def test_where_nobody_may_say_anything_no_empty_list_is_told() -> None:
    log = Log.begin(Beggars(), DEALT)
    with pytest.raises(Illegal) as refused:
        read(log.game, log.state, "deal", TABLE)
    assert str(refused.value) == "'deal' is not possible now."


def test_seats_have_the_same_words_in_every_game() -> None:
    for kind in GAMES.values():
        assert all(seat_word(seat) == word for word, seat in seats_by_word(kind).items())
        assert {*kind().seats} <= {*seats_by_word(kind).values()}


def test_states_with_hands_come_back_from_json() -> None:
    log = Log.begin(Beggars(), DEALT)
    assert unpack(State, pack(log.state), "state") == log.state


def test_the_log_replays_undoes_and_loads_without_a_word_about_cards() -> None:
    log = Log.begin(Beggars(), DEALT).play(Play(Guest.ANNA, Card(1, 3)))
    again, fault = load(log.dump(), {"beggars": Beggars})
    assert (again, fault) == (log, None)
    assert log.undo() == Log.begin(Beggars(), DEALT)


def test_a_ruling_is_played_written_and_replayed_but_never_listed() -> None:
    log = Log.begin(Beggars(), DEALT)
    again = log.play(read(log.game, log.state, "redeal"))
    assert again.state == Beggars().start()
    assert load(again.dump(), {"beggars": Beggars}) == (again, None)
    assert not any(isinstance(one, Redeal) for one in log.game.legal(log.state, Guest.ANNA))
    with pytest.raises(Illegal, match="laid already"):
        read(log.game, log.play(Play(Guest.ANNA, Card(1, 3))).state, "redeal")


@pytest.mark.parametrize("name", GAMES)
def test_what_happened_is_told_alike_by_whoever_knows_where_it_leads(name: str) -> None:
    game, chance = GAMES[name](), Random(3)
    state = game.start()
    for _ in range(300):
        seats = game.turns(state)
        if not seats:
            break
        action = chance.choice(game.legal(state, seats[0]))
        then = game.apply(state, action)
        assert game.explain(state, action, then) == game.explain(state, action)
        state = then


@pytest.mark.parametrize("name", GAMES)
def test_a_script_plays_at_random_and_prints_what_happens(name: str) -> None:
    log = random_game(GAMES[name](), Random(2))
    assert log.game.outcome(log.state) is not None
    *_, last = log.steps()
    assert last == (log.states[-2], log.actions[-1], log.state)
    before, action, _ = next(log.steps())
    assert str(action) == write(action)
    assert read(log.game, before, str(action), TABLE) == action
    sentences = [str(event) for step in log.steps() for event in log.game.explain(*step)]
    assert all(not text[0].islower() and "{" not in text for text in sentences)


def test_an_action_of_wrong_parts_can_still_be_printed() -> None:
    wrong: Any = "anna"
    assert str(Play(wrong, Card(1, 2))) == "Play(seat='anna', card=Card(suit=1, value=2))"


def test_there_are_hands_where_something_is_sealed_for_one_seat_and_people_do_not_deal() -> None:
    assert has_hands(Beggars, Rules())
    blackmore, via_magica = GAMES["blackmore"], GAMES["via-magica"]
    for game in (blackmore, via_magica):
        assert has_hands(game, game.settings_type())
        assert not has_hands(game, game.settings_type(by_hand=True))
    assert not has_hands(GAMES["zapp-zerapp"], None)  # nobody knows what stands on a pad
