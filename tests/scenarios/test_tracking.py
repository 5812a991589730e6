"""At the simulated table: what is sure of a barrel is true, whatever never reaches the host."""

import random
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.devices.hub_discovery import HubMessage
from companion.devices.recording import replay
from companion.sensing import clocks, tracking
from companion.sensing.clocks import ClockFits
from companion.sensing.events import BarrelMotion, BarrelMoved
from companion.sensing.receiver import Receiver
from companion.sensing.settings import Settings
from companion.sensing.tracking import Tracking
from companion.simulator.radio import Weather
from companion.simulator.traits import KIND
from rappelwacht_research.sim_driver import STOPPERS
from tests.scenarios.evenings import CLEAR, Told

RULES = Settings()
NEAR_US, STEP_US = 200_000, 10_000  # how exactly the firmware dates what it feels
SCRIPT: Final = """
4 blue lifts 7
+0 red compares 3 5 for 1.5
blue shakes 7 firmly for 1
+0 green lifts 11
green peeks 11 to 100 for 0.7
blue places 7
+0 red puts back 3
green drops 11 from 5 cm
kick
red places 5
all flip
+3 red puts back 5
"""
Known = dict[
    int, tuple[int, BarrelMotion, bool]
]  # by packet: the stopper, and what it does after it


@dataclass
class Evening:
    """What came over the line, and the table that it came from."""

    told: Told
    line: list[HubMessage]

    def __post_init__(self) -> None:
        self.whole, _ = self.watch()

    def by_all(self, stopper: int, number: int) -> tuple[BarrelMotion, bool]:
        """Return what a barrel does after a packet, and whether that is sure, if none is lost."""
        while number not in self.whole or self.whole[number][0] != stopper:
            number -= 1
        return self.whole[number][1:]

    def watch(self, without: AbstractSet[int] = frozenset()) -> tuple[Known, list[BarrelMoved]]:
        """Return what follows from all but some of it."""
        ear, times, state = Receiver(STOPPERS), ClockFits(), Tracking()
        known: Known = {}
        told: list[BarrelMoved] = []
        for number, heard in enumerate(self.line):
            if number in without:
                continue
            for seen in ear.handle_hub_message(heard.at_us, heard.said):
                times, felt = clocks.step(times, seen, seen.node[-1], RULES)
                state, more = tracking.step(state, felt, RULES)
                told += more
                barrel = state.barrels[felt.stopper]
                known[number] = (felt.stopper, barrel.doing, barrel.sure)
        return known, told

    def is_true(self, one: BarrelMoved) -> bool:
        """Return whether it truly did that at about that time."""
        barrel = self.told.table.world.by_stopper(one.stopper)
        near_us = one.moment.doubt_us + NEAR_US
        for at_us in range(one.moment.at_us - near_us, one.moment.at_us + near_us, STEP_US):
            tilt_deg, stands = barrel.tilt_deg(max(at_us, 0)), barrel.load_g(max(at_us, 0)) > 10
            match one.doing:
                case BarrelMotion.STANDING:
                    true = stands
                case BarrelMotion.TILTED:
                    true = tilt_deg > 50
                case BarrelMotion.LYING:
                    true = 80 < tilt_deg < 100 and not barrel.in_hand(max(at_us, 0))
                case BarrelMotion.FLIPPED:
                    true = tilt_deg > 140
                case _:
                    true = not stands
            if true:
                return True
        return False


def play(folder: Path, weather: Weather, seed: int, script: str = SCRIPT) -> Evening:
    """Play it in the kind world: steps that are late leave more unsure, and radios lose more."""
    told = Told(folder, script, seed, weather=weather, traits=KIND).play()
    return Evening(told, list(replay(folder / "recording")))


@pytest.fixture(scope="module")
def stormy(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """An evening on which many events are sent again."""
    return play(tmp_path_factory.mktemp("stormy"), Weather(0.25, 0.02, 0.0), 2)


def test_on_a_clear_evening_all_is_sure_and_true(tmp_path: Path) -> None:
    evening = play(tmp_path, CLEAR, 1)
    _, told = evening.watch()
    assert [event for event in told if event.sure and not evening.is_true(event)] == []
    assert doings(evening, told, 3) == "standing lifted shaken lifted standing"
    seven = doings(evening, told, 7)
    assert seven.startswith("standing lifted shaken lifted standing lifted tilted ")
    assert seven.endswith(" flipped")
    eleven = doings(evening, told, 11)
    assert eleven.startswith("standing lifted tilted lifted ")
    assert eleven.endswith(" tilted lying lying")  # it lies where it was dropped
    five = doings(evening, told, 5)
    assert " flipped " in five
    assert five.endswith(" lifted standing")


@pytest.mark.parametrize("part", ["cell", "accelerometer"])
def test_what_a_stuck_sensor_cannot_know_is_not_sure(tmp_path: Path, part: str) -> None:
    moves = "+3 blue lifts 7\nblue shakes 7 for 1\nblue puts back 7\n+2 blue lifts 7\n"
    evening = play(tmp_path, CLEAR, 3, f"4 fault stuck 7 {part}\n{moves}")
    _, told = evening.watch()
    mine = [event for event in told if event.stopper == evening.told.table.stopper_of(7)]
    late = [one for one in mine if one.moment.at_us > 6_000_000]
    by_motion = {BarrelMotion.TILTED, BarrelMotion.FLIPPED, BarrelMotion.SHAKEN}
    assert mine[0].sure  # before
    assert [one for one in late if one.sure and not evening.is_true(one)] == []
    if part == "cell":
        assert not any(one.sure for one in late if one.doing not in by_motion)
    else:
        assert BarrelMotion.STANDING in {
            one.doing for one in late if one.sure
        }  # its foot still tells
        assert not any(one.sure for one in late if one.doing in by_motion)


def doings(evening: Evening, told: list[BarrelMoved], number: int) -> str:
    stopper = evening.told.table.stopper_of(number)
    return " ".join(event.doing.value for event in told if event.stopper == stopper)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    share=st.sampled_from([0.02, 0.1, 0.3, 0.6, 0.9]), burst=st.integers(1, 30), seed=st.integers()
)
def test_whatever_is_lost_what_is_sure_is_what_all_messages_say_and_true(
    stormy: Evening, share: float, burst: int, seed: int
) -> None:
    rng = random.Random(seed)
    count = len(stormy.line)
    begins = [number for number in range(count) if rng.random() < share / burst]
    lost = {number for begin in begins for number in range(begin, begin + burst)}
    known, told = stormy.watch(without=lost)
    for number, (stopper, doing, sure) in known.items():
        if sure:
            all_say, certain = stormy.by_all(stopper, number)
            assert doing is all_say or not certain
    assert [event for event in told if event.sure and not stormy.is_true(event)] == []
