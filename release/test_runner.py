"""What `./run test` and `./run bench` start: checks beside tests, packages, what is locked."""

import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from contextlib import suppress
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from release.test_door import LOCKS, ROOT, Door
from release.test_door import door as door  # noqa: PLC0414 - a fixture, used by its name
from tests import __main__ as runner
from tests import changed, programs


def python(line: str) -> list[str]:
    return [sys.executable, "-c", line]


@pytest.mark.parametrize("fails", ["", "crooked", "pytest"])
def test_every_check_is_made_even_after_one_that_fails(
    fails: str, capfd: pytest.CaptureFixture[str]
) -> None:
    checks = {
        name: python(f"print('lines of {name}'); raise SystemExit({name == fails})")
        for name in ("crooked", "straight")
    }
    assert runner.check(checks, python(f"raise SystemExit({fails == 'pytest'})")) == bool(fails)
    said = capfd.readouterr().err
    assert "straight: fine\n" in said
    assert ("lines of crooked" in said) == (fails == "crooked")
    assert said.endswith(f"Not passed: {fails}. The lines above say why.\n") == bool(fails)


def test_what_still_runs_when_somebody_presses_ctrl_c_is_ended() -> None:
    checks = {"slow": python("import signal; signal.pause()")}
    started: list[subprocess.Popen[bytes]] = []
    with suppress(KeyboardInterrupt), runner.begun(checks) as running:
        started += [process for process, _ in running.values()]
        raise KeyboardInterrupt
    assert [process.returncode for process in started] == [-signal.SIGTERM]


