"""What the table page shows of a snapshot around what the game brings along.

It must not know Flask, nor more of the table than its snapshot and who reads.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from companion.core.packing import pack
from companion.present import claims
from companion.present.coaching import coaching
from companion.present.foul_words import foul_word
from companion.present.fouls import FoulCard, cards, foul_sentence
from companion.present.headline import headline, label
from companion.present.lights.scenes import meanings
from companion.present.page import page_of, title_of
from companion.present.plain import sentence
from companion.present.reader import Reader
from companion.present.signs import face_svg, sign_svg
from companion.present.table_seats import joining
from companion.present.wish_json import to_json
from companion.referee.commands import (
    Accept,
    Act,
    Call,
    Decline,
    GiveUp,
    Insist,
    NewMatch,
    PutRight,
    RollForUs,
    Rule,
    Settle,
    TakeBack,
    Wish,
    Withdraw,
)
from companion.referee.snapshot import Snapshot
from companion.text import SeatName, seat_word
from companion.workshop.wishes import BeginPractice, NextMark, StopPractice

TOLD: Final = 40  # of what happened last; where the companion plays for seats it may be much


def shown(now: Snapshot, reader: Reader) -> dict[str, Any]:
    """Return all that the page consists of; its game may tell some of it otherwise."""
    page = None if now.match is None else page_of(now.game)
    brought = page.parts(now, reader) if page else {}
    seats = page.seats(now, reader) if page else joining(now, reader)
    return {
        "now": now,
        "page": page,
        "phase": _phase(now),
        "headline": headline(now, reader),
        "aloud": headline(now, replace(reader.as_all(), role=None)),  # where this phone speaks
        "seats": seats,
        "mine": any(one.yours and one.turn for one in seats),  # this phone is waited for
        "happened": [
            reader.say(event)
            for event in now.happened[-TOLD:]
            if page is None or not isinstance(event, page.quiet)
        ]
        + [claims.insisted(one, reader) for one in now.insisted if one.deed == now.acted],
        "undoes": list(_undoes(now, reader)),
        "offered": list(_offered(now, reader)),
        "lights": list(meanings(now)),
        "coaching": coaching(now, reader),
        "troubles": [sentence(one, reader) for one in now.troubles],
        "asked_back": claims.asked(now, reader),
        "insisted": claims.noted(now, reader),
        "noted": brought["noted"] if "noted" in brought else _noted(now, reader),
        **words(reader),
        **brought,
    }


def words(reader: Reader) -> dict[str, Any]:
    """Return what every part of these pages is written with."""
    return {
        "reader": reader,
        "say": reader.say,
        "name": reader.name,
        "sign": sign_svg,
        "who": lambda word: SeatName[word.upper()],
        "face": lambda seat: face_svg(seat, reader),
        "seat_word": seat_word,
        "wish": as_attribute,
        "act": lambda text: as_attribute(Act(text)),
        "Act": Act,
        "Call": Call,
        "BeginPractice": BeginPractice,
        "GiveUp": GiveUp,
        "Insist": Insist,
        "NewMatch": NewMatch,
        "NextMark": NextMark,
        "PutRight": PutRight,
        "RollForUs": RollForUs,
        "Rule": Rule,
        "Settle": Settle,
        "StopPractice": StopPractice,
        "TakeBack": TakeBack,
        "Accept": Accept,
        "Decline": Decline,
        "game_title": lambda game: reader.say(title_of(game)),
        "Withdraw": Withdraw,
        "foul_word": foul_word,
        "pack": pack,
    }


def as_attribute(wish: Wish) -> str:
    """Return a wish as an element keeps it until it is tapped."""
    return json.dumps(to_json(wish), ensure_ascii=False)


def _phase(now: Snapshot) -> str:
    if now.match is None:
        return "none"
    return "over" if now.over else "game"


def _noted(now: Snapshot, reader: Reader) -> list[FoulCard]:
    """Return the fouls that nobody has to rule on, of a game whose page says nothing of rounds."""
    return [foul for foul in cards(now, 0, reader) if not foul.open]


def _undoes(now: Snapshot, reader: Reader) -> Iterator[str]:
    """Yield what taking back would undo; nothing, if only that something was put right."""
    for event in now.undoes:
        yield reader.say(event)
    if now.unrules is not None:
        yield foul_sentence(now.unrules, reader)
    elif now.over and not now.undoes:
        yield reader.say("The match was given up.")


def _offered(now: Snapshot, reader: Reader) -> Iterator[tuple[str, str]]:
    """Yield which seat's button has brought up what, to be confirmed there."""
    for seat in now.seats:
        if seat.lit is not None:
            offer = seat.offers[seat.lit]
            yield seat.colour, label(offer.wish, reader, offer.preview, now.game)
