"""A board's flash, as the firmware calls it: what is kept by name, and files in folders.

What is written to a file is there as soon as it is closed. Power that is cut at some operation
raises `Cut` there and at every later one, until the board starts over.
"""

from __future__ import annotations

import errno
import importlib
import io
import sys
from collections.abc import Mapping
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class Cut(BaseException):
    """The power is gone: nothing that comes after is run."""


class FlashPower:
    """What counts operations, and perhaps stops them."""

    def __init__(self) -> None:
        self.done = 0
        self.left: int | None = None  # how many more; None: no limit

    def use(self) -> None:
        """Count an operation, or fail at it."""
        if self.left is not None:
            if self.left == 0:
                raise Cut
            self.left -= 1
        self.done += 1


class Flash(dict[str, bytes]):
    """Named bytes that outlive a boot; each is written whole or not at all."""

    power: FlashPower | None = None

    def load(self, name: str) -> bytes | None:
        """Return what was saved, or None."""
        return self.get(name)

    def save(self, name: str, data: bytes) -> None:
        if self.power is not None:
            self.power.use()
        self[name] = bytes(data)


class Disk:
    """Files by their paths; folders are in the same place, with nothing in them."""

    def __init__(self) -> None:
        self.power = FlashPower()
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
        self.power.use()
        self.files[path] = b""
        return File(self, path)

    def make(self, folder: str) -> None:
        """Make a folder, unless it is there."""
        self.power.use()
        self.files.setdefault(folder, None)

    def remove(self, path: str) -> None:
        """Remove a file, or an empty folder."""
        self.power.use()
        if path in self.files and not self.names(path):
            del self.files[path]

    def rename(self, path: str, to: str) -> None:
        """Give a file another name."""
        self.power.use()
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

    def write(self, data: Any, /) -> int:
        self._disk.power.use()
        return super().write(data)

    def close(self) -> None:
        if not self._reads and not self.closed and self._disk.power.left != 0:
            self._disk.files[self._path] = self.getvalue()
        super().close()


def imported(files: Mapping[str, bytes], name: str) -> ModuleType:
    """Return a module of these files; all that they import is theirs, too."""
    tops = {path.partition("/")[0].removesuffix(".py") for path in files}
    tops.discard("wire")  # that one is this program's own, for both ends
    before = {name: sys.modules.pop(name) for name in [*sys.modules] if name.split(".")[0] in tops}
    finder = _Finder(files)
    sys.meta_path.insert(0, finder)
    try:
        return importlib.import_module(name)
    finally:
        sys.meta_path.remove(finder)
        for module in [*sys.modules]:
            if module.split(".")[0] in tops:
                del sys.modules[module]
        sys.modules.update(before)


class _Finder(MetaPathFinder, Loader):
    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        place = name.replace(".", "/")
        if f"{place}.py" in self._files:
            return ModuleSpec(name, self, origin=f"{place}.py")
        if f"{place}/__init__.py" in self._files:
            spec = ModuleSpec(name, self, origin=f"{place}/__init__.py", is_package=True)
            spec.submodule_search_locations = []
            return spec
        return None

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None
        assert spec.origin is not None
        code = compile(self._files[spec.origin], spec.origin, "exec")
        exec(code, vars(module))  # noqa: S102 - our own firmware
