"""Small files, written atomically, that keep what must not be lost; damage never stops a program.

    HEARD = SmallFile("heard.json", to_bytes, from_bytes)
    HEARD.save(folder, heard)               # for its owner alone; on the disk, readable, or raises
    heard = HEARD.load(folder, {}, report)  # what cannot be used is kept aside, and said

Each is written whole or not at all, and only if it can be read back. Whatever stands in its place,
reading it raises nothing but a CompanionError. `load` is for what the program itself wrote: it goes
on without that. What people write by hand is refused instead, with line and reason: `read`.
"""

import errno
import json
import logging
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, Final, Generic, TypeVar

from companion.system import errors, format_names, private_files, safe_json, status, text

T = TypeVar("T")
LOG: Final = logging.getLogger(__name__)
NO_FILE: Final = {errno.EFBIG, errno.EINVAL, errno.EISDIR, errno.ELOOP, errno.ENXIO}  # of ours
KEEP_US: Final = 30_000_000  # a power cut loses no more of what changes all the time
HANGS_S: Final = 2.0
SENSELESS: Final = text.Text("what is in it makes no sense")


@format_names.format_name("KeptAside")
class KeptAside(status.Status):
    """What became of a file that cannot be used."""

    ASIDE = (
        "{file} could not be used ({reason}), so everything goes on without what it held. It is "
        "kept as {aside}."
    )
    UNREAD = (
        "{file} cannot be read ({reason}), so everything goes on without what it holds. It stays "
        "where it is: see to its owner and to the disk, and restart."
    )
    STUCK = (
        "{file} cannot be used ({reason}), so everything goes on without what it held. It "
        "could not be kept aside ({fault}): move it away."
    )

    @property
    def quiet(self) -> bool:
        """Whether that may wait until after the evening: words say it, and no light."""
        return True


def to_json(value: object) -> bytes:
    return json.dumps(value, allow_nan=False).encode()


def object_in(data: bytes) -> dict[str, Any]:
    """Return the object that JSON says; TypeError, ValueError: it says anything else."""
    value = safe_json.load_json(data)
    if not isinstance(value, dict):
        raise TypeError("it is not an object")
    return value


@dataclass(frozen=True, slots=True)
class SmallFile(Generic[T]):
    """One kind of file: its name, how a value becomes its bytes, and those a value."""

    name: str
    to_bytes: Callable[[T], bytes]
    from_bytes: Callable[[bytes], T]  # may raise anything where they are not of a value
    most_bytes: int = 200_000
    by_hand: bool = False  # people write in it, too: what it raises says what is wrong, and where

    def save(self, folder: Path, value: T) -> None:
        """Write it; OSError: the disk does not take it. CompanionError: nobody could read it."""
        data = self.to_bytes(value)
        self.parse(folder, data)
        private_files.write(folder / self.name, data)

    def read(self, folder: Path) -> T | None:
        """Return what is kept, None if nothing is; CompanionError: why it cannot be used."""
        try:
            data = private_files.read(folder / self.name, self.most_bytes)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise self._unusable(folder, error.strerror or type(error).__name__) from error
        return self.parse(folder, data)

    def load(self, folder: Path, default: T, report: status.Report = lambda _: None) -> T:
        """Return what is kept, or the default; what cannot be used is kept aside, and reported."""
        try:
            value = self.read(folder)
        except errors.CompanionError as fault:
            cause = fault.__cause__ if isinstance(fault.__cause__, OSError) else None
            condition = keep_aside(folder / self.name, fault.values.get("reason", fault), cause)
            LOG.warning("%s", condition)
            report(condition)
            return default
        return default if value is None else value

    def remove(self, folder: Path, *, with_aside: bool = False) -> None:
        """Delete the file and, if asked to, what was kept aside; OSError: the disk fails."""
        aside = folder.glob(f"{self.name}.damaged-*") if with_aside else ()
        for path in (folder / self.name, *aside):
            path.unlink(missing_ok=True)
        private_files.sync_folder(folder / self.name)

    def parse(self, folder: Path, data: bytes) -> T:
        """Return what bytes hold; CompanionError, with the file's name: why they cannot be used."""
        if len(data) > self.most_bytes:
            raise self._unusable(folder, os.strerror(errno.EFBIG))
        try:
            return self.from_bytes(data)
        except Exception as fault:  # whatever it stumbles over; its words may hold a secret
            if self.by_hand and isinstance(fault, errors.CompanionError):
                raise
            raise self._unusable(folder, SENSELESS) from None

    def _unusable(self, folder: Path, reason: str | text.Text) -> errors.CompanionError:
        return errors.CompanionError(
            "{file}: the file cannot be read ({reason}).", file=folder / self.name, reason=reason
        )


def keep_aside(path: Path, reason: object, fault: OSError | None = None) -> status.Condition:
    """Move what cannot be used away, over nothing that was moved there before.

    It stays where it is, if the system has it unreadable, which may be only for now.
    """
    at_us = time.monotonic_ns() // 1000
    values = {"part": path.name, "file": path, "reason": reason}
    if fault is not None and fault.errno not in NO_FILE | {errno.ENOENT}:  # it leads nowhere
        return status.Condition(KeptAside.UNREAD, at_us, values)
    numbers = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
    aside = next(name for name in numbers if not os.path.lexists(name))
    try:
        path.rename(aside)
    except OSError as error:
        why = error.strerror or type(error).__name__
        return status.Condition(KeptAside.STUCK, at_us, values | {"fault": why})
    with suppress(OSError):
        private_files.sync_folder(path)
    return status.Condition(KeptAside.ASIDE, at_us, values | {"aside": aside})


# --- what changes all the time, in a thread of its own --------------------------------------------


class BackgroundWriter(Generic[T]):
    """What has changed is written, at most every half minute, and once more in the end."""

    def __init__(
        self, name: str, write: Callable[[T], None], kept: T, every_us: int = KEEP_US
    ) -> None:
        self._name, self._write, self._due_us, self._every_us = name, write, 0, every_us
        self._kept = kept  # what need not be written
        self._writing: Thread | None = None

    def tend(self, newest: T, now_us: int) -> None:
        """Begin to write what is new, unless it is too soon or the disk still has the last."""
        if now_us < self._due_us or newest == self._kept or self._hangs():
            return
        self._due_us, self._kept = now_us + self._every_us, newest
        self._writing = Thread(target=partial(self._write, newest), name=self._name, daemon=True)
        self._writing.start()

    def close(self, newest: T) -> None:
        """Write the last, unless the disk hangs."""
        if self._writing is not None:
            self._writing.join(HANGS_S)
        if not self._hangs():
            self._write(newest)

    def _hangs(self) -> bool:
        return self._writing is not None and self._writing.is_alive()
