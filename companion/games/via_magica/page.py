"""The page of Via Magica: what it says and shows of a moment.

What was dealt to a seat stands only on the page of that seat.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from markupsafe import Markup

from companion.core import SeatName
from companion.core.game import Action, Event
from companion.games.via_magica import choices, picture, rules
from companion.present.page import Box, Chapter, Page, RuleOption, SeatLine
from companion.present.viewer import Viewer
from companion.referee.events import Roller
from companion.referee.snapshot import Snapshot
from companion.system.text import Text, seat_word


def headline(now: Snapshot, reader: Viewer) -> str:
    view: rules.View = now.view
    due = tuple(SeatName(seat) for seat in view.turns if seat >= 0)
    own = reader.seat in [seat_word(seat) for seat in due]
    supplied = {seat_word(zone.seat) for zone in view.zones if zone.supply}
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
        case rules.Phase.CRYSTALLIZE if own and reader.seat not in supplied:
            return reader.say("{animus}: move one of your crystals.", animus=_named(view, reader))
        case rules.Phase.CRYSTALLIZE if own:
            return reader.say("{animus}: place a crystal.", animus=_named(view, reader))
        case rules.Phase.CRYSTALLIZE if not supplied.intersection(map(seat_word, due)):
            return reader.say(
                "{animus}: {seats:and} {seats:#moves|move} a crystal.",
                animus=_named(view, reader),
                seats=due,
            )
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
    return {"portal": portal, "power": picture.power(rules.PORTALS[portal], reader)}


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


def hand(now: Snapshot, reader: Viewer) -> tuple[tuple[int, Markup], ...]:
    """Return the kinds among the six portals of whoever reads, who has still to choose three."""
    view: rules.View = now.seen_by(reader.seat)
    if (
        now.over
        or not any(isinstance(choice, rules.Keep) for choice in view.choices)
        or now.settings.by_hand
    ):
        return ()
    return tuple(
        (kind, picture.portal(rules.Building(kind), reader)) for kind in sorted({*view.hand})
    )


def kept_portals(now: Snapshot, reader: Viewer) -> tuple[Markup, ...]:
    """Return what whoever reads has kept, as long as the others do not see it."""
    view: rules.View = now.seen_by(reader.seat)
    if now.settings.by_hand:
        return ()
    return tuple(picture.portal(rules.Building(kind), reader) for kind in view.kept)


def shelves(now: Snapshot, reader: Viewer) -> list[tuple[str | None, list[dict[str, Any]]]]:
    """Return for whom a real portal can be told (None: for the table), and all that it can be.

    Whoever tells it for several tells it for one after another.
    """
    view: rules.View = now.view
    if now.over or not now.settings.by_hand or not reader.acts:
        return []
    if view.phase is rules.Phase.DRAW:
        return [(None, [*_shelves(now, "draw", (), reader)])]
    if view.phase is not rules.Phase.KEEP:
        return []
    for zone in view.zones:
        seat = seat_word(zone.seat)
        if zone.seat in view.turns and reader.may_act_for(seat):
            own = [building.portal for building in zone.building]
            return [(seat, [*_shelves(now, f"keep {seat} portals", own, reader)])]
    return []


def _shelves(
    now: Snapshot, verb: str, own: Iterable[int], reader: Viewer
) -> Iterator[dict[str, Any]]:
    """Yield all kinds of each colour, to be told apart by people who hold real portals."""
    left = unseen(now.view)
    for hue in rules.Hue:
        kinds = [
            n for n in rules.NUMBERS if rules.PORTALS[n].hue is hue and left[n] and n not in own
        ]
        cards = [
            choices.Key(f"{verb} {kind}", str(kind), picture.portal(rules.Building(kind), reader))
            for kind in kinds
        ]
        name = f"shelf{now.acted}-{verb.replace(' ', '-')}-{hue.name.lower()}"
        yield {"id": name, "hue": hue, "cards": cards}


def unseen(view: rules.View) -> dict[int, int]:
    """Return how many of each kind lie nowhere in sight."""
    seen = [*view.display, *view.opening]
    for zone in view.zones:
        seen += [*zone.opened, *(building.portal for building in zone.building)]
    return {number: rules.COPIES - seen.count(number) for number in rules.NUMBERS}


OPTIONS: Final = (
    RuleOption(
        "by_hand", Text("You use real portals and a real bag: the companion only keeps score.")
    ),
    RuleOption(
        "triples",
        Text("How many rewards for three of a colour can one player have?"),
        ((0, Text("any number")), (1, Text("one")), (2, Text("two"))),
    ),
    RuleOption(
        "numbers",
        Text("How many rewards for two to six opened portals can one player have?"),
        ((1, Text("one")), (2, Text("two")), (0, Text("any number"))),
    ),
    RuleOption("reshuffle", Text("When the stack runs out, the discarded portals are shuffled.")),
    RuleOption(
        "chain",
        Text("A portal that a power fills is opened right after it, otherwise at the next call."),
    ),
    RuleOption("interrupts", Text("It is opened even before the rest of that power is used.")),
    RuleOption(
        "hand_over_early",
        Text("After a joker, the next player becomes the catcher before portals open."),
    ),
)


def parts(now: Snapshot, reader: Viewer) -> dict[str, Any]:
    view: rules.View = now.view
    by_people = now.settings.by_hand or now.house is None or now.house.roller is Roller.PEOPLE
    keeping = view.phase is rules.Phase.KEEP and not now.over and not now.settings.by_hand
    playing = reader.seat in [seat.colour for seat in now.seats]
    acting = choices.acting(now, reader)
    seated = reader.seat is not None and not now.over
    layout = picture.Layout(
        display=not any(zone["takes"] for zone in acting),
        folded=seated,
        first=reader.seat or "" if seated else "",
    )
    magic = {
        "view": view,
        "table": picture.table(view, now.settings, now.happened, reader, layout),
        "animus": None if view.animus is None else picture.animus_svg(view.animus, reader),
        "animus_said": "" if view.animus is None else reader.name(view.animus),
        "acting": acting,
        "calls": choices.calls(now, reader),
        "catches": [
            (animus.name.lower(), reader.name(animus), count, picture.animus_svg(animus, reader))
            for animus, count in choices.catches(now, reader)
        ],
        "by_people": by_people,  # the bag is a real one
        "hand": hand(now, reader),
        "kept": kept_portals(now, reader),
        "hidden": keeping and not playing,  # what is chosen stands on other phones than this
        "shelves": shelves(now, reader),
    }
    return {"magic": magic}


def seats(now: Snapshot, reader: Viewer) -> list[SeatLine]:
    """Return the seats, clockwise, each with its points so far."""
    view: rules.View = now.view
    zones = {seat_word(zone.seat): zone for zone in view.zones}
    return [
        SeatLine(
            seat.colour,
            _doing(now, zones[seat.colour], reader),
            number=zones[seat.colour].points,
            turn=not now.over and zones[seat.colour].seat in _awaited(view),
            yours=reader.seat == seat.colour,
            state="turn" if not now.over and zones[seat.colour].seat in _awaited(view) else None,
        )
        for seat in now.seats
    ]


def _awaited(view: rules.View) -> tuple[int, ...]:
    if view.phase is rules.Phase.CATCH:
        return (view.catcher,)
    return view.queue if view.phase is rules.Phase.CALL else view.turns


def _doing(now: Snapshot, zone: rules.Zone, reader: Viewer) -> str:
    view: rules.View = now.view
    if now.over:
        return reader.say("has won") if zone.seat in view.winners else ""
    if zone.seat in _awaited(view):
        match view.phase:
            case rules.Phase.KEEP:
                return reader.say("chooses")
            case rules.Phase.CATCH:
                return reader.say("catches")
            case rules.Phase.CRYSTALLIZE if zone.supply:
                return reader.say("places")
            case rules.Phase.CRYSTALLIZE:
                return reader.say("moves a crystal")
        return reader.say("opens")
    return reader.say("{count} {count:#portal|portals}", count=len(zone.opened))


def _drawn(reader: Viewer) -> dict[str, Any]:
    """Return a portal on which the first crystals lie."""
    return {"sample": picture.portal(rules.Building(33, (1, 0, 0, 0, 0, 0)), reader)}


PAGE: Final = Page(
    title=Text("Via Magica"),
    box=Box(age=8, minutes=30, picture=picture.all_animi),
    about=Text(
        "Open magic portals with crystals, and let their powers work for you; for two to six."
    ),
    options=OPTIONS,
    dice=Text("Who draws?"),
    quiet=(rules.PortalDealt, rules.DisplayFilled),
    headline=headline,
    act=act,
    seats=seats,
    picture=picture.picture,
    wall=picture.wall,
    progress=progress,
    parts=parts,
    template="via-magica/table.html",
    styles="page.css",
    chapter=Chapter("via-magica/manual.html", parts=_drawn, rules="via-magica/rules.html"),
)
