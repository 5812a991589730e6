"""What the lights mean in Trap the Wizard, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.core.game import Event
from companion.games.trap_the_wizard.rules import (
    CatchCounted,
    NoWay,
    Phase,
    View,
    WizardCaptured,
    WizardReturned,
)
from companion.present.lights.meaning import NUMBER, WAITS, Meaning
from companion.referee.commands import Act
from companion.referee.snapshot import Option, Snapshot
from companion.text import Text

CAUGHT: Final = Meaning(
    Text("What each has caught"),
    Text("A start and its seat breathe; each quarter shows that many dim fields."),
)
POINTS: Final = Meaning(
    Text("How far a wizard moves"),
    Text("That many fields of the mover's quarter are steady; its start and seat breathe."),
)
REST: Final = Meaning(
    Text("Points left over"),
    Text("That many fields of the mover's quarter breathe, with its start and seat."),
)
WOULD_CAPTURE: Final = Meaning(
    Text("Who would be captured"),
    Text("A light runs from one start to its city; the captured wizard's start blinks fast."),
)
SHUT: Final = Meaning(
    Text("The trap is shut"),
    Text("In each quarter, one field for every point that the round brought flashes twice."),
)
HOME: Final = Meaning(
    Text("Home with the catch"),
    Text("A comet runs clockwise over six fields to a start; the other wizard's start flashes."),
)
CAPTURED: Final = Meaning(
    Text("Captured!"), Text("One start blinks fast, another breathes with its seat.")
)
LOST: Final = Meaning(
    Text("Points that are lost"), Text("That many fields of a quarter blink fast.")
)
HAPPENED: Final[dict[type[Event], Meaning]] = {  # what the lights tell for some seconds
    CatchCounted: SHUT,
    WizardReturned: HOME,
    WizardCaptured: CAPTURED,
    NoWay: LOST,
}
PHASES: Final = {Phase.MOVE: POINTS, Phase.REST: REST}


def tell(now: Snapshot, view: View) -> Iterator[Meaning]:
    """Tell what is shown of a match."""
    happened = {type(event) for event in now.happened}
    yield from (meaning for event, meaning in HAPPENED.items() if event in happened)
    yield PHASES.get(view.phase, CAUGHT)


def tell_offer(_: Snapshot, offer: Option) -> Iterator[Meaning]:
    """Tell what a button has brought up."""
    match offer.wish:
        case Act(text) if text.startswith("roll"):
            yield NUMBER
        case _:
            captures = any(isinstance(event, WizardCaptured) for event in offer.preview)
            yield WOULD_CAPTURE if captures else WAITS
