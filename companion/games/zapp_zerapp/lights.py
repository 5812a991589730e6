"""What the lights show of Zapp Zerapp: the magic number, who placed, where the pawns stand."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from companion.core import Event, Text
from companion.games.zapp_zerapp import rules
from companion.journal import JournalState
from companion.present.lights import canvas, contract, example, legend, patterns, scenes
from companion.present.lights.legend import NUMBER, WAITS, LegendEntry
from companion.referee import commands, events
from companion.referee.commands import DoAction
from companion.referee.snapshot import ButtonOption, SeatView, Snapshot
from companion.system.status import Condition

STANDING: Final = LegendEntry(
    Text("Where the pawns stand"),
    Text("Steady and dim; a field that two colours share switches between them."),
)
ROLL: Final = LegendEntry(
    Text("Waiting for the roll"), Text("One start and its seat breathe; the ring is dark.")
)
CAREFUL: Final = LegendEntry(
    Text("Careful!"),
    Text(
        "All fields beyond the magic number brighten and fade once, slowly, instead of the comet."
    ),
)
PLACED: Final = LegendEntry(Text("Placed?"), WAITS.look)
FLIP: Final = LegendEntry(
    Text("Flip now!"), Text("The magic number, all starts and all seats breathe as one.")
)
SAY: Final = LegendEntry(
    Text("Read the numbers"),
    Text(
        "The magic number is dim; seats whose number is still to be read blink fast, the others "
        "are steady."
    ),
)
MOVE: Final = LegendEntry(
    Text("Whose turn it is"),
    Text(
        "A start and its seat breathe; so, dimly, do the fields where a pawn may end. Pawns are "
        "steady."
    ),
)
PAWN: Final = LegendEntry(
    Text("This pawn?"),
    Text(
        "A comet runs from the pawn to where it would end, which breathes; the other choices "
        "breathe dimly."
    ),
)
BANISHED: Final = LegendEntry(
    Text("Who would be banished"),
    Text("They blink fast, and so does their start; a pawn that could come along flashes dimly."),
)
TAKEN: Final = LegendEntry(
    Text("Who would be taken along"),
    Text("Its field and the one it would go to flash twice, then pause."),
)
MOVED: Final = LegendEntry(
    Text("Moved!"),
    Text("No comet now: the field where the move ended is steady, banished pawns blink fast."),
)


def shaking(magic: int) -> LegendEntry:
    """Return what is shown while barrels are shaken."""
    return LegendEntry(
        Text("Shake and choose"),
        Text(
            "{magic} fields are steady, a dim comet circles over the others; whoever has placed "
            "is steady.",
            magic=magic,
        ),
    )


def tell(now: Snapshot, view: rules.View) -> Iterator[LegendEntry]:
    match view.phase:
        case rules.Phase.ROLL:
            yield ROLL
        case rules.Phase.PLACE:
            yield shaking(view.magic)
            if scenes.warns(now, now.at_us):
                yield CAREFUL
        case rules.Phase.FLIP:
            yield FLIP
        case rules.Phase.SAY:
            yield SAY
        case rules.Phase.MOVE:
            yield MOVE
    if view.phase in {rules.Phase.ROLL, rules.Phase.MOVE}:
        yield from tell_pawns(now, view)


def tell_pawns(_: Snapshot, view: rules.View) -> Iterator[LegendEntry]:
    """Tell that pawns are shown, if any stands on the ring."""
    if any(rules.START < step <= rules.FIELDS for _, camp in view.pawns for step in camp):
        yield STANDING


def tell_offer(now: Snapshot, offer: ButtonOption) -> Iterator[LegendEntry]:
    match offer.wish:
        case DoAction(text) if text.startswith(("roll", "say")):
            yield NUMBER
        case DoAction(text) if text.startswith("place"):
            yield PLACED
    events = {type(event) for event in offer.preview}
    if rules.Moved in events:
        yield PAWN
        if rules.Banished in events and not now.settings.overlook:  # ZZ-20
            yield BANISHED
        if rules.TakenAlong in events:
            yield TAKEN


SHARED_US: Final = 1_000_000  # each colour on a field that several share


def light_of(settings: rules.Settings, colour: rules.Colour, step: int) -> int:
    """Return the light at a step of a colour's way.

    >>> [light_of(rules.Settings(), rules.Colour.BLUE, n) for n in (rules.START, 1, 24, rules.CITY)]
    [26, 12, 11, 30]
    """
    if step == rules.START:
        return canvas.STARTS + colour
    return canvas.CITIES + colour if step == rules.CITY else settings.board.field(colour, step)


def draw_pawns(picture: canvas.LightCanvas, now: Snapshot, view: rules.View, at_us: int) -> None:
    """Show where the pawns stand, dimly, so that a wrong position is seen."""
    standing: dict[int, list[rules.Colour]] = {}
    for colour, camp in view.pawns:
        for step in {*camp}:
            standing.setdefault(light_of(now.settings, colour, step), []).append(colour)
    for light, colours in standing.items():
        shown = colours[at_us // SHARED_US % len(colours)]
        picture.draw(light, canvas.COLOURS[shown], canvas.DIM)


def draw_ends(picture: canvas.LightCanvas, now: Snapshot, brightness: float, at_us: int) -> None:
    """Show where pawns may end, and who can be taken along by the pawn that is chosen, if any."""
    for seat in now.seats:
        moves = [(move, offer) for offer in seat.offers if (move := move_of(offer.preview))]
        chosen = None if seat.lit is None else move_of(seat.offers[seat.lit].preview)
        for move, offer in moves:
            _draw_pawn(picture, now, move.seat, move.end, brightness * patterns.pulse(at_us))
            if chosen and chosen.start == move.start:
                for event in offer.preview:
                    if isinstance(event, rules.TakenAlong):
                        colour = canvas.COLOURS[event.pawn.colour]
                        picture.draw(event.field, colour, brightness * patterns.double(at_us))


def move_of(events: Iterable[Event]) -> rules.Moved | None:
    """Return the move among the events that something would bring about."""
    return next((event for event in events if isinstance(event, rules.Moved)), None)


def draw_move(
    picture: canvas.LightCanvas,
    now: Snapshot,
    moved: rules.Moved,
    events: Iterable[Event],
    at_us: int,
) -> None:
    """Draw what a move would bring about: from where, which way, to where, and who else."""
    colour = canvas.COLOURS[moved.seat]
    _draw_pawn(picture, now, moved.seat, moved.start, 1.0)
    for place, light in enumerate(moved.path):
        picture.draw(light, colour, patterns.comet(place, len(moved.path), at_us))
    _draw_pawn(picture, now, moved.seat, moved.end, patterns.pulse(at_us))
    for event in events:
        # ZZ-20: nobody is shown
        if not (now.settings.overlook and isinstance(event, rules.Banished)):
            _draw_other(picture, now, event, at_us)


def draw_moved(picture: canvas.LightCanvas, now: Snapshot, at_us: int) -> None:
    """Draw what was confirmed, so that people move the pawns that are to be moved."""
    for event in scenes.recent(now, at_us):
        if isinstance(event, rules.Moved):
            _draw_pawn(picture, now, event.seat, event.end, 1.0)
        _draw_other(picture, now, event, at_us)


def _draw_other(picture: canvas.LightCanvas, now: Snapshot, event: Event, at_us: int) -> None:
    """Draw a pawn that somebody else's move banishes or takes along."""
    match event:
        case rules.Banished(pawn=pawn, field=field):
            for light in (field, canvas.STARTS + pawn.colour):
                picture.draw(light, canvas.COLOURS[pawn.colour], patterns.blink(at_us))
        case rules.TakenAlong(pawn=pawn, field=field, end=end):
            picture.draw(field, canvas.COLOURS[pawn.colour], patterns.double(at_us))
            _draw_pawn(picture, now, pawn.colour, end, patterns.double(at_us))


