"""What a stopper kept of a time becomes a chart, also if parts of it are lost or come twice."""

import struct
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion import wire
from companion.sensing import evidence
from companion.sensing.evidence import Window
from companion.sensing.observations import MeasuredTime, StopperMessage

AHEAD_US = 7_000_000


def felt(name: str, own_us: int = 0, **fields: Any) -> StopperMessage:
    return StopperMessage(
        3, name, MeasuredTime(own_us + AHEAD_US, 0), own_us + AHEAD_US, 1, 0, fields
    )


def tilt() -> Window:
    return evidence.window_at(felt("TILT", 500_000, at_us=500_000), believed=True)


def rows(count: int, first: int = 0) -> bytes:
    found = [(100 * row, row, 30_000 if row % 2 else 0) for row in range(first, first + count)]
    return b"".join(struct.pack(wire.SAMPLE.format, *row) for row in found)


HEAD = felt("RAW_HEAD", request=4, start_us=200_000, step_us=20_000, samples=60, chunks=3)
CHUNKS = [felt("RAW", request=4, chunk=chunk, samples=rows(26, 26 * chunk)) for chunk in range(3)]


def test_samples_have_their_time_on_the_hosts_clock() -> None:
    window = evidence.with_samples(evidence.with_samples(tilt(), HEAD), CHUNKS[1])
    chart = evidence.chart(sorted(window.points.values(), key=lambda one: one.at_us), window)
    assert len(chart) == 26
    assert chart[0].at_us == 200_000 + 26 * 20_000 + AHEAD_US
    assert (chart[0].tilt_deg, chart[0].deviation_g, chart[0].stands) == (26.0, 0.026, False)
    assert chart[1].stands is True


def test_a_chunk_without_its_head_is_nothing() -> None:
    assert evidence.with_samples(tilt(), CHUNKS[0]) == tilt()


def test_a_torn_sample_at_the_end_is_left_out() -> None:
    torn = felt("RAW", request=4, chunk=0, samples=rows(2) + b"\x01\x02\x03")
    assert len(evidence.with_samples(evidence.with_samples(tilt(), HEAD), torn).points) == 2


@given(st.lists(st.sampled_from(CHUNKS), max_size=8))
def test_what_comes_twice_or_in_disorder_is_the_same(chunks: list[StopperMessage]) -> None:
    window = evidence.with_samples(tilt(), HEAD)
    for chunk in chunks:
        window = evidence.with_samples(window, chunk)
    distinct = {chunk.fields["chunk"] for chunk in chunks}
    assert len(window.points) == 26 * len(distinct)
    assert all(at == point.at_us for at, point in window.points.items())


def test_a_load_cell_that_is_broken_says_nothing_about_standing() -> None:
    faulty = felt("HEARTBEAT", faults=1 << wire.FAULTS.index("load-stuck"))
    faults = evidence.with_faults({}, faulty)
    weighs = evidence.believed(faults, 3, evidence.LOAD_FAULTS)
    assert not weighs
    assert evidence.believed(faults, 3, evidence.MOTION_FAULTS)
    window = evidence.window_at(felt("TILT", at_us=0), believed=weighs)
    window = evidence.with_samples(evidence.with_samples(window, HEAD), CHUNKS[0])
    assert {point.stands for point in window.points.values()} == {None}
    well = evidence.with_faults(faults, felt("HEARTBEAT", faults=0))
    assert evidence.believed(well, 3, evidence.LOAD_FAULTS)
