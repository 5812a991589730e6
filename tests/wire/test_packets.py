"""Packets on the air: sealed, and let in once, in order, by whoever has the key."""

from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import wire
from companion.wire import (
    DOWN,
    FROM_HUB,
    MAX_PACKET,
    MORE,
    NAMED,
    RESENT,
    UP,
    Foreign,
    Frame,
    Gate,
    Seal,
)
from tests.wire.strategies import KEY, NODE, ON_THE_AIR, OTHER_KEY, OTHER_NODE, counted, messages

LIFT: dict[str, Any] = {"event": 5, "at_us": 61_234_567, "load_mg": 25_810, "blind_ms": 9}


def lift(boot: int = 3, seq: int = 17) -> bytes:
    return Seal(KEY, NODE, boot, seq - 1).packet("LIFT", 61_240_000, **LIFT)


def sealed(number: int, body: bytes, key: bytes = KEY) -> bytes:
    """Return a packet as another version might make it, laid out here by hand."""
    head = b"\1" + bytes([number]) + NODE + b"\0" + (3).to_bytes(4, "little")
    head += (17).to_bytes(4, "little") + (61_240_000).to_bytes(8, "little")
    return head + body + sha256(key + head + body).digest()[:8]


def test_a_packet_is_laid_out_as_the_theory_says() -> None:
    body = (5).to_bytes(2, "little") + (61_234_567).to_bytes(8, "little")
    body += (25_810).to_bytes(4, "little") + (9).to_bytes(4, "little")
    assert lift() == sealed(2, body)


@given(
    messages(ON_THE_AIR),
    st.integers(0, 255),
    st.integers(1, 2**32 - 1),
    st.integers(1, 2**32 - 1),
    st.integers(0, 2**64 - 1),
)
def test_what_is_sealed_comes_out_of_the_gate(
    message: tuple[str, dict[str, Any]], flags: int, boot: int, seq: int, time_us: int
) -> None:
    name, fields = message
    flags &= ~MORE if "event" in fields else 255
    packet = Seal(KEY, NODE, boot, seq - 1).packet(name, time_us, flags, **fields)
    way = NAMED[name].number >> 6
    gate = Gate(KEY, NODE, way, *((boot, seq - 1) if way == DOWN else ()))
    frame = gate.open(packet)
    assert isinstance(frame, Frame)
    assert frame[:-1] == (name, NODE, flags, boot, seq, time_us)
    assert frame.fields._asdict() == fields
    assert (gate.boot, gate.seq) == (boot, seq)
    assert len(packet) <= MAX_PACKET
    assert not counted(gate.losses)


def test_a_seal_counts_its_packets_from_one() -> None:
    seal = Seal(KEY, NODE, 1)
    gate = Gate(KEY, NODE, UP)
    for seq in range(1, 5):
        frame = gate.open(seal.packet("LIFT", seq, **LIFT))
        assert isinstance(frame, Frame)
        assert frame.seq == seal.seq == seq
    assert not counted(gate.losses)


@pytest.mark.parametrize(
    ("boot", "seq", "time_us", "flags"),
    [
        (1, 0, -1, 0),
        (1, 0, 2**64, 0),
        (1, 0, 0, 256),
        (1, 0, 0, -1),
        (1, 2**32 - 1, 0, 0),  # its next would be 2**32
        (-1, 0, 0, 0),
        (2**32, 0, 0, 0),
        (1, -1, 0, 0),
    ],
)
def test_a_head_not_fitting_is_our_mistake(boot: int, seq: int, time_us: int, flags: int) -> None:
    with pytest.raises(ValueError, match=r"range|32 bits"):
        Seal(KEY, NODE, boot, seq).packet("FLIP", time_us, flags, event=1, at_us=1, tilt_cdeg=1)


