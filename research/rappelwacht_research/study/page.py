"""The page about many matches: one file of HTML, with its style and its plots in it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil
from pathlib import Path
from typing import Final

from companion.i18n.translate import LANGUAGES, name, say
from companion.present import plots
from companion.system.text import SeatName, Text, seat_word
from rappelwacht_research.study import text as words
from rappelwacht_research.study.findings import (
    Bins,
    ShareInterval,
    StudyFindings,
    spread,
    width_for,
)

WIDE, LEFT, RIGHT = 480, 44, 470
TOP, BOTTOM, HIGH = 26, 200, 246
ROW, NAMED = 40, 92
LINES: Final = 5  # at most, across a histogram
LABELS: Final = 9  # at most, below it


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A share by its name."""

    name: str
    share: ShareInterval
    kind: str = ""  # as the page's style calls its colour


@dataclass(frozen=True, slots=True)
class Axes:
    """What runs along a histogram, and what is counted in it."""

    x: str
    y: str


def histogram(parts: Sequence[Bins], axes: Axes, told: str, mark: int | None = None) -> str:
    """Draw bins, several kinds of them upon each other, and a line at one value."""
    first, sums = parts[0], [sum(both) for both in zip(*(one.counts for one in parts), strict=True)]
    each, scale = (RIGHT - LEFT) / len(sums), (BOTTOM - TOP) / max(sums)
    drawn = list(_rungs(max(sums), scale))
    feet = [float(BOTTOM)] * len(sums)
    for layer, one in enumerate(parts):
        for place, count in enumerate(one.counts):
            feet[place] -= count * scale
            left = LEFT + place * each + 1
            drawn.append(
                plots.rect(f"bar layer{layer}", left, feet[place], each - 2, count * scale)
            )
    drawn.append(plots.line("axis", LEFT, BOTTOM, RIGHT, BOTTOM))
    drawn += _values(first, each)
    if mark is not None:
        drawn += _mark(LEFT + (mark + 0.5 - first.start) / first.width * each, BOTTOM)
    drawn.append(plots.text("soft", (LEFT + RIGHT) / 2, HIGH - 8, axes.x))
    drawn.append(plots.text("soft", 2, 12, axes.y, "start"))
    return plots.plot("histogram", WIDE, HIGH, told, drawn)


def shares_plot(rows: Sequence[StudyRow], fair: float, told: str) -> str:
    """Draw shares with their intervals, below each other, and a line at the fair one."""
    most = max(fair, *(row.share.high for row in rows))
    step = 0.05 if most <= 0.3 else 0.1 if most <= 0.6 else 0.25
    end = min(1.0, ceil(most / step) * step)
    foot = TOP + ROW * len(rows)

    def x(share: float) -> float:
        return NAMED + (RIGHT - 14 - NAMED) * share / end

    drawn = []
    for tick in range(round(end / step) + 1):
        at = x(tick * step)
        drawn.append(plots.line("grid", at, TOP, at, foot))
        drawn.append(plots.text("tick", at, foot + 18, f"{tick * step * 100:.0f} %"))
    drawn += _mark(x(fair), foot)
    for place, row in enumerate(rows):
        y = TOP + ROW * (place + 0.5)
        low, high = x(row.share.low), x(row.share.high)
        drawn += [
            f'<g class="{escape(row.kind)}">',
            plots.text("name", NAMED - 10, y + 5, row.name, "end"),
            plots.line("reach", low, y, high, y),
            *(plots.line("reach", end, y - 6, end, y + 6) for end in (low, high)),
            plots.circle("dot", x(row.share.share), y, 6),
            "</g>",
        ]
    return plots.plot("shares", WIDE, foot + 26, told, drawn)


def _rungs(most: int, scale: float) -> Iterable[str]:
    step = width_for([0, most], LINES)
    for count in range(0, most + 1, step):
        y = BOTTOM - count * scale
        yield plots.line("grid", LEFT, y, RIGHT, y)
        yield plots.text("tick", LEFT - 6, y + 4, str(count), "end")


def _values(one: Bins, each: float) -> Iterable[str]:
    """Write values below their bins: in the middle, or where a bin of several begins."""
    inside = each / 2 if one.width == 1 else 0.0
    for place in range(0, len(one.counts), ceil(len(one.counts) / LABELS)):
        x = LEFT + place * each + inside
        if not inside:
            yield plots.line("axis", x, BOTTOM, x, BOTTOM + 4)
        yield plots.text("tick", x, BOTTOM + 18, str(one.start + place * one.width))


def _mark(x: float, foot: float) -> Iterable[str]:
    """Draw a line that is seen on every ground."""
    yield plots.line("halo", x, TOP - 8, x, foot)
    yield plots.line("mark", x, TOP - 8, x, foot)


STYLE: Final = Path(__file__).with_name("page.css")


