"""What CI starts, on a copy of it; the door and the package manager are fakes that note calls."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOTE = '#!/usr/bin/env bash\necho "{name} $*" >>"$HOME/calls"\n'
SAID = "Installing what some tests need, as Debian packages: {}.\n"
CANNOT = "That cannot be done here, so those tests are skipped.\n"
CHROMIUM = "chromium fonts-dejavu-core"


def fake(file: Path, more: str = "") -> None:
    """Put a command there that notes how it was called."""
    file.write_text(NOTE.format(name=file.name) + more)
    file.chmod(0o755)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Lay out a clone, and a PATH on which root finds a package manager but no Chromium nor dot."""
    tree, programs = tmp_path / "a clone", tmp_path / "bin"
    (tree / ".ci").mkdir(parents=True)
    programs.mkdir()
    shutil.copy2(ROOT / ".ci/run", tree / ".ci/run")
    fake(tree / "run", 'exit "${DOOR-0}"')
    for name in ("bash", "env", "readlink"):
        (programs / name).symlink_to(shutil.which(name) or "/missing")
    fake(programs / "id", "echo 0")
    fake(programs / "apt-get", '[[ "$*" != *install* ]] || exit "${APT-0}"')
    return tree


def start(tree: Path, **env: str) -> tuple[int, str, list[str]]:
    """Start it, and return its exit code, what it said and what it called."""
    home = tree.parent
    ran = subprocess.run(  # noqa: S603
        [tree / ".ci/run"],
        env={"PATH": str(home / "bin"), "HOME": str(home)} | env,
        cwd=home,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ran.stdout == ""
    calls = (home / "calls").read_text().splitlines()
    return ran.returncode, ran.stderr, [call for call in calls if not call.startswith("id")]


def test_ci_gets_what_the_tests_need_before_it_tests(tree: Path) -> None:
    assert start(tree, CI="true") == (
        0,
        SAID.format(CHROMIUM) + SAID.format("graphviz"),
        [
            "apt-get -qq update",
            f"apt-get -qq --no-install-recommends -y install {CHROMIUM}",
            "apt-get -qq update",
            "apt-get -qq --no-install-recommends -y install graphviz",
            "run test",
        ],
    )


def test_ci_tests_even_where_nothing_can_be_installed(tree: Path) -> None:
    code, said, calls = start(tree, CI="true", APT="100")
    assert (code, calls[-1]) == (0, "run test")
    assert said == SAID.format(CHROMIUM) + CANNOT + SAID.format("graphviz") + CANNOT


def test_one_thing_that_cannot_be_installed_costs_only_its_own_tests(tree: Path) -> None:
    fake(tree.parent / "bin/apt-get", '[[ "$*" != *chromium* ]]')
    code, said, calls = start(tree, CI="true")
    assert (code, calls[-1]) == (0, "run test")
    assert said == SAID.format(CHROMIUM) + CANNOT + SAID.format("graphviz")


def test_ci_installs_only_what_is_missing(tree: Path) -> None:
    fake(tree.parent / "bin/chromium")
    assert start(tree, CI="true")[2][1].endswith("install graphviz")


def test_ci_leaves_alone_what_is_there(tree: Path) -> None:
    fake(tree.parent / "bin/chromium")
    fake(tree.parent / "bin/dot")
    assert start(tree, CI="true") == (0, "", ["run test"])


def test_nothing_is_installed_for_others_than_root_nor_outside_of_ci(tree: Path) -> None:
    assert start(tree) == (0, "", ["run test"])
    fake(tree.parent / "bin/id", "echo 1000")
    assert start(tree, CI="true") == (0, "", ["run test"] * 2)


def test_ci_fails_when_the_tests_fail(tree: Path) -> None:
    assert start(tree, DOOR="1")[0] == 1