@pytest.mark.parametrize("what", ["chess", "../test_door", "__init__", ""])
def test_an_unknown_bench_is_told_which_there_are(
    what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert runner.main(["bench", *([what] if what else [])]) == runner.MISUSED
    assert " coach corpora hall " in capsys.readouterr().err


# --- Debian's packages ----------------------------------------------------------------------------

APT = """#!/bin/sh
echo "$*" >>"{calls}"
case "$*" in *refused*) exit 100 ;; esac
"""


@pytest.mark.parametrize("root", [True, False])
@pytest.mark.parametrize("ci", ["", "true"])
def test_who_may_install_packages_gets_what_tests_need_and_others_are_told(
    root: bool,
    ci: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    calls = tmp_path / "calls"
    for name, does in {
        "apt-get": APT.format(calls=calls),
        "sudo": "#!/bin/sh\nexit 1\n",
        "env": '#!/bin/sh\nshift\nexec "$@"\n',
        "true": "#!/bin/sh\n",
    }.items():
        (tmp_path / name).write_text(does)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr("os.geteuid", lambda: 0 if root else 1000)
    monkeypatch.setattr(programs, "PROGRAMS", {"a": ("refused",), "b": ("graphviz",)})
    monkeypatch.setattr(programs, "QUICKER", {"c": ("quick", "slow")})
    programs.bring([])
    programs.tell_lacking("tests", [])
    said = capsys.readouterr().err.splitlines()
    left_out = "Some tests are left out; to have them, run: sudo apt-get install refused graphviz"
    assert said[-1] == left_out
    assert calls.exists() == root
    if root:
        asked = ["refused", "graphviz", *["quick"] * bool(ci)]
        together, *alone = [one for one in calls.read_text().splitlines() if " install " in one]
        assert together.endswith(f" install {' '.join(asked)}")
        assert [one.split()[-1] for one in alone] == asked
        assert "The Debian package refused cannot be installed here." in said


# --- the locks ------------------------------------------------------------------------------------

WHOSE = {"pyspiel": ["open-spiel"], **packages_distributions()}


def locked(lock: str) -> set[str]:
    """Return the names of the packages that a lock file names."""
    return set(re.findall(r"^[a-z0-9-]+(?===)", (ROOT / lock).read_text(), re.MULTILINE))


def imported(module: str) -> set[str]:
    """Return the modules of others that a module of ours needs, itself or by others of ours."""
    others, left = set[str](), [module]
    for name in left:  # grows meanwhile
        top = name.partition(".")[0]
        if top not in ("companion", "examples", "hardware", "release", "research", "tests"):
            others |= {top} - sys.stdlib_module_names - {"rappelwacht_research"}
            continue
        path = ROOT.joinpath(*name.split("."))
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        names = [name.rpartition(".")[0]] if "." in name else []
        for node in ast.walk(ast.parse(file.read_text()) if file.exists() else ast.Module([], [])):
            if isinstance(node, ast.Import):
                names += [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        left += [one for one in names if one not in left]
    return others


@pytest.mark.slow(but=1)
@pytest.mark.parametrize("bench", sorted(file.stem for file in runner.BENCHES.glob("[!_]*.py")))
def test_the_door_brings_what_a_bench_imports(door: Door, bench: str) -> None:
    assert door.run("bench", bench).code == 0
    brought = set[str]().union(*map(locked, door.installs()))
    for module in imported(f"research.bench.{bench}"):
        packages = {name.lower().replace("_", "-") for name in WHOSE.get(module, [module])}
        assert packages & brought, module


@pytest.mark.parametrize("group", LOCKS)
def test_a_lock_file_pins_what_pyproject_asks_for_by_hashes(group: str) -> None:
    package = r"[a-z0-9-]+==[\w.]+( ; [\w .'<>=!()]+)?( \\\n    --hash=sha256:[0-9a-f]{64})+\n"
    assert re.fullmatch(f"({package})*", (ROOT / LOCKS[group]).read_text())
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text())
    asked = pyproject["dependency-groups"][group]
    if group == "build":
        asked = asked + pyproject["project"]["dependencies"] + pyproject["build-system"]["requires"]
    names = {re.split(r"[^\w.-]", line)[0] for line in asked}
    assert {re.sub(r"[-_.]+", "-", name).lower() for name in names} <= locked(LOCKS[group])


FILES = changed.modules()


def touched(path: str) -> dict[str, int]:
    return changed.steps(changed.changed_modules([path], FILES), FILES)


def near(path: str) -> set[str]:
    """Return the modules of tests that are run after a change, each of thirty tests."""
    tests = dict.fromkeys((name for name in FILES if ".test_" in name), 30)
    return changed.nearest(touched(path), {path.split("/")[1]}, tests)


def test_a_change_touches_whatever_imports_it_and_nothing_else() -> None:
    far = touched("companion/devices/debounce.py")
    assert (far["companion.devices.debounce"], far["tests.devices.test_debounce"]) == (0, 0)
    assert far["companion.table.table"] > 1
    assert not {*far} & {"companion.core.codec", "companion.sensing.tilt", "tests.core.test_codec"}


@pytest.mark.parametrize("room", ["referee/events", "system/codec", "present/animations"])
def test_of_what_many_use_the_nearest_are_tested_and_a_few_of_the_whole(room: str) -> None:
    path = f"companion/{room}.py"
    far, chosen = touched(path), near(path)
    assert {name for name, step in far.items() if step == 0 and ".test_" in name} <= chosen
    assert {name for name in changed.WHOLE if name in far} <= chosen
    assert 5 < len(chosen) < len([name for name in far if ".test_" in name]) / 2


def test_of_what_few_use_all_is_tested() -> None:
    assert near("companion/hall/server_app.py") == {
        name for name in touched("companion/hall/server_app.py") if ".test_" in name
    }


@pytest.mark.parametrize("name", changed.WHOLE)
def test_what_is_little_of_everything_is_there(name: str) -> None:
    assert name in FILES


def test_a_translation_touches_tests_of_words_and_of_its_language() -> None:
    far = touched("companion/locale/de.po")
    assert {"release.words.test_catalogues", "tests.web.test_shown"} <= {*far}
    assert "tests.i18n.test_translate" in far
    assert "tests.hall.test_guides" in far  # it names words of pages as a guide does
    assert not any(name.startswith("companion.") for name in far)
    assert "tests.sensing.test_fouls" not in far
    french = touched("companion/locale/fr.po")
    assert "release.words.test_catalogues" in french
    assert "tests.web.test_shown" not in french


def test_a_sentence_that_changed_touches_tests_that_quote_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def near(*differs: str) -> set[str]:
        monkeypatch.setattr(changed, "sentences", lambda *_: {*differs})
        return changed.of_words("companion/locale/de.po", FILES, "HEAD")

    assert near() == {name for name in FILES if name.startswith(changed.OF_WORDS)}
    assert near("Flip all barrels!") - near() == {"tests.web.test_shown"}


def test_what_a_translation_says_otherwise_is_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("git") is None:
        pytest.skip("needs git: sudo apt-get install git")
    monkeypatch.setattr(changed, "ROOT", tmp_path)
    entry = 'msgid "{seat} has to wait for a while"\nmsgstr "%s"\n\nmsgid "Won"\nmsgstr "%s"\n'
    file = tmp_path / "de.po"
    file.write_text(entry % ("{seat} muss eine Weile warten", "Gewonnen"), "utf-8")
    person = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for words in (["init", "-q"], ["add", "."], [*person, "commit", "-q", "-m", "a"]):
        subprocess.run(["git", "-C", tmp_path, *words], check=True)
    assert changed.sentences(file.name, "HEAD") == set()
    file.write_text(entry % ("{seat} wartet eine ganze Weile", "Sieg"), "utf-8")
    assert changed.sentences(file.name, "HEAD") == {
        " has to wait for a while",
        " muss eine Weile warten",
        " wartet eine ganze Weile",
    }


@pytest.mark.parametrize("path", ["pyproject.toml", "tests/requirements.lock", "new.bin"])
def test_what_nobody_imports_counts_as_a_change_of_everything(path: str) -> None:
    assert changed.changed_modules([path], FILES) == set(FILES)


@pytest.mark.parametrize(
    ("path", "job"),
    [
        ("firmware/stopper/stopper.py", "hardware.emulated.test_stopper"),
        ("hardware/netlist.toml", "hardware.tests.test_netlist"),
        ("companion/games/blackmore/rules/tricks.py", "research.mutants.test_mutants"),
        ("research/bench/rules.py", "research.bench.tests.test_rules"),
        ("companion/simulator/radio.py", "hardware.physics.test_air"),
        ("companion/web/app.py", "examples.ludo.test_ludo_package"),
        ("companion/cli/install/releases.py", "release.install.test_install"),
        ("README.md", "examples.readme.test_lines"),
    ],
)
def test_a_change_touches_the_jobs_that_test_it(path: str, job: str) -> None:
    assert job in touched(path)


def test_a_template_counts_as_a_change_of_its_room() -> None:
    names = changed.changed_modules(["companion/web/templates/table.html"], FILES)
    assert "companion.web.app" in names
    assert all(name.startswith("companion.web.") for name in names)


def test_four_processes_share_two_processors(pytestconfig: pytest.Config) -> None:
    """What drives a browser or a program waits half of its time."""
    processors = len(os.sched_getaffinity(0))
    asked = pytestconfig.hook.pytest_xdist_auto_num_workers(config=pytestconfig)
    assert asked == processors + min(processors, 2)
