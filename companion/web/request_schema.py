"""The JSON schemas of what requests carry to the API, and of who a phone is to it."""

from __future__ import annotations

from typing import Final

from companion.core.codec import LARGEST
from companion.journal.entry import LONGEST_WORD
from companion.present.command_json import NO_MATCH, REQUEST
from companion.present.simulated_hands import ShakeVigour
from companion.present.viewer import ROLES
from companion.referee.people.person import ANIMALS, MOST
from companion.sensing.settings import BARRELS
from companion.system.codec import members
from companion.system.text import SEATS
from companion.web.schemas import Schema, record, wishes
from companion.web.simulated_schema import LEAST_S, MOST_S, NEEDS, HandAct


def number(least: int, most: int) -> Schema:
    """Return the schema of a whole number within bounds."""
    return {"type": "integer", "minimum": least, "maximum": most}


def _with(optional: Schema, **needed: Schema) -> Schema:
    """Return the schema of an object that has these parts, and perhaps the optional ones."""
    return {**record(**needed, **optional), "required": [*needed]}


SEAT: Final[Schema] = {"enum": [*SEATS]}
PAIRED: Final = record(role={"enum": [*ROLES, None]}, waits_s=number(0, 60))
COMMAND: Final[Schema] = {
    **record(
        request={"type": "string", "pattern": f"^{REQUEST.pattern}$"},
        match={"anyOf": [{"type": "string", "maxLength": LONGEST_WORD}, {"type": "null"}]},
        version={"anyOf": [number(NO_MATCH, LARGEST), {"type": "null"}]},
        wish=wishes(),
    ),
    "required": ["request", "wish"],
    "anyOf": [  # who names an entry names its match
        {"properties": {"match": {"type": "string"}}, "required": ["match"]},
        {"properties": {"version": {"enum": [NO_MATCH, None]}}},
    ],
}
PIN: Final[Schema] = {"type": "string", "pattern": "^[0-9]{6}$"}
PAIR: Final[Schema] = {"oneOf": [_with({"seat": SEAT}, pin=PIN), record(seat=SEAT)]}
UNPAIR: Final = _with({"all": {"type": "boolean"}})
WORD: Final[Schema] = {"type": "string", "maxLength": MOST}
SIT: Final = _with(
    {
        "person": WORD,
        "name": WORD,
        "animal": {"enum": [*ANIMALS]},
        "kept": {"type": "boolean"},
    },
    seat=SEAT,
)
LEAVE: Final = record(seat=SEAT)
FORGET: Final = _with({"person": WORD, "all": {"type": "boolean"}})
SECONDS: Final[Schema] = {"type": "number", "minimum": LEAST_S, "maximum": MOST_S}
PARTS: Final[dict[str, Schema]] = {
    "barrel": number(0, BARRELS - 1),
    "other": number(0, BARRELS - 1),
    "for_s": SECONDS,
    "vigour": {"enum": [*members(ShakeVigour)]},
}
ACT: Final[Schema] = {
    "oneOf": [
        record(act={"const": word}, **{name: PARTS[name] for name in NEEDS[deed]})
        for word, deed in members(HandAct).items()
    ]
}