def _draw_pawn(
    picture: canvas.LightCanvas, now: Snapshot, colour: rules.Colour, step: int, brightness: float
) -> None:
    picture.draw(light_of(now.settings, colour, step), canvas.COLOURS[colour], brightness)


OTHERS, CALM = 0.45, 0.5  # how bright to the eye
ALL_PLACED: Final[patterns.Melody] = ((880, 120_000),)  # short: flip now


def draw(picture: canvas.LightCanvas, now: Snapshot, view: rules.View, at_us: int) -> None:
    match view.phase:
        case rules.Phase.ROLL:
            draw_pawns(picture, now, view, at_us)
            canvas.breathe(picture, [view.roller], at_us)
        case rules.Phase.PLACE:
            _shaking(picture, now, view, at_us)
        case rules.Phase.FLIP:
            _magic(picture, view.magic, patterns.pulse(at_us))
            canvas.breathe(picture, view.placed, at_us)
        case rules.Phase.SAY:
            _reading(picture, view, at_us)
        case rules.Phase.MOVE:
            draw_pawns(picture, now, view, at_us)
            canvas.breathe(picture, view.turns, at_us)
            draw_ends(picture, now, OTHERS, at_us)
    draw_moved(picture, now, at_us)


def _magic(picture: canvas.LightCanvas, number: int, brightness: float) -> None:
    picture.fill(range(min(number, canvas.FIELDS)), canvas.WHITE, brightness)


