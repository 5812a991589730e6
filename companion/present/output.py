"""Outputs: whatever receives each snapshot and event of the table: lights, a page, a lamp.

An output of another package is joined by a section of the table's configuration. The package names
it by an entry point of the section's name, and it is built with what stands in the section:

    [lamp]                                                  # in table.toml
    host = "lamp.local"

    [project.entry-points."rappelwacht.outputs"]            # in its pyproject.toml
    lamp = "my_lamp:Lamp"                                   # Lamp({"host": "lamp.local"})
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, Protocol

from companion.referee.snapshot import Snapshot, TableEvent
from companion.system.config import installed

LOG: Final = logging.getLogger(__name__)
NEVER_US: Final = 2**63
OFTEN_US: Final = 20_000  # more often nobody is called because of time alone


class Output(Protocol):
    """Is called in the table's own thread, so it must not wait for anything."""

    @property
    def due_us(self) -> int:
        """Return when its next `tick` is due; NEVER_US: it needs none."""

    def on_update(self, snapshot: Snapshot, events: Sequence[TableEvent]) -> None:
        """Handle what was published just now, at `snapshot.at_us`, and what happened by then."""

    def tick(self, now_us: int) -> None:
        """Show the newest snapshot as it is by now; it is called when `due_us` has come."""

    def close(self, now_us: int) -> None:
        """Show nothing from now on."""


class CallbackOutput:
    """Calls a function with each snapshot, such as that of a screen that somebody reads on."""

    due_us = NEVER_US

    def __init__(self, call: Callable[[Snapshot], object]) -> None:
        self._call = call

    def on_update(self, snapshot: Snapshot, events: Sequence[TableEvent]) -> None:  # noqa: ARG002 - the contract has it
        self._call(snapshot)

    def tick(self, now_us: int) -> None:
        """Do nothing: no time passes here."""

    def close(self, now_us: int) -> None:
        """Do nothing."""


class PluginOutput:
    """An output of another package: when it fails, it is called no more, and all else goes on."""

    def __init__(self, name: str, section: Mapping[str, Any]) -> None:
        self._output: Output = installed("outputs")[name].load()(section)
        self._name, self._works = name, True
        self.due_us = NEVER_US

    def on_update(self, snapshot: Snapshot, events: Sequence[TableEvent]) -> None:
        if self._works:
            with self._watched(snapshot.at_us):
                self._output.on_update(snapshot, events)

    def tick(self, now_us: int) -> None:
        if self._works:
            with self._watched(now_us):
                self._output.tick(now_us)

    @contextmanager
    def _watched(self, now_us: int) -> Iterator[None]:
        """Call it no more, once it has failed, nor in haste; whoever guards the table logs why."""
        self._works, self.due_us = False, NEVER_US  # and so it stays if this fails
        try:
            yield
            self._works, self.due_us = True, max(int(self._output.due_us), now_us + OFTEN_US)
        finally:
            if not self._works:
                LOG.error("The output %s failed; it is not called again.", self._name)

    def close(self, now_us: int) -> None:
        """Close it, also if it failed before."""
        self._works = False
        try:
            self._output.close(now_us)
        except Exception:
            LOG.exception("The output %s failed while it was closed.", self._name)


class Outputs:
    """All of a table's outputs, in their order; one that fails keeps nothing from the others."""

    def __init__(self, guard: AbstractContextManager[object], *outputs: Output) -> None:
        self._guard, self._outputs = guard, [*outputs]

    @property
    def due_us(self) -> int:
        return min((output.due_us for output in self._outputs), default=NEVER_US)

    def join(self, output: Output) -> None:
        self._outputs.append(output)

    def on_update(self, snapshot: Snapshot, events: Sequence[TableEvent]) -> None:
        for output in [*self._outputs]:
            with self._guard:
                output.on_update(snapshot, events)

    def tick(self, now_us: int) -> None:
        for output in [output for output in self._outputs if now_us >= output.due_us]:
            with self._guard:
                output.tick(now_us)

    def close(self, now_us: int) -> None:
        """Close all of them, the last first."""
        for output in reversed(self._outputs):
            output.close(now_us)
