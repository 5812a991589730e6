"""Chooses the tests that a change can touch: `./run test --changed [-n auto]`.

Compared is what lies here with the last commit, or with `--changed=REVISION`. A test is run if its
module, or whatever that imports, directly or not, is changed. What is no Python module, such as a
template, counts as a change of all modules in its room; of the firmware, as one of the simulator
and of the emulated boards, which run it; of anything else, such as a lock, as one of everything.
"""

import re
import subprocess
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

IMPORT: Final = re.compile(  # far faster than parsing a thousand files
    r"^\s*(?:from ([\w.]+) import (\([^)]*\)|.*)|import ([\w., ]+))", re.MULTILINE
)
WORD: Final = re.compile(r"\w+")
ROOT: Final = Path(__file__).parent.parent
BY_NAME: Final = ("companion.core.plugin", "research.mutants.trial")  # they import all games so
PARTS: Final = ("companion/", "hardware/", "research/", "tests/")
ALIKE: Final = {  # what runs it or reads it
    "firmware": ("companion/simulator", "hardware/emulated"),
    "hardware": ("hardware",),
}
PAGES: Final = ("tests.readme.", "hardware.tests.")  # read what pages say


def modules() -> dict[str, Path]:
    """Return every module of the program and of its tests by its name."""
    files = [file for part in PARTS for file in (ROOT / part).rglob("*.py")]
    return {_name(file): file for file in files}


def imported(name: str, file: Path, known: Iterable[str]) -> Iterator[str]:
    """Yield the modules that a module imports, and the packages that it lies in."""
    yield from _above(name)
    for module, names, whole in IMPORT.findall(file.read_text("utf-8")):
        yield from (part.split()[0] for part in whole.split(",") if part.strip())
        if module:
            yield module
            yield from (f"{module}.{alias}" for alias in WORD.findall(names))
    if name in BY_NAME:
        yield from (other for other in known if other.startswith("companion.games."))


def touched(changed: Iterable[str], files: Mapping[str, Path]) -> set[str]:
    """Return the modules that use what is changed, and what is changed itself."""
    used_by: dict[str, set[str]] = {}
    for name, file in files.items():
        for other in imported(name, file, files):
            used_by.setdefault(other, set()).add(name)
    reached, waiting = set[str](), deque(changed)
    while waiting:
        name = waiting.popleft()
        if name not in reached:
            reached.add(name)
            waiting.extend(used_by.get(name, ()))
    return reached


def changed_modules(paths: Iterable[str], files: Mapping[str, Path]) -> set[str]:
    """Return the modules that paths stand for."""
    changed = set[str]()
    for path in paths:
        file = ROOT / path
        if path.endswith(".md"):
            changed |= {name for name in files if name.startswith(PAGES)}
        elif file.suffix == ".py" and path.startswith(PARTS):
            changed.add(_name(file))
        else:
            rooms = ALIKE.get(path.split("/")[0]) or ("/".join(path.split("/")[:2]),)
            above = tuple(f"{room.replace('/', '.')}." for room in rooms)
            below = {name for name in files if name.startswith(above)}
            changed |= below or set(files)
    return changed


def changed_paths(revision: str) -> list[str]:
    """Return what differs from a revision, new files included."""
    git = ["git", "-C", str(ROOT)]
    differs = [*git, "diff", "--name-only", "--no-renames", revision]
    new = [*git, "ls-files", "--others", "--exclude-standard"]
    outputs = [
        subprocess.run(words, capture_output=True, check=True, text=True)
        for words in (differs, new)
    ]
    return [path for output in outputs for path in output.stdout.splitlines()]


def choose(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the change cannot touch, if only that is asked for."""
    revision = config.getoption("--changed")
    if revision is None:
        return
    files = modules()
    names = touched(changed_modules(changed_paths(revision), files), files)
    left = [item for item in items if _name(item.path) not in names]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if _name(item.path) in names]


def _name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    parts = parts[parts[1:2] == ("rappelwacht_research",) :]  # it is imported by that name
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _above(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[:depth]) for depth in range(1, len(parts)))