def page(found: StudyFindings, language: str) -> str:
    """Return the whole page."""
    title = escape(words.title(found, language))
    sections = [_lengths, _seats, _points]
    if found.subject.counted:
        sections.append(_counted_events)
    if len(found.players) > 1:
        sections.insert(2, _players)
    parts = [
        *("<!doctype html>", f'<html lang="{LANGUAGES[language].tag}">', '<meta charset="utf-8">'),
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>\n{STYLE.read_text('utf-8')}</style>",
        f"<h1>{title}</h1>",
        f"<p>{escape(words.played(found, language))}</p>",
        *("\n".join(["<section>", *make(found, language), "</section>"]) for make in sections),
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _lengths(found: StudyFindings, language: str) -> list[str]:
    heads = ["", *(say(word, language) for word in words.SPREAD)]
    rows = [
        [say(label, language), *words.cells(one, language)] for label, one in words.spreads(found)
    ]
    always = words.one_length(found, language)
    plot = _length_plot(found, language) if always is None else [f"<p>{escape(always)}</p>"]
    return [heading(words.LENGTHS, language), *plot, table(heads, rows)]


def _length_plot(found: StudyFindings, language: str) -> list[str]:
    median, unit = spread(found.lengths).median, say(found.subject.unit, language)
    told = Text("How many matches were that long: half of them at most {median}.", median=median)
    axes = Axes(unit, say(Text("matches"), language))
    plot = histogram([found.length_bins()], axes, say(told, language), median)
    dashed = Text("The dashed line is the median: half of the matches were at most that long.")
    return [plot, note(dashed, language)]


def _seats(found: StudyFindings, language: str) -> list[str]:
    drawn, rows = [], []
    for seat in found.seats:
        wins, called = found.wins(seat), name(SeatName(seat), language)
        drawn.append(StudyRow(called, wins, f"seat-{seat_word(seat)}"))
        points = words.give_or_take(found.points(seat), language)
        share, between = words.percent(wins.share, language), words.interval(wins, language)
        rows.append([called, share, between, points])
    fairness = words.fairness(found, language)
    heads = ["", say(words.WINS, language), "95 %", say(found.subject.points, language)]
    return [
        heading(words.SEATS, language),
        f"<p>{escape(fairness)}</p>",
        shares_plot(drawn, found.fair, fairness),
        note(words.INTERVALS, language),
        table(heads, rows),
    ]


def _players(found: StudyFindings, language: str) -> list[str]:
    wins = {player: found.wins_of(player) for player in found.players}
    drawn = [StudyRow(player, share) for player, share in wins.items()]
    shares = {player: words.percent(share.share, language) for player, share in wins.items()}
    told = ", ".join(f"{player} {share}" for player, share in shares.items())
    rows = [
        [player, shares[player], words.interval(share, language)] for player, share in wins.items()
    ]
    heads = ["", say(words.WINS, language), "95 %"]
    plot = shares_plot(drawn, found.fair, told)
    return [heading(words.PLAYERS, language), plot, table(heads, rows)]


def _points(found: StudyFindings, language: str) -> list[str]:
    about, winner = say(words.POINTS, language), spread(found.winners_points).median
    told = Text("{about}; half of all winners have at most {points}.", about=about, points=winner)
    axes = Axes(say(found.subject.points, language), say(Text("results"), language))
    plot = histogram(found.points_bins(), axes, say(told, language))
    keys = (
        f'<span class="key layer{layer}"></span>{escape(say(text, language))}'
        for layer, text in enumerate((words.WINNERS, words.OTHERS))
    )
    return [heading(words.POINTS, language), plot, f'<p class="soft">{"".join(keys)}</p>']


def _counted_events(found: StudyFindings, language: str) -> list[str]:
    heads = ["", say(words.WINNERS, language), say(words.OTHERS, language)]
    rows = [
        [say(event.said, language), *(name(mean, language) for mean in found.counted(number))]
        for number, event in enumerate(found.subject.counted)
    ]
    return [heading(words.COUNTED, language), table(heads, rows)]


def heading(text: Text, language: str) -> str:
    """Return what stands above a section."""
    return f"<h2>{escape(say(text, language))}</h2>"


def note(text: Text, language: str) -> str:
    """Return what explains a plot."""
    return f'<p class="soft">{escape(say(text, language))}</p>'


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table whose first column names its rows."""
    above = "".join(f'<th scope="col">{escape(head)}</th>' for head in heads)
    lines = [
        f'<tr><th scope="row">{escape(first)}</th>'
        + "".join(f"<td>{escape(cell)}</td>" for cell in cells)
        + "</tr>"
        for first, *cells in rows
    ]
    table = [f"<thead><tr>{above}</tr></thead>", "<tbody>", *lines, "</tbody>"]
    return "\n".join(['<div class="wide"><table>', *table, "</table></div>"])
