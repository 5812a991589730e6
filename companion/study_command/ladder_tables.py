"""The ladder as a table in the terminal, and as a page with plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from companion.present.levels import level_name
from companion.present.page import title_of
from companion.present.screen import BOLD, Screen
from companion.say import LANGUAGES, say
from companion.study_command import plots, words
from companion.study_command.ladder import Ladder
from companion.study_command.page import STYLE, note, table
from companion.text import Text

LABEL: Final = 26
COLUMN: Final = 13
TITLE: Final = Text("How strong the levels are")
WINS: Final = Text("How often the player of each row beats the player of each column")


def show(screen: Screen, ladders: Sequence[Ladder]) -> None:
    """Show tables."""
    for ladder in ladders:
        screen.line()
        screen.line(_title(ladder, screen.language), BOLD)
        names = [screen.say(level_name(level)) for level in ladder.levels[1:]]
        screen.line(f"{'':{LABEL}}{''.join(f'{name:>{COLUMN}.{COLUMN - 1}}' for name in names)}")
        for level, *cells in _rows(ladder, screen.language):
            screen.line(f"  {level:{LABEL - 2}}{''.join(f'{cell:>{COLUMN}}' for cell in cells)}")
        for line in _rungs(ladder, screen.language):
            screen.lines(line, indent="  ")


def _title(ladder: Ladder, language: str) -> str:
    text = Text("{game}, {seats} at a table", game=title_of(ladder.game), seats=ladder.seats)
    return say(text, language)


def _rows(ladder: Ladder, language: str) -> Iterator[list[str]]:
    for place, better in enumerate(ladder.levels[:-1]):
        found = [ladder.between(better, worse) for worse in ladder.levels[place + 1 :]]
        cells = [words.percent(duel.won.share, language) for duel in found]
        yield [say(level_name(better), language), *[""] * place, *cells]


def _rungs(ladder: Ladder, language: str) -> Iterator[str]:
    for rung in ladder.rungs:
        yield say(
            Text(
                "{better} beats {worse}: {share}, with 95 % certainty {interval}.",
                better=level_name(rung.better),
                worse=level_name(rung.worse),
                share=words.percent(rung.won.share, language),
                interval=words.interval(rung.won, language),
            ),
            language,
        )


def page(ladders: Sequence[Ladder], matches: int, seed: int, language: str) -> str:
    """Return the whole page."""
    title = escape(say(TITLE, language))
    about = Text(
        "Each level played every other one {count} times: with the same number of seats, swapped "
        "in turn, and the same luck; seed {seed} repeats it. A dot is what was found, the line "
        "around it is where the truth lies in 95 of 100 cases; the dashed line means equally "
        "strong.",
        count=matches,
        seed=seed,
    )
    parts = [
        *("<!doctype html>", f'<html lang="{LANGUAGES[language].tag}">', '<meta charset="utf-8">'),
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>\n{STYLE.read_text('utf-8')}</style>",
        f"<h1>{title}</h1>",
        f"<p>{escape(say(about, language))}</p>",
        *("\n".join(["<section>", *_section(one, language), "</section>"]) for one in ladders),
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _section(ladder: Ladder, language: str) -> list[str]:
    drawn = [plots.Row(say(level_name(rung.better), language), rung.won) for rung in ladder.rungs]
    told = " ".join(_rungs(ladder, language))
    heads = ["", *(say(level_name(level), language) for level in ladder.levels[1:])]
    return [
        f"<h2>{escape(_title(ladder, language))}</h2>",
        plots.shares(drawn, 0.5, told),
        note(Text("Each against the next lower level."), language),
        table(heads, [*_rows(ladder, language)]),
        note(WINS, language),
    ]
