"""The page of the Witches of Blackmore: what it says and shows of a moment.

What is on a hand stands only on the page of the seat whose hand it is.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from companion.core import Action, Event, SeatName, Text, seat_word
from companion.games.blackmore import picture, rules
from companion.games.blackmore.choices import changes, hand, plays, typed, waits_for, witch
from companion.present import page, viewer
from companion.referee.snapshot import Snapshot

OPTIONS: Final = (
    page.RuleOption(
        "side",
        Text("How does the witch wheel rank the values?"),
        (
            (rules.Side.DESCENDING, Text("descending: 7, 6, 5, 4 …")),
            (rules.Side.ASCENDING, Text("ascending: 7, 8, 9, 1 …")),
        ),
    ),
    page.RuleOption(
        "starter",
        Text("Who leads the first trick?"),
        (
            (None, Text("the first clockwise from Red")),
            *((chair, Text("{seat}", seat=SeatName(chair))) for chair in SeatName),
        ),
    ),
    page.RuleOption("by_hand", Text("You use real cards: the companion only keeps score.")),
    page.RuleOption("late_change", Text("The trump may change even when the pile is empty.")),
    page.RuleOption("last_change", Text("The trump may change even after the very last trick.")),
    page.RuleOption("trump_fades", Text("An empty trump pile means no trump.")),
    page.RuleOption(
        "short_sit_last",
        Text("Whoever gets no card sits out the last trick; otherwise the next one."),
    ),
    page.RuleOption(
        "shared_win", Text("On a tie you win together; otherwise whoever has more cards wins.")
    ),
)


def headline(now: Snapshot, reader: viewer.Viewer) -> str:
    view: rules.View = now.view
    seat = waits_for(view)
    if seat is None:
        return reader.say("Turn up the top card: which one is it?")
    yours, who = reader.seat == seat, SeatName[seat.upper()]
    if view.phase is rules.Phase.CHANGE:
        if yours:
            return reader.say("Your trick: change the trump?")
        return reader.say("{seat} wins the trick and may change the trump.", seat=who)
    if now.settings.by_hand:
        return reader.say("Which card {seat:@does {seat}|do you} play?", seat=who)
    if yours:
        return reader.say("Play any card.") if view.trick else reader.say("You lead: any card.")
    if view.trick:
        return reader.say("{seat} plays a card.", seat=who)
    return reader.say("{seat} leads a card.", seat=who)


def act(
    kind: type[Action], given: dict[str, Any], reader: viewer.Viewer, _preview: Iterable[Event] = ()
) -> str:
    """Return what an action is, to be written on a button."""
    if kind is rules.Keep:
        return reader.say("Keep the trump")
    card = given.get("card")
    if card is None:
        return ""
    values = {"suit": card.suit, "value": card.value}
    if kind is rules.Play:
        return reader.say("Play the {value} of {suit}", **values)
    if kind is rules.Change:
        return reader.say("Lay the {value} of {suit} on the trump pile", **values)
    return reader.say("The {value} of {suit} is turned up", **values) if kind is rules.Turn else ""


def seats(now: Snapshot, reader: viewer.Viewer) -> list[page.SeatLine]:
    """Return the seats, clockwise, and who is waited for."""
    turn = None if now.over else waits_for(now.view)
    return [
        page.SeatLine(
            seat.colour,
            _doing(now.view, reader) if seat.colour == turn else _won(now, cards, reader),
            turn=seat.colour == turn,
            yours=seat.colour == reader.seat,
            state="turn" if seat.colour == turn else None,
        )
        for seat, cards in zip(now.seats, now.view.won, strict=True)
    ]


def _won(now: Snapshot, cards: int, reader: viewer.Viewer) -> str:
    return "" if now.over else reader.say("{count} {count:#card|cards}", count=cards)


def _doing(view: rules.View, reader: viewer.Viewer) -> str:
    if view.phase is rules.Phase.CHANGE:
        return reader.say("wins the trick")
    return reader.say("plays") if view.trick else reader.say("leads")


def progress(view: rules.View, _: rules.Settings, reader: viewer.Viewer) -> str:
    return reader.say(
        "In the pile: {pile}. On the trump pile: {trumps}.", pile=view.pile, trumps=view.trumps
    )


def parts(now: Snapshot, reader: viewer.Viewer) -> dict[str, Any]:
    view: rules.View = now.view
    ways = changes(now, reader)
    elsewhere = reader.seat not in [seat.colour for seat in now.seats]
    shown = {
        "picture": picture.table_svg(view, now.settings, now.happened, reader),
        "lies": _lies(now, view, reader),
        "ways": ways or plays(now, reader),
        "mover": waits_for(view),  # whose choice they are
        "keeps": bool(ways),  # … which is one of the trump
        "hand": hand(now, reader),
        "hidden": elsewhere and not (now.settings.by_hand or now.over),  # hands, on other phones
        "typed": typed(now, reader),
        "past": [*_past(now, view, reader)],
    }
    return {"witches": shown}


def _lies(now: Snapshot, view: rules.View, reader: viewer.Viewer) -> str:
    """Return what the trick is worth, and whose it is so far."""
    if not view.trick or now.over:
        return ""
    best = picture.leading(view.trick, view).seat
    worth = rules.points([throw.card for throw in view.trick])
    if view.phase is rules.Phase.CHANGE:
        return reader.say("{points} points for {seat:@{seat}|you}.", points=worth, seat=best)
    return reader.say(
        "{points} {points:#point|points}; {seat:@{seat} is|you are} ahead.", points=worth, seat=best
    )


def _past(
    now: Snapshot, view: rules.View, reader: viewer.Viewer
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the tricks that were finished just now, and that the picture does not show."""
    won = [event for event in now.happened if isinstance(event, rules.TrickWon)]
    if not view.trick or view.phase is rules.Phase.CHANGE:
        won = won[:-1]
    for event in won:
        thrown = [
            {"seat": seat_word(seat), "witch": witch(card, reader), "won": seat == event.seat}
            for seat, card in event.trick
        ]
        yield reader.say(event), thrown


def _drawn(reader: viewer.Viewer) -> dict[str, Any]:
    """Return a wheel as it may stand in the middle of a match."""
    game = rules.Blackmore(rules.Settings())
    ranks = rules.ranking(rules.Side.DESCENDING, 7)
    stands = replace(game.view(game.start(), None), trump=rules.Suit.GREEN, ranking=ranks)
    return {"wheel": picture.wheel_svg(stands, reader)}


PAGE: Final = page.Page(
    title=Text("The Witches of Blackmore"),
    about=Text("Win tricks with 54 witches, and turn the wheel that ranks them; for two to six."),
    options=OPTIONS,
    dice=None,
    quiet=(rules.HandsFilled,),
    headline=headline,
    act=act,
    seats=seats,
    picture=picture.table_svg,
    progress=progress,
    parts=parts,
    template="blackmore/table.html",
    styles="page.css",
    chapter=page.Chapter("blackmore/manual.html", parts=_drawn, rules="blackmore/rules.html"),
)