def test_a_packet_that_was_not_made_takes_no_number() -> None:
    seal, gate = Seal(KEY, NODE, 1), Gate(KEY, NODE, UP)
    with pytest.raises(ValueError, match="-5"):
        seal.packet("LIFT", -5, **LIFT)
    assert isinstance(gate.open(seal.packet("LIFT", 5, **LIFT)), Frame)
    assert gate.losses["missed"] == 0


def test_an_event_sent_again_is_the_same_event_in_a_new_packet() -> None:
    seal, gate = Seal(KEY, NODE, 1), Gate(KEY, NODE, UP)
    tries = [gate.open(seal.packet("LIFT", 9, flags, **LIFT)) for flags in (0, 1, 1)]
    heard = [(frame.fields.event, frame.seq) for frame in tries if isinstance(frame, Frame)]
    assert heard == [(5, 1), (5, 2), (5, 3)]


def test_an_event_is_read_without_what_else_its_packet_carries() -> None:
    packet = Seal(KEY, NODE, 3, 16).packet("LIFT", 61_240_000, RESENT, b"more", **LIFT)
    gate = Gate(KEY, NODE, UP)
    frame = gate.open(packet)
    assert isinstance(frame, Frame)
    assert (frame.flags, frame.fields._asdict()) == (RESENT | MORE, LIFT)
    assert not counted(gate.losses)
    body = packet[wire.PACKET_SIZE : -wire.TAG_SIZE]
    assert body[-5:] == b"more\4"
    assert NAMED["LIFT"].unpack(body, gate.losses) == frame.fields  # by who knows of no more
    assert counted(gate.losses) == {"longer": 1}


@settings(max_examples=200)
@given(st.binary(max_size=80))
def test_what_carries_more_events_badly_is_refused_or_read_and_never_an_error(body: bytes) -> None:
    head = b"\1\2" + NODE + bytes((MORE,)) + b"\1" + bytes(3) + b"\1" + bytes(3) + bytes(8)
    gate = Gate(KEY, NODE, UP)
    frame = gate.open(head + body + sha256(KEY + head + body).digest()[:8])
    assert isinstance(frame, Frame) or "short" in counted(gate.losses)


