"""Draws the evidence of a foul as SVG: how a barrel was held, or how many were in hands.

It must not know whose barrels they were, nor what the table makes of it.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from textwrap import wrap
from typing import Final

from markupsafe import Markup, escape

from companion.present.viewer import Viewer
from companion.referee.events import ChartPoint, HandCount

READABLE_DEG: Final = 60
STILL_PERMILLE: Final = 250
STEEPEST_DEG: Final = 180
WIDE, LEFT, RIGHT = 360, 44, 350
TOP, BOTTOM = 24, 134  # of the tilt
STILL_AT, STANDS_AT, BAND = 156, 186, 12  # the two bands below it
FOOT: Final = 236
COUNTED: Final = 196  # where the picture of counted barrels ends
LETTER, LINE = 6.2, 15  # how wide a letter is on average, and how far apart lines are
TICKS: Final = 5  # at most this many gaps between the times that are shown
STEPS_MS: Final = (100, 200, 500, 1_000, 2_000, 5_000, 10_000)


def evidence_svg(points: Sequence[ChartPoint], reader: Viewer) -> Markup:
    """Return the chart; nothing, if there is no evidence to draw."""
    if len(points) < 2:
        return Markup()
    across = _scale(points[0].at_ms, points[-1].at_ms)
    description = reader.say(
        "How far the barrel was tilted over time: at most {degrees}°; readable from {limit}°.",
        degrees=max(point.tilt_deg for point in points),
        limit=READABLE_DEG,
    )
    says = reader.say("tilt; 0° is upright")
    above = reader.say("above the dashed line the underside can be read")
    parts = [
        *_opened(description, FOOT, [*_lines(says, WIDE - 8), *_lines(above, WIDE - 8)]),
        *_frame(),
        f'<path class="tilt" d="{_line(points, across)}"/>',
        *_band(points, across, STILL_AT, _stillness, reader),
        *_band(points, across, STANDS_AT, _standing, reader),
        *_times(points[0].at_ms, points[-1].at_ms, STANDS_AT + 8, reader),
        "</svg>",
    ]
    return Markup("").join(Markup(part) for part in parts)  # noqa: S704 - escaped where it is made


def counts_svg(counts: Sequence[HandCount], length_ms: int, reader: Viewer) -> Markup:
    """Return how many barrels were in hands and placed; nothing, if nobody counted."""
    if not counts:
        return Markup()
    first, last = counts[0].at_ms, max(length_ms, counts[-1].at_ms + 1)
    most = max(1, *(max(hands.in_air, hands.at_seats) for hands in counts))
    description = reader.say(
        "How many barrels were in hands over time: at most {count}.",
        count=max(hands.in_air for hands in counts),
    )
    in_air = [(hands.at_ms, hands.in_air / most) for hands in counts]
    at_seats = [(hands.at_ms, hands.at_seats / most) for hands in counts]
    axis = _lines(reader.say("barrels: solid line in hands, dashed line placed"), WIDE - 8)
    parts = [
        *_opened(description, COUNTED, axis),
        *_rungs(most),
        f'<path class="seats-line" d="{_stairs(at_seats, first, last)}"/>',
        f'<path class="tilt" d="{_stairs(in_air, first, last)}"/>',
        *_times(first, last, BOTTOM, reader),
        "</svg>",
    ]
    return Markup("").join(Markup(part) for part in parts)  # noqa: S704 - escaped where it is made


def _opened(description: str, foot: int, axis: Sequence[str]) -> Iterator[str]:
    """Begin a chart, and say above it what is drawn: on as many lines as that takes."""
    more = LINE * (len(axis) - 1)
    yield f'<svg class="evidence" viewBox="0 {-more} {WIDE} {foot + more}" role="img"'
    yield f' aria-label="{escape(description)}">'
    for place, line in enumerate(axis):
        y = TOP - 10 - more + LINE * place
        yield f'<text x="4" y="{y}" class="axis">{escape(line)}</text>'


def _lines(text: str, wide: float) -> list[str]:
    """Return a text as lines that are not wider.

    >>> _lines("above the dashed line the underside can be read", 150)
    ['above the dashed line', 'the underside can be', 'read']
    """
    return wrap(text, int(wide / LETTER))


def _rungs(most: int) -> Iterator[str]:
    for count in range(most + 1):
        y = BOTTOM - (BOTTOM - TOP) * count / most
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{RIGHT}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" class="scale">{count}</text>'


def _stairs(counts: Sequence[tuple[int, float]], first: int, last: int) -> str:
    """Return a line that stays on each count until the next one."""
    across = _scale(first, last)
    steps = [(across(at_ms), BOTTOM - (BOTTOM - TOP) * share) for at_ms, share in counts]
    (x, y), *others = steps
    rest = "".join(f"H{a:.1f}V{b:.1f}" for a, b in others)
    return f"M{x:.1f} {y:.1f}{rest}H{RIGHT}"


def _scale(from_ms: int, to_ms: int) -> Callable[[int], float]:
    span = max(1, to_ms - from_ms)
    return lambda at_ms: LEFT + (RIGHT - LEFT) * (at_ms - from_ms) / span


def _height(tilt_deg: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * min(max(tilt_deg, 0), STEEPEST_DEG) / STEEPEST_DEG


def _line(points: Sequence[ChartPoint], across: Callable[[int], float]) -> str:
    return "M" + "L".join(f"{across(p.at_ms):.1f} {_height(p.tilt_deg):.1f}" for p in points)


def _frame() -> Iterator[str]:
    """Draw what lies behind the line: degrees, and from where the underside can be read."""
    limit = _height(READABLE_DEG)
    wide, high = RIGHT - LEFT, limit - TOP
    yield f'<rect class="readable" x="{LEFT}" y="{TOP}" width="{wide}" height="{high:.1f}"/>'
    for degrees in (0, READABLE_DEG, STEEPEST_DEG):
        y = _height(degrees)
        style = "limit" if degrees == READABLE_DEG else "grid"
        yield f'<path class="{style}" d="M{LEFT} {y:.1f}H{RIGHT}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" class="scale">{degrees}°</text>'


def _stillness(point: ChartPoint, reader: Viewer) -> tuple[str, str]:
    still = point.deviation_permille < STILL_PERMILLE
    return ("still", reader.say("held still")) if still else ("moved", reader.say("moving"))


def _standing(point: ChartPoint, reader: Viewer) -> tuple[str, str]:
    match point.stands:
        case True:
            return "stands", reader.say("stands")
        case False:
            return "lifted", reader.say("lifted")
    return "unknown", reader.say("not known")


def _band(
    points: Sequence[ChartPoint],
    across: Callable[[int], float],
    top: int,
    kind: Callable[[ChartPoint, Viewer], tuple[str, str]],
    reader: Viewer,
) -> Iterator[str]:
    """Draw one state after another as a band, each long enough one with its word."""
    spans = [(across(a.at_ms), across(b.at_ms), kind(a, reader)) for a, b in pairwise(points)]
    for (style, word), same in groupby(spans, key=lambda span: span[2]):
        pieces = list(same)
        x, wide = pieces[0][0], pieces[-1][1] - pieces[0][0]
        yield (
            f'<rect class="band {style}" x="{x:.1f}" y="{top - BAND}" width="{wide:.1f}"'
            f' height="{BAND + 8}"/>'
        )
        if wide > 7 * len(word):
            yield f'<text class="word {style}" x="{x + 5:.1f}" y="{top + 2}">{escape(word)}</text>'


def _times(first: int, last: int, top: int, reader: Viewer) -> Iterator[str]:
    """Write times below, in seconds since the foul began."""
    across = _scale(first, last)
    step = next(
        (step_ms for step_ms in STEPS_MS if (last - first) / step_ms <= TICKS), STEPS_MS[-1]
    )
    for at_ms in range(-(-first // step) * step, last + 1, step):
        x, time = across(at_ms), reader.name(at_ms / 1000)
        yield f'<path class="grid" d="M{x:.1f} {top}v5"/>'
        yield f'<text class="time" x="{x:.1f}" y="{top + 17}">{time}</text>'
    words = escape(reader.say("seconds since it began"))
    yield f'<text class="time" x="{(LEFT + RIGHT) / 2}" y="{top + 34}">{words}</text>'
