"""Reads and writes files that people name, such as saved games; each fault is one sentence."""

import json
import os
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any, Final, Self

from companion.core import Action, Game, Log
from companion.core.codec import pack_action
from companion.system import private_files
from companion.system.errors import CompanionError
from companion.system.private_files import NotOrdinary, open_to_read, opener

LARGEST_BYTES: Final = 16_000_000  # thousands of evenings; a device may never end


class SavedGameFile:
    """A game being saved: a line for each action, in the file before anybody is told of it.

    A power cut costs no more than the round in which it happens.
    """

    def __init__(self, path: Path, game: Game[Any]) -> None:
        self._name = str(path)
        self._lines = [Log.begin(game).dump().encode()]
        self._file = create(path)
        self._append(self._lines[0])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._settle()
        finally:
            self._file.close()

    def write(self, number: int, action: Action, *, last: bool) -> None:
        """Write the action with this number, the last of a round or not; what was after it goes."""
        line = (json.dumps(pack_action(action), ensure_ascii=False) + "\n").encode()
        if self._lines[number : number + 1] != [line]:
            self.cut(number - 1)
            self._lines.append(line)
            self._append(line)
            if last:
                self._settle()

    def cut(self, count: int) -> None:
        """Keep only this many actions."""
        del self._lines[count + 1 :]
        length = sum(map(len, self._lines))
        try:
            if length < self._file.tell():
                self._file.truncate(length)
                self._file.seek(length)
        except OSError as error:
            raise _unwritable(self._name, error) from error

    def _append(self, line: bytes) -> None:
        try:
            count = self._file.write(line)
        except OSError as error:
            raise _unwritable(self._name, error) from error
        if count != len(line):
            raise CompanionError(
                "Only part of the last line fitted into '{file}'; is the disk full? Everything "
                "before it is saved.",
                file=self._name,
            )

    def _settle(self) -> None:
        """Wait until all is on the disk itself."""
        try:
            os.fsync(self._file.fileno())
        except OSError as error:
            raise _unwritable(self._name, error) from error


def create(path: Path) -> FileIO:
    """Open a new file for writing; nothing is ever overwritten."""
    try:
        return open(path, "xb", buffering=0, opener=opener)  # hands may be in it
    except FileExistsError:
        raise CompanionError(
            "'{file}' already exists; choose another name, or remove it first.", file=path
        ) from None
    except OSError as error:
        raise _unwritable(str(path), error) from error


def write_new(path: Path, data: bytes) -> None:
    """Write a new file as a whole, or none; it is on the disk when this returns."""
    create(path).close()  # from now on the name is taken
    try:
        private_files.write(path, data)
    except OSError as error:
        with suppress(OSError):
            path.unlink()
        raise _unwritable(str(path), error) from error


def text_of(name: str) -> str:
    return decoded(data_of(name), name)


def data_of(name: str) -> bytes:
    try:
        with open_to_read(Path(name)) as file:
            data = file.read(LARGEST_BYTES + 1)
    except FileNotFoundError:
        raise CompanionError("There is no file '{file}'.", file=name) from None
    except IsADirectoryError:
        raise CompanionError("'{file}' is a folder; name a file in it.", file=name) from None
    except NotOrdinary:
        raise CompanionError(
            "'{file}' is a pipe or a device; save what comes from it in a file, and name that.",
            file=name,
        ) from None
    except PermissionError:
        raise CompanionError(
            "You may not read '{file}'; ask its owner for permission.", file=name
        ) from None
    except OSError as error:
        raise CompanionError(
            "'{file}' cannot be read: {reason}.", file=name, reason=error.strerror
        ) from error
    if len(data) > LARGEST_BYTES:
        raise CompanionError("'{file}' is far too long to be a Rappelwacht file.", file=name)
    return data


def decoded(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise CompanionError("'{file}' is not UTF-8 text.", file=name) from None


def _unwritable(name: str, error: OSError) -> CompanionError:
    if isinstance(error, FileNotFoundError):
        return CompanionError(
            "'{file}' cannot be written: its folder does not exist. Create it first.", file=name
        )
    return CompanionError("'{file}' cannot be written: {reason}.", file=name, reason=error.strerror)
