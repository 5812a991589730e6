"""What the lights of the board show now, in words: the names of the page about them, and the looks.

It must not know lights nor times: what fades by itself is said as long as its snapshot is the
newest. A test holds it against the lights themselves.
"""

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
from companion.present import lit_games
from companion.present.lit_look import Lit
from companion.referee.commands import Act, RollForUs, Rule, TakeBack
from companion.referee.snapshot import Option, Snapshot
from companion.say import Text

__all__ = ["WARNED_US", "Lit", "scenes", "warned"]

WARNED_US: Final = 2_000_000  # one breath, as the lights have it

SET_UP: Final = Lit(
    Text("Who plays?"),
    Text("A joined start is steady and its city breathes; the other starts breathe, dimly."),
)
STANDING: Final = Lit(
    Text("Where the pawns stand"),
    Text("Steady and dim; a field that two colours share takes turns."),
)
VICTORY: Final = Lit(
    Text("Victory"),
    Text("Two comets chase each other round the ring; one city is steady."),
)
CAREFUL: Final = Lit(
    Text("Careful!"),
    Text("All fields beyond the magic number swell once, slowly, in place of the comet."),
)
ASKED: Final = Lit(
    Text("Which barrel stands there?"),
    Text("A start and its seat blink fast, together."),
)
FAULT: Final = Lit(
    Text("Something is out of order"),
    Text("Every eight seconds all four cities flash twice, over whatever else is shown."),
)
PHASES: Final = {
    Phase.ROLL: Lit(
        Text("Waiting for the roll"),
        Text("One start and its seat breathe; the ring is dark."),
    ),
    Phase.FLIP: Lit(
        Text("Flip now!"),
        Text("The magic number, all starts and all seats breathe as one."),
    ),
    Phase.SAY: Lit(
        Text("Read the numbers"),
        Text("The magic number is dim; what has to be told blinks fast, what is read is steady."),
    ),
    Phase.MOVE: Lit(
        Text("Whose turn it is"),
        Text("A start and its seat breathe; so do the fields, dimly, where pawns are steady."),
    ),
}
DICE: Final = Lit(
    Text("Shall the companion roll?"),
    Text("The whole ring sparkles, like dice in a hand."),
)
NUMBER: Final = Lit(
    Text("Was it this number?"),
    Text("That many fields are lit, with a comet along them; the rest of the ring is dark."),
)
PLACED: Final = Lit(
    Text("Placed?"),
    Text("A light runs from the start to the city of one colour."),
)
PAWN: Final = Lit(
    Text("This pawn?"),
    Text("A comet from the pawn to its end, which breathes; other ends breathe dimly."),
)
BANISHED: Final = Lit(
    Text("Who would be banished"),
    Text("They blink fast, and so does their start; who could come along flashes dimly."),
)
TAKEN: Final = Lit(
    Text("Who would be taken along"),
    Text("Its field and the end flash twice, then pause."),
)
TAKE_BACK: Final = Lit(
    Text("Take back?"),
    Text("A comet runs backwards around the whole ring."),
)
DISMISS: Final = Lit(
    Text("No foul?"),
    Text("Every third field, an open ring, and a comet that jumps along it."),
)
UPHOLD: Final = Lit(
    Text("A foul?"),
    Text("Every field, a closed ring, and a comet that runs along it."),
)


def scenes(now: Snapshot) -> Iterator[Lit]:
    """Yield what the lights show of a snapshot, what matters most first."""
    for seat in now.seats:
        if seat.lit is not None:
            yield from _offered(now, seat.offers[seat.lit])
    if any(seat.asked for seat in now.seats):
        yield ASKED
    if now.match is None:
        yield SET_UP
    elif now.outcome is not None:
        yield VICTORY
    elif isinstance(now.view, View):
        yield from _match(now, now.view)
    elif not now.over:
        yield from lit_games.scenes(now)
    if now.troubles:
        yield FAULT


def warned(now: Snapshot) -> bool:
    """Return whether somebody was seen doing what is forbidden just before this was published."""
    return now.warned_us is not None and 0 <= now.at_us - now.warned_us < WARNED_US


def _match(now: Snapshot, view: View) -> Iterator[Lit]:
    stand = any(START < step <= FIELDS for _, camp in view.pawns for step in camp)
    if not now.over:
        yield _shaking(view) if view.phase is Phase.PLACE else PHASES[view.phase]
        if view.phase is Phase.PLACE and warned(now):
            yield CAREFUL
    if stand and (now.over or view.phase in {Phase.ROLL, Phase.MOVE}):
        yield STANDING


def _shaking(view: View) -> Lit:
    return Lit(
        Text("Shake and choose"),
        Text(
            "{magic} fields are steady, a dim comet circles over the others; who placed is steady.",
            magic=view.magic,
        ),
    )


def _offered(now: Snapshot, offer: Option) -> Iterator[Lit]:
    """Yield what a button has brought up."""
    match offer.wish:
        case RollForUs():
            yield DICE
        case TakeBack():
            yield TAKE_BACK
        case Rule(upheld=upheld):
            yield UPHOLD if upheld else DISMISS
        case Act(text) if text.startswith(("roll", "say")):
            yield NUMBER
        case Act(text) if text.startswith("place"):
            yield PLACED
        case Act() if not isinstance(now.view, View):
            yield lit_games.offered(offer)
    events = {type(event) for event in offer.preview}
    if Moved in events:
        yield PAWN
        if Banished in events and not getattr(now.settings, "overlook", False):  # ZZ-20
            yield BANISHED
        if TakenAlong in events:
            yield TAKEN
