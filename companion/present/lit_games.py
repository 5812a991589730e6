"""What the lights of the board show of the games beside Zapp Zerapp, in words.

It must not know lights nor times; a test holds it against the lights themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.core.game import Event
from companion.games.blackmore import rules as blackmore
from companion.games.trap_the_wizard import rules as trap_the_wizard
from companion.games.via_magica import rules as via_magica
from companion.games.zapp_zerapp.rules import Colour
from companion.present.lit_look import Lit
from companion.referee.commands import Act
from companion.referee.snapshot import Option, Snapshot
from companion.say import Text

TURN: Final = Lit(Text("Whose turn it is"), Text("A start and its seat breathe."))
WAITS: Final = Lit(
    Text("To be confirmed"),
    Text("A light runs from the start to the city of one colour."),
)
CAUGHT: Final = Lit(
    Text("What each has caught"),
    Text("A start and its seat breathe; in each quarter as many fields are dim."),
)
POINTS: Final = Lit(
    Text("How far a wizard moves"),
    Text("As many fields of the mover's quarter are steady; its start and seat breathe."),
)
REST: Final = Lit(
    Text("Points left over"),
    Text("As many fields of the mover's quarter breathe, with its start and seat."),
)
WOULD_CAPTURE: Final = Lit(
    Text("Who would be captured"),
    Text("A light runs from one start to its city; the start of the captured blinks fast."),
)
TRAPPING: Final[dict[type[Event], Lit]] = {  # what the lights tell for some seconds
    trap_the_wizard.CatchCounted: Lit(
        Text("The trap is shut"),
        Text("In each quarter as many fields flash twice as the round has brought points."),
    ),
    trap_the_wizard.WizardReturned: Lit(
        Text("Home with the catch"),
        Text("A comet runs clockwise over six fields to a start; the start of the other flashes."),
    ),
    trap_the_wizard.WizardCaptured: Lit(
        Text("Captured!"), Text("One start blinks fast, another breathes with its seat.")
    ),
    trap_the_wizard.NoWay: Lit(
        Text("Points that are lost"), Text("As many fields of a quarter blink fast.")
    ),
}
KEEP: Final = Lit(
    Text("Choose your portals"),
    Text("Who has to choose breathes, start and seat; who has chosen is steady."),
)
PORTALS: Final = Lit(
    Text("Opened portals"),
    Text("In each quarter as many fields are dim; the seventh portal is the city."),
)
ANIMUS: Final = Lit(
    Text("The animus"),
    Text(
        "In each quarter as many fields are lit as the bag holds: 6 for air, 5 water, 4 earth, 3 "
        "life, 2 fire, 1 shadow; a calm light passes over them."
    ),
)
JOKER: Final = Lit(Text("The joker"), Text("The ring is dark but for a comet that circles calmly."))
INCANTATUM: Final = Lit(Text("Incantatum!"), Text("Their starts and seats blink fast."))
OPENED: Final = Lit(
    Text("A portal opens"),
    Text("Two comets run from the start round both sides of the ring, again and again."),
)
WHEEL: Final = Lit(
    Text("The witch wheel"),
    Text(
        "Nine fields from the arrow are the values 1 to 9. The brightest is the highest, and a "
        "calm light runs down the ranks. Opposite, 1 to 6 fields: trump is red, yellow, green, "
        "blue, violet, white. The city of whoever wins so far is dim."
    ),
)
ROUND: Final = Lit(
    Text("A seat without lights"),
    Text("A light goes round the four cities: clockwise for violet, the other way for white."),
)
TRICK: Final = Lit(
    Text("The trick is won"),
    Text("The winner's city flashes twice; the whole wheel breathes, with a start and a seat."),
)
TURN_WHEEL: Final = Lit(
    Text("Shall the wheel turn?"),
    Text("The wheel as it would be, with a quick comet; a light runs from start to city."),
)


def offered(option: Option) -> Lit:
    """Return what an action is that a button has brought up."""
    events = {type(event) for event in option.preview}
    if trap_the_wizard.WizardCaptured in events:
        return WOULD_CAPTURE
    return TURN_WHEEL if blackmore.WheelTurned in events else WAITS


def scenes(now: Snapshot) -> Iterator[Lit]:
    """Yield what the lights show of a game that goes on, what matters most first."""
    happened = {type(event) for event in now.happened}
    match now.view:
        case trap_the_wizard.View(phase=phase):
            yield from (lit for event, lit in TRAPPING.items() if event in happened)
            turns = {trap_the_wizard.Phase.MOVE: POINTS, trap_the_wizard.Phase.REST: REST}
            yield turns.get(phase, CAUGHT)
        case via_magica.View():
            if via_magica.PortalOpened in happened:
                yield OPENED
            yield _conjuring(now.view, _told(now))
            calls = now.view.phase is via_magica.Phase.CALL
            yield from _rounds(now.view.queue if calls else now.view.turns)
        case blackmore.View():
            yield TRICK if now.view.phase is blackmore.Phase.CHANGE else TURN
            yield from _rounds(now.view.queue[:1])
            if now.view.ranking:
                yield WHEEL


def _rounds(seats: tuple[int, ...]) -> Iterator[Lit]:
    """Yield what is shown of those whose turn it is and who have no lights."""
    if max(seats, default=0) >= len(Colour):
        yield ROUND


def _told(now: Snapshot) -> str | None:
    """Return the animus that a button offers as the one that was caught."""
    for seat in now.seats:
        match None if seat.lit is None else seat.offers[seat.lit].wish:
            case Act(text) if text.startswith("catch "):
                return text.split()[-1]
    return None


def _conjuring(view: via_magica.View, told: str | None) -> Lit:
    match view.phase:
        case via_magica.Phase.KEEP:
            return KEEP
        case via_magica.Phase.CRYSTALLIZE:
            return JOKER if view.animus is via_magica.Animus.JOKER else ANIMUS
        case via_magica.Phase.CALL:
            return INCANTATUM
    if told is not None:
        return JOKER if told == "joker" else ANIMUS
    return PORTALS
