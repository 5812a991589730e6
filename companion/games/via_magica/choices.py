"""What a phone can do in a round of Via Magica: catch, place crystals, open, take, claim.

All of it lies open, so a seat's own view may be used for every phone.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from companion.core import Action, write
from companion.games.via_magica import picture, rules
from companion.present import page, viewer
from companion.referee.snapshot import Snapshot
from companion.system.text import seat_word


@dataclass(frozen=True, slots=True)
class Key:
    text: str  # in the game's notation
    label: str
    card: Markup | str = ""
    source: str = ""  # the id of what must be chosen for it to be seen


ACTING: Final = frozenset({rules.Phase.CRYSTALLIZE, *rules.ALONE})  # when a zone is acted in


def acting(now: Snapshot, reader: viewer.Viewer) -> tuple[dict[str, Any], ...]:
    """Return the seats that this phone acts for, and what each can do in its zone."""
    view: rules.View = now.view
    if now.over or view.phase not in ACTING:
        return ()
    return tuple(
        _acting(now, zone, reader)
        for zone in view.zones
        if zone.seat in view.turns and reader.may_act_for(seat_word(zone.seat))
    )


def _acting(now: Snapshot, zone: rules.Zone, reader: viewer.Viewer) -> dict[str, Any]:
    view: rules.View = now.view
    seat = seat_word(zone.seat)
    choices: tuple[Action, ...] = now.seen_by(seat).choices
    moves = [choice for choice in choices if isinstance(choice, rules.Crystallize)]
    at_once = view.phase is rules.Phase.CRYSTALLIZE  # then others may act before
    name = f"r{view.round}-{seat}" if at_once else f"d{now.acted}-{seat}"
    from_supply = any(move.source is None for move in moves)
    waives = [choice for choice in choices if isinstance(choice, rules.Waive)]
    return {
        "seat": seat,
        "supply": zone.supply,
        "from_supply": _id(name, None) if from_supply else "",  # if a crystal can come from there
        "moves": bool(moves),  # crystals can be placed or moved
        "cards": [_card(building, choices, moves, name, reader) for building in zone.building],
        "takes": [*_takes(choices, reader)],
        "claims": [*_claims(choices, reader)],
        "waives": _waive(view, waives[0], reader) if waives else None,
        "name": name,  # of this moment, the same on each phone
    }


def _id(name: str, source: rules.Field | None) -> str:
    return f"{name}-" + (
        "supply" if source is None else f"{source.portal}-{source.animus.name.lower()}"
    )


def _card(
    building: rules.Building,
    choices: Iterable[Action],
    moves: list[rules.Crystallize],
    name: str,
    reader: viewer.Viewer,
) -> dict[str, Any]:
    portal = building.portal
    opens = [
        choice for choice in choices if isinstance(choice, rules.Open) and choice.portal == portal
    ]
    opening = reader.say("Open portal {portal}", portal=portal)
    return {
        "number": portal,
        "hue": rules.PORTALS[portal].hue.name.lower(),
        "head": picture.head(portal, reader),
        "spoken": reader.say("Fields: {fields}.", fields=picture.fields_told(building, reader)),
        "spots": tuple(_spots(building, moves, name, reader)),
        "opens": Key(write(opens[0]), opening) if opens else None,
    }


def _spots(
    building: rules.Building, moves: list[rules.Crystallize], name: str, reader: viewer.Viewer
) -> Iterator[dict[str, Any]]:
    """Yield the fields; of equal ones the first that bears a crystal, and the first free one."""
    shown = set[tuple[rules.Animus, bool]]()
    for slot in picture.slots(building):
        field = rules.Field(building.portal, slot.animus)
        first = (slot.animus, slot.covered) not in shown
        shown.add((slot.animus, slot.covered))
        movable = slot.covered and first and any(move.source == field for move in moves)
        covers = [
            Key(write(move), _placing(move, reader), source=_id(name, move.source))
            for move in moves
            if move.on == field and first and not slot.covered
        ]
        label = reader.say("Move the crystal from {animus} of portal {portal}", **_of(field))
        yield {
            "animus": slot.animus.name.lower(),
            "icon": picture.animus_svg(slot.animus, reader, covered=slot.covered),
            "label": label,
            "source": _id(name, field) if movable else "",  # only if its crystal can be moved
            "covers": covers,  # how it can be covered, from each source
        }


def _of(field: rules.Field) -> dict[str, object]:
    return {"animus": field.animus, "portal": field.portal}


def _placing(move: rules.Crystallize, reader: viewer.Viewer) -> str:
    return reader.say("Place on {animus} of portal {portal}", **_of(move.on))


def _takes(choices: Iterable[Action], reader: viewer.Viewer) -> Iterator[Key]:
    for choice in choices:
        if isinstance(choice, rules.Take):
            card = picture.portal(rules.Building(choice.portal), reader)
            yield Key(write(choice), reader.say("Take portal {portal}", portal=choice.portal), card)


def _claims(choices: Iterable[Action], reader: viewer.Viewer) -> Iterator[Key]:
    for choice in choices:
        if isinstance(choice, rules.Claim):
            sentence = reader.say(
                "{points} points for {reward}",
                points=rules.WORTH[choice.reward],
                reward=choice.reward,
            )
            yield Key(write(choice), sentence)


def _waive(view: rules.View, action: rules.Waive, reader: viewer.Viewer) -> Key:
    if view.phase is rules.Phase.POWER:
        return Key(write(action), reader.say("Do not use the power"))
    return Key(write(action), reader.say("Claim nothing more"))


def calls(now: Snapshot, reader: viewer.Viewer) -> tuple[Key, ...]:
    """Return who may have called first, if this phone may tell."""
    view: rules.View = now.view
    if now.over or view.phase is not rules.Phase.CALL or not reader.acts:
        return ()
    bots = [bot.seat for bot in now.house.bots] if now.house else []
    first = (
        Key(f"call {seat_word(seat)}", reader.say("{seat:@{seat}|I} called first", seat=seat))
        for seat in view.queue
        if seat not in bots
    )
    return (*first, Key("call", reader.say("All called at once")))


def catches(now: Snapshot, reader: viewer.Viewer) -> tuple[tuple[rules.Animus, int], ...]:
    """Return what can have been caught, and how many of it are in the bag; if this phone may."""
    view: rules.View = now.view
    if now.over or view.phase is not rules.Phase.CATCH:
        return ()
    if not page.may_have_go_on(now, seat_word(view.catcher), reader):
        return ()
    left = ((animus, rules.BAG[animus] - view.caught.count(animus)) for animus in rules.Animus)
    return tuple((animus, count) for animus, count in left if count)
