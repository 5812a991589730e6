"""What the READMEs show is so: examples run, links lead somewhere."""

import re
import tomllib
from pathlib import Path

import pytest

from companion.core.plugin import PARTS
from companion.games.zapp_zerapp.rules import PRESETS, read_board
from companion.present.animations import AnimationKind, EventPicture, PieceMove
from examples.readme.lines import READMES, ROOT, Command, block, of, text

TEXTS = [*READMES, ROOT / "CHANGELOG.md"]
LOCKED = {
    name
    for folder in (ROOT, ROOT / "tests", ROOT / "research/bench")
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
    known = {*LOCKED, "esptool", "../nim", "{program}", "./{file}"}
    for file in [*TEXTS, *(ROOT / "companion").rglob("*.py"), *(ROOT / "research").rglob("*.py")]:
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


def rows(heading: str) -> list[list[str]]:
    """Return the rows of the tables under a heading of the page on how all is built."""
    _, _, rest = text("companion/README.md").partition(f"### {heading}\n")
    lines = re.split(r"^##", rest, maxsplit=1, flags=re.MULTILINE)[0].splitlines()
    return [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]


def test_every_part_of_a_plugin_stands_in_the_table_with_its_contract() -> None:
    parts = {row[0].strip("`"): row[1] for row in rows("The parts of a plugin")}
    assert {*parts} == {*PARTS}
    for part, link in parts.items():
        (contract, file) = re.findall(r"\[(\w+)\]\(([\w/.]+)\)", link)[0]
        source = (ROOT / "companion" / file).read_text("utf-8")
        assert re.search(rf'class {contract}:\n[^@]*? part: ClassVar\[str\] = "{part}"', source), (
            part
        )


def test_what_a_page_may_use_stands_in_the_table_and_nothing_else() -> None:
    contract = rows("What a page may use")
    names = [name for row in contract for name in re.findall(r"`([\w-]+)`", row[0])]
    attributes = {name for name in names if name.startswith("data-")}
    kinds = [kind.value for kind in AnimationKind]
    shared = ROOT / "companion/web/static"
    scripts = "".join(file.read_text("utf-8") for file in shared.glob("*.js"))
    acted_on = {*re.findall(r"data-[a-z-]+", scripts)}
    games = [ROOT / "companion/games", ROOT / "examples/ludo/package"]
    templates = [file for folder in games for file in folder.rglob("*.html")]
    used = {
        name for file in templates for name in re.findall(r"data-[a-z-]+", file.read_text("utf-8"))
    }
    assert used & acted_on <= attributes <= acted_on
    assert names[-len(kinds) :] == kinds
    styles = "".join((shared / f"{name}.css").read_text("utf-8") for name in ("style", "table"))
    for name in {*names} - attributes - {*kinds}:
        assert re.search(rf"\.{name}\b", styles), name
    known = {*EventPicture.__dataclass_fields__, *PieceMove.__dataclass_fields__, "seat"}
    for row in contract[-len(kinds) :]:
        assert {*re.findall(r"`([\w]+)`", row[2])} <= known
