"""The commands of researchers, such as `study`: what may be typed, and where each is found.

The entry points of the group `rappelwacht.commands` name them; each is imported when it is used.
"""

import argparse
import re
from collections.abc import Callable
from typing import Final

from companion.cli.options import FILE, FOLDER, TerminalCommand, add_hubs, add_world
from companion.cli.parser import GAMES as MATCHES
from companion.cli.parser import SEEDS, Parser
from companion.core.plugin import GAMES
from companion.i18n.translate import say
from companion.system.text import Text


def _tune(parser: Parser) -> None:
    parser.describe(
        Text("Show what sensing finds in a recording, as it is and with other settings.")
    )
    parser.argument("file", FILE, Text("the recording"))
    changes = Text("such as peeking.foul_ms=400; any number of them")
    parser.argument("changes", Text("CHANGE"), changes, nargs="*", default=())
    choosing = Text(
        "during which seconds everybody is choosing, such as 12.5-40; otherwise all the time"
    )
    parser.option("--choosing", "A-B", choosing, type=_span(parser))


def _span(parser: Parser) -> Callable[[str], tuple[int, int]]:
    """Return what reads from when to when, in microseconds, of two times in seconds."""

    def span(word: str) -> tuple[int, int]:
        times = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)-(\d{1,6}(?:\.\d{1,6})?)", word)
        if times and float(times[1]) < float(times[2]):
            return round(float(times[1]) * 1e6), round(float(times[2]) * 1e6)
        fault = Text("'{word}' is not a span of seconds; write, for example, 12.5-40.", word=word)
        raise argparse.ArgumentTypeError(say(fault, parser.language))

    return span


def _study(parser: Parser) -> None:
    parser.describe(
        Text("Have the companion's players play a game many times: how long it is, and how fair.")
    )
    parser.argument("game", Text("GAME"), Text("{names:and}", names=tuple(GAMES)), nargs="?")
    parser.number("--games", 0, MATCHES, Text("how many matches; otherwise 100"), default=100)
    players = Text("who plays, such as casual,casual,child; otherwise four casual ones")
    parser.option("--players", "A,B", players)
    ladder = Text("how often each level beats every other one; for all games, if none is named")
    parser.flag("--ladder", about=ladder)
    parser.number("--seed", 0, SEEDS, Text("the same number gives the same matches"))
    scheduler = Text("a Dask scheduler, whose workers play; otherwise this computer plays")
    parser.option("--scheduler", Text("ADDRESS"), scheduler)
    parser.flag("--json", about=Text("only the figures, as one JSON object"))
    page = Text("also write a page with plots there: study-{game}.html", game=Text("GAME"))
    parser.option("--folder", FOLDER, page)


def _solve(parser: Parser) -> None:
    parser.describe(
        Text("Work out what every position of Zapp Zerapp for two is worth, for the coach.")
    )
    parser.argument("seats", "A,B", Text("who plays, such as red,blue"), type=parser.colours)
    board = Text("three-before-city, or a file such as ring.toml; otherwise the usual ring")
    parser.option("--board", Text("RING"), board)
    folder = Text("where the file is put; otherwise where the coach looks for it")
    parser.option("--folder", FOLDER, folder)
    parser.flag("--packed", about=Text("small, as the program ships it"))


def _sim(parser: Parser) -> None:
    parser.describe(
        Text("A script or bots at a simulated table: what hands do, what the host hears of it.")
    )
    script = Text("what hands do; otherwise one round that comes with it")
    parser.option("--script", FILE, script)
    bots = Text("2 to 4 bots play rounds, each with a temperament, instead of a script")
    parser.number("--bots", 0, 99, bots)
    rounds = Text("how many rounds the bots play; otherwise 3")
    parser.option("--rounds", "R", rounds, type=parser.whole(0, 1_000))
    add_world(parser)
    add_hubs(parser)
    seed = Text("repeat an evening: the same number and script give the same bytes")
    parser.number("--seed", 0, SEEDS, seed)
    parser.option("--record", FILE, Text("write every byte of the link to this file"))
    speed = Text("1: as fast as a clock, 2: twice that; otherwise max, as fast as can be")
    parser.option("--speed", "X", speed, type=parser.speed, default=0.0)


def _replay_link(parser: Parser) -> None:
    parser.describe(Text("Show what the host heard when a link was recorded."))
    parser.argument("file", FILE, Text("the recording"))


STUDY: Final = TerminalCommand(_study, "rappelwacht_research.study:study")
SOLVE: Final = TerminalCommand(_solve, "rappelwacht_research.solve:solve")
TUNE: Final = TerminalCommand(_tune, "rappelwacht_research.tune:tune")
SIM: Final = TerminalCommand(_sim, "rappelwacht_research.sim:sim")
REPLAY_LINK: Final = TerminalCommand(_replay_link, "rappelwacht_research.sim:replay_link")
