"""How long after a barrel was set down the table knows who placed it: in virtual time, many times.

What waits here is what a table waits for: the stopper's own judgement, the air, pads that close
late, and the silence that must pass. The milliseconds that a processor needs are measured in real
time beside it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.sensing.events import Placed
from companion.sensing.settings import Settings
from companion.simulator.ground_truth import What
from research.bench._evenings import Recorded, Session, record
from research.bench._scoring import taken_us

OCCASION, ROUNDS = "evening", 4  # 14 to 16 placings
EARLY_US = 500_000  # a pad may close before the foot is quite down


@dataclass(frozen=True, slots=True)
class Waited:
    """One placing: how long until it was known, and how far in time the next set-down was."""

    wait_us: int | None  # None: it never was
    gap_us: int


def waited(seeds: int, world: str | None) -> list[Waited]:
    """Return all placings of some evenings."""
    sessions = (Session(OCCASION, "fair", seed, ROUNDS, world) for seed in range(1, seeds + 1))
    return [one for session in sessions for one in waits(record(session))]


def waits(evening: Recorded) -> Iterator[Waited]:
    """Yield the placings of one evening."""
    certain = Settings().certain
    told = [
        (at_us, one)
        for at_us, one in evening.heard
        if isinstance(one, Placed) and one.confidence >= certain and len(one.candidates) < 2
    ]
    touches = [one for one in evening.happenings if one.what in (What.PLACED, What.PUT_BACK)]
    for placed in evening.happenings:
        if placed.what is not What.PLACED or placed.other is None or placed.barrel is None:
            continue
        seat, stopper = placed.other.name.lower(), evening.stopper_of[placed.barrel]
        until_us = taken_us(evening, placed)
        known = [
            at_us
            for at_us, one in told
            if (one.seat, one.stopper) == (seat, stopper)
            and placed.at_us - EARLY_US < one.moment.at_us
            and placed.at_us <= at_us < until_us
        ]
        gaps = [abs(one.at_us - placed.at_us) for one in touches if one is not placed]
        yield Waited(min(known) - placed.at_us if known else None, min(gaps, default=1 << 62))
