"""Eight hours at the table as a process of its own, watched by phones all the time.

What it holds is what anybody sees who looks: the resident memory of the whole process, with nothing
collected or given back for it. Flat means: after the first match it grows no more.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPResponse
from itertools import product
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, Final

import pytest

from companion.core.codec import pack
from companion.core.notation import write
from companion.games.zapp_zerapp.rules import Colour, Settings
from companion.journal import Journal
from companion.referee.commands import DoAction, NewMatch
from companion.referee.events import HouseRules
from companion.system.paths import JOURNAL, ensure_private_folder
from companion.web import tv_page
from companion.web.app import LINKS
from companion.web.common.live import SNAPSHOT
from companion.web.common.server import free_port
from tests.games.zapp_zerapp.coach.matches import listened
from tests.referee.tables import Round
from tests.scenarios.refereed import Refereed
from tests.test_signals import begun

HOURS: Final = 8  # as the clock of the table goes …
SPEED: Final = 10.0  # … and that many times as fast as ours
FLAT_MB: Final = 5.0
OPENED_MB: Final = 9.0  # what the pages' own templates take, and a match with its report
THREADS: Final = 16
HERE: Final = "127.0.0.1"
LANGUAGES: Final = ("en", "de")
VIEWS: Final = tuple(product((SNAPSHOT, "table", *tv_page.VIEWS), (*LANGUAGES, "en")))
PAGES: Final = (
    "/",
    "/history",
    "/history/{match}?step=3",
    "/history/{match}/coach",
    "/api/matches",
    "/api/matches/{match}",
)


def opened(port: int, path: str, language: str = "en", **headers: str) -> HTTPResponse:
    """Ask for a page; whoever reads it closes it."""
    line = HTTPConnection(HERE, port, timeout=120)
    line.request("GET", path, headers={"Cookie": f"language={language}", **headers})
    return line.getresponse()


def looks_at(port: int, path: str, language: str) -> None:
    """Open a page, and read it to its end."""
    with closing(opened(port, path, language, Connection="close")) as answer:
        assert (answer.status, bool(answer.read())) == (200, True), path


def follow(port: int, view: str, language: str = "en") -> HTTPResponse:
    """Follow a view live."""
    answer = opened(port, f"/api/stream?view={view}", language, Accept="text/event-stream")
    assert answer.status == 200, view
    return answer


def snapshots(stream: HTTPResponse) -> Iterator[dict[str, Any]]:
    """Yield what a stream tells."""
    for line in stream:
        if line.startswith(b"data: {"):
            yield json.loads(line[len(b"data: ") :])


def drain(stream: Any) -> None:
    """Read a stream to its end, as a phone does."""
    for _ in stream:
        pass


def held_mb(process: int) -> float:
    """Return what a process holds now."""
    status = Path(f"/proc/{process}/status").read_text()
    (kilobytes,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(kilobytes) * 1024 / 1e6


@pytest.mark.slow  # fifty minutes
def test_eight_hours_of_matches_hold_no_more_memory_than_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    port = free_port(HERE)
    words = [sys.executable, "-P", "-m", "companion", "--seat", "none", "--bots", "3"]
    words += ["--games", "99", "--speed", f"{SPEED:g}", "--seed", "5", "--port", f"{port}"]
    held, over = list[float](), ""
    with ExitStack() as life:
        table = life.enter_context(
            begun([*words, "--folder", f"{tmp_path}/kept"], tmp_path, b"PIN")
        )
        begun_s = monotonic()
        streams = [follow(port, *view) for view in VIEWS]
        for stream in (table.stdout, table.stderr, *streams):
            reader = Thread(target=drain, args=(stream,))
            reader.start()
            life.callback(reader.join)
        life.callback(table.kill)
        for now in snapshots(follow(port, SNAPSHOT)):
            if not now.get("over") or now["match"] == over:
                continue
            over = now["match"]
            for language in LANGUAGES:
                for page in PAGES:
                    looks_at(port, page.format(match=over), language)
            hours = SPEED * (monotonic() - begun_s) / 3600
            held.append(held_mb(table.pid))
            with capsys.disabled():
                sys.stdout.write(f"\n{hours:.2f} h, match {len(held)}: {held[-1]:.1f} MB")
                sys.stdout.flush()
            if hours > HOURS:
                break
    assert len(held) > 3
    assert max(held) - held[0] < FLAT_MB, held


def won(folder: Path) -> str:
    """Keep a match that is won, of two whose solved table is the largest; return its name."""
    seats, played = (Colour.RED, Colour.GREEN), Round()
    played.wish(NewMatch("zapp-zerapp", pack(Settings(seats)), HouseRules()))
    for action in listened(1, seats).actions:
        assert played.wish(DoAction(write(action))).refused is None
    ((match, entries),) = played.papers.items()
    with closing(Journal(ensure_private_folder(folder) / JOURNAL)) as journal:
        journal.import_match(entries)
    return match


def test_a_table_of_which_every_page_was_opened_holds_little_more_than_before(
    tmp_path: Path,
) -> None:
    """Each thread kept what it had once needed, and the coach's solved tables stayed in memory."""
    port, match = free_port(HERE), won(tmp_path / "kept")
    words = [sys.executable, "-m", "companion", "table", "--port", f"{port}"]
    with begun([*words, "--folder", f"{tmp_path}/kept"], tmp_path, b"PIN") as table:
        looks_at(port, "/", "en")
        before_mb = held_mb(table.pid)
        for language in LANGUAGES:
            for path in (*PAGES, *(path for path, _ in LINKS)):
                looks_at(port, path.format(match=match), language)
        after_mb = held_mb(table.pid)
        assert len([*Path(f"/proc/{table.pid}/task").iterdir()]) <= THREADS
    assert after_mb - before_mb < OPENED_MB


def test_the_lights_of_a_simulated_table_leave_no_trace_of_every_frame(tmp_path: Path) -> None:
    with Refereed(tmp_path, seed=5) as day:
        day.until(lambda: day.now.match is not None).wait(5)
        pins = day.live.outside.factory.pins.values()
        assert len(pins) > 8
        assert max(len(pin.states) for pin in pins) == 1
