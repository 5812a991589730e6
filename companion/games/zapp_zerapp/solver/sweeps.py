"""Sweeps until nothing changes, and keeps what it has for whoever goes on later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from companion.games.zapp_zerapp.rules.state import Settings
from companion.games.zapp_zerapp.solved.camps import CAMPS, COUNT, HOME
from companion.games.zapp_zerapp.solved.pairing import Pairing
from companion.games.zapp_zerapp.solved.table import HEAD, WON, Table, head
from companion.games.zapp_zerapp.solver.mixing import Mixing
from companion.games.zapp_zerapp.solver.sweep import Sweep
from companion.games.zapp_zerapp.solver.ways import ways

Values = NDArray[np.float32]  # how probably the first wins, by its camp and the second's
Progress = Callable[[int, float, float], None]  # which sweep, how much of it, how far off the last

AIM: Final = 2e-5
LEAD: Final = 12  # steps ahead that make e : 1, to begin with


@dataclass(frozen=True, slots=True)
class Solved:
    """What a pairing is worth."""

    pairing: Pairing
    values: Values
    residual: float  # what one more sweep would change at most

    def table(self) -> bytes:
        """Return it as a table holds it."""
        figures = rounded(self.values, symmetric=self.pairing.symmetric)
        return head(self.pairing, self.residual, figures) + figures


def solve(
    settings: Settings, kept: Path, progress: Progress, guess: Values | None = None
) -> Solved:
    """Solve the game of two seats; go on from what was kept, if it was broken off.

    It is kept where the mixing starts over, so that the result does not depend on it.
    """
    first, second = settings.seats
    sweep = Sweep(ways(settings, first, second), ways(settings, second, first))
    values = np.load(kept) if kept.exists() else begun() if guess is None else guess
    mixing, count, residual = Mixing(), 1, 1.0
    while True:
        at, off = count, residual
        swept = sweep(values, lambda part: progress(at, part, off))  # noqa: B023 - called at once
        residual = float(np.abs(swept - values).max())
        if residual <= AIM:
            kept.unlink(missing_ok=True)
            return Solved(Pairing.of(settings.board, first, second), swept, residual)
        values = mixing.next(values, swept)
        count += 1
        if not len(mixing):
            _keep(kept, values)


def begun() -> Values:
    """Return a first guess: who is ahead will win."""
    steps = np.array([sum(camp) for camp in CAMPS], np.float32)
    values = 1 / (1 + np.exp((steps[None, :] - steps[:, None]) / np.float32(LEAD)))
    values[HOME], values[:, HOME] = 1, 0
    return np.asarray(values, np.float32)


def rounded(values: Values, *, symmetric: bool) -> bytes:
    """Return values as a table holds them."""
    figures = np.rint(values * WON).astype(np.uint8)
    if symmetric:
        figures = figures[np.tril_indices(COUNT, -1)]
    return figures.tobytes()


def unrounded(table: Table) -> Values:
    """Return what a table holds."""
    held = np.frombuffer(table.figures, np.uint8, offset=HEAD)
    figures = held.astype(np.float32) / np.float32(WON)
    if not table.symmetric:
        return figures.reshape(COUNT, COUNT)
    values = np.full((COUNT, COUNT), 0.5, np.float32)
    lower = np.tril_indices(COUNT, -1)
    values[lower] = figures
    values.T[lower] = 1 - figures
    values[HOME, HOME] = 0  # which never is
    return values


def _keep(file: Path, values: Values) -> None:
    new = file.with_suffix(".new.npy")
    np.save(new, values)
    new.replace(file)
