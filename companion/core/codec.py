"""The codec of games: settings, states and actions as JSON, and strictly read back."""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import wraps
from typing import Any, Final, TypeVar, get_args, get_origin

from companion.core.game import Action, Game, verb
from companion.system.codec import (
    OBJECT,
    WORDS,
    Codec,
    RecordField,
    is_enum,
    is_named_tuple,
    members,
    pack,
    parts,
    wrong,
)
from companion.system.errors import Illegal, RulesError, Unreadable
from companion.system.text import Text

__all__ = [
    "LARGEST", "STUMBLES", "demand_packable", "demand_typed", "pack", "pack_action", "refusing",
    "unpack", "unpack_action",
]  # fmt: skip
T = TypeVar("T")
Step = Callable[..., T]
LARGEST = 999_999_999
unpack: Final = Codec(largest=LARGEST).read
STUMBLES = (AttributeError, LookupError, TypeError, ValueError)


def pack_action(action: Action) -> dict[str, Any]:
    """Return an action for JSON, without what goes without saying."""
    values = [(part, getattr(action, part.name)) for part in parts(type(action))]
    kept = {part.name: pack(value) for part, value in values if value != part.default}
    return {"do": verb(type(action)), **kept}


def demand_packable(game: Game[Any], action: Action) -> None:
    """Refuse what JSON would not carry there and back, such as Roll(7.0), without carrying it."""
    kind = type(action)
    if kind not in game.actions and kind not in game.rulings:
        raise _no_action(game, verb(kind))
    for part in parts(kind):
        value = getattr(action, part.name)
        if not _fits(part, value):
            raise wrong(part.name, value, _right(part))


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
    return WORDS.get(part.kind, OBJECT)


def unpack_action(game: Game[Any], data: object) -> Action:
    """Return the action that `pack_action` turned into data, or raise Unreadable."""
    verbs = {verb(kind): kind for kind in (*game.actions, *game.rulings)}
    if not isinstance(data, Mapping):
        raise wrong("action", data, OBJECT)
    named = data.get("do")
    if not isinstance(named, str) or named not in verbs:
        raise _no_action(game, named)
    return unpack(verbs[named], {k: v for k, v in data.items() if k != "do"}, named)


def _no_action(game: Game[Any], named: object) -> Unreadable:
    return wrong("do", named, ", ".join(map(verb, (*game.actions, *game.rulings))))
