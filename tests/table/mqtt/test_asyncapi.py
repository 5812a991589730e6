"""The document of what is said agrees with what really passes a broker."""

import json
from typing import Any

import jsonschema_rs
import pytest

from companion.mqtt import topics
from companion.mqtt.asyncapi import document
from companion.mqtt.client import MqttMessage
from companion.mqtt.payloads import KINDS, MOST_BYTES
from companion.mqtt.topics import TopicKind
from companion.referee.commands import Call, DoAction
from companion.system.format_names import format_name_of
from tests.mqtt.broker import Broker, Listener, wait_until
from tests.mqtt.folding import Fold
from tests.table.mqtt.test_commands import Desk
from tests.web.room import FakeRoom

SCHEMAS = {kind: format_name_of(record) for record, kind in KINDS.items()}


def references(data: Any) -> list[str]:
    """Return all that a document refers to within itself."""
    if isinstance(data, dict):
        own = [data["$ref"]] if "$ref" in data else []
        return own + [one for value in data.values() for one in references(value)]
    return [one for value in data for one in references(value)] if isinstance(data, list) else []


def found(reference: str) -> Any:
    at: Any = document()
    for part in reference.removeprefix("#/").split("/"):
        at = at[part]
    return at


def test_it_is_whole_as_asyncapi_3_has_it() -> None:
    told = document()
    assert told["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= set(told["info"])
    assert set(told["channels"]) == set(told["operations"]) == {kind.value for kind in TopicKind}
    for reference in references(told):
        assert found(reference)
    for operation in told["operations"].values():
        assert operation["action"] in {"send", "receive"}
    for name in told["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in references(told)


@pytest.fixture(scope="module")
def heard(tmp_path_factory: pytest.TempPathFactory) -> list[MqttMessage]:
    """Return all that passes a broker in an evening of a table."""
    with Broker(tmp_path_factory.mktemp("asyncapi")) as broker:
        ear = Listener(broker.of("hall"), "rappelwacht/#", name="ear")
        with ear:
            fold, desk = Fold(broker.of("hall"), "attic").wait(), Desk(broker)
            room: FakeRoom = desk.table.room
            assert desk.asks(desk.command()) is None
            assert desk.asks(desk.command("late", at_ms=1)) == "LATE"
            desk.table.begins("zapp-zerapp")
            room.wish(DoAction("roll 7"))
            room.wish(Call("peek", "blue"))
            room.stir()
            fold.until(lambda: fold.states[-1].fouls and len(fold.entries.get("m0", ())) > 2)
            desk.close()
            wait_until(lambda: not fold.online[-1])
            fold.close()
        return ear.heard


def exact(data: Any) -> Any:
    """Return the same schemas without leave to say more: what we say is all told of there."""
    if isinstance(data, dict):
        return {
            name: exact(one) for name, one in data.items() if name != "additionalProperties"
        } | ({"additionalProperties": False} if "properties" in data else {})
    return [exact(one) for one in data] if isinstance(data, list) else data


@pytest.mark.parametrize("kind", TopicKind)
def test_what_passes_a_broker_is_what_it_says(kind: TopicKind, heard: list[MqttMessage]) -> None:
    told = document()
    schema = {
        "$ref": f"#/components/schemas/{SCHEMAS[kind]}",
        "components": exact(told["components"]),
    }
    of_kind = [one for one in heard if one.topic == topics.topic("attic", kind)]
    assert of_kind
    for one in of_kind:
        jsonschema_rs.validate(schema, json.loads(one.data))
        assert len(one.data) <= MOST_BYTES[kind]
        assert one.expires == ("messageExpiryInterval" in _binding(kind))


def _binding(kind: TopicKind) -> dict[str, Any]:
    binding: dict[str, Any] = document()["operations"][kind.value]["bindings"]["mqtt"]
    return binding
