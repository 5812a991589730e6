"""What the seat whose turn it is can choose from, as a page asks for it: a pawn, then whom.

It must not know who may decide; where one may overlook a banishment it points at nobody.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from companion.core.game import Event
from companion.games.zapp_zerapp import picture, rules
from companion.present.viewer import Viewer
from companion.referee.commands import DoAction
from companion.referee.snapshot import SeatView, Snapshot

UNTOLD: Final = (
    rules.Moved,
    rules.TakenAlong,
    rules.RoundOver,
)  # by the preview: each has a place of its own


@dataclass(frozen=True, slots=True)
class Whom:
    """A pawn that a move can take along, or that its mover can say it banishes."""

    id: str
    pawn: rules.Pawn
    sentence: str
    event: Event


@dataclass(frozen=True, slots=True)
class Way:
    id: str
    pawn: rules.Pawn
    text: str  # in the game's notation, without whom
    sentence: str
    follows: tuple[str, ...]  # what happens without being chosen
    events: tuple[Event, ...]
    takes: tuple[Whom, ...] = ()
    banishes: tuple[Whom, ...] = ()
    chosen: bool = False


def mover(snapshot: Snapshot) -> SeatView | None:
    view = snapshot.view
    if not isinstance(view, rules.View) or view.phase is not rules.Phase.MOVE or snapshot.over:
        return None
    seat = rules.Colour(view.turns[0]).name.lower()
    return next((shown for shown in snapshot.seats if shown.colour == seat), None)


def ways(snapshot: Snapshot, reader: Viewer) -> tuple[Way, ...]:
    """Return the pawns that can move now, each with all that goes with it."""
    seat = mover(snapshot)
    if seat is None:
        return ()
    kinds: dict[int, list[tuple[Event, ...]]] = {}
    for offer in seat.offers:
        if isinstance(offer.wish, DoAction) and (moved := _moved(offer.preview)):
            kinds.setdefault(moved.start, []).append(offer.preview)
    lit = None if seat.lit is None else _moved(seat.offers[seat.lit].preview)
    brought_up = None if lit is None else lit.start
    return tuple(
        _way(snapshot, previews, reader, chosen=len(kinds) == 1 or start == brought_up)
        for start, previews in kinds.items()
    )


def _moved(events: tuple[Event, ...]) -> rules.Moved | None:
    return next((event for event in events if isinstance(event, rules.Moved)), None)


def _way(
    snapshot: Snapshot, previews: list[tuple[Event, ...]], reader: Viewer, *, chosen: bool
) -> Way:
    """Return one pawn's way; the least preview is what happens anyhow, the fullest who may come."""
    least, fullest = min(previews, key=len), max(previews, key=_company)
    moved = _moved(least)
    assert moved is not None, "previews are sorted by their move"
    pawn = rules.Pawn(moved.seat, moved.start)
    place = {rules.START: "start"}.get(moved.start, str(moved.start))
    name = f"way{snapshot.acted}-{place}"  # else a choice would stay for whoever moves next
    company = [event for event in fullest if isinstance(event, rules.TakenAlong)]
    return Way(
        name,
        pawn,
        f"move {moved.seat.name.lower()} {place}",
        reader.say(moved),
        tuple(reader.say(event) for event in least if not isinstance(event, UNTOLD)),
        tuple(event for event in least if not isinstance(event, rules.TakenAlong)),
        tuple(
            Whom(f"{name}-take-{number}", event.pawn, reader.say(event), event)
            for number, event in enumerate(company)
        ),
        tuple(_banishable(snapshot, pawn.colour, name, reader)) if _overlooks(snapshot) else (),
        chosen,
    )


def _company(events: tuple[Event, ...]) -> int:
    return sum(isinstance(event, rules.TakenAlong) for event in events)


def _overlooks(snapshot: Snapshot) -> bool:
    return bool(getattr(snapshot.settings, "overlook", False))


def _banishable(snapshot: Snapshot, seat: rules.Colour, way: str, reader: Viewer) -> Iterator[Whom]:
    """Return every pawn of others on the ring: whom it banishes, the mover has to see (ZZ-20)."""
    number = 0
    for colour, camp in snapshot.view.pawns:
        for step in camp:
            if colour != seat and rules.START < step < rules.CITY:
                pawn = rules.Pawn(colour, step)
                field = snapshot.settings.board.field(colour, step)
                sentence = reader.say("{colour}, from its field {step}", colour=colour, step=step)
                yield Whom(
                    f"{way}-banish-{number}", pawn, sentence, rules.Banished(seat, pawn, field)
                )
                number += 1


def choosable(offered: tuple[Way, ...]) -> dict[rules.Pawn, str]:
    """Return which pawns can be tapped, and what each tap chooses."""
    return {way.pawn: way.id for way in offered}


def marks(offered: tuple[Way, ...]) -> list[picture.Mark]:
    """Return what the board shows of every way, once it is chosen."""
    return [
        mark
        for way in offered
        for mark in (
            picture.Mark(way.id, way.events, way.chosen),
            *(picture.Mark(whom.id, (whom.event,)) for whom in (*way.takes, *way.banishes)),
        )
    ]
