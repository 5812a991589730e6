"""The walls of the house: no game is named outside its folder, and layers hold every module."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import companion
from companion.core.plugin import PLUGINS
from companion.present.page import titles

HOUSE = Path(companion.__file__).parent
READ = {".py", ".html", ".css", ".js", ".svg", ".toml", ".txt"}
# What the project is for is said in two places; it does not work differently for that.
SAYS_WHAT_FOR = {"__init__.py": 1, "cli/options.py": 1}


@cache
def names() -> re.Pattern[str]:
    """Return what finds any game by its name, its class, its folder or its title."""
    found = set(PLUGINS) | {plugin.package.rpartition(".")[2] for plugin in PLUGINS.values()}
    found |= {plugin.game.__name__ for plugin in PLUGINS.values()}
    found |= {title.template for title in titles().values()}
    return re.compile("|".join(map(re.escape, sorted(found, key=len, reverse=True))), re.IGNORECASE)


def named_in(text: str) -> list[str]:
    """Return the lines that name a game."""
    return [line for line in text.splitlines() if names().search(line)]


def files() -> list[Path]:
    """Return all that is no game's own and is read by the program."""
    return [
        file
        for file in sorted(HOUSE.rglob("*"))
        if file.suffix in READ and "games" not in file.relative_to(HOUSE).parts[:1]
    ]


def test_no_game_is_named_outside_its_folder() -> None:
    assert len(files()) > 200
    found = {}
    for file in files():
        name = file.relative_to(HOUSE).as_posix()
        lines = named_in(file.read_text("utf-8"))
        if len(lines) > SAYS_WHAT_FOR.get(name, 0):
            found[name] = lines
    assert found == {}


def layers() -> list[list[str]]:
    """Return the layers that imports have to keep, the outermost first."""
    project: dict[str, Any] = tomllib.loads((HOUSE.parent / "pyproject.toml").read_text("utf-8"))
    (contract,) = (
        one for one in project["tool"]["importlinter"]["contracts"] if one["type"] == "layers"
    )
    assert "ignore_imports" not in contract
    return [re.findall(r"companion\.([\w.]+)", layer) for layer in contract["layers"]]


def test_every_module_has_a_layer_and_no_import_is_excepted() -> None:
    placed = {name for layer in layers() for name in layer}
    tops = {
        file.stem if file.is_file() else file.name
        for file in HOUSE.iterdir()
        if (file.suffix == ".py" and file.stem != "__init__")
        or (file.is_dir() and (file / "__init__.py").exists())
    }
    homeless = {top for top in tops if not any(name.split(".")[0] == top for name in placed)}
    assert homeless == set()


def test_games_may_know_what_is_shown_and_not_the_other_way_round() -> None:
    order = {name: place for place, layer in enumerate(layers()) for name in layer}
    assert order["games"] < order["present"] < order["referee"] < order["core"]


def test_every_error_that_people_read_stands_on_one_screen() -> None:
    made = re.compile(r"^class \w+\((?:\w+, )*CompanionError\b", re.MULTILINE)
    found = [
        file.relative_to(HOUSE).as_posix()
        for file in sorted(HOUSE.rglob("*.py"))
        if made.search(file.read_text("utf-8"))
    ]
    assert found == ["system/errors.py"]


def test_no_public_class_outside_the_games_shares_its_name() -> None:
    places: dict[str, list[str]] = {}
    for file in sorted(HOUSE.rglob("*.py")):
        name = file.relative_to(HOUSE).as_posix()
        if name.startswith("games/"):  # each game has its own Seat, State and View
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(name)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


@pytest.mark.parametrize(
    "word",
    [
        *("debounce", "rate.?limit", "csrf", "nonce", "tournament", "i18n", "codec", "idempoten"),
        *("backoff", "error.?guard", "monte.?carlo", "garbage|gc_freeze"),
        *("supervisor", "websocket", "captive portal", "firmware version", "privacy"),
        *("accessibility", "access point", "atomic", "bayes", "colour-blind", "leaderboard"),
        *("confidence interval", "dynamic programming", "event sourcing", "migration"),
        *("graceful", "onboarding"),
    ],
)
def test_what_a_stranger_would_search_for_is_found(word: str) -> None:
    assert any(re.search(word, f.read_text("utf-8"), re.IGNORECASE) for f in HOUSE.rglob("*.py"))


def test_every_part_of_a_class_that_the_readme_names_is_there() -> None:
    """Such as `Page.progress`: whoever looks for it finds it."""
    parts: dict[str, set[str]] = {}
    for file in HOUSE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                parts.setdefault(node.name, set()).update(
                    child.name if isinstance(child, ast.FunctionDef) else ast.unparse(child.target)
                    for child in node.body
                    if isinstance(child, ast.FunctionDef | ast.AnnAssign)
                )
    named = re.findall(r"`([A-Z]\w+)\.(\w+)`", (HOUSE / "README.md").read_text("utf-8"))
    assert named
    assert [name for name in named if name[1] not in parts.get(name[0], set())] == []


def test_what_a_test_replaces_is_named_by_its_object() -> None:
    """A path in quotes is found by no search for what it means, nor renamed with it."""
    quoted = re.compile(r"""(?:setattr|patch)\(\s*["'](?:companion|rappelwacht_research)\.""")
    folders = ("examples", "hardware", "release", "research", "tests")
    files = [file for folder in folders for file in (HOUSE.parent / folder).rglob("*.py")]
    assert len(files) > 600
    assert [file.name for file in files if quoted.search(file.read_text("utf-8"))] == []
