"""Steps of a measurement: what people are asked to do.

What is asked is the truth against which the sensors are judged, so each step is something that
everybody can do just so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.system import format_names, status


@format_names.format_name("Task")
class Task(status.Status):
    REST = "Leave all barrels standing, and do not touch anything until the bar is full."
    SHAKE = "Lift barrel {stopper}, shake it gently for a moment, and put it back."
    PLAY = (
        "Take barrel {stopper} as you would in a game: shake it, carry it about, but never look "
        "underneath. Then put it back."
    )
    LOOK = "Lift barrel {stopper}, look underneath for a whole second, and put it back."
    PLACE = "Lift barrel {stopper}, and put it on {seat}'s pad."
    BACK = "Take barrel {stopper} off {seat}'s pad, and put it back."

    @property
    def clean(self) -> bool:
        """Whether nobody looks underneath, so that an accusation would be a false one."""
        return self in {Task.SHAKE, Task.PLAY, Task.PLACE, Task.BACK}

    @property
    def handles(self) -> bool:
        """Whether a barrel is lifted at all."""
        return self is not Task.REST


@dataclass(frozen=True, slots=True)
class MeasuringStep:
    task: Task
    stopper: int | None = None
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class DoneStep:
    """A step that was done as asked, and from when to when."""

    step: MeasuringStep
    from_us: int
    to_us: int
    noticed: bool = True  # False: people did it, and the sensors slept


def steps(stoppers: Sequence[int], seats: Sequence[str]) -> tuple[MeasuringStep, ...]:
    """Return all that is asked; no barrel is placed where there are no pads.

    >>> [one.task.name for one in steps([3], ["red"])]
    ['REST', 'SHAKE', 'LOOK', 'PLAY', 'PLACE', 'BACK', 'REST']
    """
    asked = [MeasuringStep(Task.REST)]
    for task in (Task.SHAKE, Task.LOOK, Task.PLAY):
        asked += [MeasuringStep(task, stopper) for stopper in stoppers]
    for place, stopper in enumerate(stoppers if seats else ()):
        seat = seats[place % len(seats)]
        asked += [MeasuringStep(Task.PLACE, stopper, seat), MeasuringStep(Task.BACK, stopper, seat)]
    return (*asked, MeasuringStep(Task.REST))


def as_note(done: DoneStep) -> dict[str, Any]:
    """Return a step as a recording keeps it.

    >>> as_note(DoneStep(MeasuringStep(Task.LOOK, 3), 5, 9))["task"]
    'look'
    """
    step = done.step
    named = {"task": step.task.name.lower(), "stopper": step.stopper, "seat": step.seat}
    times = {"from_us": done.from_us, "to_us": done.to_us, "noticed": done.noticed}
    return {"kind": "done", **named, **times}


AGAIN: Final = {"kind": "again"}  # the step that was done last does not count
