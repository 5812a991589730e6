"""Which looks are noticed, and who is accused of none, by a second kind of simulated people.

What they do (`_arms.py`) shares no code with the simulator's hands. What the sensor of one stopper
feels of it goes through the accelerometer's model, driver, firmware and link to the host. A look
counts whose label could be read for half a second, without a break; missed is what was never told
as a foul. Shares bear Wilson intervals of 95 %.

    ./run bench looks [--json] [--looks 20] [--blameless 100] [--seed 1] [--processes 2]
"""

import argparse
import json
import multiprocessing
import random
from bisect import bisect_right
from dataclasses import dataclass

from companion.sensing.events import FoulCode, FoulFinding, Weight
from companion.sensing.observations import ChoosingBegan, PadChanged
from companion.simulator.motions import Vector
from research.bench import _arms
from research.bench._arms import DT, MASS_G, STANDS_S, Handling
from research.bench._figures import quantile, share
from research.bench._recorded_hands import UP, Listener, NeverDropped

LEAD_US = 12_000_000  # until all is calibrated
LASTS_S, NEAR_US = 0.5, 300_000
ROW_US = round(1e6 * DT)
TOGETHER = 10  # handlings of one barrel


class Handled(NeverDropped):
    """A barrel with which one handling after another is done; it stands between them."""

    def __init__(self, handlings: list[Handling]) -> None:
        self.handlings, self.starts = handlings, list[int]()
        at_us = LEAD_US
        for one in handlings:
            self.starts.append(at_us)
            at_us += round(1e6 * (one.long_s + STANDS_S))
        self.end_us = at_us

    def acceleration_g(self, at_us: int) -> Vector:
        """Return what the sensor feels."""
        turn = bisect_right(self.starts, at_us) - 1
        if turn < 0:
            return UP
        force, row = self.handlings[turn].force_g, (at_us - self.starts[turn]) // ROW_US
        return force[row] if row < len(force) else UP

    def load_g(self, at_us: int) -> float:
        """Return what its foot carries."""
        turn = bisect_right(self.starts, at_us) - 1
        if turn < 0:
            return MASS_G
        begin, end = self.handlings[turn].lifted_s
        return 0.0 if begin <= (at_us - self.starts[turn]) / 1e6 < end else MASS_G

    def temperature_c(self, at_us: int) -> float:  # noqa: ARG002 - the contract has it
        """Return the temperature."""
        return 21.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """One look or one handling without: what was told of it."""

    kind: str
    readable_s: float
    ruled_ms: float | None
    fouls: int
    warnings: int


def felt(handlings: list[Handling], seed: int) -> list[Outcome]:
    """Return what became of handlings that were done one after another."""
    barrel = Handled(handlings)
    host = Listener(barrel, seed)  # type: ignore[arg-type] # it has all that a board asks for
    for seat in ("red", "blue"):
        host.hearing.take(1, PadChanged(seat, False, 1))
    host.hearing.take(2, ChoosingBegan(("red", "blue"), 2))
    while host.now_us < barrel.end_us:
        host.step()
    told = [
        (at_us, one)
        for at_us, one in host.hearing.heard
        if isinstance(one, FoulFinding) and one.foul in (FoulCode.PEEK, FoulCode.EARLY_FLIP)
    ]
    return [
        _outcome(one, start_us, told)
        for one, start_us in zip(handlings, barrel.starts, strict=True)
    ]


def _outcome(one: Handling, start_us: int, told: list[tuple[int, FoulFinding]]) -> Outcome:
    end_us = start_us + round(1e6 * (one.long_s + STANDS_S / 2))
    mine = [(at, found) for at, found in told if start_us <= found.from_us < end_us]
    begin, until, _ = max(one.spans, key=lambda span: span[1] - span[0], default=(0.0, 0.0, 0.0))
    from_us, to_us = start_us + round(1e6 * begin), start_us + round(1e6 * until)
    about = {  # told early, its end is known later
        found.number
        for _, found in mine
        if found.from_us - NEAR_US < to_us and found.to_us + NEAR_US > from_us
    }
    ruled = [at for at, found in mine if found.weight is Weight.FOUL and found.number in about]
    fouls = {found.number for _, found in mine if found.weight is Weight.FOUL}
    warned = {found.number for _, found in mine if found.weight is Weight.WARNING}
    ruled_ms = max(0.0, (min(ruled) - from_us) / 1000) if ruled else None
    return Outcome(one.kind, until - begin, ruled_ms, len(fouls), len(warned - fouls))


def played(task: tuple[str, int, int]) -> list[Outcome]:
    """Return the outcomes of some handlings of a kind."""
    kind, count, seed = task
    rng = random.Random(f"{kind} {seed}")
    made = [
        _arms.blameless(rng) if kind == "blameless" else _arms.look(kind, rng) for _ in range(count)
    ]
    return felt(made, seed)


def report(outcomes: list[Outcome]) -> dict[str, object]:
    """Return the figures."""
    found: dict[str, object] = {}
    calm = [one for one in outcomes if one.kind == "blameless"]
    if calm:
        found |= share("accused_of_nothing", sum(one.fouls > 0 for one in calm), len(calm))
        found |= share("warned_of_nothing", sum(one.warnings > 0 for one in calm), len(calm))
    ruled = list[float]()
    for kind in _arms.LOOKS:
        part = [one for one in outcomes if one.kind == kind and one.readable_s >= LASTS_S]
        if part:
            missed = sum(one.ruled_ms is None for one in part)
            found |= share(f"missed_{kind.replace(' ', '_')}", missed, len(part))
            ruled += [one.ruled_ms for one in part if one.ruled_ms is not None]
    looks = [one for one in outcomes if one.kind != "blameless" and one.fouls]
    found |= share("told_more_than_once", sum(one.fouls > 1 for one in looks), len(looks))
    ruled.sort()
    return found | {"latency_p50_ms": quantile(ruled, 0.5), "latency_p99_ms": quantile(ruled, 0.99)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./run bench looks", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--json", action="store_true", help="only one JSON object on the last line")
    parser.add_argument("--looks", type=int, default=20, help="of each kind")
    parser.add_argument("--blameless", type=int, default=100, help="handlings without a look")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    amounts = dict.fromkeys(_arms.LOOKS, options.looks) | {"blameless": options.blameless}
    tasks = [
        (kind, min(TOGETHER, amount - turn), 1000 * options.seed + turn)
        for kind, amount in amounts.items()
        for turn in range(0, amount, TOGETHER)
    ]
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        outcomes = [one for part in pool.imap_unordered(played, tasks) for one in part]
    found = report(outcomes)
    if options.json:
        print(json.dumps(found))
        return
    for name, figure in found.items():
        print(f"{name:36} {figure}")


if __name__ == "__main__":
    main()
