"""The Witches of Blackmore in the terminal: the wheel as a line, the trick, and the own hand.

It must not know who wins a trick; a hand is only shown from the view of its own seat.
"""

from collections.abc import Iterator
from typing import Final

from companion.core.notation import parse
from companion.games.blackmore import choices, rules
from companion.games.blackmore.page import PAGE, act, progress
from companion.games.blackmore.picture import leading, trump_told
from companion.present.terminal import BOLD, INK, TerminalScreen
from companion.present.terminal_game import TerminalGame, TerminalOffer
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot
from companion.system.text import SeatName

GAME: Final = rules.Blackmore()  # how a card is written, settings don't say


def picture(
    screen: TerminalScreen, reader: Viewer, settings: rules.Settings, view: rules.View
) -> Iterator[str]:
    """Yield the wheel, the piles, what each holds and has won, and the trick."""
    if view.ranking:
        wheel = screen.paint(" > ".join(map(str, view.ranking)), BOLD)
        yield f"  {reader.say('Witch wheel')}: {wheel}"
        piled = progress(view, settings, reader)
        yield f"  {trump_told(view.trump, reader)} {piled}"
    thrown = dict(view.trick)
    for seat, held, won in zip(settings.seats, view.held, view.won, strict=True):
        name = screen.paint(f"{reader.name(seat):8}", INK[seat])
        line = reader.say("{held} in hand, {won} won", held=held, won=won)
        if card := thrown.get(seat):
            line += f"   → {screen.paint(_card(card, reader), INK[SeatName[card.suit.name]])}"
        yield f"  {name}{line}"
    if view.trick:
        best, worth = leading(view.trick, view).seat, rules.points(tuple(thrown.values()))
        yield "  " + reader.say(
            "{points} {points:#point|points}; {seat:@{seat} is|you are} ahead.",
            points=worth,
            seat=best,
        )


def hand(reader: Viewer, view: rules.View) -> Iterator[str]:
    """Yield the own cards, the strongest of each suit first, where they are not the choices."""
    if view.hand and view.phase is not rules.Phase.PLAY:
        cards = ", ".join(_card(card, reader) for card in choices.in_order(view.hand, view))
        yield f"{reader.say('Your hand')}: {cards}"


def _card(card: rules.Card, reader: Viewer) -> str:
    return f"{reader.name(rules.Suit(card.suit))} {card.value}"


def offers(now: Snapshot, reader: Viewer) -> Iterator[TerminalOffer]:
    """Yield what can be played or laid on the trump pile, and what it would come to."""
    for way in choices.changes(now, reader) or choices.plays(now, reader):
        kind, given = parse(GAME, way.text)
        yield TerminalOffer(way.text, f"{act(kind, given, reader)} – {way.follows}")


LOOK: Final = TerminalGame(picture, PAGE.headline, offers, hand=hand, milestones=(rules.TrickWon,))
