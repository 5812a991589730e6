"""The hub port above lines that fail in every way: it never raises, and has a sentence for all."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Sequence
from enum import Enum
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import wire
from companion.devices.hub_discovery import HubState
from companion.devices.hub_port import HubPort
from companion.devices.light_board import LightBoardState
from companion.devices.pin_state import PartState
from companion.devices.recording import RecordingState
from companion.devices.serial_line import LineError, LineFault
from companion.system import config
from companion.system.status import Condition, Status
from tests.devices.hubs import A, relayed

HELLO = wire.say(
    "HUB_HELLO", 7, hub=A, boot=1, firmware=256, dictionary=wire.DICTIONARY_HASH
)  # fmt: skip
GONE = LineError(LineFault.GONE, "gone")


class Script:
    """Ports and lines that do what they are told, one thing a call."""

    def __init__(self, *reads: bytes | LineError, opens: LineError | None = None) -> None:
        self.reads = list(reads)
        self.opens = opens
        self.takes = 10**9
        self.written = b""
        self.opened = 0
        self.closed = 0
        self.names = ["/dev/ttyACM0"]

    def find(self, patterns: Sequence[str]) -> Sequence[str]:
        return self.names if patterns else ()

    def open(self, path: str) -> Script:
        assert path in self.names
        if self.opens:
            raise self.opens
        self.opened += 1
        return self

    def fileno(self) -> int:
        return 0

    def read(self) -> bytes:
        done = self.reads.pop(0) if self.reads else b""
        if isinstance(done, LineError):
            raise done
        return done

    def write(self, data: bytes) -> int:
        self.written += data[: self.takes]
        return min(len(data), self.takes)

    def close(self) -> None:
        self.closed += 1


def port_of(script: Script, heard: list[Condition]) -> HubPort:
    return HubPort(config.Hub(), lambda _: None, heard.append, ports=script)


@pytest.mark.parametrize(
    ("fault", "state"),
    [
        (LineFault.GONE, HubState.SEARCHING),
        (LineFault.BUSY, HubState.BUSY),
        (LineFault.DENIED, HubState.DENIED),
        (LineFault.UNFIT, HubState.UNFIT),
    ],
)
def test_every_reason_not_to_open_has_its_state(fault: LineFault, state: HubState) -> None:
    heard: list[Condition] = []
    port_of(Script(opens=LineError(fault, "why")), heard).tick(0)
    assert [condition.state for condition in heard] == [state]


def test_the_most_telling_of_several_ports_is_said() -> None:
    heard: list[Condition] = []
    script = Script(opens=LineError(LineFault.BUSY, ""))
    port = port_of(script, heard)
    port.tick(0)
    script.names.append("/dev/ttyACM1")
    script.opens = LineError(LineFault.DENIED, "")
    port.tick(400_000)
    assert [condition.state for condition in heard] == [HubState.BUSY]


def test_a_hub_that_takes_three_bytes_at_a_time_gets_all_of_them() -> None:
    script = Script(HELLO)
    port = port_of(script, [])
    port.tick(0)
    script.written = b""
    script.takes = 3
    frames = [wire.say("HUB_CHANNEL", 1, channel=c) for c in range(5)]
    assert all(port.send(frame) for frame in frames)
    for now_us in range(200):
        port.tick(now_us)
    assert script.written == b"".join(frames)


def test_what_waited_for_a_lost_hub_is_not_sent_to_the_next() -> None:
    script = Script(HELLO)
    port = port_of(script, [])
    port.tick(0)
    script.takes = 0
    assert port.send(wire.say("HUB_CHANNEL", 1, channel=1))
    script.reads = [GONE]
    port.tick(1)
    script.takes, script.written = 999, b""
    port.tick(2)
    said = wire.Line(wire.TO_HUB).hear(script.written)
    assert [one.name for one in said if isinstance(one, wire.Said)] == ["HUB_HELLO_REQUEST"]


def test_losses_add_up_over_all_openings() -> None:
    script = Script(b"\x03ab\0", GONE, b"\x03ab\0", HELLO)
    port = port_of(script, [])
    for now_us in range(0, 3_000_000, 100_000):
        port.tick(now_us)
    assert sum(port.losses.values()) == 2


def test_a_hub_that_is_silent_for_ten_seconds_is_opened_again() -> None:
    script = Script(HELLO)
    port = port_of(script, [])
    for now_us in range(0, 10_000_000, 100_000):
        port.tick(now_us)
    assert (script.opened, script.closed) == (1, 0)
    port.tick(10_000_000)
    assert (script.opened, script.closed) == (1, 1)
    for now_us in range(10_000_000, 12_000_000, 100_000):
        port.tick(now_us)
    assert (script.opened, script.closed) == (2, 1)
    assert str(port.condition).startswith("The hub at /dev/ttyACM0 has gone silent")
    script.reads.append(HELLO)
    port.tick(12_000_000)
    assert port.condition.state is HubState.PRESENT


def test_a_fault_that_nobody_foresaw_is_told_of_and_the_hub_looked_for_again() -> None:
    heard: list[Condition] = []
    script = Script(HELLO)
    port = port_of(script, heard)
    port.tick(0)
    port.handle_error(KeyError("why"), 100_000)
    assert port.fileno() is None
    assert [condition.state for condition in heard[2:]] == [HubState.FAULTY]
    assert "KeyError: 'why'" in str(heard[-1])
    port.tick(1_000_000)
    assert script.opened == 1
    script.reads.append(HELLO)
    port.tick(1_100_000)
    assert heard[-1].state is HubState.PRESENT


READ = st.one_of(
    st.binary(max_size=60),
    st.sampled_from([HELLO, relayed(1), HELLO[:9], HELLO + relayed(2), b"\0"]),
    st.sampled_from([LineError(fault, "why") for fault in LineFault]),
)


@given(st.lists(st.tuples(READ, st.integers(0, 3_000_000), st.booleans()), max_size=40))
@settings(max_examples=300, deadline=None)
def test_it_never_raises_and_always_has_a_sentence(
    steps: list[tuple[bytes | LineError, int, bool]],
) -> None:
    heard: list[Condition] = []
    script, now_us = Script(), 0
    port = port_of(script, heard)
    for read, later_us, listed in steps:
        script.reads.append(read)
        script.names = ["/dev/ttyACM0"] if listed else []
        now_us += later_us
        port.tick(now_us)
        port.send(relayed(3))
    port.close(now_us)
    assert all(str(condition) for condition in heard)
    assert all(one != two for one, two in pairwise(heard))


def test_a_megabyte_without_a_frame_takes_no_memory() -> None:
    script = Script(HELLO)
    port = port_of(script, [])
    port.tick(0)
    chunk = b"\x55" * 4096
    tracemalloc.start()
    try:
        for now_us in range(1, 100):
            script.reads = [chunk] * 16
            port.tick(now_us)
        script.reads.clear()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 500_000  # of six megabytes; other threads of a test run take some, too


def test_one_pump_takes_only_so_much_of_a_flood() -> None:
    script = Script(HELLO, *[b"\x55" * 4096] * 100)
    port_of(script, []).tick(0)
    assert len(script.reads) > 80


@pytest.mark.parametrize("states", [HubState, LightBoardState, PartState, RecordingState])
def test_every_state_has_a_sentence_of_its_own(states: type[Status]) -> None:
    assert issubclass(states, Enum)
    names = states.__members__
    assert len(list(states)) == len(names)
    for state in states:
        assert state.template.endswith(".")
        assert len(re.sub(r"\{\w+\}", "", state.template)) > 10
