"""Barrels are mixed: each ends on a place, upright, and no foot leaves the table."""

from random import Random

import pytest

from companion.simulator.ground_truth import What
from companion.simulator.world import World
from rappelwacht_research.exposures import exposures
from rappelwacht_research.scene import arrange
from rappelwacht_research.script_reader import read


def mixed(script: str = "all mix", seed: int = 1) -> World:
    world = World(Random(seed))
    arrange(world, read(script))
    return world


@pytest.mark.parametrize("seed", range(5))
def test_all_barrels_stand_on_places_of_the_plateau_afterwards(seed: int) -> None:
    world = mixed(seed=seed)
    assert sorted(world.places.values()) == sorted(world.spots)
    assert all(map(world.stands, world.barrels))
    assert world.places != World(Random(seed)).places


def test_no_foot_leaves_the_table_and_no_label_comes_in_sight() -> None:
    world = mixed()
    for barrel in world.barrels.values():
        loads = [barrel.load_g(at_us) for at_us in range(0, world.now_free_us, 10_000)]
        assert min(loads) > 0.5 * barrel.mass_g
    assert exposures(world, 0, world.now_free_us) == []


def test_what_is_in_hand_or_placed_is_left_where_it_is() -> None:
    world = mixed("red lifts 3\nblue places 5\nall mix\nred puts back 3\nblue puts back 5")
    before = World(Random(1)).places
    assert (world.places[3], world.places[5]) == (before[3], before[5])
    assert sorted(world.places.values()) == sorted(world.spots)
    assert all(map(world.stands, world.barrels))
    (happening,) = world.truth.of(What.MIXED)
    assert happening.until_us - happening.at_us < 3_000_000
