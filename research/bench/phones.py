"""How phones fare: how soon a change is on each, how many find a place, what vanished ones cost.

A real referee and the real server are in this process; all phones are in another, which reads bare
sockets. For links that are cut without a word they live in a network of their own (a namespace
with a cable of two ends), whose end is then taken down; that needs root and is None without. The
first look is measured as `_first_look.py` says.
"""

import argparse
import json
import os
import platform
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

from companion.present.output import CallbackOutput
from companion.referee.commands import Command, DoAction, Undo
from companion.referee.snapshot import Snapshot
from companion.web.app import STREAMS
from companion.web.server import PhoneServer
from research.bench import _first_look
from research.bench._phones_crowd import STREAM
from research.bench._report import parser, percentile, tell
from tests.web.room import FakeRoom

Figures = dict[str, Any]
ROOT: Final = Path(__file__).parents[2]
HERE: Final = "127.0.0.1"
CUT_AFTER_S: Final = 60.0  # longer is not waited for links that are dead
NETWORK: Final = "rappelwacht-bench"
NEAR, FAR = ("rw-bench0", "10.213.77.1"), ("rw-bench1", "10.213.77.2")


class Served:
    """A table of four whose pages are served, and which changes when it is told to."""

    def __init__(self, host: str = HERE) -> None:
        self.room = FakeRoom("red", "green", "blue", "yellow")
        self.published: dict[int, int] = {}  # when each version was, in ns
        self.room.join(CallbackOutput(self._publish))  # before the stream hears of it
        self.server = PhoneServer(self.room)
        self.room.join(self.server)
        self.port = self.server.start(0, host).here.port
        self._turn = 0

    def _publish(self, snapshot: Snapshot) -> None:
        self.published.setdefault(snapshot.version, time.monotonic_ns())

    def change(self) -> None:
        """Let the dice be rolled, or take that back."""
        self._turn += 1
        wish = Undo() if self._turn % 2 == 0 else DoAction("roll 7")
        answer = self.room.ask(Command(f"bench-{self._turn}", wish, "red"))
        if answer is None or answer.refused is not None:
            raise RuntimeError(f"the bench's own wish was refused: {answer}")


@contextmanager
def crowd(host: str, port: int, streams: int, pollers: int, *before: str) -> Iterator[Figures]:
    """Have phones follow while the block runs, and see the last version that it says.

    What they saw is in the report after it.
    """
    words = [*before, sys.executable, "-P", "-m", "research.bench._phones_crowd", host]
    words += [str(number) for number in (port, streams, pollers)]
    report: Figures = {}
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as phones:
        assert phones.stdin is not None
        assert phones.stdout is not None
        if phones.stdout.readline() != b"ready\n":
            raise RuntimeError("the phones could not reach the server")
        yield report
        phones.stdin.write(f"{report.get('last', '')}\n".encode())
        phones.stdin.close()
        report |= json.loads(phones.stdout.readline())


