"""The AsyncAPI document of what tables and the hall say, read off the records that are sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin

from companion import __version__
from companion.mqtt.payloads import (
    EXPIRY_S,
    KINDS,
    MOST_BYTES,
    HallCommand,
    HallProposal,
    Seated,
)
from companion.mqtt.record_codec import LARGEST, LONGEST, MOST, is_later, parts
from companion.mqtt.topics import NAMED, PROTOCOL, ROOT, TopicKind
from companion.system.format_names import format_name_of

Schema = dict[str, Any]
BY_HALL: Final = (TopicKind.HAVE, TopicKind.COMMAND)
KEPT: Final = (TopicKind.ONLINE, TopicKind.STATE, TopicKind.HAVE)
ABOUT: Final = (
    "What a table and a hall of many tables tell each other over MQTT 5. All messages have "
    "QoS 1. Commands and answers expire after {seconds} seconds and are never retained; a command "
    "names the table's answer topic as its response topic, and the answer repeats its correlation "
    "data. This is version {protocol} of it: in another one with the same first number, ignore "
    "whatever is unknown."
)
PLAIN: Final[dict[Any, Schema]] = {
    str: {"type": "string", "maxLength": LONGEST},
    int: {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST},
    bool: {"type": "boolean"},
    dict: {"type": "object"},
}


def document() -> Schema:
    """Return the document."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Rappelwacht",
            "version": __version__,
            "description": ABOUT.format(seconds=EXPIRY_S, protocol=PROTOCOL),
        },
        "defaultContentType": "application/json",
        "channels": {kind.value: _channel(kind) for kind in TopicKind},
        "operations": {kind.value: _operation(kind) for kind in TopicKind},
        "components": {
            "messages": {kind.value: _message(record) for record, kind in KINDS.items()},
            "schemas": {format_name_of(record): _record(record) for record in _records()},
        },
    }


def _channel(kind: TopicKind) -> Schema:
    return {
        "address": f"{ROOT}/{{table}}/{kind.value}",
        "messages": {kind.value: {"$ref": f"#/components/messages/{kind.value}"}},
        "parameters": {"table": {"description": f"Its name: {NAMED.pattern}"}},
    }


def _operation(kind: TopicKind) -> Schema:
    """Return what a table does with a channel."""
    expiry = (
        {}
        if kind not in {TopicKind.COMMAND, TopicKind.ANSWER}
        else {"messageExpiryInterval": EXPIRY_S}
    )
    operation: Schema = {
        "action": "receive" if kind in BY_HALL else "send",
        "channel": {"$ref": f"#/channels/{kind.value}"},
        "messages": [{"$ref": f"#/channels/{kind.value}/messages/{kind.value}"}],
        "bindings": {"mqtt": {"qos": 1, "retain": kind in KEPT, **expiry}},
    }
    if kind is TopicKind.COMMAND:
        operation["reply"] = {"channel": {"$ref": f"#/channels/{TopicKind.ANSWER.value}"}}
    return operation


def _message(record: type[Any]) -> Schema:
    about = f"{_said(record)} At most {MOST_BYTES[KINDS[record]]} bytes."
    return {"payload": {"$ref": f"#/components/schemas/{format_name_of(record)}"}, "summary": about}


def _said(record: type[Any]) -> str:
    return " ".join((record.__doc__ or "").split())


def _record(record: type[Any]) -> Schema:
    """Return the schema of what is sent; of a command every part must be known."""
    own = parts(record)  # type: ignore[arg-type]  # a class can be hashed
    known = {name: _value(hint) for name, (_, hint) in own.items()}
    return {
        "type": "object",
        "description": _said(record),
        "properties": known,
        "required": [name for name, (part, _) in own.items() if not is_later(part)],
        "additionalProperties": record not in {HallCommand, HallProposal, Seated},
    }


def _value(kind: Any) -> Schema:
    if get_origin(kind) in {Union, UnionType}:
        (inner,) = (argument for argument in get_args(kind) if argument is not type(None))
        return {"anyOf": [_value(inner), {"type": "null"}]}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": _value(get_args(kind)[0]), "maxItems": MOST}
    if is_dataclass(kind):
        return {"$ref": f"#/components/schemas/{format_name_of(kind)}"}  # type: ignore[arg-type]
    return dict(PLAIN[get_origin(kind) or kind])


def _records() -> list[type[Any]]:
    """Return all records that are sent, also within others."""
    records: dict[type[Any], None] = {}
    waiting: list[Any] = [*KINDS]
    while waiting:
        kind = waiting.pop(0)
        if is_dataclass(kind) and kind not in records:
            records[kind] = None  # type: ignore[index]
            own = parts(kind).values()  # type: ignore[arg-type]  # a class can be hashed
            waiting += [inner for _, hint in own for inner in _inside(hint)]
    return list(records)


def _inside(hint: Any) -> Iterator[Any]:
    yield hint
    for inner in get_args(hint):
        yield from _inside(inner)
