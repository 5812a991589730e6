"""Reads records strictly from what JSON holds, writes them, and describes them as JSON schemas.

Records are dataclasses and named tuples of words, numbers, enums, lists and other records. What one
of them takes is read off its types once, and kept as a function; a schema says the same. Nothing of
another type passes, nothing huge and, unless a newer program may say more, nothing unknown.

>>> @dataclass(frozen=True, slots=True)
... class Step:
...     from_: int
...     to: tuple[int, ...] = ()
>>> pack(Step(3, (4, 5)))
{'from': 3, 'to': [4, 5]}
>>> codec = Codec(largest=99)
>>> codec.read(Step, {"from": 3, "to": [4, 5]}, "step")
Step(from_=3, to=(4, 5))
>>> codec.read(Step, {"from": "three"}, "step")
Traceback (most recent call last):
companion.system.errors.Unreadable: 'from' is 'three'; it must be a whole number.
>>> codec.schema(parts(Step)[0], lambda record: {})
{'type': 'integer', 'minimum': -99, 'maximum': 99}
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from math import inf
from reprlib import repr as shorten
from types import UnionType
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from companion.system.errors import RulesError, Unreadable
from companion.system.text import Text

T = TypeVar("T")
Read = Callable[[Any, str], Any]
JsonObject = dict[str, Any]
LATER: Final = {"later": True}  # metadata of a field that the first version did not have
WORDS: Final = {int: Text("a whole number"), bool: Text("true or false"), str: Text("text")}
OBJECT: Final = Text("an object")
LIST: Final = Text("a list")
_PARTS: Final[dict[type[Any], tuple[RecordField, ...]]] = {}
_WRITERS: Final[dict[type[Any], Callable[[Any], Any]]] = {}


@dataclass(frozen=True, slots=True)
class RecordField:
    """One field of a record, such as an action, a setting or a payload."""

    name: str
    kind: Any  # the type of a value, or of each item of a list
    names: dict[Any, str]  # words for special values
    default: Any  # MISSING where there is none
    optional: bool  # may be None
    listed: bool  # any number of items
    later: bool = False  # it goes without saying: older programs do not know it

    @property
    def needed(self) -> bool:
        """Whether it must be given."""
        return self.default is MISSING

    @property
    def key(self) -> str:
        """Return its name in JSON; that of an attribute must not be a keyword of Python."""
        return self.name.removesuffix("_")


def parts(kind: type[Any]) -> tuple[RecordField, ...]:
    """Return the fields of a dataclass or named tuple that are said, in order."""
    if kind not in _PARTS:
        _PARTS[kind] = _parts(kind)
    return _PARTS[kind]


def _parts(kind: type[Any]) -> tuple[RecordField, ...]:
    hints = get_type_hints(kind, include_extras=True)
    if is_named_tuple(kind):
        return tuple(_part(name, hints[name], MISSING) for name in kind._fields)
    return tuple(
        _part(part.name, hints[part.name], part.default, later=part.metadata == LATER)
        for part in fields(kind)
        if part.init  # the table's seat goes without saying
    )


def _part(name: str, hint: Any, default: Any, *, later: bool = False) -> RecordField:
    optional = get_origin(hint) in {Union, UnionType}
    if optional:
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
    listed = get_origin(hint) is tuple and get_args(hint)[-1] is Ellipsis
    kind = get_args(hint)[0] if listed else hint
    names = {}
    if get_origin(kind) is Annotated:
        kind, names = get_args(kind)
    return RecordField(name, kind, names, default, optional, listed, later)


@cache
def members(kind: type[Enum]) -> dict[str, Any]:
    return {member.name.lower(): member for member in kind}


def is_named_tuple(kind: type[Any]) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Enum)


def wrong(where: str, data: object, right: Text | str) -> Unreadable:
    """Return the error for what is not as it must be."""
    return Unreadable(
        "'{where}' is {data}; it must be {right}.", where=where, data=shorten(data), right=right
    )


# --- written --------------------------------------------------------------------------------------


def pack(value: Any) -> Any:
    """Return a value as JSON can carry it: enums by name, records as objects, the rest as lists."""
    kind = type(value)
    if kind not in _WRITERS:
        _WRITERS[kind] = _writer(kind)
    return _WRITERS[kind](value)


def _writer(kind: type[Any]) -> Callable[[Any], Any]:
    if issubclass(kind, Enum):
        return lambda member: member.name.lower()
    if is_dataclass(kind) or is_named_tuple(kind):
        return partial(_pack_record, parts(kind))
    return _pack_list if issubclass(kind, tuple) else lambda value: value


def _pack_list(values: tuple[Any, ...]) -> list[Any]:
    return [pack(value) for value in values]


def _pack_record(known: tuple[RecordField, ...], record: Any) -> JsonObject:
    values = ((part, getattr(record, part.name)) for part in known)
    return {
        part.key: pack(value) for part, value in values if not part.later or value != part.default
    }


# --- read, and described --------------------------------------------------------------------------


class Codec:
    """How strictly records are read: the largest number, text and list that may be in them."""

    def __init__(
        self, *, largest: int, longest: int | None = None, most: int | None = None
    ) -> None:
        self._largest, self._longest, self._most = largest, longest, most
        self._readers: dict[tuple[Any, bool], Read] = {}

    def read(self, kind: type[T], data: object, where: str, *, exact: bool = True) -> T:
        """Return the record that `pack` turned into data; raise Unreadable at the first fault.

        A newer program may say more than is known here: if it need not be exact, that is left out.
        """
        read = self._readers.get((kind, exact))
        if read is None:
            read = self._readers[kind, exact] = self._record(kind, exact=exact)
        record: T = read(data, where)
        return record

    def _record(self, kind: Any, *, exact: bool) -> Read:
        known = [(part.key, self._part(part, exact=exact), part.default) for part in parts(kind)]
        keys = {part.key: None for part in parts(kind)}.keys()
        needed = frozenset(part.key for part in parts(kind) if part.needed)
        make = _maker(kind) if is_dataclass(kind) else kind

        def read(data: Any, where: str) -> Any:
            if type(data) is not dict and not isinstance(data, Mapping):
                raise wrong(where, data, OBJECT)
            given = data.keys()
            if exact and not given <= keys:
                name = next(name for name in data if name not in keys)
                raise Unreadable(
                    "'{where}' has no part '{name}'; its parts are {parts}.",
                    where=where,
                    name=str(name)[:40],
                    parts=tuple(keys),
                )
            if not needed <= given:
                missing = tuple(key for key in keys if key in needed and key not in data)
                raise Unreadable("'{where}' lacks {parts}.", where=where, parts=missing)
            values = [read(data[key], key) if key in data else usual for key, read, usual in known]
            try:
                return make(*values)
            except RulesError as fault:  # well written, but no such thing can be
                raise Unreadable(fault.template, **fault.values) from fault

        return read

    def _part(self, part: RecordField, *, exact: bool) -> Read:
        read = self._value(part.kind, exact=exact)
        if part.listed:
            read = self._list(read)
        if not part.optional:
            return read
        return lambda data, where: None if data is None else read(data, where)

    def _value(self, kind: Any, *, exact: bool) -> Read:
        plain = get_origin(kind) or kind
        if plain is tuple:
            return self._tuple(get_args(kind), exact=exact)
        if plain is int:
            return _number(self._largest)
        if plain is float:
            return _real(self._largest)
        if plain is str:
            return _text(self._longest)
        if plain in (bool, dict):
            return partial(_plain, plain)
        if is_enum(kind):
            return partial(_member, members(kind))
        return lambda data, where: (
            data if isinstance(data, kind) else self.read(kind, data, where, exact=exact)
        )

    def _list(self, read: Read) -> Read:
        most = inf if self._most is None else self._most
        few = LIST if self._most is None else Text("a list of at most {count}", count=most)

        def read_list(data: Any, where: str) -> Any:
            if not isinstance(data, list | tuple) or len(data) > most:
                raise wrong(where, data, few)
            return tuple([read(item, where) for item in data])

        return read_list

    def _tuple(self, kinds: tuple[Any, ...], *, exact: bool) -> Read:
        reads = [self._value(kind, exact=exact) for kind in kinds if kind is not Ellipsis]
        if kinds[-1] is Ellipsis:
            return self._list(reads[0])

        def read_tuple(data: Any, where: str) -> Any:
            if not isinstance(data, list | tuple):
                raise wrong(where, data, LIST)
            if len(data) != len(kinds):
                raise wrong(where, data, Text("a list of {count}", count=len(kinds)))
            return tuple([read(item, where) for read, item in zip(reads, data, strict=True)])

        return read_tuple

    def schema(self, part: RecordField, record: Callable[[Any], JsonObject]) -> JsonObject:
        """Return the JSON schema of what a field takes; `record` says what stands for a record."""
        schema = self._schema(part.kind, record)
        if part.listed:
            schema = self._list_schema(schema)
        return {"anyOf": [schema, {"type": "null"}]} if part.optional else schema

    def _schema(self, kind: Any, record: Callable[[Any], JsonObject]) -> JsonObject:
        plain = get_origin(kind) or kind
        if plain is tuple:
            items, *others = get_args(kind)
            schema = self._list_schema(self._schema(items, record))
            size = 1 + len(others)
            return (
                schema if others[-1:] == [...] else {**schema, "minItems": size, "maxItems": size}
            )
        if plain in (int, float):
            whole = "integer" if plain is int else "number"
            return {"type": whole, "minimum": -self._largest, "maximum": self._largest}
        if plain is str:
            limit = {} if self._longest is None else {"maxLength": self._longest}
            return {"type": "string", **limit}
        if plain in (bool, dict):
            return {"type": "boolean" if plain is bool else "object"}
        return {"type": "string", "enum": [*members(kind)]} if is_enum(kind) else record(kind)

    def _list_schema(self, items: JsonObject) -> JsonObject:
        limit = {} if self._most is None else {"maxItems": self._most}
        return {"type": "array", "items": items, **limit}


def _maker(kind: Any) -> Callable[..., Any]:
    """Return what makes a record of its values in order; by order is faster than by name."""
    if not any(part.kw_only for part in fields(kind)):
        made: Callable[..., Any] = kind
        return made
    names = [part.name for part in parts(kind)]
    return lambda *values: kind(**dict(zip(names, values, strict=True)))


def _number(largest: int) -> Read:
    def read_number(data: Any, where: str) -> Any:
        if type(data) is not int:
            raise wrong(where, data, WORDS[int])
        if not -largest <= data <= largest:
            digits = len(str(largest))
            raise wrong(where, data, Text("a number of at most {count} digits", count=digits))
        return data

    return read_number


def _real(largest: int) -> Read:
    digits = Text("a number of at most {count} digits", count=len(str(largest)))

    def read_real(data: Any, where: str) -> Any:
        if type(data) not in (int, float) or not -largest <= data <= largest:  # nor is NaN
            raise wrong(where, data, digits)
        return float(data)

    return read_real


def _text(longest: int | None) -> Read:
    most = inf if longest is None else longest
    letters = Text("text of at most {count} letters", count=most)

    def read_text(data: Any, where: str) -> Any:
        if type(data) is not str or len(data) > most:
            raise wrong(where, data, WORDS[str] if longest is None else letters)
        return data

    return read_text


def _plain(kind: type[Any], data: Any, where: str) -> Any:
    if type(data) is not kind:
        raise wrong(where, data, WORDS.get(kind, OBJECT))
    return data


def _member(known: dict[str, Any], data: object, where: str) -> Any:
    if isinstance(data, str) and data in known:
        return known[data]
    raise wrong(where, data, ", ".join(known))
