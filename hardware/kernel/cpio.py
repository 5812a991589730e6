r"""An initial file system for Linux, as an archive that the kernel unpacks when it starts.

Everything belongs to root, whoever makes it; a path that leads
through /bin, /sbin or /lib* goes below /usr, as on every Debian of today.

    with Archive(Path("init.cpio")) as archive:
        archive.file("etc/hostname", b"table\n")
"""

import marshal
import stat
import sys
from contextlib import AbstractContextManager
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path, PurePosixPath
from tarfile import TarFile
from typing import Final, Self

MERGED: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
UNCHECKED: Final = (1).to_bytes(4, "little")  # a hash is in it, and is not looked at


class Archive(AbstractContextManager["Archive"]):
    """One archive, in cpio's "newc" format."""

    def __init__(self, path: Path, *, compiled: bool = False) -> None:
        """With `compiled`, Python files come with what this very Python makes of them."""
        self._path, self._compiled = path, compiled
        self._made: set[str] = set()

    def __enter__(self) -> Self:
        """Begin it."""
        self._file = self._path.with_suffix(".part").open("wb")
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Finish it, or leave none."""
        if kind is None:
            self._entry("TRAILER!!!", 0, b"")
        self._file.close()
        part = self._path.with_suffix(".part")
        if kind is None:
            part.replace(self._path)
        else:
            part.unlink()

    def file(self, name: str, data: bytes, mode: int = 0o644) -> None:
        """Add a file, and the folders that lead to it."""
        at = self._to(name)
        self._entry(at, stat.S_IFREG | mode, data)
        if self._compiled and at.endswith(".py"):
            self._add_code(at, data)

    def link(self, name: str, target: str) -> None:
        """Add a symbolic link."""
        self._entry(self._to(name), stat.S_IFLNK | 0o777, target.encode())

    def folder(self, name: str, mode: int = 0o755) -> None:
        """Add a folder."""
        self._folder(self._to(name), mode)

    def tar(self, tar: TarFile, skipped: tuple[str, ...]) -> None:
        """Add all that is in a tar archive but what begins with one of these."""
        for member in tar:
            name = member.name.removeprefix("./")
            if name in ("", ".") or name.startswith(skipped):
                continue
            if member.isdir():
                self.folder(name, member.mode)
            elif member.issym():
                self.link(name, member.linkname)
            elif member.islnk():
                self.link(name, "/" + member.linkname.removeprefix("./"))
            elif (data := tar.extractfile(member)) is not None:
                self.file(name, data.read(), member.mode)

    def _to(self, name: str) -> str:
        first, slash, rest = name.partition("/")
        at = f"usr/{first}/{rest}" if slash and first in MERGED else name
        for folder in reversed(PurePosixPath(at).parents[:-1]):
            self._folder(str(folder), 0o755)
        return at

    def _folder(self, name: str, mode: int) -> None:
        if name not in self._made and name not in MERGED:
            self._made.add(name)
            self._entry(name, stat.S_IFDIR | mode, b"")

    def _add_code(self, at: str, source: bytes) -> None:
        try:
            code = compile(source, f"/{at}", "exec", dont_inherit=True)
        except SyntaxError:  # a template, or an example of a mistake
            return
        path = PurePosixPath(at)
        name = path.parent / "__pycache__" / f"{path.stem}.{sys.implementation.cache_tag}.pyc"
        data = MAGIC_NUMBER + UNCHECKED + source_hash(source) + marshal.dumps(code)
        self._entry(self._to(str(name)), stat.S_IFREG | 0o644, data)

    def _entry(self, name: str, mode: int, data: bytes) -> None:
        path = name.encode() + b"\0"
        numbers = (0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(path), 0)
        head = b"070701" + b"".join(b"%08X" % number for number in numbers) + path
        self._file.write(_whole(head) + _whole(data))


def _whole(data: bytes) -> bytes:
    return data + bytes(-len(data) % 4)
