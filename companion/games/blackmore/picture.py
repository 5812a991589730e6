"""Draws the table of Blackmore as SVG: wheel, piles, the trick that lies; and how its events look.

Colours and sizes of letters stand in game_blackmore.css. Everybody sits as at the table, clockwise,
whoever looks at the bottom.
"""

from collections.abc import Iterable, Sequence
from math import cos, pi, sin
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup, escape

from companion.core import Event, SeatName
from companion.games.blackmore import rules
from companion.present.animations import AnimationKind, Animations, EventPicture
from companion.present.icons import SIGNS, paths_of
from companion.present.viewer import Viewer
from companion.system.text import seat_word

WIDE, HIGH = 360, 312
CENTRE: Final = (180.0, 162.0)
WHEEL_TOP: Final = 74.0
BESIDE: Final = 8  # how far left of a seat's middle its card lies, to leave room for the counts
ACROSS, DOWN = 136, 118  # how far from the centre people sit
WIDEST: Final = 84  # of a name, which has its sign beside it
RING: Final = 56  # how far from the wheel's centre its values stand
CROWN: Final = "M-9 7V-6L-4.5 0 0-8 4.5 0 9-6V7Z"
PAPER: Final = "M-4-5.5h8V5.5h-8Z"
_SUITS: Final = paths_of(Path(__file__).with_name("suits.svg"))
SHAPES: Final = {suit: _SUITS[suit.name.lower()] for suit in rules.Suit}
Spot = tuple[float, float]


def table_svg(
    view: rules.View, settings: rules.Settings, happened: Iterable[Event], reader: Viewer
) -> Markup:
    trick, past = lying(view, happened)
    best = leading(trick, view) if trick and not past else None
    spots = dict(_spots(settings.seats, reader))
    top = min(WHEEL_TOP, *(y - 45 for _, y in spots.values()))
    label = escape(" ".join(_told(view, settings, reader)))
    parts = [
        f'<svg class="witches" viewBox="0 {top:.0f} {WIDE} {HIGH - top:.0f}" role="img"',
        f' aria-label="{label}">{_piles(view, reader)}',
        f"<g {_to(CENTRE)}>{_wheel(view, reader)}</g>",
        *(_chair(seat, spot, view, reader) for seat, spot in spots.items()),
        *map(_counts, spots.values(), view.held, view.won),
        *_trick(trick, spots, best, past=past),
        "</svg>",
    ]
    return Markup("").join(Markup(part) for part in parts)  # noqa: S704 - escaped where it is made


def wheel_svg(view: rules.View, reader: Viewer) -> Markup:
    """Return the picture of the wheel alone, as it would stand."""
    label = escape(" ".join(_told_of_wheel(view, reader)))
    return Markup(  # noqa: S704 - escaped where it is made
        f'<svg class="witches wheel" viewBox="-84 -86 168 158" role="img" aria-label="{label}">'
        f"{_wheel(view, reader)}</svg>"
    )


def lying(view: rules.View, happened: Iterable[Event]) -> tuple[tuple[rules.Throw, ...], bool]:
    """Return the trick that lies; if there is none, the last one, and that it is over."""
    if view.trick:
        return view.trick, False
    won = [event for event in happened if isinstance(event, rules.TrickWon)]
    return (won[-1].trick, True) if won else ((), False)


def leading(trick: Sequence[rules.Throw], view: rules.View) -> rules.Throw:
    """Return the card that would win a trick if nobody added any."""
    return trick[rules.winning([throw.card for throw in trick], view.trump, view.ranking)]


# --- what it says to those who do not see it ----------------------------------------------------


def _told(view: rules.View, settings: rules.Settings, reader: Viewer) -> Iterable[str]:
    yield from _told_of_wheel(view, reader)
    yield reader.say("In the pile: {pile}. On the trump pile: {trumps}.", **_piled(view))
    for seat, card in view.trick:
        yield reader.say(
            "{seat}: the {value} of {suit}.", seat=seat, suit=card.suit, value=card.value
        )
    for seat, held, won in zip(settings.seats, view.held, view.won, strict=True):
        yield reader.say(
            "{seat:@{seat} holds {held} {held:#card|cards} and has|You hold {held} "
            "{held:#card|cards} and have} won {won}.",
            seat=seat,
            held=held,
            won=won,
        )


