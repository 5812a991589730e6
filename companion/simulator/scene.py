"""A script played on the simulated table: people act, and faults are handed back with their times.

It must not carry out faults; those concern links and chips, which are not physics.

A long script is arranged part after part, so that an evening of any length needs no more than one.
A part ends where nobody does anything any more.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from companion.simulator import actors, hands, script
from companion.simulator.pads import PadKind
from companion.simulator.stones import SHELL_G, Stones
from companion.simulator.traits import KIND, Imperfections
from companion.simulator.world import World
from companion.system.errors import BadScript

PART_US: Final = 60_000_000  # a part is longer than this, so that most scripts are one
HOUR_S: Final = 3600


@dataclass(frozen=True, slots=True)
class Break:
    """A fault that a script asks for, and when; carrying it out is up to others."""

    at_us: int
    fault: script.ScriptFault


def arrange(world: World, lines: Iterable[script.ScriptLine]) -> tuple[Break, ...]:
    """Let people do what a script says, each line at its time; return its faults with theirs.

    >>> from random import Random
    >>> from companion.simulator.script import ScriptAct, ScriptFault, ScriptLine, Verb
    >>> from companion.system.text import SeatName
    >>> lifts = ScriptLine(1, ScriptAct(Verb.LIFT, SeatName.BLUE, (7,)), at_s=1.0)
    >>> fault = ScriptLine(2, ScriptFault("loss", amount=0.3), later_s=0.5)
    >>> world = World(Random(1))
    >>> arrange(world, (lifts, fault))[0].at_us
    1500000
    >>> world.barrels[7].load_g(3_000_000)
    0.0
    """
    at_us, breaks = world.now_free_us, []
    for line in lines:
        if line.at_s is not None:
            at_us = hands.seconds(line.at_s)
        elif line.later_s is not None:
            at_us += hands.seconds(line.later_s)
        else:
            at_us = max(at_us, world.now_free_us)
        if isinstance(line.what, script.ScriptAct):
            actors.do(world, line.what, at_us)
        else:
            breaks.append(Break(at_us, line.what))
    return tuple(breaks)


class PlayedScript:
    """A script on its way, line by line; each line is asked for once those before are arranged."""

    def __init__(self, world: World, lines: Iterable[script.ScriptLine]) -> None:
        self._world, self._rest = world, deque(lines)
        self._at_us = world.now_free_us

    def parts(self) -> Iterator[Iterator[script.ScriptLine]]:
        """Yield part after part; arrange each before the next is asked for."""
        while self._rest:
            yield self._part()

    def _part(self) -> Iterator[script.ScriptLine]:
        begun_us = self._begin_us(self._rest[0])
        while self._rest:
            line = self._rest[0]
            at_us = self._begin_us(line)
            if at_us > begun_us + PART_US and self._is_quiet(at_us):
                return
            if max(at_us, self._world.now_free_us) > hands.seconds(script.LONGEST_S):
                raise BadScript(
                    "line {line}: this would be after more than {hours} hours; end the script "
                    "before that, or split it in two.",
                    line=line.number,
                    hours=round(script.LONGEST_S / HOUR_S),
                )
            self._at_us = at_us
            self._rest.popleft()
            yield replace(line, at_s=at_us / 1e6, later_s=None)

    def _begin_us(self, line: script.ScriptLine) -> int:
        if line.at_s is not None:
            return hands.seconds(line.at_s)
        if line.later_s is not None:
            return self._at_us + hands.seconds(line.later_s)
        return max(self._at_us, self._world.now_free_us)

    def _is_quiet(self, at_us: int) -> bool:
        """Return whether all is done by then, and no later line goes back before it."""
        stated = next((line.at_s for line in self._rest if line.at_s is not None), None)
        free_us = self._world.now_free_us
        return free_us <= at_us and (stated is None or free_us <= hands.seconds(stated))


def world_of(
    seed: int,
    stones: Stones = Stones.BALLS_4_5_MM,
    pads: PadKind = PadKind.SWITCH,
    shell_g: float = SHELL_G,
    traits: Imperfections = KIND,
) -> World:
    """Return the same world that the table with this seed stands in."""
    rng = Random(f"world {seed}")  # noqa: S311 - a game and no secret
    return World(rng, stones=stones, pads=pads, shell_g=shell_g, traits=traits)
