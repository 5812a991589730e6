"""Simulated hands that do what measuring asks for: a demonstration, and a test that knows better.

Whoever has it calls `go` often, in the table's own thread.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

from companion.maintenance import measurement, view
from companion.simulator.hand_params import ScriptVigour
from companion.simulator.run import READY_US, SimulatedTable
from companion.simulator.script import ScriptAct, ScriptLine, Verb
from companion.system import chance, text

AskedStep = Callable[[], view.MeasuringShown | None]
READING_MS: Final = (400, 1_500)  # until somebody has read what is asked
HAND: Final = text.SeatName.RED  # whose hands do it
LIFT, BACK = ScriptAct(Verb.LIFT), ScriptAct(Verb.PUT_BACK)
SHAKE: Final = ScriptAct(Verb.SHAKE)
DOES: Final = {
    measurement.Task.SHAKE: (LIFT, replace(SHAKE, vigour=ScriptVigour.GENTLY), BACK),
    measurement.Task.PLAY: (
        *(LIFT, SHAKE, ScriptAct(Verb.CARRY, for_s=1.0)),
        *(replace(SHAKE, vigour=ScriptVigour.FIRMLY), BACK),
    ),
    measurement.Task.LOOK: (LIFT, ScriptAct(Verb.PEEK, for_s=1.0), BACK),
    measurement.Task.PLACE: (LIFT, ScriptAct(Verb.PLACE)),
    measurement.Task.BACK: (BACK,),
}


class AutoMeasure:
    """A person who does what a phone asks for."""

    def __init__(self, table: SimulatedTable, asked: AskedStep) -> None:
        self._table, self._asked = table, asked
        self._chance = Random(f"following {table.seed}")  # noqa: S311 - a game and no secret
        self._done: int | None = None  # the number of the step that was done last

    def go(self, now_us: int) -> None:
        """Do what is asked, once."""
        shown = self._asked()
        if shown is None or shown.number == self._done:
            self._done = None if shown is None else self._done
            return
        self._done = shown.number
        task, values = shown.asked.state, shown.asked.values
        if not isinstance(task, measurement.Task) or task not in DOES:
            return
        stopper, seat = values["stopper"], values.get("seat")
        assert isinstance(stopper, int)
        barrels = (self._table.world.barrel_of[stopper],)
        hand = seat if isinstance(seat, text.SeatName) else HAND
        least, most = READING_MS
        reading_us = 1_000 * (least + chance.below(self._chance, most - least))
        at_us = max(now_us + reading_us, self._table.world.now_free_us, READY_US)
        acts = [replace(act, seat=hand, barrels=barrels) for act in DOES[task]]
        first, *others = (ScriptLine(number, act) for number, act in enumerate(acts, 1))
        self._table.act((replace(first, at_s=round(at_us / 1e6, 3)), *others))