def rss_mb() -> float:
    """Return what this process holds in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


def until(true: Any, limit_s: float) -> float | None:
    """Return how long it took until something was true; None: longer than that."""
    begun_s = time.monotonic()
    while not true():
        if time.monotonic() - begun_s > limit_s:
            return None
        time.sleep(0.05)
    return time.monotonic() - begun_s


# --- how soon a change is on every phone ------------------------------------------------------


def measure_fanout(options: argparse.Namespace) -> Figures:
    """Change the table again and again while phones follow, and one that never reads."""
    served = Served()
    with ExitStack() as parts:
        parts.enter_context(served.server)
        before_mb = rss_mb()
        deaf = parts.enter_context(socket.socket())
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect((HERE, served.port))
        deaf.sendall(f"{STREAM}Host: {HERE}\r\n\r\n".encode())
        with crowd(HERE, served.port, options.streams - 1, options.pollers) as report:
            until(lambda: served.server.held == options.streams, 10)
            held = served.server.held
            full = status_of(served.port) if options.streams == STREAMS else None
            begun_s, spent_s = time.monotonic(), time.process_time()
            for _ in range(options.changes):
                time.sleep(options.pause)
                served.change()
            report["last"] = served.room.snapshot.version
            time.sleep(0.5)
            cpu = (time.process_time() - spent_s) / (time.monotonic() - begun_s)
            after_mb, waiting = rss_mb(), waiting_bytes(served)
    late = [
        (at_ns - served.published[version]) / 1e6
        for seen in report["seen"]
        for version, at_ns in seen[1:]  # the first was there before they came
        if version in served.published
    ]
    asked = [took / 1e6 for took in report["asked_ns"]]
    return {
        "fanout_p50_ms": percentile(late, 50),
        "fanout_p99_ms": percentile(late, 99),
        "fanout_max_ms": percentile(late, 100),
        "fanout_count": len(late),
        "fanout_of": options.changes * (options.streams - 1),
        "streams_held": held,
        "status_when_full": full,
        "pollers": options.pollers,
        "polled_p99_ms": percentile(asked, 99),
        "polls": len(asked),
        "cpu_percent": round(100 * cpu, 1),
        "rss_mb": after_mb,
        "rss_before_mb": before_mb,
        "never_reads_kb": round(waiting / 1000, 1),
    }


def status_of(port: int) -> int:
    """Return what one phone too many is answered."""
    line = HTTPConnection(HERE, port, timeout=10)
    line.request("GET", "/api/stream", headers={"Accept": "text/event-stream"})
    status = line.getresponse().status
    line.close()
    return status


def waiting_bytes(served: Served) -> int:
    """Return how much waits at most for a single phone."""
    return max((len(one.rest) for one in watchers(served) if one.rest), default=0)


def watchers(served: Served) -> Sequence[Any]:
    """Return those who follow live, as the fan-out has them."""
    live = served.server.live
    return [] if live is None else [*live.fanout._watchers.values()]


# --- links that are cut -----------------------------------------------------------------------


@contextmanager
def cable() -> Iterator[str | None]:
    """Have a network of its own at the end of a cable; why not, if that cannot be."""
    name = f"{NETWORK}-{os.getpid()}"

    def ip(*words: str) -> bool:
        done = subprocess.run(["ip", *words], capture_output=True, check=False)
        return done.returncode == 0

    if os.geteuid() != 0 or not ip("netns", "add", name):
        yield None
        return
    try:
        (near, ours), (far, theirs) = NEAR, FAR
        laid = ip("link", "add", near, "type", "veth", "peer", "name", far, "netns", name)
        laid = (
            laid and ip("addr", "add", f"{ours}/30", "dev", near) and ip("link", "set", near, "up")
        )
        laid = laid and ip("-n", name, "addr", "add", f"{theirs}/30", "dev", far)
        laid = laid and ip("-n", name, "link", "set", far, "up")
        yield name if laid else None
    finally:
        ip("link", "del", NEAR[0])
        ip("netns", "del", name)


def measure_dead_links(links: int) -> Figures:
    """Cut links without a word, and wait until nothing is left of them."""
    with cable() if links else nullcontext() as network:
        if network is None:
            return {"dead_links_freed_s": None, "dead_links": 0}
        streams = min(links, STREAMS)
        served = Served(NEAR[1])
        at_far_end = ("ip", "netns", "exec", network)
        with served.server, crowd(NEAR[1], served.port, streams, links - streams, *at_far_end):
            until(lambda: served.server.held == streams, 10)
            there = count_lines(served)
            subprocess.run(["ip", "-n", network, "link", "set", FAR[0], "down"], check=True)
            freed_s = until(lambda: count_lines(served) == 0, CUT_AFTER_S)
            held = served.server.held
    return {
        "dead_links_freed_s": None if freed_s is None else round(freed_s, 1),
        "dead_links": there,
        "dead_links_left": held,
    }


def count_lines(served: Served) -> int:
    """Return to how many phones there is a line."""
    inside = served.server.server
    return (0 if inside is None else len(inside.phones())) + len(watchers(served))


def main() -> None:
    """Measure and print."""
    words = parser("phones", __doc__)
    words.add_argument("--streams", type=int, default=STREAMS, help="one of them never reads")
    words.add_argument("--pollers", type=int, default=100)
    words.add_argument("--changes", type=int, default=100, help="of the table")
    words.add_argument("--pause", type=float, default=0.25, help="seconds between two of them")
    words.add_argument("--links", type=int, default=50, help="that are cut without a word")
    options = words.parse_args()
    found = measure_fanout(options)
    found |= measure_dead_links(options.links)
    with (served := Served()).server:
        found |= _first_look.measure(served.port)
    found |= {"cores": os.cpu_count(), "machine": platform.machine()}
    found |= {"load": round(os.getloadavg()[0], 1), "python": platform.python_version()}
    tell(found, as_json=options.json)


if __name__ == "__main__":
    main()
