"""What CI starts, on a copy of it; door, interpreters and Debian are fakes that note calls."""

import re
import shutil
import subprocess
from pathlib import Path

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
