"""Mixing the barrels: all on the plateau slide to other places, and none leaves the table.

It must not know a number: the order in which hands take them depends on their places alone.
"""

from __future__ import annotations

from typing import Final

from companion.chance import mixed
from companion.simulator.habits import between
from companion.simulator.handling import STANDING, Motion, Pose
from companion.simulator.hands import Hand, seconds
from companion.simulator.motions import Vector
from companion.simulator.truth import Happening, What
from companion.simulator.world import World

LATE_S: Final = (0.0, 0.5)  # not all begin at once
SLIDE_S: Final = (1.2, 2.0)


def mix(world: World, at_us: int) -> int:
    """Let hands slide all barrels on the plateau about; return when it is done."""
    at_us = max(at_us, world.table_us)
    places = {world.places[number]: number for number in world.barrels if world.stands(number)}
    spots = [spot for spot in world.spots if spot in places]
    ends = [at_us]
    for spot, goal in zip(spots, mixed(world.rng, spots), strict=True):
        number = places[spot]
        barrel = world.barrels[number]
        begin_us = max(at_us, barrel.free_us) + seconds(between(world.rng, *LATE_S))
        barrel.add(_slide(world.hand, begin_us, barrel.pose, goal))
        world.places[number] = goal
        ends.append(barrel.free_us)
    world.truth.add(Happening(What.MIXED, at_us, max(ends)))
    return max(ends)


def _slide(hand: Hand, at_us: int, pose: Pose, goal: Vector) -> Motion:
    """Slide a standing barrel; the table carries it all the way."""
    span = between(hand.rng, *SLIDE_S)
    (x, y, z), (to_x, to_y, to_z) = pose.at_m, goal
    pieces = tuple(hand.reach(0.0, span, (to_x - x, to_y - y, to_z - z), 0.0))
    after = Pose(goal, pose.tilt_rad, pose.lean_rad, pose.support)
    return Motion("mix", at_us, at_us + seconds(span), pose, after, pieces, STANDING)
