"""The bench of motion measures what it says, with one phone that looks once."""

import json
import sys

import pytest

from research.bench import corpora, motion

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


def test_each_corpus_that_is_named_has_its_counts_and_intervals(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    score = corpora.CorpusScore(handlings=6, looks=4, missed=["one +z"])
    monkeypatch.setattr(motion, "measure", lambda *_: {})
    monkeypatch.setattr(corpora, "figures", lambda *_: score.figures())
    monkeypatch.setattr(sys, "argv", ["motion", "--json", "--corpora", "somewhere/theirs"])
    motion.main()
    found = json.loads(capsys.readouterr().out.splitlines()[-1])["corpora"]["theirs"]
    counts = [found[name] for name in ("handlings", "false_fouls", "looks", "missed")]
    assert counts == [6, 0, 4, 1]
    assert found["false_foul_share_ci95"] == [0.0, 0.3903]
    assert found["missed_share_ci95"] == [0.04559, 0.6994]
