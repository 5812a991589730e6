"""A round with real MicroPython in all fourteen boards: the host sees the very same.

The round is played under CPython, and what each board's hardware answered is written down. Then
every stopper and the hub run the same source in a MicroPython process of their own; what the hub's
process writes goes through a pseudo-terminal into a host of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import groupby
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.sensing.seen import Observation
from companion.sim_command.evening import Evening
from companion.simulator import boards
from companion.simulator.boards import HUB
from companion.simulator.cable import Cable
from companion.simulator.run import SimulatedTable
from tests.firmware import micropython
from tests.firmware.test_micropython import HUB_PLAY, Ends, Recorder, files, on_board
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
AT_A_TIME = 20  # steps; this build collects its garbage only in between
BEGIN = """
import replay
from stopper.stopper import Stopper
stopper = Stopper(replay.Replay(open("/recording"), {node}, {kept}, print))
def play(steps):
    for _ in range(steps):
        stopper.step()
"""


class Stopper:
    """A stopper's firmware on a board that is written down."""

    def __init__(self, board: Any, make: Callable[[Any], Any]) -> None:
        self.kept, self.steps = dict(board.flash), 0
        self.recorder = Recorder(board)
        self.recorder.unique_id = board.unique_id
        self.recorder.battery_mv = lambda: 3900  # as tests.firmware.replay says
        self.recorder.temperature_c = lambda: 22.0
        self._made = make(self.recorder)

    def step(self) -> int:
        """Count it."""
        self.steps += 1
        return int(self._made.step())

    @property
    def at_rest(self) -> bool:
        """Return what the firmware says."""
        return bool(self._made.at_rest)

    def again(self) -> list[str]:
        """Return what it does under MicroPython with the same answers."""
        begin = BEGIN.format(node=self.recorder.unique_id, kept=self.kept)
        rest, last = divmod(self.steps, AT_A_TIME)
        plays = [f"play({AT_A_TIME})"] * rest + [f"play({last})"]
        return on_board(VERSION, files(self.recorder.heard), begin, *plays)


class TimedEnds(Ends):
    """The hub's ends of air and line, written down with the times of what it wrote."""

    def __init__(self, board: Any) -> None:
        super().__init__(board)
        self._clock_us = board.oscillator._clock_us
        self.times_us: list[int] = []

    def write(self, data: bytes) -> int:
        """Write down when."""
        self.times_us.append(self._clock_us())
        return super().write(data)


class Hub:
    """The hub's firmware on a board that is written down."""

    def __init__(self, board: Any, make: Callable[[Any], Any]) -> None:
        self.ends, self.steps = TimedEnds(board), 0
        self._made = make(self.ends)

    def step(self) -> int:
        """Count it."""
        self.steps += 1
        return int(self._made.step())

    def again(self) -> list[str]:
        """Return what it does under MicroPython with the same answers."""
        play = HUB_PLAY.format(hub=HUB, steps=self.steps)
        return [line.rstrip() for line in on_board(VERSION, files(self.ends.lines), play)]


def host(folder: Path, written: list[tuple[int, bytes]]) -> list[Observation]:
    """Return what a host makes of bytes that come at given times, through a pseudo-terminal."""
    seen: list[Observation] = []

    def tell(_: int, news: object) -> None:
        if isinstance(news, Observation):
            seen.append(news)

    with Cable(folder) as cable:
        evening = Evening(SimulatedTable((), cable, 1), folder, tell)
        cable.in_step = True
        evening.port.pump(0)
        for at_us, pieces in groupby(written, key=lambda piece: piece[0]):
            data = b"".join(piece for _, piece in pieces)
            assert cable.push(data) == len(data)
            evening.port.pump(at_us)
        evening.close()
    return seen


class Boards:
    """All fourteen firmwares of a table, as they were made."""

    def __init__(self) -> None:
        self.stoppers: list[Stopper] = []
        self.hubs: list[Hub] = []
        self._load = boards.load

    def load(self, name: str) -> SimpleNamespace:
        """Return what a board imports, so that it is written down."""
        return SimpleNamespace(Stopper=partial(self._stopper, name), Hub=partial(self._hub, name))

    def _stopper(self, name: str, board: Any) -> Stopper:
        self.stoppers.append(Stopper(board, self._load(name).Stopper))
        return self.stoppers[-1]

    def _hub(self, name: str, board: Any) -> Hub:
        self.hubs.append(Hub(board, self._load(name).Hub))
        return self.hubs[-1]


def test_thirteen_stoppers_and_the_hub_run_as_real_micropython_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Boards()
    monkeypatch.setattr(boards, "load", made.load)
    for name in ("cpython", "micropython"):
        (tmp_path / name).mkdir()
    told = Told(tmp_path / "cpython", ROUND, 3).play()
    (hub,), stoppers = made.hubs, made.stoppers
    assert len(stoppers) == 13
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        from_stoppers = pool.map(Stopper.again, stoppers)
        from_hub = pool.submit(hub.again)
        for stopper, did in zip(stoppers, from_stoppers, strict=True):
            assert did == stopper.recorder.did
        assert from_hub.result() == hub.ends.did
    wrote = [bytes.fromhex(line[2:]) for line in from_hub.result() if line[0] == "<"]
    written = [piece for piece in zip(hub.ends.times_us, wrote, strict=True) if piece[1]]
    monkeypatch.undo()
    seen = host(tmp_path / "micropython", written)
    assert seen == told.heard
    assert [one.name for one in seen].count("FLIP") == 3
