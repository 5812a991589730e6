"""The plots of the page about sensing, out of counts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import sqrt

from companion.present import plots
from companion.present.plots import Axis, Plot, PlotPoint
from research.bench._figures import LONG_MS, blameless, by_gap, by_span
from research.bench._odds import wilson
from research.bench._scoring import Look, Score, SetDown

FIFTHS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
NUMBERS = range(1, 14)


def percent(share: float) -> str:
    """Return a share as people read it.

    >>> percent(0.5)
    '50 %'
    """
    return f"{share * 100:g} %"


class Drawing(Plot):
    """A plot with bars, cells, words, and how far a figure may be off."""

    __slots__ = ()

    def reach(self, point: PlotPoint, look: str, reach: PlotPoint) -> None:
        """Draw a point, and from where to where it may truly lie."""
        x, low = self.at(point[0], reach[0])
        self.parts.append(plots.line(f"reach {look}", x, low, x, self.at(point[0], reach[1])[1]))
        self.dot(point, look)

    def bar(self, x: PlotPoint, y: PlotPoint, look: str) -> None:
        """Fill what lies between two values on either axis."""
        left, low = self.at(x[0], y[0])
        right, up = self.at(x[1], y[1])
        self.parts.append(plots.rect(f"fill {look}", left, up, right - left, low - up))

    def shade(self, x: PlotPoint, y: PlotPoint, depth: float) -> None:
        """Fill a cell more or less."""
        left, low = self.at(x[0], y[0])
        right, up = self.at(x[1], y[1])
        self.parts.append(
            f'<rect class="fill a" fill-opacity="{depth:.3f}" x="{left:.1f}" y="{up:.1f}"'
            f' width="{right - left - 1:.1f}" height="{low - up - 1:.1f}"/>'
        )

    def words(
        self, at: PlotPoint, words: str, look: str = "", *, down: float = 4, beside: bool = False
    ) -> None:
        """Write something at a point or beside it, "on" a filled one in another ink."""
        x, y = self.at(*at)
        anchor = "start" if beside else "middle"
        self.parts.append(plots.text(f"small {look}", x + 6 * beside, y + down, words, anchor))


def noticed(looks: Sequence[Look]) -> str:
    """Draw which share of looks is told, by how long the label could be read."""
    seconds = Axis(
        "how long the label could be read, s", 0.0, 1.4, (0.0, 0.25, 0.5, 0.75, 1.0, 1.25)
    )
    plot = Drawing(
        "Peeks that are noticed", seconds, Axis("share of peeks", 0.0, 1.0, FIFTHS, percent)
    )
    plot.name("a", "told as a foul")
    plot.name("c", "at least a warning")
    rows = by_span([look for look in looks if look.span_ms < 1400])
    for look, place in (("c", 2), ("a", 3)):
        hits = [(row[0] / 1000, row[place], row[1]) for row in rows]
        plot.line([(at, hit / of) for at, hit, of in hits], look)
        for at, hit, of in hits:
            plot.reach((at, hit / of), look, wilson(int(hit), of))
    return plot.svg()


def promptness(looks: Sequence[Look]) -> str:
    """Draw how soon peeks of half a second and more are told."""
    long = [look for look in looks if look.span_ms >= LONG_MS and not look.blind]
    most = 1000.0
    title = "How soon a peek of half a second or more is told"
    x = Axis("since the label became readable, ms", 0.0, most, (0, 200, 400, 600, 800, 1000))
    plot = Drawing(title, x, Axis("share of peeks", 0.0, 1.0, FIFTHS, percent))
    plot.name("a", "as a foul")
    plot.name("c", "as a warning")
    for look, times in (
        ("c", sorted(one.warned_ms for one in long if one.warned_ms is not None)),
        ("a", sorted(one.ruled_ms for one in long if one.ruled_ms is not None)),
    ):
        steps = [(0.0, 0.0)]
        for rank, at in enumerate(times, 1):
            steps += [(at, steps[-1][1]), (at, rank / len(long))]
        plot.line([*steps, (most, steps[-1][1])], look)
    return plot.svg()


def trade(sweep: Mapping[str, Score], standing: str) -> str:
    """Draw what every threshold of the peek rule would catch, and whom it would accuse."""
    rates = {
        name: 1000 * len(blameless(one.accusations, "foul")) / (one.handlings or 1)
        for name, one in sweep.items()
    }
    most = max(2.0, *rates.values()) * 1.3
    ticks = [_root(tick) for tick in (0, 1, 2, 5, 10, 20, 50, 100, 200, 500) if tick <= most]
    title, room = "false accusations in 1,000 handlings", _root(most)
    accused = Axis(title, -0.08 * room, room, ticks, lambda at: f"{at * at:.0f}")
    told = Axis("share told as a foul", 0.0, 1.0, FIFTHS, percent)
    plot = Drawing("What a stricter or laxer rule would do", accused, told, high=240)
    for look, words, low, high in (
        ("c", "of 0.25 to 0.4 s", 250.0, 400.0),
        ("a", "peeks of 0.5 s or more", LONG_MS, 1e9),
    ):
        plot.name(look, words)
        points: list[PlotPoint] = []
        for name, one in sweep.items():
            peeks = [p for p in one.looks if low <= p.span_ms < high and not p.blind]
            if peeks:
                caught = sum(p.ruled_ms is not None for p in peeks)
                points.append((_root(rates[name]), caught / len(peeks)))
                if name == standing:
                    plot.reach(points[-1], look, wilson(caught, len(peeks)))
                else:
                    plot.dot(points[-1], look)
        plot.line(points, look)
        if look == "a" and points:
            _label(plot, dict(zip(sweep, points, strict=False)), standing)
    return plot.svg()


def _label(plot: Drawing, points: Mapping[str, PlotPoint], standing: str) -> None:
    """Write the thresholds beside their points, where there is room; the one in use always."""
    written: list[PlotPoint] = []
    for name in (standing, *points):
        here = plot.at(*points[name]) if name in points else (0.0, 0.0)
        if all(abs(here[0] - x) + 3 * abs(here[1] - y) > 60 for x, y in written):
            written.append(here)
            words = f"{name} *" if name == standing else name
            plot.words(points.get(name, (0.0, 0.0)), words, beside=True, down=14)


def _root(rate: float) -> float:
    """Return where a rate stands on an axis that has room for small ones."""
    return sqrt(rate)


def seats(set_downs: Sequence[SetDown]) -> str:
    """Draw how often it is known who placed what, by how close set-downs were."""
    rows = [(low, counts) for low, counts in by_gap(set_downs) if counts]
    names = [_range(low, set_downs) for low, _ in rows]
    x = Axis(
        "time to the nearest other set-down, ms", 0, len(rows), [n + 0.5 for n in range(len(rows))]
    )
    x = Axis(x.name, 0, len(rows) or 1, x.ticks, lambda at: names[int(at)])
    plot = Drawing("Who placed which barrel", x, Axis("share", 0.0, 1.0, FIFTHS, percent))
    for look, words in (("a", "known"), ("c", "asked"), ("b", "certain, and wrong")):
        plot.name(look, words)
    for place, (_, counts) in enumerate(rows):
        low, of = 0.0, counts.total()
        for look, outcomes in (("a", ("right",)), ("c", ("asked", "silent")), ("b", ("wrong",))):
            high = low + sum(counts[one] for one in outcomes) / of
            if high > low:
                plot.bar((place + 0.08, place + 0.92), (low, high), look)
            low = high
        plot.words((place + 0.5, 0.0), f"n={of}", "on", down=-6)
    return plot.svg()


def _range(low: int, set_downs: Sequence[SetDown]) -> str:
    bounds = [bound for bound, _ in by_gap(set_downs)]
    above = dict(pairwise(bounds)).get(low)
    return f"{low}+" if above is None else f"{low}–{above}"


def weights(grams: Mapping[int, Sequence[float]], title: str) -> str:
    """Draw the weights that barrels of each number were found to have, above the lightest."""
    every = [one for found in grams.values() for one in found]
    least, most = int(min(every)), int(max(every)) + 1
    step = (most - least) / (130 if len(every) > 13 * 40 else 65)
    counts = {
        number: Counter(int((one - least) / step) for one in found)
        for number, found in grams.items()
    }
    top = max(max(one.values()) for one in counts.values() if one) * 1.18
    ticks = [tick for tick in range(least, most + 1) if (most - least) <= 6 or tick % 2 == 0]
    plot = Drawing(
        title, Axis("weight of the stones, g", least, most, ticks), Axis("barrels", 0, top, ())
    )
    for number, found in counts.items():
        for cell, count in found.items():
            at = least + cell * step
            plot.bar((at, at + step), (0, count), ("a soft", "c soft")[number % 2])
        if found:
            middle = sum(grams[number]) / len(grams[number])
            plot.words((middle, max(found.values())), str(number), down=-4)
    return plot.svg()


def confusion(counts: Mapping[tuple[int, int], int], title: str) -> str:
    """Draw which number a barrel was taken for: (true, taken for) and how often."""
    ticks = [number + 0.5 for number in range(13)]

    def shown(at: float) -> str:
        return str(int(at) + 1)

    x = Axis("number it is taken for", 0, 13, ticks, shown)
    plot = Drawing(title, x, Axis("true number", 0, 13, ticks, shown), high=352)
    for true in NUMBERS:
        of = sum(counts.get((true, taken), 0) for taken in NUMBERS)
        for taken in NUMBERS:
            count = counts.get((true, taken), 0)
            if not count:
                continue
            part = count / of
            plot.shade((taken - 1, taken), (true - 1, true), 0.12 + 0.6 * part)
            label = f"{100 * part:.0f}" if part >= 0.005 else "<"
            plot.words((taken - 0.5, true - 0.5), label)
    return plot.svg()
