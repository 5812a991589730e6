"""Break the rules on purpose, one at a time: the tests of the rules must notice every time.

Each mutant is a copy of the companion and of its tests with one text replaced. What kills it is a
failed test, not a file that cannot be imported. So a test that asserts nothing is found out.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.mutants.mutants import MUTANTS, Mutant

ROOT = Path(__file__).parent.parent.parent
TESTS = Path("tests/rules/zapp_zerapp")
FAILED = 1  # pytest's exit code; 0: all passed, 2 and more: the tests could not run
LIMIT_S = 300
HASTY = """from hypothesis import Phase, settings
settings.register_profile("hasty", phases=(Phase.explicit, Phase.generate))
settings.load_profile("hasty")
"""  # that it fails is enough: nobody reads the smallest example

PARAMETERS = pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.name for mutant in MUTANTS])
ALL_KILLERS = sorted({file for mutant in MUTANTS for file in mutant.killers})


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy what is needed."""
    copy: Path = tmp_path_factory.mktemp("original")
    shutil.copytree(ROOT / "companion", copy / "companion", ignore=_compiled)
    (copy / "tests").mkdir()
    shutil.copy2(ROOT / "tests/__init__.py", copy / "tests")
    shutil.copytree(ROOT / "tests/rules", copy / "tests/rules", ignore=_compiled)
    (copy / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n", encoding="utf-8")
    (copy / "conftest.py").write_text(HASTY, encoding="utf-8")
    return copy


def test_the_copy_passes_without_a_mutant(original: Path) -> None:
    ran = _run_tests(original, ALL_KILLERS)  # so whatever fails below, fails for a mutant
    assert ran.returncode == 0, f"the tests fail without a mutant:\n{ran.stdout}{ran.stderr}"


@PARAMETERS
def test_the_text_to_replace_occurs_once(mutant: Mutant) -> None:
    text = (ROOT / "companion/rules" / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1, f"{mutant.file} has changed: {mutant.old!r}"
    assert mutant.old != mutant.new


@PARAMETERS
def test_a_test_fails_when(mutant: Mutant, original: Path, tmp_path: Path) -> None:
    ran = _try(mutant, original, tmp_path / "copy")
    assert ran.returncode == FAILED, (
        f"{mutant.breaks} can be broken unnoticed:\n{ran.stdout[-2000:]}"
    )
    assert "\nFAILED " in ran.stdout
    assert "\nERROR " not in ran.stdout


def test_names_tell_mutants_apart() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


def _try(mutant: Mutant, original: Path, copy: Path) -> subprocess.CompletedProcess[str]:
    """Run its likely killers on a mutant; if it survives them, everybody's."""
    shutil.copytree(original, copy)
    module = copy / "companion/rules" / mutant.file
    text = module.read_text(encoding="utf-8")
    module.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        ran = _run_tests(copy, mutant.killers)
        return ran if ran.returncode else _run_tests(copy, ALL_KILLERS)
    finally:
        shutil.rmtree(copy)


def _run_tests(copy: Path, files: Sequence[str]) -> subprocess.CompletedProcess[str]:
    paths = [str(TESTS / file) for file in files]
    options = ("-x", "-q", "-rfE", "-p", "no:cacheprovider", "--tb=line", "-c", "pytest.ini")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    mine = {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(  # noqa: S603
        [sys.executable, "-m", "pytest", *options, *paths],
        cwd=copy,
        env=kept | mine,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=LIMIT_S,
        check=False,
    )


def _compiled(_: str, names: list[str]) -> set[str]:
    return {name for name in names if name == "__pycache__"}
