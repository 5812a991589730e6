r"""Records as JSON, and strictly back: nothing unknown, nothing of another type, nothing huge.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, slots=True)
... class Step:
...     from_: int
...     to: tuple[int, ...] = ()
>>> from_json(Step, read_json(to_json(Step(3, (4, 5))).encode(), 100))
Step(from_=3, to=(4, 5))
>>> from_json(Step, {"from": "three"})
Traceback (most recent call last):
companion.core.game.Unreadable: 'from' is 'three'; it must be a whole number.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from reprlib import repr as shorten
from types import UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from companion.errors import Text, Unreadable

T = TypeVar("T")
JsonObject = dict[str, Any]
LARGEST: Final = 2**53  # what every language reads exactly
LONGEST: Final = 200  # characters of a word; what is longer lies in an object
MOST: Final = 1_000  # items of a list
DEEPEST: Final = 24
WORDS: Final = {
    int: Text("a whole number"),
    bool: Text("true or false"),
    str: Text("text of at most {count} letters", count=LONGEST),
    dict: Text("an object"),
}


def to_json(record: Any) -> str:
    """Return a record as JSON in ASCII, each part by its name."""
    return json.dumps(_packed(record), separators=(",", ":"), allow_nan=False)


def _packed(value: Any) -> Any:
    if is_dataclass(value):
        return {_name(one): _packed(getattr(value, one.name)) for one in fields(value)}
    return list(map(_packed, value)) if isinstance(value, tuple) else value


def _name(part: Field[Any]) -> str:
    return part.name.removesuffix("_")  # what is a word of Python, too


def read_json(data: bytes, most_bytes: int) -> object:
    """Return what JSON says; raise Unreadable if it is none, too long or too deep."""
    if len(data) > most_bytes:
        raise Unreadable(
            "{count} bytes are too many; at most {most} are read here.",
            count=len(data),
            most=most_bytes,
        )
    try:
        found = json.loads(data, parse_constant=_no_number, object_pairs_hook=_once)
        _demand_shallow(found)
    except (ValueError, RecursionError) as fault:
        raise Unreadable("'{line}' is no JSON that can be read here.", line=_begin(data)) from fault
    return found


def _begin(data: bytes) -> str:
    return data[:40].decode("utf-8", "replace")


def _no_number(word: str) -> object:
    raise ValueError(word)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _demand_shallow(found: object) -> None:
    level: list[Any] = [found]
    for _ in range(DEEPEST):
        level = [inner for one in level for inner in _inside(one)]
        if any(type(one) is int and abs(one) > LARGEST for one in level):
            raise ValueError("a number is too long")
    if level:
        raise ValueError("it is nested too deeply")


def _inside(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def from_json(kind: type[T], data: object, where: str = "") -> T:
    """Return the record that JSON says; raise Unreadable at the first fault."""
    where = where or kind.__name__.lower()
    if not isinstance(data, dict):
        raise _wrong(where, data, WORDS[dict])
    known = parts(kind)  # type: ignore[arg-type]  # a class can be hashed
    for name in data:
        if name not in known:
            raise Unreadable(
                "'{where}' has no part '{name}'; its parts are {parts}.",
                where=where,
                name=name[:40],
                parts=tuple(known),
            )
    if missing := tuple(
        one for one, (part, _) in known.items() if one not in data and needed(part)
    ):
        raise Unreadable("'{where}' lacks {parts}.", where=where, parts=missing)
    values = {
        known[name][0].name: _value(known[name][1], value, name) for name, value in data.items()
    }
    return kind(**values)


@cache
def parts(kind: type[Any]) -> dict[str, tuple[Field[Any], Any]]:
    """Return the parts of a record and their types, by their names in JSON."""
    hints = get_type_hints(kind)
    return {_name(one): (one, hints[one.name]) for one in fields(kind)}


def needed(part: Field[Any]) -> bool:
    """Tell whether a part must be given."""
    return part.default is MISSING


def _value(kind: Any, data: object, where: str) -> Any:
    if get_origin(kind) in {Union, UnionType}:
        if data is None:
            return None
        (kind,) = (one for one in get_args(kind) if one is not type(None))
    if get_origin(kind) is tuple:
        if not isinstance(data, list) or len(data) > MOST:
            raise _wrong(where, data, Text("a list of at most {count}", count=MOST))
        return tuple(_value(get_args(kind)[0], one, where) for one in data)
    if is_dataclass(kind):
        return from_json(kind, data, where)  # type: ignore[arg-type]
    plain = get_origin(kind) or kind
    if type(data) is not plain or (isinstance(data, str) and len(data) > LONGEST):
        raise _wrong(where, data, WORDS[plain])
    return data


def _wrong(where: str, data: object, right: Text) -> Unreadable:
    return Unreadable(
        "'{where}' is {data}; it must be {right}.", where=where, data=shorten(data), right=right
    )
