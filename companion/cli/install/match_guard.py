"""Asks the table that runs here; keeps installs and updates from interrupting a match.

Of a table that does not run, the journal tells. Who gives no answer may be in the middle of one.
"""

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final

from companion.journal import Journal, JournalState, sqlite_import, status
from companion.system import errors, paths
from companion.system.small_files import object_in
from companion.system.status import Status

HERE: Final = "127.0.0.1"
ANSWER_S: Final = 10.0
LONGEST: Final = 1 << 22
TELLING: Final[set[Status]] = {JournalState.WRITING, JournalState.FULL, JournalState.READ_ONLY}


def demand_none(folder: Path, port: int) -> None:
    """Raise, if a match of the table that keeps all in a folder is not finished."""
    if folder.exists():
        with as_owner_of(folder.parent):
            for kept in (folder, folder / "simulated"):  # software barrels lie apart
                _demand_none(kept, port)


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


class RunningTable:
    """The table that runs here, as a phone reaches it."""

    def __init__(self, port: int, language: str = "en") -> None:
        self.port, self._cookie = port, ""
        self._headers = {
            "Accept-Language": language,
            "Content-Type": "application/json",
            "Origin": f"http://{HERE}:{port}",
        }

    def call(
        self, how: str, path: str, body: Mapping[str, object] | None = None
    ) -> tuple[int, bytes]:
        """Return the status and what is answered; OSError, HTTPException: nobody is there."""
        line = HTTPConnection(HERE, self.port, timeout=ANSWER_S)
        headers = self._headers | ({"Cookie": self._cookie} if self._cookie else {})
        try:
            line.request(how, path, None if body is None else json.dumps(body), headers)
            answer = line.getresponse()
            self._cookie = (answer.getheader("Set-Cookie") or self._cookie).partition(";")[0]
            return answer.status, answer.read(LONGEST)
        finally:
            line.close()

    def page(self, path: str) -> bytes | None:
        """Return what it answers; None: nothing, or that something is wrong."""
        with suppress(OSError, HTTPException):
            status, data = self.call("GET", path)
            return data if status == 200 else None
        return None

    def facts(self, path: str) -> dict[str, Any]:
        """Return the object that it answers; an empty one: it answers none."""
        try:
            return object_in(self.page(path) or b"{}")
        except (ValueError, TypeError):
            return {}


def _playing(port: int) -> bool | None:
    """Return whether the table that runs is in a match; None: it does not say."""
    try:
        snapshot = RunningTable(port).facts("/api/snapshot")
        return snapshot["match"] is not None and not snapshot["over"]
    except KeyError:
        return None
