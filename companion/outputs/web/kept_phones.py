"""Keeps the paired phones and the PIN in files that only their owner may read.

A disk that fails keeps nobody from playing: what can be read counts, whether or not it can be
written. What could not be written is told of, and tried again. Of two tables that use one folder
the second leaves the files of the first alone.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final

from companion import private_files
from companion.condition import Report, State, Watched
from companion.format_names import format_name
from companion.present.reader import ROLES

PHONES: Final = "phones.json"  # {the mark of a phone's name: its role}
PIN: Final = "phone.pin"
PIN_DIGITS: Final = 6
MOST_BYTES: Final = 1 << 20  # far more than the list of all phones has
A_PIN: Final = re.compile(rb"([0-9]{%d})\n?" % PIN_DIGITS)
A_MARK: Final = re.compile(r"[0-9a-f]{64}")


@format_name("Keeping")
class Keeping(State):
    """Whether what people decided about phones outlives a restart."""

    WRITTEN = "The list of phones that are let in is saved."
    UNWRITTEN = (
        "The list of phones that are let in cannot be saved in {file} ({reason}): after a "
        "restart, phones that were let go may be in again, and new ones out. Make room or repair "
        "the disk; saving is tried again until it works."
    )

    @property
    def fine(self) -> bool:
        """Whether there is nothing that anybody should see to."""
        return self is Keeping.WRITTEN


class Kept:
    """What is kept of an evening's phones."""

    def __init__(
        self, folder: Path | None, pin: str | None = None, report: Report = lambda _: None
    ) -> None:
        self._folder = folder
        self._writing = Lock()
        self.phones = self._phones()
        self._written: dict[str, str] | None = dict(
            self.phones
        )  # None: nobody knows what stands there
        self._watched = Watched(Keeping.WRITTEN, report)
        self.pin = pin or f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
        self.pin_file: Path | None = None  # None: it stands nowhere …
        self.pin_fault = ""  # … because of this, if there is a folder
        if folder is not None:
            self._keep_pin(folder / PIN)

    def keep(self, newest: Callable[[], Mapping[str, str]], *, anew: bool = False) -> None:
        """Write down the newest phones, if that is not what stands there, or in any case."""
        with self._writing:
            phones = dict(newest())  # not earlier: a phone let go meanwhile must not come back
            if self._folder is not None and (anew or phones != self._written):
                self._written = None  # until it is: a disk may fail after half of it
                self._write(self._folder / PHONES, phones)

    def _write(self, file: Path, phones: dict[str, str]) -> None:
        """Write the list; an empty one may as well be none, for which every disk has room."""
        now_us = time.monotonic_ns() // 1000
        try:
            try:
                private_files.write(file, json.dumps(phones).encode())
            except OSError:
                if phones:
                    raise
                file.unlink(missing_ok=True)
                private_files.sync_folder(file)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            self._watched.becomes(Keeping.UNWRITTEN, now_us, file=file, reason=reason)
        else:
            self._written = phones
            self._watched.becomes(Keeping.WRITTEN, now_us)

    def _phones(self) -> dict[str, str]:
        if self._folder is None:
            return {}
        try:
            found = json.loads(_read(self._folder / PHONES, MOST_BYTES)[0])
            marks = filter(A_MARK.fullmatch, found)
            return {mark: found[mark] for mark in marks if found[mark] in ROLES}
        except (OSError, ValueError, AttributeError, TypeError, RecursionError):  # damaged
            return {}

    def _keep_pin(self, file: Path) -> None:
        """Write down today's PIN; where that fails, the one that stands there is today's, too."""
        with suppress(OSError):
            file.rmdir()  # an empty folder in its place would keep newcomers out
        try:
            private_files.write(file, f"{self.pin}\n".encode())
        except OSError as error:
            before = _private_pin(file)
            self.pin_fault = error.strerror or type(error).__name__
            if before is None:
                return
            self.pin = before
        self.pin_file = file


def _private_pin(file: Path) -> str | None:
    """Return the PIN of a file that leads nowhere else, and that nobody else could have read."""
    try:
        written, mode = _read(file, PIN_DIGITS + 1, os.O_NOFOLLOW)
    except (OSError, ValueError):
        return None
    read = A_PIN.fullmatch(written)
    return read[1].decode() if read and not mode & private_files.OTHERS else None


def _read(file: Path, most_bytes: int, more: int = 0) -> tuple[bytes, int]:
    """Return what is in a file, and its mode; ValueError: it is none, or too large to be ours.

    A pipe or a device that stands in its place is not waited for.
    """
    opened = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | more)
    with os.fdopen(opened, "rb") as found:
        mode = os.fstat(opened).st_mode
        if not stat.S_ISREG(mode):
            raise ValueError(f"{file} is not a file")
        read = found.read(most_bytes + 1)
    if len(read) > most_bytes:
        raise ValueError(f"{file} is too large")
    return read, mode


class Hold:
    """A folder that is this table's as long as it runs, even if it is killed; or not, …

    … if another table holds it already. Nothing is written for it.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder  # None: there is none, or another table has it
        self._held: int | None = None
        with suppress(OSError):  # a folder that cannot be opened is nobody's
            if folder is not None:
                self._held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
                self._lock(self._held)

    def _lock(self, held: int) -> None:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.folder = None
            self.release()

    def release(self) -> None:
        """Let another table have it; once more does no harm."""
        held, self._held = self._held, None
        if held is not None:
            os.close(held)
