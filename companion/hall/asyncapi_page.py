"""The page and the JSON of the AsyncAPI document: MQTT topics and payloads, for programmers."""

from typing import Any, Final

from flask import Blueprint, Response, jsonify, render_template

from companion.hall.hall import Hall
from companion.hall.page import HallPage
from companion.mqtt import payloads
from companion.mqtt.asyncapi import document, records_in
from companion.system.format_names import format_name_of

FILE: Final = "rappelwacht-asyncapi.json"


def routes(_: Hall) -> Blueprint:
    blueprint = Blueprint("asyncapi", __name__)

    @blueprint.get("/asyncapi")
    def page() -> str:
        inner = {  # by topic, the names of the records that its messages are made of
            topic.value: [*map(format_name_of, records_in(record))]
            for record, topic in payloads.KINDS.items()
        }
        return render_template("asyncapi.html", document=document(), inner=inner, kind=kind)

    @blueprint.get("/asyncapi.json")
    def file() -> Response:
        answer = jsonify(document())
        answer.headers["Content-Disposition"] = f'attachment; filename="{FILE}"'
        return answer

    return blueprint


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
    return str(value["$ref"]).rpartition("/")[2] if "$ref" in value else str(value["type"])


PAGE = HallPage(routes)
