"""Patience and evidence by themselves: what a latch waits for, and what a window still has."""

import struct
from typing import Any

import pytest

from companion import wire
from hardware.emulated.source import load

STEP_MS = 20


def filled(samples: int, from_ms: int = 1000) -> Any:
    """Return a window in which each sample's tilt is its number."""
    window = load("stopper.window").Window()
    for number in range(samples):
        window.put(from_ms + STEP_MS * number, number, 0, 0, -number)
    return window


def asked(window: Any, start_ms: int, length_ms: int) -> tuple[dict[str, int], list[int]]:
    """Return what it says that it sends, and the samples."""
    head = window.ask(9, start_ms, length_ms)
    tilts: list[int] = []
    while window.sending:
        chunk = window.chunk()
        tilts += [one[0] for one in struct.iter_unpack(wire.SAMPLE.format, chunk["samples"])]
    return head, tilts


@pytest.mark.parametrize(
    ("start_ms", "length_ms", "first", "count"),
    [
        (1000, 100, 0, 5),
        (1200, 400, 10, 20),
        (0, 100, 0, 0),  # before the first
        (900, 200, 0, 5),  # half of it
        (2900, 1000, 95, 5),  # not all of it is there yet
        (5000, 100, 100, 0),  # in the future
    ],
)
def test_a_window_sends_what_is_left_of_a_time(
    start_ms: int, length_ms: int, first: int, count: int
) -> None:
    head, tilts = asked(filled(100), start_ms, length_ms)
    assert tilts == list(range(first, first + count))
    assert head["samples"] == count
    assert head["start_us"] == 1000 * (1000 + STEP_MS * first)


def test_what_is_soon_written_over_is_not_sent() -> None:
    source = load("stopper.window")
    head, tilts = asked(filled(600), 0, 60_000)
    assert tilts == list(range(600 - source.ASKABLE, 600))
    assert head["chunks"] == -(-source.ASKABLE // source.PER_CHUNK)


def test_after_a_gap_a_window_starts_over() -> None:
    window = filled(50)
    window.put(9000, 777, 0, 0, 0)
    head, tilts = asked(window, 0, 60_000)
    assert (tilts, head["start_us"]) == ([777], 9_000_000)


def test_deviation_and_pace_share_two_bytes() -> None:
    source = load("stopper.window")
    window = source.Window()
    window.put(1000, 9000, 170, 330, 5)
    window.put(1020, 9000, 60_000, 60_000, 5)
    head = window.ask(1, 1000, 40)
    (_, first, _), (_, most, _) = struct.iter_unpack(wire.SAMPLE.format, window.chunk()["samples"])
    grain = head["grain_permille"]
    assert (grain * (first & 255), grain * (first >> 8)) == (168, 328)
    assert most == 0xFFFF


def test_samples_that_come_a_little_late_keep_the_pace() -> None:
    window = load("stopper.window").Window()
    for number in range(50):  # every 12 ms one is offered, every 20 ms one is due
        window.put(1000 + 12 * number, number, 0, 0, 0)
    head, tilts = asked(window, 0, 60_000)
    assert len(tilts) == pytest.approx(12 * 50 / STEP_MS, abs=1)
    assert head["start_us"] == 1_000_000


def test_a_latch_waits_and_dates_from_the_beginning() -> None:
    latch = load("stopper.latch").Latch(60, 30)
    fed = [latch.feed(True, at_ms) for at_ms in (100, 130, 159, 160)]
    assert fed == [False, False, False, True]
    assert (latch.on, latch.since_ms) == (True, 100)
    assert [latch.feed(False, at_ms) for at_ms in (200, 229, 230)] == [False, False, True]
    assert (latch.on, latch.since_ms) == (False, 200)


def test_what_does_not_last_starts_over() -> None:
    latch = load("stopper.latch").Latch(60, 60)
    latch.feed(True, 100)
    latch.feed(False, 150)
    assert not latch.feed(True, 170)
    assert not latch.feed(True, 220)
    assert latch.feed(True, 230)
    assert latch.since_ms == 170


def test_a_doubt_that_is_given_up_starts_over_and_a_latch_can_be_dropped() -> None:
    latch = load("stopper.latch").Latch(60, 60)
    latch.feed(True, 100)
    assert (latch.doubt(), latch.doubt()) == (100, -1)
    assert not latch.feed(True, 200)
    assert latch.feed(True, 260)
    latch.feed(False, 300)
    latch.drop(310)
    assert (latch.on, latch.since_ms, latch.doubt()) == (False, 310, -1)
