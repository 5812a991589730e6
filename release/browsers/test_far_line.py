"""A phone far away, in a network of its own: 250 ms, lost packets, a slow line and none at all."""

import fcntl
import heapq
import os
import select
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from random import Random
from typing import Self

import pytest
from playwright.sync_api import Page, expect

from companion.referee.commands import DoAction
from companion.web.permissions import DID
from tests.browser.chromium import ARGUMENTS, FOUND, PATIENCE_MS, PHONE, Drawer
from tests.browser.served import Served
from tests.browser.test_games import plays
from tests.programs import need, path
from tests.web.playing import moving
from tests.web.room import FakeRoom

pytestmark = pytest.mark.slow

NEAR, FAR = "10.254.240.1", "10.254.240.2"
TOLD_S, USABLE_S = 10.0, 8.0
TUN, IFF_TUN, IFF_NO_PI, TUNSETIFF = Path("/dev/net/tun"), 0x0001, 0x1000, 0x400454CA


@dataclass(frozen=True, slots=True)
class Way:
    """What becomes of packets, in each direction."""

    loss: float = 0.0
    delay_s: float = 0.125  # there and back: 250 ms
    bytes_a_s: float = 1e9


FAR_AWAY, SLOW, GONE = Way(0.03), Way(bytes_a_s=12_500), Way(1.0)


class Line:
    """What `tc netem` does, also where the kernel has none: two ends of a tunnel, and a thread."""

    def __init__(self, name: str) -> None:
        self.name, self.way = name, FAR_AWAY
        self._chance = Random(name)
        self._ends = [self._end(f"{name}n"), self._end(f"{name}f")]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._carry, name="line")

    def _end(self, device: str) -> int:
        file = os.open(TUN, os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH", device.encode(), IFF_TUN | IFF_NO_PI))
        return file

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        for file in self._ends:
            os.close(file)

    def _carry(self) -> None:
        under_way: list[tuple[float, int, int, bytes]] = []
        free_s, number = dict.fromkeys(self._ends, 0.0), count()
        while not self._over.is_set():
            wait_s = min(0.1, max(0.0, under_way[0][0] - time.monotonic()) if under_way else 0.1)
            for file in select.select(self._ends, [], [], wait_s)[0]:
                packet, way, now_s = os.read(file, 65_536), self.way, time.monotonic()
                other = self._ends[file == self._ends[0]]
                free_s[other] = max(now_s, free_s[other]) + len(packet) / way.bytes_a_s
                if self._chance.random() >= way.loss:
                    due_s = free_s[other] + way.delay_s
                    heapq.heappush(under_way, (due_s, next(number), other, packet))
            while under_way and under_way[0][0] <= time.monotonic():
                _, _, other, packet = heapq.heappop(under_way)
                with suppress(OSError):  # it was taken away
                    os.write(other, packet)


def ip(*words: str) -> bool:
    done = subprocess.run([path("ip") or "", *words], capture_output=True, check=False)
    return done.returncode == 0


@pytest.fixture
def line() -> Iterator[Line]:
    """Lay a line to a network of its own, or say why that cannot be."""
    need("ip")
    name = f"rw{os.getpid()}"
    near, far = f"{name}n", f"{name}f"
    if os.geteuid() != 0 or not ip("netns", "add", name):
        pytest.skip("only root may lay a line to a network of its own")
    try:
        if not TUN.exists():
            pytest.skip(f"there is no {TUN}")
        with Line(name) as made:
            assert ip("addr", "add", NEAR, "peer", FAR, "dev", near)
            assert ip("link", "set", near, "up")
            assert ip("link", "set", far, "netns", name)
            inside = ("-n", name)
            assert ip(*inside, "addr", "add", FAR, "peer", NEAR, "dev", far)
            assert ip(*inside, "link", "set", far, "up")
            assert ip(*inside, "link", "set", "lo", "up")
            yield made
    finally:
        ip("netns", "del", name)


@pytest.fixture
def far(line: Line, drawer: Drawer, tmp_path: Path) -> Iterator[Callable[[], Page]]:
    """Open pages in a browser at the far end."""
    program = tmp_path / "chromium"
    program.write_text(f'#!/bin/sh\nexec {path("ip")} netns exec {line.name} {FOUND} "$@"\n')
    program.chmod(0o700)
    words = [word for word in ARGUMENTS if "resolver" not in word]
    with closing(drawer.kind.launch(executable_path=program, args=words)) as browser:

        def opened() -> Page:
            context = browser.new_context(
                viewport={"width": PHONE.width_px, "height": PHONE.height_px},
                has_touch=True,
                is_mobile=True,
                locale="de-DE",
                reduced_motion="reduce",
            )
            context.set_default_timeout(PATIENCE_MS)
            return context.new_page()

        yield opened


@pytest.fixture
def served(line: Line, tmp_path: Path) -> Iterator[Served]:  # noqa: ARG001 - its address
    with Served(FakeRoom(), tmp_path / "kept", host=NEAR) as made:
        yield made


def test_a_whole_game_by_taps_and_no_act_is_done_twice(
    far: Callable[[], Page], served: Served
) -> None:
    page, room = far(), served.room
    refused: list[str] = []
    page.on("response", lambda one: refused.append(one.url) if one.status >= 400 else None)
    served.open(page, role="table")
    plays(page, room, "de")
    assert refused == []  # every key that was shown could be had
    assert isinstance(room, FakeRoom)
    taps = {one.request for one in room.commands if isinstance(one.wish, DoAction)}
    kinds = [entry.kind for entries in room.papers.values() for entry in entries]
    assert kinds.count(DID) == len(taps) > 50


def test_away_is_told_within_ten_seconds_and_taken_back(
    far: Callable[[], Page], served: Served, line: Line
) -> None:
    page = far()
    served.open(page, role="table")
    page.wait_for_function("() => document.querySelector('[data-live]').newest")
    for _ in range(2):
        line.way = GONE
        begun_s = time.monotonic()
        expect(page.locator("#line")).to_be_visible()
        assert time.monotonic() - begun_s < TOLD_S + 1  # how long looking takes
        line.way = FAR_AWAY
        expect(page.locator("#line")).to_be_hidden()


def test_on_a_slow_line_the_first_page_can_be_used_in_eight_seconds(
    far: Callable[[], Page], line: Line, tmp_path: Path
) -> None:
    with Served(moving(), tmp_path / "slow", host=NEAR) as served:
        page = far()
        line.way = SLOW
        page.add_init_script(
            "const wait = setInterval(() => { if (window.rappel && document.querySelector("
            "'.walk')) { window.usable = performance.now(); clearInterval(wait); } }, 50)"
        )
        served.open(page, role="table")
        page.wait_for_function("() => window.usable")
        assert page.evaluate("window.usable") / 1000 < USABLE_S
