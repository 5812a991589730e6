"""Strips of dots as SVG: each value one dot, row under row, on a common axis.

Colours stand in the style sheets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup, escape

from companion.present import svg

WIDTH: Final = 320
LEFT, RIGHT = 10, 310
NAME, DOT = 18, 3.2  # the height of a name, and half a dot
PILE: Final = 5  # dots above each other; more of them overlap, and a count says how many
ALONE: Final = 5  # columns without another pile, in which the count has room
TICKS: Final = 4


@dataclass(frozen=True, slots=True)
class Strip:
    """One row of dots."""

    name: str
    values: Sequence[float]
    kind: str = ""  # a class of the style sheet, such as "hollow" or "seat-red"


def strips(rows: Sequence[Strip], unit: str, told: str, mark: float | None = None) -> Markup:
    """Draw rows of dots; a dashed line stands at a mark, which all of them share."""
    every = [value for row in rows for value in row.values] + ([] if mark is None else [mark])
    least, most = _axis(min([0.0, *every]), max([1.0, *every]))

    def x(value: float) -> float:
        return LEFT + (RIGHT - LEFT) * (value - least) / (most - least)

    parts, bottom = [svg.text("tick", WIDTH, 12, unit, "end")], 0.0
    for row in rows:
        piles = _piles([x(value) for value in row.values])
        tallest = max([2, *(min(len(pile), PILE) for pile in piles.values())])
        top, floor = bottom + NAME, bottom + NAME + 2 * DOT * tallest + 4
        parts.append(svg.text("name", 0, bottom + 12, row.name, "start"))
        parts.append(svg.line("axis", LEFT, floor, RIGHT, floor))
        if mark is not None:
            parts.append(svg.line("mark", x(mark), top, x(mark), floor))
        for column, pile in piles.items():
            parts += _dots(row.kind, pile, floor)
            alone = not any(column < other <= column + ALONE for other in piles)
            if len(pile) > PILE and alone:
                beside = pile[0] + 2 * DOT
                parts.append(svg.text("tick", beside, top + 10, f"× {len(pile)}", "start"))
        bottom = floor + 8
    for tick in range(TICKS + 1):
        value = least + (most - least) * tick / TICKS
        anchor = "start" if not tick else "end" if tick == TICKS else "middle"
        label = f"{value:g}".replace("-", "−")
        parts.append(svg.text("tick", x(value), bottom + 8, label, anchor))
    return svg.plot("strips", WIDTH, round(bottom + 14, 1), told, parts)


def _piles(places: Sequence[float]) -> dict[int, list[float]]:
    """Return dots that would lie on each other, together."""
    found: dict[int, list[float]] = {}
    for at in sorted(places):
        found.setdefault(round(at / (2 * DOT)), []).append(at)
    return found


def _dots(kind: str, pile: Sequence[float], floor: float) -> list[str]:
    kind = escape(f"dot {kind}".strip())
    apart = 2 * DOT * min(1.0, (PILE - 1) / max(1, len(pile) - 1))
    return [
        f'<circle class="{kind}" cx="{at:.4g}" cy="{floor - DOT - 1 - apart * place:.4g}"'
        f' r="{DOT}"/>'
        for place, at in enumerate(pile)
    ]


def _axis(least: float, most: float) -> tuple[float, float]:
    """Return round ends that hold all.

    >>> _axis(0, 940), _axis(-35, 120)
    ((0, 1000), (-50, 150))
    """
    size = 1.0
    while size * TICKS * 10 <= most - least:
        size *= 10
    for step in (size * one for one in (1, 2, 2.5, 5, 10, 20)):
        low = step * (least // step)
        if low + TICKS * step >= most:
            return round(low), round(low + TICKS * step)
    return least, most
