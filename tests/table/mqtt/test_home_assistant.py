"""Home Assistant finds a table by itself: by its own rules of discovery, and for what is public."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from companion.i18n.translate import LANGUAGES
from companion.mqtt import payloads
from companion.mqtt.client import Publication
from companion.present.mqtt_state import state_of
from companion.referee.commands import Call, DoAction, Rule
from companion.referee.snapshot import Snapshot
from companion.system.config import parse
from companion.system.errors import CompanionError
from companion.table.outputs.home_assistant import BIRTH, config
from tests.mqtt.broker import Broker, Listener, wait_until
from tests.table.mqtt.telling import Telling
from tests.web.room import FakeRoom

TOPIC = {"type": "string", "minLength": 1, "maxLength": 65_535, "pattern": "^[^+#\\x00]+$"}
TEXT = {"type": "string"}
AVAILABILITY = {
    "type": "object",
    "required": ["topic"],
    "additionalProperties": False,
    "properties": {
        "topic": TOPIC,
        "payload_available": TEXT,
        "payload_not_available": TEXT,
        "value_template": TEXT,
    },
}
ENTITY = {  # of what every component may say, what we use
    "platform": {"enum": ["sensor", "binary_sensor"]},
    "unique_id": {"type": "string", "minLength": 1},
    "name": TEXT,
    "value_template": TEXT,
    "icon": {"type": "string", "pattern": "^[a-z]+:[a-z-]+$"},
    "device_class": {"enum": ["running", "problem", "battery"]},
}
# As homeassistant/components/mqtt/schemas.py has it: what is not named there, is refused.
DISCOVERY: dict[str, Any] = {
    "type": "object",
    "required": ["device", "components", "origin"],
    "additionalProperties": False,
    "properties": {
        "device": {
            "type": "object",
            "required": ["identifiers"],
            "additionalProperties": False,
            "properties": {
                "identifiers": {"type": "array", "items": TEXT, "minItems": 1},
                "name": TEXT,
                "manufacturer": TEXT,
                "model": TEXT,
                "sw_version": TEXT,
            },
        },
        "origin": {
            "type": "object",
            "required": ["name"],
            "additionalProperties": False,
            "properties": {"name": TEXT, "sw_version": TEXT, "support_url": TEXT},
        },
        "availability": {"type": "array", "items": AVAILABILITY},
        "availability_mode": {"enum": ["all", "any", "latest"]},
        "state_topic": TOPIC,
        "qos": {"enum": [0, 1, 2]},
        "components": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {
                "type": "object",
                "required": ["platform", "unique_id", "value_template"],
                "additionalProperties": False,
                "properties": ENTITY,
            },
        },
    },
}
CONFIG = "homeassistant/device/rappelwacht-attic/config"


def rendered(now: Snapshot, language: str = "en") -> dict[str, str]:
    """Return what Home Assistant's templates make of a state, which are Jinja's in a sandbox."""
    jinja = SandboxedEnvironment(undefined=StrictUndefined)
    value = json.loads(payloads.write(state_of(now, at_ms=7)))
    components = config("attic", language)["components"]
    return {
        name: jinja.from_string(one["value_template"]).render(value_json=value)
        for name, one in components.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_payload_is_what_home_assistant_s_discovery_takes(language: str) -> None:
    told = config("attic", language)
    jsonschema_rs.validate(DISCOVERY, told)
    ids = [one["unique_id"] for one in told["components"].values()]
    assert len(set(ids)) == len(ids) == 8
    assert ids == [one["unique_id"] for one in config("attic")["components"].values()]


def test_it_speaks_the_language_that_is_asked_for() -> None:
    names = {key: one["name"] for key, one in config("attic", "de")["components"].items()}
    assert (names["magic_number"], names["turn"]) == ("Magische Zahl", "Wer dran ist")
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 7"))
    room.wish(Call("peek", "blue"))
    told = rendered(room.now, "de")
    assert (told["turn"], told["foul"], told["playing"]) == ("Rot, Blau", "Gespickt", "ON")
    assert config("attic", "True") == config("attic", "tlh") == config("attic")


@pytest.mark.parametrize("said", ["true", "false", "'de'"])
def test_a_table_says_in_which_language(said: str) -> None:
    section = parse(f"[hall]\nhome_assistant = {said}\n", "table.toml").hall
    assert section is not None
    assert section.home_assistant == {"true": True, "false": False}.get(said, "de")


def test_a_language_is_a_code() -> None:
    with pytest.raises(CompanionError, match="home_assistant"):
        parse("[hall]\nhome_assistant = 'German'\n", "table.toml")


def test_its_sensors_say_what_everybody_at_the_table_knows() -> None:
    room = FakeRoom("red", "blue")
    room.wish(DoAction("roll 7"))
    assert rendered(room.now) == {
        "magic_number": "7",
        "turn": "Red, Blue",
        "leader": "None",
        "round": "1",
        "foul": "None",
        "playing": "ON",
        "trouble": "OFF",
        "battery": "OFF",
    }
    room.wish(Call("peek", "blue"))
    assert rendered(room.now)["foul"] == "Peeked"
    room.wish(Rule(1, upheld=False))
    assert rendered(room.now)["foul"] == "None"
    before = rendered(replace(Snapshot(-1), joining=("red",)))
    assert (before["playing"], before["magic_number"], before["round"]) == ("OFF", "None", "None")


def test_it_is_kept_by_the_broker_and_said_again_when_home_assistant_starts(tmp_path: Path) -> None:
    with (
        Broker(tmp_path) as broker,
        Telling(broker.of("attic"), home_assistant=True),
        Listener(broker.of("home"), CONFIG) as home,
    ):
        wait_until(lambda: home.heard)
        assert json.loads(home.heard[0].data) == config("attic")
        before = len(home.heard)
        home.says(Publication(BIRTH, b"offline"))
        home.says(Publication(BIRTH, b"online"))
        wait_until(lambda: len(home.heard) > before)
        with Listener(broker.of("home"), CONFIG) as late:
            wait_until(lambda: late.heard)
            assert late.heard[0].retained
