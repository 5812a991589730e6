"""How pads and stoppers differ in time, on the whole simulated table, and how far apart is enough.

`python -m tests.sensing.seat_times [CYCLES]` prints the distributions that stand in the settings,
then what becomes of two placings so many ms apart, whose times are drawn from what was measured.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import mean, median, pstdev

from companion.sensing.observations import Observation, PadChanged
from companion.simulator.boards import node
from companion.simulator.cable import Cable
from companion.simulator.ground_truth import Happening, What
from companion.simulator.hand_params import ScriptVigour
from companion.simulator.live.driver import PeriodicTask, SimulationDriver
from companion.simulator.live.parts import PUMP_US, parts_of
from companion.simulator.pads import PadKind
from companion.simulator.radio import Weather
from companion.simulator.run import SimulatedTable
from companion.simulator.script import ScriptAct, ScriptLine, Verb
from companion.simulator.traits import KIND, Imperfections
from companion.system.config import SEATS
from tests.sensing.seats import Table, certain

NEAR_US = 400_000
CYCLE_S = 7.5
GAPS_MS = (0, 10, 20, 30, 40, 50, 75, 100, 150, 200)


@dataclass(frozen=True)
class Times:
    """One placing or taking: when the pad moved, and when the stopper dates it."""

    edges_ms: tuple[float, ...]  # after the first of them
    foot_ms: float


def measure(
    cycles: int, seed: int, pads: PadKind = PadKind.SWITCH, traits: Imperfections = KIND
) -> tuple[list[Times], list[Times]]:
    """Return placings and takings of four players, each a barrel in every cycle."""
    news: list[Observation | PadChanged] = []

    def tell(_: int, one: object) -> None:
        if isinstance(one, Observation | PadChanged):
            news.append(one)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Cable(folder) as cable:
            lines = _lines(Random(seed), cycles)
            clear = Weather(0.0, 0.0, 0.0)
            table = SimulatedTable(lines, cable, seed, weather=clear, pads=pads, traits=traits)
            done = list(table.world.truth.happenings)  # all is arranged; later it is forgotten
            evening = SimulationDriver(table, folder, tell)
            with parts_of(table, tell) as parts:
                evening.also.append(PeriodicTask(PUMP_US, parts.pump))
                evening.play()
                evening.close()
    kinds = ((What.PLACED, "SET"), (What.LIFTED, "LIFT"))
    placings, takings = (
        [_times(table, news, one, name) for one in done if one.what is what] for what, name in kinds
    )
    return [one for one in placings if one], [one for one in takings if one]


def _lines(rng: Random, cycles: int) -> list[ScriptLine]:
    acts = []
    for cycle in range(cycles):
        for seat in SEATS:
            at_s = 4.0 + CYCLE_S * cycle + 0.7 * rng.random()
            barrel = 1 + 3 * int(seat) + rng.randrange(3)
            vigour = rng.choice(list(ScriptVigour))
            acts.append((at_s, ScriptAct(Verb.LIFT, seat, (barrel,))))
            if rng.random() < 0.4:
                shake = ScriptAct(Verb.SHAKE, seat, (barrel,), vigour=vigour, for_s=0.5)
                acts.append((at_s + 0.001, shake))
            acts.append((at_s + 0.002, ScriptAct(Verb.PLACE, seat, (barrel,))))
            acts.append((at_s + 4.6, ScriptAct(Verb.LIFT, seat, (barrel,))))
            acts.append((at_s + 4.601, ScriptAct(Verb.PUT_BACK, seat, (barrel,))))
    return [ScriptLine(1, act, at_s) for at_s, act in sorted(acts, key=lambda one: one[0])]


def _times(
    table: SimulatedTable, news: list[Observation | PadChanged], done: Happening, name: str
) -> Times | None:
    """Return what was told of it; None: it moved no pad, as a lift from the middle."""
    assert done.barrel is not None
    assert done.seat is not None
    feet, edges = list[int](), list[int]()
    for one in news:
        if isinstance(one, PadChanged):
            if (one.colour, one.occupied) == (done.seat.name.lower(), name == "SET"):
                edges.append(one.at_us)
        elif one.name == name and one.node == node(table.stopper_of(done.barrel)):
            feet.append(one.at_us - (one.sent_us - int(one.fields["at_us"])))
    foot = [at_us for at_us in feet if abs(at_us - done.at_us) < NEAR_US]
    edge = [at_us for at_us in edges if abs(at_us - done.at_us) < NEAR_US]
    if not foot or not edge:
        return None
    after = tuple((at_us - edge[0]) / 1000 for at_us in edge)
    return Times(after, (foot[0] - edge[0]) / 1000)


def apart(gap_ms: float, times: list[Times], rng: Random) -> tuple[int, int, int]:
    """Return how many of two placings so far apart were certain, certain and wrong, and asked."""
    table, whom = Table(), {"blue": 4, "red": 5}
    for colour, at_ms in zip(whom, (5000.0, 5000.0 + gap_ms), strict=True):
        one = rng.choice(times)
        table.lifted(whom[colour], at_ms - 1500, 1400)
        table.set_down(whom[colour], at_ms + one.foot_ms + rng.uniform(-3, 3))
        for number, edge_ms in enumerate(one.edges_ms):
            if number:
                table.pad(colour, False, at_ms + (edge_ms + one.edges_ms[number - 1]) / 2)
            table.pad(colour, True, at_ms + edge_ms)
    told = table.tell(until_ms=8000)
    sure = {colour: certain(told, colour) for colour in whom}
    wrong = sum(bool(set(sure[colour]) - {who}) for colour, who in whom.items())
    asked = sum(not sure[colour] for colour in whom)
    return len(whom) - asked - wrong, wrong, asked


def _line(name: str, values: list[float]) -> str:
    ordered = sorted(values)
    ends = [
        ordered[min(len(ordered) - 1, int(len(ordered) * part))]
        for part in (0.01, 0.05, 0.95, 0.99)
    ]
    shape = f"mean {mean(values):.1f} median {median(values):.1f} deviation {pstdev(values):.1f}"
    return f"{name}: {len(values)}, {shape}, 1/5/95/99 %: {ends}\n"


def main(cycles: int) -> None:
    """Print it all, for both kinds of pads."""
    for pads in PadKind:
        sys.stdout.write(f"-- {pads.value}\n")
        _main(cycles, pads)


def _main(cycles: int, pads: PadKind) -> None:
    placings, takings = measure(cycles, 11, pads)
    say = sys.stdout.write
    say(_line("SET - pad closed, ms", [one.foot_ms for one in placings]))
    say(_line("LIFT - pad opened, ms", [one.foot_ms for one in takings]))
    bounced = sum(len(one.edges_ms) > 1 for one in placings)
    say(f"pads that closed more than once: {bounced} of {len(placings)}\n")
    rng = Random(1)
    for gap_ms in GAPS_MS:
        pairs = [apart(gap_ms, placings, rng) for _ in range(cycles)]
        right, wrong, asked = (sum(column) for column in zip(*pairs, strict=True))
        say(f"{gap_ms} ms apart: {right} sure and right, {wrong} sure and wrong, {asked} asked\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
