"""Infrared words at the simulated table: from the firmware's pulses to what the seats tell."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest

from companion.sensing.name_word import EDGES, NAMES, NameWord, WordDecoder, name_of
from companion.sensing.observations import NameRead, PadChanged
from companion.simulator import light_path
from companion.simulator.boards import key
from companion.simulator.hands import seconds
from companion.simulator.light_path import DEAD, DIRT, OK, LightPath
from companion.simulator.live.live import PeriodicTask
from companion.simulator.live.parts import PUMP_US
from companion.simulator.poses import Pose
from companion.simulator.radio import Weather
from companion.simulator.traits import HONEST, KIND, Imperfections, Trait
from companion.simulator.world import World
from companion.system.text import SeatName
from hardware.emulated.source import load
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.script_reader import read
from rappelwacht_research.sim_driver import SimulationDriver, parts_of
from rappelwacht_research.stepped import SteppedCable
from tests.scenarios.refereed import permute

name_light = load("stopper.name_light")
WORD = name_light.pulses(0xABC, True, True, 2)
RED = SeatName.RED


def standing(
    traits: Imperfections = KIND, seed: str = "1", *, at: Pose | None = None
) -> tuple[World, LightPath, int]:
    """Return a world in which barrel 4 stands on red's pad, and its stopper."""
    world = World(Random(1), traits=traits)
    world.lay(4, world.pads[RED], at or Pose(world.pads[RED]), RED)
    return world, LightPath(world, seed), world.stoppers[4]


def read_words(path: LightPath, stopper: int, times: int, at_us: int = 1_000_000) -> int:
    """Return how many of so many words a receiver's decoder reads."""
    decoder, count = WordDecoder(), 0
    for number in range(times):
        path.shine(stopper, at_us + 50_000 * number, WORD)
        for edge in path.edges(at_us + 50_000 * (number + 1)):
            word = decoder.take(edge.at_us)
            count += word == NameWord(0xABC, True, True, 2)
    return count


def test_a_word_is_seen_by_the_pad_below_and_by_no_other() -> None:
    _, path, stopper = standing()
    path.shine(stopper, 1_000_000, WORD)
    seen = path.edges(2_000_000)
    assert {edge.seat for edge in seen} == {RED}
    assert len(seen) == EDGES
    path.shine(stopper % 13 + 1, 3_000_000, WORD)  # it stands in the middle
    assert path.edges(4_000_000) == []


@pytest.mark.parametrize(
    ("up_m", "aside_m", "tilt_rad", "is_read"),
    [
        (0.0, 0.0, 0.0, True),
        (0.011, 0.0, 0.0, True),
        (0.013, 0.0, 0.0, False),
        (0.0, 0.012, 0.0, True),
        (0.0, 0.014, 0.0, False),
        (0.0, 0.0, 0.33, True),
        (0.0, 0.0, 0.37, False),
    ],
)
def test_how_far_a_word_reaches(
    monkeypatch: pytest.MonkeyPatch, up_m: float, aside_m: float, tilt_rad: float, is_read: bool
) -> None:
    monkeypatch.setattr(light_path, "AIM_M", 0.0)
    x, y, z = World(Random(1)).pads[RED]
    pose = Pose((x + aside_m, y, z + up_m), tilt_rad)
    _, path, stopper = standing(frozenset({Trait.REACH}), at=pose)
    assert read_words(path, stopper, 3) == 3 * is_read


def test_people_put_it_down_a_little_off_the_middle_and_it_stays_as_it_was_put() -> None:
    x, y, z = World(Random(1)).pads[RED]
    near_the_end = Pose((x + 0.012, y, z))
    read_of = [
        read_words(path, stopper, 10)
        for seed in range(30)
        for _, path, stopper in [standing(frozenset({Trait.REACH}), f"{seed}", at=near_the_end)]
    ]
    assert set(read_of) == {0, 10}
    assert 8 <= read_of.count(10) <= 25


def test_without_the_trait_it_is_read_wherever_it_stands_on_its_coaster() -> None:
    x, y, z = World(Random(1)).pads[RED]
    _, path, stopper = standing(at=Pose((x + 0.03, y, z)))
    assert read_words(path, stopper, 20) == 20


def test_a_clean_window_loses_three_in_a_hundred_words(full: bool) -> None:
    times = 20_000 if full else 2000
    _, path, stopper = standing(frozenset({Trait.WORDS}))
    share = read_words(path, stopper, times) / times
    assert OK - 0.02 < share < OK + 0.01  # a late stamp costs a few more


@pytest.mark.parametrize("share", [share for share, _ in DIRT])
def test_dirty_windows_lose_more(share: float) -> None:
    _, path, stopper = standing(frozenset({Trait.WINDOWS}))
    path._ok = path._ok | {stopper: share}
    assert share - 0.05 < read_words(path, stopper, 2000) / 2000 < share + 0.05


