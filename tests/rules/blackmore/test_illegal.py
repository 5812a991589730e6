"""Whatever is not allowed is refused with a sentence that says why and what would be right."""

from __future__ import annotations

import pytest

from companion.rules.blackmore import Card, Change, Deal, Keep, Phase, Play, State, Suit, Turn
from companion.rules.game import Action, Illegal
from companion.rules.zapp_zerapp import Roll
from companion.say import say
from tests.rules.blackmore.tables import A, B, C, card, deal, do, game

TABLE = game(3)
START = TABLE.start()
TURNING = START._replace(phase=Phase.TURN, queue=())
PLAYING = deal(TABLE, "blue:4", "red:1", "red:2", "red:3")
CHANGING = do(TABLE, PLAYING, "play a red:1", "play b red:2", "play c red:3")
OVER = START._replace(phase=Phase.OVER, queue=())


@pytest.mark.parametrize(
    ("state", "action", "sentence"),
    [
        (
            START,
            Play(A, card("red:1")),
            "'play' is not possible now: first a gets a card, such as 'deal a'.",
        ),
        (START, Deal(B, card("red:1")), "B does not get a card now; a does."),
        (START, Deal(A, Card(Suit.RED, 10)), "Card(suit=<Suit.RED: 0>, value=10) is not in the"),
        (START, Deal(A), "Name the card that a gets."),
        (START, Roll(7), "'Roll(seat=-1, magic=7)' is not an action of this game."),
        (PLAYING, Turn(card("red:1")), "'turn' is not possible now: first a plays a card"),
        (PLAYING, Play(B, card("red:2")), "It is not the turn of b; it is the turn of a."),
        (PLAYING, Keep(C), "It is not the turn of c; it is the turn of a."),
        (PLAYING, Keep(A), "'keep' is not possible now: first a plays a card, such as 'play a re"),
        (PLAYING, Play(A, card("red:2")), "A cannot play red:2; play a card from the own hand."),
        (TURNING, Deal(A), "'deal' is not possible now: first the top card of the pile is turned"),
        (TURNING._replace(unseen=(False,) * 54), Turn(card("red:2")), "Red:2 is not in the pile."),
        (CHANGING, Keep(A), "It is not the turn of a; it is the turn of c."),
        (
            CHANGING,
            Change(C, card("red:4")),
            "Red:4 was not won in this trick; lay one of red:1, red:2, red:3, or write 'keep'.",
        ),
        (
            CHANGING,
            Play(C, card("white:9")),
            "'play' is not possible now: first c may change the trump, 'change' or 'keep'.",
        ),
        (OVER, Keep(A), "'keep' is not possible any more: the game is over; begin a new one."),
    ],
)
def test_the_refusal_says_why(state: State, action: Action, sentence: str) -> None:
    with pytest.raises(Illegal) as refused:
        TABLE.apply(state, action)
    assert str(refused.value).startswith(sentence)
    assert say(refused.value, "de") != str(refused.value)
    assert "{" not in say(refused.value, "de")


def test_people_read_names_of_players() -> None:
    with pytest.raises(Illegal) as refused:
        TABLE.apply(PLAYING, Keep(C))
    assert say(refused.value) == "It is not the turn of Player C; it is the turn of Player A."
    assert say(refused.value, "de") == (
        "Spieler C ist nicht an der Reihe; an der Reihe ist Spieler A."
    )
