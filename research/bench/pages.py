"""What people see and feel of the pages, in a real Chromium: is it there, is it quick, is it calm.

    ./run bench pages [--json] [--full] [--pictures FOLDER] [--only GAME/PHASE …]

Every phase of every game that is installed (and of the fifth game of the tests) is looked at on six
screens in German and English, as the phone sees it that has to act: what its headline asks for has
to be there whole, without scrolling. Whole games are played by taps, and then rounds of Zapp Zerapp
among guests at a simulated table, by the clock.
"""

import argparse
import multiprocessing
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.core.plugin import GAMES
from examples.building import ROOT, built
from research.bench import _first_look, _pages_round
from research.bench._pages_games import Game, Played, play
from research.bench._pages_history import history_ms
from research.bench._pages_laid import LETTERS, Laid, laid
from research.bench._pages_seats import at_one_table
from research.bench._pages_seen import HAND, LANGUAGES, Looked, look, moved
from research.bench._pages_spoken import unspoken
from research.bench._report import parser, tell
from tests.browser.chromium import FOUND, Drawer, started
from tests.browser.phases import Phase, phases
from tests.browser.served import Served
from tests.programs import lacking
from tests.web.room import FakeRoom

Figures = dict[str, Any]
UNMEASURED: Final[Figures] = {
    "off_screen_cases": None,
    "taps_per_move_max": None,
    "scrolls_per_game": None,
    "too_short_events": None,
    "stale_keys": None,
    "moved_px_max": None,
    "reveal_s": None,
    "round_s": None,
    "round_s_max": None,
    "taps_per_round": None,
    "taps_per_round_max": None,
    "sentences_unspoken": None,
    "first_load_kb": None,
    "again_kb": None,
    "again_requests": None,
    "fcp_ms": None,
    "axe_serious": None,
    "axe_moderate": None,
    "overlaps": None,
    "font_sizes": None,
    "players_at_simulated": None,
    "history_ms": None,
}
PLAYED: Final = (  # each game on one phone; with --full on all of them, in both languages
    Game("zapp-zerapp", 360, 740, "de-DE"),
    Game("trap-the-wizard", 390, 844, "en-GB"),
    Game("via-magica", 740, 360, "de-DE"),
    Game("blackmore", 320, 568, "de-DE"),
    Game("ludo", 360, 740, "en-GB"),
)


def looked_at(task: tuple[str, tuple[str, ...], bool, Path | None]) -> Looked:
    """Look at all phases in one language, in a process of its own."""
    language, only, full, pictures = task
    assert FOUND is not None
    with started(FOUND) as browser:
        axe = full or language == "de"  # whose words are longer
        return look(Drawer(browser), chosen(only), language, axe=axe, pictures=pictures)


def chosen(only: Sequence[str]) -> tuple[Phase, ...]:
    """Return the phases with these beginnings of their names; all, if there are none."""
    return tuple(one for one in phases() if not only or one.name.startswith(tuple(only)))


def played(game: Game) -> Played:
    """Play a whole game by taps, in a process of its own."""
    assert FOUND is not None
    with started(FOUND) as browser:
        return play(Drawer(browser), game)


def among_guests() -> Figures:
    """Play rounds when nothing else is measured."""
    assert FOUND is not None
    with started(FOUND) as browser:
        return _pages_round.told(_pages_round.measure(Drawer(browser)))


def games(*, full: bool) -> tuple[Game, ...]:
    """Return the games to be played, of those that are installed."""
    wanted = [game for game in PLAYED if game.name in GAMES]
    if not full:
        return tuple(wanted)
    return tuple(
        replace(game, width_px=width, height_px=height, locale=locale)
        for game, (width, height), locale in product(wanted, HAND, LANGUAGES.values())
    )


def told_seen(parts: Sequence[Looked]) -> Figures:
    """Return what could not be seen where it was asked for, and what keeps people out."""
    seen = [one for part in parts for one in part.seen]
    serious = [one for part in parts for one in part.serious]
    moderate = [one for part in parts for one in part.moderate]
    missing = [str(one) for one in seen if one.missing]
    return {
        "off_screen_cases": len(missing),
        "off_screen_of": len(seen),
        "off_screen": missing,
        "moved_px_max": max(moved(seen).values(), default=0),
        "moved_px": moved(seen),
        "axe_serious": len(serious),
        "axe_moderate": len(moderate),
        "axe": serious + moderate,
    }


