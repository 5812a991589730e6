"""What the lights show of the Witches of Blackmore: the witch wheel, the trump, who wins a trick.

The wheel is a dial: nine fields from the arrow stand for the values 1 to 9. The brightest is the
highest; the others are the darker the lower they rank. Opposite the arrow the trump is told by a
number as by its colour, in the order of the suits: 1 for red to 6 for white, none for no trump.
For violet and white a light goes round the cities: bright whose turn it is, dim who wins so far.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from companion.core.game import Seat
from companion.core.notation import parse
from companion.games.blackmore import rules
from companion.present.lights import canvas, contract, example, legend, scenes
from companion.present.lights.patterns import comet, double, pulse
from companion.referee import commands, snapshot
from companion.system.text import SeatName, Text, seat_word

WHEEL: Final = legend.LegendEntry(
    Text("The witch wheel"),
    Text(
        "Nine fields from the arrow are the values 1 to 9. The brightest is the highest, and a "
        "calm light runs down the ranks. Opposite, 1 to 6 lit fields mean that trump is red, "
        "yellow, green, blue, violet or white. The city of whoever is winning so far is dim."
    ),
)
TRICK: Final = legend.LegendEntry(
    Text("The trick is won"),
    Text("The winner's city flashes twice; the whole wheel breathes, with a start and a seat."),
)
TURN_WHEEL: Final = legend.LegendEntry(
    Text("Shall the wheel turn?"),
    Text("The wheel as it would be, with a quick comet; a light runs from start to city."),
)


def tell(_: snapshot.Snapshot, view: rules.View) -> Iterator[legend.LegendEntry]:
    yield TRICK if view.phase is rules.Phase.CHANGE else legend.TURN
    yield from contract.elsewhere(view.queue[:1])
    if view.ranking:
        yield WHEEL


def tell_offer(_: snapshot.Snapshot, offer: snapshot.ButtonOption) -> Iterator[legend.LegendEntry]:
    yield TURN_WHEEL if turns(offer) else legend.WAITS


def turns(offer: snapshot.ButtonOption) -> rules.Card | None:
    if not isinstance(offer.wish, commands.DoAction):
        return None
    kind, given = parse(rules.Blackmore(), offer.wish.text)
    return given["card"] if kind is rules.Change else None


SUITS: Final[dict[rules.Suit, canvas.Rgb]] = {
    rules.Suit.RED: canvas.COLOURS[SeatName.RED],
    rules.Suit.YELLOW: canvas.COLOURS[SeatName.YELLOW],
    rules.Suit.GREEN: canvas.COLOURS[SeatName.GREEN],
    rules.Suit.BLUE: canvas.COLOURS[SeatName.BLUE],
    rules.Suit.VIOLET: canvas.VIOLET,
    rules.Suit.WHITE: canvas.WHITE,
}
RANKS: Final = (1.0, *(0.66 - 0.06 * rank for rank in range(rules.SUIT_SIZE - 1)))  # how bright
PASSING: Final = 0.8  # the light that runs down the ranks…
CALM_US: Final = 300_000  # …and how slowly, once the wheel is turned
OPPOSITE: Final = canvas.FIELDS // 2


class Dial(NamedTuple):
    """The wheel as it stands, or would."""

    ranks: tuple[int, ...]  # the values from the highest to the lowest; empty at first
    trump: rules.Suit | None


def draw(picture: canvas.LightCanvas, now: snapshot.Snapshot, view: rules.View, at_us: int) -> None:
    card, dial = _turned(now), Dial(view.ranking, view.trump)
    if card is not None and isinstance(
        now.settings, rules.Settings
    ):  # not confirmed: a quick comet
        dial = Dial(rules.ranking(now.settings.side, card.value), card.suit)
        _draw(picture, dial, lambda rank: PASSING * comet(rank, rules.SUIT_SIZE, at_us))
    elif view.phase is rules.Phase.CHANGE:
        _draw(picture, dial, lambda _: 0.0, pulse(at_us))
    else:
        _draw(picture, dial, lambda rank: PASSING * comet(rank, rules.SUIT_SIZE, at_us, CALM_US))
    best = [] if (seat := leading(view)) is None else [seat]
    for colour in canvas.lamps(best):
        picture.draw(canvas.CITIES + colour, canvas.COLOURS[colour], canvas.DIM)
    canvas.go_round(picture, best, canvas.ROUND_US, at_us, canvas.DIM)
    canvas.breathe(picture, view.queue[:1], at_us)
    won = [event.seat for event in scenes.recent(now, at_us) if isinstance(event, rules.TrickWon)]
    for seat in canvas.lamps(won[-1:]):
        picture.clear([canvas.CITIES + seat])
        picture.draw(canvas.CITIES + seat, canvas.COLOURS[seat], double(at_us))


def _turned(now: snapshot.Snapshot) -> rules.Card | None:
    """Return the card with which a button offers to turn the wheel."""
    return next(filter(None, map(turns, scenes.lit_offers(now))), None)


def leading(view: rules.View) -> Seat | None:
    """Return who would win the trick if nobody played any more."""
    if not view.trick or not view.ranking:
        return None
    place = rules.winning([card for _, card in view.trick], view.trump, view.ranking)
    return view.trick[place].seat


def _draw(
    picture: canvas.LightCanvas,
    dial: Dial,
    passing: Callable[[int], float],
    brightness: float = 1.0,
) -> None:
    """Draw the dial, with a light that passes over the ranks, and the trump's number."""
    colour = canvas.WHITE if dial.trump is None else SUITS[dial.trump]
    for rank, value in enumerate(dial.ranks):
        picture.draw(value - 1, colour, brightness * max(RANKS[rank], passing(rank)))
    number = 0 if dial.trump is None else dial.trump + 1
    picture.fill(range(OPPOSITE, OPPOSITE + number), colour, brightness)


