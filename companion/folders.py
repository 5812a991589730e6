"""Where a table keeps what it must not lose. It must not know what is in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from companion.errors import CompanionError

JOURNAL: Final = "journal.sqlite3"
CONFIG: Final = Path("/etc/rappelwacht/table.toml")  # where an installed table says how it is wired


def kept_in(wanted: str | None, name: str) -> Path:
    """Return the folder of a table: the one that somebody wants, or the one it has by its name."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    return Path(wanted) if wanted else Path(state) / "rappelwacht" / name


def wiring_file(wanted: str | None) -> Path | None:
    """Return the file that says how a table is wired; None: there is no such table here."""
    return Path(wanted) if wanted else CONFIG if CONFIG.exists() else None


def made(folder: Path) -> Path:
    """Return a folder that is there from now on."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CompanionError(
            "{folder}: this folder cannot be made ({reason}).",
            folder=folder,
            reason=error.strerror,
        ) from None
    return folder
