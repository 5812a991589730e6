"""What was learned of pads outlives the evening, and whatever happens to its file."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.sensing.observations import ChoosingBegan
from companion.sensing.pad_model import PADS, overnight, usual
from companion.sensing.pipeline import Sensing
from companion.sensing.placement import Placement, step
from companion.sensing.settings import Settings
from companion.table.table_config import PADS_FILE, keep_pads
from tests.sensing.seats import play
from tests.sensing.test_seating_pads import rounds

EVEN = tuple(1 / len(PADS) for _ in PADS)


def test_what_was_kept_comes_back_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    keep_pads(tmp_path, {"red": usual(PADS), "blue": EVEN})
    found = PADS_FILE.load(tmp_path, {})
    assert set(found) == {"red", "blue"}
    assert found["blue"] == pytest.approx(EVEN, abs=1e-5)
    assert sum(found["red"]) == pytest.approx(1.0)
    assert (tmp_path / PADS_FILE.name).stat().st_mode & 0o777 == 0o600


def test_nothing_learned_leaves_no_file(tmp_path: Path) -> None:
    keep_pads(tmp_path, {})
    assert PADS_FILE.load(tmp_path, {}) == {}
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "change",
    [
        {"kinds": 1},  # of a version that knows other pads
        {"seats": {"red": [0.5]}},
        {"seats": {"red": [0] * len(PADS)}},
        {"seats": {"red": [True] * len(PADS)}},
        {"seats": {"red": [-1.0] * len(PADS)}},
        {"seats": {"red": [float("nan")] * len(PADS)}},
        {"seats": []},
    ],
)
def test_a_file_that_is_unsound_teaches_nothing(tmp_path: Path, change: dict[str, object]) -> None:
    keep_pads(tmp_path, {"red": EVEN})
    told = json.loads((tmp_path / PADS_FILE.name).read_text())
    (tmp_path / PADS_FILE.name).write_text(json.dumps(told | change))
    assert PADS_FILE.load(tmp_path, {}) == {}


@pytest.mark.parametrize("text", ["", "[", "[]", "7", "[" * 100_000])
def test_nor_does_rubbish(tmp_path: Path, text: str) -> None:
    (tmp_path / PADS_FILE.name).write_text(text)
    assert PADS_FILE.load(tmp_path, {}) == {}


def learned() -> Placement:
    """Return what an evening with pads that are late, each in its own way, has taught."""
    table, done = rounds("late", 1, 6, apart_ms=250.0)
    state, _ = play(table.seen(), done[-1].at_ms + 12_000)
    return state


def test_the_next_evening_begins_with_what_this_one_taught_but_less_sure_of_it(
    tmp_path: Path,
) -> None:
    keep_pads(tmp_path, learned().learned)
    sensing = Sensing({})
    sensing.pads = PADS_FILE.load(tmp_path, {})
    late = [pad.late_ms for pad in PADS]
    for seat, truly_ms in (("red", 9.0), ("yellow", 129.0)):
        kinds = sensing.pads[seat]
        near = [chance for chance, ms in zip(kinds, late, strict=True) if abs(ms - truly_ms) < 30]
        assert 0.5 < sum(near) < 0.9
    assert overnight(EVEN, PADS) != EVEN


def test_a_seat_that_sits_out_a_round_is_not_forgotten() -> None:
    state = learned()
    began = ChoosingBegan(("red", "blue"), state.now_us + 1)
    after, _ = step(state, began, Settings())
    assert after.learned == state.learned
    assert set(replace(after, seats={}).learned) == {"red", "green", "blue", "yellow"}
