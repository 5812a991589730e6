"""The match that was played last, once more by one tap: the same game, rules and people."""

from __future__ import annotations

import json
from typing import Any

from companion.core.packing import pack
from companion.errors import NoAnswer
from companion.outputs.web.phones import Phones
from companion.present.page import title_of
from companion.present.reader import Reader
from companion.referee.commands import NewMatch
from companion.referee.match_steps import retold
from companion.text import SEATS


def last_time(phones: Phones, who: Reader) -> dict[str, Any]:
    """Return what the set-up page tells of it; nothing while another match is played."""
    nothing: dict[str, Any] = {"again": None}
    now = phones.room.snapshot
    if not who.acts or (now.match is not None and not now.over) or now.joining:
        return nothing
    try:
        newest = next(iter(phones.room.matches()), None)
    except NoAnswer:
        return nothing
    steps, _ = retold((newest.first,)) if newest else ((), None)
    if newest is None or not steps:
        return nothing
    match = steps[0].after
    settings, then = match.game.settings, phones.people.in_match(newest.id)
    taken = {one.id for _, one in phones.people.now.people}
    back = [
        {"seat": seat, "person": one.id}
        for seat, one in then.people
        if phones.people.now.at(seat) is None and one.id not in taken
    ]
    return {
        "again": NewMatch(match.game.name, pack(settings), match.house),
        "again_game": title_of(match.game.name),
        "again_seats": [SEATS[seat] for seat in settings.seats],
        "again_by": who.as_all(then),
        "again_people": json.dumps(back),
    }
