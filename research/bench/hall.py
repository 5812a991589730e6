"""How a hall fares: many tables, many who watch, and everything killed again and again.

A Mosquitto of the hall's own, the hall's program, its tables and its watchers are processes of
their own. First all of them go on undisturbed: how soon a wall shows what a table did, and what
that costs. Then broker, hall and tables are killed in mixed order while play goes on; in the end
the hall must have every journal's open part, byte for byte.
"""

import json
import os
import platform
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from companion.hall.broker import OwnBroker
from companion.hall.journal_replica import JournalReplica
from companion.hall.store import Store
from companion.mqtt.signing import new_secret, password
from companion.system import private_files
from companion.web.common.server import free_port
from research.bench._hall_latency import ratio
from research.bench._hall_seating import seating
from research.bench._report import parser, percentile, tell

Figures = dict[str, Any]
ROOT: Final = Path(__file__).parents[2]
HERE: Final = "127.0.0.1"
TABLES, WATCHERS, WALLS = 500, 1_000, 8
RATE: Final = 1.0  # events of a table in a second: each is a state and a batch
SETTLE_S: Final = 300.0  # at most
SAYS_EACH: Final = 10  # kills
SAYS_EACH_S: Final = 60
HALL, BROKER, TABLE = "hall", "broker", "table"
TICK: Final = os.sysconf("SC_CLK_TCK")


