"""A recording of the link plays again into the very same messages."""

import gzip
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion import wire
from companion.devices import recording
from companion.devices.hub_discovery import HubMessage
from companion.devices.hub_port import HubPort
from companion.devices.recording import FIRST_LINE, NOTED_LINE, SECOND, Recorder, replay, replay_all
from companion.devices.serial_line import LineError
from companion.system import config
from companion.system.errors import CompanionError
from companion.system.status import Condition
from tests.devices.hubs import A, B, Host, Hub, relayed
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
    file.unlink(missing_ok=True)
    recorder, script, now_us = Recorder(file), Script(), 0
    heard: list[HubMessage] = []
    wanted = config.Hub(B.hex(":") if other else None)
    port = HubPort(wanted, heard.append, ports=script, recorder=recorder)
    for read, later_us in steps:
        script.reads.append(read)
        now_us += later_us
        port.tick(now_us)
    port.close(now_us)
    recorder.close(now_us)
    assert list(replay(file)) == heard


def test_the_format_is_as_documented(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "file")
    port = HubPort(config.Hub(), lambda _: None, ports=Script(HELLO), recorder=recorder)
    port.tick(12_000)
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
    with pytest.raises(CompanionError, match="not a recording"):
        list(replay(file))


def test_a_binary_or_missing_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\x00\xff")
    with pytest.raises(CompanionError, match="not a recording"):
        list(replay(tmp_path / "binary"))
    with pytest.raises(CompanionError, match="No such file"):
        list(replay(tmp_path / "missing"))


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "damaged"
    file.write_text(f"{FIRST_LINE}1 open - /dev/x\n2 in xyz\n")
    with pytest.raises(CompanionError, match="line 3"):
        list(replay(file))


DAMAGED = [
    "4 in 00", "-6 in 00", "+6 in 00", "6_0 in 00", "x in 00", "", "6", " 6 close", "6  close",
    f"{2**63} close", "9" * 5000 + " close", "6 inn 00", "6 IN 00", "6 x", "6 in", "6 in ",
    "6 in 0", "6 in 00 00", "6 in 00 ", "6 out", "6 out xy", "6 out 00 00", "6 close x", "6 open",
    "6 open -", "6 open - ", "6 close\r",
]  # fmt: skip


@pytest.mark.parametrize("line", DAMAGED)
def test_whatever_is_not_as_documented_is_damaged(tmp_path: Path, line: str) -> None:
    file = tmp_path / "damaged"
    file.write_text(f"{FIRST_LINE}5 open - /dev/x\n{line}\n{2**63 - 1} close\n", newline="\n")
    with pytest.raises(CompanionError, match="line 3: "):
        list(replay(file))


def test_the_latest_time_and_the_same_time_are_taken(tmp_path: Path) -> None:
    file = tmp_path / "late"
    hello = f"{2**63 - 1} in {HELLO.hex()}\n"
    file.write_text(f"{FIRST_LINE}{2**63 - 1} open - /dev/x\n{hello}{hello}")
    assert [heard.at_us for heard in replay(file)] == 2 * [2**63 - 1]


@pytest.mark.parametrize(("start", "fault"), [("", "not a recording"), (FIRST_LINE, "line 2")])
def test_an_endless_line_takes_no_memory(tmp_path: Path, start: str, fault: str) -> None:
    file = tmp_path / "endless"
    file.write_text(start)
    os.truncate(file, 50_000_000)
    tracemalloc.start()
    try:
        with pytest.raises(CompanionError, match=fault):
            list(replay(file))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 1_000_000


def test_the_longest_line_that_is_written_is_read(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "file")
    recorder.record_open(1, None, "/" + 4095 * "\xff")
    recorder.record_in(2, HELLO + bytes(4096 - len(HELLO)))
    recorder.close(3)
    assert len(list(replay(tmp_path / "file"))) == 1


@pytest.mark.parametrize("port", ["/dev/a b  c ", "/dev/a\nb", "/dev/ü", "/dev/\udcff", "/dev/\\n"])
def test_a_strange_name_of_a_port_does_no_damage(tmp_path: Path, port: str) -> None:
    recorder = Recorder(tmp_path / "file")
    recorder.record_open(1, None, port)
    recorder.record_in(2, HELLO)
    recorder.close(3)
    assert len(list(replay(tmp_path / "file"))) == 1


def test_a_recording_that_cannot_begin_is_told_and_stops_nothing(tmp_path: Path) -> None:
    heard: list[Condition] = []
    recorder = Recorder(tmp_path / "no folder" / "file", heard.append)
    recorder.record_in(1, b"x")
    recorder.close(2)
    assert [condition.state for condition in heard] == [recording.RecordingState.BROKEN]
    assert "No such file" in str(heard[0])


def test_a_full_disk_ends_the_recording_and_nothing_else() -> None:
    heard: list[Condition] = []
    recorder = Recorder(Path("/dev/full"), heard.append)
    for at_us in range(1_000):
        recorder.record_in(at_us, bytes(100))
    recorder.close(1_000)
    assert [condition.state for condition in heard] == [
        recording.RecordingState.RUNNING,
        recording.RecordingState.BROKEN,
    ]
    assert "No space left" in str(heard[1])


