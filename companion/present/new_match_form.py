"""The form for a new match: what somebody has chosen, and what can be made of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from companion.present.viewer import Viewer
from companion.referee import commands, snapshot
from companion.system.errors import CompanionError, RulesError


class Said(Protocol):
    """What a form says: one value by name, or all of that name."""

    def get(self, name: str, default: str) -> str:
        """Return the first value."""

    def getlist(self, name: str) -> list[str]:
        """Return every value."""


@dataclass(frozen=True, slots=True)
class CheckedForm:
    faults: tuple[str, ...]
    picture: str  # of the ring that is painted; empty: none is
    wish: commands.NewMatch | None
    going: bool  # a match is being played
    gives_up: bool
    match: str | None  # what is seen at the table
    version: int | None  # None: whatever that match has become
    differs: tuple[str, ...] = ()  # from the usual rules, in the reader's words


def checked(
    make: Callable[[], commands.NewMatch],
    now: snapshot.Snapshot,
    reader: Viewer,
    *,
    picture: str = "",
    gives_up: bool = False,
) -> CheckedForm:
    """Return what is wrong with the choices, or the wish to play like that."""
    faults: tuple[str, ...] = ()
    wish: commands.NewMatch | None = None
    try:
        wish = make()
    except RulesError as bad:
        faults = tuple(reader.say(fault) for fault in bad.faults or (bad,))
    except CompanionError as fault:
        faults = (reader.say(fault),)
    going = now.match is not None and not now.over
    version = None if going else now.version  # what begins meanwhile is not given up unasked
    return CheckedForm(faults, picture, wish, going, gives_up, now.match, version)