@dataclass
class Running:
    """All that runs."""

    folder: Path
    count: int
    port: int = field(default_factory=lambda: free_port(HERE))
    others: list[subprocess.Popen[str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        secret = new_secret()
        tables = {f"table-{number:03}": new_secret() for number in range(1, self.count + 1)}
        (self.folder / "secrets.json").write_text(json.dumps(tables), "utf-8")
        private_files.write(self.folder / "password", password(secret).encode())
        self.broker = OwnBroker(self.folder, HERE, free_port(HERE), secret)
        self.broker.allow(tables)
        self.broker.start()
        self.begin_hall()

    def begin_hall(self) -> None:
        """Start the hall's program, and wait until it answers."""
        words = ["companion", "hall", "--folder", self.folder / "hall", "--port", self.port]
        words += ["--broker", f"{HERE}:{self.broker.port}", "--password", self.folder / "password"]
        self.hall = self.started(*words)
        until_s = time.monotonic() + 60
        while True:
            with closing(socket.socket()) as line:
                if line.connect_ex((HERE, self.port)) == 0:
                    return
            if self.hall.poll() is not None or time.monotonic() > until_s:
                said = (self.folder / "hall.log").read_text("utf-8")
                raise RuntimeError(f"the hall does not start: {said[-2_000:]}")
            time.sleep(0.02)

    def started(self, *words: object, **more: Any) -> subprocess.Popen[str]:
        """Start a program of ours."""
        with (self.folder / "hall.log").open("w", encoding="utf-8") as log:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", *map(str, words)],
                cwd=ROOT,
                text=True,
                stdin=subprocess.PIPE,
                stdout=more.get("stdout", subprocess.DEVNULL),
                stderr=log if words[0] == "companion" else None,
            )

    def play(self) -> None:
        """Let tables play."""
        words = ["research.bench._hall_tables", self.broker.port, self.count, RATE, self.folder]
        self.tables = self.started(*words, stdout=subprocess.PIPE)
        self.others.append(self.tables)

    def watch(self, watchers: int, walls: int) -> subprocess.Popen[str]:
        """Let people watch."""
        words = [
            "research.bench._hall_watchers",
            self.port,
            self.folder,
            watchers,
            walls,
            self.count,
        ]
        found = self.started(*words, stdout=subprocess.PIPE)
        self.others.append(found)
        assert found.stdout is not None
        if not found.stdout.readline():
            raise RuntimeError("nobody can watch")
        return found

    def kill(self, what: str) -> None:
        """End something as a power cut does; it begins again."""
        if what == BROKER:
            while (broker := self.broker.pid) is None or not Path(f"/proc/{broker}").exists():
                time.sleep(0.05)  # it begins again after a while
            os.kill(broker, signal.SIGKILL)
        elif what == HALL:
            self.hall.kill()
            self.hall.wait()
            self.begin_hall()
        else:
            self.say("cut")

    def say(self, word: str) -> None:
        """Tell the tables something."""
        assert self.tables.stdin is not None
        self.tables.stdin.write(f"{word}\n")
        self.tables.stdin.flush()

    def close(self) -> None:
        """End what still runs."""
        for one in [*self.others, self.hall]:
            one.kill()
            one.wait()
        self.broker.close()


def main() -> None:
    """Measure and print."""
    words = parser("hall", __doc__)
    words.add_argument("--full", action="store_true", help="ten minutes and a hundred kills")
    words.add_argument("--tables", type=int, default=TABLES)
    words.add_argument("--watchers", type=int, default=WATCHERS)
    words.add_argument("--seconds", type=int, help="undisturbed")
    words.add_argument("--kills", type=int)
    options = words.parse_args()
    for_s = options.seconds or (600 if options.full else 30)
    kills = options.kills if options.kills is not None else 100 if options.full else 10
    with TemporaryDirectory(prefix="hall-bench-") as name:
        found = measure(Path(name), options.tables, options.watchers, for_s, kills)
    _says("how soon a table shows its lights, with and without a hall")
    found |= ratio()
    found |= {"cores": os.cpu_count(), "machine": platform.machine()}
    found |= {"load": round(os.getloadavg()[0], 1), "python": platform.python_version()}
    tell(found, as_json=options.json)


def measure(folder: Path, tables: int, watchers: int, for_s: float, kills: int) -> Figures:
    """Return all figures."""
    running = Running(folder, tables)
    try:
        running.play()
        _says(f"waiting for {tables} tables")
        _until_heard(running, tables)
        crowd = running.watch(watchers, min(WALLS, tables))
        time.sleep(3)  # so that all that is new was told
        begun_s = time.monotonic()
        _says(f"undisturbed for {for_s:.0f} s; then {kills} kills")
        broker, hall = running.broker.pid, running.hall.pid
        processes = {BROKER: broker, HALL: hall}
        processes |= {"tables": running.tables.pid, "watchers": crowd.pid}  # who load it
        before = {name: cpu_s(one) for name, one in processes.items()}
        _undisturbed(for_s)
        took_s = time.monotonic() - begun_s
        shares = {name: (cpu_s(one) - before[name]) / took_s for name, one in processes.items()}
        found: Figures = {
            "tables": tables,
            "watchers": watchers,
            **{f"{name}_cpu_percent": round(100 * share, 1) for name, share in shares.items()},
            "broker_rss_mb": memory_mb(broker),
            "hall_rss_mb": memory_mb(hall),
        }
        ended_s = time.monotonic()
        told, _ = crowd.communicate()
        found["frames_s"] = round(json.loads(told)["frames"] / (took_s + 3))
        found["watchers_lost"] = json.loads(told)["ended"]
        waits = [*_waits(folder, begun_s, ended_s)]
        found["screen_p50_ms"], found["screen_p99_ms"] = (percentile(waits, p) for p in (50, 99))
        found["screen_changes"] = len(waits)
        found |= killed(running, kills)
        found |= settled(running, folder)
    finally:
        running.close()
    _says("seating 64")
    return found | seating()


def _says(what: str) -> None:
    """Say how far it is to whoever waits; the figures go elsewhere."""
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


def _undisturbed(for_s: float) -> None:
    """Let all go on."""
    until_s = time.monotonic() + for_s
    while (left_s := until_s - time.monotonic()) > 0:
        time.sleep(min(left_s, SAYS_EACH_S))
        if left_s > SAYS_EACH_S:
            _says(f"{left_s - SAYS_EACH_S:.0f} s to go")


def _until_heard(running: Running, count: int) -> None:
    until_s = time.monotonic() + SETTLE_S
    file = running.folder / "hall" / "hall.sqlite3"
    while time.monotonic() < until_s:
        with closing(sqlite3.connect(file)) as store:
            if (
                store.execute("SELECT count(DISTINCT table_name) FROM matches").fetchone()[0]
                == count
            ):
                return
        time.sleep(0.2)
    raise RuntimeError("the hall does not hear all tables")


def cpu_s(process: int | None) -> float:
    """Return for how long a process has reckoned so far."""
    words = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / TICK


def memory_mb(process: int | None) -> float:
    """Return how much memory a process had at most."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text("utf-8"))
    return round(int(found[1]) / 1024, 1) if found else 0.0


def _waits(folder: Path, begun_s: float, ended_s: float) -> Iterator[float]:
    """Yield for how many milliseconds each event was on its way to each wall."""
    with closing(sqlite3.connect(folder / "hall" / "hall.sqlite3")) as store:
        numbers = dict(store.execute("SELECT name, number FROM tables"))
    done: dict[tuple[int, int], list[float]] = defaultdict(list)
    for line in (folder / "deeds.jsonl").read_text("utf-8").splitlines():
        name, version, at_s = json.loads(line)
        done[numbers[name], version].append(at_s)
    shown = set[tuple[str, int, float]]()
    for line in (folder / "seen.jsonl").read_text("utf-8").splitlines():
        view, number, version, at_s = json.loads(line)
        times = done.get((number, version), [])
        place = bisect_right(times, at_s)
        if not place or not begun_s <= times[place - 1] <= ended_s:
            continue
        if (key := (view, number, times[place - 1])) not in shown:
            shown.add(key)
            yield 1000 * (at_s - times[place - 1])


def killed(running: Running, kills: int) -> Figures:
    """Kill broker, hall and tables, in an order that nobody foresees."""
    chance = Random(18)
    order = [(BROKER, HALL, TABLE)[number % 3] for number in range(kills)]
    chance.shuffle(order)
    for number, what in enumerate(order):
        if number % SAYS_EACH == 0:
            _says(f"{number} of {kills} kills")
        time.sleep(chance.uniform(0.2, 1.5))
        running.kill(what)
    return {"kills": len(order)}


def settled(running: Running, folder: Path) -> Figures:
    """Let the hall catch up, and compare what it has with every journal."""
    _says("catching up, and comparing with every journal")
    running.say("end")
    time.sleep(1)
    begun_s, last, still = time.monotonic(), -1, 0
    with closing(sqlite3.connect(folder / "hall" / "hall.sqlite3")) as store:
        while time.monotonic() < begun_s + SETTLE_S and still < 16:
            (count,) = store.execute("SELECT count(*) FROM deeds").fetchone()
            still = still + 1 if count == last else 0
            last = count
            time.sleep(0.5)
    running.tables.communicate()
    running.others.remove(running.tables)
    running.hall.terminate()
    running.hall.wait()
    journals = json.loads((folder / "journals.json").read_text("utf-8"))
    lost = twice = other = events = 0
    store_of_hall = Store(folder / "hall" / "hall.sqlite3")
    replica = JournalReplica(store_of_hall, "")
    for table, told in journals.items():
        ours = [
            (one.match, one.number, one.at_ms, one.kind, one.text, one.request, one.ends)
            for listed in reversed(replica.matches(table))
            for one in replica.entries(table, listed.id)
        ]
        theirs = [tuple(one) for one in told]
        events += len(theirs)
        lost += len(set(theirs) - set(ours))
        other += len(set(ours) - set(theirs))
        twice += len(ours) - len(set(ours))
    store_of_hall.close()
    return {
        "events": events,
        "events_lost": lost,
        "events_twice": twice,
        "events_of_nobody": other,
        "settled_s": round(time.monotonic() - begun_s - 8, 1),
    }


if __name__ == "__main__":
    main()
