"""What does not work at the table now: parts by what they say of themselves, stoppers by sensing.

It must not know what a part is for, nor which barrel a stopper closes.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import EnumMeta
from typing import Final, cast

from companion.condition import Condition, State
from companion.sensing.ailments import Ailment
from companion.sensing.diagnosing import Cell
from companion.sensing.told import Ails

NAMES: Final = {
    f"{kind.__name__}_{one.name}": one.value for kind in (Ailment, Cell) for one in kind
}
AILING: Final = cast(  # what can be wrong with a stopper, as states; sensing knows no conditions
    "Callable[[str], State]", EnumMeta.__call__(State, "Ailing", NAMES)
)


class Troubles:
    """How each part was when it was heard of last; `now` is what somebody should see to."""

    def __init__(self) -> None:
        self._parts: dict[tuple[object, ...], Condition] = {}
        self._stoppers: dict[int, tuple[Condition, ...]] = {}

    def notice(self, condition: Condition) -> None:
        """Keep how a part is."""
        self._parts[type(condition.state), condition.values.get("part")] = condition

    def ails(self, told: Ails) -> None:
        """Keep all that is wrong with a stopper."""
        sentences = sorted(str(one.value) for one in told.ailments)
        self._stoppers[told.stopper] = tuple(
            Condition(AILING(one), told.at_us, {"stopper": told.stopper}) for one in sentences
        )

    @property
    def now(self) -> tuple[Condition, ...]:
        """Return what is not well: first parts, then stoppers by their numbers."""
        parts = [one for one in self._parts.values() if not one.state.fine]
        return (*parts, *(one for _, ills in sorted(self._stoppers.items()) for one in ills))
