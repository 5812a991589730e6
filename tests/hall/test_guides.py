"""The organiser's guides call pages, buttons and what these say as the pages themselves do."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent / "companion"
GUIDES = {"README.md": "msgid", "spieleabend.md": "msgstr"}
EXPLAINED = {"hall", "Saal"}  # by the guides themselves


@pytest.mark.parametrize("file", GUIDES)
def test_what_stands_in_italics_is_on_a_page(file: str) -> None:
    guide = (ROOT / "hall" / file).read_text("utf-8")
    words = {" ".join(one.split()) for one in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", guide)}
    catalogue = (ROOT / "locale/de.po").read_text("utf-8").replace('"\n"', "")
    there = set(re.findall(rf'^{GUIDES[file]} "(.*)"$', catalogue, re.MULTILINE))
    assert len(words) > 15
    missing = {one for one in words if not any(said.startswith(one) for said in there)}
    assert missing - EXPLAINED == set()


def test_both_guides_have_the_same_parts() -> None:
    """All but the last one: figures are written down once."""
    wholes = [(ROOT / "hall" / file).read_text("utf-8") for file in GUIDES]
    texts = [whole.rpartition("\n## ")[0] for whole in wholes]
    for sign in ("## ", " *\\|", "[0-9]\\. ", "- "):
        one, other = (len(re.findall(f"^{sign}", text, re.MULTILINE)) for text in texts)
        assert one == other, sign
