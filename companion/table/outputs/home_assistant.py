"""MQTT discovery for Home Assistant: one device with its sensors.

All of them read the table's retained `state`; nothing is published for them alone but this. It is
said again whenever Home Assistant itself was started, for then it may have forgotten.
"""

import json
from collections.abc import Callable
from typing import Any, Final

from companion import __version__
from companion.i18n import translate
from companion.mqtt import client, topics
from companion.mqtt.accounts import DISCOVERY, device
from companion.present import fouls, viewer
from companion.present.api_snapshot import AT_THE_TABLE
from companion.referee.snapshot import Snapshot
from companion.system.text import SEATS, Text

BIRTH: Final = f"{DISCOVERY}/status"
BORN: Final = b"online"
PROJECT: Final = "Rappelwacht"
OPEN_FOULS: Final = "value_json.fouls | selectattr('upheld', 'none') | list"
# "None" means to Home Assistant that it is not known. `words` are what people call seats and fouls.
NAMES: Final = (
    "{{% for one in {seats} %}}{{{{ words.get(one, one) }}}}{{{{ '' if loop.last else ', ' }}}}"
    "{or_none}"
)
OR_NONE: Final = "{% else %}None{% endfor %}"
SENSORS: Final = {
    "magic_number": (
        Text("Magic number"),
        "mdi:dice-multiple",
        "{{ (value_json.view or {}).get('magic') or None }}",
    ),
    "turn": (
        Text("Whose turn"),
        "mdi:account-arrow-right",
        NAMES.format(seats="value_json.turns", or_none=OR_NONE),
    ),
    "leader": (
        Text("Leader"),
        "mdi:trophy",
        NAMES.format(seats="value_json.leaders", or_none=OR_NONE),
    ),
    "round": (Text("Round"), "mdi:counter", "{{ value_json.round }}"),
    "foul": (
        Text("Open foul"),
        "mdi:whistle",
        f"{{% for one in ({OPEN_FOULS})[-1:] %}}{{{{ words.get(one.code, one.code) }}}}{OR_NONE}",
    ),
}
BINARY: Final = {
    "playing": (Text("Playing"), "running", "value_json.playing"),
    "trouble": (Text("Trouble"), "problem", "value_json.troubles"),
    "battery": (Text("Batteries"), "battery", "not value_json.batteries"),  # on: one is low
}


class HomeAssistant:
    def __init__(self, table: str, language: str = translate.ENGLISH) -> None:
        self.filters: tuple[str, ...] = (BIRTH,)
        data = json.dumps(config(table, language), separators=(",", ":")).encode("ascii")
        self._config = client.Publication(f"{DISCOVERY}/device/{device(table)}/config", data, True)
        self._due = True

    def on_connect(self) -> None:
        """Note that a connection came."""
        self._due = True

    def handle_message(self, heard: client.MqttMessage) -> None:
        """Note that Home Assistant was started."""
        self._due = self._due or (heard.topic == BIRTH and heard.data == BORN)

    def tick(self, now: Snapshot, say: Callable[[client.Publication], bool]) -> None:  # noqa: ARG002 - the contract has it
        """Say it, if it is due."""
        if self._due:
            self._due = not say(self._config)


def config(table: str, language: str = translate.ENGLISH) -> dict[str, Any]:
    """Return the device as Home Assistant's discovery takes it, with names in a language."""
    name, state = device(table), topics.topic(table, topics.TopicKind.STATE)
    reader = viewer.Viewer(language if language in translate.LANGUAGES else translate.ENGLISH)
    here = {
        "topic": topics.topic(table, topics.TopicKind.ONLINE),
        "value_template": "{{ 'online' if value_json.online else 'offline' }}",
    }
    components = {
        **{key: _sensor(reader, *words) for key, words in SENSORS.items()},
        **{key: _binary(reader, *words) for key, words in BINARY.items()},
    }
    return {
        "device": {
            "identifiers": [name],
            "name": f"{PROJECT} {table}",
            "manufacturer": PROJECT,
            "sw_version": __version__,
        },
        "origin": {"name": PROJECT, "sw_version": __version__},
        "availability": [here],
        "state_topic": state,
        "qos": 1,
        "components": {
            key: {**component, "unique_id": f"{name}-{key}"}
            for key, component in components.items()
        },
    }


def _sensor(reader: viewer.Viewer, name: Text, icon: str, template: str) -> dict[str, str]:
    if "words." in template:
        words = _fouls(reader) if ".code" in template else _seats(reader)
        template = f"{{% set words = {json.dumps(words, ensure_ascii=False)} %}}{template}"
    return {
        "platform": "sensor",
        "name": reader.say(name),
        "icon": icon,
        "value_template": template,
    }


def _seats(reader: viewer.Viewer) -> dict[str, str]:
    """Return what people call the seats, and whoever it is where nobody chooses."""
    return {seat: reader.name(seat) for seat in SEATS} | {AT_THE_TABLE: reader.say("Everybody")}


def _fouls(reader: viewer.Viewer) -> dict[str, str]:
    """Return what people call the fouls that are found or called."""
    words = {code: fouls.foul_word(code, reader) for code in sorted(fouls.CODES)}
    return {code: word[:1].upper() + word[1:] for code, word in words.items()}


def _binary(reader: viewer.Viewer, name: Text, kind: str, on: str) -> dict[str, str]:
    template = f"{{{{ 'ON' if {on} else 'OFF' }}}}"
    return {
        "platform": "binary_sensor",
        "name": reader.say(name),
        "device_class": kind,
        "value_template": template,
    }
