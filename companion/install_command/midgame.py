"""Whether a match would be disturbed now. It must not know installations.

A table that runs is asked; of one that does not, the journal tells. Who gives no answer may be in
the middle of one.
"""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

from companion.errors import CompanionError
from companion.folders import JOURNAL
from companion.referee.journal import Journal
from companion.referee.journal_state import JournalState

HERE: Final = "127.0.0.1"
ANSWER_S: Final = 10.0
LONGEST: Final = 1 << 22


def demand_none(folder: Path, port: int) -> None:
    """Raise, if a match of the table that keeps its journal in a folder is not finished."""
    path = folder / JOURNAL
    if not path.exists():
        return
    journal = Journal(path)
    in_use = journal.condition.state is JournalState.IN_USE
    unfinished = bool(journal.unfinished())
    journal.close()
    playing = _playing(port) if in_use else unfinished
    if playing is None:
        raise CompanionError(
            "The table runs and does not say whether a match is played, at port {port}; stop it "
            "with: sudo systemctl stop rappelwacht – or insist with --anyway.",
            port=port,
        )
    if playing:
        raise CompanionError(
            "A match is not finished; finish it or give it up first, or insist with --anyway."
        )


def _playing(port: int) -> bool | None:
    """Return whether the table that runs is in a match; None: it does not say."""
    line = HTTPConnection(HERE, port, timeout=ANSWER_S)
    try:
        line.request("GET", "/api/snapshot")
        answer = line.getresponse()
        told = json.loads(answer.read(LONGEST)) if answer.status == 200 else {}
        return told["match"] is not None and not told["over"]
    except (OSError, HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        line.close()
