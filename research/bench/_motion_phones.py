"""Phones that are barrels, each on a thread: they send what they feel as a browser does.

It is a process of its own, so that what it needs is not taken for the table's. On its standard
output it writes one line of JSON: when each look was long enough to be a foul, by the clock of the
table's process, and what went over the lines.
"""

import json
import socket
import sys
import time
from dataclasses import dataclass, field
from math import cos, radians
from threading import Thread
from typing import Any, Final

from companion.sensing.settings import PeekSettings
from rappelwacht_research.phone_motions import USUAL, recorded

BATCH_S: Final = 0.1
CYCLE: Final = (
    "0.1 blue lifts 7\nblue carries 7 for 1.5\nblue shakes 7 for 1.5\n"
    "blue peeks 7 to 140 for 1.3\nblue carries 7 for 1.5"
)
BROWSER: Final = (  # what Chromium on Android sends besides
    "User-Agent: Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/126.0.0.0 Mobile Safari/537.36\r\nAccept: application/json\r\n"
    "Accept-Encoding: gzip, deflate\r\nAccept-Language: de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7\r\n"
    "Content-Type: application/json\r\nCache-Control: no-cache\r\nPragma: no-cache\r\n"
    "Connection: keep-alive\r\n"
)


@dataclass(slots=True)
class Phone:
    """One phone at one seat."""

    host: str
    port: int
    seat: str
    handle: int
    line: socket.socket = field(init=False)
    cookie: str = ""
    sent: int = 0
    received: int = 0
    answered_ms: list[float] = field(default_factory=list)
    fouls_ns: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.line = socket.create_connection((self.host, self.port), 20)
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Post something, and return the answer; raise if it is refused."""
        data = json.dumps(body, separators=(",", ":")).encode()
        home = f"{self.host}:{self.port}"
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {home}\r\nOrigin: http://{home}\r\n{BROWSER}"
            f"Referer: http://{home}/simulated\r\nContent-Length: {len(data)}\r\n"
        )
        head += f"Cookie: {self.cookie}\r\n\r\n" if self.cookie else "\r\n"
        begun_s = time.monotonic()
        self.line.sendall(head.encode() + data)
        came = b""
        while b"\r\n\r\n" not in came:
            came += self._more()
        top, _, rest = came.partition(b"\r\n\r\n")
        fields = [line.partition(": ") for line in top.decode().split("\r\n")[1:]]
        names = {name.lower(): value for name, _, value in fields}
        while len(rest) < int(names["content-length"]):
            rest += self._more()
        if " 200 " not in top.decode().split("\r\n", 1)[0]:
            raise RuntimeError(f"{path} was refused: {rest.decode()}")
        self.cookie = names.get("set-cookie", self.cookie).partition(";")[0]
        self.sent += len(head) + len(data)
        self.received += len(top) + 4 + len(rest)
        self.answered_ms.append(1000 * (time.monotonic() - begun_s))
        answer: dict[str, Any] = json.loads(rest)
        return answer

    def _more(self) -> bytes:
        data = self.line.recv(65_536)
        if not data:
            raise RuntimeError("the table has closed the line")
        return data

    def play(self, looks: int, wait_s: float) -> None:
        """Be moved again and again, with one look each time."""
        time.sleep(wait_s)
        settings = PeekSettings()
        cosine = cos(radians(settings.open_cdeg / 100)) * abs(USUAL.down[2])
        for number in range(looks):
            rows = recorded(CYCLE, number + 100 * self.handle)
            begun_s, begun_ns = time.monotonic(), time.monotonic_ns()
            since_ms: float | None = None
            for at_ms, (_, _, z) in rows:
                since_ms = None if -z > cosine else at_ms if since_ms is None else since_ms
                if since_ms is not None and at_ms - since_ms >= settings.foul_ms:
                    self.fouls_ns.append(begun_ns + round(1e6 * at_ms))
                    break
            self._tell(rows, begun_s)

    def _tell(self, rows: list[tuple[float, tuple[float, float, float]]], begun_s: float) -> None:
        batch = 0
        while rows:
            batch += 1
            time.sleep(max(0.0, begun_s + BATCH_S * batch - time.monotonic()))
            now_ms = 1000 * (time.monotonic() - begun_s)
            count = sum(at_ms <= now_ms for at_ms, _ in rows[:64])
            felt = [[round(1000 * begun_s + at_ms, 1), *force] for at_ms, force in rows[:count]]
            del rows[:count]
            if felt:
                rest = {"down": USUAL.down, "up": USUAL.up, "flips": False}
                self.post("/api/simulated/motion", {"barrel": self.handle, "felt": felt, **rest})


def main() -> None:
    """Sit down, take barrels, be moved, and report."""
    host, port, pin, looks, *seats = sys.argv[1:]
    phones = [Phone(host, int(port), seat, handle) for handle, seat in enumerate(seats, 1)]
    for phone in phones:
        phone.post("/api/pair", {"seat": phone.seat, "pin": pin})
        phone.post("/api/simulated/act", {"act": "lift", "barrel": phone.handle})
    time.sleep(1.5)  # until they are in hand
    for phone in phones:
        phone.sent, phone.received = 0, 0
        phone.answered_ms.clear()
    print("ready", flush=True)
    sys.stdin.readline()
    begun_s = time.monotonic()
    threads = [
        Thread(target=phone.play, args=(int(looks), 2.2 * at)) for at, phone in enumerate(phones)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took_s = time.monotonic() - begun_s
    report = {
        "fouls_ns": sorted(at_ns for phone in phones for at_ns in phone.fouls_ns),
        "bytes_per_s": sum(phone.sent + phone.received for phone in phones) / took_s / len(phones),
        "answered_ms": [ms for phone in phones for ms in phone.answered_ms],
        "took_s": took_s,
    }
    print(json.dumps(report), flush=True)


if __name__ == "__main__":
    main()
