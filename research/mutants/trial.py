"""One trial of the rules' tests: on the rules as they are, or on a mutant of them.

Each trial is a process of its own, forked from one that has imported pytest, Hypothesis and the
rules as they are. There the game that the mutant is in is imported anew (all of them, if it is in
what they share), and the mutant's module is loaded with its text replaced; no file is changed.
"""

import multiprocessing
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, settings

from research.mutants import quick
from research.mutants.mutations import ROOT, Mutant

LIMIT_S: Final = 300
UNBORN: Final = 99  # the code of a mutant that cannot be imported
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


def run_tests(mutant: Mutant | None, files: Sequence[Path], scratch: Path) -> Ran:
    """Run the tests of these files, from the root, until one fails."""
    said = scratch / "said"
    process = _FORKS.Process(target=_run, args=(mutant, files, said))
    process.start()
    process.join(LIMIT_S)
    code = process.exitcode
    process.kill()
    process.join()
    return Ran(code, said.read_text(encoding="utf-8"))


def _run(mutant: Mutant | None, files: Sequence[Path], said: Path) -> None:
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
    if mutant is not None:
        _forget(mutant.module)
        broken = _Broken(mutant)
        sys.meta_path.insert(0, broken)
    with said.open("w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    if mutant is not None:
        try:
            import_module(broken.module)
        except Exception:  # noqa: BLE001 - a broken module may raise anything
            sys.exit(UNBORN)
    sys.exit(pytest.main([*OPTIONS, *(str(file) for file in files)], [quick]))


def _forget(module: Path) -> None:
    """Have all that a module belongs to imported anew; the other games stay as they are."""
    ours = ".".join(module.parts[:3])
    shared = () if ours.startswith("companion.games.") else ("companion.games.",)
    for name in [*sys.modules]:
        if name == "companion.games" or f"{name}.".startswith((f"{ours}.", *shared)):
            del sys.modules[name]


class _Broken(MetaPathFinder, InspectLoader):
    """Finds the mutant's module, and nothing else."""

    def __init__(self, mutant: Mutant) -> None:
        self._text = mutant.text
        self.module = ".".join(mutant.module.with_suffix("").parts)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        """Leave every other module to those who find it."""
        return spec_from_loader(name, self) if name == self.module else None

    def get_source(self, _: str) -> str:
        """Return what the mutant makes of the module."""
        return self._text
