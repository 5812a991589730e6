"""What the lights show of Trap the Wizard: whose quarter has how many points, and who is trapped.

The board of this game has no lights; but a die has six sides, and a quarter of the ring has six
fields.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from companion.core import Event, Seat, Text
from companion.games.trap_the_wizard import rules
from companion.present.lights import canvas, contract, example, legend, patterns, scenes
from companion.present.lights.canvas import DIM, QUARTER, breathe, count, lamps
from companion.referee.commands import DoAction
from companion.referee.snapshot import ButtonOption, SeatView, Snapshot

CAUGHT: Final = legend.LegendEntry(
    Text("What each has caught"),
    Text("A start and its seat breathe; each quarter shows that many dim fields."),
)
POINTS_MEANING: Final = legend.LegendEntry(
    Text("How far a wizard moves"),
    Text("That many fields of the mover's quarter are steady; its start and seat breathe."),
)
REST: Final = legend.LegendEntry(
    Text("Points left over"),
    Text("That many fields of the mover's quarter breathe, with its start and seat."),
)
WOULD_CAPTURE: Final = legend.LegendEntry(
    Text("Who would be captured"),
    Text("A light runs from one start to its city; the captured wizard's start blinks fast."),
)
SHUT: Final = legend.LegendEntry(
    Text("The trap is shut"),
    Text("In each quarter, one field for every point that the round brought flashes twice."),
)
HOME: Final = legend.LegendEntry(
    Text("Home with the catch"),
    Text("A comet runs clockwise over six fields to a start; the other wizard's start flashes."),
)
CAPTURED: Final = legend.LegendEntry(
    Text("Captured!"), Text("One start blinks fast, another breathes with its seat.")
)
LOST: Final = legend.LegendEntry(
    Text("Points that are lost"), Text("That many fields of a quarter blink fast.")
)
HAPPENED: Final[dict[type[Event], legend.LegendEntry]] = {  # what the lights tell for some seconds
    rules.CatchCounted: SHUT,
    rules.WizardReturned: HOME,
    rules.WizardCaptured: CAPTURED,
    rules.NoWay: LOST,
}
PHASES: Final = {rules.Phase.MOVE: POINTS_MEANING, rules.Phase.REST: REST}


def tell(now: Snapshot, view: rules.View) -> Iterator[legend.LegendEntry]:
    happened = {type(event) for event in now.happened}
    yield from (meaning for event, meaning in HAPPENED.items() if event in happened)
    yield PHASES.get(view.phase, CAUGHT)


def tell_offer(_: Snapshot, offer: ButtonOption) -> Iterator[legend.LegendEntry]:
    match offer.wish:
        case DoAction(text) if text.startswith("roll"):
            yield legend.NUMBER
        case _:
            captures = any(isinstance(event, rules.WizardCaptured) for event in offer.preview)
            yield WOULD_CAPTURE if captures else legend.WAITS


POINTS: Final = {rules.Phase.MOVE: patterns.steady, rules.Phase.REST: patterns.pulse}


def draw(picture: canvas.LightCanvas, now: Snapshot, view: rules.View, at_us: int) -> None:
    if view.phase in POINTS:
        count(picture, view.player, view.points, POINTS[view.phase](at_us))
    else:
        for seat, number in caught(view):
            count(picture, seat, number, DIM)
    breathe(picture, [view.player], at_us)
    previews = (event for option in scenes.lit_offers(now) for event in option.preview)
    for event in (*scenes.recent(now, at_us), *previews):
        _tell(picture, event, at_us)


def caught(view: rules.View) -> tuple[tuple[rules.Robe, int], ...]:
    """Return how many wizards of others each player holds or has brought home in this round."""
    taken = dict(view.taken)
    return tuple(
        (
            seat,
            sum(wizard.opponents(seat) for wizard in camp)
            + sum(captive is not rules.Robe.JOKER for captive in taken[seat]),
        )
        for seat, camp in view.wizards
    )


def _tell(picture: canvas.LightCanvas, event: Event, at_us: int) -> None:
    """Draw what happens to wizards, so that people put them where they belong."""
    match event:
        case rules.WizardCaptured(victim=victim):
            _starts(picture, [victim], patterns.blink(at_us))
        case rules.CaptivesReleased(captives=freed):
            _starts(picture, freed, patterns.steady(at_us))
        case rules.WizardReturned(seat=seat):
            _home(picture, seat, at_us)
        case rules.CaptivesBroughtHome(captives=out):
            _starts(picture, out, patterns.double(at_us))
        case rules.NoWay(seat=seat, points=points):
            count(picture, seat, points, patterns.blink(at_us))
        case rules.CatchCounted(seat=seat, points=points):
            count(picture, seat, points, patterns.double(at_us))


def _starts(picture: canvas.LightCanvas, seats: Iterable[Seat], brightness: float) -> None:
    for seat in lamps(seats):
        picture.clear([canvas.STARTS + seat])
        picture.draw(canvas.STARTS + seat, canvas.COLOURS[seat], brightness)


def _home(picture: canvas.LightCanvas, seat: rules.Robe, at_us: int) -> None:
    """Let a comet run clockwise to the start, over the quarter before it."""
    for colour in lamps([seat]):
        first = QUARTER * (colour - 1)
        way = (*((first + step) % canvas.FIELDS for step in range(QUARTER)), canvas.STARTS + colour)
        picture.clear(way)
        for place, light in enumerate(way):
            picture.draw(light, canvas.COLOURS[colour], patterns.comet(place, len(way), at_us))


def draw_offer(
    picture: canvas.LightCanvas, now: Snapshot, _: SeatView, offer: ButtonOption, at_us: int
) -> bool:
    """Draw what the die may show, in the quarter of whoever rolls."""
    match offer.wish:
        case DoAction(text) if text.startswith("roll"):
            scenes.draw_number(picture, QUARTER * now.view.player, int(text.split()[-1]), at_us)
            return True
    return False


LIGHTS: Final = contract.Lights(draw, tell, draw_offer, tell_offer)


trapping = partial(example.played, rules.TrapTheWizard())
for_two = partial(
    example.played,
    rules.TrapTheWizard(rules.Settings((rules.Robe.RED, rules.Robe.GREEN), pass_over=False)),
)
EXAMPLE_CAUGHT: Final = example.steps(
    "roll 4; move red start 54; roll 1; move green start 18; roll 4; move blue start 66; "
    "roll 5; move yellow start 40; roll 1; move red 54 53; roll 3; move green 18 21; "
    "roll 1; move blue start 31; roll 3; move yellow start 42; roll 6; move red 53 75; "
    "roll 4; move red start 54; roll 6; move green start 62; roll 4; move green 62 68; "
    "roll 2; move blue 66 68; roll 6; move yellow 40 71; roll 4; move yellow 71 75; "
    "roll 6; move red 54 68; roll 5; move red 68 31"
)
EXAMPLE_HOME: Final = example.steps(
    "roll 5; move red start 9; roll 3; move green start 59; roll 6; move blue start 26; "
    "roll 4; move blue 26 22; roll 4; move yellow start 41; roll 5; move red start 1; "
    "roll 6; move green 59 22; roll 5; move green 22 start"
)
LEFT_OVER: Final = example.steps(
    "roll 1; move red start 5; roll 6; move green start 62; roll 4; move green 62 74; "
    "roll 5; move blue start 27; roll 6; move yellow start 74; roll 5; move yellow 74 44; "
    "roll 5; move red start 55; roll 5; move green start 14; roll 2; move blue start 32; "
    "roll 3; move yellow 44 start"
)
EXAMPLE_LOST: Final = example.steps(
    "roll 3; move red start 7; roll 6; move green start 13; roll 6; move green 13 7; roll 4; "
    "move green start 15; roll 1; move red start 5; roll 2; move green 7 5; roll 4"
)
EXAMPLE_SHUT: Final = example.steps(
    "roll 1; move red start 5; roll 3; move green start 16; roll 4; move red 5 55; roll 5; "
    "move green 16 11; roll 5; move red start 55; roll 4; move green start 21; roll 1; "
    "move red start 5; roll 6; move green 11 5; roll 4; move green 5 55"
)
EXAMPLES: Final = (
    example.Example(
        "trap-roll",
        CAUGHT,
        Text("Trap the Wizard: green may roll. Red has caught three wizards, yellow has one."),
        lambda: trapping(*EXAMPLE_CAUGHT),
    ),
    example.Example(
        "trap-points",
        POINTS_MEANING,
        Text("Trap the Wizard: yellow has rolled a 6."),
        lambda: trapping(*LEFT_OVER[:9]),
    ),
    example.Example(
        "trap-choice",
        WOULD_CAPTURE,
        Text("Trap the Wizard: yellow's button offers a move that would capture a green wizard."),
        lambda: trapping(*LEFT_OVER[:9], lit=("yellow", DoAction("move yellow start 74"))),
    ),
    example.Example(
        "trap-caught",
        CAPTURED,
        Text("Trap the Wizard: yellow has captured a green wizard. It may roll again."),
        lambda: trapping(*LEFT_OVER[:10]),
        acted_us=example.JUST_NOW,
    ),
    example.Example(
        "trap-home",
        HOME,
        Text("Trap the Wizard: green brings a blue wizard home, and that one is out of the game."),
        lambda: trapping(*EXAMPLE_HOME),
        acted_us=example.JUST_NOW,
    ),
    example.Example(
        "trap-rest",
        REST,
        Text("Trap the Wizard: yellow came home; another of its wizards may move on by 2."),
        lambda: trapping(*LEFT_OVER),
    ),
    example.Example(
        "trap-lost",
        LOST,
        Text("Trap the Wizard: red has rolled a 4, and none of its wizards can use it."),
        lambda: for_two(*EXAMPLE_LOST),
        acted_us=example.JUST_NOW,
    ),
    example.Example(
        "trap-round",
        SHUT,
        Text("Trap the Wizard: the round is over, and green scores three wizards."),
        lambda: for_two(*EXAMPLE_SHUT),
        acted_us=example.JUST_NOW,
    ),
)
LIGHT_EXAMPLES: Final = example.LightExamples(EXAMPLES)
