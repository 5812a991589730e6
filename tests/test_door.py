"""The one door, started for real on copies of it; what would need a network is a fake on PATH."""

import ast
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import packages_distributions
from pathlib import Path
from time import monotonic

import pytest

ROOT = Path(__file__).parent.parent
LOCKS = {
    "build": ROOT / "requirements.lock",
    "test": ROOT / "tests/requirements.lock",
    "bench": ROOT / "tests/bench/requirements.lock",
}
TOOLS = (
    *("basename", "bash", "cat", "env", "flock", "getconf", "id", "mkdir", "mktemp"),
    *("paste", "readlink", "rm", "sed", "sha256sum", "tail", "touch"),
)

pytestmark = pytest.mark.skipif(
    shutil.which("flock") is None, reason="needs flock: sudo apt-get install util-linux"
)

PROGRAM = """
    import json, os, sys

    told = {"args": sys.argv[1:], "cwd": os.getcwd(), "open": os.listdir("/proc/self/fd")}
    print(json.dumps(told | {"door": os.environ.get("RAPPELWACHT_STARTED_AS")}))
"""

# Names the packages that are missing: those of LACKING that nobody has installed by now, and those
# of SOONER if they are asked for.
PROGRAMS = """
    import os, pathlib, sys

    calls = pathlib.Path(os.environ["HOME"], "installed")
    there = calls.read_text() if calls.exists() else ""
    sooner = os.environ.get("SOONER", "") if "--quicker" in sys.argv else ""
    for package in (os.environ.get("LACKING", "") + " " + sooner).split():
        if package not in there:
            print(package)
"""
APT = """
    echo "apt-get $*" >>"$HOME/calls"
    [[ "$*" != *" ${REFUSED-nothing}"* ]] || exit 100
    [[ "$*" != *install* ]] || echo "${@: -2}" >>"$HOME/installed"
"""

# What pip does, in few words: it notes the call, fails if it shall, and links what is editable.
PIP = """
    import os, pathlib, select, signal, sys

    home = pathlib.Path(os.environ["HOME"])
    args = sys.argv[1:]
    with (home / "calls").open("a") as calls:
        calls.write("pip " + " ".join(args) + "\\n")
    fault = os.environ.get("FAULT")
    if fault == "pip" or (fault == "wheels" and "--only-binary" in args):
        sys.exit("ERROR: No matching distribution found for hatchling")
    if fault == "power cut" or (fault == "late power cut" and "--only-binary" in args):
        os.kill(os.getppid(), signal.SIGKILL)
    if fault == "gate" and "-r" in args:
        select.select([os.open(home / "gate", os.O_RDWR)], [], [], 20)
    venv = pathlib.Path(sys.prefix)
    if "-e" in args:
        link = next(venv.glob("lib/*/site-packages")) / "link.pth"
        link.write_text(args[args.index("-e") + 1])
    if any(arg.endswith("tests/requirements.lock") for arg in args):
        for name in ("ruff", "lint-imports"):
            tool = venv / "bin" / name
            tool.write_text(f"#!/usr/bin/env bash\\n[[ $FAULT != {name} ]] || ! echo crooked\\n")
            tool.chmod(0o755)
"""

PYTHON = """
    case "$1 $2" in
      *version_info*) echo "${VERSION:-3.11}" ;;
      *ensurepip*) [[ $FAULT != "no venv module" || -e $HOME/venv-module ]] ;;
      "-m venv")
        echo "venv" >>"$HOME/calls"
        "$REAL" -m venv --without-pip "$3"
        [[ $FAULT != "power cut early" ]] || kill -KILL "$PPID"
        cat "$HOME/pip.py" >"$(echo "$3"/lib/*/site-packages)/pip.py"
        touch "$3/bin/pip" ;;
    esac
"""

UV = """
    echo "uv $*" >>"$HOME/calls"
    case "$1 $2" in
      "cache dir") echo "$HOME/cache" ;;
      "venv "*) "$REAL" -m venv --without-pip "${@: -1}" ;;
    esac
"""


BENCHES = sorted(file.stem for file in (ROOT / "tests/bench").glob("[!_]*.py"))
WHOSE = {"pyspiel": ["open-spiel"], **packages_distributions()}


def locked(lock: Path) -> set[str]:
    """Return the names of the packages that a lock file names."""
    return set(re.findall(r"^[a-z0-9-]+(?===)", lock.read_text(), re.MULTILINE))


