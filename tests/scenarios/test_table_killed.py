"""The program itself is killed in mid-game, as nothing else is: it goes on where it was."""

import os
import queue
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Thread

from companion.core.plugin import GAMES
from companion.i18n.translate import say
from companion.journal import Journal
from companion.referee.events import ActionDone, from_json
from companion.referee.match import apply, start_match
from companion.system.paths import JOURNAL

GOES_ON, BEGINS = "The match goes on where it was.", "A match begins."
EVENT = re.compile(r"^  ([A-Z].*)")  # how a line begins that tells what happened in the game
MOMENTS = ("the magic number is", "has chosen a barrel;", "Order of moves")
WAIT_S = 60.0  # for whatever must come; a busy machine is slow


class Process:
    """`./run` for a simulated table, and what it tells."""

    def __init__(self, folder: Path, seed: int) -> None:
        words = ["--language", "en", "--folder", str(folder), "--bots", "2"]
        words += ["--speed", "10", "--seed", str(seed)]
        self._process = subprocess.Popen(
            [sys.executable, "-u", "-m", "companion", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.told: list[str] = []
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def until(self, *wanted: str) -> str:
        """Read on until one of these is told."""
        while (line := self._lines.get(timeout=WAIT_S)) is not None:
            self.told.append(line)
            if any(one in line for one in wanted):
                return line
        raise AssertionError(f"it ended: {self.told[-5:]}")

    def kill(self) -> None:
        """Kill -9, then read what was told before."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        self._reader.join()
        while (line := self._lines.get()) is not None:
            self.told.append(line)
        assert self._process.stdout is not None
        self._process.stdout.close()

    def listen(self, for_s: float) -> None:
        """Read on for a while."""
        end_s = time.monotonic() + for_s
        with suppress(queue.Empty):
            while (left_s := end_s - time.monotonic()) > 0:
                self.told.append(self._lines.get(timeout=left_s) or "")

    @property
    def events(self) -> list[str]:
        """Return what was told of the game."""
        found = (EVENT.match(line) for line in self.told)
        return [one[1] for one in found if one]


def written(folder: Path) -> tuple[str, list[str]]:
    """Return the newest match as its journal has it, and each sentence of what happened in it."""
    journal = Journal(folder / JOURNAL)
    newest = journal.matches()[0].id
    first, *rest = journal.events(newest)
    journal.close()
    match, sentences = start_match(from_json(first.kind, first.body), GAMES), list[str]()
    for one in rest:
        happened = from_json(one.kind, one.body, match.game)
        before, match = match, apply(match, happened)
        if isinstance(happened, ActionDone):
            news = match.happened[len(before.happened) if happened.follows else 0 :]
            sentences += [say(event) for event in news]
    return newest, sentences


def within(told: list[str], all_: list[str]) -> bool:
    """Return whether all that was told is there, in this order; more may be."""
    rest = iter(all_)
    return all(event in rest for event in told)


def test_a_killed_program_goes_on_and_has_lost_nothing_told(tmp_path: Path, full: bool) -> None:
    rng, told, matches = Random(5), list[str](), set[str]()
    moments = MOMENTS if full else MOMENTS[1:2]
    for start in range(30 if full else 2):
        process = Process(tmp_path, seed=start)
        said = process.until(GOES_ON, BEGINS)
        assert (said == BEGINS) == (start == 0), process.told
        if start < len(moments):
            process.until(moments[start])
        process.listen(rng.uniform(0.0, 6.0 if full else 0.3))
        process.kill()
        name, sentences = written(tmp_path)
        matches.add(name)
        told += process.events
        assert within(told, sentences), (told, sentences)
    assert len(matches) == 1
    assert len(told) >= len(moments)
