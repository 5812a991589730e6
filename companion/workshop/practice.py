"""A practice round without opponents: take, shake, place, flip, one after another.

It counts for nothing: no match is begun, and nothing is written. Sensors tell what was done; where
there are none, whoever practises says so.
"""

from __future__ import annotations

from companion.condition import State
from companion.format_names import format_name
from companion.sensing.findings import BarrelDoes, Doing
from companion.sensing.observations import PadChanged


@format_name("Mark")
class Mark(State):
    """What to do now, as a sentence."""

    TAKE = "Take a barrel in your hand."
    SHAKE = "Shake it close to your ear: how many stones are in it?"
    PLACE = "Want to keep it? Put it in the place in front of you."
    FLIP = (
        "In a real round you would wait for the others here. Now turn it over: there is its number!"
    )
    DONE = (
        "That is all there is to it. Too many stones, and you stay where you are; otherwise "
        "you move that far."
    )

    @property
    def next(self) -> Mark | None:
        """Return what comes then."""
        marks = [*Mark]
        return marks[marks.index(self) + 1] if self is not Mark.DONE else None


ALOFT = (Doing.LIFTED, Doing.SHAKEN, Doing.TILTED)


def after(mark: Mark, seen: object) -> Mark:
    """Return what to do after something was seen.

    >>> after(Mark.PLACE, PadChanged("red", True, 0)).name
    'FLIP'
    >>> after(Mark.TAKE, PadChanged("red", True, 0)).name
    'TAKE'
    """
    match mark, seen:
        case (Mark.TAKE, BarrelDoes(doing=doing)) if doing in ALOFT:
            return Mark.SHAKE
        case (Mark.SHAKE, BarrelDoes(doing=Doing.SHAKEN)):
            return Mark.PLACE
        case (Mark.PLACE, PadChanged(occupied=True)):
            return Mark.FLIP
        case (Mark.PLACE | Mark.FLIP, BarrelDoes(doing=Doing.FLIPPED)):
            return Mark.DONE
    return mark
