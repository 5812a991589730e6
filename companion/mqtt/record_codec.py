r"""Records as JSON and, strictly, back: nothing unknown, nothing of another type, nothing huge.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, slots=True)
... class Step:
...     from_: int
...     to: tuple[int, ...] = ()
>>> from_json(Step, read_json(to_json(Step(3, (4, 5))).encode(), 100))
Step(from_=3, to=(4, 5))
>>> from_json(Step, {"from": "three"})
Traceback (most recent call last):
companion.system.errors.Unreadable: 'from' is 'three'; it must be a whole number.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache, partial
from reprlib import repr as shorten
from types import UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from companion.system.errors import Unreadable
from companion.system.format_names import format_name_of
from companion.system.safe_json import SAFE, BadJson, JsonLimits, load_json
from companion.system.text import Text

T = TypeVar("T")
JsonObject = dict[str, Any]
Read = Callable[[Any, str], Any]
LARGEST: Final = SAFE
LONGEST: Final = 200  # characters of a word; anything longer is in an object
MOST: Final = 1_000  # items of a list
DEEPEST: Final = 24
LATER: Final = {"later": True}  # of a field: the first version did not have it
WORDS: Final = {
    int: Text("a whole number"),
    bool: Text("true or false"),
    str: Text("text of at most {count} letters", count=LONGEST),
    dict: Text("an object"),
}


def to_json(record: Any) -> str:
    """Return a record as JSON in ASCII, each part by its name.

    What was added later goes without saying where it says nothing: older programs do not know it.
    """
    return json.dumps(_packed(record), separators=(",", ":"), allow_nan=False)


def _packed(value: Any) -> Any:
    if is_dataclass(value):
        said = [(one, getattr(value, one.name)) for one in fields(value)]
        return {_name(one): _packed(part) for one, part in said if not _unsaid(one, part)}
    return list(map(_packed, value)) if isinstance(value, tuple) else value


def _unsaid(part: Field[Any], value: Any) -> bool:
    return is_later(part) and value == part.default


def is_later(part: Field[Any]) -> bool:
    """Tell whether a part came later than the first version."""
    return part.metadata == LATER


def _name(part: Field[Any]) -> str:
    return part.name.removesuffix("_")  # for names that are Python keywords


def read_json(data: bytes, most_bytes: int) -> object:
    """Return what JSON says; raise Unreadable if it is not JSON, too long or too deep."""
    if len(data) > most_bytes:
        raise Unreadable(
            "{count} bytes are too many; at most {most} are read here.",
            count=len(data),
            most=most_bytes,
        )
    try:
        return load_json(data, JsonLimits(most_bytes, DEEPEST, LARGEST, twice=False))
    except BadJson as fault:
        raise Unreadable(
            "'{line}' is not JSON that can be read here.",
            line=data[:40].decode("utf-8", "replace"),
        ) from fault


def from_json(kind: type[T], data: object, where: str = "", *, exact: bool = False) -> T:
    """Return the record that JSON says; raise Unreadable at the first fault.

    A newer program may say more than is known here: unless it must be exact, that is left unread.
    """
    where = where or format_name_of(kind).lower()
    if not isinstance(data, dict):
        raise _wrong(where, data, WORDS[dict])
    reads, must = _reads(kind, exact)  # type: ignore[arg-type]  # a class can be hashed
    if exact and not data.keys() <= reads.keys():
        name = next(one for one in data if one not in reads)
        raise Unreadable(
            "'{where}' has no part '{name}'; its parts are {parts}.",
            where=where,
            name=name[:40],
            parts=tuple(reads),
        )
    if not must <= data.keys():
        missing = tuple(one for one in reads if one in must and one not in data)
        raise Unreadable("'{where}' lacks {parts}.", where=where, parts=missing)
    known = [(*reads[name], name, one) for name, one in data.items() if name in reads]
    return kind(**{part: read(one, name) for part, read, name, one in known})


@cache
def _reads(kind: Any, exact: bool) -> tuple[dict[str, tuple[str, Read]], frozenset[str]]:
    """Return the name of each part of a record, how it is read, and which must be given."""
    known = parts(kind)
    reads = {name: (part.name, _read(type_, exact)) for name, (part, type_) in known.items()}
    return reads, frozenset(name for name, (part, _) in known.items() if needed(part))


@cache
def parts(kind: type[Any]) -> dict[str, tuple[Field[Any], Any]]:
    """Return the parts of a record and their types, by their names in JSON."""
    hints = get_type_hints(kind)
    return {_name(one): (one, hints[one.name]) for one in fields(kind)}


def needed(part: Field[Any]) -> bool:
    """Tell whether a part must be given."""
    return part.default is MISSING


def _read(kind: Any, exact: bool) -> Read:
    """Return what reads a value of a type; it is found only once."""
    if get_origin(kind) in {Union, UnionType}:
        (kind,) = (one for one in get_args(kind) if one is not type(None))
        read = _read(kind, exact)
        return lambda data, where: None if data is None else read(data, where)
    if get_origin(kind) is tuple:
        return _list_of(_read(get_args(kind)[0], exact))
    if is_dataclass(kind):
        return partial(from_json, kind, exact=exact)  # type: ignore[arg-type]  # it is a record
    plain = get_origin(kind) or kind

    def read_plain(data: Any, where: str) -> Any:
        if type(data) is not plain or (plain is str and len(data) > LONGEST):
            raise _wrong(where, data, WORDS[plain])
        return data

    return read_plain


def _list_of(read: Read) -> Read:
    def read_list(data: Any, where: str) -> Any:
        if not isinstance(data, list) or len(data) > MOST:
            raise _wrong(where, data, Text("a list of at most {count}", count=MOST))
        return tuple([read(one, where) for one in data])

    return read_list


def _wrong(where: str, data: object, right: Text) -> Unreadable:
    return Unreadable(
        "'{where}' is {data}; it must be {right}.", where=where, data=shorten(data), right=right
    )
