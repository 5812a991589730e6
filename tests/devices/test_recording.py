"""A recording of the link plays again into the very same messages."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import config
from companion.devices.condition import Condition
from companion.devices.hub_port import HubPort
from companion.devices.hub_talk import Heard
from companion.devices.recording import FIRST_LINE, Recorder, RecordingState, replay
from companion.devices.serial_line import LineError
from companion.errors import CompanionError
from tests.devices.hubs import B, Host, Hub, relayed
from tests.devices.test_hub_faults import HELLO, READ, Script


def test_a_whole_evening_plays_again(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "evening")
    host, hub = Host(tmp_path, None, recorder), Hub(tmp_path)
    for number in range(3):
        host.until(lambda: host.port.condition.state.name == "PRESENT", hub, step_us=100_000)
        hub.write(b"rubbish" + relayed(number)[:9] + b"\0" + relayed(number) + b"half")
        host.until(lambda: len(host.packets()) == number + 1)  # noqa: B023 - used at once
        hub.unplug()
        hub = Hub(tmp_path, f"hub{number + 1}")
    host.port.close(host.now_us)
    recorder.close(host.now_us)
    hub.unplug()
    assert list(replay(tmp_path / "evening")) == host.heard
    assert len(host.packets()) == 3


@given(st.lists(st.tuples(READ, st.integers(0, 900_000)), max_size=30), st.booleans())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_anything_plays_again(
    tmp_path: Path, steps: list[tuple[bytes | LineError, int]], other: bool
) -> None:
    file = tmp_path / "anything"
    recorder, script, now_us = Recorder(file), Script(), 0
    heard: list[Heard] = []
    wanted = config.Hub(B.hex(":") if other else None)
    port = HubPort(wanted, heard.append, ports=script, recorder=recorder)
    for read, later_us in steps:
        script.reads.append(read)
        now_us += later_us
        port.pump(now_us)
    port.close(now_us)
    recorder.close(now_us)
    assert list(replay(file)) == heard


def test_the_format_is_as_documented(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "file")
    port = HubPort(config.Hub(), lambda _: None, ports=Script(HELLO), recorder=recorder)
    port.pump(12_000)
    port.close(99_000)
    recorder.close(99_000)
    first, opened, came, *went, closed = (tmp_path / "file").read_text().splitlines()
    assert first == "rappelwacht link 1"
    assert opened == "12000 open - /dev/ttyACM0"
    assert came == f"12000 in {HELLO.hex()}"
    assert [line.split()[:2] for line in went] == [["12000", "out"]]
    assert closed == "99000 close"


def test_a_torn_last_line_is_not_read(tmp_path: Path) -> None:
    text = f"{FIRST_LINE}1 open - /dev/x\n2 in {HELLO.hex()}\n3 in {relayed(1).hex()}\n"
    file = tmp_path / "torn"
    for end in range(len(FIRST_LINE), len(text) + 1):
        file.write_text(text[:end])
        assert len(list(replay(file))) == max(0, text[:end].count("\n") - 2)


@pytest.mark.parametrize("text", ["", "something else\n"])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "other"
    file.write_text(text)
    with pytest.raises(CompanionError, match="no recording"):
        list(replay(file))


def test_a_binary_or_missing_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\x00\xff")
    with pytest.raises(CompanionError, match="no recording"):
        list(replay(tmp_path / "binary"))
    with pytest.raises(CompanionError, match="No such file"):
        list(replay(tmp_path / "missing"))


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "damaged"
    file.write_text(f"{FIRST_LINE}1 open - /dev/x\n2 in xyz\n")
    with pytest.raises(CompanionError, match="line 3"):
        list(replay(file))


def test_a_recording_that_cannot_begin_is_told_and_stops_nothing(tmp_path: Path) -> None:
    heard: list[Condition] = []
    recorder = Recorder(tmp_path / "no folder" / "file", heard.append)
    recorder.came(1, b"x")
    recorder.close(2)
    assert [condition.state for condition in heard] == [RecordingState.BROKEN]
    assert "No such file" in str(heard[0])


def test_a_full_disk_ends_the_recording_and_nothing_else() -> None:
    heard: list[Condition] = []
    recorder = Recorder(Path("/dev/full"), heard.append)
    for at_us in range(1_000):
        recorder.came(at_us, bytes(100))
    recorder.close(1_000)
    assert [condition.state for condition in heard] == [
        RecordingState.RUNNING,
        RecordingState.BROKEN,
    ]
    assert "No space left" in str(heard[1])
