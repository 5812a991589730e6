"""Chooses the tests that a change can touch: `./run test --changed [-n auto]`.

Compared is what lies here with the last commit, or with `--changed=REVISION`. A test can be touched
if its module, or whatever that imports, directly or not, is changed. What is no Python module, such
as a template, counts as a change of all modules in its room; of the firmware, as one of the
simulator and of the emulated boards, which run it; of anything else, such as a lock, as one of
everything. A translation touches tests of words, and those that quote a sentence that changed in it
or, with --full or --jobs, that name its language or all of them.

If that is too much for everyday work, the nearest are run: tests that import what is changed
themselves, those of its room, a few of the whole program, and as many more as are soon over, by
how many modules of the program lie between. At the end it is said what was left out. With --full or
--jobs, nothing is.
"""

import re
import subprocess
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from companion.i18n import po
from tests.slow import part

IMPORT: Final = re.compile(  # far faster than parsing a thousand files
    r"^\s*(?:from ([\w.]+) import (\([^)]*\)|.*)|import ([\w., ]+))", re.MULTILINE
)
WORD: Final = re.compile(r"\w+")
ROOT: Final = Path(__file__).parent.parent
BY_NAME: Final = ("companion.core.plugin", "research.mutants.trial")  # they import all games so
PACKAGED: Final = "examples.building"  # it builds games, which run what any game must keep
PACKAGE: Final = re.compile(
    r"examples\.\w+\.(package|installed)\.|tests\.(core|referee\.test_every|web\.games\.test_sealed)"
)
PARTS: Final = ("companion/", "examples/", "hardware/", "release/", "research/", "tests/")
ALIKE: Final = {  # what runs it or reads it
    "firmware": ("companion/simulator", "hardware/emulated"),
    "hardware": ("hardware",),
}
PAGES: Final = (
    "examples.readme.",
    "tests.hall.test_guides",
    "hardware.tests.",
)  # read what pages say
OF_WORDS: Final = ("tests.i18n.", "tests.test_words", "release.words.", "tests.hall.test_guides")
QUOTED: Final = 12  # characters: tests say shorter ones of other things, too
GUIDES: Final = "companion/locale/guides/"  # from which pages are made, which count as changed, too
MANY: Final = 2000  # tests, of which a quiet computer with two cores takes a minute or two
ELSEWHERE: Final = {"present": "web"}  # rooms whose tests lie in a folder with another name
WHOLE: Final = (  # little of everything
    "tests.referee.test_every_game",
    "tests.scenarios.test_table_rounds",
    "tests.test_play",
    "tests.test_table_command",
    "tests.web.test_table_page",
    "tests.browser.test_games",
)


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
    if name == PACKAGED:
        yield from (other for other in known if PACKAGE.match(other))
    if name in BY_NAME:
        yield from (other for other in known if other.startswith("companion.games."))


def steps(changed: Iterable[str], files: Mapping[str, Path]) -> dict[str, int]:
    """Return what uses what is changed: how many modules of the program lie between.

    What tests share, and a package that passes on what lies in it, lie between nothing.
    """
    used_by: dict[str, set[str]] = {}
    for name, file in files.items():
        for other in imported(name, file, files):
            used_by.setdefault(other, set()).add(name)
    reached, waiting = dict[str, int](), deque((name, 0) for name in changed)
    while waiting:
        name, far = waiting.popleft()
        if name in reached:
            continue
        reached[name] = far
        for user in used_by.get(name, ()):
            if not user.startswith("companion.") or name.startswith(f"{user}."):
                waiting.appendleft((user, far))
            else:
                waiting.append((user, far + 1))
    return reached


def nearest(far: Mapping[str, int], rooms: Iterable[str], tests: Mapping[str, int]) -> set[str]:
    """Return modules of tests that are near what is changed, given how many tests each has."""
    homes = tuple(f"tests.{ELSEWHERE.get(room, room)}." for room in rooms)
    near = {
        name
        for name in tests
        if far.get(name) == 0 or (name in far and name.startswith((*homes, *WHOLE)))
    }
    for step in range(1, max(far.values(), default=0) + 1):
        more = near | {name for name in tests if far.get(name) == step}
        if sum(tests[name] for name in more) > MANY:
            break
        near = more
    return near


