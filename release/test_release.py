"""A release is made as CONTRIBUTING.md says, and the changelog agrees with the version."""

import re
import shutil
import subprocess
from datetime import date
from pathlib import Path
from typing import Final

import pytest

from companion import __version__
from examples.readme.lines import of
from release.install.roots import PROJECT, ROOT, copy_project

HEADING: Final = re.compile(r"(\d+\.\d+\.\d+), (not released|\d{4}-\d\d-\d\d)")
SECTIONS: Final = ("New", "Changed", "Fixed")
CHANGES: Final = (ROOT / "CHANGELOG.md").read_text("utf-8")
NEXT: Final = "9.8.7"


def headings(text: str) -> list[tuple[str, str]]:
    """Return version and day of every heading, in the order of reading."""
    found = [HEADING.fullmatch(line) for line in re.findall(r"^## (.*)", text, re.MULTILINE)]
    return [(one[1], one[2]) for one in found if one]


def test_the_newest_heading_is_the_version_and_only_that_one_may_not_be_released() -> None:
    found = headings(CHANGES)
    assert found[0][0] == __version__
    versions = [tuple(map(int, version.split("."))) for version, _ in found]
    assert versions == sorted(set(versions), reverse=True)
    released = [date.fromisoformat(day) for _, day in found if day != "not released"]
    assert released == sorted(released, reverse=True)
    assert len(found) - len(released) <= 1
    assert "not released" not in [day for _, day in found[1:]]


def test_every_change_stands_in_a_section_below_a_version() -> None:
    _, *parts = re.split(r"^## .*\n", CHANGES, flags=re.MULTILINE)
    assert len(parts) == len(headings(CHANGES))
    for part in parts:
        before, *_ = re.split(r"^### ", part, flags=re.MULTILINE)
        assert not before.strip()
        names = re.findall(r"^### (.*)", part, re.MULTILINE)
        assert names == [one for one in SECTIONS if one in names]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no repository, so there are no tags")
def test_what_is_tagged_is_released() -> None:
    words = ["git", "-C", str(ROOT), "tag", "--points-at", "HEAD", "v*"]
    said = subprocess.run(words, capture_output=True, text=True, check=False)
    for tag in said.stdout.split():
        assert tag == f"v{__version__}"
        assert headings(CHANGES)[0][1] != "not released"


def test_the_recipe_has_no_test_of_the_wheel_left_out_as_slow() -> None:
    (line,) = (one.text for one in of("some tests") if "release/test_built_wheel.py" in one.text)
    assert "--full" in line.split()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="needs git: sudo apt-get install git")
def test_a_release_is_made_by_the_lines_of_its_recipe(tmp_path: Path) -> None:
    here, published = tmp_path / "project", tmp_path / "published.git"
    parts = (*PROJECT, ".gitignore", "hardware/pins.toml", "release", "research")
    copy_project(here, parts)
    (tmp_path / ".ssh").mkdir(0o700)
    furnish(here)
    type_in(here, f"git init -q --bare {published}", "git init -q", "git add .", "git commit -qm 1")
    type_in(here, f"git remote add origin {published}", "git push -q -u origin main")
    number = here / "companion/__init__.py"
    number.write_text(number.read_text("utf-8").replace(__version__, NEXT), "utf-8")
    log = here / "CHANGELOG.md"
    log.write_text(log.read_text("utf-8").replace(f"## {__version__}", f"## {NEXT}"), "utf-8")
    lines = [line.text for line in of("release")]
    key = lines.index(next(line for line in lines if line.startswith("ssh-keygen")))
    type_in(here, *lines[key:], "git add .")  # these stand last, as they are typed only once
    type_in(here, *lines[:key])
    made = {file.name for file in (here / "dist").iterdir()}
    assert made >= {
        f"rappelwacht-{NEXT}-py3-none-any.whl",
        f"rappelwacht-{NEXT}.tar.gz",
        f"rappelwacht_research-{NEXT}-py3-none-any.whl",
    }
    said = type_in(published, "git log --format=%s%d main -1", "git tag -n1")
    assert said == f"Version {NEXT} (HEAD -> main, tag: v{NEXT})\nv{NEXT}          Version {NEXT}\n"
    assert type_in(here, "git status --short") == ""
    said = type_in(
        here / "dist",
        "ssh-keygen -Y verify -f ../companion/cli/install/allowed_signers -I rappelwacht"
        " -n rappelwacht -s SHA256SUMS.sig <SHA256SUMS",
        "sha256sum --quiet --check SHA256SUMS",
    )
    assert 'Good "rappelwacht" signature' in said


def furnish(here: Path) -> None:
    """Give a copy of the project the environment that the tests have; its door finds it ready."""
    programs = here / ".venv/bin"
    programs.mkdir(parents=True)
    for name, runs in (("python", "python"), ("hatchling", "python -m hatchling")):
        lines = f'#!/bin/sh\nPYTHONPATH="{here}" exec "{ROOT}/.venv/bin/"{runs} "$@"\n'
        (programs / name).write_text(lines, "utf-8")
        (programs / name).chmod(0o755)
    stamp = "sha256sum -- $PWD/pyproject.toml $PWD/research/pyproject.toml $PWD/requirements.lock"
    home = "printf '%s\\n' $PWD $PWD/.venv/bin/python"
    type_in(here, f"{{ {home}; {stamp}; }} >.venv/requirements.lock.stamp")


def type_in(folder: Path, *lines: str) -> str:
    """Type lines one after another into one shell; return what they say."""
    who = ("GIT_AUTHOR", "GIT_COMMITTER")
    done = subprocess.run(
        ["bash", "-ec", "\n".join(lines)],
        cwd=folder,
        env={
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(folder.parent),
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "init.defaultBranch",
            "GIT_CONFIG_VALUE_0": "main",
            **{f"{one}_NAME": "Mira" for one in who},
            **{f"{one}_EMAIL": "mira@example.org" for one in who},
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (lines, done.stdout, done.stderr)
    return done.stdout
