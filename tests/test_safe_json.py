"""Whatever the bytes are: JSON is read as plain values within the limits, or refused as BadJson."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.system.safe_json import (
    LIMITS,
    SAFE,
    BadJson,
    JsonFault,
    JsonLimits,
    is_deeper,
    load_json,
)

PLAIN = some.recursive(
    some.none()
    | some.booleans()
    | some.integers(-SAFE, SAFE)
    | some.floats(-1e12, 1e12)
    | some.text(some.characters(codec="utf-8"), max_size=8),
    lambda inner: some.lists(inner, max_size=4) | some.dictionaries(some.text("ab"), inner),
    max_leaves=12,
)
BAD = [
    (b"", JsonFault.WRONG),
    (b"\xef\xbb\xbf", JsonFault.WRONG),
    (b"\xff\xfe[\0]\0", JsonFault.WRONG),  # UTF-16 is not JSON that travels
    (b'"\xed\xa0\x80"', JsonFault.WRONG),  # half a character as bytes
    (b'["\\uD800"]', JsonFault.HALF),
    (b'{"\\udfff": 1}', JsonFault.HALF),
    (b'"\\ud83d\\ude00 \\ude00"', JsonFault.HALF),
    (b"NaN", JsonFault.WRONG),
    (b"[-Infinity]", JsonFault.WRONG),
    (b"[1e400]", JsonFault.NUMBER),
    (b"[-1e400]", JsonFault.NUMBER),
    (b"1" + 400 * b"0", JsonFault.NUMBER),
    (b'{"a": -' + 5_000 * b"7" + b"}", JsonFault.NUMBER),
    (str(SAFE + 1).encode(), JsonFault.NUMBER),
    (100_000 * b"[", JsonFault.DEEP),
    (100_000 * b'{"a":', JsonFault.DEEP),
    (5_000 * b"[" + 5_000 * b"]", JsonFault.DEEP),
    (25 * b"[" + 25 * b"]", JsonFault.DEEP),
    (25 * b'["]",' + 25 * b"0]", JsonFault.WRONG),
    (25 * b'["]",' + b"0" + 25 * b"]", JsonFault.DEEP),  # brackets in texts close nothing
    (25 * b'["\\"",' + b"0" + 25 * b"]", JsonFault.DEEP),
    (b"[" + (LIMITS.most_bytes - 1) * b" " + b"]", JsonFault.LARGE),
]


@pytest.mark.parametrize(("data", "fault"), BAD, ids=lambda part: str(part)[:20])
def test_what_cannot_be_read_is_refused_with_its_fault(data: bytes, fault: JsonFault) -> None:
    with pytest.raises(BadJson) as refused:
        load_json(data)
    assert refused.value.fault is fault


@given(PLAIN)
def test_what_is_within_the_limits_is_read_as_it_was_written(value: Any) -> None:
    for text in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        assert load_json(text.encode()) == load_json(b"\xef\xbb\xbf" + text.encode()) == value


def test_whole_characters_and_the_largest_numbers_are_within() -> None:
    largest = str(SAFE)
    assert load_json(f'["\\ud83d\\ude00", {largest}, -{largest}]'.encode()) == ["😀", SAFE, -SAFE]
    assert load_json(24 * b"[" + 24 * b"]")
    assert load_json(24 * b'["[\\"",' + b"0" + 24 * b"]")
    assert load_json(b"[" + 50 * b'"[{", ["]"], {"[": {}}, ' + b"0]")
    assert load_json(b'["\\\\ud800"]') == ["\\ud800"]


@given(
    some.binary(max_size=300)
    | some.text(max_size=300).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
def test_no_bytes_do_more_than_be_refused(data: bytes) -> None:
    limits = JsonLimits(most_bytes=250, deepest=2, twice=False)
    try:
        value = load_json(data, limits)
    except BadJson:
        return
    assert not is_deeper(value, 2)
    assert json.dumps(value, allow_nan=False, ensure_ascii=False).encode()


@given(some.text('[]{}":,0123456789.eE-+\\udDabfl aNn', max_size=60))
def test_nothing_that_looks_like_json_does_more_than_be_refused(text: str) -> None:
    try:
        value = load_json(text.encode())
    except BadJson:
        return
    assert json.loads(text) == value
