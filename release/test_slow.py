"""What is slow is left out without --full; of some tests a few cases stay."""

import pytest

from tests.slow import left_out


@pytest.fixture
def items(request: pytest.FixtureRequest) -> list[pytest.Item]:
    """Return an ordinary test, a slow one, one slow but for 3 of 7 cases, one in 1 of 7 cases."""
    marks = {"usual": (), "slow": (pytest.mark.slow,)}
    marks |= {f"some[{n}]": (pytest.mark.slow(but=3),) for n in range(7)}
    marks |= {f"one[{n}]": (pytest.mark.slow,) * (n == 4) for n in range(7)}
    made: list[pytest.Item] = []
    for name, given in marks.items():
        item = pytest.Function.from_parent(request.node.parent, name=name, callobj=lambda: None)
        for mark in given:
            item.add_marker(mark)
        made.append(item)
    return made


def test_what_is_slow_is_left_out_but_for_cases_that_are_spread_evenly(
    items: list[pytest.Item],
) -> None:
    left = [item.name for item in items if item in left_out(items)]
    assert left == ["slow", "some[1]", "some[3]", "some[5]", "some[6]", "one[4]"]
