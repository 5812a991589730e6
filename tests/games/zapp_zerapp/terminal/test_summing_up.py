"""The table at the end of a game, against what was counted by hand."""

import io

import pytest

from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import Banished, Colour, MagicNumber, Pawn, Shown, TakenAlong
from companion.games.zapp_zerapp.summary import players_of, rounds_of
from companion.games.zapp_zerapp.terminal.story import COLUMN, LABEL, show_counts
from companion.present.terminal import TerminalScreen

RED, GREEN, BLUE, YELLOW = Colour
FIRST = (
    MagicNumber(1, 8),
    Shown(RED, 8, works=True),  # short by 0
    Shown(GREEN, 3, works=True),  # by 5
    Shown(BLUE, 9, works=False),
    rules.Moved(RED, 0, 8, ()),
    Banished(RED, Pawn(BLUE, 7), 18),
    Banished(RED, Pawn(BLUE, 7), 18),
    Banished(RED, Pawn(GREEN, 2), 7),
    TakenAlong(GREEN, Pawn(RED, 4), 3, 9),
    rules.RoundOver(1, shuffle=True, roller=GREEN),
)
SECOND = (
    MagicNumber(2, 5),
    Shown(RED, 3, works=True),  # by 2
    Shown(GREEN, 6, works=False),
    Shown(BLUE, 13, works=False),
    Banished(GREEN, Pawn(RED, 1), 0),
    TakenAlong(GREEN, Pawn(GREEN, 4), 3, 25),
    rules.CameHome(RED, 2),
    rules.Won(RED),
)
HEADS = {
    "en": ["worked", "too much", "short by", "banished", "sent back", "with it", "city"],
    "de": ["gelungen", "zu viel", "daneben", "verbannt", "Verluste", "Mitnahmen", "Stadt"],
}
ROWS = {
    "en": {"Red": "2 0 1.0 3 1 0 3", "Green": "1 1 5.0 1 1 2 1", "Blue": "0 2 · 0 2 0 0"},
    "de": {"Rot": "2 0 1,0 3 1 0 3", "Grün": "1 1 5,0 1 1 2 1", "Blau": "0 2 · 0 2 0 0"},
}
SUMS = {
    "en": "2 rounds, 4 banishments, 2 taken along.",
    "de": "2 Runden, 4 Verbannungen, 2 Mitnahmen.",
}


@pytest.mark.parametrize("language", SUMS)
def test_every_count_is_the_one_made_by_hand(language: str) -> None:
    screen, happened = TerminalScreen(io.StringIO(), language), (*FIRST, *SECOND)
    camps = ((RED, (25, 25, 25)), (GREEN, (0, 4, 25)), (BLUE, (0, 0, 7)))
    show_counts(screen, rounds_of(happened), players_of(happened, camps))
    assert isinstance(screen.out, io.StringIO)
    first, _, heads, *rows = screen.out.getvalue().splitlines()
    assert first == SUMS[language]
    assert [heads[at : at + COLUMN].strip() for at in range(LABEL, len(heads), COLUMN)] == (
        HEADS[language]
    )
    shown = dict(row.strip().split(maxsplit=1) for row in rows[:3])
    assert {name: " ".join(cells.split()) for name, cells in shown.items()} == ROWS[language]
