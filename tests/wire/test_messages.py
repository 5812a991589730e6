"""The table of messages, and what hub and host say to each other with it."""

from hashlib import sha256
from struct import calcsize
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import wire
from companion.wire import FROM_HUB, MAX_PACKET, MESSAGES, NAMED, TO_HUB, Foreign, Line, Said, say
from tests.wire.strategies import (
    BYTES,
    DECLARED,
    KINDS,
    NODE,
    ON_THE_AIR,
    ON_THE_LINE,
    counted,
    messages,
)

EVENTS = ["LIFT", "SET", "TILT", "UPRIGHT", "FLIP", "STILL"]


def said_by(number: int, body: bytes) -> bytes:
    """Return a frame as another version might say it."""
    return wire.encode(b"\1" + bytes([number]) + (7).to_bytes(8, "little") + body)


def test_names_and_numbers_are_unique_and_say_the_way() -> None:
    assert len(NAMED) == len(wire.NUMBERED) == len(MESSAGES)
    assert all(0 < number < 256 for _, number, _ in MESSAGES)
    ways = {
        way: [name for name, number, _ in MESSAGES if number >> 6 == way]
        for way in (wire.UP, wire.DOWN, FROM_HUB, TO_HUB)
    }
    told = {"HELLO", "FEATURES", "HEARTBEAT", "RAW_HEAD", "RAW", "UPDATE"}
    assert {*EVENTS, *told} == {*ways[wire.UP]}
    updates = {"UPDATE_BEGIN", "UPDATE_PIECE", "UPDATE_DO"}
    assert {"ACK", "RAW_REQUEST", "BLINK", "HELLO_REQUEST", *updates} == {*ways[wire.DOWN]}
    assert {"BEACON", "HUB_HELLO", "HUB_STATUS", "RELAYED"} == {*ways[FROM_HUB]}
    assert {"RELAY", "HUB_HELLO_REQUEST", "HUB_CHANNEL"} == {*ways[TO_HUB]}


@pytest.mark.parametrize("name", list(DECLARED))
def test_every_field_has_a_kind_and_only_the_last_is_open_ended(name: str) -> None:
    kinds = [kind for _, kind in DECLARED[name]]
    assert set(kinds) <= set(KINDS)
    assert "rest" not in kinds[:-1]
    assert NAMED[name].tail == (kinds[-1:] == ["rest"])
    assert len({field for field, _ in DECLARED[name]}) == len(kinds)


@pytest.mark.parametrize("name", ON_THE_AIR)
def test_every_packet_goes_on_the_air(name: str) -> None:
    assert wire.PACKET_SIZE + NAMED[name].size + wire.TAG_SIZE <= MAX_PACKET


def test_sizes_are_what_the_formats_say() -> None:
    assert calcsize(wire.PACKET) == wire.PACKET_SIZE
    assert calcsize(wire.LINE) == wire.LINE_SIZE
    assert wire.SAMPLE.size * 26 + NAMED["RAW"].size <= 217 < wire.SAMPLE.size * 27 + 4


@pytest.mark.parametrize("name", EVENTS)
def test_every_event_has_a_number_and_a_time(name: str) -> None:
    assert DECLARED[name][:2] == [["event", "u16"], ["at_us", "u64"]]


def test_nothing_tells_the_number_on_a_label() -> None:
    words = {field for parts in DECLARED.values() for field, _ in parts}
    assert not {word for word in words if "label" in word or "barrel" in word or "number" in word}


def test_the_dictionary_hash_is_of_what_is_declared() -> None:
    text = "\n".join("{} {} {}".format(*row) for row in [*MESSAGES, wire.PART])
    assert sha256(text.encode()).digest()[:8] == wire.DICTIONARY_HASH


@given(messages(ON_THE_LINE), st.integers(0, 2**64 - 1))
def test_what_is_said_is_heard(message: tuple[str, dict[str, Any]], time_us: int) -> None:
    name, fields = message
    line = Line(NAMED[name].number >> 6)
    (said,) = line.hear(say(name, time_us, **fields))
    assert isinstance(said, Said)
    assert said[:-1] == (name, time_us)
    assert said.fields._asdict() == fields
    assert not counted(line.losses)


@given(st.sampled_from(sorted(DECLARED)).filter(lambda name: NAMED[name].limits), st.data())
def test_a_number_out_of_range_goes_as_the_nearest(name: str, data: st.DataObject) -> None:
    message = NAMED[name]
    limits = dict(message.limits)
    wanted = {field: data.draw(st.integers(-(2**70), 2**70)) for field in limits}
    others = {field: data.draw(KINDS[kind]) for field, kind in DECLARED[name] if kind in BYTES}
    losses = dict.fromkeys(wire.LOSSES, 0)
    heard = message.unpack(message.pack(wanted | others), losses)._asdict()
    for field, (least, greatest) in limits.items():
        assert heard[field] == sorted([least, wanted[field], greatest])[1]


