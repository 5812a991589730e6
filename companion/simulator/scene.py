"""A script played on the simulated table: people act, and faults are handed back with their times.

It must not carry out faults; they concern links and chips, which are not physics.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.simulator.doing import do
from companion.simulator.hands import seconds
from companion.simulator.script import Act, Fault, Line
from companion.simulator.world import World


@dataclass(frozen=True, slots=True)
class Break:
    """A fault that a script asks for, and when; carrying it out is up to others."""

    at_us: int
    fault: Fault


def arrange(world: World, lines: Iterable[Line]) -> tuple[Break, ...]:
    r"""Let people do what a script says, each line at its time; return its faults with theirs.

    >>> from random import Random
    >>> from companion.simulator.script import read
    >>> world = World(Random(1))
    >>> arrange(world, read("1 blue lifts 7\n+0.5 fault loss 30%"))[0].at_us
    1500000
    >>> world.barrels[7].load_g(3_000_000)
    0.0
    """
    at_us, breaks = world.now_free_us, []
    for line in lines:
        if line.at_s is not None:
            at_us = seconds(line.at_s)
        elif line.later_s is not None:
            at_us += seconds(line.later_s)
        else:
            at_us = max(at_us, world.now_free_us)
        if isinstance(line.what, Act):
            do(world, line.what, at_us)
        else:
            breaks.append(Break(at_us, line.what))
    return tuple(breaks)
