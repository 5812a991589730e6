"""The hub between a radio and a line: nothing waits, what is lost is counted, and order is kept."""

from typing import Any

import pytest

from companion import wire
from hardware.emulated.bench import HUB, KEY, NODE, Flash
from hardware.emulated.source import load

hub_source = load("hub.hub")
queue_source = load("hub.queue")


class Air:
    """A radio in a test's hands."""

    def __init__(self) -> None:
        self.sent: list[tuple[bytes, bytes]] = []
        self.inbox: list[tuple[bytes, bytes, int]] = []
        self.full = False
        self.channel = 0

    def send(self, to: bytes, data: bytes) -> bool:
        """Take a packet."""
        if self.full:
            raise OSError(12)
        self.sent.append((to, data))
        return True

    def receive(self) -> tuple[bytes, bytes, int] | None:
        """Hand one over."""
        return self.inbox.pop(0) if self.inbox else None


class Usb:
    """A line whose other end takes as much as it likes."""

    def __init__(self) -> None:
        self.to_hub = b""
        self.written = b""
        self.room = 1 << 30

    def read(self) -> bytes:
        """Return what the host said."""
        said, self.to_hub = self.to_hub, b""
        return said

    def write(self, data: bytes) -> int:
        """Take as much as there is room for."""
        taken = data[: self.room]
        self.room -= len(taken)
        self.written += taken
        return len(taken)


class Bench:
    """A hub, a stopper's seal and a host's ear."""

    def __init__(self, flash: Flash | None = None, unique_id: bytes = HUB) -> None:
        self.radio, self.usb, self.flash = Air(), Usb(), Flash() if flash is None else flash
        self.unique_id = unique_id
        self.now_us, self.resets = 0, 0
        self.hub: Any = hub_source.Hub(self)
        self.line = wire.Line(wire.FROM_HUB)
        self.seal = wire.Seal(KEY, NODE, 1)
        self.heard: list[Any] = []

    def ticks_us(self) -> int:
        """Return the time."""
        return self.now_us & ((1 << 30) - 1)

    def reset(self) -> None:
        """Note that it would start over now."""
        self.resets += 1

    def run(self, milliseconds: int) -> list[Any]:
        """Let time pass; return what the host hears meanwhile."""
        until_us = self.now_us + milliseconds * 1000
        heard = []
        while self.now_us < until_us:
            self.now_us += 1000 * int(self.hub.step())
            heard += self.line.hear(self.usb.written)
            self.usb.written = b""
        self.heard += heard
        return heard

    def arrive(self, name: str, **fields: Any) -> bytes:
        """Let a packet of the stopper come through the air."""
        packet = self.seal.packet(name, self.now_us, **fields)
        self.radio.inbox.append((NODE, packet, -61))
        return packet

    def relay(self, packet: bytes) -> None:
        """Let the host send a packet to the stopper."""
        self.usb.to_hub += wire.say("RELAY", 0, packet=packet)

    def to_stopper(self) -> list[bytes]:
        """Return what went to the stopper, beacons aside."""
        return [d for to, d in self.radio.sent if to == NODE and d[1] >> 6 == wire.DOWN]


def zeros(name: str) -> dict[str, int]:
    """Return a message's fields, all 0."""
    return {field: 0 for field, _ in wire.NAMED[name].limits}


def names(heard: list[Any]) -> list[str]:
    """Return the names of what was heard."""
    return [said.name for said in heard]


def test_it_introduces_itself_and_beacons_each_second() -> None:
    bench = Bench()
    heard = bench.run(5000)
    assert names(heard)[:3] == ["HUB_HELLO", "BEACON", "HUB_STATUS"]
    assert names(heard).count("BEACON") == 5
    assert heard[0].fields.hub == HUB
    assert heard[0].fields.dictionary == wire.DICTIONARY_HASH
    beacons = [packet for to, packet in bench.radio.sent if to == b"\xff" * 6]
    assert len(beacons) == 5
    gate = wire.Gate(wire.OPEN_KEY, HUB, wire.FROM_HUB)
    opened = [gate.open(packet) for packet in beacons]
    assert all(isinstance(frame, wire.Frame) and frame.name == "BEACON" for frame in opened)


