"""Messages of every kind with every value that fits, for the properties that must always hold."""

from typing import Any

from hypothesis import strategies as st

from companion import wire

NUMBERS = {
    kind: st.integers(-(2 ** (int(kind[1:]) - 1)), 2 ** (int(kind[1:]) - 1) - 1)
    if kind[0] == "i"
    else st.integers(0, 2 ** int(kind[1:]) - 1)
    for kind in ("u8", "u16", "u32", "u64", "i8", "i16", "i32")
}
BYTES = {
    "address": st.binary(min_size=6, max_size=6),
    "hash": st.binary(min_size=8, max_size=8),
    "digest": st.binary(min_size=32, max_size=32),
    "rest": st.binary(max_size=210),
}
KINDS = NUMBERS | BYTES
KEY, OTHER_KEY = bytes(range(16)), bytes(range(1, 17))
NODE, OTHER_NODE = bytes.fromhex("a0764e112233"), bytes.fromhex("a0764e112234")

ON_THE_AIR = [name for name, number, _ in wire.MESSAGES if number < 192 and name != "RELAYED"]
ON_THE_LINE = [name for name, number, _ in wire.MESSAGES if number >= 128]
DECLARED = {
    name: [part.split(":") for part in fields.replace("+", "").split()]
    for name, _, fields in wire.MESSAGES
}


def fields_of(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return all the fields a message can have."""
    return st.fixed_dictionaries({field: KINDS[kind] for field, kind in DECLARED[name]})


def messages(names: list[str]) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """Return names, each with fields that fit it."""
    return st.sampled_from(names).flatmap(
        lambda name: fields_of(name).map(lambda fields: (name, fields))
    )


def counted(losses: dict[str, int]) -> dict[str, int]:
    """Return only what was counted at all."""
    return {reason: count for reason, count in losses.items() if count}
