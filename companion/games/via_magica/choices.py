"""What a phone can do in a round of Via Magica: catch, place crystals, open, take, claim.

All of it lies open, so a seat's own view may be used for every phone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from companion.core.game import Action
from companion.core.notation import write
from companion.games.via_magica import cards
from companion.games.via_magica.rules import (
    BAG,
    PORTALS,
    WORTH,
    Animus,
    Building,
    Claim,
    Crystallize,
    Field,
    Open,
    Phase,
    Take,
    View,
    Waive,
    Zone,
)
from companion.present.page import may_have_go_on
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot
from companion.system.text import seat_word


@dataclass(frozen=True, slots=True)
class Key:
    text: str  # in the game's notation
    said: str
    card: Markup | str = ""
    source: str = ""  # the id of what must be chosen for it to be seen


@dataclass(frozen=True, slots=True)
class Spot:
    """A field of a portal in a building zone that somebody acts in."""

    animus: str
    icon: Markup
    said: str
    source: str = ""  # the id, if its crystal can be moved
    keys: tuple[Key, ...] = ()  # how it can be covered, from each source


@dataclass(frozen=True, slots=True)
class Card:
    """A portal in such a zone."""

    number: int
    hue: str
    head: Markup
    told: str
    spots: tuple[Spot, ...]
    opens: Key | None


@dataclass(frozen=True, slots=True)
class Acting:
    seat: str
    supply: int
    from_supply: str  # the id, if a crystal can come from there
    moves: bool  # crystals can be placed or moved
    cards: tuple[Card, ...]
    takes: tuple[Key, ...]
    claims: tuple[Key, ...]
    waives: Key | None
    name: str  # of this moment, the same on each phone


def acting(now: Snapshot, reader: Viewer) -> tuple[Acting, ...]:
    """Return the seats that this phone acts for, and what each can do in its zone."""
    view: View = now.view
    if now.over or view.phase not in {
        *(Phase.CRYSTALLIZE, Phase.OPEN, Phase.POWER, Phase.TAKE, Phase.REWARD)
    }:
        return ()
    return tuple(
        _acting(now, zone, reader)
        for zone in view.zones
        if zone.seat in view.turns and reader.may_act_for(seat_word(zone.seat))
    )


def _acting(now: Snapshot, zone: Zone, reader: Viewer) -> Acting:
    view: View = now.view
    seat = seat_word(zone.seat)
    choices: tuple[Action, ...] = now.seen_by(seat).choices
    moves = [choice for choice in choices if isinstance(choice, Crystallize)]
    at_once = view.phase is Phase.CRYSTALLIZE  # then others may act before
    name = f"r{view.round}-{seat}" if at_once else f"d{now.acted}-{seat}"
    from_supply = any(move.source is None for move in moves)
    return Acting(
        seat,
        zone.supply,
        _id(name, None) if from_supply else "",
        bool(moves),
        tuple(_card(building, choices, moves, name, reader) for building in zone.building),
        tuple(_takes(choices, reader)),
        tuple(_claims(choices, reader)),
        next(
            (_waive(view, choice, reader) for choice in choices if isinstance(choice, Waive)), None
        ),
        name,
    )


def _id(name: str, source: Field | None) -> str:
    return f"{name}-" + (
        "supply" if source is None else f"{source.portal}-{source.animus.name.lower()}"
    )


def _card(
    building: Building,
    choices: Iterable[Action],
    moves: list[Crystallize],
    name: str,
    reader: Viewer,
) -> Card:
    portal = building.portal
    opens = [choice for choice in choices if isinstance(choice, Open) and choice.portal == portal]
    return Card(
        portal,
        PORTALS[portal].hue.name.lower(),
        cards.head(portal, reader),
        reader.say("Fields: {fields}.", fields=cards.fields_told(building, reader)),
        tuple(_spots(building, moves, name, reader)),
        Key(write(opens[0]), reader.say("Open portal {portal}", portal=portal)) if opens else None,
    )


def _spots(
    building: Building, moves: list[Crystallize], name: str, reader: Viewer
) -> Iterator[Spot]:
    """Yield the fields; of equal ones the first that bears a crystal, and the first free one."""
    shown = set[tuple[Animus, bool]]()
    for slot in cards.slots(building):
        field = Field(building.portal, slot.animus)
        first = (slot.animus, slot.covered) not in shown
        shown.add((slot.animus, slot.covered))
        movable = slot.covered and first and any(move.source == field for move in moves)
        keys = [
            Key(write(move), _placing(move, reader), source=_id(name, move.source))
            for move in moves
            if move.on == field and first and not slot.covered
        ]
        yield Spot(
            slot.animus.name.lower(),
            cards.animus_svg(slot.animus, reader, covered=slot.covered),
            reader.say("Move the crystal from {animus} of portal {portal}", **_of(field)),
            _id(name, field) if movable else "",
            tuple(keys),
        )


def _of(field: Field) -> dict[str, object]:
    return {"animus": field.animus, "portal": field.portal}


def _placing(move: Crystallize, reader: Viewer) -> str:
    return reader.say("Place on {animus} of portal {portal}", **_of(move.on))


def _takes(choices: Iterable[Action], reader: Viewer) -> Iterator[Key]:
    for choice in choices:
        if isinstance(choice, Take):
            card = cards.portal(Building(choice.portal), reader)
            yield Key(write(choice), reader.say("Take portal {portal}", portal=choice.portal), card)


def _claims(choices: Iterable[Action], reader: Viewer) -> Iterator[Key]:
    for choice in choices:
        if isinstance(choice, Claim):
            sentence = reader.say(
                "{points} points for {reward}", points=WORTH[choice.reward], reward=choice.reward
            )
            yield Key(write(choice), sentence)


def _waive(view: View, action: Waive, reader: Viewer) -> Key:
    if view.phase is Phase.POWER:
        return Key(write(action), reader.say("Do not use the power"))
    return Key(write(action), reader.say("Claim nothing more"))


def calls(now: Snapshot, reader: Viewer) -> tuple[Key, ...]:
    """Return who may have called first, if this phone may tell."""
    view: View = now.view
    if now.over or view.phase is not Phase.CALL or not reader.acts:
        return ()
    first = (
        Key(f"call {seat_word(seat)}", reader.say("{seat:@{seat}|I} called first", seat=seat))
        for seat in view.queue
    )
    return (*first, Key("call", reader.say("All called at once")))


def catches(now: Snapshot, reader: Viewer) -> tuple[tuple[Animus, int], ...]:
    """Return what can have been caught, and how many of it are in the bag; if this phone may."""
    view: View = now.view
    if now.over or view.phase is not Phase.CATCH:
        return ()
    if not may_have_go_on(now, seat_word(view.catcher), reader):
        return ()
    left = ((animus, BAG[animus] - view.caught.count(animus)) for animus in Animus)
    return tuple((animus, count) for animus, count in left if count)
