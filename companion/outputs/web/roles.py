"""Who may wish for what from a phone.

Everybody may look. A phone that is paired for a seat does what is that seat's to do, and what the
table does together: roll, flip, rule, call, take back. The phone in the middle of the table does
all. That nobody names a sealed number before the flip holds for every phone: a refusal could
depend on what others have placed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from companion.core.declarations import is_blind, parts, verb
from companion.core.game import Action
from companion.core.notation import Parsed
from companion.errors import CompanionError
from companion.journal import Entry
from companion.present.reader import Reader
from companion.referee.commands import PutRight, Settle, Wish
from companion.referee.deeds import Did
from companion.text import SeatName

SEAT_PARTS: Final = ("seat", "player")  # where an action says whose it is
DID: Final = verb(Did)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a phone may not have what it wishes."""

    status: int
    code: str
    why: CompanionError


WATCHES: Final = Refusal(
    403,
    "not-paired",
    CompanionError("This phone only watches; pair it on the 'Join' page to act."),
)


def refusal(
    reader: Reader, wish: Wish, acts: Sequence[Parsed], entries: Sequence[Entry] = ()
) -> Refusal | None:
    """Return why this reader may not wish for that; None: it may.

    `acts` is all that its text can mean, and `entries` are those of the match, where something is
    to be put right.
    """
    if not reader.acts:
        return WATCHES
    for kind, given in acts:
        if _names_what_nobody_knows(kind, given):
            return Refusal(
                422,
                "sealed",
                CompanionError("Before the flip nobody may say a barrel's number; leave it out."),
            )
    seat = reader.seat
    whose = (*_whose(wish, acts), *_was(wish, entries))
    if seat is not None and any(one != seat for one in whose):
        return Refusal(
            403,
            "not-your-seat",
            CompanionError(
                "This phone plays for {seat}, and that is another seat's decision.",
                seat=SeatName[seat.upper()],
            ),
        )
    return None


def _names_what_nobody_knows(kind: type[Action], given: dict[str, Any]) -> bool:
    """Tell whether a seat's action names what is hidden from that seat, too."""
    if kind.sealed is None or not is_blind(kind):
        return False
    return any(given.get(name) is not None for name in kind.sealed.hides)


def _whose(wish: Wish, acts: Iterable[Parsed]) -> Iterator[str | None]:
    """Yield whose a wish is; None: somebody's, which it leaves open; nothing: everybody's."""
    if isinstance(wish, Settle):
        yield wish.seat
    for kind, given in acts:
        for part in parts(kind):
            if part.name in SEAT_PARTS:
                named = given.get(part.name)
                yield None if named is None else named.name.lower()


def _was(wish: Wish, entries: Sequence[Entry]) -> Iterator[str]:
    """Yield whose deed it was that has to be corrected."""
    for entry in entries:
        if isinstance(wish, PutRight) and entry.number == wish.deed and entry.kind == DID:
            did = json.loads(entry.body["action"])
            yield from (did[part] for part in SEAT_PARTS if part in did)
