"""The outermost loop: it wakes for bytes, and ends when it is told to."""

from __future__ import annotations

import os
import queue
import select
import threading
from pathlib import Path

from companion import config, wire
from companion.devices.condition import Condition
from companion.devices.hub_port import HubPort
from companion.devices.hub_search import HubState
from companion.devices.hub_talk import Heard
from companion.devices.hub_thread import HubThread
from tests.devices.hubs import A, Hub, relayed


def test_the_thread_finds_the_hub_hands_on_and_ends(tmp_path: Path) -> None:
    descriptors = len(list(Path("/proc/self/fd").iterdir()))
    heard: queue.Queue[Heard] = queue.Queue()
    conditions: queue.Queue[Condition] = queue.Queue()
    hub = Hub(tmp_path)
    port = HubPort(config.Hub(None, (str(tmp_path / "hub*"),)), heard.put, conditions.put)
    with HubThread(port) as thread:
        assert conditions.get(timeout=5).state is HubState.ASKING
        hub.hello()
        assert conditions.get(timeout=5).state is HubState.PRESENT
        assert heard.get(timeout=5).said.fields.hub == A
        for number in range(100):
            hub.write(relayed(number))
            assert heard.get(timeout=5).said.time_us == number
        os.set_blocking(hub.master, True)
        assert thread.send(wire.say("HUB_CHANNEL", 1, channel=6))
        line, said = wire.Line(wire.TO_HUB), ["HUB_HELLO_REQUEST"]
        while said[-1] != "HUB_CHANNEL":
            said += [s.name for s in line.hear(os.read(hub.master, 99)) if isinstance(s, wire.Said)]
        hub.unplug()
        assert conditions.get(timeout=5).state is HubState.UNPLUGGED
        again = Hub(tmp_path, "hub5")
        while conditions.empty():
            select.select([again.master], [], [], 0.01)
            again.answer()
        assert conditions.get().state is HubState.PRESENT
    assert port.condition.state is HubState.OFF
    assert "hub" not in [thread.name for thread in threading.enumerate()]
    again.unplug()
    assert len(list(Path("/proc/self/fd").iterdir())) == descriptors


def test_a_thread_that_is_woken_often_does_not_block_whoever_wakes_it(tmp_path: Path) -> None:
    port = HubPort(config.Hub(None, (str(tmp_path / "hub*"),)), lambda _: None)
    with HubThread(port) as thread:
        assert not thread.send(b"x")
        for _ in range(100_000):
            thread.wake()
