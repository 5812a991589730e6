"""Reads sections of a TOML document into frozen values, and gathers every fault on the way.

Each field of the value is a key: it has a check and a sentence for what would be right, and must be
there where it has no default.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from companion.system import errors, private_files
from companion.system.safe_json import inside
from companion.system.text import Text

Check = Callable[[Any], bool]
DEEPEST: Final = 20  # levels of tables and lists in a file of ours; Python gives up at hundreds
LARGEST_BYTES: Final = 1_000_000
LONGEST_BITS: Final = 63  # of a number in TOML, besides its sign


def text_of(path: Path) -> str:
    """Return what a file says; what is not an ordinary one, or far too long, is an OSError."""
    return private_files.read(path, LARGEST_BYTES).decode("utf-8")


def read_toml(toml: str) -> dict[str, Any]:
    r"""Return the document of a text; whatever is wrong with it is a TOMLDecodeError.

    >>> read_toml("[buzzer]\npin = 18")
    {'buzzer': {'pin': 18}}
    >>> read_toml("pin = 0x" + 5000 * "f")
    Traceback (most recent call last):
    tomllib.TOMLDecodeError: a number in it is too long
    """
    try:
        document = tomllib.loads(toml)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise tomllib.TOMLDecodeError("it is nested too deeply") from None
    except ValueError:  # more digits than Python converts
        raise tomllib.TOMLDecodeError("a number in it is too long") from None
    level: list[Any] = [document]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in inside(outer)]
        if any(type(value) is int and value.bit_length() > LONGEST_BITS for value in level):
            raise tomllib.TOMLDecodeError("a number in it is too long")
    if level:
        raise tomllib.TOMLDecodeError("it is nested too deeply")
    return document


def setting(check: Check, right: Text, default: object = MISSING) -> Any:
    """Return a field of a section's value that is one of its keys."""
    return field(default=default, metadata={"check": check, "right": right})


class TomlReader:
    """Reads one document; `faults` says what is wrong with it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[errors.CompanionError] = []

    def fault(self, key: str, fault: Text) -> None:
        """Keep a sentence with the place where it stands."""
        error = errors.CompanionError(
            "{file}, {key}: {fault}", file=self.file, key=key, fault=fault
        )
        self.faults.append(error)

    def known(self, prefix: str, given: Mapping[str, Any], names: Sequence[str]) -> list[str]:
        """Return the given keys that exist, in our order; the others are faults."""
        for key in given:
            near = get_close_matches(key, names, n=1)
            if key in names:
                continue
            if near:
                fault = Text("there is no such key; did you mean '{near}'?", near=near[0])
            else:
                fault = Text("there is no such key; there are: {names}.", names=tuple(names))
            self.fault(prefix + key, fault)
        return [name for name in names if name in given]

    def contents(self, name: str, value: object) -> dict[str, Any] | None:
        """Return what stands in a section, whatever it is; None where there is no section."""
        if isinstance(value, dict):
            return value
        self.fault(name, Text("write this as a section, [{key}].", key=name))
        return None

    def section(self, name: str, value: Any, kind: type, **more: object) -> Any:
        """Return a section's value, or None where it has a fault."""
        if (value := self.contents(name, value)) is None:
            return None
        before = len(self.faults)
        settings = {part.name: part for part in fields(kind) if part.metadata}
        for key in self.known(f"{name}.", value, list(settings)):
            about = settings[key].metadata
            if not about["check"](value[key]):
                wrong = Text(
                    "{value} is not allowed; {right}", value=repr(value[key]), right=about["right"]
                )
                self.fault(f"{name}.{key}", wrong)
            more[key] = tuple(value[key]) if isinstance(value[key], list) else value[key]
        for key, part in settings.items():
            if part.default is MISSING and key not in more:
                missing = Text("this key is missing; {right}", right=part.metadata["right"])
                self.fault(f"{name}.{key}", missing)
        return kind(**more) if len(self.faults) == before else None


def whole(low: int, high: int) -> Check:
    """Check for a whole number within limits; true and false are none."""
    return lambda value: type(value) is int and low <= value <= high


def shaped(pattern: str) -> Check:
    return lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None


def list_of(check: Check) -> Check:
    """Check for a list of different things, at least one."""
    return lambda value: (
        isinstance(value, list)
        and bool(value)
        and all(map(check, value))
        and len(set(value)) == len(value)
    )
