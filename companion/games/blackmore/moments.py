"""How the events of Blackmore look: cards that are laid, and a trick that goes to its winner."""

from collections.abc import Iterable
from typing import Any, Final

from markupsafe import Markup

from companion.core.game import Event
from companion.games.blackmore import rules
from companion.games.blackmore.picture import suit_class, suit_svg
from companion.present.animations import AnimationKind, Animations, EventPicture
from companion.present.viewer import Viewer
from companion.system.text import seat_word


def picture(event: Event, _before: Any, _settings: Any, reader: Viewer) -> EventPicture | None:
    """Return how an event looks; None: it is told, and that is all."""
    match event:
        case rules.CardLed(_, card) | rules.CardPlayed(_, card) | rules.WheelTurned(card):
            return EventPicture(AnimationKind.CARD, drawings=_cards((card,), reader))
        case rules.TrumpLaid(_, card) | rules.TrumpDrawn(_, card):
            return EventPicture(AnimationKind.CARD, drawings=_cards((card,), reader))
        case rules.TrickWon(seat, _, _, trick):
            cards = _cards((throw.card for throw in trick), reader)
            return EventPicture(
                AnimationKind.TRICK, drawings=cards, goes_to=f"seat-{seat_word(seat)}"
            )
        case rules.WheelControlled(winners):
            return EventPicture(AnimationKind.WIN, order=tuple(map(seat_word, winners)))
    return None


def _cards(cards: Iterable[rules.Card], reader: Viewer) -> tuple[Markup, ...]:
    return tuple(_card(card, reader) for card in cards)


def _card(card: rules.Card, reader: Viewer) -> Markup:
    """Draw a card as it lies in a hand."""
    suit = rules.Suit(card.suit)
    return Markup(
        '<span class="shown witch {}">{}<b class="value">{}</b>'
        '<span class="unseen">{}</span></span>'
    ).format(suit_class(suit), suit_svg(suit), card.value, reader.name(suit))


MOMENTS: Final = Animations(picture)
