"""JSON schemas, read off the records that the API sends and the wishes that it takes.

What is sent has every part; what is taken has at least those that have no default, and none that is
unknown.
"""

from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from companion.core.codec import LARGEST
from companion.core.plugin import GAMES
from companion.present.command_json import LONGEST, WISHES
from companion.present.to_json import SAID, is_sentence
from companion.referee import commands, events
from companion.system.codec import Codec, is_enum, members, parts
from companion.system.format_names import format_name_of
from companion.web.common.request_guard import LARGEST as LARGEST_NUMBER
from companion.web.common.validation import BOARD_DEEPEST, PARTS, RING, Schema, record
from companion.web.common.validation import LONGEST as LONGEST_PART

PLAIN: Final[dict[Any, Schema]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    type(None): {"type": "null"},
    Any: {},
}


def reference(name: str) -> Schema:
    """Return what stands for a schema that is written down once."""
    return {"$ref": f"#/components/schemas/{name}"}


# --- what is sent ---------------------------------------------------------------------------------


def sent(kind: Any) -> Schema:
    """Return the schema of what `plain` makes of a value of this type."""
    if get_origin(kind) is Annotated:
        return sent(get_args(kind)[0])
    if get_origin(kind) in {Union, UnionType}:
        return {"anyOf": [sent(option) for option in get_args(kind)]}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": sent(get_args(kind)[0])}  # those of ours are all alike
    if get_origin(kind) in {dict, Mapping}:
        _, value = get_args(kind)
        return {"type": "object"} | (
            {"additionalProperties": schema} if (schema := sent(value)) else {}
        )
    if kind in PLAIN:
        return dict(PLAIN[kind])
    if kind in SAID or (is_enum(kind) and is_sentence(kind)):
        return {"type": "string"}
    if is_enum(kind):
        return {"type": "string", "enum": [*members(kind)]}
    # what has no schema of its own is no name in the document
    assert isinstance(kind, type), kind
    assert is_dataclass(kind), kind
    return reference(format_name_of(kind))


def components(*roots: Any) -> dict[str, Schema]:
    """Return the schema of every record that these lead to, by its name."""
    kinds = {kind for root in roots for kind in _records(root, set())}
    assert len({format_name_of(kind) for kind in kinds}) == len(kinds), "two records have one name"
    return {
        format_name_of(kind): {
            **record(**{name: sent(hint) for name, hint in _hints(kind).items()}),
            "description": " ".join((kind.__doc__ or "").split()),
        }
        for kind in sorted(kinds, key=format_name_of)
    }


def _records(kind: Any, known: set[Any]) -> Iterator[Any]:
    for inner in get_args(kind):
        yield from _records(inner, known)
    if is_dataclass(kind) and kind not in SAID and kind not in known:
        known.add(kind)
        yield kind
        for hint in _hints(kind).values():
            yield from _records(hint, known)


def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in kind.__dataclass_fields__}


# --- what is taken --------------------------------------------------------------------------------


def wishes() -> Schema:
    return {"oneOf": [schema for name, kind in WISHES.items() for schema in _wish(name, kind)]}


def _wish(name: str, kind: type[commands.CommandBody]) -> Iterator[Schema]:
    for schema in _new_matches() if kind is commands.NewMatch else (taken(kind),):
        yield {
            **schema,
            "description": (kind.__doc__ or "").strip(),
            "properties": {"kind": {"const": name}, **schema["properties"]},
            "required": ["kind", *schema["required"]],
        }


def _new_matches() -> Iterator[Schema]:
    for name, game in GAMES.items():
        settings = taken(game.settings_type)
        parts_ = record(game={"const": name}, settings=settings, house=taken(events.HouseRules))
        yield {**parts_, "required": ["game", "settings"]}


def board() -> Schema:
    """Return the schema of a board that somebody has painted: whatever has an end is judged."""
    plain: list[Schema] = [
        {"type": "string", "maxLength": LONGEST_PART},
        {"type": "number", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER},
        {"type": ["boolean", "null"]},
    ]
    part: Schema = {"anyOf": plain}
    for _ in range(BOARD_DEEPEST - 1):
        listed = {"type": "array", "items": part, "maxItems": PARTS}
        part = {"anyOf": [*plain, listed, _parted(part)]}
    ring = {"anyOf": [{"type": "string", "maxLength": RING}, *part["anyOf"]]}
    return {**_parted(part), "properties": {"ring": ring, "entries": part, "gates": part}}


def _parted(part: Schema) -> Schema:
    names = {"maxLength": LONGEST_PART}
    return {
        "type": "object",
        "additionalProperties": part,
        "maxProperties": PARTS,
        "propertyNames": names,
    }


TAKEN: Final = Codec(largest=LARGEST, longest=LONGEST)


def taken(kind: Any) -> Schema:
    known = {part.key: TAKEN.schema(part, taken) for part in parts(kind)}
    return {**record(**known), "required": [part.key for part in parts(kind) if part.needed]}
