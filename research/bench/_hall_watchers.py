"""Watchers of a hall for a bench: a thousand streams, some of them of screens on walls.

    python -m research.bench._hall_watchers PORT FOLDER WATCHERS WALLS TABLES

It says a line once all of them watch, and ends with its input; `seen.jsonl` says when a wall showed
which event.
"""

import http.client
import json
import re
import select
import socket
import sys
import time
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

HERE: Final = "127.0.0.1"
SEEN: Final = re.compile(rb'id=\\"wall-table-(\d+)\\" data-version=\\"(-?\d+)\\"')


class Browser:
    """Asks for pages as a browser does."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""

    def ask(self, method: str, path: str, **form: str) -> str:
        """Return a page, following where a form leads."""
        line = http.client.HTTPConnection(HERE, self.port, timeout=30)
        host = f"{HERE}:{self.port}"
        headers = {"Host": host, "Cookie": self.cookie, "Origin": f"http://{host}"}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        line.request(method, path, urlencode(form), headers)
        answer = line.getresponse()
        text = answer.read().decode()
        line.close()
        if given := answer.headers["Set-Cookie"]:
            self.cookie = given.partition(";")[0]
        if answer.status == 303:
            return self.ask("GET", answer.headers["Location"])
        assert answer.status == 200, (path, answer.status, text[:500])
        return text


def wall(director: Browser, port: int, shows: str) -> str:
    """Hang up a screen; return the name of its view."""
    screen = Browser(port)
    page = screen.ask("POST", "/screen")
    code = re.search(r'class="code-word">(\w+)<', page)
    view = re.search(r'data-live="(screen-\d+)"', page)
    assert code
    assert view
    director.ask("POST", "/screens", code=code[1], shows=shows)
    return view[1]


def watch(port: int, view: str) -> socket.socket:
    """Open a stream."""
    line = socket.create_connection((HERE, port), timeout=30)
    line.sendall(
        f"GET /api/stream?view={view} HTTP/1.1\r\nHost: {HERE}:{port}\r\n"
        "Accept: text/event-stream\r\nAccept-Language: de\r\n\r\n".encode()
    )
    return line


def main(port: int, folder: Path, count: int, walls: int, tables: int) -> None:
    """Watch."""
    director = Browser(port)
    director.ask("POST", "/sign-in", pin=(folder / "hall" / "hall-pin").read_text("utf-8").strip())
    views = [wall(director, port, f"table {number + 1}") for number in range(walls - 1)]
    views.append(wall(director, port, "table 1 2 3 4"))
    hung = len(views)
    views += [f"table-{1 + number % tables}" for number in range(count - hung)]
    poll, lines = select.epoll(), dict[int, tuple[int, str, socket.socket]]()
    for place, view in enumerate(views):
        line = watch(port, view)
        line.setblocking(False)
        poll.register(line, select.EPOLLIN)
        lines[line.fileno()] = place, view, line
    poll.register(sys.stdin, select.EPOLLIN)
    rests, frames, ended = dict[int, bytes](), 0, 0
    print("watching", flush=True)
    with (folder / "seen.jsonl").open("w", encoding="utf-8") as log:
        while True:
            for number, _ in poll.poll():
                if number == sys.stdin.fileno():
                    print(json.dumps({"frames": frames, "ended": ended}), flush=True)
                    return
                place, view, line = lines[number]
                try:
                    piece = line.recv(262_144)
                except OSError:
                    piece = b""
                if not piece:
                    ended += 1
                    poll.unregister(line)
                    continue
                frames += piece.count(b"event: view") + piece.count(b"event: part")
                if place < hung:
                    now_s = time.monotonic()
                    text = rests.get(number, b"") + piece
                    for found in SEEN.finditer(text):
                        log.write(json.dumps([view, int(found[1]), int(found[2]), now_s]) + "\n")
                    rests[number] = text[-60:] if not SEEN.search(text[-60:]) else b""


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:6]))
