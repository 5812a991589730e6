"""One trial of the rules' tests: on the rules as they are, or on a mutant of them.

Each trial is a process of its own, forked from one that has imported pytest, Hypothesis and the
rules as they are. There the game that the mutant is in is imported anew (all of them, if it is in
what they share), and the mutant's module is loaded with its text replaced; no file is changed. The
tests that name the fact that it breaks run first. It must not know which mutants there are.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.mutants.mutants import Mutant

ROOT: Final = Path(__file__).parent.parent.parent
TESTS: Final = "tests/games/zapp_zerapp"
LIMIT_S: Final = 300
OPTIONS: Final = (
    *("-x", "-q", "-rfE", "--tb=line", "--noconftest", "-o", "addopts=", "-p", "no:cacheprovider"),
    *("-p", "no:unraisableexception", "-p", "no:threadexception"),  # slow; here are no threads
)
PARTS: Final = ("games", "core.log", "core.notation", "core.packing")

_FORKS: Final = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(
    ["pytest", "hypothesis", "hypothesis.stateful", *(f"companion.{part}" for part in PARTS)]
)


@dataclass(frozen=True, slots=True)
class Ran:
    """What pytest came to; no code if it did not end."""

    code: int | None
    said: str


def run_tests(mutant: Mutant | None, files: Sequence[str], scratch: Path) -> Ran:
    """Run the tests of these files until one fails."""
    said = scratch / "said"
    process = _FORKS.Process(target=_run, args=(mutant, files, said))
    process.start()
    process.join(LIMIT_S)
    code = process.exitcode
    process.kill()
    process.join()
    return Ran(code, said.read_text(encoding="utf-8"))


def _run(mutant: Mutant | None, files: Sequence[str], said: Path) -> None:
    os.chdir(ROOT)
    for name in [name for name in os.environ if name.startswith("PYTEST")]:
        del os.environ[name]  # they are about the pytest that asked
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    sys.pycache_prefix, sys.dont_write_bytecode = str(said.parent.parent / "compiled"), False
    # That it fails is enough: nobody reads the smallest example, and nothing shall remember it.
    # Without a mutant they shall pass here as they do elsewhere: few examples say so. A slow
    # computer breaks no rule: no example has a deadline.
    phases, examples = (Phase.explicit, Phase.generate), 100 if mutant else 12
    settings.register_profile(
        "hasty",
        phases=phases,
        database=None,
        deadline=None,
        derandomize=True,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("hasty")
    plugins = []
    if mutant is not None:
        _forget(mutant.file)
        sys.meta_path.insert(0, _Broken(mutant))
        plugins.append(_FactFirst(mutant.breaks))
    with said.open("w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.exit(pytest.main([*OPTIONS, *(str(Path(TESTS, name)) for name in files)], plugins))


@cache
def source_of(mutant: Mutant) -> Path:
    """Return the module of its game, or of what all games share, that holds the text it replaces.

    It may have moved to another module there.
    """
    game, _, part = mutant.file.rpartition("/")
    folder = Path("companion/games", game, "rules") if game else Path("companion/core")
    modules = [
        folder / part,
        *(folder / file.name for file in sorted((ROOT / folder).glob("*.py"))),
    ]
    holding = (one for one in modules if mutant.old in text_of(one))
    return next(holding, folder / part)


def text_of(module: Path) -> str:
    """Return what a module says; nothing if it is gone."""
    file = ROOT / module
    return file.read_text(encoding="utf-8") if file.exists() else ""


def _forget(file: str) -> None:
    """Have all that a file belongs to imported anew; the other games stay as they are."""
    game, _, _ = file.rpartition("/")
    broken = (f"companion.games.{game}.",) if game else ("companion.games.", "companion.core.")
    for name in [*sys.modules]:
        if name == "companion.games" or f"{name}.".startswith(broken):
            del sys.modules[name]


class _FactFirst:
    """Lets pytest begin with the tests that bear the number of a fact."""

    def __init__(self, fact: str) -> None:
        self._begin = f"test_{fact.lower().replace('-', '_')}_"

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort; else the order stays."""
        items.sort(key=lambda item: not item.name.startswith(self._begin))


class _Broken(MetaPathFinder, InspectLoader):
    """Finds the mutant's module, and nothing else; loads it with its text replaced."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant
        self._module = ".".join(source_of(mutant).with_suffix("").parts)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Leave every other module to those who find it."""
        return spec_from_loader(name, self) if name == self._module else None

    def get_source(self, _: str) -> str:
        """Return what the mutant makes of the module."""
        return text_of(source_of(self._mutant)).replace(self._mutant.old, self._mutant.new)
