"""Many phones in one process: some follow the stream, others ask again and again.

It speaks HTTP over bare sockets, so that what it measures is the server's time and not its own; its
clock is the one of the server's process. It is ready when each stream has brought something. On its
standard input stands the version after which it ends, or nothing if that is now; once all have seen
it, or waited for it too long, it writes what each stream saw, and when, as one line of JSON.
"""

import json
import math
import re
import selectors
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

STREAM = "GET /api/stream?view=table HTTP/1.1\r\nAccept: text/event-stream\r\n"
ASK = "GET /api/view/table HTTP/1.1\r\n"
VERSION = re.compile(rb'data-version=\\"(\d+)\\"')
LENGTH = re.compile(rb"[Cc]ontent-[Ll]ength: (\d+)")
TAG = re.compile(rb"[Ee][Tt]ag: (\S+)")
POLL_S = 2.0
PATIENCE_S = 20.0  # whoever has not seen the last version by then never will


@dataclass(slots=True)
class Follower:
    """A phone that follows the stream."""

    line: socket.socket
    held: bytes = b""
    seen: list[tuple[int, int]] = field(default_factory=list)  # version, when in ns

    def read(self) -> bool:
        """Take what came; False if the line is at its end."""
        came = self.line.recv(262_144)
        self.held += came
        while (end := self.held.find(b"\n\n")) >= 0:
            event, self.held = self.held[:end], self.held[end + 2 :]
            if found := VERSION.search(event):
                self.seen.append((int(found[1]), time.monotonic_ns()))
        return bool(came)


@dataclass(slots=True)
class Asker:
    """A phone that found no place, and asks every two seconds."""

    line: socket.socket
    due_s: float
    host: str
    held: bytes = b""
    tag: str = ""
    asked_ns: int = 0  # 0: it waits for nothing
    took_ns: list[int] = field(default_factory=list)

    def ask(self) -> None:
        """Ask for what is new."""
        seen = f"If-None-Match: {self.tag}\r\n" if self.tag else ""
        self.asked_ns = time.monotonic_ns()
        self.line.sendall(f"{ASK}Host: {self.host}\r\n{seen}\r\n".encode())

    def read(self) -> bool:
        """Take what came; False if the line is at its end."""
        came = self.line.recv(262_144)
        self.held += came
        head, parted, body = self.held.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if parted and len(body) >= (int(length[1]) if length else 0):
            self.took_ns.append(time.monotonic_ns() - self.asked_ns)
            if found := TAG.search(head):
                self.tag = found[1].decode()
            self.held, self.asked_ns = b"", 0
            self.due_s = time.monotonic() + POLL_S
        return bool(came)


def connected(host: str, port: int, sent: str = "") -> socket.socket:
    """Return a line to the server on which a request was sent."""
    line = socket.create_connection((host, port), 20)
    if sent:
        line.sendall(f"{sent}Host: {host}:{port}\r\n\r\n".encode())
    return line


def watch(followers: list[Follower], askers: list[Asker]) -> None:
    """Read whatever comes, until all have seen the version that stands on the standard input."""
    with selectors.DefaultSelector() as lines:
        ready, last, end_s = False, 0, math.inf

        def end() -> bool:
            nonlocal last, end_s
            said = sys.stdin.readline().strip()
            last, end_s = int(said or 0), time.monotonic() + (PATIENCE_S if said else 0)
            lines.unregister(sys.stdin)
            return True

        def go_on() -> bool:
            late = any(one.seen[-1][0] < last for one in followers)
            late = late or any(not one.took_ns for one in askers)
            return end_s == math.inf or (late and time.monotonic() < end_s)

        lines.register(sys.stdin, selectors.EVENT_READ, end)
        phones: list[Follower | Asker] = [*followers, *askers]
        for phone in phones:
            lines.register(phone.line, selectors.EVENT_READ, phone.read)
        while not ready or go_on():
            if not ready and all(one.seen for one in followers):
                print("ready", flush=True)
                ready = True
            now_s = time.monotonic()
            for asker in askers:
                if not asker.asked_ns and asker.due_s <= now_s:
                    asker.ask()
            for key, _ in lines.select(0.02):
                read: Callable[[], bool] = key.data
                if not read():
                    lines.unregister(key.fileobj)
                    assert ready, "a stream was refused"


def main() -> None:
    """Open the lines, follow them, and report."""
    host, port, streams, pollers = sys.argv[1], *(int(word) for word in sys.argv[2:])
    followers = [Follower(connected(host, port, STREAM)) for _ in range(streams)]
    begun_s = time.monotonic()
    askers = [
        Asker(connected(host, port), begun_s + POLL_S * one / max(1, pollers), f"{host}:{port}")
        for one in range(pollers)
    ]
    watch(followers, askers)
    report = {
        "seen": [follower.seen for follower in followers],
        "asked_ns": [took for asker in askers for took in asker.took_ns],
    }
    print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