def told_laid(parts: Sequence[Laid]) -> Figures:
    """Return how text lies, and in how many sizes there is text at most, on one phone."""
    faults = [one for part in parts for one in part.faults]
    most = max((part.sizes_px for part in parts), key=len, default=())
    return {
        "overlaps": len(faults),
        "overlaps_of": sum(part.screens for part in parts),
        "overlapping": faults,
        "font_sizes": len(most),
        "font_sizes_px": most,
    }


def told_played(parts: Sequence[Played]) -> Figures:
    """Return what whole games took."""
    return {
        "taps_per_move_max": max(max(part.taps, default=0) for part in parts),
        "taps_to_choose_several_max": max(max(part.many, default=0) for part in parts),
        "scrolls_per_game": max(part.scrolls for part in parts),
        "stale_keys": sum(part.stale for part in parts),
        "reveal_s": max((part.reveal_s for part in parts), default=0.0),
        "too_short_events": sum(one.too_short for part in parts for one in part.shown),
        "games": [
            {
                "game": part.name,
                "over": part.over,
                "stuck": part.stuck,
                "decisions": part.decisions,
                "taps_max": max(part.taps, default=0),
                "scrolls": part.scrolls,
                "scrolled": [*dict.fromkeys(part.scrolled)][:5],
                "events_shown": len(part.shown),
                "events_skipped": sum(one.skipped for one in part.shown),
                "took_s": round(part.took_s),
            }
            for part in parts
        ],
    }


def with_fifth_game(words: Sequence[str]) -> None:
    """Go on where the fifth game of the tests is installed, unless it is here already."""
    if find_spec("ludo") is not None:
        return
    with TemporaryDirectory() as folder:
        path = os.pathsep.join([str(built(Path(folder))), str(ROOT)])
        command = [sys.executable, "-P", "-m", "research.bench.pages", *words]
        done = subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, check=False)
        raise SystemExit(done.returncode)


def measured(options: argparse.Namespace) -> Figures:
    """Return all figures."""
    looks = [(one, tuple(options.only), options.full, options.pictures) for one in LANGUAGES]
    with multiprocessing.get_context("spawn").Pool(options.processes, maxtasksperchild=1) as pool:
        plays = [] if options.only else games(full=options.full)
        seen = pool.map_async(looked_at, looks, chunksize=1)
        by_taps = pool.map_async(played, plays, chunksize=1)
        lies = pool.map_async(laid, [*product(LANGUAGES, LETTERS if plays else ())], chunksize=1)
        found = told_seen(seen.get())
        if plays:
            found |= told_played(by_taps.get()) | told_laid(lies.get())
    if plays:
        found |= among_guests() | {"players_at_simulated": at_one_table()}
    seeds = range(20 if options.full else 2)
    missed = [one for language in LANGUAGES for one in unspoken(language, seeds)]
    found |= {"history_ms": history_ms()}
    found |= {"sentences_unspoken": len(missed), "unspoken": missed}
    with (served := Served(FakeRoom("red", "green", "blue", "yellow"))).server:
        found |= _first_look.measure(served.port)
    return found


def main() -> None:
    """Measure and print."""
    words = parser("pages", __doc__)
    words.add_argument("--full", action="store_true", help="games on all phones; axe in English")
    words.add_argument("--only", nargs="+", default=(), help="phases that begin so, no games")
    words.add_argument("--pictures", type=Path, help="of each phase on each screen, into a folder")
    words.add_argument("--processes", type=int, default=2)
    options = words.parse_args()
    begun_s = time.monotonic()
    found = dict(UNMEASURED)
    if FOUND is None:
        print(f"Nothing is measured: {lacking('chromium')}")
    else:
        with_fifth_game(sys.argv[1:])
        if options.pictures:
            options.pictures.mkdir(parents=True, exist_ok=True)
        found |= measured(options)
    found |= {"cores": os.cpu_count(), "machine": platform.machine()}
    found |= {"took_s": round(time.monotonic() - begun_s), "load": round(os.getloadavg()[0], 1)}
    tell(found, as_json=options.json)


if __name__ == "__main__":
    main()
