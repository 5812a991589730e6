"""Actions that the rules refuse, each with the sentence that says why and what is right."""

import pytest

from companion.core.game import Action
from companion.games.zapp_zerapp.rules import Flip, Move, Pawn, Place, Roll, Say
from companion.system.errors import Illegal
from tests.games.zapp_zerapp.tables import (
    BLUE,
    GREEN,
    RED,
    YELLOW,
    Moment,
    flipping,
    moving,
    naming,
    over,
    placing,
    profi,
    rolling,
    saying,
)


@pytest.mark.parametrize(
    ("moment", "action", "sentence"),
    [
        (rolling, Roll(13), "Two dice cannot give 13; roll a sum of 2 to 12."),
        (
            rolling,
            Flip(),
            (
                "'flip' is not possible now: first the dice have to be rolled, with 'roll 2' to "
                "'roll 12'."
            ),
        ),
        (placing, Roll(7), "'roll' is not possible now: first red and green must place a barrel."),
        (
            flipping,
            Place(RED, 1),
            "'place' is not possible now: first all barrels have to be flipped, with 'flip'.",
        ),
        (
            saying,
            Move(RED, 0),
            "'move' is not possible now: first the numbers of red and blue have to be read aloud.",
        ),
        (moving, Say(RED, 3), "'say' is not possible now: it is red's turn to move a pawn by 6."),
        (over, Roll(7), "'roll' is no longer possible: the game is over; begin a new one."),
        (over, Move(GREEN, 0), "'move' is no longer possible: the game is over; begin a new one."),
        (rolling, Action(), "'action' is not an action of this game."),
        (placing, Place(YELLOW, 1), "Yellow does not play; red, green and blue do."),
        (
            placing,
            Place(BLUE, 4),
            "Blue has already placed a barrel; now red and green must place one.",
        ),
        (placing, Place(RED, 14), "There is no barrel 14; they are numbered 1 to 13."),
        (placing, Place(RED, 0), "There is no barrel 0; they are numbered 1 to 13."),
        (
            placing,
            Place(RED, 3),
            "Barrel 3 belongs to another player in this round; take one from the plateau.",
        ),
        (
            saying,
            Say(GREEN, 6),
            "Green's number is not missing; still to be read aloud: red, blue.",
        ),
        (saying, Say(RED, 0), "There is no barrel 0; they are numbered 1 to 13."),
        (saying, Say(RED, 14), "There is no barrel 14; they are numbered 1 to 13."),
        (saying, Say(RED, 5), "Another barrel already shows 5; read red's number again."),
        (moving, Move(GREEN, 0), "It is not green's turn; red moves a pawn by 6."),
        (moving, Move(RED, 25), "Red:city is home; move one of red:4."),
        (moving, Move(RED, 0), "No pawn stands on red:start; move one of red:4."),
        (profi, Move(RED, 7), "No pawn stands on red:7; move one of red:3, red:4."),
        (
            moving,
            Move(RED, 4, (Pawn(GREEN, 22),)),
            "This move takes nobody along; leave 'take' out.",
        ),
        (
            profi,
            Move(RED, 3, (Pawn(RED, 4), Pawn(GREEN, 21))),
            (
                "This move cannot take along red:4, green:21; it may take some of red:4, green:22, "
                "or none."
            ),
        ),
        (
            profi,
            Move(RED, 3, (Pawn(RED, 4), Pawn(RED, 4))),
            (
                "This move cannot take along red:4, red:4; it may take some of red:4, green:22, or "
                "none."
            ),
        ),
        (
            profi,
            Move(RED, 3, (Pawn(GREEN, 22), Pawn(RED, 4))),
            "Name pawns by colour and step, in ascending order; write red:4, green:22.",
        ),
        (
            moving,
            Move(RED, 4, banish=(Pawn(GREEN, 23),)),
            (
                "Nobody is named for banishing at this table, because every banishment happens; "
                "leave 'banish' out."
            ),
        ),
        (
            moving,
            Move(RED, 4, banish=()),
            (
                "Nobody is named for banishing at this table, because every banishment happens; "
                "leave 'banish' out."
            ),
        ),
        (
            naming,
            Move(RED, 3),
            (
                "At this table the mover names whom it banishes; add 'banish none' or some of "
                "green:22, green:23, blue:17."
            ),
        ),
        (
            naming,
            Move(RED, 9),
            (
                "At this table the mover names whom it banishes; this move banishes nobody, so "
                "add 'banish none'."
            ),
        ),
        (
            naming,
            Move(RED, 9, banish=(Pawn(GREEN, 23),)),
            "This move banishes nobody; write 'banish none'.",
        ),
        (
            naming,
            Move(RED, 3, banish=(Pawn(GREEN, 0),)),
            (
                "This move cannot banish green:start; it may banish some of green:22, green:23, "
                "blue:17, or none."
            ),
        ),
        (
            naming,
            Move(RED, 3, banish=(Pawn(BLUE, 17), Pawn(GREEN, 23))),
            "Name pawns by colour and step, in ascending order; write green:23, blue:17.",
        ),
    ],
)
def test_illegal(moment: Moment, action: Action, sentence: str) -> None:
    table = moment()
    with pytest.raises(Illegal) as refused:
        table.game.apply(table.state, action)
    assert type(refused.value) is Illegal
    assert str(refused.value) == sentence
