"""Where a journal lives: its file is claimed for this program, opened, and replaced if damaged.

The claim is a lock on a file beside the journal, so that no two programs can replace the same
damaged journal; the system ends it with the program.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import Final

from companion.private_files import FILE, create, sync_folder
from companion.referee import salvage
from companion.referee.entry import Entry
from companion.referee.journal_file import IN_MEMORY, Connect, JournalFile
from companion.referee.journal_state import Damaged, JournalFault, JournalState, journal_fault

BEGINNING: Final = b"beginning"
Which = tuple[int, int]  # a disk, and a file on it
ENDS: Final = ("", ".lock", *salvage.LOGS, ".new", *(f".new{log}" for log in salvage.LOGS))


@dataclass(frozen=True, slots=True)
class Opened:
    """A journal's file that can be written, and what there is to say about it."""

    file: JournalFile
    news: JournalState
    values: Mapping[str, object]
    new: bool = False  # there was none, or an empty one


class Place:
    """The place of one journal; it stays claimed until it is left."""

    def __init__(self, path: Path, connect: Connect) -> None:
        self._path = path
        self._connect = connect
        self._claim: int | None = None
        self._held: dict[Path, Which] = {}  # which files were opened

    def open(self, *, damaged: bool = False) -> Opened:
        """Open the file, or a new one if it is damaged; `JournalFault` if neither is possible."""
        opened = self._open(damaged=damaged)
        files = [self._beside(end) for end in ("", ".lock", "-wal")]
        self._held = {file: which for file in files if (which := _which(file))}
        return opened

    def moved(self) -> bool:
        """Tell whether a file that was opened is gone, or another one is in its place.

        What is written then, no later start would find.
        """
        try:
            return any(_which(file) != which for file, which in self._held.items())
        except OSError:  # whoever writes next hears of it
            return False

    def _open(self, *, damaged: bool) -> Opened:
        try:
            self._demand_ordinary()
            self._claimed()
            salvage.finish(self._path)
            if damaged or salvage.orphaned(self._path) or salvage.log_damaged(self._path):
                return self._replaced()
            return self._opened()
        except Damaged:
            try:
                return self._replaced()
            except Damaged as again:
                raise JournalFault(JournalState.FAILING, again) from again
            except OSError as error:
                raise journal_fault(error) from error
        except OSError as error:
            raise journal_fault(error) from error

    def copy(self) -> JournalFile | None:
        """Return what can be read where nothing can be written, as a file in memory."""
        try:
            if not self._path.is_file():
                return None
            entries = _read(self._path)
        except (OSError, JournalFault):  # such as no room for a copy of it
            return None
        file = JournalFile.open(IN_MEMORY)
        file.add(entries)
        return file

    def leave(self) -> None:
        """Let other programs have the journal."""
        claim, self._claim = self._claim, None
        if claim is not None:
            with suppress(OSError):
                os.close(claim)

    def _beside(self, end: str) -> Path:
        return self._path.with_name(self._path.name + end)

    def _demand_ordinary(self) -> None:
        """Refuse anything but a file where ours should be: it may keep people waiting."""
        for end in ENDS:
            file = self._beside(end)
            with suppress(FileNotFoundError):
                mode = file.stat().st_mode
                if stat.S_ISDIR(mode) and not end:
                    raise JournalFault(JournalState.FOLDER)
                if not stat.S_ISREG(mode):
                    raise JournalFault(JournalState.IN_THE_WAY, file=file)

    def _claimed(self) -> None:
        lock = self._beside(".lock")
        if self._claim is not None:
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(self._claim), lock.stat()):
                    return
            self.leave()  # another disk is here now
        claim = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, FILE)
        try:
            flock(claim, LOCK_EX | LOCK_NB)
        except OSError:
            os.close(claim)
            raise
        self._claim = claim

    def _opened(self) -> Opened:
        there = self._path.exists()
        if there:  # the system tells more precisely than SQLite why it cannot be written
            os.close(os.open(self._path, os.O_RDWR | os.O_CLOEXEC))
        new = not there or self._path.stat().st_size == 0
        lost = there and new and not self._is_beginning()
        if not there:
            self._mark(BEGINNING)
        create(self._path)  # SQLite gives its log the same rights
        if new:
            sync_folder(self._path)
        file = JournalFile.open(str(self._path), self._connect)
        self._mark(b"")
        news = JournalState.ANEW if lost else JournalState.WRITING
        return Opened(file, news, {"file": self._path}, new)

    def _is_beginning(self) -> bool:
        """Tell whether the first start was cut off before anything could be written."""
        return self._claim is not None and os.pread(self._claim, len(BEGINNING), 0) == BEGINNING

    def _mark(self, word: bytes) -> None:
        """Write into the lock's file how far the journal is."""
        if self._claim is not None and os.fstat(self._claim).st_size != len(word):
            os.ftruncate(self._claim, 0)
            os.pwrite(self._claim, word, 0)
            os.fsync(self._claim)

    def _replaced(self) -> Opened:
        entries = _read(self._path)
        aside = salvage.replace(self._path, entries, self._connect)
        values = {"count": len(entries), "aside": aside}
        return Opened(self._opened().file, JournalState.RESTORED, {"file": self._path, **values})


def _which(path: Path) -> Which | None:
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def _read(path: Path) -> list[Entry]:
    """Return whatever can be read of a damaged file, even nothing: it is kept aside."""
    try:
        return salvage.read(path)
    except (OSError, JournalFault):
        raise
    except Exception:  # noqa: BLE001 - no damage may keep a table from starting
        return []
