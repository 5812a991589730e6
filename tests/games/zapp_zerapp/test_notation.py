"""Texts that people type: what they mean, and the sentences for those that mean nothing now."""

import pytest

from companion.system.errors import Ambiguous, Illegal, Unreadable
from tests.games.zapp_zerapp.tables import Moment, flipping, moving, naming, profi, rolling, saying

# Illegal: clear, but not allowed now.


@pytest.mark.parametrize(
    ("moment", "text", "sentence"),
    [
        (
            flipping,
            "place red",
            "'place' is not possible now: first all barrels have to be flipped, with 'flip'.",
        ),
        (moving, "move red 7", "No pawn stands on red:7; move one of red:4."),
        (profi, "move red 4 take green:22", "This move takes nobody along; leave 'take' out."),
        (flipping, " roll ", "'roll' is not possible now; write one of 'flip'."),
        (rolling, "move red", "'move red' is not possible now; write one of 'roll MAGIC'."),
    ],
)
def test_an_illegal_text_has_its_reason(moment: Moment, text: str, sentence: str) -> None:
    assert moment().refuse(text, Illegal) == sentence


# Ambiguous: it fits several actions.


@pytest.mark.parametrize(
    ("moment", "text", "sentence"),
    [
        (
            profi,
            " move red ",
            (
                "'move red' can mean 5 different actions; write one of 'move red 3', "
                "'move red 3 take "
                "green:22', 'move red 3 take red:4', 'move red 3 take red:4,green:22', "
                "'move red 4'."
            ),
        ),
        (rolling, "Roll", "'Roll' can mean 11 different actions; write one of 'roll MAGIC'."),
        (
            lambda: saying().do("say blue 2"),
            "say red",
            "'say red' can mean 11 different actions; write one of 'say PLAYER NUMBER'.",
        ),
    ],
)
def test_ambiguous(moment: Moment, text: str, sentence: str) -> None:
    assert moment().refuse(text, Ambiguous) == sentence


@pytest.mark.parametrize(
    ("moment", "short", "long"),
    [
        (moving, "move", "move red 4"),
        (moving, "MOVE  Red", "move red 4"),
        (profi, "move red 3", "move red 3 take none"),
        (naming, "move red 9", "move red 9 take none banish none"),
        (naming, "move red 3 banish blue:17", "move red 3 banish blue:17 take none"),
    ],
)
def test_one_may_leave_out_what_is_not_a_choice(moment: Moment, short: str, long: str) -> None:
    assert moment().do(short) == moment().do(long)


# Unreadable: it says nothing in this notation.

VERBS = "roll, place, flip, say, move, sitout, putback, correct"
MOVE = "the pattern is 'move SEAT STEP [take LIST] [banish LIST]'."
PLACE = "the pattern is 'place SEAT [BARREL]'."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", f"'' is not an action; begin with one of {VERBS}."),
        ("jump  red 4", f"'jump red 4' is not an action; begin with one of {VERBS}."),
        ("x" * 70, f"'{'x' * 60}…' is not an action; begin with one of {VERBS}."),
        ("sitout", "'sitout' lacks player; the pattern is 'sitout PLAYER'."),
        ("move red 4 5", f"'5' does not fit at its place in 'move red 4 5'; {MOVE}"),
        ("move red 4 take", f"'take' does not fit at its place in 'move red 4 take'; {MOVE}"),
        (
            "move red 4 take none take none",
            f"'take' does not fit at its place in 'move red 4 take none take none'; {MOVE}",
        ),
        (
            "place red 4 take none",
            f"'take' does not fit at its place in 'place red 4 take none'; {PLACE}",
        ),
        ("flip now", "'now' does not fit at its place in 'flip now'; the pattern is 'flip'."),
        ("move white 4", f"'white' cannot be the seat of 'move'; {MOVE}"),
        ("move red four", f"'four' cannot be the step of 'move'; {MOVE}"),
        ("move red -4", f"'-4' cannot be the step of 'move'; {MOVE}"),
        ("move red 1234567", f"'1234567' cannot be the step of 'move'; {MOVE}"),
        ("place red ²", f"'²' cannot be the barrel of 'place'; {PLACE}"),
        ("place red ٣", f"'٣' cannot be the barrel of 'place'; {PLACE}"),
        ("place red none", f"'none' cannot be the barrel of 'place'; {PLACE}"),
        ("move red 4 take red", f"'red' cannot be the take of 'move'; {MOVE}"),
        ("move red 4 take red:4:5", f"'red:4:5' cannot be the take of 'move'; {MOVE}"),
        ("move red 4 take white:4", f"'white' cannot be the colour of 'move'; {MOVE}"),
        ("move red 4 take red:x", f"'x' cannot be the step of 'move'; {MOVE}"),
        ("move red 4 take red:4,", f"'' cannot be the take of 'move'; {MOVE}"),
        ("roll seven", "'seven' cannot be the magic of 'roll'; the pattern is 'roll MAGIC'."),
        ("say red x", "'x' cannot be the number of 'say'; the pattern is 'say PLAYER NUMBER'."),
    ],
)
def test_unreadable(text: str, sentence: str) -> None:
    assert moving().refuse(text, Unreadable) == sentence
