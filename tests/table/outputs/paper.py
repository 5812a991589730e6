"""A sixth output, as somebody else may write one: events and headlines become lines of a file."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.present.animations import sentence
from companion.present.headline import headline
from companion.present.output import NEVER_US
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot, TableEvent


class Paper:
    """A paper that everybody can read on."""

    def __init__(self, section: Mapping[str, Any]) -> None:
        self._file = Path(section["file"])
        self._reader = Viewer(section.get("language", "en"))
        self._torn_at = section.get("torn_at")  # a version; tests only
        self.due_us = section.get("due_us", NEVER_US)

    def on_update(self, snapshot: Snapshot, events: Sequence[TableEvent]) -> None:
        """Write what happened, and what is to be done now."""
        if snapshot.version == self._torn_at:
            raise OSError("the paper is torn")
        for event in events:
            self._write(f"* {sentence(event.what, self._reader)}")
        self._write(f"{snapshot.at_us} {snapshot.version} {headline(snapshot, self._reader)}")

    def tick(self, now_us: int) -> None:
        """Do nothing: on a paper nothing moves."""

    def close(self, now_us: int) -> None:
        """Write that it ends."""
        self._write(f"{now_us} end")

    def _write(self, line: str) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
