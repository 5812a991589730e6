"""A day at the table: six matches by hand with rests between, watched by phones all the time.

What the program holds is its resident memory, after all garbage is collected and what the
allocator keeps for later is given back; flat means: after the first match it grows no more.
"""

from __future__ import annotations

import ctypes
import gc
import os
import sys
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

import pytest

from companion.referee.commands import Command, CommandBody
from companion.referee.snapshot import Snapshot
from companion.simulator.live.driver import PeriodicTask
from companion.web.app import LINKS, live_views
from companion.web.common.live import SNAPSHOT
from companion.web.common.server import free_port
from tests.scenarios.refereed import Refereed
from tests.test_ending import begun
from tests.web.room import client, phones

MATCHES: Final = 6
EVERY_S: Final = 4 * 3600  # from the beginning of one to that of the next: a day of them
LONGEST_S: Final = 20_000.0  # of one; random guests play on for half an hour, mostly
FLAT_MB: Final = 5.0
OPENED_MB: Final = 6.0  # what the pages' own templates take
THREADS: Final = 16
HERE: Final = "127.0.0.1"
SECOND_US: Final = 1_000_000
PAGES: Final = ("/", "/history", "/history/{match}?step=3", "/api/matches", "/api/matches/{match}")


class Day(Refereed):
    """An evening that keeps nothing of its own of what goes by."""

    def __init__(self, folder: Path, matches: int = MATCHES) -> None:
        self._wishes = 0
        super().__init__(folder, seed=5, games=matches)

    def keep(self, now: Snapshot) -> None:
        pass

    def decide(self, wish: CommandBody, by: str = "red", version: int | None = None) -> None:
        self._wishes += 1
        self.table.post(Command(f"day {self._wishes}", wish, by, version))

    def match(self) -> Day:
        """Have the guests play one match to its end, then lean back."""
        before, self.playing = self.now.match, True
        self.until(lambda: self.now.match not in {None, before} and self.now.over, LONGEST_S)
        self.playing = False
        return self


class Watchers:
    """Phones that follow live, and read about the past now and then."""

    def __init__(self, day: Day) -> None:
        self._day, joined = day, phones(day.table)
        self._live = live_views(joined)
        self._phone = client(joined)
        day.also += [
            PeriodicTask(SECOND_US, self._follow),
            PeriodicTask(60 * SECOND_US, self._read),
        ]

    def _follow(self, _: int) -> None:
        for language in ("en", "de"):
            for view in (SNAPSHOT, "table"):
                self._live.newest((view, language, ""))

    def _read(self, _: int) -> None:
        for page in PAGES:
            if self._day.now.match is not None:
                path = page.format(match=self._day.now.match)
                assert self._phone.get(path).status_code == 200


def held_mb() -> float:
    """Return what this process holds."""
    gc.collect()
    with suppress(OSError, AttributeError):  # another C library than GNU's
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    return resident_mb(os.getpid())


def resident_mb(process: int) -> float:
    """Return what a process holds now."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.slow  # half an hour
def test_a_day_of_matches_holds_no_more_memory_than_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Day(tmp_path) as day:
        Watchers(day)
        held = []
        for number in range(1, MATCHES + 1):
            day.match().wait(60)
            held.append(held_mb())
            with capsys.disabled():
                hours = day.sim.now_us / 3.6e9
                sys.stdout.write(f"\n{hours:.1f} h, match {number}: {held[-1]:.1f} MB")
                sys.stdout.flush()
            day.wait(max(0.0, number * EVERY_S - day.sim.now_us / 1e6))
        held.append(held_mb())
    assert day.sim.now_us >= MATCHES * EVERY_S * SECOND_US
    assert max(held) - held[0] < FLAT_MB, held


def test_a_table_of_which_every_page_was_opened_holds_little_more_than_before(
    tmp_path: Path,
) -> None:
    """Each thread kept what it had once needed, and there were 68 of them."""
    port = free_port(HERE)
    words = [sys.executable, "-m", "companion", "table", "--port", f"{port}"]
    with begun([*words, "--folder", f"{tmp_path}/kept"], tmp_path, b"PIN") as table:

        def opens(path: str, language: str = "en") -> None:
            line = HTTPConnection(HERE, port, timeout=60)
            line.request("GET", path, headers={"Cookie": f"language={language}"})
            with closing(line), line.getresponse() as answer:
                assert (answer.status, bool(answer.read())) == (200, True), path

        opens("/")
        before_mb = resident_mb(table.pid)
        for language in ("en", "de"):
            for path, _ in LINKS:
                opens(path, language)
        held_mb = resident_mb(table.pid)
        assert len([*Path(f"/proc/{table.pid}/task").iterdir()]) <= THREADS
    assert held_mb - before_mb < OPENED_MB


def test_the_lights_of_a_simulated_table_leave_no_trace_of_every_frame(tmp_path: Path) -> None:
    with Day(tmp_path, 1) as day:
        day.until(lambda: day.now.match is not None).wait(5)
        pins = day.live.outside.factory.pins.values()
        assert len(pins) > 8
        assert max(len(pin.states) for pin in pins) == 1