def sentences(path: str, revision: str) -> set[str]:
    """Return the longest part of each text of a translation that differs from a revision."""
    git = ["git", "-C", str(ROOT), "show", f"{revision}:{path}"]
    before = subprocess.run(
        git, check=False, capture_output=True, text=True
    ).stdout  # a new one: ""
    now = (ROOT / path).read_text("utf-8")
    old, new = (
        {(entry.key, entry.translation) for entry in po.read(text)} for text in (before, now)
    )
    texts = {text for pair in old ^ new for text in pair}
    parts = {max(re.split(r"\{[^}]*\}|\n", text), key=len) for text in texts}
    return {part for part in parts if len(part) >= QUOTED}


def of_words(path: str, files: Mapping[str, Path], revision: str | None = None) -> set[str]:
    """Return the tests that a translation can touch: of words, of every language, and of it.

    With a revision to compare with, only those of words, and those that quote what has changed.
    """
    names = {name for name in files if name.startswith(OF_WORDS)}
    if path.startswith(GUIDES):
        return names
    named = re.compile(rf"""["']{re.escape(Path(path).stem)}(-[A-Z]+)?["']|\bLANGUAGES\b""")
    if revision is not None:
        named = re.compile("|".join(map(re.escape, sentences(path, revision))) or r"\Z.")
    tests = {name: file for name, file in files.items() if name.startswith("tests.")}
    return names | {name for name, file in tests.items() if named.search(file.read_text("utf-8"))}


def changed_modules(
    paths: Iterable[str], files: Mapping[str, Path], revision: str | None = None
) -> set[str]:
    """Return the modules that paths stand for, of translations what differs from a revision."""
    changed = set[str]()
    for path in paths:
        file = ROOT / path
        if path.endswith(".po"):
            changed |= of_words(path, files, revision if file.exists() else None)
        elif path.endswith(".md"):
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


class ChangedTests:
    """Leaves out what a change cannot touch, if only that is asked for, and tells of the rest."""

    def __init__(self, config: pytest.Config) -> None:
        self._revision: str | None = config.getoption("--changed")
        self._all = bool(config.getoption("--full") or config.getoption("--jobs"))
        self._far = Counter[str]()

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Choose the tests."""
        if self._revision is None:
            return
        files, paths = modules(), changed_paths(self._revision)
        revision = None if self._all else self._revision
        far = steps(changed_modules(paths, files, revision), files)
        names = [_name(item.path) for item in items]
        ours = [
            name
            for name, item in zip(names, items, strict=True)
            if item.get_closest_marker("slow") is None
        ]
        near = set(far)
        if not self._all:
            near = nearest(
                far, {path.split("/")[1] for path in paths if "/" in path}, Counter(ours)
            )
        left = [item for name, item in zip(names, items, strict=True) if name not in near]
        self._far = Counter(part(item.nodeid) for item in left if _name(item.path) in far)
        config.hook.pytest_deselected(items=left)
        items[:] = [item for name, item in zip(names, items, strict=True) if name in near]
        if hasattr(config, "workeroutput"):  # one of several processes: another tells
            config.workeroutput["far"] = dict(self._far)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Hear of a process what it has left out; all of them leave out the same."""
        self._far = Counter(getattr(node, "workeroutput", {}).get("far", {}))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say what the change can touch from afar, and was not run."""
        if self._far:
            parts = ", ".join(f"{name} {count}" for name, count in self._far.most_common())
            told = f"Not run, though the change can touch them from afar: {parts}; ./run test does."
            terminalreporter.write_line(told)


def _name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    parts = parts[parts[1:2] == ("rappelwacht_research",) :]  # it is imported by that name
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _above(name: str) -> Iterator[str]:
    parts = name.split(".")
    yield from (".".join(parts[:depth]) for depth in range(1, len(parts)))
