"""A round with real MicroPython in all fourteen boards: the host sees the very same.

Every stopper and the hub are a MicroPython process of their own, which asks the simulated table for
every access to a chip, every packet and every byte of the line, in the moment when it needs it. The
loop is closed: what they send decides what they are answered. The same round is played with the
same source under CPython.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from companion.simulator import boards
from companion.simulator.traits import HONEST, KIND, Imperfections
from hardware.emulated import live, micropython
from hardware.emulated.test_micropython import UNPACK, files
from tests.scenarios.evenings import Told

VERSION = list(micropython.BUILDS)[-1]
ROUND = """
3 blue compares 3 5 for 1.2
+0 red lifts 11
red shakes 11 for 1
blue puts back 5
+0 green peeks 6 for 0.6
blue places 3
red places 11
green places 6
+0.5 all flip
"""
ROUGH = """
3 blue lifts 7
blue shakes 7 for 1
+0 fault stuck 7 cell
blue places 7
+2 fault clear
+3 fault reboot 5
+1 fault unplug for 2
+4 red lifts 5
red puts back 5
"""
LOAD = boards.load
Made = list[live.Firmware]


def played(folder: Path, script: str, world: Imperfections = KIND) -> Told:
    """Return what was told of a round."""
    folder.mkdir()
    return Told(folder, script, 3, traits=world).play()


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Told]:
    """Return what was told of the rounds under CPython."""
    folder = tmp_path_factory.mktemp("cpython")
    return {script: played(folder / str(at), script) for at, script in enumerate((ROUND, ROUGH))}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, told: dict[str, Told]) -> Iterator[Made]:  # noqa: ARG001 - played under CPython first
    """Return the boards that were made; all are MicroPython's from now on, and none was before."""
    boards_made: Made = []
    sources = {**files([])}

    def make(kind: Callable[..., live.Firmware], module: str, board: Any) -> live.Firmware:
        boards_made.append(kind(VERSION, sources, module, board))
        return boards_made[-1]

    def load(module: str) -> ModuleType | SimpleNamespace:
        if module == "slots":  # which slot runs is the simulated flash's own
            return LOAD(module)
        return SimpleNamespace(
            Stopper=lambda board: make(live.Stopper, module, board),
            Hub=lambda board: make(live.Hub, module, board),
        )

    monkeypatch.setattr(live, "MAKE", UNPACK + live.MAKE)
    monkeypatch.setattr(boards, "load", load)
    yield boards_made
    for one in boards_made:
        one.close()


@pytest.mark.slow
def test_thirteen_stoppers_and_the_hub_play_a_round_as_micropython_processes(
    tmp_path: Path, told: dict[str, Told], made: Made
) -> None:
    seen = played(tmp_path / "micropython", ROUND)
    assert len(made) == 14
    assert min(one.asked for one in made) > 200
    assert seen.heard == told[ROUND].heard
    assert [message.name for message in seen.heard].count("FLIP") == 3
    traffic = (seen.table.air.traffic, told[ROUND].table.air.traffic)
    assert traffic[0] == traffic[1]


@pytest.mark.slow
def test_what_breaks_and_boots_meanwhile_is_told_alike(
    tmp_path: Path, told: dict[str, Told], made: Made
) -> None:
    seen = played(tmp_path / "micropython", ROUGH)
    assert len(made) == 16  # one stopper and the hub began a second time
    assert seen.heard == told[ROUGH].heard
    (placed,) = seen.of(7, "SET")
    assert int(str(placed.fields["blind_ms"])) > 0
    assert {one.boot for one in seen.of(5, "HELLO")} == {1, 2}
    assert seen.events(5) == ["LIFT", "SET"]


@pytest.mark.slow
def test_a_round_in_the_honest_world_is_told_alike(tmp_path: Path, made: Made) -> None:
    """Steps take their time, clocks sleep, feet hang on their cells, and whatever else there is."""
    seen = played(tmp_path / "micropython", ROUND, HONEST)
    assert len(made) == 14
    with pytest.MonkeyPatch.context() as usual:
        usual.setattr(boards, "load", LOAD)
        told = played(tmp_path / "cpython", ROUND, HONEST)
    assert len(made) == 14
    assert seen.heard == told.heard
    assert {message.name for message in seen.heard} >= {"LIFT", "SET", "TILT", "STILL", "FEATURES"}
