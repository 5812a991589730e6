"""The picture of the ring: every pawn where it stands, with colours or without."""

import io
import re

from companion.games.zapp_zerapp.rules import CITY, PRESETS, START, Colour, View, ZappZerapp
from companion.games.zapp_zerapp.terminal.story import SIDE, ring
from companion.present.terminal import TerminalScreen, wants_colour
from companion.referee.people.person import Animal, Person, Seating

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def view(**pawns: tuple[int, int, int]) -> View:
    """Return a view in which pawns stand somewhere."""
    game = ZappZerapp()
    state = game.start()
    camps = list(state.pawns)
    for name, camp in pawns.items():
        camps[Colour[name.upper()]] = camp
    return game.view(state._replace(pawns=(camps[0], camps[1], camps[2], camps[3])), None)


def test_a_picture_shows_every_pawn_where_it_stands() -> None:
    board = PRESETS["two-before-city"]
    screen = TerminalScreen(io.StringIO())
    lines = ring(
        screen, board, view(red=(1, 1, 24), green=(START, 19, CITY), blue=(13, 13, 13)), "Title"
    )
    assert len(lines) == 3 * SIDE + 1
    assert {len(line) for line in lines} == {64}
    assert lines[2][1:9].split() == ["RR", "G", "BBB"]  # ring 0, the upper left corner
    assert lines[5][1:9].split() == ["R"]  # ring 23, below it
    assert "R  Red     ·        1, 1, 24     ·" in lines[8]
    assert "G  Green   G        19           G" in lines[9]


def test_long_names_leave_the_ring_as_it_is() -> None:
    twins = (Person("1", Animal.HEDGEHOG, "Maximilienne"), Person("2", Animal.FOX, "Maximilienne"))
    seating = Seating(tuple(zip(("red", "blue"), twins, strict=True)))
    board, seen = PRESETS["two-before-city"], view(red=(3, 4, 9))
    plain = ring(TerminalScreen(io.StringIO()), board, seen, "Title")
    named = ring(TerminalScreen(io.StringIO(), seating=seating), board, seen, "Title")
    assert named != plain
    assert {len(line) for line in named} == {64}
    sides = slice(0, 10), slice(54, 64)
    assert all(
        line[one] == also[one] for line, also in zip(named, plain, strict=True) for one in sides
    )
    assert any("here" in line and "Maxim" in line and "…" in line for line in named)
    assert "R  Maxim" in named[8]
    assert named[8].index("3, 4, 9") == plain[8].index("3, 4, 9")


def test_a_crowded_field_counts_its_pawns() -> None:
    crowd = view(red=(1, 1, 1), green=(19, 19, 19), blue=(13, 13, 13), yellow=(7, 7, 7))
    lines = ring(TerminalScreen(io.StringIO()), PRESETS["two-before-city"], crowd, "")
    assert lines[2][1:9] == "R3G3B3Y3"


def test_colours_change_nothing_but_colours() -> None:
    board, seen = PRESETS["three-before-city"], view(red=(3, 4, 9), yellow=(0, 0, 25))
    plain = ring(TerminalScreen(io.StringIO()), board, seen, "Title")
    painted = ring(TerminalScreen(io.StringIO(), colour=True), board, seen, "Title")
    assert [ESCAPE.sub("", line) for line in painted] == plain
    assert painted != plain


def test_colours_are_for_terminals_and_for_those_who_want_them() -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    assert wants_colour(Terminal(), {})
    assert not wants_colour(Terminal(), {"NO_COLOR": "1"})
    assert not wants_colour(Terminal(), {"TERM": "dumb"})
    assert not wants_colour(io.StringIO(), {})
