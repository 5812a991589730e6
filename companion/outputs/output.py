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
from collections.abc import Mapping
from typing import Any, Final, Protocol

from companion.config import installed_outputs
from companion.referee.snapshot import Snapshot

LOG: Final = logging.getLogger(__name__)
NEVER_US: Final = 2**63
OFTEN_US: Final = 20_000  # more often nobody is called because of time alone


class Output(Protocol):
    """What the table's own thread tells of every snapshot, so it must not wait for anything."""

    due_us: int  # when it is to be called though nothing is new; NEVER_US: only for what is new

    def show(self, snapshot: Snapshot, now_us: int) -> None:
        """Show what was published just now, or go on showing the same."""

    def close(self, now_us: int) -> None:
        """Show nothing any more."""


class Joined:
    """An output of another package: when it fails, it is called no more, and all else goes on."""

    def __init__(self, name: str, section: Mapping[str, Any]) -> None:
        self._output: Output = installed_outputs()[name].load()(section)
        self._name, self._works = name, True
        self.due_us = NEVER_US

    def show(self, snapshot: Snapshot, now_us: int) -> None:
        """Have it show a snapshot."""
        if self._works:
            self._works, self.due_us = False, NEVER_US  # and so it stays if this fails
            self._output.show(snapshot, now_us)
            self._works, self.due_us = True, max(int(self._output.due_us), now_us + OFTEN_US)

    def close(self, now_us: int) -> None:
        """Let it end, also if it failed before."""
        self._works = False
        try:
            self._output.close(now_us)
        except Exception:
            LOG.exception("The output %s failed while it was closed.", self._name)