@settings(max_examples=30)
@given(messages(ON_THE_AIR))
def test_no_bit_can_be_altered(message: tuple[str, dict[str, Any]]) -> None:
    name, fields = message
    way = NAMED[name].number >> 6
    packet = Seal(KEY, NODE, 3).packet(name, 5, **fields)
    for bit in range(8 * len(packet)):
        forged = bytearray(packet)
        forged[bit // 8] ^= 1 << bit % 8
        gate = Gate(KEY, NODE, way, boot=3)
        taken = gate.open(bytes(forged))
        reason = "foreign" if bit < 8 else "misaddressed" if 16 <= bit < 64 else "forged"
        assert taken == (Foreign(forged[0], NODE) if reason == "foreign" else None)
        assert counted(gate.losses) == {reason: 1}
        assert isinstance(gate.open(packet), Frame)  # and the true one is still let in


def test_a_packet_cut_off_anywhere_is_refused() -> None:
    packet = lift()
    for size in range(len(packet)):
        gate = Gate(KEY, NODE, UP)
        assert gate.open(packet[:size]) is None
        reason = "misaddressed" if size < 8 else "too_short" if size < 33 else "forged"
        assert counted(gate.losses) == {reason: 1}


@given(st.binary(max_size=300))
def test_garbage_is_refused(garbage: bytes) -> None:
    for packet in (garbage, b"\1\2" + NODE + garbage):
        gate = Gate(KEY, NODE, UP)
        assert gate.open(packet) is None
        assert sum(gate.losses.values()) == 1
        assert (gate.boot, gate.seq) == (0, 0)


def test_without_the_key_nothing_is_let_in() -> None:
    gate = Gate(OTHER_KEY, NODE, UP)
    assert gate.open(lift()) is None
    assert counted(gate.losses) == {"forged": 1}


def test_another_nodes_packet_is_not_for_this_gate() -> None:
    gate = Gate(KEY, OTHER_NODE, UP)
    assert gate.open(lift()) is None
    assert counted(gate.losses) == {"misaddressed": 1}
    assert wire.node_of(lift()) == NODE


def test_what_the_host_says_cannot_be_played_back_to_it_nor_an_event_to_its_stopper() -> None:
    seal = Seal(KEY, NODE, 3)
    for way, packet in ((UP, seal.packet("ACK", 1, event=5)), (DOWN, lift())):
        gate = Gate(KEY, NODE, way)
        assert gate.open(packet) is None
        assert counted(gate.losses) == {"wrong_way": 1}
        assert (gate.boot, gate.seq) == (0, 0)


@pytest.mark.parametrize(
    ("order", "taken", "losses"),
    [
        ([1, 2, 3], [1, 2, 3], {}),
        ([1, 1, 1, 2], [1, 2], {"duplicated": 2}),
        ([1, 3, 2], [1, 3], {"reordered": 1, "missed": 1}),
        ([1, 3, 2, 2], [1, 3], {"reordered": 1, "replayed": 1, "missed": 1}),
        ([1, 2, 3, 1, 2], [1, 2, 3], {"replayed": 2}),
        ([1, 17, 2, 1], [1, 17], {"reordered": 1, "replayed": 1, "missed": 15}),
        ([1, 16, 1], [1, 16], {"replayed": 1, "missed": 14}),
        ([1, 18, 3, 2], [1, 18], {"reordered": 1, "replayed": 1, "missed": 16}),
        ([1, 1000], [1, 1000], {"missed": 998}),
    ],
)
def test_seq_rises(order: list[int], taken: list[int], losses: dict[str, int]) -> None:
    gate = Gate(KEY, NODE, UP)
    frames = [gate.open(lift(seq=seq)) for seq in order]
    assert [frame.seq for frame in frames if isinstance(frame, Frame)] == taken
    assert counted(gate.losses) == losses


def test_a_new_boot_starts_over_and_the_old_one_is_over() -> None:
    gate = Gate(KEY, NODE, UP)
    order = [(1, 5), (2, 1), (1, 6), (2, 1), (2, 2), (9, 4), (2, 3)]
    frames = [gate.open(lift(boot, seq)) for boot, seq in order]
    heard = [(frame.boot, frame.seq) for frame in frames if isinstance(frame, Frame)]
    assert heard == [(1, 5), (2, 1), (2, 2), (9, 4)]
    assert counted(gate.losses) == {"stale": 2, "duplicated": 1}


def test_in_a_new_boot_nothing_was_seen_yet() -> None:
    gate = Gate(KEY, NODE, UP)
    for boot, seq in ((1, 5), (2, 5), (2, 4), (2, 4)):
        gate.open(lift(boot, seq))
    assert counted(gate.losses) == {"reordered": 1, "replayed": 1}


def test_after_a_restart_of_the_host_nothing_older_gets_in() -> None:
    gate = Gate(KEY, NODE, UP, boot=3, seq=17)
    for seq in (17, 16, 3):
        assert gate.open(lift(seq=seq)) is None
    assert isinstance(gate.open(lift(seq=18)), Frame)
    assert gate.open(lift(seq=17)) is None
    assert counted(gate.losses) == {"duplicated": 1, "replayed": 3}


def test_a_recording_from_a_former_boot_commands_nothing() -> None:
    recorded = [Seal(KEY, NODE, 3, seq).packet("BLINK", 1, blink_ms=500) for seq in range(9)]
    rebooted = Gate(KEY, NODE, DOWN, boot=4)
    assert [rebooted.open(packet) for packet in recorded] == [None] * 9
    assert counted(rebooted.losses) == {"stale": 9}
    assert isinstance(rebooted.open(Seal(KEY, NODE, 4).packet("BLINK", 2, blink_ms=500)), Frame)


def test_no_command_takes_a_stopper_into_a_boot_that_is_not_its_own() -> None:
    """Or all that the host says afterwards would be stale until it is switched off."""
    gate = Gate(KEY, NODE, DOWN, boot=4)
    for boot in (5, 2**31, 2**32 - 1):
        assert gate.open(Seal(KEY, NODE, boot).packet("BLINK", 1, blink_ms=500)) is None
    assert counted(gate.losses) == {"stale": 3}
    assert isinstance(gate.open(Seal(KEY, NODE, 4).packet("BLINK", 2, blink_ms=500)), Frame)


@given(st.lists(st.tuples(st.integers(1, 3), st.integers(1, 40)), max_size=60))
def test_nothing_is_let_in_twice_nor_out_of_order(order: list[tuple[int, int]]) -> None:
    gate = Gate(KEY, NODE, UP)
    frames = [gate.open(lift(boot, seq)) for boot, seq in order]
    heard = [(frame.boot, frame.seq) for frame in frames if isinstance(frame, Frame)]
    assert heard == sorted(set(heard))
    refused = sum(gate.losses.values()) - gate.losses["missed"]
    assert len(heard) + refused == len(order)


def test_another_version_is_named_with_its_node_and_the_rest_plays_on() -> None:
    gate = Gate(KEY, NODE, UP)
    assert gate.open(b"\2\xee" + NODE) == Foreign(2, NODE)
    assert gate.open(b"\0" + lift()[1:]) == Foreign(0, NODE)
    assert isinstance(gate.open(lift()), Frame)
    assert counted(gate.losses) == {"foreign": 2}


@pytest.mark.parametrize(
    ("number", "body", "reason", "taken"),
    [
        (63, b"", "unknown", False),
        (2, bytes(13), "short", False),
        (2, b"", "short", False),
        (2, bytes(14), "", True),  # before it grew
        (2, bytes(14) + b"\7\7", "", True),  # half a field is none
        (2, bytes(18), "", True),
        (2, bytes(19), "longer", True),
        (2, bytes(217), "longer", True),
    ],
)
def test_a_message_of_another_minor(number: int, body: bytes, reason: str, *, taken: bool) -> None:
    gate = Gate(KEY, NODE, UP)
    frame = gate.open(sealed(number, body))
    assert isinstance(frame, Frame) == taken
    assert counted(gate.losses) == ({reason: 1} if reason else {})
    assert (gate.boot, gate.seq) == (3, 17)  # it was genuine, so it counts as heard
    assert frame is None or frame[-1] == (0, 0, 0, 0)


def test_a_beacon_is_heard_by_everybody_and_trusted_by_nobody() -> None:
    packet = Seal(wire.OPEN_KEY, NODE, 1).packet("BEACON", 5, hub=NODE, channel=6)
    frame = Gate(wire.OPEN_KEY, wire.node_of(packet), FROM_HUB).open(packet)
    assert isinstance(frame, Frame)
    assert frame.fields == (NODE, 6)
    assert Gate(KEY, NODE, FROM_HUB).open(packet) is None


@pytest.mark.parametrize(("key", "node"), [(b"short", NODE), (KEY, b"short"), (KEY * 2, NODE)])
def test_a_key_or_node_of_the_wrong_size_is_our_own_mistake(key: bytes, node: bytes) -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        Seal(key, node, 1)


def test_the_largest_evidence_fits_and_one_byte_more_does_not() -> None:
    seal = Seal(KEY, NODE, 1)
    assert len(seal.packet("RAW", 0, request=1, chunk=0, samples=bytes(213))) == MAX_PACKET
    with pytest.raises(ValueError, match="RAW does not fit into a packet"):
        seal.packet("RAW", 0, request=1, chunk=0, samples=bytes(214))


def test_a_key_is_not_told() -> None:
    for keeper in (Seal(KEY, NODE, 1), Gate(KEY, NODE, UP)):
        assert KEY.hex() not in repr(keeper)
        assert repr(KEY) not in repr(keeper)
