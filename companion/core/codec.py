"""Settings, states and actions as what JSON can carry, and strictly back; for all games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from enum import Enum
from functools import cache, partial, wraps
from reprlib import repr as shorten
from typing import Any, TypeVar, get_args, get_origin

from companion.core.fields import (
    RecordField,
    is_enum,
    is_named_tuple,
    members,
    parts,
    verb,
)
from companion.core.game import Action, Game
from companion.system.errors import Illegal, RulesError, Unreadable
from companion.system.text import Text

T = TypeVar("T")
S = TypeVar("S")
Step = Callable[..., T]
Read = Callable[[Any, str], Any]
LARGEST = 999_999_999
STUMBLES = (AttributeError, LookupError, TypeError, ValueError)
WORDS = {int: Text("a whole number"), bool: Text("true or false"), str: Text("text")}


def pack(value: Any) -> Any:
    """Return a value as JSON can carry it: enums by name, records as objects, the rest as lists."""
    if isinstance(value, Enum):
        return value.name.lower()
    if is_dataclass(value) or is_named_tuple(type(value)):
        return {part.name: pack(getattr(value, part.name)) for part in parts(type(value))}
    if isinstance(value, tuple):
        return [pack(item) for item in value]
    return value


def unpack(kind: type[T], data: object, where: str) -> T:
    """Return the record of this type that `pack` turned into data; raise Unreadable at a fault."""
    if not isinstance(data, Mapping):
        raise _wrong(where, data, Text("an object"))
    known = _reads(kind)  # type: ignore[arg-type]  # a class can be hashed
    for name in data:
        if name not in known:
            raise Unreadable(
                "'{where}' has no part '{name}'; its parts are {parts}.",
                where=where,
                name=str(name)[:40],
                parts=tuple(known),
            )
    missing = [part.name for part in parts(kind) if part.needed and part.name not in data]
    if missing:
        raise Unreadable("'{where}' lacks {parts}.", where=where, parts=tuple(missing))
    try:
        return kind(**{name: known[name](value, name) for name, value in data.items()})
    except Unreadable:
        raise
    except RulesError as fault:  # well written, but no such thing can be
        raise Unreadable(fault.template, **fault.values) from fault


def pack_action(action: Action) -> dict[str, Any]:
    """Return an action for JSON, without what goes without saying."""
    said = [(part, getattr(action, part.name)) for part in parts(type(action))]
    kept = {part.name: pack(value) for part, value in said if value != part.default}
    return {"do": verb(type(action)), **kept}


def demand_packable(game: Game[Any], action: Action) -> None:
    """Refuse what JSON would not carry there and back, such as Roll(7.0), without carrying it."""
    kind = type(action)
    if kind not in game.actions and kind not in game.rulings:
        raise _no_action(game, verb(kind))
    for part in parts(kind):
        value = getattr(action, part.name)
        if not _fits(part, value):
            raise _wrong(part.name, value, _right(part))


def refusing(step: Step[T]) -> Step[T]:
    """Have a game's `apply`, `rule` or `explain` refuse what it does not declare: Move(step="x").

    Its rules need not look for that: only what they refuse, or stumble over, is looked at.
    """

    @wraps(step)
    def refused(game: Any, state: Any, action: Any, *more: Any) -> T:
        try:
            return step(game, state, action, *more)
        except STUMBLES as fault:  # over what it is, or it is not legal
            if not isinstance(fault, RulesError) or type(action) in (*game.actions, *game.rulings):
                demand_typed(game, action)
            raise

    return refused


def demand_typed(game: Game[Any], action: Any) -> None:
    """Raise Illegal for what is not an action of the game, or has a part of a wrong type."""
    try:
        demand_packable(game, action)
    except RulesError as fault:
        raise Illegal(fault.template, **fault.values) from None


def _fits(part: RecordField, value: Any) -> bool:
    if value is None and part.optional:
        return True
    return _are((part.kind, ...), value) if part.listed else _is(part.kind, value)


def _is(kind: Any, value: Any) -> bool:
    """Tell whether a value is of a kind to the letter: True is no 1, and 7.0 no 7."""
    if get_origin(kind) is tuple:
        return _are(get_args(kind), value)
    if type(value) is not kind:
        return False
    if kind is int:
        return bool(abs(value) <= LARGEST)
    if is_dataclass(kind) or is_named_tuple(kind):
        return all(_fits(part, getattr(value, part.name)) for part in parts(kind))
    return True


def _are(kinds: tuple[Any, ...], values: Any) -> bool:
    if type(values) is not tuple:
        return False
    if kinds[-1] is Ellipsis:
        return all(_is(kinds[0], value) for value in values)
    return len(kinds) == len(values) and all(map(_is, kinds, values))


def _right(part: RecordField) -> Text | str:
    if part.listed:
        return Text("a list")
    if is_enum(part.kind):
        return ", ".join(members(part.kind))
    return WORDS.get(part.kind, Text("an object"))


def unpack_action(game: Game[Any], data: object) -> Action:
    """Return the action that `pack_action` turned into data, or raise Unreadable."""
    verbs = {verb(kind): kind for kind in (*game.actions, *game.rulings)}
    if not isinstance(data, Mapping):
        raise _wrong("action", data, Text("an object"))
    named = data.get("do")
    if not isinstance(named, str) or named not in verbs:
        raise _no_action(game, named)
    return unpack(verbs[named], {k: v for k, v in data.items() if k != "do"}, named)


@cache
def _reads(kind: Any) -> dict[str, Read]:
    """Return what reads each part of a record: what its types are, is found out once."""
    return {part.name: _read_part(part) for part in parts(kind)}


def _read_part(part: RecordField) -> Read:
    read = _tuple_of((part.kind, ...)) if part.listed else _read(part.kind)
    return (
        (lambda data, where: None if data is None else read(data, where)) if part.optional else read
    )


def _read(kind: Any) -> Read:
    if is_enum(kind):
        return partial(_member, kind)
    if kind in WORDS:
        return partial(_word, kind)
    if get_origin(kind) is tuple:
        return _tuple_of(get_args(kind))
    return lambda data, where: data if isinstance(data, kind) else unpack(kind, data, where)


def _member(kind: Any, data: object, where: str) -> Any:
    if isinstance(data, str) and data in members(kind):
        return members(kind)[data]
    raise _wrong(where, data, ", ".join(members(kind)))


def _word(kind: Any, data: Any, where: str) -> Any:
    if type(data) is not kind:
        raise _wrong(where, data, WORDS[kind])
    if kind is int and abs(data) > LARGEST:
        raise _wrong(where, data, Text("a number of at most nine digits"))
    return data


def _tuple_of(kinds: tuple[Any, ...]) -> Read:
    reads = [_read(kind) for kind in kinds if kind is not Ellipsis]

    def read(data: Any, where: str) -> Any:
        if not isinstance(data, list | tuple):
            raise _wrong(where, data, Text("a list"))
        if kinds[-1] is Ellipsis:
            return tuple([reads[0](item, where) for item in data])
        if len(data) != len(kinds):
            raise _wrong(where, data, Text("a list of {count}", count=len(kinds)))
        return tuple([one(item, where) for one, item in zip(reads, data, strict=True)])

    return read


def _no_action(game: Game[Any], named: object) -> Unreadable:
    return _wrong("do", named, ", ".join(map(verb, (*game.actions, *game.rulings))))


def _wrong(where: str, data: object, right: Text | str) -> Unreadable:
    return Unreadable(
        "'{where}' is {data}; it must be {right}.",
        where=where,
        data=shorten(data),
        right=right,
    )
