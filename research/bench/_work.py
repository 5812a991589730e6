"""The tasks of the bench of sensing: which there are, and doing them, on all processors."""

import multiprocessing
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.sensing.settings import Settings
from companion.simulator.stopper_kinds import WEIGHING
from research.bench import _enrolment, _recorded_hands
from research.bench._evenings import CONDITIONS, Session, recorded
from research.bench._scoring import Score, score
from research.bench._sweep import swept

Amount = tuple[int, int]  # seeds, rounds of each
FULL: dict[str, Amount] = {"evening": (250, 4), "peeks": (40, 10), "set-downs": (40, 25)}
FULL_BROKEN: dict[str, Amount] = {"evening": (20, 4), "peeks": (6, 10), "set-downs": (8, 25)}
QUICK: dict[str, Amount] = {"evening": (3, 2), "peeks": (3, 2), "set-downs": (2, 4)}
QUICK_BROKEN: dict[str, Amount] = {"peeks": (1, 1), "set-downs": (1, 3)}
FAIR = "fair"
SWEPT = 60  # evenings that are heard again with other thresholds: each costs as much again


@dataclass(frozen=True, slots=True)
class Task:
    """What one process does at a time."""

    kind: str  # evening, hands, enrolment
    what: Any
    keep: Path | None = None
    sweeps: bool = False

    @property
    def name(self) -> str:
        """How it is called while it is done."""
        return f"{self.kind} {self.what[1:]}" if isinstance(self.what, tuple) else self.what.name


@dataclass(slots=True)
class Done:
    """What came of a task."""

    task: Task
    found: Any  # a Score, or figures
    sweep: dict[str, Score]


def plan(options: Namespace) -> list[Task]:
    """Return all there is to do, the longest first."""
    share = 1.0 if options.full else options.share
    fair, broken = (FULL, FULL_BROKEN) if share else (QUICK, QUICK_BROKEN)
    how = (options.world, options.stopper)
    sessions = list(_sessions(fair, FAIR, share, *how))
    for condition in CONDITIONS:
        sessions += _sessions(broken, condition, share, *how)
    sessions.sort(key=lambda one: (one.occasion != "evening", one.condition != FAIR))
    tasks = [
        Task("evening", one, options.keep, options.page and _worth_a_sweep(one)) for one in sessions
    ]
    weighings = list(_enrolment.tasks(share, draws=options.page, world=options.world))
    weighings *= options.stopper == WEIGHING.name  # a desk has no other
    tasks += [Task("enrolment", what) for what in weighings]
    if options.corpus:
        hands = [(kind, way) for kind in _recorded_hands.KINDS for way in _recorded_hands.READINGS]
        tasks += [Task("hands", (options.corpus, kind, way)) for kind, way in hands]
    return tasks


def _worth_a_sweep(one: Session) -> bool:
    return one.condition == FAIR and one.occasion != "set-downs" and one.seed <= SWEPT


def _sessions(
    amounts: dict[str, Amount], condition: str, share: float, world: str | None, kind: str
) -> Iterator[Session]:
    for occasion, (seeds, rounds) in amounts.items():
        for seed in range(1, 1 + max(1, round(seeds * (share or 1.0)))):
            yield Session(occasion, condition, seed, rounds, world, kind)


def carry_out(task: Task) -> Done:
    """Do one task."""
    settings = Settings()
    match task.kind:
        case "evening":
            evening = recorded(task.what, task.keep)
            found = score(evening, evening.heard, settings)
            return Done(task, found, swept(evening) if task.sweeps else {})
        case "hands":
            folder, kind, way = task.what
            movements = _recorded_hands.movements(folder, kind, way)
            evening = _recorded_hands.feel(movements)
            found = score(evening, evening.heard, settings)
            found.handlings = len(movements)
            return Done(task, found, {})
    return Done(task, _enrolment.weigh(task.what), {})


def carry_out_all(tasks: Sequence[Task], processes: int) -> Iterator[Done]:
    """Yield what is done, and say how far it is; broken off, it ends with what was done."""
    begun = time.monotonic()
    try:
        for turn, done in enumerate(_each(tasks, processes), 1):
            line = f"{turn} of {len(tasks)}, {time.monotonic() - begun:.0f} s: {done.task.name}"
            print(f"\r{line:78}", end="", file=sys.stderr, flush=True)
            yield done
    except KeyboardInterrupt:
        print("\nBroken off: this is what was done.", file=sys.stderr)
    print("\r" + " " * 78, end="\r", file=sys.stderr)


def _each(tasks: Sequence[Task], processes: int) -> Iterator[Done]:
    if processes < 2:
        yield from map(carry_out, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(carry_out, tasks)
