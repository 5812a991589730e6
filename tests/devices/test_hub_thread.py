"""The outermost loop: it wakes for bytes, and ends when it is told to."""

import os
import queue
import select
import threading
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import pytest

from companion import wire
from companion.devices.hub_discovery import HubMessage, HubState
from companion.devices.hub_port import HubPort, HubThread
from companion.system import config
from companion.system.status import Condition
from tests.devices.hubs import A, Hub, relayed
from tests.devices.test_hub_faults import HELLO, Script

WAIT_S = 60.0  # for whatever must come; a busy machine is slow


def test_the_thread_finds_the_hub_hands_on_and_ends(tmp_path: Path) -> None:
    descriptors = len(list(Path("/proc/self/fd").iterdir()))
    heard: queue.Queue[HubMessage] = queue.Queue()
    conditions: queue.Queue[Condition] = queue.Queue()
    hub = Hub(tmp_path)
    port = HubPort(config.Hub(None, (str(tmp_path / "hub*"),)), heard.put, conditions.put)
    with HubThread(port) as thread:
        assert conditions.get(timeout=WAIT_S).state is HubState.ASKING
        hub.hello()
        assert conditions.get(timeout=WAIT_S).state is HubState.PRESENT
        assert heard.get(timeout=WAIT_S).said.fields.hub == A
        for number in range(100):
            hub.write(relayed(number))
            assert heard.get(timeout=WAIT_S).said.time_us == number
        os.set_blocking(hub.master, True)
        assert thread.send(wire.say("HUB_CHANNEL", 1, channel=6))
        line, said = wire.Line(wire.TO_HUB), ["HUB_HELLO_REQUEST"]
        while said[-1] != "HUB_CHANNEL":
            said += [s.name for s in line.hear(os.read(hub.master, 99)) if isinstance(s, wire.Said)]
        hub.unplug()
        assert conditions.get(timeout=WAIT_S).state is HubState.UNPLUGGED
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


class Faulty(Script):
    """Ports of which the listing fails as often as told, with an error that nobody foresaw."""

    fails = 0

    def find(self, patterns: Sequence[str]) -> Sequence[str]:
        if self.fails:
            self.fails -= 1
            raise ZeroDivisionError("why")
        return super().find(patterns)

    def fileno(self) -> int:
        return self.wake  # readable or not, it is a descriptor that can be waited for

    wake = 0


@pytest.mark.parametrize("deaf", [False, True])
def test_a_fault_that_nobody_foresaw_is_told_of_and_the_thread_goes_on(deaf: bool) -> None:
    conditions: queue.Queue[Condition] = queue.Queue()
    fails = [True] * deaf

    def report(condition: Condition) -> None:
        conditions.put(condition)
        if fails:
            raise ValueError("whoever hears it fails too")

    script = Faulty(HELLO)
    script.fails = 2
    script.wake, write = os.pipe()
    port = HubPort(config.Hub(), lambda _: None, report, ports=script)
    clock = count(0, 600_000)
    with HubThread(port, lambda: next(clock)):
        told = conditions.get(timeout=WAIT_S)
        assert told.state is HubState.FAULTY
        assert "ZeroDivisionError: why" in str(told)
        assert conditions.get(timeout=WAIT_S).state is HubState.PRESENT
        if deaf:
            assert "whoever hears it" in str(conditions.get(timeout=WAIT_S))
        fails.clear()
    assert port.condition.state is HubState.OFF
    os.close(script.wake)
    os.close(write)
