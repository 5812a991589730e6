"""The solver moves as the rules do, goes on where it was broken off, and writes what is found."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.cli.main import main
from companion.games.zapp_zerapp.rules import Colour, Move, Settings
from companion.games.zapp_zerapp.rules.model import ALL_AT_START, Camps
from companion.games.zapp_zerapp.rules.moves import Moves
from companion.games.zapp_zerapp.solution import folder, value_of, worth
from companion.games.zapp_zerapp.solution.table import CAMPS, COUNT, HOME, Pairing, find_table

np = pytest.importorskip("numpy")

from rappelwacht_research import sweeps  # noqa: E402 - it needs numpy
from rappelwacht_research.solve import board_of  # noqa: E402 - it needs numpy
from rappelwacht_research.sweeps import (  # noqa: E402 - it needs numpy
    DEPTH,
    ODDS,
    Mixing,
    begun,
    solve,
    unrounded,
    ways,
)

RED, GREEN, BLUE, YELLOW = Colour
RING = 'ring = "B B B RG Y Y  Y Y Y GB R R  R R R BY G G  G G G YR B R"\n'
PLACES = """
[entries]
red = 0
green = 6
blue = 12
yellow = 18
[gates]
red = 23
green = 5
blue = 11
yellow = 17
"""


def test_pawns_go_and_banish_as_by_the_rules() -> None:
    settings = Settings((RED, GREEN))
    known, moves, chance = ways(settings, RED, GREEN), Moves(settings), Random(1)
    for _ in range(300):
        own, other = chance.randrange(COUNT), chance.randrange(COUNT)
        if HOME in (own, other):
            continue
        pawns: Camps = (CAMPS[own], CAMPS[other], ALL_AT_START, ALL_AT_START)
        number = chance.randint(1, 12)
        step = chance.choice([step for step in CAMPS[own] if step < 25])
        after = moves.after(pawns, number, Move(RED, step))
        at = number - 1, CAMPS[own].index(step), own
        assert CAMPS[known.to[at]] == after[RED]
        assert CAMPS[known.banned[known.sweep[at], other]] == after[GREEN]


def test_all_dice_and_barrels_are_counted() -> None:
    assert float(ODDS.sum()) == pytest.approx(1)
    assert [float(ODDS[n, n]) for n in range(1, 13)] == [0] * 12
    both_work = sum((6 - abs(7 - k)) / 36 * k * (k - 1) / 156 for k in range(2, 13))
    assert float(ODDS[1:, 1:].sum()) == pytest.approx(both_work)


def test_mixing_finds_a_fixed_point_that_plain_steps_only_near() -> None:
    chance = np.random.default_rng(1)
    matrix = chance.random((30, 30))
    matrix *= 0.97 / matrix.sum(axis=1, keepdims=True)
    right = chance.random((30, 30)).astype(np.float32)
    step = (right - matrix @ right).astype(np.float32)
    values, mixing = np.full((30, 30), 0.5, np.float32), Mixing()
    for _ in range(4 * DEPTH):
        values = mixing.next(values, (matrix @ values + step).astype(np.float32))
    assert np.abs(values - right).max() < 1e-3


class Halving:
    """Sweeps that bring everything halfway to what is begun with; one may be broken off."""

    left = 1000

    def __init__(self, *_: object) -> None: ...

    def __call__(self, values: Any, progress: Any) -> Any:
        progress(0.5)
        Halving.left -= 1
        if Halving.left < 0:
            raise KeyboardInterrupt
        return (values + begun()) / 2


@pytest.mark.slow
def test_whoever_goes_on_finds_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweeps, "Sweep", Halving)
    monkeypatch.setattr(sweeps, "ways", lambda *_: None)
    monkeypatch.setattr(sweeps, "Mixing", Plain)
    settings, kept = Settings((RED, BLUE)), tmp_path / "kept.npy"
    far = np.full((COUNT, COUNT), 0.5, np.float32)
    monkeypatch.setattr(Halving, "left", 40)
    whole = solve(settings, kept, lambda *_: None, far)
    assert not kept.exists()
    monkeypatch.setattr(Halving, "left", 5)
    with pytest.raises(KeyboardInterrupt):
        solve(settings, kept, lambda *_: None, far)
    assert kept.exists()
    monkeypatch.setattr(Halving, "left", 40)
    assert solve(settings, kept, lambda *_: None, far).table() == whole.table()


class Plain:
    """Mixing that does not mix, and always starts over."""

    def __len__(self) -> int:
        return 0

    def next(self, _: Any, swept: Any) -> Any:
        return swept


def test_a_ring_of_ones_own_is_solved_by_one_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(sweeps, "Sweep", lambda *_: lambda values, _: values)
    monkeypatch.setattr(sweeps, "ways", lambda *_: None)
    (tmp_path / "ring.toml").write_text(RING + PLACES)
    assert main(["solve", "red,blue", "--board", str(tmp_path / "ring.toml")]) == 0
    (file,) = folder().iterdir()
    assert str(file) in capsys.readouterr().out
    settings = Settings((RED, BLUE), board=board_of(str(tmp_path / "ring.toml")))
    worth.cache_clear()
    value_of.cache_clear()
    assert worth(settings).why is None


@pytest.mark.parametrize(
    "words", [["red"], ["red,red"], ["red,purple"], ["red,blue", "--board", "no/such.toml"]]
)
def test_what_cannot_be_solved_is_refused_in_a_sentence(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", *words]) == 2
    told = capsys.readouterr().err.strip()
    assert told
    assert "Traceback" not in told


def test_whoever_speaks_german_is_told_in_german(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert main(["solve", "red"]) == 2
    assert "Nenne zwei Farben" in capsys.readouterr().err


def test_a_table_is_read_as_it_was_solved() -> None:
    board = Settings().board
    for seats in ((RED, BLUE), (RED, GREEN)):
        table = find_table(Pairing.for_colours(board, *seats))
        assert table is not None
        values, chance = unrounded(table), Random(1)
        for _ in range(1000):
            first, second = chance.randrange(COUNT), chance.randrange(COUNT)
            read = table.value()(first, second) / 255
            assert values[first, second] == pytest.approx(read, abs=1e-6)
