"""The simulated radio: late, lost, twice, in disorder, and off while a stopper sleeps."""

from pathlib import Path
from random import Random

import pytest

from companion.sensing.observations import Observation
from companion.simulator.boards import node
from companion.simulator.cable import Cable
from companion.simulator.live.driver import SimulationDriver
from companion.simulator.radio import (
    BROADCAST,
    Fading,
    NodeRadio,
    RadioChannel,
    Weather,
    airtime_us,
)
from companion.simulator.run import SimulatedTable
from companion.simulator.script import read
from companion.simulator.traits import traits

A, B, C = b"\x00" * 5 + b"\x01", b"\x00" * 5 + b"\x02", b"\x00" * 5 + b"\x03"


class Room:
    """Three radios and a clock that goes only when told."""

    def __init__(self, weather: Weather | None = None, seed: int = 1) -> None:
        self.now_us = 0
        self.due: list[int] = []
        self.air = RadioChannel(
            Random(seed), lambda: self.now_us, weather or Weather(0.0, 0.0, 0.0)
        )
        self.a, self.b = self.air.join(A), self.air.join(B, self.due.append)
        self.c = self.air.join(C)

    def send(self, count: int, to: bytes = B) -> None:
        for number in range(count):
            self.now_us += 5_000
            self.a.send(to, bytes((number % 256,)))

    def all_of(self, radio: NodeRadio, later_us: int = 1_000_000) -> list[int]:
        self.now_us += later_us
        found = []
        while heard := radio.receive():
            assert heard[0] == A
            assert -90 < heard[2] < -30
            found.append(heard[1][0])
        return found


def test_a_packet_takes_its_time_on_the_air() -> None:
    room = Room()
    room.send(1)
    assert room.b.receive() is None
    room.now_us += airtime_us(1) - 1
    assert room.b.receive() is None
    assert room.due[0] >= 5_000 + airtime_us(1)
    assert room.all_of(room.b) == [0]
    assert room.all_of(room.c) == []


def test_a_broadcast_reaches_all_but_its_sender() -> None:
    room = Room()
    room.send(3, BROADCAST)
    assert room.all_of(room.a) == []
    assert room.all_of(room.b) == room.all_of(room.c) == [0, 1, 2]


def test_two_who_speak_at_once_take_turns() -> None:
    room = Room()
    for _ in range(100):
        room.a.send(B, bytes(200))
    room.now_us += 100 * airtime_us(200) - 1
    heard = 0
    while room.b.receive():
        heard += 1
    assert 60 < heard < 100


def test_shares_of_loss_copies_and_disorder_are_as_told() -> None:
    room = Room(Weather(loss=0.3, duplicate=0.1, reorder=0.1))
    room.send(2_000)
    heard, traffic = room.all_of(room.b), room.air.traffic
    assert 500 < traffic.lost < 700
    assert 100 < traffic.duplicated < 200
    assert 100 < traffic.reordered < 200
    assert len(heard) == 2_000 - traffic.lost + traffic.duplicated


def test_the_same_seed_is_the_same_weather() -> None:
    weather = Weather(0.2, 0.2, 0.2)
    first, again, other = Room(weather, 1), Room(weather, 1), Room(weather, 2)
    for room in (first, again, other):
        room.send(200)
    heard = [room.all_of(room.b) for room in (first, again, other)]
    assert heard[0] == heard[1] != heard[2]


def test_whoever_sleeps_hears_nothing_until_he_speaks() -> None:
    room = Room()
    room.b.sleep()
    room.send(2)
    assert room.all_of(room.b) == []
    room.b.send(A, b"x")
    room.send(1)
    assert room.all_of(room.b) == [0]
    assert room.air.traffic.unheard == 2


def test_the_inbox_of_a_sleeper_stays_small_for_ever() -> None:
    room, most = Room(Weather(0.0, 0.3, 0.3)), 0
    room.b.sleep()
    for _ in range(500):
        room.send(10)
        most = max(most, len(room.b._inbox))
    assert most < 100  # what is on the air just then: late ones are so by a third of a second
    assert room.air.traffic.unheard > 4_000
    room.b.send(A, b"x")
    room.send(3)
    assert {0, 1, 2} <= set(room.all_of(room.b))


