"""The pictures at the top of the README are there, and not too large for whoever opens it."""

import re

from examples.readme.lines import ROOT

LARGEST = 1_500_000  # bytes of the one that moves


def test_it_shows_one_that_moves_and_four_stills_of_it() -> None:
    shown = re.findall(r"\]\(([^)]+\.webp)\)", (ROOT / "README.md").read_text("utf-8"))
    assert shown[0] == "hardware/evening/evening.webp"
    assert len(shown) == 5
    kept = (ROOT / "hardware/evening").glob("*.webp")
    assert {*shown} == {f"hardware/evening/{file.name}" for file in kept}
    assert (ROOT / shown[0]).stat().st_size <= LARGEST
    assert all((ROOT / still).stat().st_size <= LARGEST / 5 for still in shown[1:])
