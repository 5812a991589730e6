"""Strips of dots as SVG: each value one dot, row under row, on a common axis.

It must not know what is measured, nor languages. Colours stand in the style sheets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup, escape

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

    parts, bottom = [_text("tick", WIDTH, 12, unit, "end")], 0.0
    for row in rows:
        piles = _piles([x(value) for value in row.values])
        tallest = max([2, *(min(len(pile), PILE) for pile in piles.values())])
        top, floor = bottom + NAME, bottom + NAME + 2 * DOT * tallest + 4
        parts.append(_text("name", 0, bottom + 12, row.name, "start"))
        parts.append(_line("axis", LEFT, floor, RIGHT, floor))
        if mark is not None:
            parts.append(_line("mark", x(mark), top, x(mark), floor))
        for column, pile in piles.items():
            parts += _dots(row.kind, pile, floor)
            alone = not any(column < other <= column + ALONE for other in piles)
            if len(pile) > PILE and alone:
                beside = pile[0] + 2 * DOT
                parts.append(_text("tick", beside, top + 10, f"× {len(pile)}", "start"))
        bottom = floor + 8
    for tick in range(TICKS + 1):
        value = least + (most - least) * tick / TICKS
        anchor = "start" if not tick else "end" if tick == TICKS else "middle"
        label = f"{value:g}".replace("-", "−")
        parts.append(_text("tick", x(value), bottom + 8, label, anchor))
    label = escape(told)
    head = f'<svg class="plot strips" viewBox="0 0 {WIDTH} {bottom + 14:.4g}" role="img"'
    return Markup(f'{head} aria-label="{label}">{"".join(parts)}</svg>')  # noqa: S704 - escaped


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


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.4g}" y1="{y1:.4g}" x2="{x2:.4g}" y2="{y2:.4g}"/>'


def _text(kind: str, x: float, y: float, said: str, anchor: str) -> str:
    place = f'x="{x:.4g}" y="{y:.4g}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {place}>{escape(said)}</text>'
