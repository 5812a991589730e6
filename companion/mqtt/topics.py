"""The names of MQTT topics: built from a table's name, and parsed.

>>> topic("attic-2", TopicKind.STATE)
'rappelwacht/1/attic-2/state'
>>> read("rappelwacht/1/attic-2/state")
Topic(table='attic-2', kind=<TopicKind.STATE: 'state'>)
>>> of_all(TopicKind.STATE)
'rappelwacht/1/+/state'
"""

import re
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from companion.system.config import TABLE_NAME

ROOT: Final = "rappelwacht/1"
NAMED: Final = re.compile(TABLE_NAME)


class TopicKind(Enum):
    """The kinds of topics below a table's name."""

    ONLINE = "online"
    STATE = "state"
    EVENTS = "events"
    HAVE = "have"
    COMMAND = "command"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Topic:
    table: str
    kind: TopicKind


def is_name(text: str) -> bool:
    """Tell whether a table can have this name: what is allowed in a topic, a file and an account.

    >>> is_name("attic-2"), is_name("Attic"), is_name("+"), is_name("a/b"), is_name("")
    (True, False, False, False, False)
    """
    return NAMED.fullmatch(text) is not None


def topic(table: str, kind: TopicKind) -> str:
    if not is_name(table):
        raise ValueError(f"{table!r} cannot be the name of a table")
    return f"{ROOT}/{table}/{kind.value}"


@lru_cache(4_096)  # the same ones come again and again
def read(text: str) -> Topic | None:
    """Return what a topic says; None: it is not one of ours."""
    root, _, rest = text.partition(f"{ROOT}/")
    table, _, kind = rest.partition("/")
    if root or not is_name(table) or kind not in {topic_kind.value for topic_kind in TopicKind}:
        return None
    return Topic(table, TopicKind(kind))


def of_all(kind: TopicKind) -> str:
    """Return the filter that finds this kind for every table."""
    return f"{ROOT}/+/{kind.value}"


PROTOCOL: Final = "1.1"  # tables and halls say it since 1.1
NUMBERED: Final = re.compile(r"\d{1,6}(?:\.\d{1,6}){1,3}")


def fits(protocol: str) -> bool:
    """Tell whether another's protocol is understood here; the first version did not name itself."""
    return protocol.partition(".")[0] in {"", PROTOCOL.partition(".")[0]}


def is_older(program: str, other: str) -> bool | None:
    """Tell whether a version of the program comes before another one; None: nobody knows."""
    if not NUMBERED.fullmatch(program) or not NUMBERED.fullmatch(other) or program == other:
        return None
    first, second = ([int(number) for number in words.split(".")] for words in (program, other))
    return first < second
