"""What each trait of a real table costs: the same evenings with one at a time, and with all.

    ./run bench worlds [--json] [--share 0.5] [--only foot,pads] [--stopper light] [--keep FILE]
                       [--page]

One world takes about two minutes; `--only enrolment` enrols tables. With --keep a run goes on where
it was broken off; --page puts what a stopper is assumed to be like into the page.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.sensing.settings import Settings
from companion.simulator.stopper_kinds import WEIGHING
from companion.simulator.traits import RADIO, Trait
from rappelwacht_research.breadboard import KINDS
from research.bench import _enrolment, _kinds
from research.bench._evenings import Session, record
from research.bench._figures import Figures, of_handling, of_looks, of_set_downs, quantile, share
from research.bench._page import PAGE, inserted
from research.bench._placings import Waited, waits
from research.bench._scoring import Score, score, total

SOON_MS = 600
AMOUNTS = {"evening": (4, 3), "peeks": (4, 6), "set-downs": (4, 8)}  # seeds, rounds of each
PARTS = dict.fromkeys("radio" if trait in RADIO else trait.value for trait in Trait)
WORLDS = ("kind", *PARTS, "honest")
ENROLMENT = "enrolment"  # one more that can be measured: tables in the honest world…
TABLES = 120  # …this many
KEPT = (
    "false_fouls_per_1000",
    "warnings_per_200",
    "peek_miss_500ms",
    "seat_right",
    "seat_wrong_and_certain",
    "seat_close_right",
    "seat_close_wrong_and_certain",
)


def sessions(world: str, part: float, kind: str) -> Iterator[Session]:
    """Yield the evenings of one world: the same seeds in each."""
    for occasion, (seeds, rounds) in AMOUNTS.items():
        for seed in range(1, 1 + max(1, round(seeds * part))):
            yield Session(occasion, "fair", seed, rounds, world, kind)


def measured(world: str, part: float, kind: str = WEIGHING.name) -> Figures:
    """Return what is found in one world with one kind of stoppers."""
    if world == ENROLMENT:
        return enrolled(max(1, round(TABLES * part)))
    scores: dict[str, Score] = {}
    placings: list[Waited] = []
    for session in sessions(world, part, kind):
        evening = record(session)
        placings += waits(evening) if session.occasion == "evening" else ()
        one = score(evening, evening.heard, Settings())
        scores.setdefault(session.occasion, Score()).add(one)
    every = total(scores.values())
    set_downs = [one for name in scores if name != "peeks" for one in scores[name].set_downs]
    looks = [one for name in scores if name != "set-downs" for one in scores[name].looks]
    figures = of_handling(every) | of_looks(looks) | of_set_downs(set_downs)
    found: Figures = {}
    found |= {"handlings": figures["handlings"], "p99_ms": figures["peek_latency_p99_ms"]}
    found |= known(placings)
    return found | {name: figure for name, figure in figures.items() if name.startswith(KEPT)}


def known(placings: Sequence[Waited]) -> Figures:
    """Return how soon placings became known, of those of whole evenings."""
    after = sorted(one.wait_us / 1000 for one in placings if one.wait_us is not None)
    soon = sum(wait_ms <= SOON_MS for wait_ms in after)
    return {"placed_p50_ms": quantile(after, 0.5), **share("placed_soon", soon, len(placings))}


def enrolled(tables: int) -> Figures:
    """Return how enrolment goes at so many honest tables, with stones as they usually are."""
    desks = _enrolment.Desks(_enrolment.USUAL, 1, tables, world="honest")
    figures = _enrolment.report([_enrolment.weigh(desks)])
    return {name: one for name, one in figures.items() if name != ENROLMENT}


def main() -> None:
    """Measure, keep and print."""
    parser = argparse.ArgumentParser(prog="./run bench worlds", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--json", action="store_true", help="only one JSON object on the last line")
    parser.add_argument("--share", type=float, default=1.0, help="of the usual number of evenings")
    parser.add_argument("--only", help="these worlds, with commas between")
    parser.add_argument(
        "--stopper", choices=KINDS, default=WEIGHING.name, help="the usual one: %(default)s"
    )
    parser.add_argument("--keep", type=Path, help="a file of what was measured, to go on from")
    parser.add_argument("--page", action="store_true", help="only put the magnitudes on the page")
    options = parser.parse_args()
    if options.page:
        text = inserted(PAGE.read_text(), "kinds", _kinds.table())
        PAGE.write_text(text)
        return
    kept: dict[str, dict[str, Any]] = {}
    if options.keep and options.keep.exists():
        kept = json.loads(options.keep.read_text())
    found = kept.setdefault(options.stopper, {})
    for world in worlds(options.only):
        if world in found:
            continue
        print(world, file=sys.stderr, flush=True)
        found[world] = measured(world, options.share, options.stopper)
        if options.keep:
            options.keep.write_text(json.dumps(kept, indent=1) + "\n")
    if options.json:
        print(json.dumps(found))
        return
    for world, figures in found.items():
        print(f"{world:10} {figures}")


def worlds(only: str | None) -> Sequence[str]:
    """Return which are measured."""
    return WORLDS if only is None else only.split(",")


if __name__ == "__main__":
    main()
