"""What Hypothesis draws: tables, actions of any content, text and JSON that resemble the real.

It must not hold tests.
"""

from random import Random

from hypothesis import strategies as st

from companion.core.game import Action
from companion.games.zapp_zerapp.rules import Colour, Flip, Move, Pawn, Place, Roll, Say, ZappZerapp
from tests.games.zapp_zerapp.games import random_settings

SEEDS = st.integers(0, 2**32 - 1)
COLOURS = st.sampled_from(Colour)
NUMBERS = st.integers(-2, 27) | st.integers()
PAWNS = st.builds(Pawn, COLOURS, NUMBERS)
PAWN_LISTS = st.lists(PAWNS, max_size=4).map(tuple)

GAMES = SEEDS.map(lambda seed: ZappZerapp(random_settings(Random(seed))))

ANY_ACTION: st.SearchStrategy[Action] = st.one_of(
    st.builds(Roll, NUMBERS),
    st.builds(Place, COLOURS, st.none() | NUMBERS),
    st.builds(Flip),
    st.builds(Say, COLOURS, NUMBERS),
    st.builds(Move, COLOURS, NUMBERS, PAWN_LISTS, st.none() | PAWN_LISTS),
)

WORDS = (
    *("roll", "place", "flip", "say", "move", "take", "banish", "none", "start", "city"),
    *("red", "green", "blue", "yellow", "red:4", "green:start", "blue:city,blue:city", "yellow:7"),
    *(":", ",", "red:", ":4", "red:4,", "{", "}", "{0}", "-1", "0", "7", "13", "²", "٣", "1e3"),
)
LINES = st.text() | st.lists(st.sampled_from(WORDS) | st.text(max_size=3)).map(" ".join)

KEYS = (
    *("do", "seat", "barrel", "magic", "player", "number", "step", "take", "banish", "colour"),
    *("seats", "profi", "overlook", "shuffle", "board", "ring", "entries", "gates"),
    *("round", "phase", "barrels", "queue", "pawns", "rappelwacht", "game", "schema", "settings"),
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.integers()
    | st.floats()
    | st.sampled_from(("red", "blue", "start", "roll", "move", "place", "R", "RG", "zapp-zerapp"))
    | st.text(max_size=5)
)
JSON = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=3), inner, max_size=6)
    ),
    max_leaves=20,
)
