"""A script played on the simulated table: people act, and what breaks is broken at its time.

    with Cable(folder) as cable:
        table = ScriptedTable(read("4 blue lifts 7"), cable, seed=1)
        table.advance(10_000_000, port.pump)  # called with the time whenever a hub wrote something

A long script is arranged part after part, so that an evening of any length needs no more than one.
A part ends where nobody does anything any more.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from companion.simulator import actors, ground_truth, hands
from companion.simulator.cable import Cable
from companion.simulator.run import SimulatedTable
from companion.simulator.script import ScriptAct, ScriptLine
from companion.simulator.world import World
from companion.system.errors import BadScript
from rappelwacht_research import faults
from rappelwacht_research.faults import ScriptFault
from rappelwacht_research.mishaps import MISHAPS
from rappelwacht_research.reflex_pads import PadKind, fit

LONGEST_S: Final = 6 * 3600.0  # of table time; Ctrl-C ends it sooner
PART_US: Final = 60_000_000  # a part is longer than this, so that most scripts are one
AFTER_US: Final = 4_000_000  # how long a script's last line may echo
HOUR_S: Final = 3600


@dataclass(frozen=True, slots=True)
class SceneLine:
    """One line: at a time, or that long after the line before; with neither, when all is done."""

    number: int
    what: ScriptAct | ScriptFault
    at_s: float | None = None
    later_s: float | None = None


@dataclass(frozen=True, slots=True)
class Break:
    """A fault that a script asks for, and when; carrying it out is up to others."""

    at_us: int
    fault: ScriptFault


Lines = Iterable[SceneLine | ScriptLine]


def arrange(world: World, lines: Lines) -> tuple[Break, ...]:
    """Let people do what a script says, each line at its time; return its faults with theirs.

    >>> from random import Random
    >>> from companion.simulator.script import Verb
    >>> from companion.system.text import SeatName
    >>> lifts = SceneLine(1, ScriptAct(Verb.LIFT, SeatName.BLUE, (7,)), at_s=1.0)
    >>> fault = SceneLine(2, ScriptFault("loss", amount=0.3), later_s=0.5)
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
        elif isinstance(line, SceneLine) and line.later_s is not None:
            at_us += hands.seconds(line.later_s)
        else:
            at_us = max(at_us, world.now_free_us)
        if isinstance(line.what, ScriptAct):
            actors.do(world, line.what, at_us, MISHAPS)
        else:
            breaks.append(Break(at_us, line.what))
    return tuple(breaks)


class PlayedScript:
    """A script on its way, line by line; each line is asked for once those before are arranged."""

    def __init__(self, world: World, lines: Iterable[SceneLine]) -> None:
        self._world, self._rest = world, deque(lines)
        self._at_us = world.now_free_us

    def parts(self) -> Iterator[Iterator[SceneLine]]:
        """Yield part after part; arrange each before the next is asked for."""
        while self._rest:
            yield self._part()

    def _part(self) -> Iterator[SceneLine]:
        begun_us = self._begin_us(self._rest[0])
        while self._rest:
            line = self._rest[0]
            at_us = self._begin_us(line)
            if at_us > begun_us + PART_US and self._is_quiet(at_us):
                return
            if max(at_us, self._world.now_free_us) > hands.seconds(LONGEST_S):
                raise BadScript(
                    "line {line}: this would be after more than {hours} hours; end the script "
                    "before that, or split it in two.",
                    line=line.number,
                    hours=round(LONGEST_S / HOUR_S),
                )
            self._at_us = at_us
            self._rest.popleft()
            yield replace(line, at_s=at_us / 1e6, later_s=None)

    def _begin_us(self, line: SceneLine) -> int:
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


def play(table: SimulatedTable, lines: Iterable[SceneLine]) -> None:
    """Have people at any simulated table act as a script says, in which nothing breaks."""
    for part in PlayedScript(table.world, lines).parts():
        table.act(
            ScriptLine(line.number, line.what, line.at_s)
            for line in part
            if isinstance(line.what, ScriptAct)
        )


class ScriptedTable(SimulatedTable):
    """A simulated table at which a script is played, or evenings of any length, with faults.

    A script is arranged part after part: what is wrong late in a long one is raised then.
    """

    def __init__(
        self,
        lines: Iterable[SceneLine],
        cable: Cable,
        seed: int,
        *,
        pads: PadKind = PadKind.SWITCH,
        **how: Any,  # as a SimulatedTable takes it
    ) -> None:
        super().__init__(cable, seed, **how)
        fit(self.world, pads)
        self.arranged: Callable[[int], None] = lambda _: None  # from this time on, by `go_on`
        self.faults = faults.Faults(self)
        self.breaks: tuple[Break, ...] = ()  # of the part that was arranged last…
        self.done: list[ground_truth.Happening] = []  # …as is this
        self._broken_until_us = 0
        self.go_on(PlayedScript(self.world, lines).parts())

    @property
    def end_us(self) -> int:
        """Return when all that was arranged is over."""
        return max(self.world.now_free_us, self._broken_until_us) + AFTER_US

    def act(self, lines: Lines) -> None:
        """Arrange more of what people do and of what breaks."""
        before = len(self.world.truth.happenings)
        self.breaks = arrange(self.world, lines)
        self.done = self.world.truth.happenings[before:]
        for broken in self.breaks:
            self.at(broken.at_us, partial(self.faults.carry_out, broken.fault))
            end_us = broken.at_us + hands.seconds(faults.lasts_s(broken.fault))
            self._broken_until_us = max(self._broken_until_us, end_us)
        for number in self.stoppers:
            self.wake(number)

    def go_on(self, parts: Iterator[Lines]) -> None:
        """Arrange part after part, each when the one before is over; then that is forgotten."""
        part = next(parts, None)
        if part is not None:
            self.forget()
            self.act(part)
            self.arranged(self.now_us)
            self.at(self.world.now_free_us, partial(self.go_on, parts))
