"""Keeps the key and the paired phones in files that only their owner may read.

It must not know what a phone may do. A disk that fails keeps nobody from playing: then phones pair
once more after the next start.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final

from companion.phone.reader import ROLES

KEY: Final = "phone.key"
PHONES: Final = "phones.json"
KEY_BYTES: Final = 32


class Kept:
    """What is kept of an evening's phones."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._writing = Lock()
        self.secret = self._key()
        self.phones = self._phones()
        self._written = dict(self.phones)

    def keep(self, newest: Callable[[], Mapping[str, str]]) -> None:
        """Write down the newest phones, if that is not what stands there."""
        with self._writing:
            phones = newest()  # not earlier: who was let go meanwhile must not come back
            if self._folder is not None and phones != self._written:
                with suppress(OSError):
                    write_private(self._folder / PHONES, json.dumps(dict(phones)).encode())
                    self._written = dict(phones)

    def _key(self) -> bytes:
        made = secrets.token_bytes(KEY_BYTES)
        if self._folder is None:
            return made
        file = self._folder / KEY
        with suppress(OSError):
            if file.exists() and not file.is_symlink():  # that leads to somebody else's file
                file.chmod(0o600)  # it may have come from a backup
                if len(found := file.read_bytes()) == KEY_BYTES:
                    return found
            write_private(file, made)
        return made

    def _phones(self) -> dict[str, str]:
        if self._folder is None:
            return {}
        try:
            found = json.loads((self._folder / PHONES).read_bytes())
            return {str(phone): role for phone, role in found.items() if role in ROLES}
        except (OSError, ValueError, AttributeError, TypeError, RecursionError):  # damaged
            return {}


def write_private(file: Path, content: bytes) -> None:
    """Write a file that only its owner may read; what was there stays until all of it is."""
    new = file.with_suffix(".new")
    new.unlink(missing_ok=True)
    new.touch(mode=0o600, exist_ok=False)
    new.write_bytes(content)
    new.replace(file)
