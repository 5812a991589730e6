"""What whoever is to move can choose from, as a page asks for it: a wizard, then where to."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from companion.core.game import Event
from companion.core.notation import parse
from companion.games.trap_the_wizard import rules
from companion.present.viewer import Viewer
from companion.referee import commands, snapshot
from companion.system.text import seat_word

# A move as it is written, its parts, what it brings about, and whether a button has brought it up.
Offer = tuple[str, dict[str, Any], tuple[Event, ...], bool]
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
    if (seat := mover(now)) is None:
        return ()
    offers: dict[rules.Wizard, list[Offer]] = {}
    for number, option in enumerate(seat.offers):
        if isinstance(option.wish, commands.DoAction) and walked(option.preview):
            text, lit = option.wish.text, number == seat.lit
            _, given = parse(GAME, text)
            wizard = rules.Wizard(given["start"], given.get("load", ()))
            offers.setdefault(wizard, []).append((text, given, option.preview, lit))
    alone = len(offers) == 1
    choices = []
    for number, (wizard, own) in enumerate(offers.items()):
        name, only = f"w{now.acted}-{number}", alone and len(own) == 1
        ways = tuple(_way(name, offer, reader, alone=only) for offer in own)
        chosen = alone or any(lit for *_, lit in own)
        choices.append(Choice(name, wizard, position_text(wizard, reader), ways, chosen))
    return tuple(_led(choices))


def _led(choices: Sequence[Choice]) -> Iterator[Choice]:
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


def walked(events: Iterable[Event]) -> Walk | None:
    """Return how a wizard walks in what an action brings about; None where none does."""
    return next((event for event in events if isinstance(event, Walk)), None)


def _way(name: str, offer: Offer, reader: Viewer, *, alone: bool) -> Way:
    text, given, preview, lit = offer
    walk, end, spare = walked(preview), given["end"], given.get("spare", ())
    assert walk is not None, "only such are offers"
    captures = any(
        isinstance(event, rules.WizardCaptured | rules.JokerCaptured) for event in preview
    )
    return Way(
        f"{name}-{'start' if end == rules.START else end}{'-shared' if spare else ''}",
        text,
        end,
        _goal(end, spare, reader, captures=captures),
        tuple(reader.say(event) for event in preview if not isinstance(event, UNTOLD)),
        walk,
        captures,
        bool(spare),
        alone or lit,
    )


def _goal(end: int, spare: tuple[rules.Robe, ...], reader: Viewer, *, captures: bool) -> str:
    if end == rules.START:
        return reader.say("Home")
    if captures:
        return reader.say("Field {field}: a catch", field=end)
    if spare:
        return reader.say("Field {field}, shared with {seats:and}", field=end, seats=spare)
    return reader.say("Field {field}", field=end)


def position_text(wizard: rules.Wizard, reader: Viewer) -> str:
    """Return where a wizard stands and whom it holds, in words."""
    held = tuple(wizard.load)
    if wizard.place == rules.START:
        return reader.say("On the start")
    if held:
        return reader.say("On field {field}, holding {held:and}", field=wizard.place, held=held)
    return reader.say("On field {field}", field=wizard.place)
