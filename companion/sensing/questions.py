"""Whom to ask for samples when a pad closes: barrels in the air that may have closed it after all.

A barrel's samples say that its foot carried nothing a moment ago; so it is not what closed a pad
before that. Without them its next features would have to be awaited, and a barrel that is held
still tells none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.sensing.closers import Question, in_hand, may_come
from companion.sensing.findings import Wanted
from companion.sensing.seats import Seat, certain_before
from companion.sensing.settings import Seating, Settings
from companion.sensing.touches import Barrel

Asked = tuple[dict[int, Barrel], tuple[Wanted, ...]]


def unsure(seats: Iterable[Seat], settings: Settings) -> list[Question]:
    """Return the seats where something stands, and it is not certain yet what."""
    return [
        seat.question
        for seat in seats
        if seat.question is not None
        and seat.question.opened_us is None
        and seat.said is None
        and not certain_before(seat, settings)
    ]


def asked(
    questions: Iterable[Question], barrels: Mapping[int, Barrel], now_us: int, settings: Seating
) -> Asked:
    """Return which barrels are asked now, and for what; that they were asked is remembered."""
    found, wanted = dict[int, Barrel](), list[Wanted]()
    for question in questions:
        for who, barrel in barrels.items():
            if who in found or barrel.ahead_us is None:
                continue
            times = [at_us for at_us in times_us(question, settings) if at_us <= now_us]
            if not times or barrel.asked_us >= times[-1]:
                continue
            if _doubtful(question, barrel, now_us, settings):
                begin_us = now_us - barrel.ahead_us - 1000 * settings.ask_back_ms
                wanted.append(Wanted(who, max(0, begin_us), settings.ask_ms))
                found[who] = replace(barrel, asked_us=now_us)
    return found, tuple(wanted)


def times_us(question: Question, settings: Seating) -> list[int]:
    """Return when to ask, again and again."""
    return [question.closed_us[-1] + 1000 * after_ms for after_ms in settings.asks_ms]


def _doubtful(question: Question, barrel: Barrel, now_us: int, settings: Seating) -> bool:
    """Return whether it would help to know that it is still in the air."""
    return (
        in_hand(question, barrel, settings)
        and barrel.speaks(now_us, settings)
        and may_come(question, barrel, settings) > settings.ask_least
    )
