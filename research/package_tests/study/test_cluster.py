"""A study that many computers play comes to what one computer makes of it, whatever they do."""

import builtins
import json
import os
import pickle
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from companion.cli.main import main
from companion.core.plugin import GAMES
from rappelwacht_research import study
from rappelwacht_research.study import cluster, match
from rappelwacht_research.study.match import here, in_lockstep, one_match

STUDY = ["study", "via-magica", "--games", "12", "--seed", "3", "--players", "casual,random"]
LADDER = ["study", "via-magica", "--ladder", "--games", "2", "--seed", "3"]


def told(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main([*words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", GAMES)
def test_a_match_is_the_same_wherever_and_whenever_it_is_played(name: str) -> None:
    game = GAMES[name]()
    parts = [one_match(game, ("random",) * len(game.seats), f"7 {luck}") for luck in range(3)]
    elsewhere = [pickle.loads(pickle.dumps(part)) for part in parts]  # noqa: S301 - pickled by this test
    assert [*here(elsewhere[::-1])][::-1] == [*here(parts)]


def test_so_are_those_in_lockstep(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numpy")
    lockstep = pytest.importorskip("rappelwacht_research.lockstep")
    monkeypatch.setattr(lockstep, "CHUNK", 600)
    game = GAMES["zapp-zerapp"]()
    parts = in_lockstep(game, ("random",) * 4, match.BULK, 5)
    assert parts is not None
    one, other = (pickle.loads(pickle.dumps(part)) for part in parts)  # noqa: S301 - pickled by this test
    assert [*here([other]), *here([one])] == [*here(parts[1:]), *here(parts[:1])]
    assert len([*here(parts)]) == match.BULK


def test_whoever_has_no_dask_is_told_where_it_comes_from(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = builtins.__import__

    def lacking(name: str, *rest: Any) -> Any:
        if name == "distributed":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", lacking)
    assert main(["--language", "en", *STUDY, "--scheduler", "127.0.0.1:1"]) == 2
    assert f"{sys.executable} -m pip install distributed" in capsys.readouterr().err


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    """Start two workers on this computer, each a process, which starts over where it dies."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as found:
        yield found


@pytest.mark.usefixtures("no_search")
def test_workers_come_to_the_same_as_this_computer(
    workers: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (STUDY, LADDER):
        there = told(capsys, *words, "--scheduler", workers.scheduler_address)
        assert there == told(capsys, *words)


def test_a_worker_that_is_killed_in_the_middle_changes_nothing(
    workers: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {one.pid for one in workers.workers.values()}
    killed: list[int] = []

    def kill(*_: int) -> None:
        if not killed:
            killed.append(min(before))
            os.kill(killed[0], signal.SIGKILL)

    monkeypatch.setattr(study, "_progress", kill)
    there = told(capsys, *STUDY, "--scheduler", workers.scheduler_address)
    assert there == told(capsys, *STUDY)
    assert killed
    assert {one.pid for one in workers.workers.values()} != before


def test_another_version_is_refused_and_so_is_where_nobody_answers(
    workers: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cluster, "__version__", "0.0.1")
    words = ["--language", "en", *STUDY, "--scheduler"]
    assert main([*words, workers.scheduler_address]) == 2
    assert "and this is 0.0.1" in capsys.readouterr().err
    monkeypatch.setattr(cluster, "ANSWERS_S", 0.2)
    assert main([*words, "127.0.0.1:1"]) == 2
    assert "No Dask scheduler answers at 127.0.0.1:1" in capsys.readouterr().err
