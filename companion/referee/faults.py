"""Faults of the table now: parts by their own status, stoppers and barrels by sensing.

It must not know what a part is for, nor which barrel a stopper closes. That a barrel is suspect is
said without naming it: whoever knew which could tell it from the others while they are chosen.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import EnumMeta
from typing import Final, cast

from companion.sensing import events, load_cell_faults, stopper_faults, tampering
from companion.system import format_names, status

NAMES: Final = {
    f"{format_names.format_name_of(kind)}_{fault.name}": fault.value
    for kind in (stopper_faults.StopperFault, load_cell_faults.CellFault)
    for fault in kind
}
STOPPER_FAULT: Final = cast(  # as states, since sensing knows no conditions; formats know AILING
    "Callable[[str], status.Status]",
    EnumMeta.__call__(status.Status, "AILING", NAMES, module=__name__, qualname="STOPPER_FAULT"),
)


@format_names.format_name("Doubt")
class TableFault(status.Status):
    """What no part says of itself, but seems to be so."""

    PAD_CUT_OFF = (
        "{seat}'s pad says that its barrel is gone, but the barrel is still standing there; look "
        "at the pad's cable. Until it works, people tap who has placed a barrel."
    )
    PAD_FULL = (
        "Something has been standing on {seat}'s pad since before the dice; put it back, or nobody "
        "notices that another barrel is placed there."
    )
    SUSPECT = (
        "A barrel does not weigh what it should: a stone may be missing, or its stopper was "
        "swapped. After the match the workshop says which."
    )
    UNNAMED = "The workshop says which stopper it is after the match."
    UNREAD = (
        "This version cannot go on with the match that was played last; it stays in the journal. "
        "Use the version that wrote it, or begin another match, which gives this one up."
    )


def is_about_barrel(condition: status.Condition) -> bool:
    """Tell whether it is a barrel or its stopper that is not well."""
    return condition.state is TableFault.SUSPECT or "stopper" in condition.values


def without_stopper_names(troubles: Iterable[status.Condition]) -> tuple[status.Condition, ...]:
    """Return what is said during a match: whoever can tell stoppers apart soon knows numbers."""
    rest: list[status.Condition] = []
    ills: dict[status.Status, status.Condition] = {}
    for condition in troubles:
        if "stopper" in condition.values:
            ills[condition.state] = replace(condition, values={**condition.values, "stopper": None})
        else:
            rest.append(condition)
    later = [status.Condition(TableFault.UNNAMED, ill.since_us) for ill in ills.values()][:1]
    return (*rest, *ills.values(), *later)


class FaultBoard:
    """How each part was when it was last heard of; `conditions` is what is not well."""

    def __init__(self) -> None:
        self._parts: dict[tuple[object, ...], status.Condition] = {}
        self._stoppers: dict[int, tuple[status.Condition, ...]] = {}
        self._suspect: tuple[status.Condition, ...] = ()

    def handle_condition(self, condition: status.Condition) -> None:
        self._parts[type(condition.state), condition.values.get("part")] = condition

    def handle_event(self, event: object, now_us: int) -> bool:
        """Keep what is wrong with a stopper or a barrel; return whether it is about that."""
        match event:
            case events.FaultsChanged():
                self.handle_faults(event)
            case tampering.Suspect():
                self.handle_suspect(now_us)
            case _:
                return False
        return True

    def handle_faults(self, change: events.FaultsChanged) -> None:
        """Keep all that is wrong with a stopper."""
        sentences = sorted(str(ailment.value) for ailment in change.ailments)
        self._stoppers[change.stopper] = tuple(
            status.Condition(STOPPER_FAULT(sentence), change.at_us, {"stopper": change.stopper})
            for sentence in sentences
        )

    def handle_suspect(self, at_us: int) -> None:
        self._suspect = self._suspect or (status.Condition(TableFault.SUSPECT, at_us),)

    def clear_suspect(self) -> bool:
        """Forget it: all weigh what they should again. Return whether that is news."""
        before, self._suspect = self._suspect, ()
        return bool(before)

    def of_stopper(self, stopper: int) -> tuple[status.Condition, ...]:
        return self._stoppers.get(stopper, ())

    @property
    def conditions(self) -> tuple[status.Condition, ...]:
        """Return what is not well: first parts, each sentence once, then stoppers."""
        parts = {
            str(condition): condition
            for condition in self._parts.values()
            if not condition.state.fine
        }
        ills = (ill for _, stopper in sorted(self._stoppers.items()) for ill in stopper)
        return (*parts.values(), *ills, *self._suspect)
