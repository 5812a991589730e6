"""What CI starts, on a copy of it; the door and the interpreters are fakes that note calls."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
DOOR = """#!/usr/bin/env bash
echo "run $* with $(python3 -c version)" >>"$HOME/calls"
exit "${DOOR-0}"
"""
PYTHON = """#!/usr/bin/env bash
case "$2" in *executable*) echo "$0" ;; *) echo "{version}" ;; esac
"""
USUAL = "run test with 3.11"
OTHER = re.compile(r"run test -n auto --dist worksteal companion( tests/\S+)+ with 3\.13")
AGAIN = re.compile(r"Once more, with Python 3\.13, what that can change: companion( tests/\S+)+\n")
TOOLS = ("bash", "chmod", "env", "mkdir", "mktemp", "readlink", "rm", "sh", "tar")


def fake(file: Path, text: str) -> None:
    """Put a command there."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Lay out a clone, and a PATH with Python 3.11 on it."""
    tree, programs = tmp_path / "a clone", tmp_path / "bin"
    fake(tree / "run", DOOR)
    fake(programs / "python3", PYTHON.format(version="3.11"))
    (tree / ".ci").mkdir()
    (tree / ".venv").mkdir()
    shutil.copy2(ROOT / ".ci/run", tree / ".ci/run")
    for name in TOOLS:
        (programs / name).symlink_to(shutil.which(name) or "/missing")
    (tmp_path / "tmp").mkdir()
    return tree


def start(tree: Path, **env: str) -> tuple[int, str, list[str]]:
    """Start it, and return its exit code, what it said and what it called."""
    home = tree.parent
    ran = subprocess.run(
        [tree / ".ci/run"],
        env={"PATH": str(home / "bin"), "HOME": str(home), "TMPDIR": str(home / "tmp")} | env,
        cwd=home,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ran.stdout == ""
    assert list((home / "tmp").iterdir()) == []
    return ran.returncode, ran.stderr, (home / "calls").read_text().splitlines()


def test_all_that_ci_tests_with_both_is_there(tree: Path) -> None:
    fake(tree.parent / "bin/python3.13", PYTHON.format(version="3.13"))
    _, other = start(tree)[2]
    named = re.findall(r"\S*/\S+", other)
    assert len(named) > 30
    assert [one for one in named if not (ROOT / one).exists()] == []


@pytest.mark.parametrize("place", ["bin/python3.13", ".pyenv/versions/3.13.5/bin/python3"])
def test_ci_tests_with_the_python_of_debian_12_and_of_debian_13(tree: Path, place: str) -> None:
    fake(tree.parent / place, PYTHON.format(version="3.13"))
    code, said, (usual, other) = start(tree)
    assert (code, usual) == (0, USUAL)
    assert AGAIN.fullmatch(said)
    assert OTHER.fullmatch(other)


def test_where_the_usual_python_is_the_newer_one_the_older_one_is_the_other(tree: Path) -> None:
    fake(tree.parent / "bin/python3", PYTHON.format(version="3.13"))
    fake(tree.parent / "bin/python3.11", PYTHON.format(version="3.11"))
    usual, other = start(tree)[2]
    assert usual == "run test with 3.13"
    assert other.endswith(" with 3.11")


def test_a_python_that_is_not_there_is_told_of(tree: Path) -> None:
    code, said, calls = start(tree)
    assert (code, calls) == (0, [USUAL])
    assert said == "SKIPPED: Python 3.13 is not here, so nothing was tested with it.\n"


def test_a_stand_in_that_starts_no_such_python_does_not_count(tree: Path) -> None:
    fake(tree.parent / "bin/python3.13", "#!/usr/bin/env bash\necho not found >&2\nexit 127\n")
    assert start(tree)[1].startswith("SKIPPED: Python 3.13")


def test_ci_fails_when_the_tests_fail(tree: Path) -> None:
    fake(tree.parent / "bin/python3.13", PYTHON.format(version="3.13"))
    assert start(tree, DOOR="1")[::2] == (1, [USUAL])


def test_ci_fails_when_the_tests_fail_with_the_other_python_only(tree: Path) -> None:
    fake(tree.parent / "bin/python3.13", PYTHON.format(version="3.13"))
    fake(tree / "run", DOOR.replace('"${DOOR-0}"', "$(( $# > 1 ))"))
    code, _, (usual, other) = start(tree)
    assert (code, usual) == (1, USUAL)
    assert OTHER.fullmatch(other)
