"""Status of a part of the table: a state with a sentence for people; and a backoff for retries.

The value of a state is its sentence in English, which is also the key of its translations; so no
state can be without one.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from companion.system.text import filled_in_english


class Fine(str):
    """The sentence of a state in which there is nothing that anybody should see to."""

    __slots__ = ()


class Status(Enum):
    """What a part derives its states from."""

    @property
    def template(self) -> str:
        return str(self.value)

    @property
    def fine(self) -> bool:
        """Whether there is nothing that anybody should see to."""
        return isinstance(self.value, Fine)

    @property
    def quiet(self) -> bool:
        """Whether that may wait until after the evening: words say it, and no light."""
        return False


@dataclass(frozen=True, slots=True)
class Condition:
    """The state of one part since a time, with what its sentence needs."""

    state: Status
    since_us: int
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return filled_in_english(self.state.template, self.values)


LOG: Final = logging.getLogger(__name__)
Report = Callable[[Condition], None]


class StatusReporter:
    """The condition of one part; whoever asked for it hears every change, once."""

    def __init__(self, state: Status, report: Report, **values: object) -> None:
        self.condition = Condition(state, 0, values)
        self._report = report

    def becomes(self, state: Status, now_us: int, **values: object) -> None:
        """Set a new state; report it only if it changed."""
        if (state, values) == (self.condition.state, self.condition.values):
            return
        self.condition = Condition(state, now_us, values)
        LOG.debug("%s", self.condition)
        self._report(self.condition)


@dataclass(slots=True)
class Backoff:
    """When to try again: soon at first, then ever later, up to a limit."""

    first_us: int
    limit_us: int
    due_us: int = 0
    wait_us: int = 0

    def failed(self, now_us: int) -> None:
        """Wait twice as long as the last time."""
        self.wait_us = min(max(self.first_us, 2 * self.wait_us), self.limit_us)
        self.due_us = now_us + self.wait_us

    def worked(self) -> None:
        """Forget the failures."""
        self.wait_us = 0
        self.due_us = 0