def _shaking(picture: canvas.LightCanvas, now: Snapshot, view: rules.View, at_us: int) -> None:
    """The magic number stays visible while the rest of the ring swirls calmly, or warns."""
    rest = range(view.magic, canvas.FIELDS)
    if not scenes.warns(now, at_us):
        for place, light in enumerate(rest):
            picture.draw(light, canvas.VIOLET, CALM * patterns.swirl(place, len(rest), at_us))
    _magic(picture, view.magic, 1.0)
    canvas.hold(picture, view.placed)
    for turn in view.turns:
        picture.seat(turn, OTHERS * patterns.pulse(at_us))


def _reading(picture: canvas.LightCanvas, view: rules.View, at_us: int) -> None:
    """After the flip: whose number is still to be read."""
    _magic(picture, view.magic, OTHERS)
    read = {seat for seat, _ in view.numbers}
    canvas.hold(picture, read & {*view.placed})
    canvas.ask(picture, {*view.placed} - read, at_us)


def draw_offer(
    picture: canvas.LightCanvas, now: Snapshot, seat: SeatView, offer: ButtonOption, at_us: int
) -> bool:
    """Draw an action that a button has brought up."""
    if move := move_of(offer.preview):
        draw_move(picture, now, move, offer.preview, at_us)
        return True
    match offer.wish:
        case DoAction(text) if text.startswith(("roll", "say")):
            scenes.draw_number(picture, 0, int(text.split()[-1]), at_us)
            return True
        case DoAction(text) as wish if text.startswith("putback"):
            scenes.draw_wait(picture, scenes.seat_of_offer(wish, seat), at_us, backwards=True)
            return True
    return False


def melody(now: Snapshot) -> patterns.Melody:
    """Return what sounds when all have placed a barrel."""
    flip = any(isinstance(event, rules.Placed) and not event.waiting for event in now.happened)
    return ALL_PLACED if flip else patterns.SILENT


LIGHTS: Final = contract.Lights(
    draw, tell, draw_offer, tell_offer, draw_left=draw_pawns, tell_left=tell_pawns, melody=melody
)


racing = partial(example.played, rules.ZappZerapp(rules.Settings(profi=True)))
PAWNS: Final = (
    "correct pawns red:2,red:9,red:start,green:22,green:4,green:start,"
    "blue:18,blue:20,blue:start,yellow:5,yellow:start,yellow:city"
)
SHAKING: Final = ("roll 8", PAWNS, "place green", "place yellow")
EXAMPLE_FLIP: Final = (*SHAKING, "place red", "place blue")
READ: Final = (*EXAMPLE_FLIP, "flip", "say green 4", "say yellow 11")
EXAMPLE_MOVE: Final = (*READ, "say red 8", "say blue 13")
LAST: Final = (
    "correct pawns red:20,red:city,red:city,green:9,green:start,green:start",
    "roll 8",
    *EXAMPLE_FLIP[2:],
    *EXAMPLE_MOVE[len(EXAMPLE_FLIP) :],
    "move red 20",
)
PEEK: Final = events.FoulRaised(1, "peek", "foul", None, 700, 97)


def red(text: str) -> tuple[str, commands.CommandBody]:
    """Return the wish that red's button has lit, to be confirmed."""
    return "red", DoAction(text)


