"""What Home Assistant needs to find a table by itself: one device with its sensors.

All of them read the table's retained `state`; nothing is published for them alone but this. It is
said again whenever Home Assistant itself was started, for then it may have forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from companion import __version__
from companion.hall_link.accounts import DISCOVERY, device
from companion.hall_link.client import Heard, Say
from companion.hall_link.topics import Kind, topic
from companion.referee.snapshot import Snapshot

BIRTH: Final = f"{DISCOVERY}/status"
BORN: Final = b"online"
PROJECT: Final = "Rappelwacht"
OPEN_FOULS: Final = "value_json.fouls | selectattr('upheld', 'none') | list"
# "None" means to Home Assistant that it is not known.
SENSORS: Final = {
    "magic_number": (
        "Magic number",
        "mdi:dice-multiple",
        "{{ (value_json.view or {}).get('magic') or None }}",
    ),
    "turn": (
        "Whose turn",
        "mdi:account-arrow-right",
        "{{ value_json.turns | join(', ') or None }}",
    ),
    "leader": ("Leader", "mdi:trophy", "{{ value_json.leaders | join(', ') or None }}"),
    "round": ("Round", "mdi:counter", "{{ value_json.round }}"),
    "foul": (
        "Open foul",
        "mdi:whistle",
        f"{{{{ ({OPEN_FOULS} | last).code if {OPEN_FOULS} else None }}}}",
    ),
}
BINARY: Final = {
    "playing": ("Playing", "running", "value_json.playing"),
    "trouble": ("Trouble", "problem", "value_json.troubles"),
    "battery": ("Batteries", "battery", "not value_json.batteries"),  # on: one is nearly empty
}


class HomeAssistant:
    """Says what there is to be found."""

    def __init__(self, table: str) -> None:
        self.filters: tuple[str, ...] = (BIRTH,)
        self._config = Say(f"{DISCOVERY}/device/{device(table)}/config", _written(table), True)
        self._due = True

    def connected(self) -> None:
        """Take that a connection came."""
        self._due = True

    def hear(self, heard: Heard) -> None:
        """Take that Home Assistant was started."""
        self._due = self._due or (heard.topic == BIRTH and heard.data == BORN)

    def go_on(self, now: Snapshot, say: Callable[[Say], bool]) -> None:  # noqa: ARG002 - of `Extra`
        """Say it, if it is due."""
        if self._due:
            self._due = not say(self._config)


def _written(table: str) -> bytes:
    return json.dumps(config(table), separators=(",", ":")).encode("ascii")


def config(table: str) -> dict[str, Any]:
    """Return the device as Home Assistant's discovery takes it."""
    name, state = device(table), topic(table, Kind.STATE)
    here = {
        "topic": topic(table, Kind.ONLINE),
        "value_template": "{{ 'online' if value_json.online else 'offline' }}",
    }
    components = {
        **{key: _sensor(*words) for key, words in SENSORS.items()},
        **{key: _binary(*words) for key, words in BINARY.items()},
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
            key: {**one, "unique_id": f"{name}-{key}"} for key, one in components.items()
        },
    }


def _sensor(name: str, icon: str, template: str) -> dict[str, str]:
    return {"platform": "sensor", "name": name, "icon": icon, "value_template": template}


def _binary(name: str, kind: str, on: str) -> dict[str, str]:
    template = f"{{{{ 'ON' if {on} else 'OFF' }}}}"
    return {
        "platform": "binary_sensor",
        "name": name,
        "device_class": kind,
        "value_template": template,
    }
