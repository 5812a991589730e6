"""What a change does to the looks of pages is seen, and nothing else."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from release.browsers import changes
from tests.programs import need


def test_what_differs_is_kept_side_by_side_the_worst_first(tmp_path: Path) -> None:
    before, after, kept = (tmp_path / word for word in ("before", "after", "kept"))
    for folder in (before, after):
        folder.mkdir()
        for name in ("same", "moved", "redrawn"):
            Image.new("RGB", (96, 80), "white").save(folder / f"{name}.png")
    Image.new("RGB", (96, 80), "navy").save(after / "redrawn.png")
    Image.new("RGB", (96, 80), "navy").save(after / "new.png")
    for folder, left in ((before, 8), (after, 24)):
        moved = Image.new("RGB", (96, 80), "white")
        ImageDraw.Draw(moved).rectangle((left, 8, left + 7, 15), fill="black")
        moved.save(folder / "moved.png")
    assert [*changes.compared(before, after, kept)] == ["new.png", "redrawn.png", "moved.png"]
    assert {file.name for file in kept.iterdir()} == {
        *("new.png", "redrawn.png", "moved.png", "sheet.png")
    }
    with Image.open(kept / "moved.png") as both:
        assert both.size == (96 + 8 + 96, 80)
    assert changes.compared(after, after, kept) == {}
    assert not kept.exists()


@pytest.mark.slow
def test_only_what_a_change_touches_differs(tmp_path: Path) -> None:
    need("chromium")
    twice, changed = tmp_path / "twice", changes.laid("HEAD", tmp_path / "changed")
    sheet = changed / "companion" / "web" / "static" / "join.css"
    sheet.write_text(f"{sheet.read_text('utf-8')}\nbody {{ letter-spacing: 1px }}", "utf-8")
    same = changes.laid("HEAD", tmp_path / "same")
    names = ("page/join", "page/fault", "zapp-zerapp/move", "trap-the-wizard/roll")
    changes.take_of({same: tmp_path / "a", changed: tmp_path / "b"}, names)
    changes.take_of({same: twice}, names)
    assert changes.compared(tmp_path / "a", twice, tmp_path / "flaps") == {}
    touched = changes.compared(tmp_path / "a", tmp_path / "b", tmp_path / "kept")
    assert {name.partition("-")[0] for name in touched} == {"page"}
    assert all(name.startswith("page-join") for name in touched)
