"""Who placed which barrel, by the names that barrels say to pads: how surely, and how soon.

Whole evenings at the honest simulated table, in which all four set down within half a second of
each other, or a little apart. Beside the usual evenings: some in which every window lets only four
words in ten through, and some in which every receiver is dead, so that people have to be asked.
Shares bear Wilson intervals of 95 %; times are virtual, from the touch until the host knows.

    ./run bench seat [--json] [--evenings 12] [--rounds 8] [--seed 1] [--processes 1]
"""

import argparse
import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import companion.sensing
from companion.sensing.settings import Settings
from research.bench._evenings import DEAF, WORDS_40, Session, record
from research.bench._figures import APART_MS, quantile, share
from research.bench._placings import Waited, waits
from research.bench._report import parser, tell
from research.bench._scoring import SetDown, score

USUAL: Final = "fair"
SOON_US: Final = 600_000
SENSING_BEFORE: Final = 6_542  # lines, while who placed what followed from times


@dataclass(frozen=True, slots=True)
class EveningSeats:
    """The placings of one evening."""

    condition: str
    set_downs: tuple[SetDown, ...]
    first: tuple[SetDown, ...]  # those of its first round
    waits: tuple[Waited, ...]


def played(session: Session) -> EveningSeats:
    """Return what became of an evening's placings."""
    evening = record(session)
    set_downs = tuple(score(evening, evening.heard, Settings()).set_downs)
    return EveningSeats(session.condition, set_downs, set_downs[:4], tuple(waits(evening)))


def report(evenings: Sequence[EveningSeats]) -> dict[str, object]:
    """Return the figures."""
    figures: dict[str, object] = {}
    for condition, end in ((USUAL, ""), (WORDS_40, "_words_40"), (DEAF, "_deaf")):
        mine = [evening for evening in evenings if evening.condition == condition]
        placings = [placing for evening in mine for placing in evening.set_downs]
        if not placings:
            continue
        apart = [placing for placing in placings if placing.gap_ms >= APART_MS]
        close = [placing for placing in placings if placing.gap_ms < APART_MS]
        first = [placing for evening in mine for placing in evening.first]
        for name, among, outcome in (
            ("apart_known", apart, "right"),
            ("close_known", close, "right"),
            ("first_round_known", first, "right"),
            ("wrong_and_certain", placings, "wrong"),
            ("asked", placings, "asked"),
        ):
            hits = sum(placing.outcome == outcome for placing in among)
            figures |= share(name + end, hits, len(among))
        times = [wait.wait_us for evening in mine for wait in evening.waits]
        known = sorted(time_us / 1000 for time_us in times if time_us is not None)
        figures[f"placed_p50_ms{end}"] = quantile(known, 0.5)
        figures[f"placed_p99_ms{end}"] = quantile(known, 0.99)
        soon = sum(time_us is not None and time_us <= SOON_US for time_us in times)
        figures |= share(f"known_600ms{end}", soon, len(times))
    figures["sensing_lines"] = sensing_lines()
    figures["sensing_lines_before"] = SENSING_BEFORE
    return figures


def sensing_lines() -> int:
    """Return how many lines the package has."""
    folder = Path(companion.sensing.__file__).parent
    return sum(len(path.read_text("utf-8").splitlines()) for path in folder.glob("*.py"))


def sessions(options: argparse.Namespace) -> list[Session]:
    """Return the evenings; of each condition beside the usual one a quarter as many."""
    seeds = range(options.seed, options.seed + options.evenings)
    few = seeds[: max(1, options.evenings // 4)]
    return [
        Session("set-downs", condition, seed, options.rounds, "honest")
        for condition, among in ((USUAL, seeds), (WORDS_40, few), (DEAF, few))
        for seed in among
    ]


def main() -> None:
    """Measure and print."""
    words = parser("seat", __doc__)
    words.add_argument("--evenings", type=int, default=12)
    words.add_argument("--rounds", type=int, default=8, help="of each evening")
    words.add_argument("--seed", type=int, default=1, help="of the first evening")
    words.add_argument("--processes", type=int, default=1)
    options = words.parse_args()
    with multiprocessing.Pool(options.processes) as pool:
        evenings = list(pool.imap(played, sessions(options)))
    tell(report(evenings), as_json=options.json)


if __name__ == "__main__":
    main()
