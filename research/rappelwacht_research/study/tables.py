"""What many matches tell, on a terminal: tables, and histograms made of letters."""

from typing import Final

from companion.present.terminal import BOLD, INK, TerminalScreen
from companion.system.text import SeatName
from rappelwacht_research.study import text
from rappelwacht_research.study.findings import StudyFindings

LABEL: Final = 26
COLUMN: Final = 8
BAR: Final = 56
EIGHTHS: Final = " ▏▎▍▌▋▊▉"
FULL, LIGHT = "█", "░"


def show(screen: TerminalScreen, found: StudyFindings) -> None:
    """Show all of it."""
    screen.line(text.title(found, screen.language), BOLD)
    screen.lines(text.played(found, screen.language))
    _head(screen, "", *(f"{screen.say(word):>{COLUMN}}" for word in text.SPREAD))
    for label, spread in text.spreads(found):
        cells = text.cells(spread, screen.language)
        _row(screen, screen.say(label), *(f"{cell:>{COLUMN}}" for cell in cells))
    _lengths(screen, found)
    _points(screen, found)
    _seats(screen, found)
    _counted_events(screen, found)


def _head(screen: TerminalScreen, *cells: str) -> None:
    screen.line()
    screen.line(f"{cells[0]:{LABEL}}{''.join(cells[1:])}".rstrip(), BOLD)


def _row(screen: TerminalScreen, label: str, *cells: str, style: str = "") -> None:
    name = screen.paint(f"  {label:{LABEL - 2}}", style)
    screen.line(f"{name}{''.join(cells)}".rstrip())


def _lengths(screen: TerminalScreen, found: StudyFindings) -> None:
    if text.one_length(found, screen.language) is not None:
        return  # the table has said it
    _head(screen, f"{screen.say(text.LENGTHS)}: {screen.say(found.subject.unit)}")
    lengths = found.length_bins()
    for place, count in enumerate(lengths.counts):
        _bar(screen, lengths.named(place), count, 0, max(lengths.counts))


def _points(screen: TerminalScreen, found: StudyFindings) -> None:
    legend = f"{FULL} {screen.say(text.WINNERS)} {LIGHT} {screen.say(text.OTHERS)}"
    points = screen.say(found.subject.points)
    _head(screen, f"{screen.say(text.POINTS)}: {points}   {legend}")
    winners, others = found.points_bins()
    pairs = list(zip(winners.counts, others.counts, strict=True))
    for place, (won, lost) in enumerate(pairs):
        _bar(screen, winners.named(place), won, lost, max(map(sum, pairs)))


def _bar(screen: TerminalScreen, name: str, full: int, light: int, most: int) -> None:
    """Show a bar of two parts, as fine as letters allow, and how many it stands for."""
    eighths = round(8 * BAR * full / most)
    bar = FULL * (eighths // 8)
    if light:
        bar += LIGHT * (round(BAR * (full + light) / most) - len(bar))
    else:
        bar += EIGHTHS[eighths % 8].strip()
    screen.line(f"{name:>9}  {bar} {full + light}")


def _seats(screen: TerminalScreen, found: StudyFindings) -> None:
    language = screen.language
    columns = (screen.say(text.WINS), "95 %", screen.say(found.subject.points))
    _head(screen, screen.say(text.SEATS), "{:>10}{:>15}  {}".format(*columns))
    for seat in found.seats:
        wins, points = found.wins(seat), text.give_or_take(found.points(seat), language)
        cells = text.percent(wins.share, language), text.interval(wins, language), points
        ink = INK.get(seat, "")
        _row(screen, screen.name(SeatName(seat)), "{:>10}{:>15}  {}".format(*cells), style=ink)
    screen.lines(text.fairness(found, language), indent="  ")
    if len(found.players) > 1:
        _head(screen, screen.say(text.PLAYERS), f"{columns[0]:>10}{columns[1]:>15}")
        for player in found.players:
            wins = found.wins_of(player)
            cells = text.percent(wins.share, language), text.interval(wins, language), ""
            _row(screen, player, "{:>10}{:>15}".format(*cells))


def _counted_events(screen: TerminalScreen, found: StudyFindings) -> None:
    if not found.subject.counted:
        return
    columns = screen.say(text.WINNERS), screen.say(text.OTHERS)
    _head(screen, screen.say(text.COUNTED), "{:>10}{:>10}".format(*columns))
    for number, event in enumerate(found.subject.counted):
        means = map(screen.name, found.counted(number))
        _row(screen, screen.say(event.said), *(f"{cell:>10}" for cell in means))
