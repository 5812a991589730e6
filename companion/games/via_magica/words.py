"""What is to be done now in Via Magica, and what an action is called, in sentences.

It must not know pages, nor anything that is hidden.
"""

from collections.abc import Iterable
from typing import Any

from companion.core import SeatName
from companion.core.game import Action, Event
from companion.games.via_magica import cards, rules
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot
from companion.system.text import Text, seat_word


def headline(now: Snapshot, reader: Viewer) -> str:
    view: rules.View = now.view
    due = tuple(SeatName(seat) for seat in view.turns if seat >= 0)
    own = reader.seat in [seat_word(seat) for seat in due]
    match view.phase:
        case rules.Phase.DRAW:
            return _drawing(view, reader)
        case rules.Phase.KEEP if now.settings.by_hand:
            return reader.say("Which three portals has each of you kept?")
        case rules.Phase.KEEP if own:
            return reader.say("Keep three of your portals.")
        case rules.Phase.KEEP:
            return reader.say("{seats:and} {seats:#chooses|choose} three portals.", seats=due)
        case rules.Phase.CATCH if reader.seat == seat_word(view.catcher):
            return reader.say("Draw an animus from the bag.")
        case rules.Phase.CRYSTALLIZE if own:
            return reader.say("{animus}: place a crystal.", animus=_named(view, reader))
        case rules.Phase.CRYSTALLIZE:
            return reader.say(
                "{animus}: {seats:and} {seats:#places|place} a crystal.",
                animus=_named(view, reader),
                seats=due,
            )
        case rules.Phase.CALL:
            return reader.say("Incantatum! Who called first?")
    if due:
        return _opening(view, due[0], reader, own=own)
    return reader.say("{seat} draws an animus from the bag.", seat=view.catcher)


def progress(view: rules.View, _: rules.Settings, reader: Viewer) -> str:
    return reader.say("Round {round}", round=view.round) if view.round else ""


def _named(view: rules.View, reader: Viewer) -> str:
    return reader.name(view.animus).capitalize()


def _drawing(view: rules.View, reader: Viewer) -> str:
    if view.round:
        return reader.say("Which portal comes to the table next?")
    return reader.say(
        "Lay five portals on the table. Which one is number {number}?", number=len(view.display) + 1
    )


def _opening(view: rules.View, seat: SeatName, reader: Viewer, *, own: bool) -> str:
    match view.phase:
        case rules.Phase.OPEN if own:
            return reader.say("Incantatum! Open your portal.")
        case rules.Phase.OPEN:
            return reader.say("Incantatum! {seat} opens a portal.", seat=seat)
        case rules.Phase.POWER if own:
            return reader.say("Portal {portal}: {power}.", **_power(view, reader))
        case rules.Phase.POWER:
            return reader.say(
                "{seat}, portal {portal}: {power}.", seat=seat, **_power(view, reader)
            )
        case rules.Phase.TAKE if own:
            return reader.say("Take a portal from the table.")
        case rules.Phase.TAKE:
            return reader.say("{seat} takes a portal from the table.", seat=seat)
    if own:
        return reader.say("Do you claim a reward?")
    return reader.say("Does {seat} claim a reward?", seat=seat)


def _power(view: rules.View, reader: Viewer) -> dict[str, object]:
    portal = view.opening[-1]
    return {"portal": portal, "power": cards.power(rules.PORTALS[portal], reader)}


def act(
    kind: type[Action], given: dict[str, Any], reader: Viewer, _preview: Iterable[Event] = ()
) -> str:
    """Return what an action is, to be written on a button."""
    portal = given.get("portal")
    if kind is rules.Catch:
        return reader.say("Caught: {animus}", animus=given.get("animus"))
    if kind is rules.Crystallize and (on := given.get("on")):
        sentence = Text("Place on {animus} of portal {portal}", animus=on.animus, portal=on.portal)
        if (source := given.get("source")) is None:
            return reader.say(sentence)
        return reader.say(
            "{placed}, from {animus} of portal {portal}",
            placed=reader.say(sentence),
            animus=source.animus,
            portal=source.portal,
        )
    if kind is rules.Call:
        first = given.get("first")
        if first is None:
            return reader.say("All called at once")
        return reader.say("{seat:@{seat}|I} called first", seat=first)
    if kind is rules.Open and portal:
        return reader.say("Open portal {portal}", portal=portal)
    if kind is rules.Take and portal:
        return reader.say("Take portal {portal}", portal=portal)
    if kind is rules.Claim:
        return reader.say("Claim: {reward}", reward=given.get("reward"))
    if kind is rules.Waive:
        return reader.say("Do not use it")
    if kind is rules.Draw and portal:
        return reader.say("Portal {portal} comes to the table", portal=portal)
    if kind is rules.Keep and given.get("portals"):
        return reader.say("Keep: {portals}", portals=given["portals"])
    return ""
