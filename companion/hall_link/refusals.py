"""Why a table does not do what a hall wants: a code that travels, and a sentence for people."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from companion.errors import CompanionError


class Refusal(Enum):
    """Why not; its value is the sentence in English, and the key of its translations."""

    UNREADABLE = "The table does not understand this command; update the hall, or the table."
    FOREIGN = "This command is for another table."
    FORGED = "This command is not signed with the table's key; have the table join the hall again."
    REPEATED = "The table has already had this command."
    LATE = "This command comes too late; send it again."
    RETAINED = "A retained command is not obeyed; send it without the retain flag."
    NO_ANSWER = (
        "This command does not say where to send the answer; name a topic below the table's."
    )
    TOO_MANY = "Too many commands are arriving at once; wait a few seconds."
    STALE = "The table has moved on; look again, then decide."
    PLAYING = (
        "Another match is still being played there; the table is asked again as soon as "
        "that is over."
    )
    NO_SUCH_MATCH = "{why} So this match cannot be started here."
    BY_PEOPLE = "The people at the table do not want to play that."
    OFFLINE = "The table is not connected; check whether it is switched on."


def told(code: str | None, values: Mapping[str, Any] | None) -> CompanionError | None:
    """Return a table's answer as an error that can be told in any language; None: it agreed.

    Of what else it says, only what its sentence asks for is used.
    """
    if code is None:
        return None
    found = Refusal.__members__.get(code, Refusal.UNREADABLE)
    if found is not Refusal.NO_SUCH_MATCH:
        return CompanionError(found.value)
    if not values or "why" not in values:
        return CompanionError(Refusal.UNREADABLE.value)
    return CompanionError(found.value, why=str(values["why"])[:400])
