"""Whatever is not allowed is refused with a sentence that says why and what would be right."""

import pytest

from companion.core.game import Action
from companion.games.blackmore.rules import Card, Change, Deal, Keep, Phase, Play, State, Suit, Turn
from companion.games.zapp_zerapp.rules import Roll
from companion.i18n.translate import say
from companion.system.errors import Illegal
from tests.games.blackmore.tables import BLUE, GREEN, RED, card, deal, do, game

TABLE = game(3)
START = TABLE.start()
TURNING = START._replace(phase=Phase.TURN, queue=())
PLAYING = deal(TABLE, "blue:4", "red:1", "red:2", "red:3")
CHANGING = do(TABLE, PLAYING, "play red red:1", "play green red:2", "play blue red:3")
OVER = START._replace(phase=Phase.OVER, queue=())


@pytest.mark.parametrize(
    ("state", "action", "sentence"),
    [
        (
            START,
            Play(RED, card("red:1")),
            "'play' is not possible now: first red has to get a card, for example with 'deal red'.",
        ),
        (START, Deal(GREEN, card("red:1")), "Green does not get a card now; red does."),
        (START, Deal(RED, Card(Suit.RED, 10)), "Card(suit=<Suit.RED: 0>, value=10) is not in the"),
        (START, Deal(RED), "Name the card that red gets."),
        (START, Roll(7), "'roll 7' is not an action of this game."),
        (PLAYING, Turn(card("red:1")), "'turn' is not possible now: first red has to play a card"),
        (PLAYING, Play(GREEN, card("red:2")), "It is not green's turn; it is red's."),
        (PLAYING, Keep(BLUE), "It is not blue's turn; it is red's."),
        (
            PLAYING,
            Keep(RED),
            "'keep' is not possible now: first red has to play a card, for example with",
        ),
        (PLAYING, Play(RED, card("red:2")), "Red cannot play red:2; play a card from its hand."),
        (
            TURNING,
            Deal(RED),
            "'deal' is not possible now: first the top card of the pile has to be turned",
        ),
        (TURNING._replace(unseen=(False,) * 54), Turn(card("red:2")), "Red:2 is not in the pile."),
        (CHANGING, Keep(RED), "It is not red's turn; it is blue's."),
        (
            CHANGING,
            Change(BLUE, card("red:4")),
            "Red:4 was not won in this trick; lay one of red:1, red:2, red:3, or write 'keep'.",
        ),
        (
            CHANGING,
            Play(BLUE, card("white:9")),
            (
                "'play' is not possible now: first blue has to change the trump or keep it, with "
                "'change' or 'keep'."
            ),
        ),
        (OVER, Keep(RED), "'keep' is no longer possible: the game is over; begin a new one."),
    ],
)
def test_the_refusal_says_why(state: State, action: Action, sentence: str) -> None:
    with pytest.raises(Illegal) as refused:
        TABLE.apply(state, action)
    assert str(refused.value).startswith(sentence)
    assert say(refused.value, "de") != str(refused.value)
    assert "{" not in say(refused.value, "de")


def test_people_read_names_of_seats() -> None:
    with pytest.raises(Illegal) as refused:
        TABLE.apply(PLAYING, Keep(BLUE))
    assert say(refused.value) == "It is not Blue's turn; it is Red's."
    assert say(refused.value, "de") == ("Blau ist nicht an der Reihe; an der Reihe ist Rot.")
