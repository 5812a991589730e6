"""Frames on the serial line: whole or counted, whatever arrives."""

import tracemalloc
from binascii import crc32

import pytest
from cobs import cobs
from hypothesis import example, given
from hypothesis import strategies as st

from companion.wire import MAX_CODED, MAX_PAYLOAD, Decoder, encode
from tests.wire.strategies import counted

PAYLOADS = st.one_of(
    st.binary(min_size=1, max_size=MAX_PAYLOAD),
    st.lists(st.sampled_from([b"\0", b"\1", b"\xff" * 126, b"\7" * 254]), min_size=1, max_size=6)
    .map(b"".join)
    .filter(lambda payload: len(payload) <= MAX_PAYLOAD),
)


def raw(coded: bytes) -> bytes:
    """Return a frame around bytes that need no CRC to be right."""
    return bytes(cobs.encode(coded)) + b"\0"


@given(PAYLOADS)
@example(b"\1" * MAX_PAYLOAD)
@example(b"\0" * MAX_PAYLOAD)
def test_a_frame_is_what_the_cobs_package_makes_of_payload_and_crc(payload: bytes) -> None:
    frame = encode(payload)
    assert frame == raw(payload + crc32(payload).to_bytes(4, "little"))
    assert frame.count(0) == 1
    assert len(frame) <= MAX_CODED + 1
    assert Decoder().feed(frame) == [payload]


@pytest.mark.parametrize("payload", [b"", bytes(MAX_PAYLOAD + 1)])
def test_what_does_not_fit_is_our_own_mistake(payload: bytes) -> None:
    with pytest.raises(ValueError, match="do not fit into a frame"):
        encode(payload)


@given(st.binary(min_size=1, max_size=MAX_CODED).map(lambda data: data.replace(b"\0", b"\1")))
def test_garbage_is_read_just_as_the_cobs_package_reads_it(coded: bytes) -> None:
    decoder = Decoder()
    taken = decoder.feed(coded + b"\0")
    try:
        whole = cobs.decode(coded)
    except cobs.DecodeError:
        assert counted(decoder.losses) == {"bad_cobs": 1}
        return
    reason = "too_short" if len(whole) < 5 else "bad_crc"
    if taken:
        assert encode(taken[0]) == raw(whole)
    else:
        assert counted(decoder.losses) == {reason: 1}


@given(st.lists(PAYLOADS, max_size=4), st.data())
def test_however_it_is_cut_the_same_comes_out(payloads: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(map(encode, payloads))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=9)))
    decoder = Decoder()
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert [payload for piece in pieces for payload in decoder.feed(piece)] == payloads
    decoder = Decoder()
    assert [p for at in range(len(stream)) for p in decoder.feed(stream[at : at + 1])] == payloads
    assert not counted(decoder.losses)


@given(st.binary(max_size=2000), PAYLOADS)
def test_after_any_garbage_the_next_delimiter_starts_over(garbage: bytes, payload: bytes) -> None:
    decoder = Decoder()
    decoder.feed(garbage + b"\0")
    before = dict(decoder.losses)
    assert decoder.feed(encode(payload)) == [payload]
    assert decoder.losses == before


@given(PAYLOADS, PAYLOADS)
def test_a_frame_cut_off_anywhere_is_lost_alone(cut: bytes, following: bytes) -> None:
    frame = encode(cut)
    for at in range(len(frame) - 1):
        decoder = Decoder()
        assert decoder.feed(frame[:at] + b"\0" + encode(following)) == [following]
        assert sum(decoder.losses.values()) == (1 if at else 0)


@given(PAYLOADS)
def test_one_flipped_bit_never_makes_another_frame(payload: bytes) -> None:
    frame = encode(payload)
    for bit in range(8 * len(frame)):
        spoilt = bytearray(frame)
        spoilt[bit // 8] ^= 1 << bit % 8
        assert Decoder().feed(bytes(spoilt) + b"\0") == []


@pytest.mark.parametrize("flood", [b"\1", b"\xff", b"rst:0x1 (POWERON)\r\n"])
def test_a_megabyte_without_delimiter_costs_no_memory(flood: bytes) -> None:
    decoder = Decoder()
    piece = (flood * 1024)[:1024]
    decoder.feed(piece)
    tracemalloc.start()
    for _ in range(1024):
        assert decoder.feed(piece) == []
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert max(kept, most) < 256 * 1024  # of a megabyte; other threads of a test run take some, too
    assert decoder.feed(b"\0" + encode(b"on")) == [b"on"]
    assert counted(decoder.losses) == {"too_long": 1}


def test_a_frame_may_be_as_long_as_the_longest_and_no_longer() -> None:
    longest = encode(b"\1" * MAX_PAYLOAD)
    assert len(longest) == MAX_CODED + 1
    decoder = Decoder()
    assert decoder.feed(b"\1" * (MAX_CODED + 1) + b"\0" + longest) == [b"\1" * MAX_PAYLOAD]
    assert counted(decoder.losses) == {"too_long": 1}


def test_delimiters_alone_are_no_loss() -> None:
    decoder = Decoder()
    assert decoder.feed(b"\0" * 1000) == []
    assert not counted(decoder.losses)


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (b"\2a", "too_short"),
        (raw(b"abcd")[:-1], "too_short"),
        (b"\xffabc", "bad_cobs"),
        (raw(b"abcde")[:-1], "bad_crc"),
        (b"a" * (MAX_CODED + 1), "too_long"),
        (b"a" * 100_000, "too_long"),
    ],
)
def test_each_way_to_get_lost_has_its_own_count(frame: bytes, reason: str) -> None:
    decoder = Decoder()
    for times in (1, 2, 3):
        assert decoder.feed(frame + b"\0") == []
        assert counted(decoder.losses) == {reason: times}
