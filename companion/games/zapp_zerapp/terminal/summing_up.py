"""What a match came to, shown after its end: a table, who shook best, and how the table ruled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.games.zapp_zerapp.rules import CITY, place
from companion.games.zapp_zerapp.summary import Player, Summary
from companion.present.foul_words import foul_word, seat_of
from companion.present.screen import BOLD, INK, Screen
from companion.referee.summary import Fouls
from companion.text import Text

LABEL: Final = 8
COLUMN: Final = 10


def show(screen: Screen, summary: Summary) -> None:
    """Show what a match came to."""
    show_counts(screen, summary.rounds, summary.players)
    if summary.best:
        screen.tell(
            "{best:and} {best:#has|have} shaken best: {lost} stones lost per spell; one that was "
            "too much loses the whole magic number.",
            best=summary.best,
            lost=float(summary.of(summary.best[0]).lost_by or 0),
        )
    for fouls in summary.fouls:
        _foul(screen, fouls)


def show_counts(screen: Screen, rounds: int, players: Sequence[Player]) -> None:
    """Show what can be counted, one line for each player."""
    screen.tell(
        "{rounds} {rounds:#round|rounds}, {banished} {banished:#banishment|banishments}, "
        "{taken} taken along.",
        rounds=rounds,
        banished=sum(player.banished for player in players),
        taken=sum(player.took for player in players),
    )
    screen.line()
    _table(screen, players)
    screen.line()
    screen.tell(
        "'short by': how many stones a barrel that worked fell short of the magic "
        "number, on average."
    )


def _table(screen: Screen, players: Sequence[Player]) -> None:
    heads = (
        Text("worked"),
        Text("too much"),
        Text("short by"),
        Text("banished"),
        Text("sent back"),
        Text("with it"),
    )
    cells = [*(screen.say(head) for head in heads), screen.say(place(CITY))]
    screen.line(" " * LABEL + _row(cells), BOLD)
    for player in players:
        name = f"  {screen.name(player.seat):{LABEL - 2}}"
        screen.line(screen.paint(name, INK[player.seat]) + _row(_cells(screen, player)))


def _row(cells: list[str]) -> str:
    return "".join(f"{cell:>{COLUMN}}" for cell in cells)


def _cells(screen: Screen, player: Player) -> list[str]:
    short = "·" if player.short_by is None else screen.name(float(player.short_by))
    counts = (player.banished, player.sent_back, player.took, player.home)
    return [str(player.worked), str(player.failed), short, *map(str, counts)]


def _foul(screen: Screen, fouls: Fouls) -> None:
    seat = seat_of(fouls.seat)
    screen.tell(
        "{who} – {foul}: raised {raised} {raised:#time|times}, upheld {upheld}, dismissed "
        "{dismissed}.",
        who=screen.say(Text("Seat unknown")) if seat is None else seat,
        foul=foul_word(fouls.code, screen),
        raised=fouls.raised,
        upheld=fouls.upheld,
        dismissed=fouls.dismissed,
    )