EXAMPLES: Final = (
    example.Example(
        "roll",
        ROLL,
        Text("Red may roll the dice. All pawns stand at their starts."),
        racing,
    ),
    example.Example(
        "positions",
        STANDING,
        Text(
            "Where the companion thinks the pawns stand, so that you can spot a wrong one; red "
            "may roll."
        ),
        lambda: racing(PAWNS),
    ),
    example.Example(
        "dice",
        legend.DICE,
        Text("Red's button offers to let the companion roll; hold it to confirm."),
        lambda: racing(PAWNS, lit=("red", commands.RollForUs())),
    ),
    example.Example(
        "number",
        NUMBER,
        Text("Red's button offers 8 as the roll; hold it to confirm."),
        lambda: racing(PAWNS, lit=red("roll 8")),
    ),
    example.Example(
        "shaking",
        shaking(8),
        Text(
            "The magic number is 8. Green and yellow have placed a barrel, red and blue have not."
        ),
        lambda: racing(*SHAKING),
    ),
    example.Example(
        "warning",
        CAREFUL,
        Text(
            "Somewhere a barrel was tilted far. The light points at nobody, and there is no sound."
        ),
        lambda: racing(*SHAKING),
        warned_us=example.FIRST_US - 1_000_000,
    ),
    example.Example(
        "asked",
        legend.ASKED,
        Text(
            "It is not certain which barrels green and yellow have placed; a button or a tap "
            "settles it."
        ),
        lambda: racing(*SHAKING, asked=("green", "yellow")),
    ),
    example.Example(
        "confirm",
        PLACED,
        Text("Red's button offers to say that red has placed its barrel; hold it to confirm."),
        lambda: racing(*SHAKING, lit=red("place red")),
    ),
    example.Example(
        "flip",
        FLIP,
        Text("All have placed a barrel: turn them over, together."),
        lambda: racing(*EXAMPLE_FLIP),
    ),
    example.Example(
        "read",
        SAY,
        Text(
            "The numbers of green and yellow have been read; red and blue still have to say theirs."
        ),
        lambda: racing(*READ),
    ),
    example.Example(
        "turn",
        MOVE,
        Text("Red moves by 8. These are the fields on which its pawns may end."),
        lambda: racing(*EXAMPLE_MOVE),
    ),
    example.Example(
        "choice",
        PAWN,
        Text("Red's button offers the pawn that still stands at the start; hold it to confirm."),
        lambda: racing(*EXAMPLE_MOVE, lit=red("move red start")),
    ),
    example.Example(
        "banish",
        BANISHED,
        Text("Red's pawn would banish two blue ones and could take a green one along."),
        lambda: racing(*EXAMPLE_MOVE, lit=red("move red 2")),
    ),
    example.Example(
        "take-along",
        TAKEN,
        Text("Red's pawn would take the green one along to the field where it ends."),
        lambda: racing(*EXAMPLE_MOVE, lit=red("move red 2 take green:22")),
    ),
    example.Example(
        "moved",
        MOVED,
        Text("Confirmed: move these pawns on the board. This stays for a few seconds."),
        lambda: racing(*EXAMPLE_MOVE, "move red 2"),
        acted_us=example.JUST_NOW,
    ),
    example.Example(
        "take-back",
        legend.TAKE_BACK,
        Text("Red's button offers to take back the last decision; hold it to do so."),
        lambda: racing(*SHAKING, lit=("red", commands.Undo())),
    ),
    example.Example(
        "dismiss",
        legend.DISMISS,
        Text("Red's button offers to dismiss a foul; hold it if the table agrees."),
        lambda: racing(*SHAKING, PEEK, lit=("red", commands.Rule(1, upheld=False))),
    ),
    example.Example(
        "uphold",
        legend.UPHOLD,
        Text("Red's button offers to uphold a foul; hold it if the table agrees."),
        lambda: racing(*SHAKING, PEEK, lit=("red", commands.Rule(1, upheld=True))),
    ),
    example.Example(
        "victory",
        legend.VICTORY,
        Text("Red has all three pawns in its city."),
        lambda: racing(*LAST),
    ),
    example.Example(
        "fault",
        legend.FAULT,
        Text("Part of the table is not working; play goes on, and the phone says what to do."),
        lambda: replace(racing(PAWNS), troubles=(Condition(JournalState.FULL, 0),)),
    ),
)
LIGHT_EXAMPLES: Final = example.LightExamples(EXAMPLES)
