"""What the table page shows of a snapshot: its seats, its board, its fouls and what can be done.

It must not know Flask, nor more of the table than its snapshot and who reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from companion.core.game import SeatName, seat_word
from companion.core.packing import pack
from companion.games.pages import GAME_PAGES
from companion.games.zapp_zerapp.rules import BARRELS, Colour, View, place
from companion.present.board_picture import Drawn, board_svg
from companion.present.chart import counts_svg, evidence_svg
from companion.present.lights.scenes import meanings
from companion.present.past_story import foul_word
from companion.present.plain import sentence
from companion.present.reader import Reader
from companion.present.shown import foul_sentence, headline, label
from companion.present.signs import sign_svg
from companion.present.table_moves import choosable, marks, mover, ways
from companion.present.table_seats import seat_lines
from companion.present.wishing import to_json
from companion.referee.commands import (
    Act,
    Call,
    GiveUp,
    NewMatch,
    PutRight,
    RollForUs,
    Rule,
    Settle,
    TakeBack,
    Wish,
)
from companion.referee.match import Foul
from companion.referee.snapshot import SeatShown, Snapshot
from companion.referee.summary import FOUL
from companion.referee.wishes import CALLED
from companion.say import Text

ROLLS: Final = range(2, 13)
NUMBERS: Final = range(1, BARRELS + 1)
TOLD: Final = 40  # of what happened last; where the companion plays for seats it may be much


@dataclass(frozen=True, slots=True)
class FoulCard:
    """A foul as people judge it."""

    number: int
    seat: str  # empty: nobody knows whose it is
    sentence: str
    length_s: float
    called: bool  # by somebody at the table
    chart: Markup
    weighs: bool  # it is more than a warning, and was not withdrawn
    open: bool  # the table has not ruled, and its round still goes on
    upheld: bool | None
    cost: str  # what upholding it brings


def shown(now: Snapshot, reader: Reader) -> dict[str, Any]:
    """Return all that the page consists of."""
    view = now.view if isinstance(now.view, View) else None
    page = None if now.match is None else GAME_PAGES.get(str(now.game))
    found = ways(now, reader)
    seat = mover(now)
    may_move = seat is not None and reader.may_act_for(seat.colour)
    fouls = [_foul(now, foul, reader) for foul in now.fouls]
    return {
        "now": now,
        "view": view,
        "phase": _phase(now, view),
        "headline": _headline(now, reader, seat if may_move else None, len(found)),
        "seats": page.seats(now, reader) if page else seat_lines(now, reader),
        "page": page,
        **(page.parts(now, reader) if page else {}),
        "mover": seat,
        "ways": found,
        "may_move": may_move,
        "overlooks": getattr(now.settings, "overlook", False),
        "board": _board(now, reader, may_move=may_move),
        "fouls": [foul for foul in reversed(fouls) if foul.open],  # the newest is not to be missed
        "noted": [foul for foul in fouls if not foul.open],
        "unflipped": tuple(SeatName[colour.upper()] for colour in now.unflipped),
        "called": CALLED,
        "happened": [
            reader.say(event)
            for event in now.happened[-TOLD:]
            if page is None or not isinstance(event, page.quiet)
        ],
        "undoes": list(_undoes(now, reader)),
        "offered": list(_offered(now, reader)),
        "lights": list(meanings(now)),
        "troubles": [sentence(one, reader) for one in now.troubles],
        "rolls": ROLLS,
        "numbers": NUMBERS,
        "taken": {number for _, number in view.numbers} if view else set(),
        **words(reader),
    }


def words(reader: Reader) -> dict[str, Any]:
    """Return what every part of these pages is written with."""
    return {
        "reader": reader,
        "say": reader.say,
        "name": reader.name,
        "sign": sign_svg,
        "seat_word": seat_word,
        "Colour": Colour,
        "wish": as_attribute,
        "act": lambda text: as_attribute(Act(text)),
        "Act": Act,
        "Call": Call,
        "GiveUp": GiveUp,
        "NewMatch": NewMatch,
        "PutRight": PutRight,
        "RollForUs": RollForUs,
        "Rule": Rule,
        "Settle": Settle,
        "TakeBack": TakeBack,
        "foul_word": foul_word,
        "pack": pack,
        "place": lambda step: reader.say(place(step)),
    }


def _headline(now: Snapshot, reader: Reader, seat: SeatShown | None, count: int) -> str:
    """Return what is to be done now: who moves one of so many pawns here is told how."""
    if seat is None:
        return headline(now, reader)
    whose = {"seat": reader.name(seat.colour), "steps": dict(now.view.numbers)[now.view.turns[0]]}
    if count == 1:
        said = Text("{seat} moves by {steps} {steps:#field|fields}: confirm the move.", **whose)
        return reader.say(said)
    return reader.say("{seat} moves by {steps} {steps:#field|fields}: tap a pawn.", **whose)


def as_attribute(wish: Wish) -> str:
    """Return a wish as an element keeps it until it is tapped."""
    return json.dumps(to_json(wish), ensure_ascii=False)


def _phase(now: Snapshot, view: View | None) -> str:
    if now.match is None:
        return "none"
    if now.over:
        return "over"
    if view is None:
        return "game"
    return view.phase.value


def _board(now: Snapshot, reader: Reader, *, may_move: bool) -> str:
    if not isinstance(now.view, View):
        return ""
    found = ways(now, reader)
    drawn = Drawn(
        camps=now.view.pawns,
        choosable=choosable(found) if may_move else {},
        marks=[mark for mark in marks(found) if may_move or mark.shown],
        happened=now.happened,
        magic=now.view.magic,
    )
    return board_svg(now.settings.board, drawn, reader)


def _foul(now: Snapshot, foul: Foul, reader: Reader) -> FoulCard:
    raised = foul.raised
    weighs = raised.weight == FOUL
    return FoulCard(
        raised.foul,
        raised.seat or "",
        _dated(foul, foul_sentence(foul, reader), reader),
        raised.length_ms / 1000,
        raised.called,
        evidence_svg(raised.evidence, reader) + counts_svg(raised.counts, raised.length_ms, reader),
        weighs,
        foul.upheld is None and weighs and not now.over and foul.round >= _round(now),
        foul.upheld,
        _cost(now, foul, reader),
    )


def _cost(now: Snapshot, foul: Foul, reader: Reader) -> str:
    seat = foul.raised.seat
    cost = now.house.cost.value if now.house and seat else "nothing"
    if cost == "sit-out":
        return reader.say("If you uphold it, {seat} sits this round out.", seat=reader.name(seat))
    if cost == "put-back":
        return reader.say(
            "If you uphold it, the barrel of {seat} goes back.", seat=reader.name(seat)
        )
    return reader.say("If you uphold it, it is noted; in this house it costs nothing.")


def _round(now: Snapshot) -> int:
    return now.view.round if isinstance(now.view, View) else 0


def _dated(foul: Foul, sentence: str, reader: Reader) -> str:
    if not foul.round:
        return sentence
    return reader.say("Round {round}: {foul}", round=foul.round, foul=sentence)


def _undoes(now: Snapshot, reader: Reader) -> Iterator[str]:
    """Yield what taking back would undo; nothing, if only that something was put right."""
    for event in now.undoes:
        yield reader.say(event)
    if now.unrules is not None:
        yield foul_sentence(now.unrules, reader)
    elif now.over and not now.undoes:
        yield reader.say("The match is given up.")


def _offered(now: Snapshot, reader: Reader) -> Iterator[tuple[str, str]]:
    """Yield which seat's button has brought up what, to be confirmed there."""
    for seat in now.seats:
        if seat.lit is not None:
            offer = seat.offers[seat.lit]
            yield seat.colour, label(offer.wish, reader, offer.preview, now.game)
