"""The AsyncAPI document of what tables and the hall say, read off the records that are sent."""

from dataclasses import is_dataclass
from typing import Any, Final

from companion import __version__
from companion.mqtt import payloads, topics
from companion.system.codec import parts
from companion.system.format_names import format_name_of

Schema = dict[str, Any]
BY_HALL: Final = (topics.TopicKind.HAVE, topics.TopicKind.COMMAND)
KEPT: Final = (topics.TopicKind.ONLINE, topics.TopicKind.STATE, topics.TopicKind.HAVE)
ABOUT: Final = (
    "What a table and a hall of many tables tell each other over MQTT 5. All messages have "
    "QoS 1. Commands and answers expire after {seconds} seconds and are never retained; a command "
    "names the table's answer topic as its response topic, and the answer repeats its correlation "
    "data. This is version {protocol} of it: in another one with the same first number, ignore "
    "whatever is unknown."
)


def document() -> Schema:
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Rappelwacht",
            "version": __version__,
            "description": ABOUT.format(seconds=payloads.EXPIRY_S, protocol=topics.PROTOCOL),
        },
        "defaultContentType": "application/json",
        "channels": {kind.value: _channel(kind) for kind in topics.TopicKind},
        "operations": {kind.value: _operation(kind) for kind in topics.TopicKind},
        "components": {
            "messages": {kind.value: _message(record) for record, kind in payloads.KINDS.items()},
            "schemas": {
                format_name_of(record): _record(record) for record in records_in(*payloads.KINDS)
            },
        },
    }


def _channel(kind: topics.TopicKind) -> Schema:
    return {
        "address": f"{topics.ROOT}/{{table}}/{kind.value}",
        "messages": {kind.value: {"$ref": f"#/components/messages/{kind.value}"}},
        "parameters": {"table": {"description": f"Its name: {topics.NAMED.pattern}"}},
    }


def _operation(kind: topics.TopicKind) -> Schema:
    expires = kind in {topics.TopicKind.COMMAND, topics.TopicKind.ANSWER}
    expiry = {"messageExpiryInterval": payloads.EXPIRY_S} if expires else {}
    operation: Schema = {
        "action": "receive" if kind in BY_HALL else "send",
        "channel": {"$ref": f"#/channels/{kind.value}"},
        "messages": [{"$ref": f"#/channels/{kind.value}/messages/{kind.value}"}],
        "bindings": {"mqtt": {"qos": 1, "retain": kind in KEPT, **expiry}},
    }
    if kind is topics.TopicKind.COMMAND:
        operation["reply"] = {"channel": {"$ref": f"#/channels/{topics.TopicKind.ANSWER.value}"}}
    return operation


def _message(record: type[Any]) -> Schema:
    about = f"{_description(record)} At most {payloads.MOST_BYTES[payloads.KINDS[record]]} bytes."
    return {"payload": _reference(record), "summary": about}


def _description(record: type[Any]) -> str:
    return " ".join((record.__doc__ or "").split())


def _record(record: type[Any]) -> Schema:
    """Return the schema of what is sent; of a command every part must be known."""
    return {
        "type": "object",
        "description": _description(record),
        "properties": {part.key: payloads.CODEC.schema(part, _reference) for part in parts(record)},
        "required": [part.key for part in parts(record) if not part.later],
        "additionalProperties": record
        not in {payloads.HallCommand, payloads.HallProposal, payloads.Seated},
    }


def _reference(record: type[Any]) -> Schema:
    return {"$ref": f"#/components/schemas/{format_name_of(record)}"}


def records_in(*outer: type[Any]) -> list[type[Any]]:
    """Return records and all that are within them, each once."""
    records = [*outer]
    for record in records:  # it grows meanwhile
        inner = dict.fromkeys(part.kind for part in parts(record))
        records += [
            kind
            for kind in inner
            if isinstance(kind, type) and is_dataclass(kind) and kind not in records
        ]
    return records
