"""How long until what happens at the table is seen, and what the companion costs meanwhile.

Guests play at a simulated table in real time; the table that referees them is a process of its own,
which reads a pseudo-terminal and has nothing simulated in it but the chips behind gpiozero and
smbus2. Both have the same clock. Measured is from the moment before the hub gives the kernel a
frame's last byte:

- snapshot: until what followed from this very frame was published, the journal written before;
- lights: until its last byte was on the bus, with the time that a wire takes at 400 kHz. Only where
  the picture became another by it;
- judged: until sensing had drawn its conclusions, of every frame, also those that change nothing.

Some things the companion waits for on purpose: 20 ms of rest after a pad's or a button's edge,
800 ms of a long press, and the silence that has to pass before `seating` says who placed what.
`switch` and `wait` begin when that is over and end with the snapshot; `placed_live` begins when a
barrel was set down, as its stopper dates it, and holds all waiting. `placed` is the same from when
it truly stood, in virtual time, where many more can be had: 48 placings, or 320 with --full. Those
that were set down 150 ms or more from any other are `apart`; `later` are those that only a later
lift told, after people had been asked.

A table is idle once nobody has touched anything for so long that its lights have calmed down. The
models of the chips and pins work in the table's thread, and so count as its own. `stolen` is what
other virtual machines took of all cores meanwhile: a clock of the CPU may count some of it as ours.

    ./run bench latency [--json] [--full] [--seconds 60] [--rounds 2] [--folder DIR]
                        [--world kind|honest|foot,pads]
"""

import argparse
import os
import platform
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from companion.simulator.traits import traits
from companion.system import config
from research.bench._figures import APART_MS
from research.bench._latency_guests import ROOT, Evening
from research.bench._latency_host import Shown, Usage
from research.bench._latency_machine import disk_of, load, stolen
from research.bench._placings import Waited, waited
from research.bench._report import parser, percentile, tell

ROUND_S: Final = 180.0  # no round takes longer
STARTS: Final = 5
READY_S: Final = 4.0  # the hub is found, and all that stands is weighed
LATER_US: Final = 1_300_000  # all that had to pass has; what is known then, a later lift told
CALM_S: Final = 12.0  # then the table is as it will be all night
MEMORY: Final = Path("/dev/shm")  # noqa: S108 - a folder of ours is made in it
EVENTS: Final = ("LIFT", "SET", "TILT", "UPRIGHT", "FLIP", "STILL")
Figures = dict[str, object]


def spread(name: str, us: Sequence[float]) -> Figures:
    """Return how times are spread, in milliseconds."""
    values = [one / 1000 for one in us]
    found: Figures = {
        f"{name}_p{percent}_ms": percentile(values, percent) for percent in (50, 95, 99)
    }
    return found | {f"{name}_max_ms": percentile(values, 100), f"{name}_count": len(values)}


@contextmanager
def evening(folder: Path | None, seed: int, world: str | None) -> Iterator[Evening]:
    """Provide guests and a table whose journal is in a folder."""
    with (
        TemporaryDirectory(prefix="ports-") as ports,
        TemporaryDirectory(prefix="bench-", dir=folder) as kept,
        Evening(Path(ports), Path(kept), seed, traits(world)) as found,
    ):
        yield found


# --- rounds -----------------------------------------------------------------------------------


