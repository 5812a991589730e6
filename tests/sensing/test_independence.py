"""What sensing believes of cells is no figure of the simulator: else each would prove the other."""

import ast
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path

import pytest

from companion.sensing.settings import Settings
from companion.simulator import tabletop, weighing
from companion.simulator.chips import load_cell
from rappelwacht_research.breadboard import KINDS

BELIEVED = ("eccentric", "rubbing_mg", "gain", "span")
MODELS = (load_cell, weighing, tabletop, weighing)


def constants() -> Iterator[float]:
    """Yield every number that the cell's models are made of, and each kind's magnitudes."""
    for model in MODELS:
        assert model.__file__
        for one in ast.walk(ast.parse(Path(model.__file__).read_text())):
            if isinstance(one, ast.Constant) and isinstance(one.value, int | float):
                yield one.value
    for kind in KINDS.values():
        for figure in astuple(kind.cell) if kind.cell else ():
            yield from figure if isinstance(figure, tuple) else (figure or 0.0,)


def figures() -> set[float]:
    """Return all of them, as they stand there and in mg."""
    return {scale * float(one) for one in constants() for scale in (1.0, 1000.0)}


@pytest.mark.parametrize("name", BELIEVED)
def test_no_error_is_believed_to_be_what_the_simulator_makes_of_it(name: str) -> None:
    assert getattr(Settings().weighing, name) not in figures()


def test_nothing_of_sensing_knows_the_models() -> None:
    for path in (Path(load_cell.__file__).parents[2] / "sensing").glob("*.py"):
        assert "companion.simulator" not in path.read_text(), path
