"""The bench that handles one barrel by the thousand: what it counts is what was done."""

import pytest

from research.bench import handlings
from research.bench._scoring import total


@pytest.mark.parametrize("looking", [False, True], ids=["blameless", "looks"])
def test_a_few_handlings_are_counted_and_judged(looking: bool) -> None:
    found = handlings.measured(handlings.handled((3, 2, looking, "kind", "home")))
    assert found["handlings"] >= 2
    assert found["false_fouls_per_1000_count"] == 0
    assert (found["peek_miss_500ms_of"] > 0) is looking


def test_looks_are_told_and_the_page_says_how_soon() -> None:
    scores = [handlings.handled((seed, 2, True, "kind", "home")) for seed in (3, 4)]
    found = handlings.measured(total(scores))
    assert found["peek_miss_500ms"] == 0.0
    assert 300 < found["peek_latency_p50_ms"] < 700
    assert found["peek_warning_p50_ms"] < found["peek_latency_p50_ms"]
    text = handlings.table(found)
    assert f"from readable to a foul, half of them | {found['peek_latency_p50_ms']:,.0f} ms" in text
