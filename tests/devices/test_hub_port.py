"""The hub port through the real pyserial on pseudo-terminals, where anything may happen."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import wire
from companion.devices.hub_discovery import HubState
from companion.devices.hub_port import UNSENT, HubPort
from companion.devices.serial_line import SerialPorts
from companion.system import config
from tests.devices.hubs import MS, A, B, Host, Hub, relayed

S = 1_000_000


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    host = Host(tmp_path)
    yield host
    host.port.close(host.now_us)
    assert host.port.fileno() is None
    assert host.states()[-1] is HubState.OFF


@pytest.fixture
def hub(host: Host, tmp_path: Path) -> Hub:
    hub = Hub(tmp_path)
    host.until(lambda: host.port.condition.state is HubState.PRESENT, hub)
    return hub


def present(host: Host) -> bool:
    return host.port.condition.state is HubState.PRESENT


def test_without_any_port_the_host_says_what_to_do(host: Host) -> None:
    host.run(10 * S)
    assert host.states() == [HubState.SEARCHING]
    assert host.port.fileno() is None


def test_the_hub_is_asked_and_found(host: Host, hub: Hub) -> None:
    assert host.states() == [HubState.ASKING, HubState.PRESENT]
    assert str(host.conditions[-1]) == f"The hub {A.hex(':')} is at {hub.link}."
    assert host.names() == ["HUB_HELLO"]


def test_a_hub_that_says_hello_by_itself_is_found(host: Host, tmp_path: Path) -> None:
    hub = Hub(tmp_path)
    host.pump()
    hub.write(wire.say("BEACON", 1, hub=A, channel=6))
    host.until(lambda: present(host))
    assert host.names() == ["BEACON"]


def test_messages_bear_the_time_of_their_arrival(host: Host, hub: Hub) -> None:
    hub.write(relayed(1))
    host.now_us += 123
    host.until(host.packets)
    assert host.heard[-1].at_us == host.now_us


def test_what_comes_before_the_id_is_not_believed(host: Host, tmp_path: Path) -> None:
    hub = Hub(tmp_path)
    host.pump()
    hub.write(relayed(1))
    hub.hello()
    hub.write(relayed(2))
    host.until(host.packets)
    assert host.packets() == [b"packet \0 2"]


def test_the_hub_is_bound_by_its_id_not_by_its_port(tmp_path: Path) -> None:
    host = Host(tmp_path, wanted=B.hex(":").upper())
    stranger, other, ours = Hub(tmp_path, "hub0", None), Hub(tmp_path, "hub1", A), Hub(
        tmp_path, "hub2", B
    )  # fmt: skip
    host.until(lambda: present(host), stranger, other, ours, step_us=50 * MS)
    assert str(ours.link) in str(host.port.condition)
    assert stranger.asked >= 3
    host.port.close(host.now_us)


def test_another_tables_hub_is_named(tmp_path: Path) -> None:
    host, hub = Host(tmp_path, wanted=B.hex(":")), Hub(tmp_path)
    host.until(lambda: host.port.condition.state is HubState.OTHER, hub)
    assert A.hex(":") in str(host.port.condition)
    assert B.hex(":") in str(host.port.condition)
    host.port.close(host.now_us)


def test_a_hub_that_comes_back_as_another_one_is_not_taken(tmp_path: Path) -> None:
    host, hub = Host(tmp_path, wanted=A.hex(":")), Hub(tmp_path)
    host.until(lambda: present(host), hub)
    hub.address = B
    hub.hello()
    host.until(lambda: host.port.condition.state is HubState.OTHER)
    hub.write(relayed(1))
    host.run(1 * S)
    assert not host.packets()
    host.port.close(host.now_us)


FRAME = relayed(1)


@pytest.mark.parametrize("cut", range(len(FRAME) + 1))
def test_unplugging_at_any_byte_and_coming_back_under_another_name(
    host: Host, hub: Hub, tmp_path: Path, cut: int
) -> None:
    hub.write(relayed(0) + FRAME[:cut])
    host.until(host.packets)
    whole = cut == len(FRAME)
    host.until(lambda: len(host.packets()) == 1 + whole)
    hub.unplug()
    host.until(lambda: host.port.condition.state is HubState.UNPLUGGED)
    assert str(hub.link) in str(host.port.condition)
    again = Hub(tmp_path, f"hub{cut + 1}")
    host.until(lambda: present(host), again, step_us=300 * MS)
    again.write(relayed(2))
    host.until(lambda: host.packets()[-1] == b"packet \0 2")
    assert len(host.packets()) == 2 + whole
    again.unplug()


def test_unplugged_is_still_said_beside_a_stranger(host: Host, hub: Hub, tmp_path: Path) -> None:
    Hub(tmp_path, "hub7", None)
    hub.unplug()
    host.run(20 * S)
    assert host.states()[-1] is HubState.UNPLUGGED


def test_a_new_name_while_it_is_open_changes_nothing(host: Host, hub: Hub, tmp_path: Path) -> None:
    hub.link = hub.link.rename(tmp_path / "hub9")
    hub.write(relayed(1))
    host.until(host.packets)
    assert present(host)


def test_a_silent_hub_is_asked_then_told_of_within_three_seconds(host: Host, hub: Hub) -> None:
    since_us, asked = host.now_us, hub.asked
    hub.address = None
    host.until(lambda: not present(host), hub, step_us=10 * MS)
    assert host.states()[-1] is HubState.SILENT
    assert host.now_us - since_us < 3 * S
    assert hub.asked > asked


def test_a_quiet_hub_that_answers_is_not_silent(host: Host, hub: Hub) -> None:
    host.until(lambda: host.now_us > 30 * S, hub, step_us=20 * MS)
    assert host.states()[-1] is HubState.PRESENT
    assert len(host.states()) == 2


def test_a_silent_hub_that_speaks_again_is_present_at_once(host: Host, hub: Hub) -> None:
    hub.address = None
    host.run(5 * S, hub)
    assert host.states()[-1] is HubState.SILENT
    hub.write(relayed(1))
    host.until(lambda: present(host))


def test_a_silent_hub_is_opened_again_and_found_when_it_wakes(host: Host, hub: Hub) -> None:
    hub.address = None
    host.run(30 * S, hub)
    assert host.states()[-1] is HubState.SILENT
    hub.address = A
    host.until(lambda: present(host), hub, step_us=20 * MS)


def test_a_hub_that_talks_rubbish_is_told_of_and_recovers(host: Host, hub: Hub) -> None:
    for _ in range(300):
        hub.write(b"\x05rubbish\0\xff\xff")
        host.until(lambda: True, step_us=10 * MS)
    assert host.states()[-1] is HubState.GARBLED
    hub.write(b"\0" + relayed(1))
    host.until(lambda: present(host))
    assert host.packets() == [b"packet \0 1"]
    assert sum(host.port.losses.values()) > 100


def test_frames_arrive_byte_by_byte(host: Host, hub: Hub) -> None:
    for byte in relayed(1) + relayed(2):
        hub.write(bytes((byte,)))
        host.pump()
    host.until(lambda: len(host.packets()) == 2)


def test_a_stranger_is_asked_ever_more_rarely_and_then_told_of(host: Host, tmp_path: Path) -> None:
    stranger = Hub(tmp_path, address=None)
    host.run(60 * S, stranger)
    assert host.states() == [HubState.ASKING, HubState.STRANGER]
    assert stranger.asked < 40


def test_a_hub_of_another_version_is_told_of(host: Host, tmp_path: Path) -> None:
    hub = Hub(tmp_path, address=None)
    host.pump()
    hub.write(wire.encode(bytes((wire.VERSION + 1, 1, 2, 3))))
    host.until(lambda: host.port.condition.state is HubState.FOREIGN)
    assert f"version {wire.VERSION + 1} " in str(host.port.condition)


HOLD = """
import serial, sys
port = serial.Serial(sys.argv[1], exclusive=True)
print("held", flush=True)
sys.stdin.read()
"""


def test_a_port_of_another_process_is_told_of_and_taken_later(host: Host, tmp_path: Path) -> None:
    hub = Hub(tmp_path)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(hub.link)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == b"held\n"
        host.run(3 * S, hub)
        assert host.states() == [HubState.BUSY]
        assert str(hub.link) in str(host.port.condition)
        holder.stdin.close()
    host.until(lambda: present(host), hub, step_us=100 * MS)


def test_while_the_port_is_ours_another_process_does_not_get_it(host: Host, hub: Hub) -> None:
    asked = subprocess.run(
        [sys.executable, "-c", HOLD, str(hub.link)],
        check=False,
        capture_output=True,
        stdin=subprocess.DEVNULL,
    )
    assert b"lock port" in asked.stderr
    assert present(host)


def test_something_that_is_not_a_port_is_told_of(host: Host, tmp_path: Path) -> None:
    (tmp_path / "hub0").write_text("a file")
    host.run(1 * S)
    assert host.states() == [HubState.UNFIT]


def test_a_link_to_itself_is_told_of_and_hides_no_hub(host: Host, tmp_path: Path) -> None:
    (tmp_path / "hub0").symlink_to("hub0")
    host.run(1 * S)
    assert host.states() == [HubState.UNFIT]
    hub = Hub(tmp_path, "hub1")
    host.until(lambda: present(host), hub, step_us=50 * MS)


@pytest.mark.parametrize(
    "pattern", ["/dev/a**b", "/", "//", "/.", "/./", "", "/a\0", "/" + 5000 * "a"]
)
def test_a_wrong_pattern_finds_nothing_and_hides_nothing(pattern: str, tmp_path: Path) -> None:
    (tmp_path / "hub0").touch()
    assert SerialPorts().find([pattern, f"/{tmp_path}/./hub*"]) == [str(tmp_path / "hub0")]
    port = HubPort(config.Hub(None, (pattern,)), lambda _: None)
    port.tick(0)
    assert port.condition.state is HubState.SEARCHING


def test_two_names_of_one_port_are_one_port(host: Host, hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "hub-by-id").symlink_to(hub.link)
    hub.unplug()
    (tmp_path / "hub-by-id").unlink()
    host.run(1 * S)
    assert host.states()[-1] is HubState.UNPLUGGED


def test_commands_reach_the_hub_whole_and_in_order(host: Host, hub: Hub) -> None:
    for channel in range(1, 14):
        assert host.port.send(wire.say("HUB_CHANNEL", 1, channel=channel))
    taken: list[int] = []

    def all_there() -> bool:
        taken.extend(s.fields.channel for s in hub.answer() if s.name == "HUB_CHANNEL")
        return len(taken) == 13

    host.until(all_there)
    assert taken == list(range(1, 14))


def test_a_hub_that_does_not_read_never_holds_us_up(host: Host, hub: Hub) -> None:
    frame = wire.say("RELAY", 1, packet=bytes(200))
    sent = 0
    while host.port.send(frame):
        sent += 1
        host.pump()
    assert sent * len(frame) < 2 * UNSENT + 65_536
    hub.write(relayed(1))
    host.until(host.packets)
    while not host.port.send(frame):
        hub.answer()
        host.pump()


def test_without_a_hub_nothing_is_taken(host: Host) -> None:
    assert not host.port.send(b"x")


def test_a_flood_is_taken_in_bites(host: Host, hub: Hub) -> None:
    for number in range(1, 400):
        frame = relayed(number)
        while frame:
            frame = frame[hub.write(frame) :]
            if frame:
                host.until(lambda: True)
    host.until(lambda: len(host.packets()) == 399)


def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(5):
        host, hub = Host(tmp_path), Hub(tmp_path)
        host.until(lambda: present(host), hub)  # noqa: B023 - used at once
        hub.unplug()
        host.run(1 * S)
        host.port.close(host.now_us)
    assert len(list(Path("/proc/self/fd").iterdir())) == before