def test_limits_are_those_of_the_kinds() -> None:
    limits = dict(NAMED["HEARTBEAT"].limits)
    assert limits["rssi"] == (-128, 127)
    assert limits["load_raw"] == (-(2**31), 2**31 - 1)
    assert limits["battery_mv"] == (0, 65_535)
    assert dict(NAMED["LIFT"].limits)["at_us"] == (0, 2**64 - 1)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({}, KeyError),
        ({"event": 1}, KeyError),
        ({"event": 1, "at_us": 1, "load_mg": 1}, KeyError),
        ({"event": 1, "at_us": 1, "load_mg": 1, "blind_ms": 0, "label": 7}, TypeError),
        ({"event": "1", "at_us": 1, "load_mg": 1, "blind_ms": 0}, TypeError),
        ({"event": 1.5, "at_us": 1, "load_mg": 1, "blind_ms": 0}, TypeError),
    ],
)
def test_fields_not_fitting_are_our_fault(fields: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        NAMED["LIFT"].pack(fields)


@pytest.mark.parametrize("time_us", [-1, 2**64])
def test_a_time_that_no_clock_shows_is_our_own_mistake(time_us: int) -> None:
    with pytest.raises(ValueError, match=str(time_us)):
        say("HUB_HELLO_REQUEST", time_us)


def test_a_time_or_an_address_of_another_type_is_our_own_mistake() -> None:
    with pytest.raises(TypeError, match="half past"):
        say("BEACON", 0, hub="half past", channel=1)
    with pytest.raises(TypeError, match=r"5\.5"):
        say("HUB_HELLO_REQUEST", 5.5)  # type: ignore[arg-type]


GROWN = {
    "LIFT": ["blind_ms"],
    "SET": ["blind_ms"],
    "FLIP": ["swing_mg"],
    "STILL": ["blind_ms", "zero_doubt_mg", "foot_mg"],
    "RAW_HEAD": ["grain_permille"],
    "HEARTBEAT": ["power"],
}


@pytest.mark.parametrize("name", GROWN)
def test_what_a_message_did_not_say_before_it_grew_is_read_as_nothing(name: str) -> None:
    message, losses = NAMED[name], dict.fromkeys(wire.LOSSES, 0)
    older = message.pack(dict.fromkeys(message.named._fields, 77))[: message.least]
    fields = message.unpack(older, losses)._asdict()
    assert [fields.pop(grown) for grown in GROWN[name]] == [0] * len(GROWN[name])
    assert set(fields.values()) == {77}
    assert not counted(losses)
    assert message.unpack(older[:-1], losses) is None
    assert counted(losses) == {"short": 1}


def test_a_message_that_grew_twice_is_read_as_far_as_it_had_grown() -> None:
    still, losses = NAMED["STILL"], dict.fromkeys(wire.LOSSES, 0)
    said = still.pack(dict.fromkeys(still.named._fields, 77))
    fields = still.unpack(said[:-4], losses)  # as it was when it had blind_ms and no more
    assert (fields.blind_ms, fields.zero_doubt_mg, fields.foot_mg) == (77, 0, 0)
    assert still.unpack(said[:-2], losses).zero_doubt_mg == 0  # they came together


def test_what_was_there_from_the_beginning_must_be_there() -> None:
    grown = {name for name, message in NAMED.items() if message.least < message.size}
    assert grown == set(GROWN)


def test_the_hub_does_not_listen_to_itself() -> None:
    for way, name in ((TO_HUB, "HUB_HELLO"), (FROM_HUB, "HUB_HELLO_REQUEST")):
        line = Line(way)
        fields: dict[str, Any] = {"hub": NODE, "boot": 1, "firmware": 1, "dictionary": bytes(8)}
        assert line.hear(say(name, 7, **(fields if name == "HUB_HELLO" else {}))) == []
        assert counted(line.losses) == {"wrong_way": 1}


@pytest.mark.parametrize(
    ("frame", "heard", "reason"),
    [
        (wire.encode(b"\2"), [Foreign(2, b"")], "foreign"),
        (wire.encode(b"\1\x80"), [], "too_short"),
        (said_by(191, b""), [], "unknown"),
        (said_by(3, b""), [], "wrong_way"),
        (said_by(128, b"short"), [], "short"),
        (said_by(128, NODE + b"\6 and more"), [Said("BEACON", 7, (NODE, 6))], "longer"),
        (said_by(131, b""), [], "short"),
        (said_by(131, b"\xc3"), [Said("RELAYED", 7, (-61, b""))], ""),
    ],
)
def test_what_another_version_says(frame: bytes, heard: list[Said | Foreign], reason: str) -> None:
    line = Line(FROM_HUB)
    assert line.hear(frame) == heard
    assert counted(line.losses) == ({reason: 1} if reason else {})


@given(st.binary(max_size=600))
def test_garbage_is_never_a_message(garbage: bytes) -> None:
    line = Line(FROM_HUB)
    assert line.hear(garbage + b"\0") == []
    assert sum(line.losses.values()) == len([piece for piece in garbage.split(b"\0") if piece])


def test_samples_go_and_come_back() -> None:
    losses = dict.fromkeys(wire.LOSSES, 0)
    sample = {"tilt_cdeg": 7_412, "deviation_permille": 85, "load_mg": -3}
    assert wire.SAMPLE.unpack(wire.SAMPLE.pack(sample), losses)._asdict() == sample
