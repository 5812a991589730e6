"""The names of topics, built and read.

>>> topic("attic-2", Kind.STATE)
'rappelwacht/1/attic-2/state'
>>> read("rappelwacht/1/attic-2/state")
Place(table='attic-2', kind=<Kind.STATE: 'state'>)
>>> of_all(Kind.STATE)
'rappelwacht/1/+/state'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from companion.config import TABLE_NAME

ROOT: Final = "rappelwacht/1"
NAMED: Final = re.compile(TABLE_NAME)


class Kind(Enum):
    """The kinds of topics below a table's name."""

    ONLINE = "online"
    STATE = "state"
    EVENTS = "events"
    HAVE = "have"
    COMMAND = "command"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Place:
    """What a topic says: which table, and which kind."""

    table: str
    kind: Kind


def is_name(text: str) -> bool:
    """Tell whether a table can have this name: what is allowed in a topic, a file and an account.

    >>> is_name("attic-2"), is_name("Attic"), is_name("+"), is_name("a/b"), is_name("")
    (True, False, False, False, False)
    """
    return NAMED.fullmatch(text) is not None


def topic(table: str, kind: Kind) -> str:
    """Return the topic of a table."""
    if not is_name(table):
        raise ValueError(f"{table!r} cannot be the name of a table")
    return f"{ROOT}/{table}/{kind.value}"


@lru_cache(4_096)  # the same ones come again and again
def read(text: str) -> Place | None:
    """Return what a topic says; None: it is not one of ours."""
    root, _, rest = text.partition(f"{ROOT}/")
    table, _, kind = rest.partition("/")
    if root or not is_name(table) or kind not in {one.value for one in Kind}:
        return None
    return Place(table, Kind(kind))


def of_all(kind: Kind) -> str:
    """Return the filter that finds this kind for every table."""
    return f"{ROOT}/+/{kind.value}"
