"""The page about many matches: one file of HTML, with its style and its plots in it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from companion.say import LANGUAGES, name, say
from companion.study_command import plots, words
from companion.study_command.figures import spread
from companion.study_command.findings import Findings
from companion.text import SeatName, Text, seat_word

STYLE: Final = Path(__file__).with_name("page.css")


def page(found: Findings, language: str) -> str:
    """Return the whole page."""
    title = escape(words.title(found, language))
    sections = [_lengths, _seats, _points]
    if found.subject.deeds:
        sections.append(_deeds)
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


def _lengths(found: Findings, language: str) -> list[str]:
    heads = ["", *(say(word, language) for word in words.SPREAD)]
    rows = [
        [say(label, language), *words.cells(one, language)] for label, one in words.spreads(found)
    ]
    always = words.one_length(found, language)
    plot = _length_plot(found, language) if always is None else [f"<p>{escape(always)}</p>"]
    return [heading(words.LENGTHS, language), *plot, table(heads, rows)]


def _length_plot(found: Findings, language: str) -> list[str]:
    median, unit = spread(found.lengths).median, say(found.subject.unit, language)
    told = Text("How many matches were that long: half of them at most {median}.", median=median)
    axes = plots.Axes(unit, say(Text("matches"), language))
    plot = plots.histogram([found.length_bins()], axes, say(told, language), median)
    dashed = Text("The dashed line is the median: half of the matches were at most that long.")
    return [plot, note(dashed, language)]


def _seats(found: Findings, language: str) -> list[str]:
    drawn, rows = [], []
    for seat in found.seats:
        wins, called = found.wins(seat), name(SeatName(seat), language)
        drawn.append(plots.Row(called, wins, f"seat-{seat_word(seat)}"))
        points = words.give_or_take(found.points(seat), language)
        share, between = words.percent(wins.share, language), words.interval(wins, language)
        rows.append([called, share, between, points])
    fairness = words.fairness(found, language)
    heads = ["", say(words.WINS, language), "95 %", say(found.subject.points, language)]
    return [
        heading(words.SEATS, language),
        f"<p>{escape(fairness)}</p>",
        plots.shares(drawn, found.fair, fairness),
        note(words.INTERVALS, language),
        table(heads, rows),
    ]


def _players(found: Findings, language: str) -> list[str]:
    wins = {player: found.wins_of(player) for player in found.players}
    drawn = [plots.Row(player, share) for player, share in wins.items()]
    shares = {player: words.percent(share.share, language) for player, share in wins.items()}
    told = ", ".join(f"{player} {share}" for player, share in shares.items())
    rows = [
        [player, shares[player], words.interval(share, language)] for player, share in wins.items()
    ]
    heads = ["", say(words.WINS, language), "95 %"]
    plot = plots.shares(drawn, found.fair, told)
    return [heading(words.PLAYERS, language), plot, table(heads, rows)]


def _points(found: Findings, language: str) -> list[str]:
    about, winner = say(words.POINTS, language), spread(found.winners_points).median
    told = Text("{about}; half of all winners have at most {points}.", about=about, points=winner)
    axes = plots.Axes(say(found.subject.points, language), say(Text("results"), language))
    plot = plots.histogram(found.points_bins(), axes, say(told, language))
    keys = (
        f'<span class="key layer{layer}"></span>{escape(say(text, language))}'
        for layer, text in enumerate((words.WINNERS, words.OTHERS))
    )
    return [heading(words.POINTS, language), plot, f'<p class="soft">{"".join(keys)}</p>']


def _deeds(found: Findings, language: str) -> list[str]:
    heads = ["", say(words.WINNERS, language), say(words.OTHERS, language)]
    rows = [
        [say(deed.said, language), *(name(mean, language) for mean in found.deed(number))]
        for number, deed in enumerate(found.subject.deeds)
    ]
    return [heading(words.DEEDS, language), table(heads, rows)]


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
