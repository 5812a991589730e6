"""What whoever is to move can choose from, as a page asks for it: a wizard, then where to."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from companion.core.game import Event
from companion.core.notation import parse
from companion.games.trap_the_wizard import rules
from companion.present.viewer import Viewer
from companion.referee import commands, snapshot
from companion.system.text import seat_word

Walk = rules.WizardSetOut | rules.WizardWalked | rules.WizardReturned
GAME: Final = rules.TrapTheWizard()  # how a move is written, settings don't say
# What the choice itself says, and what comes next whatever one chooses.
UNTOLD: Final = (
    rules.WizardSetOut,
    rules.WizardWalked,
    rules.WizardReturned,
    rules.AnotherTurn,
    rules.CatchCounted,
    rules.TrapWon,
)


@dataclass(frozen=True, slots=True)
class Way:
    """Where one wizard can end, and what that brings about."""

    id: str
    text: str  # in the game's notation
    end: int
    sentence: str
    follows: tuple[str, ...]
    walk: Walk
    captures: bool  # somebody, if only the joker
    shares: bool  # the field with whom the joker could capture
    chosen: bool  # from the beginning
    leads: bool = True  # a tap on the board where it ends means this one, if none was chosen yet
    others: tuple[str, ...] = ()  # of the first that ends there: all others that do


@dataclass(frozen=True, slots=True)
class Choice:
    """A wizard that can move, or several that are alike, and where it can get to."""

    id: str
    wizard: rules.Wizard
    sentence: str
    ways: tuple[Way, ...]
    chosen: bool  # from the beginning: it is the only one, or its seat's button has brought it up


@dataclass(frozen=True, slots=True)
class Offer:
    """A move that may be made."""

    text: str
    end: int
    spare: tuple[rules.Robe, ...]
    preview: tuple[Event, ...]
    lit: bool  # its seat's button has brought it up


def mover(now: snapshot.Snapshot) -> snapshot.SeatView | None:
    view = now.view
    if (
        not isinstance(view, rules.View)
        or now.over
        or view.phase not in (rules.Phase.MOVE, rules.Phase.REST)
    ):
        return None
    colour = seat_word(view.player)
    return next((seat for seat in now.seats if seat.colour == colour), None)


def choices(now: snapshot.Snapshot, reader: Viewer) -> tuple[Choice, ...]:
    """Return the wizards that can move now, each with all its ways."""
    seat = mover(now)
    offers: dict[rules.Wizard, list[Offer]] = {}
    for wizard, offer in _offered(seat) if seat else ():
        offers.setdefault(wizard, []).append(offer)
    choices = tuple(
        _choice(f"w{now.acted}-{number}", wizard, own, reader, alone=len(offers) == 1)
        for number, (wizard, own) in enumerate(offers.items())
    )
    return tuple(_led(choices))


def _led(choices: tuple[Choice, ...]) -> Iterator[Choice]:
    """Yield them, each way knowing whether it is the one that is meant where it ends.

    Where another of these wizards stands, a tap means that wizard.
    """
    standing = {choice.wizard.place for choice in choices}
    places: dict[int, list[Way]] = {}
    for way in sorted((way for choice in choices for way in choice.ways), key=_rank):
        places.setdefault(way.end, []).append(way)
    for choice in choices:
        ways = (_leading(way, places[way.end], standing) for way in choice.ways)
        yield replace(choice, ways=tuple(ways))


def _rank(way: Way) -> tuple[bool, bool]:
    return not way.chosen, way.shares


def _leading(way: Way, beside: list[Way], standing: Collection[int]) -> Way:
    if way is not beside[0]:
        return replace(way, leads=False)
    others = tuple(other.text for other in beside[1:])
    return replace(way, leads=way.end not in standing, others=others)


def _offered(seat: snapshot.SeatView) -> Iterator[tuple[rules.Wizard, Offer]]:
    for number, option in enumerate(seat.offers):
        if isinstance(option.wish, commands.DoAction) and walked(option.preview) is not None:
            _, given = parse(GAME, option.wish.text)
            wizard = rules.Wizard(given["start"], given.get("load", ()))
            spare, lit = given.get("spare", ()), seat.lit == number
            yield wizard, Offer(option.wish.text, given["end"], spare, option.preview, lit)


def walked(events: Iterable[Event]) -> Walk | None:
    """Return how a wizard walks in what an action brings about; None where none does."""
    return next((event for event in events if isinstance(event, Walk)), None)


def _choice(
    name: str, wizard: rules.Wizard, offers: list[Offer], reader: Viewer, *, alone: bool
) -> Choice:
    lit = any(offer.lit for offer in offers)
    ways = tuple(
        way
        for offer in offers
        if (way := _way(name, offer, reader, alone=alone and len(offers) == 1)) is not None
    )
    return Choice(name, wizard, where(wizard, reader), ways, alone or lit)


def _way(name: str, offer: Offer, reader: Viewer, *, alone: bool) -> Way | None:
    walk = walked(offer.preview)
    if walk is None:
        return None
    captures = any(isinstance(e, rules.WizardCaptured | rules.JokerCaptured) for e in offer.preview)
    follows = tuple(reader.say(e) for e in offer.preview if not isinstance(e, UNTOLD))
    end = "start" if offer.end == rules.START else offer.end
    return Way(
        f"{name}-{end}{'-shared' if offer.spare else ''}",
        offer.text,
        offer.end,
        _goal(offer, reader, captures=captures),
        follows,
        walk,
        captures,
        bool(offer.spare),
        alone or offer.lit,
    )


def _goal(offer: Offer, reader: Viewer, *, captures: bool) -> str:
    if offer.end == rules.START:
        return reader.say("Home")
    if captures:
        return reader.say("Field {field}: a catch", field=offer.end)
    if offer.spare:
        return reader.say(
            "Field {field}, shared with {seats:and}", field=offer.end, seats=offer.spare
        )
    return reader.say("Field {field}", field=offer.end)


def where(wizard: rules.Wizard, reader: Viewer) -> str:
    """Return where a wizard stands and whom it holds, in words."""
    held = tuple(wizard.load)
    if wizard.place == rules.START:
        return reader.say("On the start")
    if held:
        return reader.say("On field {field}, holding {held:and}", field=wizard.place, held=held)
    return reader.say("On field {field}", field=wizard.place)
