"""The ways to tests, benches and drawings: each line is typed, as far as time allows."""

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from runpy import run_module
from typing import Any

import pytest

from companion.cli import doctor
from companion.cli.doctor_parts import BenchTrial
from companion.cli.main import main
from companion.devices import stopper_registry
from companion.devices.stopper_registry import simulated_stopper
from companion.maintenance.checks.result import CheckResult
from examples.readme.lines import ROOT, Command, of
from examples.readme.typed import LONG_S, desk
from hardware.tests import plan, render
from hardware.tests.test_drawings import seen
from release.test_door import Door
from release.test_door import door as door  # noqa: PLC0414 - a fixture, used by its name
from release.words import __main__ as words
from release.words import guides
from tests.browser import chromium
from tests.programs import corpus, need

TOO_MUCH = r"--full|--page|bench worlds"  # an hour and more, or this project's own page anew


class Understood(Exception):
    """A program has read its words."""


def typed(door: Door, line: str) -> list[str]:
    """Type a line at a door whose programs tell their words; return these."""
    bash = shutil.which("bash") or "bash"
    done = subprocess.run(
        [bash, "-c", line],
        cwd=door.tree,
        env=door.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=LONG_S,
    )
    words: list[str] = json.loads(done.stdout)["args"]
    return words


@pytest.mark.parametrize("command", of("door"), ids=str)
def test_the_door_to_all_tests_is_opened(door: Door, command: Command) -> None:
    assert typed(door, command.text) == command.text.split()[1:]


