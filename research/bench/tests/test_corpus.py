"""The simulated hands against recorded ones, where the recordings are at hand."""

import pytest

from research.bench._gestures import NAMES, PICK_UP, distance, measure, quantile, simulated
from research.bench.hands import Columns, chart, compare, limit
from tests.programs import corpus

FOLDER = corpus("wiimote")
FITTED = [(kind, name) for kind in ("lift", "shake") for name in NAMES]


@pytest.fixture(scope="module", params=[1, 2, 3])
def found(request: pytest.FixtureRequest) -> dict[str, tuple[Columns, Columns]]:
    return compare(FOLDER, 8, request.param)


@pytest.mark.parametrize(("kind", "name"), FITTED)
def test_no_figure_tells_simulated_hands_from_recorded_ones(
    found: dict[str, tuple[Columns, Columns]], kind: str, name: str
) -> None:
    recorded, ours = (columns[name] for columns in found[kind])
    assert distance(recorded, ours) <= limit(len(recorded), len(ours))


@pytest.mark.parametrize(("kind", "name"), FITTED)
def test_the_middles_agree_within_a_quarter(
    found: dict[str, tuple[Columns, Columns]], kind: str, name: str
) -> None:
    recorded, ours = (columns[name] for columns in found[kind])
    assert quantile(ours, 0.5) == pytest.approx(quantile(recorded, 0.5), rel=0.25)


def test_the_comparison_can_be_drawn(found: dict[str, tuple[Columns, Columns]]) -> None:
    drawing = chart(found)
    assert drawing.startswith("<svg")
    assert drawing.count("distance") == 8


def test_the_same_seed_is_the_same_movement() -> None:
    one, other = (simulated(PICK_UP, [80, 90], 2, 3) for _ in range(2))
    assert [measure(movement) for movement in one] == [measure(movement) for movement in other]
