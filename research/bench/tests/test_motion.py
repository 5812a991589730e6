"""The bench of motion measures what it says, with one phone that looks once."""

import json
import sys

import pytest

from research.bench import motion

DEMANDED = ("sample_to_foul_p50_ms", "sample_to_foul_p99_ms", "bytes_per_s", "cpu_percent")


def test_the_last_line_is_one_json_object_of_a_look_that_was_caught(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--looks", "1", "--phones", "1", "--world", "kind"]
    monkeypatch.setattr(sys, "argv", ["motion", "--json", *few])
    motion.main()
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found.keys() >= {*DEMANDED}
    assert (found["looks"], found["caught"]) == (1, 1)
    assert 0 < found["sample_to_foul_p50_ms"] <= found["sample_to_foul_p99_ms"] < 3000
    assert found["bytes_per_s"] > 1000