@pytest.mark.slow
@pytest.mark.parametrize("command", of("some tests"), ids=str)
def test_some_tests_are_found_by_their_line(command: Command, tmp_path: Path) -> None:
    """They run in this very test run anyway, so here they are only counted."""
    said = desk(tmp_path).type(
        command.text, PYTEST_ADDOPTS="--collect-only -qq -p no:cacheprovider"
    )
    assert said.code == 0, said
    assert sum(map(int, re.findall(r"^\S+\.py: (\d+)$", said.out, re.MULTILINE))) > 0


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("command", of("bench"), ids=str)
def test_a_bench_understands_its_line(
    door: Door, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The door hands the words on, and the real bench knows them; what it measures, others test."""
    _, _, name, *given = command.text.split()
    assert typed(door, command.text) == ["bench", name, *given]
    understands(f"research.bench.{name}", given, monkeypatch)


@pytest.mark.parametrize("command", of("looks"), ids=str)
def test_what_shows_pages_understands_its_line(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it takes pictures of, others test."""
    _, _, module, *given = command.text.split()
    if module.endswith(".pictures"):  # into a folder, and perhaps of some pages only
        need("chromium")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(chromium, "started", understood)
        monkeypatch.setattr(sys, "argv", [module, *given])
        with pytest.raises(Understood):
            run_module(module, run_name="__main__")
    else:
        understands(module, given, monkeypatch)


def understands(module: str, given: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a program read its words, and do nothing."""
    read = argparse.ArgumentParser.parse_args

    def parsed(self: argparse.ArgumentParser, args: Sequence[str] | None = None) -> Any:
        understood(read(self, args))

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parsed)
    monkeypatch.setattr(sys, "argv", [module, *given])
    with pytest.raises(Understood):
        import_module(module).main()


def understood(words: object) -> None:
    """Stop where words are understood."""
    raise Understood(words)


@pytest.mark.slow
@pytest.mark.parametrize("command", of("bench"), ids=str)
def test_a_bench_measures_as_its_line_says(command: Command, tmp_path: Path) -> None:
    if re.search(TOO_MUCH, command.text):
        pytest.skip("it takes an hour, or changes a page of this project")
    here = desk(tmp_path)
    if "FOLDER" in command.text:
        (tmp_path / "FOLDER").symlink_to(corpus("wiimote"))
    (tmp_path / "hardware").mkdir()
    said = here.type(command.text)
    assert said.code == 0, said
    assert said.out.splitlines()
    if "--json" in command.text:
        assert json.loads(said.out.splitlines()[-1])
    if "--svg" in command.text:
        assert any((tmp_path / "hardware").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("command", of("words"), ids=str)
def test_translations_are_kept_as_the_line_says(command: Command, tmp_path: Path) -> None:
    shutil.copyfile(ROOT / "companion/locale/de.po", tmp_path / "de.po")
    for name in (*guides.PAGES, f"{guides.FOLDER}/de.po"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    asked = command.text.split()[2:]
    assert words.main(asked, tmp_path, tmp_path) == 0
    assert words.main(["de"], tmp_path, tmp_path) == 0
    assert words.main(["--check", "de"], tmp_path, tmp_path) == 0
    begun = [one for one in asked if not one.startswith("-")]
    assert sorted(one.stem for one in tmp_path.glob("*.po")) == sorted(["de", *begun])


@pytest.mark.parametrize("command", of("format"), ids=str)
def test_the_code_is_in_the_shape_that_its_line_gives_it(command: Command) -> None:
    line = f"{command.text.removesuffix(' .')} --check companion firmware tests hatch_build.py"
    done = subprocess.run(["bash", "-c", line], cwd=ROOT, check=False, capture_output=True)
    assert done.returncode == 0, done


@pytest.mark.parametrize("command", of("render"), ids=str)
def test_the_wiring_is_drawn_by_the_line_that_draws_everything(
    command: Command, tmp_path: Path, full: bool
) -> None:
    """Meshes and pictures take minutes, so they are rendered only with --full."""
    need("dot", *(("openscad", "xvfb-run") if full else ()))
    pytest.importorskip("wireviz")
    made = tmp_path / "hardware"
    shutil.copytree(plan.HARDWARE, made)
    for one in (ROOT / ".venv", ROOT / "companion", ROOT / "tests"):
        (tmp_path / one.name).symlink_to(one)
    drawn = [made / "wiring" / f"{name}.svg" for name in plan.load().pictures]
    meshes = list((made / "stl").glob("*.stl")) if full else []
    for file in [*drawn, *meshes]:
        file.unlink()
    line = command.text if full else f"{command.text} wiring"
    subprocess.run(["bash", "-c", line], cwd=tmp_path, check=True, timeout=6 * LONG_S)
    for file in drawn:
        assert seen(file) == seen(render.WIRING / file.name)
    for file in meshes:
        assert abs(file.stat().st_size - (render.STL / file.name).stat().st_size) < 1000


@pytest.mark.parametrize("command", of("the lights"), ids=str)
def test_the_page_on_the_lights_is_made_by_its_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    subprocess.run(["bash", "-c", command.text], cwd=tmp_path, check=True)
    for kept in (ROOT / "hardware/lights.md", *(ROOT / "hardware/lights").iterdir()):
        assert (tmp_path / kept.relative_to(ROOT)).read_bytes() == kept.read_bytes()


@pytest.mark.parametrize("command", of("one stopper"), ids=str)
def test_one_stopper_is_tried_as_its_line_says(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is found of it, and how it is drawn, others test: that takes ten minutes."""
    _, *words = command.text.split()
    number, picture = int(words[words.index("--stopper") + 1]), tmp_path / words[-1]
    stopper_registry.save(tmp_path, simulated_stopper(number))
    tried: list[tuple[int, float]] = []

    class Tried(BenchTrial):
        def findings(self) -> Iterator[CheckResult]:
            tried.append((self._number, self._rest_s))
            return iter(())

    monkeypatch.setattr(doctor, "BenchTrial", Tried)
    monkeypatch.chdir(tmp_path)
    assert main([*words, "--folder", str(tmp_path)]) == 0
    assert tried == [(number, 600.0)]
    assert picture.read_text("utf-8").startswith("<svg")
