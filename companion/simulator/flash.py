"""A board's flash, as the firmware calls it: what is kept by name, and files in folders.

What is written to a file is there as soon as it is closed.
"""

from __future__ import annotations

import errno
import importlib
import io
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType


class Flash(dict[str, bytes]):
    """Named bytes that outlive a boot; each is written whole or not at all."""

    def load(self, name: str) -> bytes | None:
        """Return what was saved, or None."""
        return self.get(name)

    def save(self, name: str, data: bytes) -> None:
        self[name] = bytes(data)


class Disk:
    """Files by their paths; folders are in the same place, with nothing in them."""

    def __init__(self) -> None:
        self.files: dict[str, bytes | None] = {}  # None: a folder

    def names(self, folder: str) -> list[str]:
        return [path.rpartition("/")[2] for path in self.files if path.rpartition("/")[0] == folder]

    def open(self, path: str, mode: str) -> File:
        if mode == "rb":
            if (data := self.files.get(path)) is None:
                raise OSError(errno.ENOENT, path)
            return File(self, path, data)
        assert mode == "wb"
        folder = path.rpartition("/")[0]
        if folder and folder not in self.files:
            raise OSError(errno.ENOENT, path)
        self.files[path] = b""
        return File(self, path)

    def make(self, folder: str) -> None:
        """Make a folder, unless it is there."""
        self.files.setdefault(folder, None)

    def remove(self, path: str) -> None:
        """Remove a file, or an empty folder."""
        if path in self.files and not self.names(path):
            del self.files[path]

    def rename(self, path: str, to: str) -> None:
        """Give a file another name."""
        self.files[to] = self.files.pop(path)

    def slot(self, name: str) -> dict[str, bytes]:
        start = f"/{name}/"
        return {
            path.removeprefix(start): data
            for path, data in self.files.items()
            if path.startswith(start) and data is not None
        }


class File(io.BytesIO):
    """A file that is open; what was written is there when it is closed."""

    def __init__(self, disk: Disk, path: str, data: bytes | None = None) -> None:
        super().__init__(data or b"")
        self._disk, self._path, self._reads = disk, path, data is not None

    def close(self) -> None:
        if not self._reads and not self.closed:
            self._disk.files[self._path] = self.getvalue()
        super().close()


def imported(files: Mapping[str, bytes], name: str) -> ModuleType:
    """Return a module of these files; all that they import is theirs, too."""
    tops = {path.partition("/")[0].removesuffix(".py") for path in files}
    tops.discard("wire")  # that one is this program's own, for both ends
    before = {name: sys.modules.pop(name) for name in [*sys.modules] if name.split(".")[0] in tops}
    with TemporaryDirectory(prefix="firmware-") as folder:
        for path, data in files.items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        sys.path.insert(0, folder)
        try:
            return importlib.import_module(name)
        finally:
            sys.path.remove(folder)
            for module in [*sys.modules]:
                if module.split(".")[0] in tops:
                    del sys.modules[module]
            sys.modules.update(before)
