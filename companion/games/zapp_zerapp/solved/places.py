"""Where solved tables lie: those that are shipped, and those that were solved here."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.errors import CompanionError
from companion.folders import is_there, kept_in
from companion.games.zapp_zerapp.solved.pairing import Pairing
from companion.games.zapp_zerapp.solved.shipped import head_of, unpacked
from companion.games.zapp_zerapp.solved.table import HEAD, Table, checked, read_table, unreadable

SHIPPED: Final = Path(__file__).parent
PACKED: Final = ".solved.xz"
UNPACKED: Final = ".shipped"
SOLVED: Final = ".solved"
LOG: Final = logging.getLogger(__name__)


def folder() -> Path:
    """Return where tables of one's own rings are put, and looked for."""
    return kept_in(None, "solved")


def found(pairing: Pairing) -> Table | None:
    """Return the table of a pairing; None: there is none; or refuse one that is unsound."""
    shipped = SHIPPED / (pairing.name + PACKED)
    if shipped.exists():
        return _unpacked(shipped, pairing)
    own = _at_home(pairing.name + SOLVED)
    return read_table(own, pairing) if own and is_there(own) else None


def _at_home(name: str) -> Path | None:
    """Return where a file would lie; None: this computer has no home."""
    try:
        return folder() / name
    except CompanionError:
        return None


def _unpacked(shipped: Path, pairing: Pairing) -> Table:
    """Return a shipped table: unpacked once and kept, where that can be, else in memory."""
    kept = _at_home(pairing.name + UNPACKED)
    try:
        stream = shipped.read_bytes()
        if kept:
            with suppress(CompanionError):  # it is not there yet, or damaged
                table = read_table(kept, pairing)
                if table.figures[:HEAD] == head_of(stream):  # else it is of another release
                    return table
        held = unpacked(stream, symmetric=pairing.symmetric)
    except (OSError, ValueError) as error:
        raise unreadable(shipped, error) from None
    table = checked(shipped, held, pairing)
    if kept is None:
        return table
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        new = kept.with_suffix(f".{os.getpid()}")
        new.write_bytes(held)
        new.replace(kept)
        return read_table(kept, pairing)
    except OSError as error:
        LOG.debug("%s cannot be kept: %s", kept, error)
        return table