def test_its_boots_are_counted_and_its_channel_is_kept() -> None:
    flash = Flash()
    first = Bench(flash)
    first.usb.to_hub += wire.say("HUB_CHANNEL", 0, channel=6) + wire.say(
        "HUB_CHANNEL", 0, channel=99
    )
    first.run(10)
    assert first.radio.channel == 6
    second = Bench(flash)
    heard = second.run(10)
    assert heard[0].fields.boot == 2
    assert second.radio.channel == 6
    assert heard[1].fields.channel == 6


def test_a_packet_is_relayed_as_it_came_with_time_and_strength() -> None:
    bench = Bench()
    bench.run(100)
    packet = bench.arrive("LIFT", event=1, at_us=5, load_mg=26000, blind_ms=0)
    bench.radio.inbox.append((NODE, b"noise", -90))
    (said,) = bench.run(10)
    assert (said.name, said.fields.packet, said.fields.rssi) == ("RELAYED", packet, -61)
    assert said.time_us == pytest.approx(100_000, abs=2000)


def test_another_hubs_beacon_is_no_stoppers_packet() -> None:
    bench, other = Bench(), wire.Seal(wire.OPEN_KEY, b"hub-02", 1)
    bench.run(100)
    beacon = other.packet("BEACON", 0, hub=b"hub-02", channel=1)
    bench.radio.inbox.append((b"hub-02", beacon, -40))
    assert names(bench.run(100)) == []


def test_a_command_goes_out_at_once_and_again_when_the_stopper_is_heard() -> None:
    bench = Bench()
    bench.run(100)
    down = wire.Seal(KEY, NODE, 1)
    ack = down.packet("ACK", 0, event=1)
    bench.relay(ack)
    bench.run(10)
    assert bench.to_stopper() == [ack]  # perhaps it sleeps
    bench.run(500)
    bench.arrive("HEARTBEAT", **zeros("HEARTBEAT"))
    bench.run(10)
    assert bench.to_stopper() == [ack, ack]  # it listens now
    another = down.packet("ACK", 0, event=2)
    bench.relay(another)
    bench.run(2000)
    assert bench.to_stopper() == [ack, ack, another]  # it was heard just before: once is enough


def test_a_heartbeat_is_answered_with_a_beacon_so_that_a_sleeper_knows_its_hub() -> None:
    bench = Bench()
    bench.run(100)
    bench.radio.sent.clear()
    bench.arrive("HEARTBEAT", **zeros("HEARTBEAT"))
    bench.run(4)
    assert [to for to, _ in bench.radio.sent] == [NODE]


def test_a_slow_host_loses_features_first_and_never_the_order() -> None:
    bench = Bench()
    bench.run(100)
    bench.usb.room = 0
    events = 0
    for number in range(200):
        if number % 10 == 0:
            bench.arrive("LIFT", event=number, at_us=number, load_mg=0, blind_ms=0)
            events += 1
        else:
            bench.arrive("FEATURES", **zeros("FEATURES"))
        bench.run(20)
    bench.usb.room = 1 << 30
    gate = wire.Gate(KEY, NODE, wire.UP)
    relayed = [gate.open(s.fields.packet) for s in bench.run(100) if s.name == "RELAYED"]
    assert all(isinstance(frame, wire.Frame) for frame in relayed)  # none overtook another
    kept = [frame.name for frame in relayed if isinstance(frame, wire.Frame)]
    assert kept.count("LIFT") == events
    assert len(kept) < 200
    status = next(s for s in bench.run(10_000) if s.name == "HUB_STATUS")
    beacons = status.fields.up_drops - (200 - len(kept))  # they are as expendable
    assert 0 < beacons <= 4


def test_when_all_that_waits_are_events_the_newest_stay() -> None:
    queue = queue_source.Queue(3)
    for number in range(5):
        queue.put(bytes((number,)), False)
    queue.put(b"features", True)
    out: list[bytes] = []

    def write(data: bytes) -> int:
        out.append(data)
        return len(data)

    queue.pump(write)
    assert out == [bytes((3,)), bytes((4,)), b"features"]
    assert queue.drops == 3
    assert len(queue) == 0


@pytest.mark.parametrize("room", [1, 3, 7, 64])
def test_a_frame_may_be_taken_in_pieces(room: int) -> None:
    bench = Bench()
    heard: list[Any] = []
    packet = bench.arrive("LIFT", event=1, at_us=5, load_mg=26000, blind_ms=0)
    for _ in range(400):
        bench.usb.room = room
        heard += bench.run(2)
    assert [s.fields.packet for s in heard if s.name == "RELAYED"] == [packet]
    assert not any(bench.line.losses.values())