def measure_rounds(options: argparse.Namespace, folder: Path | None) -> Figures:
    """Return the latencies of whole rounds, and what the table's process used for them."""
    with evening(folder, options.seed, options.world) as table:
        table.answer()
        table.wait(READY_S)
        found = idle("idle", table, options.idle)
        begun, before, begun_s = before_rounds(table)
        taken = stolen()
        table.let(
            lambda: (
                table.is_before_round(options.rounds + 1)
                and time.monotonic() - begun_s >= options.seconds
            ),
            options.seconds + ROUND_S * (options.rounds + 2),
        )
        after, passed_s = table.usage(), time.monotonic() - begun_s
        taken = stolen() - taken
        table.playing = False
        if options.idle:
            table.let(table.rests, ROUND_S)
        found |= idle("idle_in_game", table, options.idle)
        shown, heard, turns, last = table.end()
        sent = dict(table.cable.sent)
    sent = {tag: one for tag, one in sent.items() if one[1] >= begun}
    found |= latencies([one for one in shown if one.published_us >= begun], sent, heard)
    longest = max(turns, default=(0, 0))
    return found | {
        "longest_turn_ms": round(longest[0] / 1000, 1),  # what else wanted the core counts, too
        "longest_turn_cpu_ms": round(max((spent for _, spent in turns), default=0) / 1000, 1),
        "playing_cpu_percent": percent_of(after.cpu_s - before.cpu_s, passed_s),
        "playing_stolen_percent": percent_of(taken, passed_s),
        "rss_mb": round(last.rss_mb, 1),
        "seconds": round(passed_s),
        "simulator_behind_ms": round(table.behind_us / 1000, 1),
        "load": load(),
    }


def before_rounds(table: Evening) -> tuple[int, Usage, float]:
    """Let guests begin; return when that was, for both clocks, and what was used up to then."""
    before = table.usage()
    table.playing = True
    return time.monotonic_ns() // 1000, before, time.monotonic()


def idle(name: str, table: Evening, seconds: float) -> Figures:
    """Return the share of a core that a table takes which nobody touches, and its threads'."""
    if not seconds:
        return {f"{name}_cpu_percent": None}
    table.wait(CALM_S)
    before, taken, begun_s = table.usage(), stolen(), time.monotonic()
    table.wait(seconds)
    after, taken, passed_s = table.usage(), stolen() - taken, time.monotonic() - begun_s
    shares = {
        thread: percent_of(spent_s - before.threads_s.get(thread, 0.0), passed_s)
        for thread, spent_s in after.threads_s.items()
    }
    return {
        f"{name}_cpu_percent": percent_of(after.cpu_s - before.cpu_s, passed_s),
        f"{name}_threads_percent": {thread: share for thread, share in shares.items() if share},
        f"{name}_stolen_percent": percent_of(taken, passed_s),
    }


def percent_of(spent_s: float, passed_s: float) -> float:
    """Return the share of one core."""
    return round(100 * spent_s / passed_s, 2)


def latencies(
    shown: Sequence[Shown], sent: dict[bytes, tuple[str, int]], heard: list[tuple[bytes, int]]
) -> Figures:
    """Return how long it took from each cause to what was seen of it."""
    of_frames = [
        (one, sent[one.tag][1]) for one in shown if one.cause == "frame" and one.tag in sent
    ]
    lights = [one.lights_us - at_us for one, at_us in of_frames if one.lights_us is not None]
    deeds = [one.published_us - at_us for one, at_us in of_frames if one.deed]
    others = [
        (one.cause, one.published_us - one.ready_us) for one in shown if one.ready_us is not None
    ]
    placed = [
        one.published_us - one.since_us for one in shown if one.since_us is not None and one.deed
    ]
    first = dict(reversed(heard))  # what the air doubled is not judged again
    late = [(sent[tag], at_us) for tag, at_us in first.items() if tag in sent]
    judged = [at_us - begun_us for (_, begun_us), at_us in late]
    events = [at_us - begun_us for (name, begun_us), at_us in late if name in EVENTS]
    names = Counter(sent[one.tag][0] for one, _ in of_frames)
    return {
        **spread("snapshot", [one.published_us - at_us for one, at_us in of_frames]),
        **spread("lights", lights),
        **spread("deed", deeds),
        **spread("switch", [late for cause, late in others if cause in ("pad", "button")]),
        **spread("wait", [late for cause, late in others if cause == "time"]),
        **spread("placed_live", placed),
        **spread("judged", judged),
        **spread("event_judged", events),
        "frames_that_showed": dict(names),
    }


# --- placings ---------------------------------------------------------------------------------


