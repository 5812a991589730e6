"""A stopper among other people's hubs: it finds its own, and nothing it has to tell is lost."""

from itertools import pairwise

import pytest

from companion import wire
from companion.sensing.receiver import further_events
from hardware.emulated.bench import HUB, KEY, NODE, Board, Flash, Script
from hardware.emulated.source import load
from hardware.emulated.test_hub import Bench

BROADCAST = b"\xff" * 6
OTHER = bytes.fromhex("7cdfa10000fe")
BEACON_BYTES = bytes((wire.VERSION, wire.FROM_HUB << 6))  # as little as looks like one


class Tables:
    """One stopper within reach of several hubs; the host at one of them has its key."""

    def __init__(self, script: Script) -> None:
        self.board = Board(script)
        self.board.radio.acknowledges = False
        self.hubs = [Bench(), Bench(unique_id=OTHER)]
        self.ours: Bench = self.hubs[0]
        self.gate = wire.Gate(KEY, NODE, wire.UP)
        self.seal = wire.Seal(KEY, NODE, 1)
        self.heard: list[wire.Frame] = []
        self._sent = 0

    def run(self, until_us: int) -> None:
        """Let time pass."""
        board = self.board
        if board.stopper is None:
            board.boot()
        while board.now_us < until_us:
            wait_ms = int(board.stopper.step())
            for hub in self.hubs:
                self._hub(hub, wait_ms)
            self._sent = len(board.radio.sent)
            board.now_us += 1000 * wait_ms

    def _hub(self, hub: Bench, wait_ms: int) -> None:
        for to, packet in self.board.radio.sent[self._sent :]:
            if to in (hub.unique_id, BROADCAST):
                hub.radio.inbox.append((NODE, packet, -60))
        for said in hub.run(wait_ms):
            if said.name == "RELAYED" and hub is self.ours:
                first = self.gate.open(said.fields.packet)
                assert isinstance(first, wire.Frame)
                for frame in (first, *further_events(first, said.fields.packet)):
                    self.heard.append(frame)
                    if "event" in frame.fields._fields:
                        hub.relay(self.seal.packet("ACK", 0, event=frame.fields.event))
        for to, packet in hub.radio.sent:
            if to in (NODE, BROADCAST):
                self.board.radio.inbox.append((hub.unique_id, packet, -60))
        hub.radio.sent.clear()

    def names(self) -> list[str]:
        """Return the names of the events that the host heard, each once."""
        events = {f.fields.event: f.name for f in self.heard if "event" in f.fields._fields}
        return [name for _, name in sorted(events.items())]

    def unheard(self) -> int:
        """Return how many events were given up."""
        return int(self.board.link.unheard)


def test_with_a_second_table_in_the_room_no_event_is_lost() -> None:
    script = Script().stand(3)
    for _ in range(5):
        script.hold(1).hold(1, 80).hold(1).stand(2)
    tables = Tables(script)
    tables.run(script.end_us)
    assert tables.names() == ["STILL"] + ["LIFT", "TILT", "UPRIGHT", "SET", "STILL"] * 5
    assert tables.unheard() == 0
    assert not [frame for frame in tables.heard if frame.flags & wire.RESENT]


def test_a_rogue_that_only_looks_like_a_hub_takes_no_stopper_away() -> None:
    board = Board(Script().stand(3).hold(1).stand(3))
    while board.now_us < board.script.end_us:
        board.radio.inbox.append((OTHER, BEACON_BYTES, -20))
        board.run(board.now_us + 1000)
    sent = board.radio.sent
    assert {to for to, _ in sent} == {BROADCAST, HUB}
    first = next(at for at, (to, _) in enumerate(sent) if to == HUB)
    assert {to for to, _ in sent[first:]} == {HUB}
    assert board.link.rssi == -50