def test_garbage_from_the_host_is_counted_and_forgotten() -> None:
    bench = Bench()
    bench.run(100)
    bench.usb.to_hub = b"\x07\xff" * 3000 + b"\0" + wire.say("HUB_HELLO_REQUEST", 0)
    bench.relay(b"abc")
    assert "HUB_HELLO" in names(bench.run(20))
    status = next(s for s in bench.run(12_000) if s.name == "HUB_STATUS")
    assert status.fields.line_losses == 1
    assert not bench.to_stopper()


def test_a_full_radio_and_a_full_mailbox_are_counted() -> None:
    bench = Bench()
    bench.run(100)
    bench.radio.full = True
    down = wire.Seal(KEY, NODE, 1)
    for event in range(10):
        bench.relay(down.packet("ACK", 0, event=event))
        bench.run(10)
    bench.radio.full = False
    bench.arrive("LIFT", event=1, at_us=5, load_mg=26000, blind_ms=0)
    bench.run(10)
    gate = wire.Gate(KEY, NODE, wire.DOWN, 1)
    events = [gate.open(packet) for packet in bench.to_stopper()]
    assert [frame.fields.event for frame in events if isinstance(frame, wire.Frame)] == [6, 7, 8, 9]
    status = next(s for s in bench.run(12_000) if s.name == "HUB_STATUS")
    assert status.fields.down_drops == 6
    assert status.fields.unsent == 10
    assert status.fields.uptime_s >= 9


def test_a_radio_that_takes_nothing_any_more_is_started_over_and_the_next_boot_says_why() -> None:
    bench = Bench()
    bench.run(100)
    down, event = wire.Seal(KEY, NODE, 1), 0

    def refuse(seconds: float, packets: int) -> None:
        nonlocal event
        bench.radio.full = True
        for _ in range(packets):
            event += 1
            bench.relay(down.packet("ACK", 0, event=event))
            bench.run(round(1000 * seconds / packets))

    refuse(1.0, 100)  # a moment in which its queue is full
    bench.radio.full = False
    bench.run(2000)
    refuse(8.0, 8)  # too few in a row, with a beacon each second
    bench.radio.full = False
    bench.run(1500)
    assert bench.resets == 0
    refuse(3.0, 30)
    assert bench.resets == 1
    reborn = Bench(bench.flash)
    reborn.hub.step()
    assert b"the radio took nothing" in reborn.usb.written
    assert names(reborn.run(10))[:1] in (["HUB_HELLO"], [])


def test_the_mailbox_has_room_for_as_many_stoppers_as_the_radio() -> None:
    mailbox = load("hub.mailbox").Mailbox()
    for node in range(30):
        mailbox.put(bytes((node,)) * 6, b"packet", 0)
        mailbox.heard(bytes((node + 100,)) * 6, 0)
    assert mailbox.drops == 10  # those unheard for the longest
    assert not mailbox.heard(bytes(6), 1)
    assert mailbox.heard(bytes((29,)) * 6, 1) == [b"packet"]


def test_strangers_take_no_box_from_our_stoppers() -> None:
    mailbox = load("hub.mailbox").Mailbox()
    for stranger in range(20):
        mailbox.heard(bytes((100 + stranger,)) * 6, stranger)
    ours = [bytes((number,)) * 6 for number in range(13)]
    for node in ours:
        mailbox.put(node, b"first", 1000)
    for stranger in range(100):
        mailbox.heard(bytes((150 + stranger,)) * 6, 1000 + stranger)
    assert [mailbox.heard(node, 2000) for node in ours] == [[b"first"]] * 13
    assert mailbox.drops == 0
    mailbox.put(bytes((249,)) * 6, b"it listens", 1110)  # the last stranger has a box yet
    assert not mailbox.heard(bytes((249,)) * 6, 3000)


def test_the_stopper_unheard_for_the_longest_gives_way() -> None:
    mailbox = load("hub.mailbox").Mailbox()
    nodes = [bytes((number,)) * 6 for number in range(21)]
    for node in nodes[:20]:
        mailbox.put(node, b"held", 0)
    mailbox.heard(nodes[0], 100)
    mailbox.put(nodes[20], b"held", 200)
    mailbox.put(nodes[0], b"held", 200)
    held = [len(mailbox.heard(node, 300)) for node in nodes]
    assert held == [1, 0] + [1] * 19
    assert mailbox.drops == 1
