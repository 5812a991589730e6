"""A script is arranged part after part, and a part is forgotten when it is over."""

from pathlib import Path

import pytest

from companion.simulator.cable import Cable
from companion.simulator.ground_truth import Happening, What
from companion.simulator.traits import KIND
from companion.simulator.world import world_of
from companion.system.errors import BadScript, OutOfReach
from rappelwacht_research.scene import (
    PART_US,
    Break,
    PlayedScript,
    ScriptedTable,
    arrange,
)
from rappelwacht_research.script_reader import read
from rappelwacht_research.sim import rehearse

TURN = "+25 blue lifts 7\nblue shakes 7\nblue puts back 7\n+0.5 fault loss 5%\n+0.1 kick\n"
PARALLEL = "+3 blue shakes 7 for 2\n+0.5 red lifts 3\n+1 red puts back 3\n"


def test_in_parts_hands_do_the_very_same() -> None:
    script = read(TURN * 8 + PARALLEL * 40 + "900 kick\nall flip\n+4 green peeks 5\n")
    whole, world = world_of(3), world_of(3)
    breaks = arrange(whole, script)
    found, parts = list[Break](), 0
    for part in PlayedScript(world, script).parts():
        found += arrange(world, part)
        parts += 1
    assert tuple(found) == breaks
    assert world.truth.happenings == whole.truth.happenings
    assert parts > 3


def test_a_short_script_is_one_part_and_a_part_ends_only_where_all_is_quiet() -> None:
    world = world_of(1)
    short = PlayedScript(
        world, read("3 blue lifts 7\n+1 red lifts 3\nkick\n+40 fault loss 3%")
    ).parts()
    assert len([arrange(world, part) for part in short]) == 1
    endless = read("3 blue carries 7 for 50\n" + "+40 red carries 3 for 50\n" * 3 + "kick\n" * 2)
    ends = []
    for part in PlayedScript(world, endless).parts():
        begun = world.now_free_us
        lines = arrange(world, part)
        assert lines == ()
        ends.append(world.now_free_us - begun)
    assert ends[0] > 2 * PART_US


def test_a_line_that_goes_back_in_time_is_never_too_late() -> None:
    world, begins = world_of(1), []
    lines = read("1 blue lifts 7\n" + "+30 blue carries 7 for 1\n" * 9 + "20 red lifts 3\n")
    for part in PlayedScript(world, lines).parts():
        free_us = world.now_free_us
        for line in part:
            begins.append((free_us, line.at_s))
            arrange(world, (line,))
    assert all(at_s is not None and 1e6 * at_s >= free_us for free_us, at_s in begins)


@pytest.mark.slow
def test_memory_stays_as_it_is_however_long_a_script_is() -> None:
    world, most = world_of(1), 0
    for part in PlayedScript(world, read(TURN * 600)).parts():
        arrange(world, part)
        most = max(most, len(world.truth.happenings), len(world.barrels[7].motions))
        world.forget(world.now_free_us)
    assert world.now_free_us > 4 * 3600 * 1_000_000
    assert most < 50


@pytest.mark.slow
def test_the_table_itself_forgets_what_is_over(tmp_path: Path) -> None:
    kept, told = list[int](), list[Happening]()
    with Cable(tmp_path) as cable:
        table = ScriptedTable(read(TURN * 6), cable, 1)
        told += table.done
        table.arranged = lambda _: told.extend(table.done)
        while table.now_us < table.end_us:
            table.advance(min(table.now_us + 20_000_000, table.end_us))
            kept.append(len(table.world.truth.happenings))
    assert table.now_us > 150_000_000
    assert [one.what for one in told].count(What.LIFTED) == 6
    assert [one.what for one in told].count(What.KICKED) == 6
    assert max(kept) < 20 < len(told)


@pytest.mark.parametrize(
    ("script", "error", "sentence"),
    [
        (TURN * 9 + "blue lifts 7\nred lifts 7", OutOfReach, "red cannot reach barrel 7"),
        ("21590 kick\n+20 kick", BadScript, "line 2: this would be after more than 6 hours"),
        ("+0 blue carries 7 for 300\n" * 99, BadScript, "line [0-9]+: this would be after more"),
    ],
)
def test_what_goes_wrong_late_is_known_at_once(
    script: str, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        rehearse(read(script), 1, KIND)
