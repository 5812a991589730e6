"""Turns records into JSON for any client: words for enums, sentences for people."""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from companion.present.viewer import Viewer
from companion.referee.calibration_store import CalibrationFault
from companion.system import errors, status
from companion.system.text import Text

SAID = (status.Condition, CalibrationFault)  # records that are told as one sentence


def written(value: object, reader: Viewer) -> str:
    """Return a value as JSON in ASCII, the same each time."""
    return json.dumps(plain(value, reader), separators=(",", ":"))


def plain(value: Any, reader: Viewer) -> Any:
    """Return a value as JSON can carry it, in the reader's language.

    >>> from companion.system.text import SeatName
    >>> plain({"seats": (SeatName.RED, None)}, Viewer())
    {'seats': ['red', None]}
    """
    if isinstance(value, SAID) or (isinstance(value, Enum) and is_sentence(type(value))):
        return sentence(value, reader)
    if isinstance(value, Enum):
        return value.name.lower()
    if is_dataclass(value):
        return {part.name: plain(getattr(value, part.name), reader) for part in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(part, reader) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [plain(part, reader) for part in value]
    return value


def is_sentence(kind: type[Enum]) -> bool:
    """Return whether the members of an enum are sentences for people."""
    return all(str(member.value).endswith(".") for member in kind)


def sentence(value: status.Condition | CalibrationFault | Enum, reader: Viewer) -> str:
    """Return what people read of a part's condition, or of anything whose value is a sentence."""
    match value:
        case status.Condition():
            return reader.say(Text(value.state.template, **without_folders(value).values))
        case CalibrationFault(what=what, file=file):
            return reader.say("{file}: {reason}", file=file, reason=reader.say(Text(what.value)))
    return reader.say(Text(str(value.value)))


def without_folders(condition: status.Condition) -> status.Condition:
    """Return a condition with the mere names of files: where they lie is nothing for a page."""
    return replace(condition, values=_names(condition.values))


def _names(values: Mapping[str, object]) -> dict[str, object]:
    return {key: _name(value) for key, value in values.items()}


def _name(value: object) -> object:
    if isinstance(value, errors.CompanionError):
        return errors.CompanionError(value.template, **_names(value.values))
    return value.name if isinstance(value, Path) else value
