"""The bench of the phones measures what it says, with a few phones and changes."""

import json
import sys

import pytest

from research.bench import _first_look, phones

DEMANDED = ("fanout_p99_ms", "streams_held", "dead_links_freed_s", "first_load_kb")


def test_the_last_line_is_one_json_object_of_what_few_phones_saw(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    few = ["--streams", "4", "--pollers", "3", "--changes", "3", "--pause", "0.1", "--links", "0"]
    monkeypatch.setattr(sys, "argv", ["phones", "--json", *few])
    monkeypatch.setattr(_first_look, "FOUND", None)  # Chromium's own tests look whether it paints
    phones.main()
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found.keys() >= {*DEMANDED}
    assert found["streams_held"] == 4
    assert 3 <= found["fanout_count"] <= found["fanout_of"] == 9  # one of the four never reads
    assert 0 < found["fanout_p50_ms"] <= found["fanout_p99_ms"] < 20_000
    assert found["polls"] >= 1
    assert 10 < found["first_load_kb"] <= 120
    assert (found["dead_links_freed_s"], found["fcp_ms"]) == (None, None)


def test_links_that_nobody_cuts_are_not_called_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert phones.measure_dead_links(2) == {"dead_links_freed_s": None, "dead_links": 0}
