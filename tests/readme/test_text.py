"""What the READMEs show is so: examples run, links lead somewhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from companion.games.zapp_zerapp.rules import PRESETS, read_board
from tests.readme.lines import READMES, ROOT, Command, block, of

TEXTS = [*READMES, ROOT / "CHANGELOG.md"]
LOCKED = {
    name
    for folder in (ROOT, ROOT / "tests", ROOT / "tests/bench")
    for name in re.findall(
        r"^[a-z0-9-]+(?===)", (folder / "requirements.lock").read_text("utf-8"), re.MULTILINE
    )
}


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(block("companion/core/README.md", "python"), {})  # noqa: S102 - our own text
    assert "place blue 13" in capsys.readouterr().out


@pytest.mark.parametrize("command", of("libraries"), ids=str)
def test_libraries_are_installed_by_names_that_are_locked(command: Command) -> None:
    _, _, *names = command.text.split()
    assert {*names} <= LOCKED


def test_nobody_is_told_to_install_a_name_that_a_stranger_could_take() -> None:
    known = {*LOCKED, "esptool", "../nim", "{program}"}
    for file in [*TEXTS, *(ROOT / "companion").rglob("*.py")]:
        for line in re.findall(r"pip install ([^\s`\"][^`\"\n#]*)", file.read_text("utf-8")):
            assert {*line.split()} <= known, f"{file}: {line}"


def test_the_ring_of_the_example_is_the_first_preset() -> None:
    example = tomllib.loads(block("companion/cli/README.md", "toml"))
    assert read_board(example) == PRESETS["two-before-city"]


@pytest.mark.parametrize("readme", TEXTS, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_link_leads_somewhere(readme: Path) -> None:
    for target, heading in re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", readme.read_text("utf-8")):
        file = readme.parent / target if target else readme
        assert file.exists(), target
        assert not heading or heading in anchors(file), f"{target}#{heading}"


def anchors(file: Path) -> set[str]:
    """Return what GitHub calls the headings of a page."""
    heads = re.findall(r"^#+ +(.*)", file.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}
