"""Who is accused when a barrel topples, drops, is laid down or rolls; and who when listening.

The accidents (`_accidents.py`) and arms (`_arms.py`) share no code with the simulator. An accident
counts as accused if a foul was told though no hand showed the label for 0.3 s; `false_per_1000`
counts handlings without a look as well. Listening is by the tilt at which it is held to the ear,
shaken gently, with pauses; pouring is end over end, with pauses of 0.1 s.

    ./run bench rolling [--json] [--each 100] [--seed 1] [--processes 2]
"""

import multiprocessing
import random

from research.bench import _accidents, _arms
from research.bench._arms import Handling
from research.bench._figures import Figures, share
from research.bench._report import parser, tell
from research.bench.looks import Outcome, felt

TOGETHER = 10
SHOWN_S, READ_S = 0.3, 0.34
ANGLES = (45, 55, 60, 65, 70, 80, 90)


def listened(rng: random.Random, tilt_deg: float) -> Handling:
    """Return a handling in which somebody holds it to an ear, and shakes it gently, with pauses."""
    arm = _arms.taken(rng, rng.uniform(0.01, 0.03))
    arm.limit_deg = 200.0  # it is at an ear, so nobody reads
    arm.go("tilt", tilt_deg, 0.3)
    arm.go("z", 0.5, 0.5)
    arm.wait(0.6)
    for _ in range(rng.choice((2, 3))):
        for_s = rng.uniform(0.3, 0.7)
        arm.also(arm.at_s, for_s, _arms.jiggle(rng, rng.uniform(0.15, 0.5)))
        arm.wait(for_s + rng.uniform(0.3, 0.8))
    _arms.put_back(arm)
    return _arms.done(f"listened {tilt_deg:.0f}", arm)


def poured(rng: random.Random) -> Handling:
    """Return a handling in which it is turned end over end; each end is up for a moment."""
    arm = _arms.taken(rng, rng.uniform(0.01, 0.03))
    arm.limit_deg = 70.0
    for turn in range(rng.choice((2, 4))):
        span = rng.uniform(0.3, 0.5)
        arm.go("tilt", 0.0 if turn % 2 else 180.0, span)
        arm.wait(span + 0.1)
    _arms.put_back(arm)
    return _arms.done("poured", arm)


def made(kind: str, rng: random.Random) -> Handling:
    """Return a handling of a kind."""
    if kind in _accidents.ACCIDENTS:
        return _accidents.accident(kind, rng)
    if kind == "poured":
        return poured(rng)
    if kind == "blameless":
        return _arms.blameless(rng)
    return listened(rng, float(kind.split()[1]))


def played(task: tuple[str, int, int]) -> list[Outcome]:
    """Return the outcomes of some handlings of a kind."""
    kind, count, seed = task
    rng = random.Random(f"rolling {kind} {seed}")
    return felt([made(kind, rng) for _ in range(count)], seed)


def report(outcomes: list[Outcome]) -> Figures:
    """Return the figures."""
    figures: Figures = {}
    rolled = [one for one in outcomes if one.kind in _accidents.ACCIDENTS]
    hidden = [one for one in rolled if one.readable_s < SHOWN_S]
    idle = [one for one in outcomes if one.kind == "blameless"]
    poured_all = [one for one in outcomes if one.kind == "poured"]
    for name, part in (
        ("rolling_fouls", hidden),
        ("accidents_shown_by_a_hand", [one for one in rolled if one.readable_s >= SHOWN_S]),
        *(
            (kind.replace(" ", "_"), [one for one in hidden if one.kind == kind])
            for kind in _accidents.ACCIDENTS
        ),
        *(
            (f"listened_{angle}", [one for one in outcomes if one.kind == f"listened {angle}"])
            for angle in ANGLES
        ),
        ("poured", [one for one in poured_all if one.readable_s < READ_S]),
        ("poured_and_shown", [one for one in poured_all if one.readable_s >= READ_S]),
    ):
        if part:
            figures |= share(name, sum(one.fouls > 0 for one in part), len(part))
    if innocent := hidden + idle:
        fouls = sum(one.fouls > 0 for one in innocent)
        figures["false_per_1000"] = round(1000 * fouls / len(innocent), 2)
    return figures


def main() -> None:
    """Measure and print."""
    words = parser("rolling", __doc__)
    words.add_argument("--each", type=int, default=100, help="of each kind")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--processes", type=int, default=2)
    options = words.parse_args()
    kinds = (*_accidents.ACCIDENTS, *(f"listened {one}" for one in ANGLES), "poured", "blameless")
    tasks = [
        (kind, min(TOGETHER, options.each - turn), 1000 * options.seed + turn)
        for kind in kinds
        for turn in range(0, options.each, TOGETHER)
    ]
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        outcomes = [one for part in pool.imap_unordered(played, tasks) for one in part]
    tell(report(outcomes), as_json=options.json)


if __name__ == "__main__":
    main()
