"""The simulated radio: late, lost, twice, in disorder, and off while a stopper sleeps."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from pathlib import Path
from random import Random
from statistics import mean, median

import pytest

from companion.sensing.observations import Observation
from companion.simulator.boards import node
from companion.simulator.link_budget import (
    HOME,
    RadioPlan,
    RadioSite,
    StopperAir,
    Whereabouts,
)
from companion.simulator.radio import (
    BROADCAST,
    NodeRadio,
    RadioChannel,
    Weather,
    airtime_us,
)
from companion.simulator.traits import traits
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.script_reader import read
from rappelwacht_research.sim_driver import SimulationDriver
from rappelwacht_research.stepped import SteppedCable
from research.bench.handlings import SITES

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
    room.b.switch(False)
    room.send(2)
    assert room.all_of(room.b) == []
    room.b.send(A, b"x")
    room.send(1)
    assert room.all_of(room.b) == [0]
    assert room.air.traffic.unheard == 2


def test_the_inbox_of_a_sleeper_stays_small_for_ever() -> None:
    room, most = Room(Weather(0.0, 0.3, 0.3)), 0
    room.b.switch(False)
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


def test_without_a_budget_a_packet_for_one_radio_is_tried_once() -> None:
    room = Room(Weather(loss=0.3, duplicate=0.0, reorder=0.0))
    room.send(1000)
    assert 250 < room.air.traffic.lost < 350


class Radios:
    """A stopper and a hub, at some site with some traits; somebody has the stopper all the time."""

    def __init__(
        self, words: str, site: RadioSite = HOME, seed: int = 1, *, held: bool = True
    ) -> None:
        self.now_us, self.here = 0, Whereabouts(held, (0.0, 0.0, 0.2), 0.3)
        plan = RadioPlan(site, traits(words), str(seed))
        clear = Weather(0.0, 0.0, 0.0)
        self.air = RadioChannel(Random(seed), lambda: self.now_us, clear, plan.shared)
        self.hub = self.air.join(B, air=plan.hub())
        own = StopperAir(site, traits(words), str(seed), lambda _: self.here)
        self.stopper = self.air.join(A, air=own, starts=plan.starts(1))

    def lost(self, every_ms: float = 100.0, count: int = 3000, to: bytes = B) -> list[bool]:
        """Return of each packet whether it was lost on its way up."""
        found = []
        for _ in range(count):
            self.now_us += round(1000 * every_ms)
            before = self.air.traffic.lost
            self.stopper.send(to, b"x")
            found.append(self.air.traffic.lost > before)
        return found

    def strengths(self, count: int = 300, every_ms: float = 100.0) -> list[int]:
        """Return how strong packets come."""
        self.lost(every_ms, count)
        self.now_us += 1_000_000
        found = []
        while (heard := self.hub.receive()) is not None:
            found.append(heard[2])
        return found


def share(found: Sequence[bool]) -> float:
    """Return how many of these are so."""
    return sum(found) / len(found)


def runs(found: Sequence[bool]) -> list[int]:
    """Return how long that which is so lasts each time."""
    return [len(list(same)) for value, same in groupby(found) if value]


def test_a_hand_damps_a_radio_by_some_15_db_and_otherwise_each_time_it_is_lifted() -> None:
    held, stands = (median(Radios("hand", held=each).strengths()) for each in (True, False))
    assert 10 < stands - held < 22
    assert len(set(Radios("antenna", held=True).strengths())) == 1  # without a hand it is the same
    lifted = Radios("hand")
    levels = set[int]()
    for _ in range(40):
        lifted.here = replace(lifted.here, in_hand=not lifted.here.in_hand)
        levels |= set(lifted.strengths(2, 1.0))
    assert max(levels) - min(levels) > 15
    grip = Radios("hand").strengths(20, 1.0)
    assert len(set(grip)) == 1  # until the grip changes


def test_somebody_is_in_between_now_and_then_also_of_one_that_stands() -> None:
    weaker = []
    for seed in range(300):
        levels = Radios("hand", seed=seed, held=False).strengths(1)
        weaker.append(levels[0] < -30)
    assert 0.04 < share(weaker) < 0.17


def test_antennas_hubs_and_distances_differ() -> None:
    levels = [median(Radios("antenna", seed=seed).strengths(3)) for seed in range(60)]
    assert 6 < max(levels) - min(levels) < 25
    far, near = Radios("antenna"), Radios("antenna")
    near.here = replace(near.here, at_m=(0.6, 0.0, 0.0))
    far.here = replace(far.here, at_m=(-0.4, 0.0, 0.0))
    assert 7 < median(near.strengths(3)) - median(far.strengths(3)) < 13
    without = [median(Radios("fading,hand", seed=seed).strengths(1)) for seed in range(5)]
    assert len(without) == 5
    deaf = replace(HOME, hub_needs_dbm=(-30.0, 1.0))
    assert share(Radios("antenna", deaf).lost(1.0, 100)) == 1.0
    assert share(Radios("hand", deaf).lost(1.0, 100)) == 0.0


def test_echoes_cancel_what_is_sent_for_as_long_as_a_hand_takes_on_two_centimetres() -> None:
    edge = replace(HOME, hub_needs_dbm=(-46.0, 0.0), antenna_db=(-10.0, 0.0))

    def lost(speed_m_s: float, *, held: bool) -> tuple[float, float]:
        """Return how much is lost, and how much of what comes 40 ms after something lost."""
        radios = Radios("antenna,fading", edge, held=held)
        radios.here = replace(radios.here, speed_m_s=speed_m_s)
        found = radios.lost(10.0, 20_000, BROADCAST)
        return share(found), share([later for one, later in pairwise(found[::4]) if one])

    slow, fast = lost(0.05, held=True), lost(1.5, held=True)
    assert slow[0] == pytest.approx(fast[0], rel=0.2)
    assert slow[1] > 3 * slow[0]
    assert fast[1] < 1.3 * fast[0]
    stands = lost(0.05, held=False)
    assert stands[0] < 0.3 * slow[0]  # the direct way is stronger than all echoes
    steady = Radios("antenna", edge).lost(1.0, 1000, BROADCAST)
    assert len(set(steady)) == 1


def test_a_busy_room_delays_and_loses_and_a_packet_for_one_radio_is_tried_four_times() -> None:
    busy = SITES["hall"]
    all_, one = (share(Radios("room", busy).lost(7.0, 6000, to)) for to in (BROADCAST, B))
    assert 0.02 < all_ < 0.08
    assert one < all_ / 20
    assert share(Radios("room").lost(7.0, 6000, BROADCAST)) < all_ / 2  # at home it is quieter
    assert share(Radios("hand", busy).lost(7.0, 6000, BROADCAST)) == 0.0

    def waits(words: str) -> list[int]:
        radios, found = Radios(words, busy), list[int]()
        for _ in range(1000):
            radios.now_us += 20_000
            radios.stopper.send(BROADCAST, b"x")
            if radios.hub.due_us is not None:
                found.append(radios.hub.due_us - radios.now_us)
                radios.now_us += 40_000
                while radios.hub.receive():
                    pass
        return found

    assert 2_500 < mean(waits("room")) < 6_000
    assert mean(waits("hand")) < 1_200


def test_a_hub_drowns_for_a_moment_and_oftener_beside_a_pi() -> None:
    at_pi = Radios("drowned", SITES["hub-at-pi"]).lost(10.0, 60_000)
    at_home = Radios("drowned").lost(10.0, 60_000)
    assert all(1 <= length <= 31 for length in runs(at_pi))
    assert 130 < len(runs(at_pi)) < 250  # in ten minutes
    assert 3 <= len(runs(at_home)) < 20
    assert share(Radios("room,oven", SITES["hub-at-pi"]).lost(10.0, 6000)) < 0.001
    radios = Radios("drowned", SITES["hub-at-pi"])
    for _ in range(1000):  # what it sends goes out all the same
        radios.now_us += 10_000
        radios.hub.send(A, b"x")
    assert radios.air.traffic.lost == 0


def test_an_oven_spoils_nearly_half_of_each_period_of_the_mains_one_evening_in_ten(
    full: bool,
) -> None:
    oven = SITES["oven"]
    found = Radios("oven", oven).lost(1.0, 20_000, BROADCAST)
    assert 0.4 < share(found) < 0.55
    assert 7 <= median(runs(found)) <= 11
    assert share(Radios("room", oven).lost(1.0, 20_000, BROADCAST)) < 0.15
    seeds = range(30 if full else 10)
    evenings = [Radios("oven", seed=seed).lost(100.0, 40_000, BROADCAST) for seed in seeds]
    assert 1 <= sum(map(any, evenings)) <= len(evenings) // 4
    warmed = next(evening for evening in evenings if any(evening))
    assert 1_200 < len(warmed[warmed.index(True) : -warmed[::-1].index(True)]) <= 1_800


def test_a_radio_that_was_off_is_on_after_a_while_and_only_with_the_trait() -> None:
    def first_us(words: str, seed: int) -> int:
        radios = Radios(words, seed=seed)
        radios.stopper.switch(False)
        radios.stopper.send(B, b"x")
        assert radios.hub.due_us is not None
        return radios.hub.due_us

    starts = [first_us("starting", seed) for seed in range(40)]
    assert 30_000 < min(starts) < 50_000
    assert 100_000 < max(starts) < 123_000
    assert max(first_us("hand", seed) for seed in range(10)) < 5_000
    awake = Radios("starting")
    awake.stopper.switch(True)
    assert awake.stopper.ready_us == 0


def test_its_board_waits_for_it_and_its_clock_with_it(tmp_path: Path) -> None:
    for words in ("starting", "hand"):
        with SteppedCable(tmp_path) as cable:
            table = ScriptedTable(read("6 blue lifts 7"), cable, 1, traits=traits(words))
        board = table.stoppers[1]
        table.advance(5_000_000)
        board.processor.begin()
        board.radio.switch(False)
        before_us = board.ticks_us()
        board.radio.switch(True)
        waited_us = board.ticks_us() - before_us
        assert (waited_us > 29_000) is (words == "starting"), (words, waited_us)
        assert (board.processor.end() > 29_000) is (words == "starting")


@pytest.mark.parametrize("site", SITES)
def test_one_seed_is_one_evening_at_each_site(site: str) -> None:
    first, again, other = (Radios("radio", SITES[site], seed).lost() for seed in (1, 1, 2))
    assert first == again
    assert first != other or site in ("home", "hall")


def test_a_careful_build_is_heard_and_a_bad_one_is_not_for_seconds() -> None:
    """By level alone, 40 evenings of each; the page's 0.1 and 15 %, with 7 dB less power."""

    def lost(site: str) -> float:
        found = [Radios("hand,antenna", SITES[site], seed).lost(50.0, 500) for seed in range(40)]
        return mean(map(share, found))

    assert lost("home") < 0.02
    assert 0.05 < lost("bad-build") < 0.5


