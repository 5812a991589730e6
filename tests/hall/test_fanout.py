"""Who watches when all places are taken."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from companion.hall.fanout import Fanout

TOPIC = ("hall",)
PATIENCE_S = 20.0
PLACES = 4


@pytest.fixture
def life() -> Iterator[ExitStack]:
    with ExitStack() as life:
        yield life


@pytest.fixture
def fanout(life: ExitStack) -> Fanout:
    found = Fanout(places=PLACES)
    life.callback(found.close)
    found.start()
    return found


def watch(fanout: Fanout, life: ExitStack, home: str) -> socket.socket | None:
    """Have somebody at an address of this computer watch; None: there is no room."""
    if not fanout.has_room(home):
        return None
    with socket.create_server(("127.0.0.1", 0)) as server:
        line = socket.create_connection(server.getsockname(), PATIENCE_S, (home, 0))
        life.enter_context(line)
        fanout.take(server.accept()[0], TOPIC, ())
    fanout.publish(TOPIC, "", b"<hello>")
    assert line.recv(7) == b"<hello>"
    return line


def rest(line: socket.socket | None) -> bytes:
    """Return the end of what somebody is told, as far as the word last; or all of it."""
    assert line is not None
    told = b""
    while not told.endswith(b"<last>") and (more := line.recv(100)):
        told += more
    return told[-6:]


def test_whoever_has_most_places_gives_one_up(fanout: Fanout, life: ExitStack) -> None:
    crowd = [watch(fanout, life, "127.0.0.2") for _ in range(PLACES)]
    assert watch(fanout, life, "127.0.0.2") is None
    other = watch(fanout, life, "127.0.0.3")
    fanout.publish(TOPIC, "", b"<last>")
    assert [rest(one) == b"<last>" for one in (*crowd, other)] == [False, True, True, True, True]
    assert fanout.held == PLACES


def test_among_equals_whoever_came_first_stays(fanout: Fanout, life: ExitStack) -> None:
    lines = [watch(fanout, life, f"127.0.0.{home}") for home in range(2, 2 + PLACES)]
    assert None not in lines
    assert watch(fanout, life, "127.0.0.9") is None
    assert fanout.held == PLACES
