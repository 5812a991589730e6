"""How right, how large and how fast the coach is: solved tables, reports, matches in lockstep.

    ./run bench coach [--json] [--states 200] [--seed 1]

`residual_max` is by an enumerator that was written from the rulebook; regrets are what choices by
the tables of eight bits cost. `batch_vs_maedn` is how many actions a second random matches have in
lockstep, for each that OpenSpiel's maedn has in the same run; null, where that is not installed.
`estimate_off` is how far a seat's chance is off where the game is not solved, beside matches played
to their end by the same eyes: the root of the mean square.
"""

import argparse
import json
from random import Random
from statistics import median

from companion.games.zapp_zerapp.rules import Colour, Settings
from rappelwacht_research.lockstep import Lockstep
from research.bench import _coach_estimates, _coach_reports, _coach_tables
from research.bench.rules import openspiel, speed

PAIR = (Colour.RED, Colour.BLUE)
TURNS = 5
MATCHES = 30_000
REPORTS = 40
BOARDS, BOARD_MATCHES = 24, 150  # that an estimate is compared with, from each so many matches


def lockstep_speed(matches: int, turns: int) -> dict[str, float | None]:
    """Return the speeds of random matches for two, each a median of slices that alternate."""
    lockstep = Lockstep(Settings(PAIR))
    maedn = openspiel("maedn", players=2)
    ours, ratios = [], []
    for turn in range(turns):

        def play(_: Random, seed: int = turn) -> int:
            return int(lockstep.play(matches, seed).actions.sum())

        ours.append(speed(play, Random(turn), 0.2))
        if maedn:
            ratios.append(ours[-1] / speed(maedn, Random(turn), 0.5))
    return {
        "batch_actions_per_s": median(ours),
        "batch_vs_maedn": median(ratios) if ratios else None,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./run bench coach", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--json", action="store_true", help="only one JSON object on the last line")
    parser.add_argument("--states", type=int, default=200, help="that are enumerated, by seating")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found: dict[str, float | None] = {
        **lockstep_speed(MATCHES, TURNS),
        **_coach_reports.figures(REPORTS, options.seed),
        **_coach_tables.figures(options.states, options.seed),
        **_coach_estimates.figures(BOARDS, BOARD_MATCHES, options.seed),
    }
    if options.json:
        print(json.dumps(found))
        return
    for name, figure in found.items():
        print(f"{name:20} {'absent' if figure is None else f'{figure:.3g}':>12}")


if __name__ == "__main__":
    main()
