"""Simulated hands that do what measuring asks for: a demonstration, and a test that knows better.

Whoever has it calls `go` often, in the table's own thread.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from companion.maintenance import measuring_steps, view
from companion.simulator.run import READY_US, SimulatedTable
from companion.simulator.script import read
from companion.system import chance, text

AskedStep = Callable[[], view.MeasuringShown | None]
READING_MS: Final = (400, 1_500)  # until somebody has read what is asked
HAND: Final = "red"  # whose hands do it
DOES: Final = {
    measuring_steps.Task.SHAKE: "{hand} lifts {n}\n{hand} shakes {n} gently\n{hand} puts back {n}",
    measuring_steps.Task.PLAY: (
        "{hand} lifts {n}\n{hand} shakes {n}\n{hand} carries {n} for 1\n{hand} shakes {n} firmly\n"
        "{hand} puts back {n}"
    ),
    measuring_steps.Task.LOOK: "{hand} lifts {n}\n{hand} peeks {n} for 1\n{hand} puts back {n}",
    measuring_steps.Task.PLACE: "{hand} lifts {n}\n{hand} places {n}",
    measuring_steps.Task.BACK: "{hand} puts back {n}",
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
        if not isinstance(task, measuring_steps.Task) or task not in DOES:
            return
        stopper, seat = values["stopper"], values.get("seat")
        barrels = {stopper: barrel for barrel, stopper in self._table.world.stoppers.items()}
        assert isinstance(stopper, int)
        hand = seat.name.lower() if isinstance(seat, text.SeatName) else HAND
        least, most = READING_MS
        reading_us = 1_000 * (least + chance.below(self._chance, most - least))
        at_us = max(now_us + reading_us, self._table.world.now_free_us, READY_US)
        script = DOES[task].format(hand=hand, n=barrels[stopper])
        self._table.act(read(f"{at_us / 1e6:.3f} {script}"))
