"""How surely sensing knows what happens at the table: simulated evenings, scored by the truth.

- evening: guests from gentle to wild; shaking, comparing, handing over, dropping, table kicks,
  carrying upside down after the flip; what is found there without a cause is a false accusation.
- peeks: labels that could be read for 0.2 to 1.2 s, by the simulator's geometry.
- set-downs: chosen barrels and others set down nearly at once.
- the same with 30 % of all packets lost, with three flat batteries, with a stuck sensor, and with
  reflex sensors as pads, which close before a barrel stands, and under hands.
- recorded hands: with --corpus FOLDER, people who lift and shake; what is found there is false.
- enrolment: thirteen barrels weighed together, stones of 3, 4, 4.5 and 5 mm at 2 % and 8 %.

All goes the whole way, through firmware, air, pseudo-terminal, host port and mock pins. Shares bear
Wilson intervals, rates exact Poisson ones, of 95 %. One seed is one evening, always the same.

    ./run bench sensing [--json] [--full | --share 0.1] [--keep FOLDER] [--corpus FOLDER] [--page]
                        [--world kind|honest|foot,pads] [--stopper weighing|light|breadboard]

With --keep, evenings are kept, so that a run that was broken off goes on, and other detectors can
be tried on the same ones: their names bear what they follow from. --page writes the page and its
plots under hardware/ again.
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from companion.simulator.stopper_kinds import WEIGHING
from companion.simulator.traits import traits
from rappelwacht_research.breadboard import KINDS
from research.bench import _enrolment, _page
from research.bench._evenings import CONDITIONS, Session
from research.bench._figures import Figures, of_handling, of_looks, of_set_downs
from research.bench._scoring import Score, total
from research.bench._work import FAIR, Done, Task, carry_out_all, plan


def report(results: Sequence[Done]) -> Figures:
    """Return all figures by name."""
    scores: dict[tuple[str, str], Score] = {}
    hands: dict[str, Figures] = {}
    for done in results:
        if done.task.kind == "evening":
            session = done.task.what
            scores.setdefault((session.occasion, session.condition), Score()).add(done.found)
        elif done.task.kind == "hands":
            _, kind, way = done.task.what
            hands[f"{kind}_{way}"] = _of_hands(done.found)
    found = _enrolment.report([done.found for done in results if done.task.kind == "enrolment"])
    found |= figures(scores, FAIR)
    found["conditions"] = {name: figures(scores, name) for name in CONDITIONS}
    found["recorded_hands"] = hands or None
    return found


def figures(scores: dict[tuple[str, str], Score], condition: str) -> Figures:
    """Return what is measured under one condition."""

    def of(*occasions: str) -> Score:
        return total(scores.get((one, condition), Score()) for one in occasions)

    others = of_handling(of("peeks", "set-downs"))
    return {
        **of_handling(of("evening")),
        **of_looks(of("evening", "peeks").looks),
        **of_set_downs(of("evening", "set-downs").set_downs),
        "elsewhere_handlings": others["handlings"],
        "elsewhere_false_fouls": others["false_fouls_per_1000_count"],
        "elsewhere_warnings": others["warnings_per_200_count"],
    }


def _of_hands(found: Score) -> Figures:
    told = found.accusations
    return {
        "movements": found.handlings,
        "false_fouls": sum(one.weight == "foul" for one in told),
        "warnings": sum(one.weight == "warning" for one in told),
    }


def seeds(tasks: Sequence[Task]) -> dict[str, str]:
    """Return which evenings there were, by name."""
    found: dict[str, str] = {}
    for task in tasks:
        if isinstance(one := task.what, Session):
            found[f"{one.occasion} {one.condition}"] = (
                f"seeds 1 to {one.seed}, {one.rounds} rounds each"
            )
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./run bench sensing", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--json", action="store_true", help="only one JSON object on the last line")
    parser.add_argument(
        "--full", action="store_true", help="thousands of rounds: an hour and a half on two cores"
    )
    parser.add_argument("--share", type=float, default=0.0, help="of what --full does")
    parser.add_argument("--keep", type=Path, help="a folder to keep evenings in, and to go on from")
    parser.add_argument("--corpus", type=Path, help="a folder with X.tsv, Y.tsv and Z.tsv")
    parser.add_argument(
        "--world", default="honest", help="honest, kind, or traits such as foot,pads"
    )
    parser.add_argument(
        "--stopper", choices=KINDS, default=WEIGHING.name, help="the usual one: %(default)s"
    )
    parser.add_argument("--page", type=Path, help="a folder for a page of tables and plots")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    if options.corpus and not (options.corpus / "X.tsv").exists():
        sys.exit(f"There are no recordings (X.tsv, Y.tsv, Z.tsv) in {options.corpus}.")
    traits(options.world)  # or a sentence
    tasks, begun = plan(options), time.monotonic()
    results = list(carry_out_all(tasks, options.processes))
    found = report(results)
    found |= {"partial": len(results) < len(tasks), "seeds": seeds(tasks)}
    found |= {"seconds": round(time.monotonic() - begun), "python": platform.python_version()}
    found |= {"world": options.world, "stopper": options.stopper}
    if options.page:
        _page.write(found, results, options.page)
    if options.json:
        print(json.dumps(found))
        return
    for name, figure in found.items():
        print(f"{name:36} {figure}")


if __name__ == "__main__":
    main()
