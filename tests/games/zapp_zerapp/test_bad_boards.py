"""Rings that nobody can play on: every fault, and the sentence that names it."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.games.zapp_zerapp.rules.board import BadBoard, Board, read_board
from tests.cases import check_cases
from tests.games.zapp_zerapp.tables import TWO

GOOD: dict[str, object] = {
    "ring": " ".join(TWO.ring),
    "entries": {"red": 0, "green": 6, "blue": 12, "yellow": 18},
    "gates": {"red": 23, "green": 5, "blue": 11, "yellow": 17},
}


def faults_of(changed: Any) -> list[str]:
    """Return what is wrong with a board that differs so from a good one, or has these entries."""
    if isinstance(changed, list):
        attempt: Any = partial(Board, TWO.ring, tuple(changed), (23, 5, 11, 17))
    else:
        attempt = partial(read_board, GOOD | changed)
    with pytest.raises(BadBoard) as refused:
        attempt()
    assert str(refused.value) == " ".join(map(str, refused.value.faults))
    return list(map(str, refused.value.faults))


def test_each_fault_of_a_board_is_named(rewrite_golden: bool) -> None:
    file = Path(__file__).with_name("boards.txt")
    check_cases(file, lambda _, line: faults_of(json.loads(line)), rewrite=rewrite_golden)


def test_of_many_or_long_faults_a_sentence_shows_what_somebody_reads() -> None:
    ring = ["nothing " * 1_000] * 5_000
    entries = {f"colour {number} {'x' * 5_000}": 3 for number in range(100)}
    faults = faults_of({"ring": ring, "entries": entries})
    assert "5000" in faults[0]
    assert "5105" in faults[-1]
    assert len(" ".join(faults)) < 4_000
