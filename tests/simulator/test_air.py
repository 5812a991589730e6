"""The simulated radio: late, lost, twice, in disorder, and off while a stopper sleeps."""

from __future__ import annotations

from random import Random

from companion.simulator.air import BROADCAST, Air, Radio, Weather, airtime_us

A, B, C = b"\x00" * 5 + b"\x01", b"\x00" * 5 + b"\x02", b"\x00" * 5 + b"\x03"


class Room:
    """Three radios and a clock that goes only when told."""

    def __init__(self, weather: Weather | None = None, seed: int = 1) -> None:
        self.now_us = 0
        self.due: list[int] = []
        self.air = Air(Random(seed), lambda: self.now_us, weather or Weather(0.0, 0.0, 0.0))
        self.a, self.b = self.air.join(A), self.air.join(B, self.due.append)
        self.c = self.air.join(C)

    def send(self, count: int, to: bytes = B) -> None:
        for number in range(count):
            self.now_us += 5_000
            self.a.send(to, bytes((number % 256,)))

    def all_of(self, radio: Radio, later_us: int = 1_000_000) -> list[int]:
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


def test_who_sleeps_hears_nothing_until_he_speaks() -> None:
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
