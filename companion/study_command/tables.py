"""What many matches tell, on a terminal: tables, and histograms made of letters."""

from __future__ import annotations

from typing import Final

from companion.present.screen import BOLD, INK, Screen
from companion.study_command import words
from companion.study_command.findings import Findings
from companion.text import SeatName

LABEL: Final = 26
COLUMN: Final = 8
BAR: Final = 56
EIGHTHS: Final = " ▏▎▍▌▋▊▉"
FULL, LIGHT = "█", "░"


def show(screen: Screen, found: Findings) -> None:
    """Show all of it."""
    screen.line(words.title(found, screen.language), BOLD)
    screen.lines(words.played(found, screen.language))
    _head(screen, "", *(f"{screen.say(word):>{COLUMN}}" for word in words.SPREAD))
    for label, spread in words.spreads(found):
        cells = words.cells(spread, screen.language)
        _row(screen, screen.say(label), *(f"{cell:>{COLUMN}}" for cell in cells))
    _lengths(screen, found)
    _points(screen, found)
    _seats(screen, found)
    _deeds(screen, found)


def _head(screen: Screen, *cells: str) -> None:
    screen.line()
    screen.line(f"{cells[0]:{LABEL}}{''.join(cells[1:])}".rstrip(), BOLD)


def _row(screen: Screen, label: str, *cells: str, style: str = "") -> None:
    name = screen.paint(f"  {label:{LABEL - 2}}", style)
    screen.line(f"{name}{''.join(cells)}".rstrip())


def _lengths(screen: Screen, found: Findings) -> None:
    if words.one_length(found, screen.language) is not None:
        return  # the table has said it
    _head(screen, f"{screen.say(words.LENGTHS)}: {screen.say(found.subject.unit)}")
    lengths = found.length_bins()
    for place, count in enumerate(lengths.counts):
        _bar(screen, lengths.named(place), count, 0, max(lengths.counts))


def _points(screen: Screen, found: Findings) -> None:
    legend = f"{FULL} {screen.say(words.WINNERS)} {LIGHT} {screen.say(words.OTHERS)}"
    points = screen.say(found.subject.points)
    _head(screen, f"{screen.say(words.POINTS)}: {points}   {legend}")
    winners, others = found.points_bins()
    pairs = list(zip(winners.counts, others.counts, strict=True))
    for place, (won, lost) in enumerate(pairs):
        _bar(screen, winners.named(place), won, lost, max(map(sum, pairs)))


def _bar(screen: Screen, name: str, full: int, light: int, most: int) -> None:
    """Show a bar of two parts, as fine as letters allow, and how many it stands for."""
    eighths = round(8 * BAR * full / most)
    bar = FULL * (eighths // 8)
    if light:
        bar += LIGHT * (round(BAR * (full + light) / most) - len(bar))
    else:
        bar += EIGHTHS[eighths % 8].strip()
    screen.line(f"{name:>9}  {bar} {full + light}")


def _seats(screen: Screen, found: Findings) -> None:
    language = screen.language
    columns = (screen.say(words.WINS), "95 %", screen.say(found.subject.points))
    _head(screen, screen.say(words.SEATS), "{:>10}{:>15}  {}".format(*columns))
    for seat in found.seats:
        wins, points = found.wins(seat), words.give_or_take(found.points(seat), language)
        cells = words.percent(wins.share, language), words.interval(wins, language), points
        ink = INK.get(seat, "")
        _row(screen, screen.name(SeatName(seat)), "{:>10}{:>15}  {}".format(*cells), style=ink)
    screen.lines(words.fairness(found, language), indent="  ")
    if len(found.players) > 1:
        _head(screen, screen.say(words.PLAYERS), f"{columns[0]:>10}{columns[1]:>15}")
        for player in found.players:
            wins = found.wins_of(player)
            cells = words.percent(wins.share, language), words.interval(wins, language), ""
            _row(screen, player, "{:>10}{:>15}".format(*cells))


def _deeds(screen: Screen, found: Findings) -> None:
    if not found.subject.deeds:
        return
    columns = screen.say(words.WINNERS), screen.say(words.OTHERS)
    _head(screen, screen.say(words.DEEDS), "{:>10}{:>10}".format(*columns))
    for number, deed in enumerate(found.subject.deeds):
        means = map(screen.name, found.deed(number))
        _row(screen, screen.say(deed.said), *(f"{cell:>10}" for cell in means))
