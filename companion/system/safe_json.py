r"""Parses JSON from untrusted sources: plain values within limits, or BadJson.

Python's own reader takes what no other program can read, and raises more than one kind of error:
for brackets that are nested thousands deep, and for numbers of thousands of digits.

>>> load_json(b'{"seats": ["red", 7, 0.5, null]}')
{'seats': ['red', 7, 0.5, None]}
>>> load_json(5_000 * b"[" + 5_000 * b"]")
Traceback (most recent call last):
companion.system.safe_json.BadJson: it is nested too deeply
>>> load_json(b'["\\ud800"]')
Traceback (most recent call last):
companion.system.safe_json.BadJson: half a character (a lone surrogate) is in it
"""

import json
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Final

ALIKE: Final = bytes.maketrans(b"{}", b"[]")
PARTS: Final = (b",", b"[", b"{")  # there are no more values than these, and one
BESIDES: Final = bytes(set(range(256)) - set(b'[]{}"\\'))
SAFE: Final = 2**53  # the largest whole number that every language reads exactly
HALF: Final = re.compile(rb"\\u[dD][89a-fA-F]")  # no lone surrogate is in UTF-8 without this
DIGITS: Final = bytes.maketrans(b"123456789", 9 * b"0")
LONG: Final = 16 * b"0"  # no number with fewer digits is larger than those that are safe


class JsonFault(Enum):
    LARGE = "it is too large"
    WRONG = "it is not JSON"
    DEEP = "it is nested too deeply"
    NUMBER = "a number in it is too large"
    HALF = "half a character (a lone surrogate) is in it"
    TWICE = "a name occurs twice"


class BadJson(ValueError):
    """Why bytes cannot be read as JSON; nothing else is ever raised for them."""

    def __init__(self, fault: JsonFault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return self.fault.value


@dataclass(frozen=True, slots=True)
class JsonLimits:
    most_bytes: int = 1 << 20
    most_parts: int = 1 << 20  # values: each takes far more memory than its bytes
    deepest: int = 24  # levels of lists and objects
    largest: int = SAFE  # number, and its negative; not less than SAFE - 1
    twice: bool = True  # whether a name may occur twice in an object; the last one counts


LIMITS: Final = JsonLimits()


def load_json(
    data: bytes, limits: JsonLimits = LIMITS, number: Callable[[str], float] = float
) -> Any:
    """Return what JSON in UTF-8 says; `number` reads one with a point. BadJson: it cannot be read.

    >>> load_json(b'{"a": 1, "a": 2}'), load_json(b"[1.0]", number=lambda text: int(float(text)))
    ({'a': 2}, [1])
    """
    if len(data) > limits.most_bytes or sum(map(data.count, PARTS)) > limits.most_parts:
        raise BadJson(JsonFault.LARGE)
    long = LONG in data.translate(DIGITS)
    try:
        value = _decoder(limits.largest, limits.twice, long, number).decode(
            data.removeprefix(BOM_UTF8).decode()
        )
    except BadJson:
        raise
    except RecursionError:
        raise BadJson(JsonFault.DEEP) from None
    except ValueError:
        raise BadJson(JsonFault.WRONG) from None
    if data.count(b"[") + data.count(b"{") > limits.deepest and (
        _may_be_deeper(data, limits.deepest) and is_deeper(value, limits.deepest)
    ):
        raise BadJson(JsonFault.DEEP)
    if HALF.search(data):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise BadJson(JsonFault.HALF) from None
    return value


@lru_cache(32)
def _decoder(
    largest: int, twice: bool, long: bool, number: Callable[[str], float]
) -> json.JSONDecoder:
    """Return what decodes JSON within limits; without long numbers, none need be looked at."""

    def whole(text: str) -> int:
        if len(text) > 40 or abs(value := int(text)) > largest:
            raise BadJson(JsonFault.NUMBER)
        return value

    def fraction(text: str) -> float:
        if not abs(value := number(text)) <= largest:
            raise BadJson(JsonFault.NUMBER)
        return value

    return json.JSONDecoder(
        parse_int=whole if long else None,
        parse_float=fraction,
        parse_constant=_no_number,
        object_pairs_hook=None if twice else _once,
    )


def _may_be_deeper(data: bytes, deepest: int) -> bool:
    """Tell whether sound JSON is nested deeper, or nobody knows without looking at its values.

    Without backslashes each text without brackets is a pair of quotes here. Once these are gone,
    each round takes the innermost level away.
    """
    shape = data.translate(ALIKE, BESIDES).replace(b'""', b"")
    if b'"' in shape or b"\\" in shape:
        return True
    for _ in range(deepest):
        if not shape:
            break
        shape = shape.replace(b"[]", b"")
    return bool(shape)


def _no_number(_: str) -> float:
    raise BadJson(JsonFault.WRONG)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise BadJson(JsonFault.TWICE)
    return value


def is_deeper(value: object, deepest: int) -> bool:
    """Tell whether lists and objects are nested in more levels; the outermost is the first.

    >>> is_deeper([[1]], 1), is_deeper([[1]], 2), is_deeper(1, 0)
    (True, False, False)
    """
    level: list[Any] = [value]
    for _ in range(deepest):
        level = [inner for outer in level for inner in inside(outer)]
        if not level:
            return False
    return any(isinstance(part, dict | list) for part in level)


def inside(value: object) -> Iterable[Any]:
    """Return what is directly in a list or an object; nothing is in anything else."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
