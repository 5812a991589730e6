"""The names of classes in formats: in journals, exports, the API, MQTT and translators' files.

They are written beside each class, so that a class can be renamed and no file that exists becomes
unreadable. A class of another package that states none is known by its own name.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, dataclass_transform

T = TypeVar("T")
FORMAT_NAMES: Final[dict[type[Any], str]] = {}


def format_name(name: str) -> Callable[[type[T]], type[T]]:
    """Return a decorator, to be the first of a class: it is called so wherever it is written.

    >>> @format_name("take-back")
    ... class Undo: ...
    >>> format_name_of(Undo), format_name_of(int)
    ('take-back', 'int')
    """

    def name_class(kind: type[T]) -> type[T]:
        FORMAT_NAMES[kind] = name
        return kind

    return name_class


def format_name_of(kind: type[Any]) -> str:
    return FORMAT_NAMES.get(kind, kind.__name__)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(name: str) -> Callable[[type[T]], type[T]]:
    """Return a decorator that makes a frozen dataclass with slots, called so in formats."""
    return lambda kind: format_name(name)(dataclass(frozen=True, slots=True)(kind))
