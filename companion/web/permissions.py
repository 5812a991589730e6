"""Permissions: which phone may send which command, and who has seen whose hand.

Everybody may look. A phone that is paired for a seat does what is that seat's to do, and what the
table does together: roll, flip, rule, call, take back. The phone in the middle of the table does
all. That nobody names a sealed number before the flip holds for every phone: a refusal could
depend on what others have placed.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from companion import core, journal
from companion.core.game import is_blind, verb
from companion.core.notation import Parsed
from companion.present.viewer import Viewer
from companion.referee.commands import AssignBarrel, CommandBody, CorrectAction
from companion.referee.events import ActionDone
from companion.system import codec, text
from companion.system.errors import CompanionError
from companion.web.common.errors import RequestError

SEAT_PARTS: Final = ("seat", "player")  # where an action says whose it is
DID: Final = verb(ActionDone)


def watches() -> RequestError:
    """Return why a phone that only watches may not act."""
    why = CompanionError("This phone only watches; pair it on the 'Join' page to act.")
    return RequestError(403, "not-paired", why)


def refusal(
    reader: Viewer, wish: CommandBody, acts: Sequence[Parsed], entries: Sequence[journal.Entry] = ()
) -> RequestError | None:
    """Return why this reader may not wish for that; None: it may.

    `acts` is all that its text can mean, and `entries` are those of the match, where something is
    to be put right.
    """
    if not reader.acts:
        return watches()
    for kind, given in acts:
        if _names_what_nobody_knows(kind, given):
            return RequestError(
                422,
                "sealed",
                CompanionError("Before the flip nobody may say a barrel's number; leave it out."),
            )
    seat = reader.seat
    whose = (*_whose(wish, acts), *_was(wish, entries))
    if seat is not None and any(owner != seat for owner in whose):
        return RequestError(
            403,
            "not-your-seat",
            CompanionError(
                "This phone plays for {seat}, and that is another seat's decision.",
                seat=text.SeatName[seat.upper()],
            ),
        )
    return None


def _names_what_nobody_knows(kind: type[core.Action], given: dict[str, Any]) -> bool:
    """Tell whether a seat's action names what is hidden from that seat, too."""
    if kind.sealed is None or not is_blind(kind):
        return False
    return any(given.get(name) is not None for name in kind.sealed.hides)


def _whose(wish: CommandBody, acts: Iterable[Parsed]) -> Iterator[str | None]:
    """Yield whose a wish is; None: somebody's, which it leaves open; nothing: everybody's."""
    if isinstance(wish, AssignBarrel):
        yield wish.seat
    for kind, given in acts:
        for part in codec.parts(kind):
            if part.name in SEAT_PARTS:
                named = given.get(part.name)
                yield None if named is None else named.name.lower()


def _was(wish: CommandBody, entries: Sequence[journal.Entry]) -> Iterator[str]:
    """Yield whose event it was that has to be corrected."""
    for entry in entries:
        if isinstance(wish, CorrectAction) and entry.number == wish.deed and entry.kind == DID:
            did = json.loads(entry.body["action"])
            yield from (did[part] for part in SEAT_PARTS if part in did)


@dataclass(slots=True)
class HandExposure:
    """What was seen; whoever uses it sees to it that only one thread does.

    >>> seen = HandExposure()
    >>> seen.note("m1", {"a": "red", "b": "blue", "c": "table"})
    >>> seen.note("m1", {"a": "blue"})
    >>> seen.by_several, seen.by_one
    (('blue',), (('red', 'blue'),))
    """

    match: str | None = None
    of: dict[str, tuple[str, ...]] = field(default_factory=dict)  # a phone's mark: the seats

    def note(self, match: str | None, roles: Mapping[str, str]) -> None:
        """Note who acts for which seat while hands are shown; None: they are not."""
        if match is None:
            return
        if match != self.match:
            self.match, self.of = match, {}
        for mark, role in roles.items():
            before = self.of.get(mark, ())
            if role in text.SEATS and role not in before:
                self.of[mark] = tuple(seat for seat in text.SEATS if seat in (*before, role))

    def rename(self, mark: str, newer: str) -> None:
        """Note that the same phone has another name now."""
        if mark in self.of:
            self.of[newer] = self.of.pop(mark)

    def clear(self) -> None:
        """Forget all: every phone is let go."""
        self.of = {}

    @property
    def by_several(self) -> tuple[str, ...]:
        """Return the seats whose hands several phones have seen, or one that joined again."""
        seen = [seat for seats in self.of.values() for seat in seats]
        return tuple(seat for seat in text.SEATS if seen.count(seat) > 1)

    @property
    def by_one(self) -> tuple[tuple[str, ...], ...]:
        """Return which hands one and the same phone has seen, where it is more than one."""
        return tuple(sorted({seats for seats in self.of.values() if len(seats) > 1}))