def test_some_windows_are_dirty_and_most_are_not() -> None:
    shares = [
        share
        for seed in range(300)
        for share in standing(frozenset({Trait.WINDOWS}), str(seed))[1]._ok.values()
    ]
    assert 0.01 < shares.count(0.4) / len(shares) < 0.03
    assert 0.06 < shares.count(0.7) / len(shares) < 0.10
    assert set(standing()[1]._ok.values()) == {1.0}


def test_a_receiver_is_dead_one_evening_in_five_hundred() -> None:
    traits = frozenset({Trait.RECEIVERS})
    dead = sum(len(standing(traits, str(seed))[1].dead) for seed in range(2000))
    assert 0.5 * DEAD < dead / 8000 < 1.7 * DEAD
    assert not any(standing(KIND, str(seed))[1].dead for seed in range(500))
    _, path, stopper = standing()
    path.dead = {RED}
    assert read_words(path, stopper, 5) == 0


def test_two_on_one_pad_are_both_read_now_and_then() -> None:
    """Their words meet, but not each time: both wobble."""
    world, path, stopper = standing()
    x, y, z = world.pads[RED]
    world.lay(5, world.pads[RED], Pose((x + 0.03, y, z)), RED)
    other, rng, decoder = world.stoppers[5], Random(1), WordDecoder()
    second = name_light.pulses(0x123, True, True, 0)
    names = set[int]()
    for at_us in range(1_000_000, 1_400_000, 50_000):
        path.shine(stopper, at_us + rng.randrange(8000), WORD)
        path.shine(other, at_us + 20_000 + rng.randrange(8000), second)
    for edge in path.edges(2_000_000):
        if (word := decoder.take(edge.at_us)) is not None:
            names.add(word.name)
    assert names == {0xABC, 0x123}


def told(
    folder: Path,
    script: str,
    traits: Imperfections,
    seed: int = 1,
    stones: Mapping[int, int] | None = None,
) -> tuple[ScriptedTable, list[NameRead | PadChanged]]:
    """Return what the seats told, through the real drivers on gpiozero's mock pins."""
    heard: list[NameRead | PadChanged] = []

    def tell(_: int, news: object) -> None:
        if isinstance(news, NameRead | PadChanged):
            heard.append(news)

    with SteppedCable(folder) as cable:
        clear = Weather(0.0, 0.0, 0.0)
        table = ScriptedTable((), cable, seed, weather=clear, traits=traits)
        permute(table.world, stones or {}, seed)
        table.act(read(script))
        evening = SimulationDriver(table, folder, tell)
        with parts_of(table, tell) as parts:
            evening.also.append(PeriodicTask(PUMP_US, parts.pump))
            evening.play()
            evening.close()
    return table, heard


SCRIPT = "5 red lifts 4\n+0 blue lifts 9\n+1 red places 4\n+0 blue places 9"
SHAKEN = "5 red lifts 4\n+0 blue lifts 9\n+0 red shakes 4 for 1\nred places 4\n+0 blue places 9"


@pytest.mark.parametrize("traits", [KIND, HONEST], ids=["kind", "honest"])
def test_the_firmwares_words_come_back_from_the_pads(tmp_path: Path, traits: Imperfections) -> None:
    table, heard = told(tmp_path, SCRIPT, traits)
    names = [news for news in heard if isinstance(news, NameRead)]
    for colour, barrel in (("red", 4), ("blue", 9)):
        stopper = table.stopper_of(barrel)
        mine = [news for news in names if news.colour == colour]
        assert {news.name for news in mine} == {name_of(key(stopper))}
        assert len(mine) > 6
        closed = next(n for n in heard if isinstance(n, PadChanged) and n.colour == colour)
        standing = [news.at_us for news in mine if news.stands and news.weighs]
        assert standing[1] - closed.at_us < seconds(0.4)
    assert {news.colour for news in names} == {"red", "blue"}


def test_words_depend_on_nothing_that_stones_touch(tmp_path: Path) -> None:
    """Two tables of which only the stones differ read the same words, bit by bit."""
    swapped = {4: 9, 9: 13, 13: 4}
    read_at = list[dict[str, list[tuple[int, bool, bool, int]]]]()
    for stones in ({}, swapped):
        (folder := tmp_path / str(len(stones))).mkdir()
        _, heard = told(
            folder, f"{SCRIPT}\n+0 red shakes 4 for 1\n+2 red places 4", HONEST, 2, stones
        )
        words = [news for news in heard if isinstance(news, NameRead)]
        read_at.append(
            {
                colour: [
                    (word.name, word.stands, word.weighs, word.touch)
                    for word in words
                    if word.colour == colour
                ][:12]
                for colour in ("red", "blue")
            }
        )
    assert read_at[0] == read_at[1]
    assert len(read_at[0]["red"]) == 12


def test_names_are_few_enough_to_be_told_apart() -> None:
    names = [name_of(key(stopper)) for stopper in range(1, 14)]
    assert len(set(names)) == 13
    assert all(0 <= name < NAMES for name in names)
