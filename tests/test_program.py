"""What the program tells people to type begins as they began: with the door, or with its name."""

import os
import re
import sys
from importlib.metadata import entry_points

import pytest

from companion.cli.main import main
from companion.cli.options import COMMANDS, OF_THE_PROJECT
from companion.i18n.translate import LANGUAGES
from companion.system.text import DOOR

HELPS = [["--help"], *([name, "--help"] for name in COMMANDS)]
HELPS += [["journal", kind, "--help"] for kind in ("list", "export", "import")]
NAMED = r"(?<!\w)rappelwacht(?= [\[a-z]| {2}|$)"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("words", HELPS, ids=" ".join)
def test_every_help_names_the_way_it_was_started(
    words: list[str],
    language: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = {}
    for start in ("rappelwacht", "./run"):
        monkeypatch.setenv(DOOR, start)
        with pytest.raises(SystemExit):
            main([*words, "--language", language])
        told[start] = " ".join(capsys.readouterr().out.split())
    monkeypatch.delenv(DOOR)
    with pytest.raises(SystemExit):
        main([*words, "--language", language])
    assert " ".join(capsys.readouterr().out.split()) == told["rappelwacht"]
    assert re.search(NAMED, told["rappelwacht"])
    assert "./run" not in told["rappelwacht"]
    assert "./run" in told["./run"]
    assert not re.search(NAMED, told["./run"])


def test_a_fault_does_so_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DOOR, "./run")
    assert main(["plya", "--language", "en"]) == 2
    assert "'./run --help' shows what there is." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "near"),
    [("plya", "play"), ("uninstal", "uninstall"), ("tset", "test"), ("play --sede 3", "--seed")],
)
def test_what_was_meant_is_named(
    words: str, near: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DOOR, "./run")
    assert main([*words.split(), "--language", "en"]) == 2
    assert f"did you mean '{near}'?" in capsys.readouterr().err


@pytest.mark.parametrize("start", ["./run", "rappelwacht"])
def test_the_help_lists_every_command_that_can_be_typed(
    start: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DOOR, start)
    with pytest.raises(SystemExit):
        main(["--help", "--language", "en"])
    listed = {*re.findall(rf"^{start} ([a-z-]+)", capsys.readouterr().out, re.MULTILINE)}
    of_the_project = {*OF_THE_PROJECT} if start == "./run" else set()
    research = {point.name for point in entry_points(group="rappelwacht.commands")}
    assert listed == {*COMMANDS} | of_the_project | research


def test_its_version_bears_its_own_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DOOR, "./run")
    with pytest.raises(SystemExit):
        main(["--version"])
    assert re.fullmatch(r"rappelwacht \d+\.\d+\.\d+\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("started", "argv0", "told"),
    [
        ("./run", "companion/cli/main.py", "sudo ./run install"),
        ("", "/home/mira/table/bin/rappelwacht", "sudo /home/mira/table/bin/rappelwacht install"),
        ("", "/opt/rappelwacht/current/companion/cli/main.py", "sudo rappelwacht install"),
    ],
)
def test_what_only_root_may_do_can_be_typed_behind_sudo(
    started: str,
    argv0: str,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(DOOR, started)
    monkeypatch.setattr(sys, "argv", [argv0])
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert main(["install", "--language", "en"]) == 2
    assert " ".join(capsys.readouterr().err.split()).endswith(f"run: {told}")
