"""A sixth output, as somebody else may write one: each headline becomes a line of a file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.present.headline import headline
from companion.present.output import NEVER_US
from companion.present.viewer import Viewer
from companion.referee.snapshot import Snapshot


class Paper:
    """A paper that everybody can read on."""

    def __init__(self, section: Mapping[str, Any]) -> None:
        self._file = Path(section["file"])
        self._reader = Viewer(section.get("language", "en"))
        self._torn_at = section.get("torn_at")  # a version; tests only
        self.due_us = NEVER_US

    def show(self, snapshot: Snapshot, now_us: int) -> None:
        """Write what is to be done now."""
        if snapshot.version == self._torn_at:
            raise OSError("the paper is torn")
        self._write(f"{now_us} {snapshot.version} {headline(snapshot, self._reader)}")

    def close(self, now_us: int) -> None:
        """Write that it ends."""
        self._write(f"{now_us} end")

    def _write(self, line: str) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
