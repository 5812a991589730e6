"""The ladder: how often each level of players beats each other one, in equal company.

Both play as many seats, and all move on by a seat after each match, with the same chance.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from html import escape
from itertools import combinations, islice
from typing import Any, Final

from companion.core.game import Game
from companion.core.players.levels import level_name, level_names
from companion.i18n.translate import LANGUAGES, say
from companion.present.page import title_of
from companion.present.terminal import BOLD, TerminalScreen
from companion.system.text import Text
from rappelwacht_research.study import page as plots
from rappelwacht_research.study import text as words
from rappelwacht_research.study.findings import ShareInterval, share
from rappelwacht_research.study.match import Part, PlayedMatch, Plays, here, one_match
from rappelwacht_research.study.page import STYLE, note, table

COMPANIES: Final = (2, 4)  # this many at a table


@dataclass(frozen=True, slots=True)
class Duel:
    """How often the better of two levels has won."""

    better: str
    worse: str
    won: ShareInterval


@dataclass(frozen=True, slots=True)
class Ladder:
    """All levels of a game against one another, so many at a table; the best first."""

    game: str
    seats: int
    levels: tuple[str, ...]
    duels: tuple[Duel, ...]

    @property
    def rungs(self) -> tuple[Duel, ...]:
        """Return those between neighbours, from above."""
        steps = zip(self.levels, self.levels[1:], strict=False)
        return tuple(self.between(better, worse) for better, worse in steps)

    def between(self, better: str, worse: str) -> Duel:
        """Return a duel; who is named first is the better one."""
        return next(duel for duel in self.duels if (duel.better, duel.worse) == (better, worse))

    def figures(self) -> dict[str, Any]:
        """Return all of it, to be written as JSON."""
        found: dict[str, dict[str, Any]] = {}
        for duel in self.duels:
            found.setdefault(duel.better, {})[duel.worse] = asdict(duel.won)
        return {"game": self.game, "seats": self.seats, "beats": found}


def climbed(game: Game[Any], matches: int, seed: int, plays: Plays = here) -> Ladder:
    """Have all levels play so many matches against each other one."""
    levels = level_names(game.name)
    pairs = [*combinations(levels, 2)]
    found = plays(part for pair in pairs for part in _duel(game, pair, matches, seed))
    duels = tuple(Duel(*pair, _won(pair[0], islice(found, matches))) for pair in pairs)
    return Ladder(game.name, len(game.seats), levels, duels)


def share_won(game: Game[Any], pair: Sequence[str], matches: int, seed: int) -> ShareInterval:
    """Return how often the first of two levels wins against the other one."""
    return _won(pair[0], here(_duel(game, pair, matches, seed)))


def _duel(game: Game[Any], pair: Sequence[str], matches: int, seed: int) -> Iterator[Part]:
    for players, luck in _seatings(pair, len(game.seats), matches):
        yield one_match(game, players, f"{seed} {luck}")


def _won(better: str, played: Iterable[PlayedMatch]) -> ShareInterval:
    won, over = 0.0, 0
    for match in played:
        if match.outcome is not None:
            scores, winners = match.outcome.scores, match.outcome.winners
            who = {seat: one for (seat, _), one in zip(scores, match.players, strict=True)}
            over += 1
            won += sum(who[seat] == better for seat in winners) / len(winners)
    return share(won, max(1, over))


def _seatings(
    pair: Sequence[str], seats: int, matches: int
) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield who sits where, and which chance they have: the same once for either half.

    >>> [*_seatings("ab", 4, 3)]
    [(('a', 'b', 'a', 'b'), 0), (('b', 'a', 'b', 'a'), 0), (('a', 'b', 'a', 'b'), 1)]
    """
    for number in range(matches):
        yield tuple(pair[(seat + number) % 2] for seat in range(seats)), number // 2


LABEL: Final = 26
COLUMN: Final = 13
TITLE: Final = Text("How strong the levels are")
WINS: Final = Text("How often the player of each row beats the player of each column")


def show(screen: TerminalScreen, ladders: Sequence[Ladder]) -> None:
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
    drawn = [
        plots.StudyRow(say(level_name(rung.better), language), rung.won) for rung in ladder.rungs
    ]
    told = " ".join(_rungs(ladder, language))
    heads = ["", *(say(level_name(level), language) for level in ladder.levels[1:])]
    return [
        f"<h2>{escape(_title(ladder, language))}</h2>",
        plots.shares_plot(drawn, 0.5, told),
        note(Text("Each against the next lower level."), language),
        table(heads, [*_rows(ladder, language)]),
        note(WINS, language),
    ]