LIGHTS: Final = contract.Lights(draw, tell, tell_offer=tell_offer)


bewitching = partial(example.played, rules.Blackmore(rules.Settings(by_hand=True)))
for_six = partial(example.played, rules.Blackmore(rules.Settings(tuple(SeatName), by_hand=True)))
SIX: Final = (
    *(f"deal {seat}" for _ in range(6) for seat in map(seat_word, SeatName)),
    *example.steps("turn blue:7; play red red:1; play green green:2; play blue red:2"),
    "play yellow white:5",
)
EXAMPLE_TRICK: Final = (
    *(*("deal red", "deal green", "deal blue", "deal yellow") * 6, "turn blue:7"),
    *example.steps("play red yellow:2; play green red:7; play blue blue:4; play yellow blue:9"),
)
EXAMPLES: Final = (
    example.Example(
        "wheel",
        WHEEL,
        Text(
            "Blackmore: the wheel stands at 7, blue is trump. Yellow has to play; so far blue is "
            "winning."
        ),
        lambda: bewitching(*EXAMPLE_TRICK[:-1]),
    ),
    example.Example(
        "no-lights",
        legend.ELSEWHERE,
        Text("Blackmore: a game of six. Violet has to play a card; so far blue is winning."),
        lambda: for_six(*SIX),
    ),
    example.Example(
        "trick",
        TRICK,
        Text("Blackmore: blue's 4 has won against yellow's 9. Blue may turn the wheel."),
        lambda: bewitching(*EXAMPLE_TRICK),
        acted_us=example.JUST_NOW,
    ),
    example.Example(
        "turn-wheel",
        TURN_WHEEL,
        Text("Blackmore: blue's button offers the red 7 as the new trump; hold it to confirm."),
        lambda: bewitching(*EXAMPLE_TRICK, lit=("blue", commands.DoAction("change blue red:7"))),
    ),
)
LIGHT_EXAMPLES: Final = example.LightExamples(EXAMPLES)
