"""The bench of latency measures what it says; its two processes understand each other."""

import json
import multiprocessing
import sys
from pathlib import Path

import pytest

from research.bench import _placings, latency
from research.bench._latency_guests import Far
from research.bench._latency_host import Shown
from research.bench._placings import Waited, waited

DEMANDED = (
    "lights_p99_ms",
    "placed_p50_ms",
    "placed_p99_ms",
    "world",
    "snapshot_p99_ms",
    "idle_cpu_percent",
    "rss_mb",
    "start_s",
)


@pytest.mark.slow
def test_the_last_line_is_one_json_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Without a round, nothing is shown yet; what the process holds can be told all the same."""
    monkeypatch.setattr(latency, "CALM_S", 0.0)
    monkeypatch.setattr(latency, "READY_S", 0.5)
    monkeypatch.setattr(latency, "STARTS", 1)
    few = ["--rounds", "0", "--seconds", "1", "--idle", "2", "--no-memory", "--placings", "0"]
    monkeypatch.setattr(sys, "argv", ["latency", "--json", *few, "--folder", str(tmp_path)])
    latency.main()
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found.keys() >= {*DEMANDED}
    assert 10 < found["rss_mb"] < 200
    assert 0 < found["start_s"] < 60
    assert found["idle_cpu_percent"] > 0


def test_a_burst_at_a_pad_reaches_the_table_once_with_its_time() -> None:
    line, theirs = multiprocessing.Pipe()
    pins = Far(line, lambda: 1_000_263)
    pins.close(4)
    pins.open(4)
    line.close()
    assert theirs.recv() == ("burst", 4, 1_000_263)
    with pytest.raises(EOFError):
        theirs.recv()


def test_a_frame_counts_from_the_line_and_what_is_waited_for_from_the_end_of_the_wait() -> None:
    sent = {b"flip": ("FLIP", 1_000_000), b"calm": ("FEATURES", 2_000_000)}
    shown = [
        Shown("frame", b"flip", None, 1_004_000, True, None, 1_009_000),
        Shown("frame", b"never on the line", None, 1_500_000, True),
        Shown("pad", b"", 3_000_000, 3_002_000, True, 2_900_000),
    ]
    heard = [(b"flip", 1_003_000), (b"calm", 2_001_000), (b"calm", 2_900_000)]
    found = latency.latencies(shown, sent, heard)
    assert (found["snapshot_p99_ms"], found["snapshot_count"]) == (4.0, 1)
    assert (found["lights_p99_ms"], found["switch_p99_ms"], found["placed_live_p50_ms"]) == (
        9,
        2,
        102,
    )
    assert (found["judged_max_ms"], found["event_judged_max_ms"]) == (3.0, 3.0), "a copy counts not"


@pytest.mark.slow
def test_a_placing_counts_from_when_the_barrel_stood_until_it_is_known_whose_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_placings, "ROUNDS", 1)
    placings = waited(2, "kind")
    known = [one.wait_us for one in placings if one.wait_us is not None]
    assert len(placings) == 8
    assert 4 <= len(known) <= len(placings)
    assert all(20_000 < wait_us < 5_000_000 for wait_us in known)


def test_placings_close_to_another_are_told_apart_from_those_that_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    placings = [
        Waited(230_000, 900_000),
        Waited(5_000_000, 200_000),
        Waited(None, 149_000),
        Waited(None, 40_000),
    ]
    monkeypatch.setattr(latency, "waited", lambda _seeds, _world: placings)
    found = latency.measure_placings(1, None)
    assert (found["placed_known"], found["placed_of"]) == (0.5, 4)
    assert (found["placed_apart_known"], found["placed_apart_of"]) == (1.0, 2)
    assert found["placed_later"] == 1