def imported(module: str) -> set[str]:
    """Return the modules of others that a module of ours needs, itself or by others of ours."""
    found, left = set[str](), [module]
    for one in left:  # grows meanwhile
        top = one.partition(".")[0]
        if top not in ("companion", "tests"):
            found |= {top} - sys.stdlib_module_names
            continue
        path = ROOT.joinpath(*one.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        names = [one.rpartition(".")[0]] if "." in one else []
        for node in ast.walk(ast.parse(file.read_text()) if file.exists() else ast.Module([], [])):
            if isinstance(node, ast.Import):
                names += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        left += [name for name in names if name not in left]
    return found


# A check that takes its time, and somebody who presses Ctrl-C meanwhile.
SLOW = """
    import os, signal

    home = os.environ["HOME"]
    os.open(home + "/alive", os.O_WRONLY)
    os.open(home + "/ready", os.O_WRONLY)
    signal.pause()
"""
CTRL_C = """
    import os, signal

    os.open(os.environ["HOME"] + "/ready", os.O_RDONLY)  # waits for the other end
    os.killpg(0, signal.SIGINT)
    signal.pause()
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

    def start(
        self, *args: str, path: Path | None = None, cwd: Path | None = None, **env: str
    ) -> subprocess.Popen[str]:
        """Start the door and leave it running."""
        return subprocess.Popen(
            [path or self.tree / "run", *args],
            cwd=cwd or self.home,
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # what it sends to its group is not for us
        )

    def run(self, *args: str, path: Path | None = None, cwd: Path | None = None, **env: str) -> Ran:
        """Start the door and wait for its end."""
        with self.start(*args, path=path, cwd=cwd, **env) as door:
            out, said = door.communicate(timeout=120)
        return Ran(door.returncode, out, said)

    def calls(self) -> list[str]:
        """Tell what was asked of the fakes since the last time."""
        file = self.home / "calls"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return lines


@pytest.fixture
def door(tmp_path: Path) -> Door:
    """Lay out a tree with the door in it, in a folder whose name has spaces."""
    home, tree = tmp_path / "home", tmp_path / "a tree with spaces"
    wrong = home / "wrong"
    for folder in (home / "bin", tree / "companion", tree / "tests/bench", wrong / "companion"):
        folder.mkdir(parents=True)
    for name in TOOLS:
        (home / "bin" / name).symlink_to(shutil.which(name) or "/missing")
    shutil.copy2(ROOT / "run", tree / "run")
    for name in ("pyproject.toml", "companion/__init__.py", "tests/__init__.py", "mypy.py"):
        (tree / name).touch()
    for name in ("requirements.lock", "tests/requirements.lock", "tests/bench/requirements.lock"):
        (tree / name).touch()
    (tree / "tests/programs.py").write_text(textwrap.dedent(PROGRAMS))
    for name in ("companion/__main__.py", "tests/bench/rules.py", "pytest.py"):
        (tree / name).write_text(textwrap.dedent(PROGRAM))
    (wrong / "companion/__main__.py").write_text("raise SystemExit('the wrong companion')")
    (home / "pip.py").write_text(textwrap.dedent(PIP))
    env = {"PATH": str(home / "bin"), "HOME": str(home), "REAL": sys.executable, "FAULT": ""}
    env |= dict.fromkeys(("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV"), str(wrong))
    made = Door(tree, home, env)
    made.tool("python3", PYTHON)
    return made


def test_the_first_start_sets_up_and_the_second_only_starts(door: Door) -> None:
    first = door.run("--seats", "4")
    assert (first.code, json.loads(first.out)["args"]) == (0, ["--seats", "4"])
    assert first.said.splitlines() == [
        "Making .venv with Python 3.11.",
        "Installing what requirements.lock names.",
    ]
    venv, locked, project = door.calls()
    assert venv == "venv"
    assert f"--require-hashes -r {door.tree}/requirements.lock" in locked
    assert f"--no-deps --no-build-isolation -e {door.tree}" in project
    second = door.run()
    assert (second.code, second.said, door.calls()) == (0, "", [])


def test_it_opens_from_any_folder_and_through_a_symlink(door: Door) -> None:
    link = door.home / "link"
    link.symlink_to(door.tree / "run")
    ran = door.run(path=link, cwd=door.home / "wrong")
    told = json.loads(ran.out)
    assert told["cwd"] == str(door.home / "wrong")
    assert told["door"] == str(link)
    assert (door.tree / ".venv").is_dir()


def test_the_program_inherits_nothing_from_the_door(door: Door) -> None:
    ran = door.run()
    assert set(json.loads(ran.out)["open"]) <= {"0", "1", "2", "3"}  # 3 is the listing itself


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("name", ["pyproject.toml", "requirements.lock"])
def test_a_changed_file_is_installed_again_into_the_same_environment(door: Door, name: str) -> None:
    door.run()
    door.calls()
    (door.tree / name).write_text("# changed\n")
    assert door.run().code == 0
    assert [call.split()[0] for call in door.calls()] == ["pip", "pip"]


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("fault", ["power cut", "power cut early"])
def test_an_interrupted_set_up_is_restarted(door: Door, fault: str) -> None:
    assert door.run(FAULT=fault).code != 0
    door.calls()
    ran = door.run()
    assert (ran.code, door.calls()[0]) == (0, "venv")


def test_an_environment_that_lost_its_interpreter_is_made_again(door: Door) -> None:
    door.run()
    door.calls()
    python = door.tree / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/gone/python3")
    assert (door.run().code, door.calls()[0]) == (0, "venv")


def test_an_environment_in_a_moved_folder_is_made_again(door: Door) -> None:
    door.run()
    door.calls()
    moved = door.tree.rename(door.home / "moved")
    assert (door.run(path=moved / "run").code, door.calls()[0]) == (0, "venv")


def test_what_pip_complains_of_is_shown_with_the_next_step(door: Door) -> None:
    ran = door.run(FAULT="pip")
    assert (ran.code, ran.out) == (1, "")
    assert "No matching distribution found for hatchling" in ran.said
    assert "check the network and start again" in ran.said
    assert door.run().code == 0


def test_python_without_its_venv_module_is_one_sentence_for_an_ordinary_user(door: Door) -> None:
    door.tool("id", "echo 1000")
    door.tool("apt-get", 'echo apt-get >>"$HOME/calls"')
    door.tool("sudo", "exit 1")
    ran = door.run(FAULT="no venv module")
    assert ran.code == 1
    assert ran.said == (
        "Python's venv module is missing; install it with: sudo apt-get install python3-venv\n"
    )
    assert door.calls() == []


def test_python_without_its_venv_module_gets_it_where_sudo_asks_for_no_password(door: Door) -> None:
    door.tool("id", "echo 1000")
    door.tool("sudo", 'shift; "$@"')
    door.tool("true", "exit 0")
    door.tool("apt-get", 'echo apt-get >>"$HOME/calls"; touch "$HOME/venv-module"')
    ran = door.run(FAULT="no venv module")
    assert ran.code == 0
    assert ran.said.startswith("Installing the Debian package python3-venv")
    assert door.calls()[:3] == ["apt-get", "apt-get", "venv"]


@pytest.mark.parametrize("version", ["3.9", "3.10"])
def test_a_python_that_is_too_old_is_one_sentence(door: Door, version: str) -> None:
    ran = door.run(VERSION=version)
    assert ran.code == 1
    assert ran.said.count("\n") == 1
    assert f"Python 3.11 or newer is needed and python3 is {version}" in ran.said


def test_a_machine_without_python_is_one_sentence(door: Door) -> None:
    (door.home / "bin/python3").unlink()
    ran = door.run()
    assert (ran.code, ran.said.count("\n")) == (1, 1)
    assert "sudo apt-get install python3" in ran.said


def test_uv_does_it_all_when_it_is_there(door: Door) -> None:
    door.tool("uv", UV)
    assert "No module named companion" in door.run().said  # for this uv is a fake and linked none
    calls = [call for call in door.calls() if call.startswith("uv pip")]
    assert ["--require-hashes" in call for call in calls] == [True, False]
    assert all("--no-deps" in call for call in calls)
    (door.home / "bin/uv").unlink()
    assert "Making" not in door.run().said  # uv is only missed at the next change
    (door.tree / "pyproject.toml").write_text("# changed\n")
    assert "Making" in door.run().said


def test_two_starts_at_once_set_up_once(door: Door) -> None:
    os.mkfifo(door.home / "gate")
    gate = os.open(door.home / "gate", os.O_RDWR)
    with door.start("first", FAULT="gate") as first:
        assert first.stderr
        assert first.stderr.readline().startswith("Making")  # from here on it holds the lock
        with door.start("second") as second:
            assert second.stderr
            assert second.stderr.readline().startswith("Another start is setting up")
            os.write(gate, b"go on")
            assert json.loads(second.communicate(timeout=120)[0])["args"] == ["second"]
        assert json.loads(first.communicate(timeout=120)[0])["args"] == ["first"]
    os.close(gate)
    assert [call.split()[0] for call in door.calls()] == ["venv", "pip", "pip"]


def test_what_is_optional_and_was_interrupted_costs_no_new_environment(door: Door) -> None:
    door.run("bench", "rules", FAULT="late power cut")
    assert "venv" in door.calls()
    assert (door.run().code, door.calls()) == (0, [])
    assert door.run("bench", "rules").code == 0
    (again,) = door.calls()
    assert "--ignore-installed" in again  # what lies there by half is no package
    assert (door.run("bench", "rules").code, door.calls()) == (0, [])


def test_whoever_only_starts_does_not_wait_for_what_tests_need(door: Door) -> None:
    door.run()
    os.mkfifo(door.home / "gate")
    gate = os.open(door.home / "gate", os.O_RDWR)
    with door.start("test", FAULT="gate") as tests:
        assert tests.stderr
        assert tests.stderr.readline().startswith("Installing what tests/requirements.lock")
        assert json.loads(door.run("play").out)["args"] == ["play"]
        os.write(gate, b"go on")
        assert tests.communicate(timeout=120)
    os.close(gate)


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("late", [False, True])
def test_ctrl_c_while_setting_up_is_one_sentence(door: Door, late: bool) -> None:
    if late:
        door.run()
    door.calls()
    os.mkfifo(door.home / "gate")
    gate, calls = os.open(door.home / "gate", os.O_RDWR), door.home / "calls"
    with door.start(*["test"] * late, FAULT="gate") as started:
        assert started.stderr
        while not started.stderr.readline().startswith("Installing"):
            pass
        wait_for(lambda: "lock" in (calls.read_text() if calls.exists() else ""))
        os.killpg(started.pid, signal.SIGINT)
        assert started.communicate(timeout=120)[1] == "Stopped. The next start goes on from here.\n"
        assert started.returncode == 130
    os.close(gate)
    door.calls()
    assert door.run().code == 0
    assert ("venv" in door.calls()) != late


def wait_for(holds: Callable[[], bool]) -> None:
    end_s = monotonic() + 60
    while not holds():
        assert monotonic() < end_s


def test_a_bench_says_on_stdout_only_what_it_has_to_say(door: Door) -> None:
    ran = door.run("bench", "rules", "--json")
    assert json.loads(ran.out)["args"] == ["--json"]
    assert any("--only-binary :all:" in call for call in door.calls())


def test_a_bench_goes_on_without_what_it_compares_with(door: Door) -> None:
    ran = door.run("bench", "rules", FAULT="wheels")
    assert (ran.code, json.loads(ran.out)["args"]) == (0, [])
    last = ran.said.splitlines()[-1]
    assert last.startswith("It cannot be installed here, so what needs it is left out")


@pytest.mark.parametrize("more", [(), ("tests/adapters",)])
def test_all_tests_bring_whose_own_tests_are_made(door: Door, more: tuple[str, ...]) -> None:
    assert door.run("test", *more, "--full").code == 0
    assert any("-r" in call and "tests/bench/requirements.lock" in call for call in door.calls())
    assert {"open-spiel", "pettingzoo", "distributed"} <= locked(LOCKS["bench"])


@pytest.mark.parametrize("what", ["chess", "../test_door", "__init__", ""])
def test_an_unknown_bench_is_told_which_there_are(door: Door, what: str) -> None:
    ran = door.run("bench", what)
    assert (ran.code, ran.out, door.calls()) == (2, "", [])
    assert ran.said == "./run bench needs the name of a bench, one of: rules\n"


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("bench", BENCHES)
def test_the_door_brings_what_a_bench_imports(door: Door, bench: str) -> None:
    (door.tree / "tests/bench/rules.py").rename(door.tree / f"tests/bench/{bench}.py")
    assert door.run("bench", bench).code == 0
    locks = re.findall(r"-r .*? with spaces/(\S+)", "\n".join(door.calls()))
    brought = {name for lock in locks for name in locked(ROOT / lock)}
    for module in imported(f"tests.bench.{bench}"):
        packages = {name.lower().replace("_", "-") for name in WHOSE.get(module, [module])}
        assert packages & brought, f"{module} is in none of {locks}"


def test_the_bench_that_drives_a_browser_gets_it_or_names_it(door: Door) -> None:
    (door.tree / "tests/bench/rules.py").rename(door.tree / "tests/bench/phones.py")
    door.tool("id", "echo 0")
    door.tool("true", "exit 0")
    door.tool("apt-get", APT)
    assert door.run("bench", "phones", LACKING="chromium iproute2").code == 0
    assert any("install chromium iproute2" in call for call in door.calls())
    (door.home / "bin/apt-get").unlink()
    said = door.run("bench", "phones", LACKING="chromium newer").said
    assert said.endswith(
        "Some figures are left out; to have them, run: sudo apt-get install newer\n"
    )


def test_who_may_install_packages_gets_what_tests_need(door: Door) -> None:
    door.tool("id", "echo 0")
    door.tool("true", "exit 0")
    door.tool("apt-get", APT)
    ran = door.run("test", LACKING="chromium graphviz")
    assert "Installing what else is needed, as Debian packages: chromium graphviz." in ran.said
    assert "left out" not in ran.said
    assert [call.split()[-2:] for call in door.calls() if "install " in call and "apt" in call] == [
        ["chromium", "graphviz"]
    ]
    assert not any("apt-get" in call for call in (door.run("test").said, *door.calls()))


def test_one_package_that_cannot_be_had_costs_only_its_own_tests(door: Door) -> None:
    door.tool("id", "echo 0")
    door.tool("true", "exit 0")
    door.tool("apt-get", APT)
    ran = door.run("test", LACKING="chromium graphviz", REFUSED="chromium")
    assert ran.code == 0
    assert "The Debian package chromium cannot be installed here.\n" in ran.said
    assert ran.said.endswith("run: sudo apt-get install chromium\n")


def test_ci_also_brings_what_makes_the_same_tests_quicker(door: Door) -> None:
    door.tool("id", "echo 0")
    door.tool("true", "exit 0")
    door.tool("apt-get", APT)
    assert "Debian package" not in door.run("test", SOONER="quick", CI="").said
    ran = door.run("test", SOONER="quick", REFUSED="quick", CI="true")
    assert ran.code == 0
    assert "The Debian package quick cannot be installed here.\n" in ran.said
    assert "left out" not in ran.said  # the same tests run without it


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("more", [(), ("--full",), ("tests/kernel", "--full")])
def test_who_may_not_is_told_in_the_end_what_to_install(door: Door, more: tuple[str, ...]) -> None:
    door.tool("id", "echo 1000")
    door.tool("sudo", "exit 1")
    door.tool("apt-get", APT)
    ran = door.run("test", *more, LACKING="chromium graphviz")
    assert ran.code == 0
    assert ran.said.endswith(
        "Some tests are left out; to have them, run: sudo apt-get install chromium graphviz\n"
    )
    assert not any("apt-get" in call for call in door.calls())


def test_arguments_to_test_go_to_pytest_alone(door: Door) -> None:
    ran = door.run("test", "-k", "spell")
    assert json.loads(ran.out)["args"] == ["-k", "spell"]
    assert "ruff" not in ran.said


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("fault", ["", "ruff", "lint-imports"])
def test_every_check_is_made_even_after_one_that_fails(door: Door, fault: str) -> None:
    ran = door.run("test", FAULT=fault)
    assert json.loads(ran.out)["args"] == ["-n", "auto", "--dist", "worksteal"]
    assert ran.code == bool(fault)
    assert ("crooked" in ran.said) == bool(fault)
    assert ("Not passed: " in ran.said) == bool(fault)


def test_ctrl_c_ends_the_checks_that_still_run_and_leaves_nothing_behind(door: Door) -> None:
    door.run()
    for name in ("alive", "ready"):
        os.mkfifo(door.home / name)
    alive = os.open(door.home / "alive", os.O_RDONLY | os.O_NONBLOCK)
    (door.tree / "mypy.py").write_text(textwrap.dedent(SLOW))
    (door.tree / "pytest.py").write_text(textwrap.dedent(CTRL_C))
    (door.home / "tmp").mkdir()
    ran = door.run("test", TMPDIR=str(door.home / "tmp"))
    assert (ran.code, "Not passed" in ran.said) == (130, False)
    assert select.select([alive], [], [], 30)[0]  # nobody holds its other end any more
    os.close(alive)
    assert list((door.home / "tmp").iterdir()) == []


@pytest.mark.parametrize("lock", LOCKS.values(), ids=list(LOCKS))
def test_a_lock_file_holds_names_versions_markers_and_hashes_alone(lock: Path) -> None:
    package = r"[a-z0-9-]+==[\w.]+( ; [\w .'<>=!()]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+\n"
    assert re.fullmatch(f"({package})*", lock.read_text())


@pytest.mark.parametrize("group", LOCKS)
def test_a_lock_file_pins_what_pyproject_asks_for(group: str) -> None:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = pyproject["dependency-groups"][group]
    if group == "build":
        asked = asked + pyproject["project"]["dependencies"] + pyproject["build-system"]["requires"]
    names = {re.split(r"[^\w.-]", line)[0] for line in asked}
    assert {re.sub(r"[-_.]+", "-", name).lower() for name in names} <= locked(LOCKS[group])