def test_every_line_is_in_the_file_at_once(tmp_path: Path) -> None:
    file = tmp_path / "file"
    recorder = Recorder(file)
    recorder.record_open(1, None, "/dev/x")
    recorder.record_in(2, HELLO)
    assert len(list(replay(file))) == 1  # as it would be found after kill -9
    recorder.close(3)


def test_no_other_file_is_overwritten(tmp_path: Path) -> None:
    heard: list[Condition] = []
    file, link = tmp_path / "precious", tmp_path / "link"
    file.write_text("an evening")
    link.symlink_to(file)
    for path in (file, link, tmp_path):
        recorder = Recorder(path, heard.append)
        recorder.record_in(1, b"x")
        recorder.close(2)
    assert file.read_text() == "an evening"
    assert [condition.state for condition in heard] == 3 * [recording.RecordingState.BROKEN]
    assert "File exists" in str(heard[0])


def test_a_device_may_be_there_already() -> None:
    recorder = Recorder(Path("/dev/null"))
    recorder.record_in(1, b"x")
    assert recorder.condition.state is recording.RecordingState.RUNNING
    recorder.close(2)


def test_notes_stand_between_the_messages_and_times_never_go_back(tmp_path: Path) -> None:
    file, pad = tmp_path / "noted", {"kind": "pad", "seat": "red", "closed": True, "at_us": 900}
    recorder = recording.start_recording(file, lambda _: None)
    recorder.record_open(1_000, None, "/dev/x")
    recorder.record_in(2_000, HELLO)
    recorder.record_note(1_500, pad | {"seat": "a name with spaces"})  # of a slower thread
    recorder.record_in(3_000, relayed(1))
    recorder.close(4_000)
    first, *_ = file.read_text().splitlines()
    assert first == "rappelwacht link 2"
    assert file.stat().st_mode & 0o077 == 0
    _, noted, last = replay_all(file)
    assert noted == recording.Note(2_000, pad | {"seat": "a name with spaces"})
    assert isinstance(last, HubMessage)
    assert len(list(replay(file))) == 2
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(file.read_bytes()))
    assert list(replay_all(packed)) == list(replay_all(file))
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(CompanionError, match=str(packed)):
        list(replay_all(packed))


def test_the_second_hubs_lines_have_a_2_and_come_by_the_clock_of_the_first(tmp_path: Path) -> None:
    file, damaged = tmp_path / "two", tmp_path / "damaged"
    recorder = recording.start_recording(file, lambda _: None, two_hubs=True)
    recorder.record_open(0, A.hex(":"), "/dev/x")
    recorder.record_open(0, B.hex(":"), "/dev/y", SECOND)
    recorder.record_in(1_000_007, HELLO)  # of 7 µs
    recorder.record_in(1_000_007, hello_of(B, 500_007)[:9], SECOND)
    recorder.record_in(1_400_000, relayed(400_000))
    recorder.record_in(1_500_000, hello_of(B, 500_007)[9:] + relayed(1_000_000), SECOND)
    recorder.record_out(1_500_000, b"x", SECOND)
    recorder.record_close(1_600_000, SECOND)
    recorder.close(1_600_000)
    text = file.read_text()
    assert text.startswith(recording.TWO_HUBS_LINE)
    lines = text.splitlines()
    words = [line.split()[1] for line in lines[1:]]
    assert words == ["open", "open2", "in", "in2", "in", "in2", "out2", "close2"]
    first, mine, others = replay(file)
    assert (first.said.name, mine.said.time_us) == ("HUB_HELLO", 400_000)
    assert (others.at_us, others.said.time_us) == (1_500_000, 500_000)  # at once, by the first
    for line, beginning in (("note2 {}", recording.TWO_HUBS_LINE), ("in2 00", NOTED_LINE)):
        damaged.write_text(f"{beginning}5 {line}\n")
        with pytest.raises(CompanionError, match="line 2: this is damaged"):
            list(replay(damaged))


@pytest.mark.parametrize("note", ["{", "3", "", '"x"', "[" * 100_000])
def test_a_damaged_note_is_told_by_its_line(tmp_path: Path, note: str) -> None:
    file = tmp_path / "damaged"
    file.write_text(f"{NOTED_LINE}5 note {note}\n")
    with pytest.raises(CompanionError, match="line 2: this is damaged"):
        list(replay_all(file))


def hello_of(hub: bytes, at_us: int) -> bytes:
    """Return a frame in which a hub says who it is."""
    dictionary = wire.DICTIONARY_HASH
    return wire.say("HUB_HELLO", at_us, hub=hub, boot=1, firmware=256, dictionary=dictionary)


def many(write: Callable[[int], None]) -> None:
    for one in range(300):
        write(one)


def test_threads_that_write_at_once_tear_no_line(tmp_path: Path) -> None:
    recorder = recording.start_recording(tmp_path / "both", lambda _: None)
    recorder.record_open(0, None, "/dev/x")
    threads = [
        Thread(target=many, args=(lambda one: recorder.record_note(one, {"kind": "x"}),)),
        Thread(target=many, args=(lambda one: recorder.record_in(one, relayed(1)),)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    recorder.close(300)
    notes = [one for one in replay_all(tmp_path / "both") if isinstance(one, recording.Note)]
    assert len(notes) == 300


def test_a_recording_that_cannot_begin_is_told_at_once() -> None:
    with pytest.raises(CompanionError, match="cannot be written"):
        recording.start_recording(Path("/dev/full"), lambda _: None)
