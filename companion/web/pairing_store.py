"""Stores the paired phones and the PIN in private files, and locks the folder of a table.

A disk that fails keeps nobody from playing: what can be read counts, whether or not it can be
written. What could not be written is told of, and tried again. Of two tables that use one folder
the second leaves the files of the first alone.
"""

import fcntl
import os
import re
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from threading import Lock
from typing import Final

from companion.present.viewer import ROLES
from companion.system import format_names, private_files, status
from companion.system.small_files import KeptAside, SmallFile, object_in, to_json

PHONES: Final = "phones.json"
PIN: Final = "phone.pin"
CARD_PIN: Final = "phone-card.pin"  # chosen for a table that nobody could ask for another
PIN_DIGITS: Final = 6
A_PIN: Final = re.compile(rb"([0-9]{%d})\n?" % PIN_DIGITS)
MOST_BYTES: Final = 1 << 10  # of its file
A_MARK: Final = re.compile(r"[0-9a-f]{64}")


def _phones(data: bytes) -> dict[str, str]:
    """Return what is known of phones; who is not known here any more is left out."""
    phones = object_in(data).items()
    return {mark: role for mark, role in phones if A_MARK.fullmatch(mark) and role in ROLES}


PHONES_FILE: Final[SmallFile[dict[str, str]]] = SmallFile(  # {the mark of a phone's name: its role}
    PHONES, to_json, _phones, 1 << 20
)


def _pin(data: bytes) -> str:
    """Return the PIN that a file holds; ValueError: it holds anything else."""
    if (read := A_PIN.fullmatch(data)) is None:
        raise ValueError("it is no PIN")
    return read[1].decode()


PIN_FILE: Final[SmallFile[str]] = SmallFile(PIN, lambda pin: f"{pin}\n".encode(), _pin, MOST_BYTES)


@format_names.format_name("Keeping")
class Keeping(status.Status):
    """Whether what people decided about phones outlives a restart."""

    WRITTEN = status.Fine("The list of phones that are let in is saved.")
    UNWRITTEN = (
        "The list of phones that are let in cannot be saved in {file} ({reason}): after a "
        "restart, phones that were let go may be in again, and new ones out. Make room or repair "
        "the disk; saving is tried again until it works."
    )


class StoredPhones:
    """The file of an evening's phones, and that of its PIN."""

    def __init__(
        self, folder: Path | None, pin: str | None = None, report: status.Report = lambda _: None
    ) -> None:
        self.folder = folder  # that is this table's; None: nothing is kept, or it is another's
        self._writing = Lock()
        self.phones = self._phones(report)
        # None: nobody knows what stands there
        self._written: dict[str, str] | None = dict(self.phones)
        self._watched = status.StatusReporter(Keeping.WRITTEN, report)
        on_card = None if pin or folder is None else _private_pin(folder / CARD_PIN)
        self.of_card = on_card is not None  # it was carded when the table's card was made
        self.pin = pin or on_card or f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}"
        self.pin_file: Path | None = None  # None: it stands nowhere …
        self.pin_fault = ""  # … because of this, if there is a folder
        if folder is not None:
            self._keep_pin(folder, report)

    def keep(self, newest: Callable[[], Mapping[str, str]], *, anew: bool = False) -> None:
        """Write down the newest phones, if that is not what stands there, or in any case."""
        with self._writing:
            phones = dict(newest())  # not earlier: a phone let go meanwhile must not come back
            if self.folder is not None and (anew or phones != self._written):
                self._written = None  # until it is: a disk may fail after half of it
                self._write(self.folder, phones)

    def _write(self, folder: Path, phones: dict[str, str]) -> None:
        """Write the list; an empty one may as well be none, for which every disk has room."""
        now_us = time.monotonic_ns() // 1000
        try:
            try:
                PHONES_FILE.save(folder, phones)
            except OSError:
                if phones:
                    raise
                PHONES_FILE.remove(folder)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            self._watched.becomes(Keeping.UNWRITTEN, now_us, file=folder / PHONES, reason=reason)
        else:
            self._written = phones
            self._watched.becomes(Keeping.WRITTEN, now_us)

    def _phones(self, report: status.Report) -> dict[str, str]:
        return {} if self.folder is None else PHONES_FILE.load(self.folder, {}, report)

    def close(self) -> None:
        """Leave no PIN where nobody looks for it again."""
        file = self.pin_file
        if self.folder is None or file is None or file.parent == self.folder:
            return
        if _private_pin(file) == self.pin:  # and not that of a table that was started since
            with suppress(OSError):
                file.unlink()

    def _keep_pin(self, folder: Path, report: status.Report) -> None:
        """Write down today's PIN; where that fails, the one that stands there is today's, too.

        If none stands there, it is written where this computer keeps what it needs until its end.
        """

        def tell(condition: status.Condition) -> None:
            if condition.state is not KeptAside.UNREAD:  # a new one is put in its place
                report(condition)

        file = folder / PIN
        PIN_FILE.load(folder, "", tell)
        try:
            PIN_FILE.save(folder, self.pin)
        except OSError as error:
            self.pin_fault = error.strerror or type(error).__name__
            if (before := _private_pin(file)) is not None:
                self.pin = before
            else:
                file = _elsewhere(file)
                try:
                    private_files.write(file, f"{self.pin}\n".encode())
                except OSError:
                    return
        self.pin_file = file


def _elsewhere(file: Path) -> Path:
    """Return a file for the same in memory, or where programs keep what is only for a while."""
    given = (os.environ.get(name) for name in ("RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"))
    folder = next((Path(path) for path in given if path), Path(gettempdir()))
    return folder / f"rappelwacht-{sha256(os.fsencode(file)).hexdigest()[:12]}.pin"


def _private_pin(file: Path) -> str | None:
    """Return the PIN of a file that leads nowhere else, and that nobody else could have read."""
    try:
        with private_files.open_to_read(file, os.O_NOFOLLOW) as opened:
            private = not os.fstat(opened.fileno()).st_mode & private_files.OTHERS
            return _pin(opened.read(PIN_DIGITS + 2)) if private else None
    except (OSError, ValueError):
        return None


class FolderLock:
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
        """Release the lock of the folder; a second call does no harm."""
        held, self._held = self._held, None
        if held is not None:
            os.close(held)
