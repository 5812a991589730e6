"""Two hubs: each is known by its id, what either hears comes, and by one clock."""

import queue
import time
from collections.abc import Callable
from pathlib import Path

from companion import wire
from companion.devices.hub_discovery import ClockOffset, HubMessage, HubState
from companion.devices.second_hub import Hubs, SecondHubState
from companion.devices.serial_line import SerialPorts
from companion.system import config
from companion.system.status import Condition, Status
from tests.devices.hubs import A, B, Hub

WAIT_S = 60.0  # for whatever must come; a busy machine is slow


class Table:
    """Two hubs on pseudo-terminals, and a host that plays with both."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.heard: queue.SimpleQueue[HubMessage] = queue.SimpleQueue()
        self.states: list[Status] = []
        self.plugged = [Hub(folder, "hub0", B), Hub(folder, "hub1", A)]
        wanted = config.Hub(A.hex(":"), (str(folder / "hub*"),), B.hex(":"), 6)
        started = time.monotonic_ns()
        self.hubs = Hubs(
            wanted,
            self.heard.put,
            self._report,
            SerialPorts(),
            lambda: (time.monotonic_ns() - started) // 1000,
        )

    def _report(self, condition: Condition) -> None:
        self.states.append(condition.state)

    def until(self, true: Callable[[], object]) -> list[wire.Said]:
        """Let the hubs answer until it is true; return what the host said to them."""
        said, end_s = list[wire.Said](), time.monotonic() + WAIT_S
        while not true():
            for hub in self.plugged:
                said += hub.answer()
            assert time.monotonic() < end_s, (self.states, self.hubs.conditions)
            time.sleep(0)
        return said

    def are(self, first: Status, second: Status) -> bool:
        """Return whether both are so."""
        return [one.state for one in self.hubs.conditions] == [first, second]


def packet(number: int) -> bytes:
    """Return a packet that can be told from others."""
    return b"packet %d" % number


def relayed(number: int, at_us: int) -> bytes:
    """Return a frame in which a hub says that it heard one."""
    return wire.say("RELAYED", at_us, rssi=-50, packet=packet(number))


def test_each_is_found_at_its_port_and_what_either_hears_comes_by_the_first_ones_clock(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path)
    second, first = table.plugged
    with table.hubs:
        table.until(lambda: table.are(HubState.PRESENT, SecondHubState.PRESENT))
        hellos = []
        while not table.heard.empty():
            hellos.append(table.heard.get())
        assert {bytes(one.said.fields.hub) for one in hellos} == {A}  # the second's are no news
        first.write(relayed(1, 5_000_000))
        one = table.heard.get(timeout=WAIT_S)
        second.write(relayed(2, 77_000_000))
        two = table.heard.get(timeout=WAIT_S)
        assert (one.said.fields.packet, two.said.fields.packet) == (packet(1), packet(2))
        later_us = two.said.time_us - one.said.time_us  # though its clock is 72 s ahead
        assert abs(later_us - (two.at_us - one.at_us)) < 10_000
        assert second.write(wire.say("BEACON", 78_000_000, hub=B, channel=1))
        assert table.hubs.send(wire.say("RELAY", 1, packet=b"ack"))
        assert table.heard.empty()
    assert table.are(HubState.OFF, SecondHubState.PRESENT)


def test_both_are_put_on_the_channel_that_is_wanted(tmp_path: Path) -> None:
    table = Table(tmp_path)
    tuned: list[int] = []
    with table.hubs:
        table.until(lambda: table.are(HubState.PRESENT, SecondHubState.PRESENT))
        for hub, address in zip(table.plugged, (B, A), strict=True):
            hub.write(wire.say("BEACON", 8, hub=address, channel=6))
            hub.write(wire.say("BEACON", 9, hub=address, channel=1))

        def each_was_told() -> bool:
            for hub in table.plugged:
                tuned.extend(
                    one.fields.channel for one in hub.answer() if one.name == "HUB_CHANNEL"
                )
            return len(tuned) == 2

        end_s = time.monotonic() + WAIT_S
        while not each_was_told():
            assert time.monotonic() < end_s
    assert tuned == [6, 6]


def test_without_the_first_commands_go_by_the_second_and_no_port_is_said_to_be_taken(
    tmp_path: Path,
) -> None:
    table = Table(tmp_path)
    second, first = table.plugged
    with table.hubs:
        table.until(lambda: table.are(HubState.PRESENT, SecondHubState.PRESENT))
        table.plugged.remove(first)
        first.unplug()
        table.until(lambda: table.are(HubState.UNPLUGGED, SecondHubState.PRESENT))
        assert table.hubs.send(wire.say("RELAY", 1, packet=b"ack"))
        end_s, said = time.monotonic() + WAIT_S, list[str]()
        while "RELAY" not in said:
            said += [one.name for one in second.answer()]
            assert time.monotonic() < end_s
        second.write(relayed(3, 9_000_000))
        while table.heard.get(timeout=WAIT_S).said.name != "RELAYED":
            pass
        table.plugged.remove(second)
        second.unplug()
        table.until(lambda: table.are(HubState.UNPLUGGED, SecondHubState.ABSENT))
        assert not table.hubs.send(wire.say("RELAY", 1, packet=b"ack"))
    assert HubState.BUSY not in table.states
    assert HubState.OTHER not in table.states[table.states.index(HubState.PRESENT) :]


def test_a_table_with_one_hub_has_no_other(tmp_path: Path) -> None:
    hubs = Hubs(config.Hub(None, (str(tmp_path / "hub*"),)), print, print, SerialPorts(), lambda: 0)
    assert (hubs.second, len(hubs.conditions)) == (None, 1)


def test_an_offset_follows_a_clock_that_goes_slower_for_an_hour() -> None:
    offset = ClockOffset()
    for at_s in range(3600):
        late_us = 300 if at_s % 7 else 20_000
        us = offset.take(1_000_000 * at_s + late_us, 1_000_000 * at_s - 40 * at_s)
        if at_s > 60:
            assert abs(us - 40 * at_s - 300) < 40 * 62
