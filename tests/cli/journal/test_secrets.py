"""No export tells before the flip which barrel stands where."""

from pathlib import Path

import pytest

from tests.cli.journal.matches import Told, before_the_flip, inside, kept, play
from tests.referee.tables import Round


@pytest.mark.parametrize(
    "way", ["sensed", "typed", "settled early", "roll taken back", "put right"]
)
def test_before_the_flip_an_export_does_not_depend_on_which_barrel_stands_where(
    way: str, tmp_path: Path, told: Told
) -> None:
    found = set()
    for red, blue in ((5, 9), (9, 5), (2, 11)):
        table = Round("red", "blue")
        before_the_flip(table, red, blue, way)
        folder = kept(tmp_path / f"{red}", table)
        file = tmp_path / f"{red}.jsonl"
        code, _, err = told("journal", "export", file, "--folder", folder)
        assert (code, err == "") == (0, False)
        found.add((file.read_bytes(), err))
    assert len(found) == 1


def test_after_the_flip_an_export_goes_on_where_it_was_cut(tmp_path: Path, told: Told) -> None:
    table = Round("red", "blue")
    before_the_flip(table, 5, 9, "sensed")
    other, files = tmp_path / "other", (tmp_path / "cut.jsonl", tmp_path / "whole.jsonl")
    for number, file in enumerate(files):
        folder = kept(tmp_path / f"folder{number}", table)
        told("journal", "export", file, "--folder", folder)
        assert told("journal", "import", file, "--folder", other)[0] == 0
        table.flip(5, 9)
    assert files[1].read_bytes().startswith(files[0].read_bytes())
    assert inside(other) == inside(tmp_path / "folder1")
    assert len(files[1].read_bytes()) > len(files[0].read_bytes())


def test_a_first_round_that_is_sealed_leaves_the_roll(tmp_path: Path, told: Told) -> None:
    folder = kept(tmp_path / "new", play(Round("red", "blue"), "roll 7", "place red 3"))
    code, _, err = told("journal", "export", tmp_path / "a.jsonl", "--folder", folder)
    assert (code, "up to entry 1;" in err) == (0, True)
