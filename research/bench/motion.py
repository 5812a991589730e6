"""How soon phones that are barrels are caught, and what they cost: over loopback, in real time.

A simulated table with its pages is in this process, as `./run` has it; phones are in another, and
send recorded motion at 60 Hz, in batches of 100 ms, as their page does. Each is carried, shaken and
looked underneath again and again. `sample_to_foul` is from the sample with which the label had been
in sight for as long as makes a foul, until the foul was published: the batch, the 250 ms by which
motion is played late, the stopper, its radio and sensing. `bytes_per_s` are one phone's both ways,
headers and all; `cpu_percent` is this process with all phones, `cpu_idle_percent` without.

Of each corpus that is named, `corpora` has the figures that `./run bench corpora` gives.

    ./run bench motion [--json] [--looks 10] [--phones 4] [--world kind|honest]
        [--corpora FOLDER...] [--rate 26] [--lying stationary]
"""

import json
import os
import platform
import subprocess
import sys
import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.cli.simulated_table import remember_boots
from companion.present.output import CallbackOutput
from companion.referee.commands import Command, DoAction
from companion.referee.handlers import usual_match
from companion.referee.snapshot import Snapshot
from companion.simulator.guests import NoGuests
from companion.simulator.live.live import Live, calibration_of, stoppers_of, wiring_of
from companion.simulator.live.player_hands import PlayerHands
from companion.simulator.live.thread_proxy import ThreadProxy
from companion.simulator.traits import Imperfections, traits
from companion.system import config
from companion.table.table import Table
from companion.table.table_config import Pages, TableConfig
from research.bench import corpora
from research.bench._corpora import NotReadableError
from research.bench._report import parser, percentile, tell

ROOT: Final = Path(__file__).parents[2]
HERE: Final = "127.0.0.1"
AWAKE_S: Final = 4.0  # all stoppers are
IDLE_S: Final = 5.0
LATE_S: Final = 3.0  # a look that was not told by then is not told
Figures = dict[str, Any]


@contextmanager
def table(folder: Path, world: Imperfections, seed: int = 1) -> Iterator[Table]:
    """Have a simulated table at which all seats are people's, and all choose."""
    (ports := folder / "ports").mkdir()
    with ExitStack() as life:
        live = life.enter_context(Live(ports, seed, traits=world))
        remember_boots(live, folder)
        guests = NoGuests()
        hands = {
            seat.name.lower(): ThreadProxy(live, PlayerHands(live.table, guests, seat))
            for seat in live.table.world.seats
        }
        plan = TableConfig(
            wiring_of(live.table),
            folder,
            stoppers_of(live.table),
            calibration_of(live.table),
            live.ports,
            live.outside.open_pins,
            live.clock_us,
            pages=Pages(0, hands),
        )
        refereed = life.enter_context(Table(plan))
        time.sleep(AWAKE_S)
        for number, wish in enumerate((usual_match(config.COLOURS), DoAction("roll 9"))):
            answer = refereed.ask(Command(f"bench-{number}", wish, config.COLOURS[0]))
            if answer is None or answer.refused is not None:
                raise RuntimeError(f"the bench's own wish was refused: {answer}")
        yield refereed


def cpu_percent(begun: tuple[float, float]) -> float:
    """Return what this process has used since then."""
    wall_s, spent_s = begun
    return round(100 * (time.process_time() - spent_s) / (time.monotonic() - wall_s), 1)


def measure(phones: int, looks: int, world: Imperfections) -> Figures:
    """Have phones look again and again."""
    known: dict[tuple[int, int], int] = {}  # by foul and how often: when, in ns

    def publish(snapshot: Snapshot, _: object = None) -> None:
        for foul in snapshot.fouls:
            if foul.raised.weight == "foul":
                known.setdefault((foul.raised.foul, foul.raised.times), time.monotonic_ns())

    with TemporaryDirectory() as folder, table(Path(folder), world) as refereed:
        refereed.outputs.join(CallbackOutput(publish))
        begun = time.monotonic(), time.process_time()
        time.sleep(IDLE_S)
        idle = cpu_percent(begun)
        pages = refereed.site
        assert pages is not None
        words = [sys.executable, "-P", "-m", "research.bench._motion_phones", HERE]
        words += [str(pages.here.port), pages.pairing.pin, str(looks), *config.COLOURS[:phones]]
        with subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
        ) as crowd:
            assert crowd.stdin is not None
            assert crowd.stdout is not None
            if crowd.stdout.readline() != b"ready\n":
                raise RuntimeError("the phones could not sit down")
            begun = time.monotonic(), time.process_time()
            crowd.stdin.write(b"\n")
            crowd.stdin.close()
            report: Figures = json.loads(crowd.stdout.readline())
            busy = cpu_percent(begun)
        time.sleep(LATE_S)
    late_ms = caught(report["fouls_ns"], sorted(known.values()))
    return {
        "sample_to_foul_p50_ms": percentile(late_ms, 50),
        "sample_to_foul_p99_ms": percentile(late_ms, 99),
        "looks": len(report["fouls_ns"]),
        "caught": len(late_ms),
        "fouls": len(known),
        "bytes_per_s": round(report["bytes_per_s"]),
        "answered_p50_ms": percentile(report["answered_ms"], 50),
        "answered_p99_ms": percentile(report["answered_ms"], 99),
        "cpu_percent": busy,
        "cpu_idle_percent": idle,
        "phones": phones,
    }


def caught(looks_ns: Sequence[int], fouls_ns: Sequence[int]) -> list[float]:
    """Return how many ms after each look the next foul was published, of those that were.

    >>> caught([0, 5_000_000_000], [400_000_000])
    [400.0]
    """
    late_ms = []
    for at_ns in looks_ns:
        after = bisect_right(fouls_ns, at_ns)
        if after < len(fouls_ns) and fouls_ns[after] - at_ns < LATE_S * 1e9:
            late_ms.append((fouls_ns[after] - at_ns) / 1e6)
    return late_ms


def main() -> None:
    """Measure and print."""
    words = parser("motion", __doc__)
    words.add_argument("--looks", type=int, default=10, help="of each phone")
    words.add_argument("--phones", type=int, default=4, choices=range(1, 5))
    words.add_argument("--world", default=None, help="kind, honest, or traits")
    words.add_argument(
        "--corpora", nargs="+", type=Path, default=[], help="recordings of strangers"
    )
    words.add_argument("--rate", type=float, help="samples a second, where no file says it")
    words.add_argument("--lying", help="a word in the names of what was in nobody's hand")
    options = words.parse_args()
    try:
        judged = {
            folder.name: corpora.figures(folder, options.rate, options.lying)
            for folder in options.corpora
        }
    except NotReadableError as error:
        sys.exit(f"This cannot be read: {error}")
    found = measure(options.phones, options.looks, traits(options.world))
    found |= {"cores": os.cpu_count(), "machine": platform.machine()}
    found |= {"load": round(os.getloadavg()[0], 1), "python": platform.python_version()}
    if judged:
        found["corpora"] = judged
    tell(found, as_json=options.json)


if __name__ == "__main__":
    main()
