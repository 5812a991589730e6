"""Guides in other languages are made of the English page and of a translators' file."""

import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from companion.i18n.po import read
from release.words import __main__ as words
from release.words import guides
from release.words.upkeep import write

ROOT = Path(__file__).parents[2]
PAGE = """# Build

Glue it. Then
wait a day.

1. Type `./run`.

   | part | count |
   |---|---|
   | foot | 4 |

```sh
./run
```
"""
FRENCH = {"Build": "Construire", "Glue it. Then wait a day.": "Colle-le, puis attends un jour."}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with all guides as they are."""
    for name in (*guides.PAGES, f"{guides.FOLDER}/de.po", "companion/locale/de.po"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    return tmp_path


def test_every_guide_is_what_its_translation_makes_of_it() -> None:
    for file in (ROOT / guides.FOLDER).glob("*.po"):
        assert [*guides.faults(file, ROOT, whole=file.stem in words.WHOLE)] == []


def test_a_page_leads_to_pages_of_its_own_language() -> None:
    for file in (ROOT / guides.FOLDER).glob("*.po"):
        entries = read(file.read_text("utf-8"))
        files = (entry for entry in entries if entry.context == guides.FILE and entry.translation)
        called = {entry.key: entry.translation for entry in files}
        for name, other in called.items():
            folder = (ROOT / other).parent
            for piece in guides.split((ROOT / other).read_text("utf-8")):
                goals = re.findall(r"\]\(([^)#:]+)", piece.words)
                led = {os.path.relpath(folder / goal, ROOT) for goal in goals}
                foreign = {called[goal] for goal in led & {*called} - {name}}
                assert foreign <= led, f"{other}: {piece.words}"


def test_what_is_not_translated_stays_english_and_code_stays_as_it_is() -> None:
    page = guides.translated(PAGE, FRENCH)
    assert page == PAGE.replace("Build", "Construire").replace(
        "Glue it. Then\nwait a day.", "Colle-le, puis attends un jour."
    )


def test_a_wrapped_line_never_begins_as_an_item_of_a_list_would() -> None:
    said = f"{'x' * 96} on 3. July, and not before."
    page = guides.translated("Say it.\n", {"Say it.": said})
    assert [*guides.split(page)] == [guides.Piece("", said, wraps=True)]


@pytest.mark.slow
def test_a_sentence_that_was_changed_is_english_until_somebody_has_looked_at_its_guess(
    root: Path,
) -> None:
    name, old, new = guides.PAGES[0], "Build one seat and one", "Build two seats and one"
    page, po = root / name, root / guides.FOLDER / "de.po"
    german = next(iter(guides.pages(read(po.read_text("utf-8")), root)))
    page.write_text(page.read_text("utf-8").replace(old, new), "utf-8")
    assert words.main(["--check", "de"], root / "companion/locale", root) == 1
    assert words.main(["de"], root / "companion/locale", root) == 0
    assert new in " ".join(german.read_text("utf-8").split())
    [guess] = [entry for entry in read(po.read_text("utf-8")) if entry.fuzzy]
    assert new in guess.key
    assert "Bau zuerst einen Platz" in guess.translation
    assert [*guides.faults(po, root)] == [f"guides/de.po: it is marked as fuzzy: {guess.key}"]
    po.write_text(po.read_text("utf-8").replace("#, fuzzy\n", ""), "utf-8")
    assert guides.faults(po, root).__next__() == (
        f"{german.relative_to(root)}: it is not what de.po makes of it; `./run words` writes it"
    )
    assert words.main(["de"], root / "companion/locale", root) == 0
    assert [*guides.faults(po, root)] == []


@pytest.mark.slow
def test_guides_may_be_translated_as_far_as_somebody_has_come(root: Path) -> None:
    folder = root / "companion/locale"
    assert words.main(["de", "fr"], folder, root) == 0
    assert words.main(["--check"], folder, root) == 0
    assert words.main(["--check", "fr"], folder, root) == 1  # asked for, it is to be whole


def test_what_one_types_stays_the_same_in_every_language(root: Path) -> None:
    po = root / guides.FOLDER / "de.po"
    entries = [
        replace(entry, translation=entry.translation.replace("`./run table`", "`./run tisch`"))
        for entry in read(po.read_text("utf-8"))
    ]
    po.write_text(write(entries), "utf-8")
    [fault] = guides.faults(po, root)
    assert "between backticks" in fault


@pytest.mark.parametrize(
    ("old", "new"), [("3,3 V und nicht mehr", "3.3 V und nicht mehr"), ("34 mA", "43 mA")]
)
def test_a_figure_is_the_same_in_every_language(root: Path, old: str, new: str) -> None:
    po = root / guides.FOLDER / "de.po"
    entries = [
        replace(entry, translation=entry.translation.replace(old, new))
        for entry in read(po.read_text("utf-8"))
    ]
    po.write_text(write(entries), "utf-8")
    [fault] = guides.faults(po, root)
    assert "its figures are not those of the English" in fault