def measure_placings(seeds: int, world: str | None) -> Figures:
    """Return how long after a barrel stood the table knew whose it is."""
    placings = waited(seeds, world)
    waits = [one.wait_us for one in placings if one.wait_us is not None]
    apart = [one for one in placings if one.gap_us >= 1000 * APART_MS]
    found = spread("placed", waits) | of_known("placed", placings) | of_known("placed_apart", apart)
    return found | {"placed_later": sum(wait_us > LATER_US for wait_us in waits)}


def of_known(name: str, placings: Sequence[Waited]) -> Figures:
    """Return which share of placings became known; of close set-downs no pad can tell which."""
    known = sum(one.wait_us is not None for one in placings)
    share = round(known / len(placings), 3) if placings else None
    return {f"{name}_known": share, f"{name}_of": len(placings)}


# --- starting ---------------------------------------------------------------------------------


def measure_start(folder: Path | None) -> Figures:
    """Return how long `rappelwacht table` needs up to its first line, and what it holds then."""
    spans, spent, held = [], [], []
    with TemporaryDirectory(prefix="bench-", dir=folder) as kept:
        wiring = Path(kept) / "table.toml"
        wiring.write_text(config.EVERY_PART)
        words = [sys.executable, "-P", "-m", "companion", "table"]
        words += ["--config", str(wiring), "--folder", kept, "--port", "0"]
        for _ in range(STARTS):
            begun_s = time.perf_counter()
            with subprocess.Popen(
                words, stdout=subprocess.PIPE, cwd=ROOT, env={**os.environ, "LANG": "C"}
            ) as started:
                assert started.stdout is not None
                assert started.stdout.readline()
                spans.append(time.perf_counter() - begun_s)
                stat = Path(f"/proc/{started.pid}/stat").read_text().rpartition(")")[2].split()
                spent.append((int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK"))
                pages = int(Path(f"/proc/{started.pid}/statm").read_text().split()[1])
                held.append(pages * os.sysconf("SC_PAGE_SIZE") / 1e6)
                started.terminate()
                started.stdout.read()
    return {
        "start_s": round(median(spans), 3),
        "start_cpu_s": round(median(spent), 2),
        "start_rss_mb": round(median(held), 1),
        "start_load": load(),
    }


def report(options: argparse.Namespace) -> Figures:
    """Measure everything; the bare names are with the journal on a disk."""
    found = measure_start(options.folder) if options.starts else {}
    found |= measure_placings(options.placings, options.world)
    found |= measure_rounds(options, options.folder)
    found["journal"] = f"files of JSON lines, each synced, on {disk_of(options.folder)}"
    if MEMORY.is_dir() and options.memory:
        options.idle = 0.0
        without = measure_rounds(options, MEMORY)
        wanted = ("snapshot", "lights", "deed", "load")
        found |= {f"memory_{n}": v for n, v in without.items() if n.startswith(wanted)}
        found["memory_journal"] = f"the same on {disk_of(MEMORY)}"
    return found


def main() -> None:
    """Measure and print."""
    words = parser("latency", __doc__)
    words.add_argument("--full", action="store_true", help="ten rounds and five minutes at least")
    words.add_argument("--rounds", type=int, default=2, help="at least")
    words.add_argument("--seconds", type=float, default=60.0, help="at least")
    words.add_argument("--idle", type=float, default=30.0, help="seconds of rest to measure")
    words.add_argument("--folder", type=Path, default=Path.cwd(), help="where the disk is")
    words.add_argument("--no-memory", dest="memory", action="store_false")
    words.add_argument("--no-starts", dest="starts", action="store_false")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--placings", type=int, default=3, help="evenings of 16 placings each")
    words.add_argument(
        "--world", default="honest", help="honest, kind, or traits such as foot,pads"
    )
    options = words.parse_args()
    traits(options.world)  # or a sentence
    if options.full:
        options.placings = max(20, options.placings)
        options.rounds, options.seconds = max(10, options.rounds), max(300.0, options.seconds)
    found = report(options)
    found |= {"world": options.world, "cores": os.cpu_count(), "machine": platform.machine()}
    found |= {"python": platform.python_version(), "seed": options.seed}
    tell(found, as_json=options.json)


if __name__ == "__main__":
    main()
