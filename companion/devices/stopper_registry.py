"""The registry of a table's stoppers, and their replay counters: two files beside the journal.

It must not know barrels: which stopper closes which one is in the calibration.

    stoppers.toml       ["24:0a:c4:00:01:01"]
                        number = 1                                   # what the host calls it
                        key = "00112233445566778899aabbccddeeff"     # 32 hexadecimal digits
    heard.json          {"240ac4000101": [3, 812, 2853420139]}       # boot and seq, against replays

The last is a mark of the key. A stopper that was flashed again has a new one, and counts from new.
"""

import tomllib
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeGuard

from companion.sensing.name_word import name_of
from companion.system import config, errors, format_names, status
from companion.system.small_files import SmallFile, object_in, to_json
from companion.system.text import Text
from companion.system.toml_reader import LARGEST_BYTES, TomlReader, read_toml, setting, whole
from companion.wire import END_U32

STOPPERS, HEARD = "stoppers.toml", "heard.json"
KEY: Final = Text("write 32 hexadecimal digits.")
HEARD_FILE: Final[SmallFile[dict[str, Any]]] = SmallFile(HEARD, to_json, object_in)
HEX: Final = frozenset("0123456789abcdefABCDEF")


@dataclass(frozen=True, slots=True)
class Stopper:
    node: bytes
    number: int
    key: bytes = field(repr=False)  # a secret: it is in no log


def simulated_stopper(number: int) -> Stopper:
    """Return a stopper with a name and a key that everybody knows, as simulated tables have it.

    >>> simulated_stopper(13).node.hex(":")
    '7c:df:a1:00:00:0d'
    """
    node = bytes.fromhex("7cdfa10000") + bytes((number,))
    return Stopper(node, number, sha256(b"simulated stopper" + node).digest()[:16])


@format_names.format_name("StoppersFile")
class StoppersFile(status.Status):
    BROKEN = (
        "{fault} Until that is fixed and the table is restarted, it plays without its stoppers, "
        "and people tap what barrels do."
    )


@dataclass(frozen=True, slots=True)
class _Section:
    number: int = setting(whole(1, 13), Text("write a number from 1 to 13."))
    key: object = setting(lambda _: True, KEY)  # a wrong one is never shown


def load(folder: Path) -> tuple[Stopper, ...]:
    """Return the stoppers that were made known to a table; none, where there is no such file."""
    return _file(folder).read(folder) or ()


def _file(folder: Path) -> SmallFile[tuple[Stopper, ...]]:
    """Return the file; people write in it, too, so what is wrong is said with its place."""
    return SmallFile(
        STOPPERS, _to_toml, partial(_from_toml, folder / STOPPERS), LARGEST_BYTES, by_hand=True
    )


