"""The table tells systemd that it is ready and alive, and nobody if there is no systemd."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.devices.hardware import Watchdog


@pytest.fixture(params=["file", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    named = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(named if request.param == "file" else f"\0{named}")
        line.settimeout(10)
        yield line, named if request.param == "file" else f"@{named}"


def test_it_says_what_systemd_understands(systemd: tuple[socket.socket, str]) -> None:
    line, named = systemd
    watchdog = Watchdog({"NOTIFY_SOCKET": named})
    watchdog.ready()
    watchdog.pet()
    watchdog.stopping()
    assert [line.recv(99) for _ in range(3)] == [b"READY=1", b"WATCHDOG=1", b"STOPPING=1"]


def test_without_systemd_it_is_silent() -> None:
    Watchdog({}).pet()


def test_a_systemd_that_is_gone_or_full_stops_nobody(tmp_path: Path) -> None:
    named = str(tmp_path / "notify")
    Watchdog({"NOTIFY_SOCKET": named}).pet()  # nobody is there
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(named)
        for _ in range(2000):  # nobody reads
            Watchdog({"NOTIFY_SOCKET": named}).pet()
        assert line.recv(99) == b"WATCHDOG=1"
