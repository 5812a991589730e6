"""What the lights mean in Zapp Zerapp, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.games.zapp_zerapp.rules import (
    FIELDS,
    START,
    Banished,
    Moved,
    Phase,
    TakenAlong,
    View,
)
from companion.present.lights.meaning import NUMBER, WAITS, Meaning
from companion.present.lights.recent import warns
from companion.referee.commands import Act
from companion.referee.snapshot import Option, Snapshot
from companion.text import Text

STANDING: Final = Meaning(
    Text("Where the pawns stand"),
    Text("Steady and dim; a field that two colours share switches between them."),
)
ROLL: Final = Meaning(
    Text("Waiting for the roll"),
    Text("One start and its seat breathe; the ring is dark."),
)
CAREFUL: Final = Meaning(
    Text("Careful!"),
    Text(
        "All fields beyond the magic number brighten and fade once, slowly, instead of the comet."
    ),
)
PLACED: Final = Meaning(Text("Placed?"), WAITS.look)
FLIP: Final = Meaning(
    Text("Flip now!"),
    Text("The magic number, all starts and all seats breathe as one."),
)
SAY: Final = Meaning(
    Text("Read the numbers"),
    Text(
        "The magic number is dim; seats whose number is still to be read blink fast, the others "
        "are steady."
    ),
)
MOVE: Final = Meaning(
    Text("Whose turn it is"),
    Text(
        "A start and its seat breathe; so, dimly, do the fields where a pawn may end. Pawns are "
        "steady."
    ),
)
PAWN: Final = Meaning(
    Text("This pawn?"),
    Text(
        "A comet runs from the pawn to where it would end, which breathes; the other choices "
        "breathe dimly."
    ),
)
BANISHED: Final = Meaning(
    Text("Who would be banished"),
    Text("They blink fast, and so does their start; a pawn that could come along flashes dimly."),
)
TAKEN: Final = Meaning(
    Text("Who would be taken along"),
    Text("Its field and the one it would go to flash twice, then pause."),
)
MOVED: Final = Meaning(
    Text("Moved!"),
    Text("No comet now: the field where the move ended is steady, banished pawns blink fast."),
)


def shaking(magic: int) -> Meaning:
    """Return what is shown while barrels are shaken."""
    return Meaning(
        Text("Shake and choose"),
        Text(
            "{magic} fields are steady, a dim comet circles over the others; whoever has placed "
            "is steady.",
            magic=magic,
        ),
    )


def tell(now: Snapshot, view: View) -> Iterator[Meaning]:
    """Tell what is shown of a match."""
    match view.phase:
        case Phase.ROLL:
            yield ROLL
        case Phase.PLACE:
            yield shaking(view.magic)
            if warns(now, now.at_us):
                yield CAREFUL
        case Phase.FLIP:
            yield FLIP
        case Phase.SAY:
            yield SAY
        case Phase.MOVE:
            yield MOVE
    if view.phase in {Phase.ROLL, Phase.MOVE}:
        yield from tell_pawns(now, view)


def tell_pawns(_: Snapshot, view: View) -> Iterator[Meaning]:
    """Tell that pawns are shown, if any stands on the ring."""
    if any(START < step <= FIELDS for _, camp in view.pawns for step in camp):
        yield STANDING


def tell_offer(now: Snapshot, offer: Option) -> Iterator[Meaning]:
    """Tell what a button has brought up."""
    match offer.wish:
        case Act(text) if text.startswith(("roll", "say")):
            yield NUMBER
        case Act(text) if text.startswith("place"):
            yield PLACED
    events = {type(event) for event in offer.preview}
    if Moved in events:
        yield PAWN
        if Banished in events and not now.settings.overlook:  # ZZ-20
            yield BANISHED
        if TakenAlong in events:
            yield TAKEN
