"""The page of Via Magica: what it says and shows of a moment.

What was dealt to a seat stands only on the page of that seat.
"""

from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from companion.core import SeatName
from companion.games.via_magica import cards, choices, hands, rules, words
from companion.games.via_magica.table import Layout, picture, table, wall
from companion.present.page import Box, Chapter, Page, RuleOption, SeatLine
from companion.present.viewer import Viewer
from companion.referee.events import Roller
from companion.referee.snapshot import Snapshot
from companion.system.text import Text, seat_word

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


@dataclass(frozen=True, slots=True)
class Magic:
    view: rules.View
    table: Markup
    animus: Markup | None  # of this round
    animus_said: str
    acting: tuple[choices.Acting, ...]
    calls: tuple[choices.Key, ...]
    catches: tuple[tuple[str, str, int, Markup], ...]
    by_people: bool  # the bag is a real one
    hand: tuple[tuple[int, Markup], ...]
    kept: tuple[Markup, ...]
    hidden: bool  # what is chosen stands on other phones than this
    shelves: tuple[tuple[str | None, tuple[hands.Shelf, ...]], ...]


def parts(now: Snapshot, reader: Viewer) -> dict[str, Any]:
    view: rules.View = now.view
    by_people = now.settings.by_hand or now.house is None or now.house.roller is Roller.PEOPLE
    keeping = view.phase is rules.Phase.KEEP and not now.over and not now.settings.by_hand
    playing = reader.seat in [seat.colour for seat in now.seats]
    acting = choices.acting(now, reader)
    seated = reader.seat is not None and not now.over
    layout = Layout(
        display=not any(zone.takes for zone in acting),
        folded=seated,
        first=reader.seat or "" if seated else "",
    )
    magic = Magic(
        view,
        table(view, now.settings, now.happened, reader, layout),
        None if view.animus is None else cards.animus_svg(view.animus, reader),
        "" if view.animus is None else reader.name(view.animus),
        acting,
        choices.calls(now, reader),
        tuple(
            (animus.name.lower(), reader.name(animus), count, cards.animus_svg(animus, reader))
            for animus, count in choices.catches(now, reader)
        ),
        by_people,
        hands.hand(now, reader),
        hands.kept(now, reader),
        keeping and not playing,
        hands.shelves(now, reader),
    )
    return {"magic": magic}


def seats(now: Snapshot, reader: Viewer) -> list[SeatLine]:
    """Return the seats, clockwise, each with its points so far."""
    view: rules.View = now.view
    zones = {seat_word(zone.seat): zone for zone in view.zones}
    return [
        SeatLine(
            seat.colour,
            _doing(now, zones[seat.colour].seat, len(zones[seat.colour].opened), reader),
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


def _doing(now: Snapshot, seat: SeatName, opened: int, reader: Viewer) -> str:
    view: rules.View = now.view
    if now.over:
        return reader.say("has won") if seat in view.winners else ""
    if seat in _awaited(view):
        match view.phase:
            case rules.Phase.KEEP:
                return reader.say("chooses")
            case rules.Phase.CATCH:
                return reader.say("catches")
            case rules.Phase.CRYSTALLIZE:
                return reader.say("places")
        return reader.say("opens")
    return reader.say("{count} {count:#portal|portals}", count=opened)


def _drawn(reader: Viewer) -> dict[str, Any]:
    """Return a portal on which the first crystals lie."""
    return {"sample": cards.portal(rules.Building(33, (1, 0, 0, 0, 0, 0)), reader)}


PAGE: Final = Page(
    title=Text("Via Magica"),
    box=Box(age=8, minutes=30, picture=cards.all_animi),
    about=Text(
        "Open magic portals with crystals, and let their powers work for you; for two to six."
    ),
    options=OPTIONS,
    dice=Text("Who draws?"),
    quiet=(rules.PortalDealt, rules.DisplayFilled),
    headline=words.headline,
    act=words.act,
    seats=seats,
    picture=picture,
    wall=wall,
    parts=parts,
    template="via-magica/table.html",
    styles="page.css",
    chapter=Chapter("via-magica/manual.html", parts=_drawn, rules="via-magica/rules.html"),
)