def test_an_event_that_its_hub_does_not_acknowledge_goes_to_everybody_and_to_it_in_turn() -> None:
    board = Board(Script().stand(5).hold(3)).run(4_900_000)
    board.radio.acknowledges = False
    board.run(7_500_000)
    tries = [to for to, packet in board.radio.sent if packet[1] == wire.NAMED["LIFT"].number]
    assert len(tries) > 12
    assert tries == [HUB, BROADCAST] * (len(tries) // 2) + [HUB] * (len(tries) % 2)


@pytest.mark.slow
def test_a_hub_that_takes_the_place_of_another_is_found_without_any_event() -> None:
    tables = Tables(Script().stand(100))
    tables.run(15_000_000)
    assert tables.board.radio.sent[-1][0] == HUB
    tables.hubs = [tables.hubs[1]]
    tables.ours = tables.hubs[0]
    before = len(tables.heard)
    tables.run(52_000_000)
    assert "HEARTBEAT" in {frame.name for frame in tables.heard[before:]}


def tries_ms(node: bytes) -> list[int]:
    """Return when an event is sent that nobody acknowledges, by a link that is always asked."""
    ether = Ether()
    link = load("stopper.link").Link(ether, node, KEY, 1)
    link.tell("FLIP", {"at_us": 1, "tilt_cdeg": 1, "swing_mg": 0})
    times, now_ms = list[int](), 0
    while link.waiting:
        before = len(ether.sent)
        link.speak(1000 * now_ms)
        if len(ether.sent) > before:
            times.append(now_ms)
        now_ms += 1
    assert link.unheard == 1
    return times


def test_tries_are_soon_at_first_and_outlast_two_seconds_in_which_a_hand_mutes_the_radio() -> None:
    times = tries_ms(NODE)
    waits = [later - earlier for earlier, later in pairwise(times)]
    spacing = (23, 31, 43, 57, 71, 97, 131, 171, *[223] * 20)
    for wait, usual in zip(waits, spacing, strict=False):
        assert abs(wait - usual) <= 9
    assert len(set(map(int.__sub__, waits, spacing))) > 5, "each time differently"
    assert 2_400 < times[-1] < 2_700


def test_no_two_tries_have_to_meet_the_same_moment_of_an_oven() -> None:
    """One is on for 9.5 of each 20 ms, or for 7.9 of each 16.7."""
    lost = [
        next(n for n, at in enumerate(times) if (at + late_ms) % period_ms >= on_ms)
        for times in (tries_ms(NODE[:5] + bytes((node,))) for node in range(1, 14))
        for period_ms, on_ms in ((20.0, 9.5), (1000 / 60, 7.9))
        for late_ms in range(20)
    ]
    assert max(lost) <= 7
    assert sum(lost) / len(lost) < 1.1  # by chance alone 0.9


def test_all_that_waits_is_in_each_packet_so_one_that_gets_through_is_enough() -> None:
    board = Board(Script().stand(5).hold(0.75).stand(5)).run(4_900_000)
    board.radio.acknowledges = False
    board.run(6_500_000)
    board.radio.acknowledges = True
    before, sent = len(board.radio.frames), len(board.radio.sent)
    while board.link.waiting:
        board.run(board.now_us + 1000)
    events = [to for to, packet in board.radio.sent[sent:] if packet[1] < 8]
    assert len(events) == 1
    again = [f for f in board.radio.frames[before:] if f.flags & wire.RESENT]
    assert [f.name for f in again] == ["LIFT", "SET"]


def test_at_the_first_jolt_the_radio_is_switched_on_before_there_is_anything_to_say() -> None:
    board = Board(Script().stand(5).kicked(1)).run(4_900_000)
    board.radio.on, sent = False, len(board.radio.sent)
    while not board.radio.on:
        board.run(board.now_us + 1000)
        assert board.now_us < 5_100_000
    assert len(board.radio.sent) == sent


def test_a_flood_does_not_hold_a_step() -> None:
    board = Board(Script().stand(5)).run(1_000_000)
    board.radio.inbox = [(OTHER, BEACON_BYTES, -20), (OTHER, b"noise", -20)] * 500
    board.radio.command("BLINK", blink_ms=500)
    board.stopper.step()
    left = len(board.radio.inbox)
    assert 1001 - left == load("stopper.link").AT_ONCE
    board.run(4_000_000)
    assert not board.radio.inbox
    board.radio.command("BLINK", blink_ms=500)
    assert board.run(4_100_000).lit


def beacon(hub: bytes = HUB) -> tuple[bytes, bytes, int]:
    """Return what a stopper hears of a hub that is near."""
    return hub, wire.Seal(wire.OPEN_KEY, hub, 1).packet("BEACON", 0, hub=hub, channel=1), -40


def pass_by(board: Board, seconds: float, hubs: dict[int, bytes]) -> list[int]:
    """Let time pass beside hubs, each on a channel; return the stopper's channels in order."""
    channels = [board.radio.channel]
    until_us = board.now_us + round(seconds * 1e6)
    while board.now_us < until_us:
        if board.radio.channel in hubs:
            board.radio.inbox.append(beacon(hubs[board.radio.channel]))
        board.run(board.now_us + 500_000)
        if board.radio.channel != channels[-1]:
            channels.append(board.radio.channel)
    return channels


class Counting(Flash):
    """Flash that counts how often each name was saved."""

    def __init__(self, **kept: bytes) -> None:
        super().__init__(**kept)
        self.saved: list[str] = []

    def save(self, name: str, data: bytes) -> None:
        """Count it."""
        self.saved.append(name)
        super().save(name, data)


def test_where_its_hub_was_proved_is_kept_once_and_the_next_boot_begins_there() -> None:
    board = Board(Script().stand(3).hold(1).stand(3).hold(1).stand(60))
    board.flash = Counting(key=KEY, home=HUB + b"\x05")
    board.boot()
    assert board.radio.channel == 5
    board.flash["home"] = board.memory.home = b""
    board.run(9_000_000)
    assert board.flash["home"] == HUB + b"\x05"
    assert board.flash.saved.count("home") == 1
    board.radio.channel = 1
    board.boot()  # as from a deep sleep
    board.run(12_000_000)
    assert board.radio.channel == 5
    assert board.flash.saved.count("home") == 1


@pytest.mark.parametrize("kept", [b"", b"short", b"much too long", HUB])
def test_a_stopper_that_never_met_its_hub_begins_on_the_first_channel(kept: bytes) -> None:
    board = Board(Script().stand(3))
    board.flash["home"] = kept
    assert board.run(1_000_000).radio.channel == 1


def test_nothing_that_is_not_sealed_for_it_moves_its_home() -> None:
    board = Board(Script().stand(20))
    board.radio.acknowledges = False
    board.boot()
    forged = wire.Seal(wire.OPEN_KEY, NODE, 1).packet("ACK", 0, event=1)
    board.radio.inbox += [beacon(OTHER), (OTHER, forged, -20), (OTHER, b"noise", -20)]
    board.run(5_000_000)
    assert "home" not in board.flash
    board.radio.command("BLINK", blink_ms=1)
    board.run(6_000_000)
    assert board.flash["home"] == HUB + b"\x01"


def test_only_its_own_hub_keeps_a_stopper_on_a_channel() -> None:
    board = Board(Script().stand(600)).run(5_000_000)
    assert board.flash["home"] == HUB + b"\x01"
    assert pass_by(board, 70, {1: HUB}) == [1]
    channels = pass_by(board, 100, {1: OTHER, 2: OTHER, 3: OTHER})
    assert channels[:6] == [1, 2, 3, 4, 5, 6]  # one after half a minute, then one a heartbeat
    assert len(channels) in (7, 8)
    found = pass_by(board, 112, {4: HUB, 9: OTHER})
    assert found[-1] == 4
    assert len(found) < 13
    assert board.flash["home"] == HUB + b"\x01"  # until the host says it, sealed
    board.radio.command("BLINK", blink_ms=1)
    pass_by(board, 1, {})
    assert board.flash["home"] == HUB + b"\x04"


def test_after_the_last_channel_comes_the_first() -> None:
    board = Board(Script().stand(600))
    board.flash["home"] = HUB + b"\x0c"
    board.boot()
    assert pass_by(board, 70, {})[:4] == [12, 13, 1, 2]


def test_a_new_stopper_stays_with_any_hub_until_nobody_hears_what_it_tells_there() -> None:
    board = Board(Script().stand(120).hold(1).stand(300))
    board.radio.acknowledges = False
    board.boot()
    near = pass_by(board, 1, {1: OTHER})
    assert near == [1]
    assert pass_by(board, 60, {1: OTHER})[:2] == [1, 2]  # STILL was given up there
    idle = pass_by(board, 50, {board.radio.channel: OTHER})
    assert len(idle) == 1  # nothing to tell: it may be ours
    assert pass_by(board, 60, {idle[0]: OTHER})[:2] == [idle[0], idle[0] + 1]  # LIFT was given up


class Ether:
    """A radio that takes all and hears nothing unless it is told."""

    def __init__(self) -> None:
        self.sent: list[tuple[bytes, bytes]] = []
        self.inbox: list[tuple[bytes, bytes, int]] = []
        self.channel = 0

    def send(self, to: bytes, data: bytes) -> bool:
        """Take a packet."""
        self.sent.append((to, data))
        return True

    def switch(self, on: bool) -> None:
        """It is always on."""

    def receive(self) -> tuple[bytes, bytes, int] | None:
        """Hand one over."""
        return self.inbox.pop(0) if self.inbox else None


def test_of_too_many_events_at_once_the_oldest_are_given_up_and_counted() -> None:
    ether = Ether()
    link = load("stopper.link").Link(ether, NODE, KEY, 1)
    room = load("stopper.link").PENDING
    for number in range(room + 2):
        link.tell("FLIP", {"at_us": number, "tilt_cdeg": 1, "swing_mg": 0})
    assert link.unheard == 2
    link.speak(1000)
    gate = wire.Gate(KEY, NODE, wire.UP)
    ((_, packet),) = ether.sent
    first = gate.open(packet)
    assert isinstance(first, wire.Frame)
    events = [frame.fields.event for frame in (first, *further_events(first, packet))]
    assert events == list(range(3, room + 3))


def test_an_acknowledgement_ends_its_own_event_and_no_other() -> None:
    ether = Ether()
    link = load("stopper.link").Link(ether, NODE, KEY, 1)
    for _ in range(2):
        link.tell("FLIP", {"at_us": 1, "tilt_cdeg": 1, "swing_mg": 0})
    link.speak(1000)
    ether.inbox = [(HUB, wire.Seal(KEY, NODE, 1).packet("ACK", 0, event=1), -50)]
    assert link.hear(2) == []
    ether.sent.clear()
    link.speak(200_000)
    (again,) = (wire.Gate(KEY, NODE, wire.UP).open(packet) for _, packet in ether.sent)
    assert isinstance(again, wire.Frame)
    assert (again.fields.event, again.flags) == (2, wire.RESENT)
    assert link.waiting
    assert link.unheard == 0


def test_after_its_last_event_number_comes_the_first() -> None:
    link = load("stopper.link").Link(Ether(), NODE, KEY, 1)
    link._events = 0xFFFF
    fields = {"at_us": 1, "tilt_cdeg": 1, "swing_mg": 0}
    link.tell("FLIP", fields)
    assert fields["event"] == 0


def test_it_listens_for_a_moment_after_it_spoke_and_as_long_as_it_waits() -> None:
    link = load("stopper.link").Link(Ether(), NODE, KEY, 1)
    link.say("FLIP", 1_000_000, {"event": 1, "at_us": 1, "tilt_cdeg": 1, "swing_mg": 0})
    assert [link.listening(1000 + after_ms) for after_ms in (0, 25, 30)] == [True, True, False]
    link.tell("FLIP", {"at_us": 1, "tilt_cdeg": 1, "swing_mg": 0})
    assert link.listening(5000)


def test_what_never_came_is_not_refused() -> None:
    ether = Ether()
    link = load("stopper.link").Link(ether, NODE, KEY, 1)
    ether.inbox = [(HUB, wire.Seal(KEY, NODE, 1, seq=7).packet("BLINK", 0, blink_ms=1), -50)]
    assert len(link.hear(1)) == 1
    assert (link.refused(), link.commands_heard) == (0, 8)
