"""Validates request parameters: bodies by their JSON schemas, numbers of a query, boards.

A body's schema stands beside its route, and is what the document of the API says of it. What is
wrong is said in a sentence that names the part.
"""

from collections.abc import Iterator
from typing import Any, Final

from flask import abort, request

from companion.web.common import flask_app, request_guard
from companion.web.common.errors import Malformed

Schema = dict[str, Any]

PARTS: Final = 64  # of a ring, and of what belongs to it
LONGEST: Final = 40  # characters of one of them, and of its name
RING: Final = LONGEST * PARTS  # characters of a ring that is one text
BOARD_DEEPEST: Final = 3  # levels of lists and objects in it, itself among them
DIGITS: Final = 9  # of a number in a query
TRUTH: Final[Schema] = {"type": "boolean"}
WORD: Final[Schema] = {"type": "string", "maxLength": 256}


def record(optional: Schema | None = None, /, **needed: Schema) -> Schema:
    """Return the schema of an object that has these parts, perhaps the optional ones, no others."""
    return {
        "type": "object",
        "properties": {**needed, **(optional or {})},
        "required": [*needed],
        "additionalProperties": False,
    }


def integer(least: int, most: int) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": most}


def body(schema: Schema) -> dict[str, Any]:
    """Return the object that a request carries, which is as its schema says."""
    data = request_guard.body()
    check_record(data, schema)
    return data


def body_of_acting(schema: Schema) -> dict[str, Any]:
    """Return the same, of a phone that may act; what any other sends is not even read."""
    if not flask_app.current_viewer().acts:
        abort(403)
    return body(schema)


def check_record(data: dict[str, Any], schema: Schema) -> None:
    """Raise Malformed unless an object has the parts that its schema names, and no others."""
    parts = schema["properties"]
    for name in data:
        if name not in parts:
            raise Malformed("'{where}' has no place in this request.", where=name[:LONGEST])
    for name in parts:
        if name in data or name in schema["required"]:
            check(data.get(name), parts[name], name)


def check(value: Any, schema: Schema, where: str) -> None:
    """Raise Malformed unless a value is as one of our schemas says."""
    if value not in schema.get("enum", [value]):
        words = (*schema["enum"],)
        raise Malformed("'{where}' must be one of {words}.", where=where, words=words)
    match schema.get("type"):
        case "boolean" if not isinstance(value, bool):
            raise Malformed("'{where}' must be true or false.", where=where)
        case "integer" | "number":
            _check_number(value, schema, where)
        case "string":
            _check_text(value, schema, where)
        case "array":
            _check_list(value, schema, where)


def _check_number(value: Any, schema: Schema, where: str) -> None:
    kinds = (int,) if schema["type"] == "integer" else (int, float)
    limits = {"least": schema["minimum"], "most": schema["maximum"]}
    if type(value) in kinds and limits["least"] <= value <= limits["most"]:
        return
    if schema["type"] == "integer":
        raise not_between(where, **limits)
    raise Malformed("'{where}' must be a number from {least} to {most}.", where=where, **limits)


def _check_text(value: Any, schema: Schema, where: str) -> None:
    if not isinstance(value, str) or len(value) < schema.get("minLength", 0):
        raise Malformed("'{where}' must be a text.", where=where)
    if len(value) > schema["maxLength"]:
        raise longer(where, schema["maxLength"])


def _check_list(value: Any, schema: Schema, where: str) -> None:
    limits = {"least": schema["minItems"], "most": schema["maxItems"]}
    if not isinstance(value, list) or not limits["least"] <= len(value) <= limits["most"]:
        if limits["least"] == limits["most"]:
            raise Malformed(
                "'{where}' must be a list of {count} parts.", where=where, count=limits["most"]
            )
        raise Malformed(
            "'{where}' must be a list of {least} to {most} parts.", where=where, **limits
        )
    for part in value:
        check(part, schema["items"], where)


def longer(where: str, most: int) -> Malformed:
    return Malformed("'{where}' is longer than {count} characters.", where=where, count=most)


# --- boards ---------------------------------------------------------------------------------------


def bound(data: dict[str, Any]) -> None:
    """Refuse a board of which every part would have to be told that it is wrong, at length."""
    for name, part in _parts(data, "board"):
        most = RING if name == "ring" else LONGEST  # a ring may be one text
        _bound(part, name, most, BOARD_DEEPEST - 1)


def _bound(part: object, where: str, most: int, deeper: int) -> None:
    if isinstance(part, str) and len(part) > most:
        raise longer(where, most)
    if not isinstance(part, dict | list):
        return
    if not deeper:
        raise Malformed("'{where}' is nested too deeply.", where=where)
    for name, inner in _parts(part, where):
        _bound(inner, name, LONGEST, deeper - 1)


def _parts(data: dict[str, Any] | list[Any], where: str) -> Iterator[tuple[str, Any]]:
    if len(data) > PARTS:
        raise Malformed("'{where}' has more than {count} parts.", where=where, count=PARTS)
    if isinstance(data, list):
        yield from (("field", part) for part in data)
        return
    for name, part in data.items():
        if len(name) > LONGEST:
            raise longer(name[:LONGEST], LONGEST)
        yield name, part


# --- queries --------------------------------------------------------------------------------------


def not_between(name: str, least: int, most: int) -> Malformed:
    return Malformed(
        "'{where}' must be a whole number from {least} to {most}.",
        where=name,
        least=least,
        most=most,
    )


def number(name: str, least: int, most: int, default: int) -> int:
    given = request.args.getlist(name)
    text = given[0] if given else str(default)
    fits = text.isascii() and text.isdecimal() and len(text) <= DIGITS
    if len(given) > 1 or not fits or not least <= int(text) <= most:
        raise not_between(name, least, most)
    return int(text)
