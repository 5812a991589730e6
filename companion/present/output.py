"""The way out of the table: whatever shows people what is so, be it lights, a page or a lamp.

An output of another package is joined by a section of the table's configuration. The package names
it by an entry point of the section's name, and it is built with what stands in the section:

    [lamp]                                                  # in table.toml
    host = "lamp.local"

    [project.entry-points."rappelwacht.outputs"]            # in its pyproject.toml
    lamp = "my_lamp:Lamp"                                   # Lamp({"host": "lamp.local"})
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from threading import Lock
from typing import Any, Final, Protocol

from companion.present.animations import Animation, AnimationBuffer, moments, remembered
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot
from companion.system.config import installed_outputs

LOG: Final = logging.getLogger(__name__)
NEVER_US: Final = 2**63
OFTEN_US: Final = 20_000  # more often nobody is called because of time alone


class Output(Protocol):
    """What the table's own thread tells of every snapshot, so it must not wait for anything."""

    @property
    def due_us(self) -> int:
        """Return when to call it though nothing is new; NEVER_US: only for what is new."""

    def show(self, snapshot: Snapshot, now_us: int) -> None:
        """Show what was published just now, or go on showing the same."""

    def close(self, now_us: int) -> None:
        """Show nothing from now on."""


class CallbackOutput:
    """Whoever is only told of each snapshot, such as a screen that somebody reads on."""

    due_us = NEVER_US

    def __init__(self, tell: Callable[[Snapshot], object]) -> None:
        self._tell = tell

    def show(self, snapshot: Snapshot, now_us: int) -> None:  # noqa: ARG002 - the contract has it
        """Tell of it."""
        self._tell(snapshot)

    def close(self, now_us: int) -> None:
        """Tell nothing from now on."""


class PluginOutput:
    """An output of another package: when it fails, it is called no more, and all else goes on."""

    def __init__(self, name: str, section: Mapping[str, Any]) -> None:
        self._output: Output = installed_outputs()[name].load()(section)
        self._name, self._works = name, True
        self.due_us = NEVER_US

    def show(self, snapshot: Snapshot, now_us: int) -> None:
        """Have it show a snapshot."""
        if self._works:
            self._works, self.due_us = False, NEVER_US  # and so it stays if this fails
            try:
                self._output.show(snapshot, now_us)
                self._works, self.due_us = True, max(int(self._output.due_us), now_us + OFTEN_US)
            finally:
                if not self._works:  # whoever guards the table logs why
                    LOG.error("The output %s failed; it is not called again.", self._name)

    def close(self, now_us: int) -> None:
        """Let it end, also if it failed before."""
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
        """Return when to call the first of them though nothing is new."""
        return min((output.due_us for output in self._outputs), default=NEVER_US)

    def join(self, output: Output) -> None:
        """Have one more show what is published from now on."""
        self._outputs.append(output)

    def show(self, snapshot: Snapshot) -> None:
        """Have all show what was published just now."""
        self._have_shown([*self._outputs], snapshot, snapshot.at_us)

    def go_on(self, snapshot: Snapshot, now_us: int) -> None:
        """Have those go on whose time has come."""
        due = [output for output in self._outputs if now_us >= output.due_us]
        self._have_shown(due, snapshot, now_us)

    def close(self, now_us: int) -> None:
        """Have all of them go dark, the last first."""
        for output in reversed(self._outputs):
            output.close(now_us)

    def _have_shown(self, outputs: list[Output], snapshot: Snapshot, now_us: int) -> None:
        for output in outputs:
            with self._guard:
                output.show(snapshot, now_us)


class RecentEvents:
    """The newest events of the match that is played."""

    def __init__(self) -> None:
        self._memory, self._lock = AnimationBuffer(), Lock()

    def see(self, now: Snapshot) -> AnimationBuffer:
        """Take note of a snapshot, by whichever thread first; an old one tells nothing new."""
        with self._lock:
            if now is not self._memory.seen:
                self._memory = remembered(self._memory, now)
            return self._memory

    def moments(self, now: Snapshot, reader: Viewer) -> list[Animation]:
        """Return what a reader is shown of it."""
        return moments(self.see(now), now, reader)
