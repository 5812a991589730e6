"""Rings that nobody can play on: every fault, and the sentence that names it."""

import pytest

from companion.games.zapp_zerapp.rules.board import BadBoard, Board, read_board
from tests.games.zapp_zerapp.tables import TWO

GOOD: dict[str, object] = {
    "ring": " ".join(TWO.ring),
    "entries": {"red": 0, "green": 6, "blue": 12, "yellow": 18},
    "gates": {"red": 23, "green": 5, "blue": 11, "yellow": 17},
}
NO_RING = "The ring is not a list of fields such as 'B B RG Y'."


def faults_of(**changed: object) -> list[str]:
    """Read the board with something changed, and return what is wrong with it."""
    with pytest.raises(BadBoard) as refused:
        read_board({**GOOD, **changed})
    assert str(refused.value) == " ".join(map(str, refused.value.faults))
    return list(map(str, refused.value.faults))


@pytest.mark.parametrize("ring", [None, 24, {"B": 3}, ["B", 3]])
def test_a_ring_that_is_none(ring: object) -> None:
    assert faults_of(ring=ring) == [NO_RING]


@pytest.mark.parametrize(
    ("changed", "faults"),
    [
        (
            {"colour": "red"},
            ["A board has no part called 'colour'; its parts are ring, entries and gates."],
        ),
        ({"ring": "B B B"}, ["The ring needs 24 fields, clockwise, not 3."]),
        ({"ring": [*TWO.ring, "R"]}, ["The ring needs 24 fields, clockwise, not 25."]),
        (
            {"ring": ["W", "RGB", "", *TWO.ring[3:]]},
            [
                "Field 0 is 'W'; write R, G, B or Y, or two of them for a castle field.",
                "Field 1 is 'RGB'; write R, G, B or Y, or two of them for a castle field.",
                "Field 2 is ''; write R, G, B or Y, or two of them for a castle field.",
            ],
        ),
        (
            {"ring": [*TWO.ring[:23], "RR"]},
            ["Castle field 23 shows 'RR'; its two castles must differ in colour."],
        ),
        (
            {"entries": {"red": 0, "green": 6, "blue": 12}},
            ["The entry of yellow is missing; name one of the fields 0 to 23."],
        ),
        (
            {"gates": None},
            [
                f"The gate of {colour} is missing; name one of the fields 0 to 23."
                for colour in ["red", "green", "blue", "yellow"]
            ],
        ),
        (
            {"entries": {"red": 24, "green": -1, "blue": True, "yellow": "18"}},
            [
                "The entry of red is 24; it must be one of the fields 0 to 23.",
                "The entry of green is -1; it must be one of the fields 0 to 23.",
                "The entry of blue is True; it must be one of the fields 0 to 23.",
                "The entry of yellow is 18; it must be one of the fields 0 to 23.",
            ],
        ),
        (
            {"gates": {"red": 23, "green": 5, "blue": 11, "yellow": 17, "white": 3}},
            [
                (
                    "'white' among the gate fields is not a colour; the colours are red, green, "
                    "blue and yellow."
                )
            ],
        ),
        (
            {"gates": {"red": 23, "green": 5, "blue": 12, "yellow": 17}},
            [
                (
                    "The gate of blue is field 12; it must be field 11, the one before its entry, "
                    "so that the way round has 24 fields."
                )
            ],
        ),
        (
            {
                "entries": {"red": 0, "green": 0, "blue": 12, "yellow": 18},
                "gates": {"red": 23, "green": 23, "blue": 11, "yellow": 17},
            },
            ["Red and green both enter on field 0; each needs an entry of its own."],
        ),
        (
            {"ring": "B", "name": "mine", "gates": {"red": 23, "green": 5, "blue": 11}},
            [
                "The ring needs 24 fields, clockwise, not 1.",
                "A board has no part called 'name'; its parts are ring, entries and gates.",
                "The gate of yellow is missing; name one of the fields 0 to 23.",
            ],
        ),
    ],
)
def test_bad_board(changed: dict[str, object], faults: list[str]) -> None:
    assert faults_of(**changed) == faults


@pytest.mark.parametrize("index", [-1, 24])
def test_a_board_made_without_a_file_is_checked_too(index: int) -> None:
    with pytest.raises(BadBoard) as refused:
        Board(TWO.ring, (index, 6, 12, 18), (index, 5, 11, 17))
    assert list(map(str, refused.value.faults)) == [
        f"The entry of red is {index}; it must be one of the fields 0 to 23.",
        f"The gate of red is {index}; it must be one of the fields 0 to 23.",
        (
            f"The gate of red is field {index}; it must be field {(index - 1) % 24}, "
            "the one before its entry, so that the way round has 24 fields."
        ),
    ]


def test_a_board_without_an_entry_for_each_colour_is_refused() -> None:
    with pytest.raises(BadBoard) as refused:
        Board(TWO.ring, (0, 6, 12), (23, 5, 11, 17))  # type: ignore[arg-type]
    assert str(refused.value) == "A board has one entry and one gate for each of four colours."


def test_of_many_or_long_faults_a_sentence_shows_what_somebody_reads() -> None:
    ring = ["nothing " * 1_000] * 5_000
    entries = {f"colour {number} {'x' * 5_000}": 3 for number in range(100)}
    faults = faults_of(ring=ring, entries=entries)
    assert faults[0] == "The ring needs 24 fields, clockwise, not 5000."
    assert faults[-1] == "There are 5105 mistakes in all."
    assert len(" ".join(faults)) < 4_000
