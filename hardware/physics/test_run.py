"""The whole table in virtual time: one seed is one evening, byte for byte; rest costs little."""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from companion.devices.recording import replay
from companion.sensing.observations import Observation
from companion.sensing.receiver import Receiver
from companion.simulator import boards
from companion.simulator.boards import FIRMWARE, HUB, key, node
from companion.simulator.processor import Oscillator
from companion.simulator.radio import Weather
from companion.simulator.traits import HONEST, Trait
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.script_reader import read
from rappelwacht_research.sim_driver import STOPPERS, SimulationDriver
from rappelwacht_research.stepped import SteppedCable
from tests.scenarios.evenings import Told

SHORT = "3 blue lifts 7\nblue shakes 7 for 0.8\nblue peeks 7\n+0 fault garbage\nblue places 7\n"


def evening(folder: Path, name: str, seed: int = 1) -> Told:
    (folder / name).mkdir()
    return Told(folder / name, SHORT, seed, weather=Weather(0.05, 0.05, 0.05)).play()


def collect(news: list[object], _: int, one: object) -> None:
    news.append(one)


def recording(told: Told) -> bytes:
    return (told.folder / "recording").read_bytes()


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return evening(tmp_path_factory.mktemp("run"), "first")


def test_the_same_seed_and_script_give_the_same_bytes_and_another_seed_others(
    first: Told, tmp_path: Path
) -> None:
    again = evening(tmp_path, "again")
    other = evening(tmp_path, "other", 2)
    assert recording(first) == recording(again) != recording(other)
    assert first.heard == again.heard
    assert str(first.folder) not in recording(first).decode()


def test_a_recording_replays_into_the_same_observations(first: Told) -> None:
    listening = Receiver(STOPPERS)
    found = [
        seen
        for heard in replay(first.folder / "recording")
        for seen in listening.handle_hub_message(heard.at_us, heard.said)
    ]
    assert found == first.heard
    assert listening.losses == first.evening.listening.losses
    assert len(first.heard) > 40


def test_an_evening_leaves_nothing_open(tmp_path: Path) -> None:
    before = len([*Path("/proc/self/fd").iterdir()])
    evening(tmp_path, "evening")
    assert len([*Path("/proc/self/fd").iterdir()]) == before
    assert [path.name for path in (tmp_path / "evening").iterdir()] == ["recording"]


def test_dozing_changes_no_event(tmp_path: Path) -> None:
    stories = []
    for dozes in (True, False):
        heard: list[object] = []
        with SteppedCable(tmp_path) as cable:
            script = read("5 blue lifts 7\nblue shakes 7 for 0.8\nblue places 7\n")
            table = ScriptedTable(script, cable, 4, dozes=dozes)
            told = SimulationDriver(table, tmp_path, partial(collect, heard))
            told.play()
            told.close()
        events = [one for one in heard if isinstance(one, Observation) and "event" in one.fields]
        stories.append([(one.node, one.name) for one in events if one.name != "STILL"])
    assert stories[0] == stories[1]
    assert len(stories[0]) == 2


def test_a_table_at_rest_costs_next_to_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SteppedCable(tmp_path) as cable:
        table = ScriptedTable(read("5 blue lifts 7"), cable, 1)
        table.advance(4_900_000)
        table.stoppers[table.stopper_of(7)].power_off()
        table.wake(table.stopper_of(7))
        counts = dict.fromkeys(table.stoppers, 0)
        for number, board in table.stoppers.items():

            def step(number: int = number, step: Callable[[], int] = board.step) -> int:
                counts[number] += 1
                return step()

            monkeypatch.setattr(board, "step", step)
        table.advance(24_900_000)
    assert max(counts.values()) < 20 * 12  # of 800 steps


@pytest.mark.slow
def test_after_five_minutes_a_stopper_sleeps_and_a_hand_wakes_it(tmp_path: Path) -> None:
    calm = HONEST - {Trait.TABLE, Trait.CREEP}  # a knock, or a load that drifts, keeps it awake
    told = Told(tmp_path, "330 blue lifts 7\nblue carries 7 for 2", traits=calm).play()
    boots = [one.boot for one in told.of(7, "HELLO")]
    assert boots[0] == 1
    assert boots[-1] == 2
    asleep = [board.asleep for board in told.table.stoppers.values()]
    assert asleep.count(True) == 12
    quiet = [one for one in told.heard if 320e6 < one.at_us < 330e6]
    assert quiet == []


def test_in_real_time_the_host_has_a_thread_and_hears_the_same_events(tmp_path: Path) -> None:
    news: list[object] = []
    with SteppedCable(tmp_path) as cable:
        table = ScriptedTable(read("2 blue lifts 7\nblue puts back 7\n"), cable, 1)
        live = SimulationDriver(table, tmp_path, lambda _, one: news.append(one))
        live.play_live(speed=8)
    seen = [one for one in news if isinstance(one, Observation)]
    assert [one.name for one in seen if one.name in ("LIFT", "SET")] == ["LIFT", "SET"]
    assert "hub" not in [thread.name for thread in threading.enumerate()]
    assert all("/" not in str(one) for one in news if not isinstance(one, Observation))


def test_clocks_differ_drift_and_do_not_jump() -> None:
    now_us = 0
    clock = Oscillator(lambda: now_us, 40.0)
    now_us = 1_000_000
    assert clock.us() == 1_000_040
    clock.drift(-1000.0)
    assert clock.us() == 1_000_040
    now_us = 2_000_000
    assert clock.us() == 1_999_040
    assert clock.true_us(999_000) == 1_000_000


def test_every_node_has_its_own_name_and_key() -> None:
    names = {node(number) for number in range(1, 14)} | {HUB}
    assert len(names) == 14
    assert len({key(number) for number in range(1, 14)}) == 13


def test_without_the_firmware_there_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert FIRMWARE.is_dir()
    monkeypatch.setattr(boards, "FIRMWARE", tmp_path / "missing")
    with pytest.raises(Exception, match="complete copy of the project"):
        boards.load("stopper.stopper")


def test_thirteen_that_take_their_time_to_boot_are_weighed_soon_after(tmp_path: Path) -> None:
    heard: dict[bytes, int] = {}

    def tell(at_us: int, news: object) -> None:
        if isinstance(news, Observation) and news.name == "STILL":
            heard.setdefault(news.node, at_us)

    with SteppedCable(tmp_path) as cable:
        table = ScriptedTable(read("8 blue presses\n"), cable, 4, traits=HONEST)
        evening = SimulationDriver(table, tmp_path, tell)
        evening.play()
        evening.close()
    assert len(heard) == 13
    assert max(heard.values()) < 6_000_000, "left out steps are no reason to be weighed later"
