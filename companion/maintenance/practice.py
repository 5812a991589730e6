"""The practice round: eight steps that show the game to whoever plays it for the first time.

Hands go from step to step where sensors tell, and a key goes on everywhere. It must not know what a
barrel holds: its magic number is always the same. A program that was stopped goes on with its step.

    practice.json   {"step": "SHAKE"}
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from companion.sensing.events import BarrelMotion, BarrelMoved
from companion.sensing.observations import PadChanged
from companion.system import format_names, small_files, status


@format_names.format_name("Mark")
class PracticeStep(status.Status):
    GOAL = "Your three apprentices want to go once around the mountain and into your city."
    DICE = "Two dice make the magic number. Let it be 8: your barrel may hold no more stones."
    SHAKE = "Take two barrels and shake each at your ear: which one holds more, but at most 8?"
    PLACE = "Put the one that you trust in the place in front of you."
    FLIP = "In a real round all wait for each other here. Now turn it over: there is its number!"
    MOVE = "At most 8? You move that many fields. More? Then you stay where you are."
    BANISH = (
        "Whomever you overtake or meet goes back to the start, unless they stand on their own "
        "colour."
    )
    PEEK = "Now be caught: take a barrel and look underneath it for a second."
    DONE = "That is all there is to it. Whoever brings three apprentices home first wins."

    @property
    def next(self) -> PracticeStep | None:
        return None if self is PracticeStep.DONE else STEPS[self.number]

    @property
    def number(self) -> int:
        """Return which step it is, from 1; what is told after the last is no step."""
        return STEPS.index(self) + 1

    @property
    def by_hand(self) -> bool:
        """Return whether something is to be done with a barrel."""
        return self in BY_HAND


STEPS: Final = tuple(PracticeStep)
COUNT: Final = len(STEPS) - 1
PHASES: Final = {  # of a round, in which that is done
    PracticeStep.GOAL: "none",
    PracticeStep.DICE: "roll",
    PracticeStep.SHAKE: "place",
    PracticeStep.PLACE: "place",
    PracticeStep.FLIP: "flip",
    PracticeStep.MOVE: "move",
    PracticeStep.BANISH: "move",
    PracticeStep.PEEK: "place",
    PracticeStep.DONE: "none",
}
BY_HAND: Final = (PracticeStep.SHAKE, PracticeStep.PLACE, PracticeStep.FLIP, PracticeStep.PEEK)


@dataclass(frozen=True, slots=True)
class Practice:
    """How far somebody has come.

    >>> Practice(PracticeStep.PLACE).after(PadChanged("red", True, 0)).step.name
    'FLIP'
    >>> Practice(PracticeStep.GOAL).after(PadChanged("red", True, 0)).step.name
    'GOAL'
    """

    step: PracticeStep = PracticeStep.GOAL
    taken: frozenset[int] = frozenset()  # the stoppers of barrels that were, to be compared
    open: frozenset[int] = frozenset()  # of those that were turned over: no secret any more
    looked: int | None = None  # below which somebody looks, or looked

    def after(self, seen: object) -> Practice:
        """Return how far it is after something was seen."""
        if isinstance(seen, BarrelMoved):
            return self._moved(seen.stopper, seen.doing)
        placed = isinstance(seen, PadChanged) and seen.occupied
        if placed and (self.step is PracticeStep.PLACE or self.taken):
            return Practice(PracticeStep.FLIP, open=self.open)
        return self

    def _moved(self, stopper: int, doing: BarrelMotion) -> Practice:
        now = self
        if doing is BarrelMotion.FLIPPED:
            now = replace(self, open=self.open | {stopper})
        elif doing is BarrelMotion.STANDING:
            now = replace(self, open=self.open - {stopper})
        match self.step, doing:
            case PracticeStep.SHAKE, BarrelMotion.LIFTED | BarrelMotion.SHAKEN:
                now = replace(now, taken=self.taken | {stopper})
                if doing is BarrelMotion.SHAKEN and len(now.taken) > 1:
                    return replace(now, step=PracticeStep.PLACE, taken=frozenset())
            case ((PracticeStep.PLACE | PracticeStep.FLIP), BarrelMotion.FLIPPED):
                return replace(now, step=PracticeStep.MOVE)
            case PracticeStep.PEEK, BarrelMotion.TILTED if stopper not in self.open:
                return replace(now, looked=stopper)
            case PracticeStep.PEEK, _ if stopper == self.looked:
                return replace(now, step=PracticeStep.DONE)
        return now


FILE: Final[small_files.SmallFile[PracticeStep | None]] = small_files.SmallFile(
    "practice.json",
    lambda step: small_files.to_json({"step": "" if step is None else step.name}),
    lambda data: PracticeStep[small_files.object_in(data)["step"]],
    1_000,
)


class KeptPractice:
    """Keeps the step on the disk for as long as somebody practises."""

    def __init__(self, folder: Path, report: status.Report = lambda _: None) -> None:
        self._folder = folder
        step = FILE.load(folder, None, report)
        lies = step in {PracticeStep.PLACE, PracticeStep.FLIP}  # where barrels lie is not kept
        self.begun = None if step is None else Practice(PracticeStep.SHAKE if lies else step)

    def keep(self, step: PracticeStep | None) -> None:
        """Write it, or erase it; where the disk fails, it is begun again after a power cut."""
        with suppress(OSError):
            if step is None:
                FILE.remove(self._folder)
            else:
                FILE.save(self._folder, step)