def test_losses_are_counted_by_those_who_missed_something() -> None:
    room = Room(Weather(1.0, 0.0, 0.0))
    room.send(5, BROADCAST)
    room.send(7, B)
    traffic = room.air.traffic
    assert (traffic.sent, traffic.meant, traffic.lost) == (12, 17, 17)


def test_without_power_nothing_goes_out_and_nothing_waits() -> None:
    room = Room()
    room.b.powered = False
    room.send(3)
    assert not room.b.send(A, b"x")
    room.b.powered = True
    assert room.all_of(room.b) == []


def test_a_radio_that_fades_loses_all_for_0_2_to_2_s_and_others_lose_nothing() -> None:
    room, hands = Room(), (0, 60_000_000)
    room.b.fading = Fading(Random(1), lambda at_us: hands[0] <= at_us < hands[1])
    lost_us: list[tuple[int, int]] = []
    for _ in range(60_000):
        room.now_us += 10_000
        room.a.send(BROADCAST, b"x")
        before = room.air.traffic.lost
        room.c.send(B, b"x")
        room.b.send(C, b"x")
        assert room.air.traffic.lost - before in (0, 2), "both ways alike"
        if room.air.traffic.lost > before:
            if lost_us and room.now_us - lost_us[-1][1] <= 10_000:
                lost_us[-1] = lost_us[-1][0], room.now_us
            else:
                lost_us.append((room.now_us, room.now_us))
        while room.a.receive() or room.b.receive() or room.c.receive():
            pass
    assert all(180_000 <= to_us - from_us <= 2_010_000 for from_us, to_us in lost_us)
    assert room.air.traffic.lost == 3 * sum((to - by) // 10_000 + 1 for by, to in lost_us)
    assert sum(by < hands[1] for by, _ in lost_us) >= 2
    assert 6 <= len(lost_us) <= 40


def test_hands_close_radios_off_more_often_and_each_radio_has_its_own_spells() -> None:
    def spells(seed: int, *, in_hand: bool) -> list[bool]:
        fading = Fading(Random(seed), lambda _: in_hand)
        return [fading.covers(at_us) for at_us in range(0, 1_000_000_000, 50_000)]

    held = [spells(seed, in_hand=True) for seed in range(13)]
    stands = [spells(seed, in_hand=False) for seed in range(13)]
    assert len({tuple(one) for one in held}) == 13
    shares = [sum(map(sum, some)) / (13 * 20_000) for some in (held, stands)]
    assert 0.02 < shares[0] < 0.06
    assert shares[1] < 0.4 * shares[0]


def test_only_a_table_with_the_trait_has_radios_that_fade(tmp_path: Path) -> None:
    for word, fades in (("kind", False), ("radio", True)):
        (tmp_path / word).mkdir()
        with Cable(tmp_path / word) as cable:
            table = SimulatedTable((), cable, 1, traits=traits(word))
        radios = [*(board.radio for board in table.stoppers.values()), table.hub.radio]
        assert {radio.fading is not None for radio in radios} == {fades}


@pytest.mark.slow
def test_no_event_is_lost_because_a_hand_mutes_a_radio(tmp_path: Path) -> None:
    script = "".join(f"{3 + at} blue lifts 7\n+0.5 blue puts back 7\n" for at in range(0, 60, 3))
    heard: list[object] = []
    with Cable(tmp_path) as cable:
        table = SimulatedTable(read(script), cable, 3, traits=traits("radio"))
        evening = SimulationDriver(table, tmp_path, lambda _, news: heard.append(news))
        evening.play()
        evening.close()
    assert table.air.traffic.lost > 0.015 * table.air.traffic.meant
    assert [board.stopper.link.unheard for board in table.stoppers.values()] == [0] * 13
    mine = node(table.stopper_of(7))
    events = [one.name for one in heard if isinstance(one, Observation) and one.node == mine]
    assert (events.count("LIFT"), events.count("SET")) == (20, 20)