def _from_toml(path: Path, data: bytes) -> tuple[Stopper, ...]:
    try:
        document = read_toml(data.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise errors.CompanionError(
            "{file}: the file cannot be read ({reason}).", file=path, reason=error
        ) from None
    reader, stoppers = TomlReader(str(path)), []
    for name, section in document.items():
        read = reader.section(name, section, _Section)
        node = _bytes(name.replace(":", ""), 6)
        key = None if read is None else _bytes(read.key, 16)
        if node is None:
            reader.fault(name, Text("write a stopper's address, such as '24:0a:c4:00:01:01'."))
        elif read is not None and key is None:
            text = Text("this value is not allowed; {right}", right=KEY)
            reader.fault(f"{name}.key", text)
        elif read is not None and key is not None:
            stoppers.append(Stopper(node, read.number, key))
    if len({stopper.number for stopper in stoppers}) < len(stoppers):
        reader.fault("number", Text("two stoppers have the same number."))
    if reader.faults:
        raise reader.faults[0]
    return tuple(stoppers)


def wired_only(stoppers: tuple[Stopper, ...], wired: config.Stoppers | None) -> tuple[Stopper, ...]:
    """Return those that the wiring file names, or all if it names none.

    >>> wired = config.Stoppers(("7C:df:a1:00:00:02",))
    >>> stoppers = simulated_stopper(1), simulated_stopper(2)
    >>> [stopper.number for stopper in wired_only(stoppers, wired)]
    [2]
    """
    nodes = {bytes.fromhex(node.replace(":", "")) for node in (wired.nodes if wired else ())}
    return tuple(stopper for stopper in stoppers if not nodes or stopper.node in nodes)


def alike(stoppers: Collection[Stopper]) -> tuple[int, ...]:
    """Return the numbers of those whose name at a pad is another one's, too, but for the first.

    A name has 12 bits, so of fifty sets about one has such a pair; one of both needs a new key.

    >>> first, second = simulated_stopper(1), simulated_stopper(2)
    >>> alike((first, second, Stopper(bytes(6), 3, first.key)))
    (3,)
    """
    of_name: dict[int, int] = {}
    for stopper in sorted(stoppers, key=lambda other: other.number):
        of_name.setdefault(name_of(stopper.key), stopper.number)
    return tuple(
        stopper.number
        for stopper in sorted(stoppers, key=lambda other: other.number)
        if of_name[name_of(stopper.key)] != stopper.number
    )


def load_or_fault(
    folder: Path, wired: config.Stoppers | None = None
) -> tuple[tuple[Stopper, ...], tuple[status.Condition, ...]]:
    """Return the stoppers of a table, or none and what is wrong with their file: it can play on."""
    try:
        return wired_only(load(folder), wired), ()
    except errors.CompanionError as error:
        fault = errors.CompanionError(error.template, **error.values | {"file": folder / STOPPERS})
        return (), (status.Condition(StoppersFile.BROKEN, 0, {"fault": fault}),)


def save(folder: Path, stopper: Stopper) -> None:
    """Make a stopper known, or give it another number or key; whoever bore its number goes."""
    others = [other for other in load(folder) if stopper.node != other.node]
    kept = [other for other in others if other.number != stopper.number] + [stopper]
    _file(folder).save(folder, tuple(sorted(kept, key=lambda other: other.number)))


def _to_toml(stoppers: tuple[Stopper, ...]) -> bytes:
    return "\n".join(
        f'["{stopper.node.hex(":")}"]\nnumber = {stopper.number}\nkey = "{stopper.key.hex()}"\n'
        for stopper in stoppers
    ).encode()


def _bytes(written: object, size: int) -> bytes | None:
    if not isinstance(written, str) or len(written) != 2 * size or not HEX.issuperset(written):
        return None
    return bytes.fromhex(written)


def load_counters(
    folder: Path, stoppers: Collection[Stopper], report: status.Report = lambda _: None
) -> dict[bytes, tuple[int, int]]:
    """Return each stopper's newest boot and seq; nothing of what is not sound."""
    kept = HEARD_FILE.load(folder, {}, report)
    newest = dict[bytes, tuple[int, int]]()
    for stopper in stoppers:
        if _fits(counters := kept.get(stopper.node.hex()), _mark(stopper.key)):
            newest[stopper.node] = counters[0], counters[1]
    return newest


def _fits(counters: Any, mark: int) -> TypeGuard[list[int]]:
    """Return whether these are counters of this key; the first versions wrote no mark."""
    if not isinstance(counters, list) or not 2 <= len(counters) <= 3:
        return False
    return counters[2:] in ([], [mark]) and all(
        type(n) is int and 0 <= n < END_U32 for n in counters[:2]
    )


def _mark(key: bytes) -> int:
    """Return a number by which one key can be told from the next, and not be found out."""
    return int.from_bytes(sha256(b"heard" + key).digest()[:4], "little")


def save_counters(
    folder: Path, stoppers: Collection[Stopper], newest: Mapping[bytes, tuple[int, int]]
) -> None:
    """Write it down, whole or not at all; a disk that fails costs only this protection.

    Who knows no stoppers has heard none: what is written of them stays for when they are known.
    """
    if not stoppers:
        return
    counters = {
        stopper.node.hex(): [*newest[stopper.node], _mark(stopper.key)]
        for stopper in stoppers
        if stopper.node in newest
    }
    with suppress(OSError):
        HEARD_FILE.save(folder, counters)
