"""The one door, started for real on copies of it; what would need a network is a fake on PATH."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROGRAM, TESTS, BENCHES = (
    f"{folder}requirements.lock" for folder in ("", "tests/", "research/bench/")
)
LOCKS = {"build": PROGRAM, "test": TESTS, "bench": BENCHES}
TOOLS = (
    *("bash", "cat", "dirname", "env", "flock", "getconf", "grep", "id"),
    *("readlink", "rm", "sed", "sha256sum", "sleep", "tail"),
)
NEEDS_VENV = "It could not be installed; do that with: sudo apt-get install python3-venv\n"

pytestmark = pytest.mark.skipif(
    shutil.which("flock") is None, reason="needs flock: sudo apt-get install util-linux"
)

SHOWING = """
    import json, os, sys

    told = {"args": sys.argv[1:], "cwd": os.getcwd(), "open": os.listdir("/proc/self/fd")}
    told |= {"door": os.environ.get("RAPPELWACHT_STARTED_AS"), "venv": "with spaces" in sys.prefix}
    print(json.dumps(told))
"""

# What pip does, in few words: it notes the call, fails if it shall, and links what is editable.
PIP = """
    import os, pathlib, select, signal, sys

    home, args, fault = pathlib.Path(os.environ["HOME"]), sys.argv[1:], os.environ["FAULT"]
    with (home / "calls").open("a") as calls:
        calls.write("pip " + " ".join(args) + "\\n")
    if fault == "network" or (fault == "wheels" and "--only-binary" in args):
        print("WARNING: Retrying after connection broken")
        sys.exit("ERROR: No matching distribution found for hatchling")
    if fault == "power cut":
        os.kill(os.getppid(), signal.SIGKILL)
    if fault == "gate" and "-r" in args:
        os.write(os.open(home / "waits", os.O_RDWR), b"here")
        select.select([os.open(home / "gate", os.O_RDWR)], [], [], 60)
    if "-e" in args:
        link = next(pathlib.Path(sys.prefix).glob("lib/*/site-packages")) / "link.pth"
        link.write_text(args[args.index("-e") + 1])
