"""What a phone that is a barrel sounds like tells no more of its stones than a barrel does."""

import statistics
from dataclasses import replace
from random import Random

from companion.present.simulated_hands import PhoneSamples
from companion.simulator.live.phone_barrel import PhoneBarrel
from companion.simulator.poses import Pose, Support
from companion.simulator.shaking import Shaking, shake
from companion.simulator.world import World
from companion.system.text import SeatName
from rappelwacht_research.phone_motions import USUAL, recorded

BATCH_MS = 100
SCRIPT = "0.1 blue lifts 7\nblue carries 7 for 2\nblue shakes 7 for 4"
STONES = 9


def table(seed: int) -> World:
    """Return a table at which blue holds a barrel."""
    world = World(Random(seed))
    world.hand = replace(world.hand, stones=Random(f"stones {seed}"))
    pose = Pose((0.0, 0.0, 0.2), support=Support.HAND)
    world.lay(STONES, world.places[STONES], pose, SeatName.BLUE)
    return world


def heard_by_phone(seed: int) -> int:
    """Return how often stones knock, if the same motion is felt at another table."""
    world, rows = table(seed), recorded(SCRIPT, 3)
    barrel = PhoneBarrel("phone", STONES, world, SeatName.BLUE)
    count = 0
    for number in range(int(rows[-1][0] / BATCH_MS)):
        part = [row for row in rows if number <= row[0] / BATCH_MS < number + 1]
        times, felt = (tuple(values) for values in zip(*part, strict=True))
        samples = PhoneSamples("phone", USUAL.down, USUAL.up, times, felt)
        count += len(barrel.take(samples, 1000 * BATCH_MS * (number + 1), lambda _: 0.5).knocks)
    return count


def heard(seed: int) -> int:
    """Return the same of a hand, which shakes alike each time."""
    world = table(seed)
    barrel, hand = world.barrels[STONES], replace(world.hand, rng=Random(3))
    how = Shaking(barrel.stones_g, barrel.shell_g, for_s=4)
    return len(shake(hand, 0, barrel.pose, how).rattle.knocks)


def test_each_handling_has_one_grip_as_a_hand_has() -> None:
    by_phone, by_hand = ([count(seed) for seed in range(16)] for count in (heard_by_phone, heard))
    spreads = [statistics.stdev(one) / statistics.mean(one) for one in (by_phone, by_hand)]
    assert spreads[0] > 0.7 * spreads[1]
