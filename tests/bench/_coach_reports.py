"""How long the coach's report of a match takes, and how far its parts are from adding up."""

from __future__ import annotations

from random import Random
from statistics import fmean, stdev
from time import thread_time

from companion.coach.report import report
from companion.core.game import TABLE
from companion.core.log import Log
from companion.games.zapp_zerapp.rules import Colour, Phase, Settings, State, ZappZerapp
from companion.games.zapp_zerapp.shaking.people import Listener
from companion.games.zapp_zerapp.shaking.table import Table
from companion.games.zapp_zerapp.solved import worth

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


def luck(matches: int, seed: int) -> dict[str, float]:
    """Return how far dice and barrels favour anybody who draws blindly and moves best.

    Each is a mean in standard errors; if the table is right, it lies within 3 of them.
    """
    brought: dict[str, list[float]] = {}
    for number in range(matches):
        seats = SEATINGS[number % len(SEATINGS)]
        found = report(_best(ZappZerapp(Settings(seats=seats)), Random(f"{seed} {number}")))
        assert found is not None
        for one in found.parts[0].luck:
            brought.setdefault(one.source, []).append(one.total)
    return {
        f"luck_of_{source}_in_errors": fmean(found) / (stdev(found) / len(found) ** 0.5)
        for source, found in brought.items()
    }


def _best(game: ZappZerapp, chance: Random) -> Log[State]:
    known, log = worth(game.settings), Log.begin(game)
    while turns := game.turns(log.state):
        state, seat = log.state, turns[0]
        if state.phase is Phase.MOVE:
            at = game.seats.index(Colour(seat))
            moves = known.moves(state.pawns, state.barrels, state.queue)
            log = log.play(max(moves, key=lambda move: moves[move][at]))
        elif seat == TABLE:
            legal = game.legal(state, seat)
            log = log.play(chance.choices(legal, game.odds(state))[0])
        else:
            numbered = [one for one in game.legal(state, seat) if one != one.hidden()]
            log = log.play(chance.choice(numbered))
    return log