"""
PYTHON = """
    case "$1 $2" in
      *version_info*) [[ $FAULT != "old Python" ]] ;;
      *ensurepip*) [[ $FAULT != "no venv module" || -e $HOME/installed ]] ;;
      "-m venv")
        echo "venv" >>"$HOME/calls"
        "$REAL" -m venv --without-pip "$3"
        cat "$HOME/pip.py" >"$(echo "$3"/lib/*/site-packages)/pip.py" ;;
      *) exec "$REAL" "$@" ;;
    esac
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a start of the door came to."""

    code: int
    out: str
    said: str


@dataclass(frozen=True, slots=True)
class Door:
    """A copy of the door in a small tree, and a PATH with nothing on it but what a test knows."""

    tree: Path
    home: Path
    env: dict[str, str] = field(default_factory=dict)

    def tool(self, name: str, script: str) -> None:
        """Put a command on PATH."""
        file = self.home / "bin" / name
        file.unlink(missing_ok=True)
        file.write_text("#!/usr/bin/env bash\n" + textwrap.dedent(script))
        file.chmod(0o755)

    def start(self, *args: str, path: Path | None = None, **env: str) -> subprocess.Popen[str]:
        """Start the door and leave it running."""
        return subprocess.Popen(
            [path or self.tree / "run", *args],
            cwd=self.home,
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # what it sends to its group is not for us
        )

    def run(self, *args: str, path: Path | None = None, **env: str) -> Ran:
        """Start the door and wait for its end."""
        with self.start(*args, path=path, **env) as door:
            out, said = door.communicate(timeout=120)
        return Ran(door.returncode, out, said)

    @contextmanager
    def waiting(self, *args: str) -> Iterator[subprocess.Popen[str]]:
        """Start the door, and go on once its pip waits, until something is written to the gate."""
        waits = os.open(self.home / "waits", os.O_RDWR)
        with self.start(*args, FAULT="gate") as door:
            os.read(waits, 4)
            os.close(waits)
            yield door

    def calls(self) -> list[str]:
        """Tell what was asked of the fakes since the last time."""
        file = self.home / "calls"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines

    def installs(self) -> list[str]:
        """Return which lock files were installed since the last time."""
        found = (re.search(r"-r .*?with spaces/(\S+)", call) for call in self.calls())
        return [one[1] for one in found if one]


@pytest.fixture
def door(tmp_path: Path) -> Door:
    """Lay out a tree with the door in it, in a folder whose name has spaces."""
    home, tree, wrong = tmp_path / "home", tmp_path / "a tree with spaces", tmp_path / "wrong"
    for folder in (
        home / "bin",
        tree / "companion",
        tree / "tests",
        tree / "release",
        tree / "research/bench",
        wrong / "companion",
    ):
        folder.mkdir(parents=True)
    for name in TOOLS:
        (home / "bin" / name).symlink_to(shutil.which(name) or "/missing")
    shutil.copy2(ROOT / "run", tree / "run")
    for name in (
        "pyproject.toml",
        "companion/__init__.py",
        "research/pyproject.toml",
        "tests/__init__.py",
        *LOCKS.values(),
    ):
        (tree / name).touch()
    for name in (
        "companion/__main__.py",
        "tests/__main__.py",
        "release/words.py",
        "release/release.py",
    ):
        (tree / name).write_text(textwrap.dedent(SHOWING))
    (wrong / "companion/__main__.py").write_text("raise SystemExit('the wrong companion')")
    (home / "pip.py").write_text(textwrap.dedent(PIP))
    for name in ("waits", "gate"):
        os.mkfifo(home / name)
    env = {"PATH": str(home / "bin"), "HOME": str(home), "REAL": sys.executable, "FAULT": ""}
    env |= dict.fromkeys(("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV"), str(wrong))
    made = Door(tree, home, env)
    made.tool("python3", PYTHON)
    return made


def test_the_first_start_sets_up_with_hashes_and_the_second_only_starts(door: Door) -> None:
    first = door.run("--seats", "4")
    told = json.loads(first.out)
    assert (first.code, told["args"], told["venv"]) == (0, ["--seats", "4"], True)
    assert set(told["open"]) <= {"0", "1", "2", "3"}  # 3 is the listing itself
    venv, lock, project = door.calls()
    assert venv == "venv"
    assert f"--require-hashes -r {door.tree}/{PROGRAM}" in lock
    assert f"--no-deps --no-build-isolation -e {door.tree}" in project
    link = door.home / "link"
    link.symlink_to(door.tree / "run")
    second = door.run(path=link)
    assert (second.code, second.said, door.calls()) == (0, "", [])
    assert json.loads(second.out)["door"] == str(link)
    assert json.loads(second.out)["cwd"] == str(door.home)


@pytest.mark.parametrize("name", ["pyproject.toml", PROGRAM])
def test_a_changed_file_is_installed_again_into_the_same_environment(door: Door, name: str) -> None:
    door.run()
    door.calls()
    (door.tree / name).write_text("# changed\n")
    assert door.run().code == 0
    assert [call.split()[0] for call in door.calls()] == ["pip", "pip"]


@pytest.mark.parametrize("fault", ["power cut", "lost interpreter", "moved", "network"])
def test_what_was_cut_off_or_moved_is_set_up_at_the_next_start(door: Door, fault: str) -> None:
    first, run, python = door.run(FAULT=fault), door.tree / "run", door.tree / ".venv/bin/python"
    if fault == "lost interpreter":
        python.unlink()
        python.symlink_to("/gone/python3")
    elif fault == "moved":
        run = door.tree.rename(door.home / "moved with spaces") / "run"
    elif fault == "network":
        assert "No matching distribution found for hatchling" in first.said
        assert "check the network and start again" in first.said
        assert "WARNING" not in first.said
        assert first.code == 1
    door.calls()
    assert door.run(path=run).code == 0
    assert (door.calls()[0] == "venv") == (fault != "network")


def test_two_starts_at_once_set_up_once_and_ctrl_c_is_one_sentence(door: Door) -> None:
    with door.waiting("first") as first, door.start("second") as second:
        assert second.stderr
        assert second.stderr.readline().startswith("Another start is setting up")
        (door.home / "gate").write_text("go on")
        assert json.loads(second.communicate(timeout=120)[0])["args"] == ["second"]
        assert json.loads(first.communicate(timeout=120)[0])["args"] == ["first"]
    assert [call.split()[0] for call in door.calls()] == ["venv", "pip", "pip"]
    with door.waiting("test") as tests:  # whoever only starts does not wait for what tests need
        assert json.loads(door.run("play").out)["args"] == ["play"]
        os.killpg(tests.pid, signal.SIGINT)
        said = tests.communicate(timeout=120)[1]
    assert said.endswith("Stopped. The next start goes on from here.\n")
    assert tests.returncode == 130
    door.calls()
    assert json.loads(door.run("play").out)["args"] == ["play"]
    assert door.run("test").code == 0
    (again,) = door.calls()
    assert "--ignore-installed" in again  # what lies there by half is no package


def test_a_start_that_is_ended_while_it_waits_leaves_nothing_behind(door: Door) -> None:
    with door.waiting("first") as first, door.start("second") as second:
        assert second.stderr
        assert second.stderr.readline().startswith("Another start is setting up")
        second.terminate()
        second.communicate(timeout=30)  # whatever it had started would still hold its pipes
        (door.home / "gate").write_text("go on")
        assert json.loads(first.communicate(timeout=120)[0])["args"] == ["first"]


def test_python_without_its_venv_module_gets_it_where_no_password_is_asked(door: Door) -> None:
    door.tool("id", "echo 1000")
    door.tool("apt-get", 'echo "apt-get $*" >>"$HOME/calls"; : >"$HOME/installed"')
    door.tool("sudo", "exit 1")
    ran = door.run(FAULT="no venv module")
    assert (ran.code, ran.said.splitlines(keepends=True)[1:]) == (1, [NEEDS_VENV])
    assert door.calls() == []
    door.tool("sudo", 'shift; exec "$@"')
    assert door.run(FAULT="no venv module").code == 0
    assert [call.split()[0] for call in door.calls()][:3] == ["apt-get", "apt-get", "venv"]


def test_no_python_or_one_that_is_too_old_is_one_sentence(door: Door) -> None:
    old = door.run(FAULT="old Python")
    (door.home / "bin/python3").unlink()
    none = door.run()
    assert (old.code, old.said.count("\n"), none.code, none.said.count("\n")) == (1, 1, 1, 1)
    assert "Python 3.11 or newer is needed" in old.said
    assert "sudo apt-get install python3" in none.said


@pytest.mark.parametrize(
    ("words", "args", "locks"),
    [
        ("play --bots 2", "play --bots 2", [PROGRAM]),
        ("test -k spell", "test -k spell", [PROGRAM, TESTS]),
        ("test --full", "test --full", [PROGRAM, TESTS, BENCHES]),
        ("bench link --json", "bench link --json", [PROGRAM]),
        ("words --check", "--check", [PROGRAM]),
        ("lock --upgrade", "lock --upgrade", [PROGRAM]),
        ("release dist", "dist", [PROGRAM]),
        ("install --hall", "install --hall", []),
        ("--help", "--help", []),
    ],
)
def test_each_word_brings_what_it_needs(
    door: Door, words: str, args: str, locks: list[str]
) -> None:
    told = json.loads(door.run(*words.split(), FAULT="wheels").out)  # these are optional
    assert (told["args"], told["venv"]) == (args.split(), bool(locks))
    assert door.installs() == locks


@pytest.mark.parametrize("word", ["test", "bench", "lock"])
def test_help_makes_nothing(door: Door, word: str) -> None:
    ran = door.run(word, "--help")
    assert f"./run {word}" in ran.out
    assert (ran.code, ran.said, (door.tree / ".venv").exists()) == (0, "", False)
