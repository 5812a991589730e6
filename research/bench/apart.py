"""How close together two barrels can be set down so that times alone still tell who placed which.

It must not know any detector. What is drawn is a bound: somebody knows each pad's own delay and
spread exactly, how a stopper dates a touch, and that these two barrels stand at these two seats;
and says which is which where that is surer than 99 %. No table can tell more from times.

Delays and spreads of pads are the simulator's; how a touch is dated is a model, drawn by eye after
576 set-downs in the honest world. `--evenings` puts what a table does know into the drawing.

    ./run bench apart [--json] [--pairs 4000] [--page] [--evenings 6 [--folder DIR]]
"""

from collections.abc import Sequence
from itertools import pairwise
from math import exp, pi, sqrt
from pathlib import Path
from random import Random
from typing import Final

from companion.present.plots import Axis, Plot, percent
from companion.sensing.settings import Settings
from companion.simulator.hand_params import between
from companion.simulator.pads import LATE_S, LATEST_S, UNEVEN_S, PadKind
from research.bench._evenings import Session, recorded
from research.bench._page import FOLDER, PAGE
from research.bench._report import parser, tell
from research.bench._scoring import SetDown, score

GAPS_MS: Final = (0, 10, 20, 30, 40, 50, 60, 75, 90, 120, 150)
MOST_S: Final = LATE_S[PadKind.SWITCH]
CERTAIN: Final = Settings().certain
AT_ONCE: Final = (0.83, -4.0, 6.5)  # share, mean and deviation of a date's error, in ms: nearly all
SPREAD: Final = ((0.15, -42.0, -10.0), (0.02, 10.0, 50.0))  # a stone rattled before; a soft touch
STEP_MS: Final = 3.0
ROUNDS: Final = 8


class Pad:
    """One pad that is known exactly."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.late_ms = 1000 * between(rng, 0.0, MOST_S)
        self.core_ms = 1000 * between(rng, *UNEVEN_S)

    def late(self) -> float:
        """Draw how late it closes."""
        while True:
            late_ms = self._rng.gauss(self.late_ms, self.core_ms)
            if 0.0 <= late_ms <= 1000 * LATEST_S:
                return late_ms

    def fits(self, after_ms: float) -> float:
        """Return how likely it closes so long after a touch's date."""
        share, mean, deviation = AT_ONCE
        found = share * _bell(after_ms - self.late_ms + mean, sqrt(self.core_ms**2 + deviation**2))
        for share, least, most in SPREAD:
            steps = max(1, round((most - least) / STEP_MS))
            for step in range(steps):
                error_ms = least + (step + 0.5) * (most - least) / steps
                found += share / steps * _bell(after_ms - self.late_ms + error_ms, self.core_ms)
        return found


def _bell(off: float, deviation: float) -> float:
    return exp(-((off / deviation) ** 2) / 2) / deviation / sqrt(2 * pi)


def date_error_ms(rng: Random) -> float:
    """Draw by how much a touch is dated wrong."""
    at, (share, mean, deviation) = rng.random(), AT_ONCE
    if at < share:
        return rng.gauss(mean, deviation)
    (often, *early), (_, *late) = SPREAD
    return between(rng, *(early if at < share + often else late))


def told_apart(gap_ms: float, rng: Random) -> float:
    """Return how sure it is that the first pad was closed by whom it truly was."""
    dates = [at_ms + date_error_ms(rng) for at_ms in (0.0, gap_ms)]
    pads = [Pad(rng), Pad(rng)]
    edges = [at_ms + pad.late() for at_ms, pad in zip((0.0, gap_ms), pads, strict=True)]
    way, other = (
        pads[0].fits(edges[0] - dates[one]) * pads[1].fits(edges[1] - dates[1 - one])
        for one in (0, 1)
    )
    return way / (way + other) if way + other else 0.5


def bound(pairs: int) -> list[tuple[int, float, float]]:
    """Return for each gap which share can be known, and which would be known wrong."""
    rng, found = Random(1), []
    for gap_ms in GAPS_MS:
        sure = [told_apart(gap_ms, rng) for _ in range(pairs)]
        known, wrong = (sum(test) / pairs for test in (
            [one >= CERTAIN for one in sure], [one <= 1 - CERTAIN for one in sure]))  # fmt: skip
        found.append((gap_ms, known, wrong))
    return found


def measured(evenings: int, folder: Path | None) -> list[SetDown]:
    """Return what a table knew of set-downs that come nearly at once."""
    found: list[SetDown] = []
    for seed in range(1, evenings + 1):
        evening = recorded(Session("set-downs", "fair", seed, ROUNDS, "honest"), folder)
        found += score(evening, evening.heard, Settings()).set_downs
    return found


def drawn(known: Sequence[tuple[int, float, float]], set_downs: Sequence[SetDown]) -> str:
    """Draw the bound, and what a table knows."""
    x = Axis("from one set-down to the other, ms", 0, 150, (0, 30, 60, 90, 120, 150))
    plot = Plot("How close two set-downs can be told apart", x, Axis(
        "known", 0.0, 1.0, (0, 0.2, 0.4, 0.6, 0.8, 1), percent))  # fmt: skip
    plot.name("a", "at most, by times")
    plot.line([(float(gap_ms), share) for gap_ms, share, _ in known], "a")
    if set_downs:
        plot.name("b", "measured")
    for low, high in pairwise(GAPS_MS[::2]):
        near = [one.outcome == "right" for one in set_downs if low <= one.gap_ms < high]
        if near:
            plot.dot(((low + high) / 2, sum(near) / len(near)), "b")
    return plot.svg()


def main() -> None:
    """Draw, measure and print."""
    words = parser("apart", __doc__)
    words.add_argument("--pairs", type=int, default=4000, help="of each gap")
    words.add_argument("--page", action="store_true", help="draw it for the page")
    words.add_argument("--evenings", type=int, default=0, help="at the simulated table, too")
    words.add_argument("--folder", type=Path, help="keeps evenings")
    options = words.parse_args()
    known, set_downs = bound(options.pairs), measured(options.evenings, options.folder)
    if options.page:
        (PAGE.parent / FOLDER / "apart.svg").write_text(drawn(known, set_downs))
    figures: dict[str, object] = {
        f"{gap_ms}_ms": f"{percent(round(share, 3))} known, {percent(round(wrong, 4))} wrong"
        for gap_ms, share, wrong in known
    }
    close = [one.outcome for one in set_downs if one.gap_ms < GAPS_MS[-1]]
    figures |= {f"measured_{name}": close.count(name) for name in sorted(set(close))}
    tell(figures, as_json=options.json)


if __name__ == "__main__":
    main()
