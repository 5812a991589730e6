"""Tables in the middle of a game, set up so that a test reads like the rulebook.

A pawn's place is counted in its own steps: 0 is its start, 1 its entry field, 24 its gate field,
25 its city. `at` turns a field of the ring into such a step.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Self

import pytest

from companion.core.game import TABLE, Event, after
from companion.core.notation import read, write
from companion.games.zapp_zerapp import rules
from companion.games.zapp_zerapp.rules import CITY, PRESETS, START, Board, Colour, State, ZappZerapp
from companion.games.zapp_zerapp.rules.model import Camp

RED, GREEN, BLUE, YELLOW = Colour
TWO: Final = PRESETS["two-before-city"]
BOARDS: Final = pytest.mark.parametrize("board", list(PRESETS.values()), ids=list(PRESETS))
AT_START: Final = (START, START, START)


@dataclass(frozen=True)
class Table:
    """A game and where it stands."""

    game: ZappZerapp
    state: State

    def do(self, *texts: str) -> Self:
        """Carry out actions as people write them."""
        state = self.state
        for text in texts:
            state = after(self.game, state, read(self.game, state, text))
        return type(self)(self.game, state)

    def tell(self, text: str) -> tuple[Event, ...]:
        """Tell what an action brings about."""
        return self.game.explain(self.state, read(self.game, self.state, text))

    def tell_move(self, text: str) -> tuple[Event, ...]:
        """Tell what a move brings about on the board; the end of the round is another matter."""
        return tuple(event for event in self.tell(text) if not isinstance(event, rules.RoundOver))

    def may(self, seat: int = TABLE) -> list[str]:
        """Write down all that a seat, or the table, may do now."""
        return [write(action) for action in self.game.legal(self.state, seat)]

    @property
    def pawns(self) -> dict[Colour, Camp]:
        """Return where the pawns of all who play stand."""
        return {seat: self.state.pawns[seat] for seat in self.game.seats}


@lru_cache
def game(
    *seats: Colour,
    profi: bool = False,
    overlook: bool = False,
    shuffle: bool = True,
    board: Board = TWO,
) -> ZappZerapp:
    """Agree on a game; without seats, for four."""
    return ZappZerapp(rules.Settings(seats or tuple(Colour), profi, overlook, shuffle, board))


def opening(*seats: Colour, shuffle: bool = True) -> Table:
    """Sit down at a table before the first roll."""
    agreed = game(*seats, shuffle=shuffle)
    return Table(agreed, agreed.start())


def placed(magic: int, numbers: Mapping[Colour, int | None]) -> Table:
    """Roll, and stand these barrels in front of the players; None is a number not known yet."""
    texts = [f"place {seat.name} {number or ''}" for seat, number in numbers.items()]
    return opening(*sorted(numbers)).do(f"roll {magic}", *texts)


def position(
    *,
    red: Camp | None = None,
    green: Camp | None = None,
    blue: Camp | None = None,
    yellow: Camp | None = None,
    numbers: Mapping[Colour, int],
    magic: int = 12,
    profi: bool = False,
    overlook: bool = False,
    board: Board = TWO,
) -> Table:
    """Set up a movement phase of the colours whose pawns are named, the next mover first.

    Who has no number sits the round out.
    """
    camps = dict(zip(Colour, (red, green, blue, yellow), strict=True))
    seats = tuple(colour for colour, camp in camps.items() if camp is not None)
    order = sorted(numbers, key=lambda seat: -numbers[seat])
    assert set(order) <= set(seats), "somebody moves who does not play"
    assert len(set(numbers.values())) == len(order), "there is one barrel of each number"
    assert max(numbers.values()) <= magic, "somebody moves whose barrel failed"
    one, two, three, four = (_ascending(camp or AT_START) for camp in camps.values())
    first, second, third, fourth = (numbers.get(colour, 0) for colour in Colour)
    barrels = (first, second, third, fourth)
    state = State(1, rules.Phase.MOVE, magic, barrels, tuple(order), (one, two, three, four))
    return Table(game(*seats, profi=profi, overlook=overlook, board=board), state)


def at(colour: Colour, field: int, board: Board = TWO) -> int:
    """Count the own step of a colour on a field of the ring."""
    return (field - board.entries[colour]) % 24 + 1


def _ascending(camp: Camp) -> Camp:
    assert START <= min(camp) <= max(camp) <= CITY
    first, second, third = sorted(camp)
    return first, second, third


# One moment of each phase.

Moment = Callable[[], Table]


def rolling() -> Table:
    """Nothing has been done yet."""
    return opening(RED, GREEN, BLUE)


def placing() -> Table:
    """Blue has placed its barrel."""
    return rolling().do("roll 8", "place blue 3")


def flipping() -> Table:
    """All have placed theirs, two of them unread."""
    return placed(8, {RED: None, GREEN: 5, BLUE: None})


def saying() -> Table:
    """The two unread ones are missing."""
    return flipping().do("flip")


def moving() -> Table:
    """Red moves; green stands before it, and no rule asks for a choice."""
    return position(red=(4, 4, 25), green=(0, 22, 23), numbers={RED: 6, GREEN: 2})


def profi() -> Table:
    """Red may take along itself and green from field 3."""
    return position(
        red=(3, 4, 25), green=(0, 21, 22), blue=(0, 0, 15), numbers={RED: 6}, profi=True
    )


def naming() -> Table:
    """Red names whom it banishes."""
    return position(
        red=(3, 9, 25), green=(0, 22, 23), blue=(0, 0, 17), numbers={RED: 6}, overlook=True
    )


def over() -> Table:
    """Red has won."""
    return position(red=(24, 25, 25), green=AT_START, numbers={RED: 6}).do("move red 24")
