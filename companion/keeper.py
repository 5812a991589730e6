"""Writes something down now and then in a thread of its own: a disk that hangs holds up nobody."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Thread
from typing import Final, Generic, TypeVar

T = TypeVar("T")
KEEP_US: Final = 30_000_000  # a power cut loses no more of it
HANGS_S: Final = 2.0


class Keeper(Generic[T]):
    """What has changed is written, at most every half minute, and once more in the end."""

    def __init__(self, name: str, write: Callable[[T], None], kept: T) -> None:
        self._name, self._write, self._due_us = name, write, 0
        self._kept = kept  # what need not be written
        self._writing: Thread | None = None

    def tend(self, newest: T, now_us: int) -> None:
        """Begin to write what is new, unless it is too soon or the disk still has the last."""
        if now_us < self._due_us or newest == self._kept or self._hangs():
            return
        self._due_us, self._kept = now_us + KEEP_US, newest
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
