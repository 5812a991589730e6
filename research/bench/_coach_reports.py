"""How long the coach's report of a match takes, and how far its parts are from adding up."""

from random import Random
from statistics import fmean
from time import thread_time

from companion.coach.report import report
from companion.core.log import Log
from companion.games.zapp_zerapp.listening_ai.people import Listener
from companion.games.zapp_zerapp.listening_ai.table import Table
from companion.games.zapp_zerapp.rules import Colour, Settings, State, ZappZerapp

SEATINGS = ((Colour.RED, Colour.BLUE), (Colour.RED, Colour.GREEN))  # opposite, and side by side


def figures(matches: int, seed: int) -> dict[str, float]:
    """Return the figures of matches that people who listen play, each judged again.

    Times are those of a processor, so that what else the machine does counts for nothing.
    """
    took_ms, off, exact = list[float](), 0.0, True
    for number in range(matches):
        log = _played(SEATINGS[number % len(SEATINGS)], Random(f"{seed} {number}"))
        if number < len(SEATINGS):
            report(log)  # a table is opened once, and not by every report
        begun_s = thread_time()
        found = report(log)
        took_ms.append((thread_time() - begun_s) * 1000)
        assert found is not None
        off, exact = max(off, found.balance), exact and found.exact
    return {
        "report_ms": fmean(took_ms),
        "report_ms_most": max(took_ms),
        "balance_max": off,
        "reports_exact": float(exact),
    }


def _played(seats: tuple[Colour, ...], chance: Random) -> Log[State]:
    game = ZappZerapp(Settings(seats=seats))
    people = {seat: Listener(game.settings, chance) for seat in seats}
    steps = Table(game, people, chance).play()
    return Log.begin(game, [action for _, action, _ in steps])