def test_only_a_table_with_a_trait_of_them_has_a_budget(tmp_path: Path) -> None:
    for word, weak in (("kind", False), ("foot", False), ("fading", True), ("honest", True)):
        (tmp_path / word).mkdir()
        with SteppedCable(tmp_path / word) as cable:
            table = ScriptedTable((), cable, 1, traits=traits(word))
        radios = [*(board.radio for board in table.stoppers.values()), table.hub.radio]
        assert {radio.air is not None for radio in radios} == {weak}


@pytest.mark.slow
@pytest.mark.parametrize("site", ["home", "hall", "oven", "hub-at-pi"])
def test_no_event_is_lost_at_a_table_that_was_built_with_care(tmp_path: Path, site: str) -> None:
    script = "".join(f"{3 + at} blue lifts 7\n+0.5 blue puts back 7\n" for at in range(0, 60, 3))
    heard: list[object] = []
    with SteppedCable(tmp_path) as cable:
        words = traits("radio")
        table = ScriptedTable(read(script), cable, 3, traits=words, site=SITES[site])
        evening = SimulationDriver(table, tmp_path, lambda _, news: heard.append(news))
        evening.play()
        evening.close()
    assert [board.stopper.link.unheard for board in table.stoppers.values()] == [0] * 13
    mine = node(table.stopper_of(7))
    events = [one.name for one in heard if isinstance(one, Observation) and one.node == mine]
    assert (events.count("LIFT"), events.count("SET")) == (20, 20)
