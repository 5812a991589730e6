"""What the types of a game declare about themselves: names, fields, kinds and defaults.

Text and JSON are both read off these declarations.
"""

from __future__ import annotations

import types
from collections.abc import Iterable
from dataclasses import MISSING, Field, dataclass, fields
from enum import Enum
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from companion.core.game import Action, Game
from companion.system.format_names import format_name_of
from companion.system.text import SEATS

_PARTS: dict[type[Any], tuple[RecordField, ...]] = {}


@dataclass(frozen=True, slots=True)
class RecordField:
    """One field of an action, a setting or a state."""

    name: str
    kind: Any  # the type of a value, or of each item of a list
    names: dict[Any, str]  # words for special values
    default: Any  # MISSING where there is none
    optional: bool  # may be None
    listed: bool  # any number of items

    @property
    def needed(self) -> bool:
        """Whether it must be given."""
        return self.default is MISSING


def parts(kind: type[Any]) -> tuple[RecordField, ...]:
    """Return the fields of a dataclass or named tuple that are said, in order."""
    if kind not in _PARTS:
        _PARTS[kind] = _parts(kind)
    return _PARTS[kind]


def _parts(kind: type[Any]) -> tuple[RecordField, ...]:
    hints = get_type_hints(kind, include_extras=True)
    if is_named_tuple(kind):
        return tuple(_part(name, hints[name], MISSING) for name in kind._fields)
    return tuple(_part(f.name, hints[f.name], f.default) for f in fields(kind) if _is_said(f))


@cache
def members(kind: type[Enum]) -> dict[str, Any]:
    """Return the members of an enum by the word that names them."""
    return {member.name.lower(): member for member in kind}


def verb(kind: type[Any]) -> str:
    """Return the word that names a kind of action."""
    return format_name_of(kind).lower()


def is_blind(kind: type[Action]) -> bool:
    """Tell whether a seat chooses something that it does not know itself."""
    hidden = kind.sealed is not None and kind.sealed.known_to is None
    return hidden and any(part.name == "seat" for part in parts(kind))


def seats_by_word(game: type[Game[Any]]) -> dict[str, Any]:
    """Return every seat that there is in a game, clockwise, by its word, such as "green"."""
    kind: Any = type(game().seats[0])
    return {word: seat for word, seat in members(kind).items() if word in SEATS}


def has_hands(game: type[Game[Any]], settings: Any) -> bool:
    """Tell whether each seat knows of the game what others do not: what is sealed for it alone.

    Where people deal with cards of their own, the companion knows of no hands.
    """
    sealed = any(kind.sealed is not None and kind.sealed.known_to for kind in game.actions)
    return sealed and not getattr(settings, "by_hand", False)


def may_betray(actions: Iterable[type[Action]], kind: type[Action]) -> bool:
    """Tell whether actions of this kind name the like of what others hide: gaps betray hands.

    A card that cannot be turned up is in somebody's hand.
    """
    hidden = {
        part.kind
        for one in actions
        if one.sealed is not None
        for part in parts(one)
        if part.name in one.sealed.hides
    }
    return any(part.kind in hidden for part in parts(kind))


def is_named_tuple(kind: type[Any]) -> bool:
    """Tell whether a type is a named tuple."""
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def is_enum(kind: Any) -> bool:
    """Tell whether a type is an enum."""
    return isinstance(kind, type) and issubclass(kind, Enum)


def _is_said(field: Field[Any]) -> bool:
    return field.init  # the table's seat goes without saying


def _part(name: str, hint: Any, default: Any) -> RecordField:
    optional = get_origin(hint) in {Union, types.UnionType}
    if optional:
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
    listed = get_origin(hint) is tuple and get_args(hint)[-1] is Ellipsis
    kind = get_args(hint)[0] if listed else hint
    names = {}
    if get_origin(kind) is Annotated:
        kind, names = get_args(kind)
    return RecordField(name, kind, names, default, optional, listed)
