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
from companion.games.blackmore.rules import (
    SUIT_SIZE,
    Blackmore,
    Card,
    Chair,
    Change,
    Phase,
    Settings,
    Suit,
    TrickWon,
    View,
    ranking,
    winning,
)
from companion.present.lights.contract import Lights, elsewhere
from companion.present.lights.example import JUST_NOW, Example, LightExamples, played, steps
from companion.present.lights.legend import ELSEWHERE, TURN, WAITS, LegendEntry
from companion.present.lights.patterns import comet, double, pulse
from companion.present.lights.picture import (
    CITIES,
    COLOURS,
    FIELDS,
    VIOLET,
    WHITE,
    LightCanvas,
    Rgb,
)
from companion.present.lights.scenes import offered, recent
from companion.present.lights.seats import DIM, ROUND_US, breathe, go_round, lamps
from companion.referee.commands import DoAction
from companion.referee.snapshot import ButtonOption, Snapshot
from companion.system.text import SeatName, Text, seat_word

WHEEL: Final = LegendEntry(
    Text("The witch wheel"),
    Text(
        "Nine fields from the arrow are the values 1 to 9. The brightest is the highest, and a "
        "calm light runs down the ranks. Opposite, 1 to 6 lit fields mean that trump is red, "
        "yellow, green, blue, violet or white. The city of whoever is winning so far is dim."
    ),
)
TRICK: Final = LegendEntry(
    Text("The trick is won"),
    Text("The winner's city flashes twice; the whole wheel breathes, with a start and a seat."),
)
TURN_WHEEL: Final = LegendEntry(
    Text("Shall the wheel turn?"),
    Text("The wheel as it would be, with a quick comet; a light runs from start to city."),
)


def tell(_: Snapshot, view: View) -> Iterator[LegendEntry]:
    yield TRICK if view.phase is Phase.CHANGE else TURN
    yield from elsewhere(view.queue[:1])
    if view.ranking:
        yield WHEEL


def tell_offer(_: Snapshot, offer: ButtonOption) -> Iterator[LegendEntry]:
    yield TURN_WHEEL if turns(offer) else WAITS


def turns(offer: ButtonOption) -> Card | None:
    if not isinstance(offer.wish, DoAction):
        return None
    kind, given = parse(Blackmore(), offer.wish.text)
    return given["card"] if kind is Change else None


SUITS: Final[dict[Suit, Rgb]] = {
    Suit.RED: COLOURS[SeatName.RED],
    Suit.YELLOW: COLOURS[SeatName.YELLOW],
    Suit.GREEN: COLOURS[SeatName.GREEN],
    Suit.BLUE: COLOURS[SeatName.BLUE],
    Suit.VIOLET: VIOLET,
    Suit.WHITE: WHITE,
}
RANKS: Final = (1.0, *(0.66 - 0.06 * rank for rank in range(SUIT_SIZE - 1)))  # how bright
PASSING: Final = 0.8  # the light that runs down the ranks…
CALM_US: Final = 300_000  # …and how slowly, once the wheel is turned
OPPOSITE: Final = FIELDS // 2


class Dial(NamedTuple):
    """The wheel as it stands, or would."""

    ranks: tuple[int, ...]  # the values from the highest to the lowest; empty at first
    trump: Suit | None


def draw(picture: LightCanvas, now: Snapshot, view: View, at_us: int) -> None:
    card, dial = _turned(now), Dial(view.ranking, view.trump)
    if card is not None and isinstance(now.settings, Settings):  # not confirmed: a quick comet
        dial = Dial(ranking(now.settings.side, card.value), card.suit)
        _draw(picture, dial, lambda rank: PASSING * comet(rank, SUIT_SIZE, at_us))
    elif view.phase is Phase.CHANGE:
        _draw(picture, dial, lambda _: 0.0, pulse(at_us))
    else:
        _draw(picture, dial, lambda rank: PASSING * comet(rank, SUIT_SIZE, at_us, CALM_US))
    best = [] if (seat := leading(view)) is None else [seat]
    for colour in lamps(best):
        picture.draw(CITIES + colour, COLOURS[colour], DIM)
    go_round(picture, best, ROUND_US, at_us, DIM)
    breathe(picture, view.queue[:1], at_us)
    won = [event.seat for event in recent(now, at_us) if isinstance(event, TrickWon)]
    for seat in lamps(won[-1:]):
        picture.clear([CITIES + seat])
        picture.draw(CITIES + seat, COLOURS[seat], double(at_us))


def _turned(now: Snapshot) -> Card | None:
    """Return the card with which a button offers to turn the wheel."""
    return next(filter(None, map(turns, offered(now))), None)


def leading(view: View) -> Seat | None:
    """Return who would win the trick if nobody played any more."""
    if not view.trick or not view.ranking:
        return None
    place = winning([card for _, card in view.trick], view.trump, view.ranking)
    return view.trick[place].seat


def _draw(
    picture: LightCanvas, dial: Dial, passing: Callable[[int], float], brightness: float = 1.0
) -> None:
    """Draw the dial, with a light that passes over the ranks, and the trump's number."""
    colour = WHITE if dial.trump is None else SUITS[dial.trump]
    for rank, value in enumerate(dial.ranks):
        picture.draw(value - 1, colour, brightness * max(RANKS[rank], passing(rank)))
    number = 0 if dial.trump is None else dial.trump + 1
    picture.fill(range(OPPOSITE, OPPOSITE + number), colour, brightness)


LIGHTS: Final = Lights(draw, tell, tell_offer=tell_offer)


bewitching = partial(played, Blackmore(Settings(by_hand=True)))
for_six = partial(played, Blackmore(Settings(tuple(Chair), by_hand=True)))
SIX: Final = (
    *(f"deal {seat}" for _ in range(6) for seat in map(seat_word, Chair)),
    *steps("turn blue:7; play red red:1; play green green:2; play blue red:2"),
    "play yellow white:5",
)
EXAMPLE_TRICK: Final = (
    *(*("deal red", "deal green", "deal blue", "deal yellow") * 6, "turn blue:7"),
    *steps("play red yellow:2; play green red:7; play blue blue:4; play yellow blue:9"),
)
EXAMPLES: Final = (
    Example(
        "wheel",
        WHEEL,
        Text(
            "Blackmore: the wheel stands at 7, blue is trump. Yellow has to play; so far blue is "
            "winning."
        ),
        lambda: bewitching(*EXAMPLE_TRICK[:-1]),
    ),
    Example(
        "no-lights",
        ELSEWHERE,
        Text("Blackmore: a game of six. Violet has to play a card; so far blue is winning."),
        lambda: for_six(*SIX),
    ),
    Example(
        "trick",
        TRICK,
        Text("Blackmore: blue's 4 has won against yellow's 9. Blue may turn the wheel."),
        lambda: bewitching(*EXAMPLE_TRICK),
        acted_us=JUST_NOW,
    ),
    Example(
        "turn-wheel",
        TURN_WHEEL,
        Text("Blackmore: blue's button offers the red 7 as the new trump; hold it to confirm."),
        lambda: bewitching(*EXAMPLE_TRICK, lit=("blue", DoAction("change blue red:7"))),
    ),
)
LIGHT_EXAMPLES: Final = LightExamples(EXAMPLES)
