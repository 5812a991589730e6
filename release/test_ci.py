"""What CI starts, on a copy of it; door, interpreters and Debian are fakes that note calls."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
DOOR = """#!/usr/bin/env bash
venv=${0%/*}/.venv
[[ -e $venv ]] || { mkdir -p "$venv/bin"; cp "$HOME/a clone/.venv/bin/python" "$venv/bin"; }
echo "run $* with $(python3 -c version)" >>"$HOME/calls"
exit "${DOOR-0}"
"""
PYTHON = """#!/usr/bin/env bash
case "$2" in *executable*) echo "$0" ;; *) echo "{version}" ;; esac
"""
VENV = """#!/usr/bin/env bash
case "$2" in
  mypy) echo "mypy" >>"$HOME/calls" ;;
  *) echo "debian ${*:2}" >>"$HOME/calls"; exit "${DEBIAN-77}" ;;
esac
"""
USUAL = "run test with 3.11"
JOBS = "run test --jobs -n auto --dist worksteal with 3.11"
GIT = """#!/usr/bin/env bash
case "$3" in merge-base) [[ -n ${BASE-} ]] && echo "$BASE" ;; *) echo head ;; esac
"""
TESTS = r"run test -n auto --dist worksteal companion( [a-z]+/\S+)+"
OTHER = re.compile(rf"{TESTS} with 3\.13")
APART = re.compile(
    r"debian hardware\.debian\.debian_root (\S+) "
    rf"\./{TESTS} && \.venv/bin/python -m mypy mosquitto openssl espeak-ng"
)
AGAIN = (
    r"All jobs:\n"
    r"Once more, in a Debian trixie, what that can change: types, "
    r"companion( [a-z]+/\S+)+\n"
)
SKIPPED = r"SKIPPED: Python 3\.13 is not here, so nothing was tested with it\.\n"
INSTEAD = re.compile(AGAIN + r"With Python 3\.13 instead\.\n")
TOOLS = ("bash", "chmod", "cp", "env", "mkdir", "mktemp", "readlink", "rm", "sh", "tar")


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
    fake(programs / "git", GIT)
    (tree / ".ci").mkdir()
    fake(tree / ".venv/bin/python", VENV)
    shutil.copy2(ROOT / ".ci/run", tree / ".ci/run")
    for name in TOOLS:
        (programs / name).symlink_to(shutil.which(name) or "/missing")
    (tmp_path / "tmp").mkdir()
    return tree


def start(tree: Path, *words: str, **env: str) -> tuple[int, str, list[str]]:
    """Start it, and return its exit code, what it said and what it called."""
    home = tree.parent
    ran = subprocess.run(
        [tree / ".ci/run", *words],
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
    other = start(tree, DEBIAN="0")[2][-1]
    named = re.findall(r"\S*/\S+", other)
    assert len(named) > 30
    assert [one for one in named if not (ROOT / one).exists()] == []


def test_ci_tests_what_another_debian_can_change_in_a_debian_13(tree: Path) -> None:
    code, said, (usual, jobs, other) = start(tree, DEBIAN="0")
    assert (code, usual, jobs) == (0, USUAL, JOBS)
    assert re.fullmatch(AGAIN, said)
    apart = APART.fullmatch(other)
    assert apart is not None
    assert apart[1] == "trixie"


def test_on_a_debian_13_it_is_a_debian_12(tree: Path) -> None:
    fake(tree.parent / "bin/python3", PYTHON.format(version="3.13"))
    apart = APART.fullmatch(start(tree, DEBIAN="0")[2][-1])
    assert apart is not None
    assert apart[1] == "bookworm"


def test_ci_fails_when_the_tests_fail_in_the_other_debian_only(tree: Path) -> None:
    fake(tree.parent / "bin/python3.13", PYTHON.format(version="3.13"))
    code, _, calls = start(tree, DEBIAN="1")
    assert (code, len(calls)) == (1, 3)


@pytest.mark.parametrize("place", ["bin/python3.13", ".pyenv/versions/3.13.5/bin/python3"])
def test_where_no_debian_can_be_had_its_python_has_to_do(tree: Path, place: str) -> None:
    fake(tree.parent / place, PYTHON.format(version="3.13"))
    code, said, (usual, _, _, other, types) = start(tree)
    assert (code, usual, types) == (0, USUAL, "mypy")
    assert INSTEAD.fullmatch(said)
    assert OTHER.fullmatch(other)


def test_where_the_usual_python_is_the_newer_one_the_older_one_is_the_other(tree: Path) -> None:
    fake(tree.parent / "bin/python3", PYTHON.format(version="3.13"))
    fake(tree.parent / "bin/python3.11", PYTHON.format(version="3.11"))
    usual, _, _, other, _ = start(tree)[2]
    assert usual == "run test with 3.13"
    assert other.endswith(" with 3.11")


def test_a_python_that_is_not_there_is_told_of(tree: Path) -> None:
    code, said, (usual, *_) = start(tree)
    assert (code, usual) == (0, USUAL)
    assert re.fullmatch(AGAIN + SKIPPED, said)


def test_a_stand_in_that_starts_no_such_python_does_not_count(tree: Path) -> None:
    fake(tree.parent / "bin/python3.13", "#!/usr/bin/env bash\necho not found >&2\nexit 127\n")
    assert re.fullmatch(AGAIN + SKIPPED, start(tree)[1])


@pytest.mark.parametrize(
    ("words", "base", "since"),
    [
        ((), "base", " --changed=base"),  # a branch
        ((), "head", ""),  # the main branch itself
        (("tag",), "base", " --changed=tag"),
        (("all",), "base", ""),
    ],
)
def test_jobs_are_run_if_what_they_test_has_changed(
    tree: Path, words: tuple[str, ...], base: str, since: str
) -> None:
    _, said, (_, jobs, *_) = start(tree, *words, BASE=base)
    assert jobs == JOBS.replace(" with", f"{since} with")
    assert ("All jobs:" in said) == (not since)


def test_ci_fails_when_a_job_fails(tree: Path) -> None:
    fake(tree / "run", DOOR.replace('"${DOOR-0}"', "$(( $# > 1 ))"))
    assert start(tree)[::2] == (1, [USUAL, JOBS])


def test_ci_fails_when_the_tests_fail(tree: Path) -> None:
    fake(tree.parent / "bin/python3.13", PYTHON.format(version="3.13"))
    assert start(tree, DOOR="1")[::2] == (1, [USUAL])


def test_ci_fails_when_the_tests_fail_with_the_other_python_only(tree: Path) -> None:
    fake(tree.parent / "bin/python3.13", PYTHON.format(version="3.13"))
    fake(tree / "run", DOOR.replace('"${DOOR-0}"', "$(( $# > 6 ))"))
    code, _, (usual, *_, other) = start(tree)
    assert (code, usual) == (1, USUAL)
    assert OTHER.fullmatch(other)


def test_ci_fails_when_the_types_fail_with_the_other_python_only(tree: Path) -> None:
    fake(tree.parent / "bin/python3.13", PYTHON.format(version="3.13"))
    fake(tree / ".venv/bin/python", VENV.replace('calls" ;;', 'calls"; exit 1 ;;'))
    code, _, calls = start(tree)
    assert (code, calls[-1]) == (1, "mypy")


# --- what the forge does --------------------------------------------------------------------------

WORKFLOWS = sorted((ROOT / ".github/workflows").iterdir())
PINNED = re.compile(r"actions/(checkout|upload-artifact|download-artifact)@v4")


def jobs_of(file: Path) -> dict[str, Any]:
    """Return the jobs of a workflow by their names."""
    read = pytest.importorskip("yaml").safe_load(file.read_text("utf-8"))
    assert read["permissions"] in ({}, {"contents": "read"})
    jobs: dict[str, Any] = read["jobs"]
    return jobs


def lines_of(job: dict[str, Any]) -> list[str]:
    """Return what a job has a shell run."""
    return [step["run"] for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_a_workflow_says_how_long_and_with_what_and_in_what_a_shell_can_read(file: Path) -> None:
    for job in jobs_of(file).values():
        assert job["timeout-minutes"] <= 120
        for step in job["steps"]:
            assert PINNED.fullmatch(step["uses"]) if "uses" in step else step["run"]
        for lines in lines_of(job):
            assert subprocess.run(["sh", "-n", "-c", lines], check=False).returncode == 0, lines
            assert "${{" not in lines  # what somebody else wrote is never pasted into a line


def test_a_release_is_tested_then_made_then_attached_and_only_that_may_write() -> None:
    test, make, attach = jobs_of(ROOT / ".github/workflows/release.yml").values()
    assert test["permissions"] == make["permissions"] == {"contents": "read"}
    assert attach["permissions"] == {"contents": "write"}
    assert (make["needs"], attach["needs"]) == ("test", "make")
    assert ".ci/run all" in lines_of(test)
    assert all(line.startswith("gh release create ") for line in lines_of(attach))
    assert "checkout" not in str(attach)
    assert "secrets." not in str(test) + str(attach)
    assert "/run test" not in str(make)


@pytest.mark.parametrize(
    ("key", "asked"), [("", ["release", "dist"]), ("a key", ["release", "dist", "--key", "/key"])]
)
def test_a_release_is_signed_where_there_is_a_key_which_does_not_stay(
    tmp_path: Path, key: str, asked: list[str]
) -> None:
    make = jobs_of(ROOT / ".github/workflows/release.yml")["make"]
    (step,) = [step for step in make["steps"] if "secrets." in str(step)]
    assert list(step["env"]) == ["RELEASE_KEY"]
    fake(
        tmp_path / "run",
        '#!/bin/sh\nprintf "%s\\n" "$@" >>called\nstat -c %a "$RUNNER_TEMP/key" >>mode\n',
    )
    temp = tmp_path / "temp of runner"
    temp.mkdir()
    env = {"PATH": "/usr/bin:/bin", "RUNNER_TEMP": str(temp), "RELEASE_KEY": key}
    subprocess.run(["sh", "-e", "-c", step["run"]], cwd=tmp_path, env=env, check=True)
    called = (tmp_path / "called").read_text().replace(str(temp), "").splitlines()
    assert called == asked
    assert (tmp_path / "mode").read_text() == "600\n"
    assert list(temp.iterdir()) == []
