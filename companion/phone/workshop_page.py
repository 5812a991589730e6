"""The workshop: enrolling barrels, trying every part, and how all of it is, in plain words.

It must not know sensors nor the match; while one is played it shows only how all is in general.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

from flask import Blueprint, render_template
from markupsafe import Markup

from companion import __version__
from companion.condition import Condition
from companion.phone import workshop_words
from companion.phone.live_parts import part
from companion.phone.plain import sentence
from companion.phone.reader import SEATS, Reader, reader
from companion.phone.room import Phones
from companion.phone.signs import SIGNS
from companion.rules.zapp_zerapp import Colour
from companion.sensing.enrolment import Next
from companion.workshop import health, wishes
from companion.workshop.shown import Opened, SeatTried, Taring

FRESH_S: Final = 10  # looking at the computer may be slow, and it changes slowly


def pages(phones: Phones) -> Blueprint:
    """Return the page of the workshop."""
    workshop = Blueprint("workshop", __name__)
    judged = _judge_of(phones)

    @workshop.get("/workshop")
    def show() -> str:
        by = reader()
        computer = [(_mark(one), sentence(one, by)) for one in judged()]
        return render_template(
            "workshop.html",
            version=__version__,
            computer=computer,
            live=Markup(live(phones, by)),  # noqa: S704 - escaped where it is made
        )

    return workshop


def live(phones: Phones, by: Reader) -> str:
    """Return the part of the page that goes on."""
    return part("workshop_live.html", _shown(phones, by))


def _judge_of(phones: Phones) -> Callable[[], tuple[Condition, ...]]:
    """Return what tells how the computer is; it looks anew only now and then."""

    @lru_cache(maxsize=1)
    def judged(_: int) -> tuple[Condition, ...]:
        return health.judge(health.read(phones.folder or Path()))

    return lambda: judged(int(time.monotonic() // FRESH_S))


def _mark(condition: Condition) -> str:
    """Return how a part is marked: well, to be seen to, or not to be known here."""
    if condition.state.name == "UNKNOWN":
        return "unknown"
    return "fine" if condition.state.fine else "see-to"


def _shown(phones: Phones, by: Reader) -> dict[str, object]:
    """Return what the template shows of the workshop now."""
    shown = phones.room.workshop
    values: dict[str, object] = {
        "reader": by,
        "say": by.say,
        "name": by.name,
        "shown": shown,
        "parts": [(_mark(one), sentence(one, by)) for one in shown.parts],
        "words": workshop_words,
        "wishes": wishes,
        "wanted": workshop_words.wanted,
        "signs": SIGNS,
    }
    return values if shown.opened is None else values | _opened(shown.opened, by)


def _opened(opened: Opened, by: Reader) -> dict[str, object]:
    tried = {one.colour: one for one in opened.seats}
    values: dict[str, object] = {
        "opened": opened,
        "seats": [(Colour[one.upper()], tried.get(one, SeatTried(one))) for one in SEATS],
        "lights": workshop_words.lights(by),
        "trails": workshop_words.trails(opened, by),
        "facts": [sentence(one, by) for one in opened.calibration.facts],
        "firmware": workshop_words.firmware(opened.stoppers, by),
    }
    enrolment = opened.enrolment
    if enrolment is not None:
        values |= {
            "enrolment": enrolment,
            "next": sentence(enrolment.next, by),
            "places": workshop_words.standing(enrolment, opened.stoppers),
            "keys": workshop_words.keys(enrolment),
            "done": enrolment.next in (Next.DONE, Taring.DONE),
        }
    return values
