"""Which stoppers belong to a table, and what they said last: two files beside the journal.

It must not know barrels: which stopper closes which one is in the calibration.

    stoppers.toml       ["24:0a:c4:00:01:01"]
                        number = 1                                   # what the host calls it
                        key = "00112233445566778899aabbccddeeff"     # 32 hexadecimal digits
    heard.json          {"240ac4000101": [3, 812]}                   # boot and seq, against replays
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Final

from companion.errors import CompanionError
from companion.toml_reader import Keys, Reader, read_toml, whole

STOPPERS, HEARD = "stoppers.toml", "heard.json"
KEYS: Final[Keys] = {
    "number": (whole(1, 13), "write a number from 1 to 13."),
    "key": (lambda _: True, "write 32 hexadecimal digits."),  # a wrong one is never shown
}
SECRET: Final = 0o600  # the keys are for the table alone
KEEP_US: Final = 30_000_000  # a power cut loses no more of it
HANGS_S: Final = 2.0
HEX: Final = frozenset("0123456789abcdefABCDEF")


@dataclass(frozen=True, slots=True)
class Stopper:
    """One stopper of this table."""

    node: bytes
    number: int
    key: bytes = field(repr=False)  # a secret: it is in no log


@dataclass(frozen=True, slots=True)
class _Section:
    number: int
    key: object


def load(folder: Path) -> tuple[Stopper, ...]:
    """Return the stoppers that were made known to a table; none, where there is no such file."""
    path = folder / STOPPERS
    if not path.exists():
        return ()
    try:
        document = read_toml(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise CompanionError(
            "{file}: the file cannot be read ({reason}).", file=path, reason=reason
        ) from None
    reader, found = Reader(str(path)), []
    for name, section in document.items():
        read = reader.section(name, section, _Section, KEYS)
        node = _bytes(name.replace(":", ""), 6)
        key = None if read is None else _bytes(read.key, 16)
        if node is None:
            reader.fault(name, "write a stopper's address, such as '24:0a:c4:00:01:01'.")
        elif read is not None and key is None:
            reader.fault(f"{name}.key", "write 32 hexadecimal digits.")
        elif read is not None and key is not None:
            found.append(Stopper(node, read.number, key))
    if len({stopper.number for stopper in found}) < len(found):
        reader.fault("number", "two stoppers bear the same number.")
    if reader.faults:
        raise reader.faults[0]
    return tuple(found)


def keep(folder: Path, stopper: Stopper) -> None:
    """Make a stopper known, or give it another number or key; whoever bore its number goes."""
    others = [one for one in load(folder) if stopper.node != one.node]
    kept = [one for one in others if one.number != stopper.number] + [stopper]
    text = "\n".join(
        f'["{one.node.hex(":")}"]\nnumber = {one.number}\nkey = "{one.key.hex()}"\n'
        for one in sorted(kept, key=lambda one: one.number)
    )
    new = folder / f".{STOPPERS}.new"
    new.unlink(missing_ok=True)  # of an attempt that was cut off
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, SECRET), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(folder / STOPPERS)


def _bytes(written: object, size: int) -> bytes | None:
    if not isinstance(written, str) or len(written) != 2 * size or not HEX.issuperset(written):
        return None
    return bytes.fromhex(written)


def last_heard(folder: Path) -> dict[bytes, tuple[int, int]]:
    """Return each stopper's newest boot and seq; nothing of a file that is not sound."""
    try:
        told = json.loads((folder / HEARD).read_text("utf-8"))
        return {bytes.fromhex(node): (int(boot), int(seq)) for node, (boot, seq) in told.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def keep_heard(folder: Path, newest: Mapping[bytes, tuple[int, int]]) -> None:
    """Write it down, whole or not at all; a disk that fails costs only this protection."""
    told = {node.hex(): list(pair) for node, pair in newest.items()}
    new = folder / f"{HEARD}.new"
    with suppress(OSError):
        with new.open("w", encoding="utf-8") as file:
            json.dump(told, file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(folder / HEARD)


class HeardKeeper:
    """Writes it down now and then in a thread of its own: a disk that hangs holds up nobody."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._kept: Mapping[bytes, tuple[int, int]] = {}
        self._due_us = 0
        self._writing: Thread | None = None

    def tend(self, newest: Mapping[bytes, tuple[int, int]], now_us: int) -> None:
        """Begin to write what is new, unless it is too soon or the disk still has the last."""
        if now_us < self._due_us or newest == self._kept or self._hangs():
            return
        self._due_us, self._kept = now_us + KEEP_US, newest
        write = partial(keep_heard, self._folder, newest)
        self._writing = Thread(target=write, name="heard", daemon=True)
        self._writing.start()

    def close(self, newest: Mapping[bytes, tuple[int, int]]) -> None:
        """Write the last, unless the disk hangs."""
        if self._writing is not None:
            self._writing.join(HANGS_S)
        if not self._hangs():
            keep_heard(self._folder, newest)

    def _hangs(self) -> bool:
        return self._writing is not None and self._writing.is_alive()