def _told_of_wheel(view: rules.View, reader: Viewer) -> Iterable[str]:
    if view.ranking:
        yield reader.say("From the highest to the lowest: {ranking}.", ranking=view.ranking)
    yield trump_told(view.trump, reader)


def trump_told(trump: rules.Suit | None, reader: Viewer) -> str:
    if trump is None:
        return reader.say("There is no trump.")
    return reader.say("Trump: {suit}.", suit=trump)


def _piled(view: rules.View) -> dict[str, object]:
    return {"pile": view.pile, "trumps": view.trumps}


# --- wheel and piles ----------------------------------------------------------------------------


def _wheel(view: rules.View, reader: Viewer) -> str:
    """Draw the wheel: on top what ranks highest, then clockwise ever lower."""
    around = [_around(rank) for rank in range(9)]
    (x, y), (u, v) = around[0], around[-1]
    values = "".join(
        f'<g class="rank{" highest" if rank == 0 else ""}" transform="translate({a:.1f} {b:.1f})">'
        f'<circle r="{16 if rank == 0 else 13.5 - 0.2 * rank:.1f}"/><text>{value}</text></g>'
        for rank, ((a, b), value) in enumerate(zip(around, view.ranking, strict=False))
    )
    return (
        f'<path class="round" d="M{x:.1f} {y:.1f}A{RING} {RING} 0 1 1 {u:.1f} {v:.1f}"/>'
        f'<path class="arrow" d="M-8-83H8L0-74Z"/>{values}{_trump(view, reader)}'
    )


def _around(rank: int) -> Spot:
    angle = 2 * pi * rank / 9 - pi / 2
    return RING * cos(angle), RING * sin(angle)


def _trump(view: rules.View, reader: Viewer) -> str:
    if view.trump is None:
        word = "?" if not view.ranking else escape(reader.say("no trump"))
        return f'<g class="trump none"><circle r="31"/><text>{word}</text></g>'
    return (
        f'<g class="trump {suit_class(view.trump)}"><circle r="31"/>'
        f'<path d="{SHAPES[view.trump]}" transform="translate(-19 -19) scale(.8)"/></g>'
    )


def suit_class(suit: rules.Suit) -> str:
    """Return the class by which page.css tints a suit."""
    return f"suit-{suit.name.lower()}"


def suit_svg(suit: rules.Suit) -> Markup:
    """Return what a suit shows, alone, as large as the text that it stands in."""
    return Markup(
        '<svg class="suit {}" viewBox="0 0 48 48" aria-hidden="true">'
        '<path fill-rule="evenodd" d="{}"/></svg>'
    ).format(suit_class(suit), SHAPES[suit])


def _piles(view: rules.View, reader: Viewer) -> str:
    """Draw the pile at the left, and the trump pile with its top card at the right."""
    pile, trumps = (24.0, HIGH - 30.0), (WIDE - 24.0, HIGH - 30.0)
    back = f'<rect class="back" x="-20" y="-27" width="40" height="54" rx="6" {_to(pile)}/>'
    return (
        f"{back if view.pile else _gap(pile)}"
        f"{_gap(trumps) if view.top is None else _card(view.top, trumps)}"
        f"{_label((50, pile[1]), reader.say('pile'), view.pile)}"
        f'<g class="right">{_label((WIDE - 50, pile[1]), reader.say("trump"), view.trumps)}</g>'
    )


def _label(spot: Spot, word: str, count: int) -> str:
    x, y = spot
    return (
        f'<text class="word" x="{x}" y="{y - 9}">{escape(word)}</text>'
        f'<text class="count" x="{x}" y="{y + 9}">{count}</text>'
    )


# --- seats and the trick ------------------------------------------------------------------------


def _spots(seats: Sequence[SeatName], reader: Viewer) -> Iterable[tuple[SeatName, Spot]]:
    """Yield where each seat is: clockwise, and the reader's at the bottom."""
    words = [seat.name.lower() for seat in seats]
    own = words.index(reader.seat) if reader.seat in words else 0
    for place, seat in enumerate(seats):
        angle = pi / 2 + 2 * pi * (place - own) / len(seats)
        yield seat, (CENTRE[0] - BESIDE + ACROSS * cos(angle), CENTRE[1] + DOWN * sin(angle))


