"""What tables and the hall say to each other, for programmers: a page, and JSON."""

from functools import cache
from typing import Any, Final

from flask import Blueprint, Response, jsonify, render_template

from companion.hall.hall import Hall
from companion.hall.page import HallPage
from companion.mqtt.asyncapi import document

FILE: Final = "rappelwacht-asyncapi.json"


def routes(_: Hall) -> Blueprint:
    blueprint = Blueprint("asyncapi", __name__)

    @blueprint.get("/asyncapi")
    def page() -> str:
        return render_template(
            "asyncapi.html", info=document()["info"], channels=channels(), kind=kind
        )

    @blueprint.get("/asyncapi.json")
    def file() -> Response:
        answer = jsonify(document())
        answer.headers["Content-Disposition"] = f'attachment; filename="{FILE}"'
        return answer

    return blueprint


@cache
def channels() -> list[dict[str, Any]]:
    """Return each channel of the document with everything that a reader may ask about it."""
    whole = document()
    messages, schemas = whole["components"]["messages"], whole["components"]["schemas"]
    described = []
    for name, channel in whole["channels"].items():
        operation = whole["operations"][name]
        schema = _name(messages[name]["payload"])
        described.append(
            {
                "address": channel["address"],
                "by_table": operation["action"] == "send",
                "summary": messages[name]["summary"],
                "bindings": operation["bindings"]["mqtt"],
                "records": [(record, schemas[record]) for record in _inside(schema, schemas)],
            }
        )
    return described


def _inside(name: str, schemas: dict[str, Any]) -> list[str]:
    """Return a record and those inside it, each once."""
    records, waiting = dict[str, None](), [name]
    while waiting:
        record = waiting.pop(0)
        if record not in records:
            records[record] = None
            waiting += [
                _name(_of(value)) for value in _values(schemas[record]) if "$ref" in _of(value)
            ]
    return [*records]


def _values(schema: dict[str, Any]) -> list[dict[str, Any]]:
    return [*schema["properties"].values()]


def _of(value: dict[str, Any]) -> dict[str, Any]:
    """Return what a value is that may be missing, or one of a list."""
    value = value.get("anyOf", [value])[0]
    inner: dict[str, Any] = value.get("items", value)
    return inner


def kind(value: dict[str, Any]) -> str:
    """Return in one word what a value is.

    >>> kind({"type": "array", "items": {"$ref": "#/components/schemas/Deed"}})
    'list of Deed'
    >>> kind({"anyOf": [{"type": "string", "maxLength": 9}, {"type": "null"}]})
    'string or null'
    """
    if "anyOf" in value:
        return f"{kind(value['anyOf'][0])} or null"
    if value.get("type") == "array":
        return f"list of {kind(value['items'])}"
    return _name(value) if "$ref" in value else str(value["type"])


def _name(value: dict[str, Any]) -> str:
    return str(value["$ref"]).rpartition("/")[2]


PAGE = HallPage(routes)
