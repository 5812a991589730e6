"""What is refused, and the sentence that says why and what would be right."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Ruling
from companion.games.trap_the_wizard import rules as trap_the_wizard
from companion.games.trap_the_wizard.rules import Leave, Move, Robe, Roll, Settings
from companion.system.errors import Ambiguous, Illegal, RulesError, Unreadable
from tests.games.templates import plain, sentences
from tests.games.trap_the_wizard.tables import (
    BLUE,
    GREEN,
    HOME,
    JOKER,
    RED,
    Table,
    opening,
    position,
)

RULES = Path(trap_the_wizard.__file__).parent
ROLLING = opening(RED, BLUE)
CAMPS: dict[Robe, Any] = {RED: ((6, (BLUE,)), 32, (40, (JOKER,))), BLUE: (34, 34)}
MOVING = position(CAMPS, 2)
REST = position({RED: ((6, (BLUE,)), 32), BLUE: (9, 34)}, 4).do("move red 6 start")
AGAIN = opening(RED, BLUE, six_passes=True).do("roll 6", "move red start 10")
SHARED: dict[Robe, Any] = {RED: ((32, (JOKER,)), 6), BLUE: (34, 8)}
SHARING = position(SHARED, 2, joker_spares=True)
OVER = position({RED: (30,), BLUE: (32,)}, 2, round_=5).do("move red 30 32")

SPARE = (
    "'spare' names one opponent, alone on a special field, that the joker's holder could capture "
    "there, and only where that was agreed; leave it out."
)
NOT_SPARED = (
    (position(SHARED, 2), "32 34 load joker spare blue"),
    (SHARING, "32 34 load joker spare red"),
    (SHARING, "32 30 load joker spare blue"),
    (SHARING, "6 8 spare blue"),
)
REFUSED = [
    (ROLLING, "roll 7", "One die cannot give 7; roll 1 to 6."),
    (
        ROLLING,
        "leave red",
        (
            "'leave' is not possible now: first the die has to be rolled for red, with 'roll 1' "
            "to 'roll 6'."
        ),
    ),
    (MOVING, "roll 3", "'roll' is not possible now: red has to move a wizard by 2."),
    (MOVING, "leave red", "'leave' is not possible now: red has to move a wizard by 2."),
    (MOVING, "move blue 34 36", "It is not blue's turn; red moves a wizard by 2."),
    (MOVING, "move green 34 36", "Green does not play; red and blue do."),
    (MOVING, "move joker 76 57", "Joker does not play; red and blue do."),
    (
        MOVING,
        "move red 33 35",
        "Red has no wizard '33'; its wizards: 6 load blue, 32, 40 load joker.",
    ),
    (MOVING, "move red 32 34", "Two wizards stand on field 34; there is no room."),
    (MOVING, "move red 32 35", "The wizard '32' cannot end there; with 2 it can reach 30, 34, 64."),
    (
        MOVING,
        "move red 6 9 load blue",
        "The wizard '6 load blue' cannot end there; with 2 it can reach start, 4, 8, 52.",
    ),
    (
        MOVING,
        "move red 32 start",
        "A wizard comes home only with a captured opponent, and this one has none.",
    ),
    (
        REST,
        "move red start 6",
        "The points left over are not for the wizard that came home; move another one.",
    ),
    (
        REST,
        "roll 1",
        (
            "'roll' is not possible now: red has to move another wizard by the 2 left over, or "
            "give them up with 'leave'."
        ),
    ),
    (
        AGAIN,
        "roll 1",
        (
            "'roll' is not possible now: red has rolled a six and may roll again with 'again', "
            "or not, with 'pass'."
        ),
    ),
    (AGAIN, "pass blue", "It is not blue's turn; red may roll again."),
    (AGAIN, "again green", "Green does not play; red and blue do."),
    *((table, f"move red {text}", SPARE) for table, text in NOT_SPARED),
    (OVER, "roll 1", "'roll' is no longer possible: the game is over; begin a new one."),
]


@pytest.mark.parametrize(("table", "text", "sentence"), REFUSED, ids=[r[2][:50] for r in REFUSED])
def test_it_is_said_why(table: Table, text: str, sentence: str) -> None:
    assert table.refuse(text, Illegal) == sentence


def test_what_can_be_left_out_may_be_left_out() -> None:
    assert MOVING.do("move red 6 8").camp(RED) == ((8, (BLUE,)), 32, (40, (JOKER,)))
    assert REST.do("leave").turn == ("roll", BLUE)
    many = MOVING.refuse("move red 6", Ambiguous)
    assert many.startswith("'move red 6' can mean 4 different actions; write one of 'move red 6 st")
    assert "the pattern is 'move SEAT START END [load LIST] [spare LIST]'" in MOVING.refuse(
        "move red x", Unreadable
    )


def test_of_two_wizards_on_a_field_the_load_tells_which_moves() -> None:
    table = position({RED: (30, (30, (BLUE,)), HOME), BLUE: (9, 34)}, 2)
    assert table.do("move red 30 28").camp(RED) == (HOME, 28, (30, (BLUE,)))
    assert table.do("move red 30 28 load blue").camp(RED) == (HOME, (28, (BLUE,)), 30)


def test_no_stranger_s_action_and_no_ruling_is_known() -> None:
    class Redo(Ruling):
        """People want to do it again."""

    game, state = ROLLING.game, ROLLING.state
    assert game.rulings == ()
    with pytest.raises(Illegal, match="is not an action of this game"):
        game.rule(state, Redo())
    with pytest.raises(Illegal, match="is not an action of this game"):
        game.apply(state, Redo())
    for action in (Roll(0), Leave(RED), Move(RED, HOME, 10)):
        with pytest.raises(Illegal):
            game.apply(state, action)


@pytest.mark.parametrize(
    ("chosen", "verbs"),
    [
        ({}, "roll, move, leave"),
        ({"six_passes": True}, "roll, move, leave, again, pass"),
        ({"home_exact": True}, "roll, move"),
        ({"home_exact": True, "six_passes": True}, "roll, move, again, pass"),
    ],
)
def test_whoever_writes_an_unknown_word_is_told_only_words_that_this_table_uses(
    chosen: dict[str, Any], verbs: str
) -> None:
    table = opening(RED, BLUE, **chosen)
    with pytest.raises(Unreadable) as refused:
        table.do("fly red")
    assert str(refused.value) == f"'fly red' is not an action; begin with one of {verbs}."


def test_a_word_that_this_table_does_not_use_is_refused_for_what_it_says() -> None:
    table = opening(RED, BLUE).do("roll 6", "move red start 10")
    with pytest.raises(Illegal, match="'again' is not possible now"):
        table.do("again red")


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"seats": (RED,)}, "A game takes 2 to 4 players, not 1."),
        (
            {"seats": (BLUE, RED)},
            "Name each colour once, in clockwise order; write red, blue instead of blue, red.",
        ),
        (
            {"seats": (RED, GREEN, JOKER)},
            (
                "Name each colour once, in clockwise order; write red, green instead of red, "
                "green, joker."
            ),
        ),
        ({"rounds": 0}, "'rounds' is 0; it must be at least 1."),
        ({"sixes": 0}, "'sixes' is 0; it must be at least 1."),
    ],
)
def test_a_table_that_cannot_play_is_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RulesError) as refused:
        Settings(**settings)
    assert str(refused.value) == sentence


def test_every_sentence_has_a_test_that_asserts_it() -> None:
    asserted = "\n".join(
        node.value
        for file in ("test_illegal.py", "test_facts.py")
        for node in ast.walk(ast.parse((Path(__file__).parent / file).read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    errors = frozenset({"Illegal", "RulesError"})
    raised = [text for file in sorted(RULES.glob("*.py")) for text in sentences(file, errors)]
    assert len(raised) >= 17
    for sentence in raised:
        start = re.split(r"[;,.]|is not each", plain(sentence).removeprefix("'{action}' "))[0]
        pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(start))
        assert re.search(pattern, asserted, re.IGNORECASE), f"nobody asserts: {sentence}"