def _chair(seat: SeatName, spot: Spot, view: rules.View, reader: Viewer) -> str:
    """Draw who sits there, and the place for a card."""
    (x, y), name = spot, reader.name(seat)
    turn = " turn" if view.turns == (seat,) else ""
    wide = min(8.8 * len(name), WIDEST)
    fits = f' textLength="{wide:.0f}" lengthAdjust="spacingAndGlyphs"' if wide == WIDEST else ""
    return (
        f'<g class="chair seat-{seat.name.lower()}{turn}">{_gap(spot)}'
        f'<path class="sign" d="{SIGNS[SeatName(seat)]}"'
        f' transform="translate({x - wide / 2 - 6:.1f} {y - 37:.1f}) scale(11)"/>'
        f'<text class="name" x="{x + 5:.1f}" y="{y - 36:.1f}"{fits}>{escape(name)}</text></g>'
    )


def _counts(spot: Spot, held: int, won: int) -> str:
    """Draw how many cards somebody holds, and how many lie won before it."""
    x, y = spot
    return (
        f'<g class="counts" {_to((x + 29, y))}>'
        f'<path class="held" d="{PAPER}" {_to((0, -9))}/><text x="8" y="-9">{held}</text>'
        f'<path class="won" d="{PAPER}" {_to((0, 9))}/><text x="8" y="9">{won}</text></g>'
    )


def _trick(
    trick: Sequence[rules.Throw],
    spots: dict[SeatName, Spot],
    best: rules.Throw | None,
    *,
    past: bool,
) -> Iterable[str]:
    for throw in trick:
        x, y = spots[throw.seat]
        style = "past" if past else "best" if throw == best else ""
        yield _card(throw.card, (x, y), style)
        if throw == trick[0]:
            yield f'<g class="led" {_to((x - 19, y - 21))}><circle r="8"/><text>1</text></g>'
        if throw == best:
            yield f'<path class="crown" d="{CROWN}" {_to((x + 17, y + 23))}/>'


def _card(card: rules.Card, spot: Spot, style: str = "") -> str:
    suit = rules.Suit(card.suit)
    return (
        f'<g class="witch-card {suit_class(suit)} {style}" {_to(spot)}>'
        f'<rect x="-20" y="-27" width="40" height="54" rx="6"/>'
        f'<path d="{SHAPES[suit]}" transform="translate(-11.5 -25) scale(.48)"/>'
        f'<text class="value" y="10">{card.value}</text></g>'
    )


def _gap(spot: Spot) -> str:
    return f'<rect class="gap" x="-20" y="-27" width="40" height="54" rx="6" {_to(spot)}/>'


def _to(spot: Spot) -> str:
    return f'transform="translate({spot[0]:.1f} {spot[1]:.1f})"'


# --- how events look while they are told --------------------------------------------------------


def event_picture(
    event: Event, _before: Any, _settings: Any, reader: Viewer
) -> EventPicture | None:
    """Return how an event looks; None: it is told, and that is all."""
    match event:
        case rules.CardLed(_, card) | rules.CardPlayed(_, card) | rules.WheelTurned(card):
            return EventPicture(AnimationKind.CARD, drawings=_shown_cards((card,), reader))
        case rules.TrumpLaid(_, card) | rules.TrumpDrawn(_, card):
            return EventPicture(AnimationKind.CARD, drawings=_shown_cards((card,), reader))
        case rules.TrickWon(seat, _, _, trick):
            cards = _shown_cards((throw.card for throw in trick), reader)
            return EventPicture(
                AnimationKind.TRICK, drawings=cards, goes_to=f"seat-{seat_word(seat)}"
            )
        case rules.WheelControlled(winners):
            return EventPicture(AnimationKind.WIN, order=tuple(map(seat_word, winners)))
    return None


def _shown_cards(cards: Iterable[rules.Card], reader: Viewer) -> tuple[Markup, ...]:
    return tuple(_shown_card(card, reader) for card in cards)


def _shown_card(card: rules.Card, reader: Viewer) -> Markup:
    """Draw a card as it lies in a hand."""
    suit = rules.Suit(card.suit)
    return Markup(
        '<span class="shown witch {}">{}<b class="value">{}</b>'
        '<span class="unseen">{}</span></span>'
    ).format(suit_class(suit), suit_svg(suit), card.value, reader.name(suit))


MOMENTS: Final = Animations(event_picture)
