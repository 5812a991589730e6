"""The words of the command `study`, and their help."""

from __future__ import annotations

from companion.core.kit import GAMES
from companion.outputs.terminal.parser import GAMES as MOST_GAMES
from companion.outputs.terminal.parser import SEEDS, Parser
from companion.say import say
from companion.text import Text


def study(language: str) -> Parser:
    """Return what reads the command."""
    about = say(
        Text("Have the companion's players play a game many times: how long it is, and how fair."),
        language,
    )
    parser = Parser(language, "study", about)
    text, option = parser.text, parser.option
    parser.named.add_argument(
        "game", nargs="?", metavar=text("GAME"), help=text("{names:and}", names=tuple(GAMES))
    )
    option(
        "--games",
        metavar="N",
        type=parser.number(0, MOST_GAMES),
        default=100,
        help=text("how many matches; otherwise 100"),
    )
    option(
        "--players",
        metavar="A,B",
        help=text("who plays, such as casual,casual,child; otherwise four casual ones"),
    )
    option(
        "--ladder",
        action="store_true",
        help=text("how often each level beats every other one; for all games, if none is named"),
    )
    option(
        "--seed",
        metavar="N",
        type=parser.number(0, SEEDS),
        help=text("the same number gives the same matches"),
    )
    option(
        "--scheduler",
        metavar=text("ADDRESS"),
        help=text("a Dask scheduler, whose workers play; otherwise this computer plays"),
    )
    option("--json", action="store_true", help=text("only the figures, as one JSON object"))
    option(
        "--folder",
        metavar=text("FOLDER"),
        help=text("also write a page with plots there: study-{game}.html", game=text("GAME")),
    )
    return parser
