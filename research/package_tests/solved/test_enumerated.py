"""What is read is what follows from the rulebook: an enumerator that knows nothing of it agrees."""

from random import Random

import pytest

from companion.games.zapp_zerapp.rules import Colour, Settings
from companion.games.zapp_zerapp.rules.model import ALL_AT_START, Camp, Camps
from companion.games.zapp_zerapp.solution import Worth, worth
from companion.games.zapp_zerapp.solution.table import CAMPS, HOME
from research.package_tests.solved.enumerator import Board, Enumerator

RED, GREEN, BLUE, YELLOW = Colour
SEATINGS = {
    "opposite": (RED, BLUE),
    "side by side": (GREEN, BLUE),
    "the other way round": (RED, YELLOW),
}
ROUNDED = 1 / 255  # an eighth bit's worth: what a table was rounded by, and its next round too


def all_camps(seats: tuple[Colour, Colour], board: Board) -> Camps:
    first, second = board
    by_seat = {seats[0]: first, seats[1]: second}
    red, green, blue, yellow = (by_seat.get(c, ALL_AT_START) for c in Colour)
    return red, green, blue, yellow  # type: ignore[return-value]


def enumerator(seats: tuple[Colour, Colour], known: Worth) -> Enumerator:
    board = Settings(seats).board
    entries = {colour.name.lower(): board.entries[colour] for colour in Colour}
    return Enumerator(
        [seat.name.lower() for seat in seats],
        board.ring,
        entries,
        lambda one, other: known.start(all_camps(seats, (one, other)))[0],
    )


def some(chance: Random) -> Camp:
    return CAMPS[chance.choice([camp for camp in range(len(CAMPS)) if camp != HOME])]


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("seats", SEATINGS.values(), ids=SEATINGS)
def test_a_round_is_worth_what_it_is_when_all_is_gone_through(
    seats: tuple[Colour, Colour], number: int
) -> None:
    known, chance = worth(Settings(seats)), Random(number)
    assert known.why is None
    board = some(chance), some(chance)
    pawns, told = all_camps(seats, board), enumerator(seats, known)
    total = 0.0
    for magic in range(2, 13):
        rolled = known.rolled(pawns, magic)[0]
        assert rolled == pytest.approx(told.rolled(board, magic), abs=1e-9)
        total += rolled * (6 - abs(7 - magic)) / 36
    assert known.start(pawns)[0] == pytest.approx(total, abs=ROUNDED)
