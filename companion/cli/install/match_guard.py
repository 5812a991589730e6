"""Keeps installs and updates from interrupting a match: is one unfinished, or being played?

A table that runs is asked; of one that does not, the journal tells. Who gives no answer may be in
the middle of one.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

from companion.journal import Journal, JournalState, sqlite_import, status
from companion.system import errors, paths, safe_json
from companion.system.status import Status

HERE: Final = "127.0.0.1"
ANSWER_S: Final = 10.0
LONGEST: Final = 1 << 22
TELLING: Final[set[Status]] = {JournalState.WRITING, JournalState.FULL, JournalState.READ_ONLY}


def demand_none(folder: Path, port: int) -> None:
    """Raise, if a match of the table that keeps all in a folder is not finished."""
    if folder.exists():
        with as_owner_of(folder.parent):
            for kept in folders(folder):
                _demand_none(kept, port)


def folders(folder: Path) -> tuple[Path, ...]:
    """Return where a table keeps its matches: those with software barrels lie apart."""
    return folder, folder / "simulated"


def _demand_none(folder: Path, port: int) -> None:
    path, old = folder / paths.JOURNAL, folder / paths.OLD_JOURNAL
    state: Status = JournalState.WRITING
    unfinished = False
    if not path.exists() and not old.exists():
        return
    if path.exists():
        journal = Journal(path, mend=False)
        state, unfinished = journal.condition.state, bool(journal.unfinished())
        journal.close()
    if old.exists():  # of a version that still runs, or of one that ran last
        try:
            unfinished |= sqlite_import.unfinished(old)
        except status.JournalFault as fault:
            state = fault.state
    if state is not JournalState.IN_USE and state not in TELLING:
        raise errors.CompanionError(
            "The journal {file} cannot be read by this version, so it is not known whether a "
            "match is unfinished; see what the doctor says.",
            file=path,
        )
    playing = _playing(port) if state is JournalState.IN_USE else unfinished
    if playing is None:
        raise errors.CompanionError(
            "The table is running and does not say, at port {port}, whether a match is being "
            "played; first stop it with 'sudo systemctl stop rappelwacht'.",
            port=port,
        )
    if playing:
        raise errors.CompanionError("A match is not finished; finish it or give it up first.")


@contextmanager
def as_owner_of(folder: Path) -> Iterator[None]:
    """Let root act as the one to whom a folder belongs.

    What is made there, such as beside a journal, the table must be able to write; and whoever may
    write there must not be able to send root elsewhere with a link. So it has to be one that only
    root could have put there: what is below it may be a link to somebody else's.
    """
    mine, owner = (os.geteuid(), os.getegid()), folder.stat()
    if mine[0] != 0:
        yield
        return
    try:
        os.setegid(owner.st_gid)
        os.seteuid(owner.st_uid)
        yield
    finally:
        os.seteuid(mine[0])
        os.setegid(mine[1])


def answered(port: int, path: str, language: str = "en") -> bytes | None:
    """Return what the table that runs here answers; None: nothing, or that something is wrong."""
    line = HTTPConnection(HERE, port, timeout=ANSWER_S)
    try:
        line.request("GET", path, headers={"Accept-Language": language})
        answer = line.getresponse()
        data = answer.read(LONGEST)
    except (OSError, HTTPException):
        return None
    finally:
        line.close()
    return data if answer.status == 200 else None


def _playing(port: int) -> bool | None:
    """Return whether the table that runs is in a match; None: it does not say."""
    try:
        snapshot = safe_json.load_json(answered(port, "/api/snapshot") or b"{}")
        return snapshot["match"] is not None and not snapshot["over"]
    except (ValueError, KeyError, TypeError):
        return None
