"""The commands of researchers, such as `study`: what may be typed, and where each is found.

The entry points of the group `rappelwacht.commands` name them; each is imported when it is used.
"""

from argparse import Namespace
from functools import partial
from importlib import import_module
from typing import Final

from companion.cli.options import ExtraCommand, add_hubs, add_world
from companion.cli.parser import GAMES as MATCHES
from companion.cli.parser import ROUNDS, SEEDS, Parser
from companion.core.plugin import GAMES
from companion.i18n.translate import say
from companion.present.terminal import TerminalScreen
from companion.system.text import Text


def _tune(language: str) -> Parser:
    """Return what reads the command `tune`."""
    about = say(
        Text("Show what sensing finds in a recording, as it is and with other settings."), language
    )
    parser = Parser(language, "tune", about)
    text = parser.text
    parser.named.add_argument("file", metavar=text("FILE"), help=text("the recording"))
    parser.named.add_argument(
        "changes",
        metavar=text("CHANGE"),
        nargs="*",
        default=(),
        help=text("such as peeking.foul_ms=400; any number of them"),
    )
    parser.option(
        "--choosing",
        metavar="A-B",
        type=parser.span,
        help=text(
            "during which seconds everybody is choosing, such as 12.5-40; otherwise all the time"
        ),
    )
    return parser


def _study(language: str) -> Parser:
    """Return what reads the command `study`."""
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
        type=parser.number(0, MATCHES),
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


def _solve(language: str) -> Parser:
    """Return what reads the command `solve`."""
    about = say(
        Text("Work out what every position of Zapp Zerapp for two is worth, for the coach."),
        language,
    )
    parser = Parser(language, "solve", about)
    text, option = parser.text, parser.option
    parser.named.add_argument(
        "seats", metavar="A,B", type=parser.colours, help=text("who plays, such as red,blue")
    )
    option(
        "--board",
        metavar=text("RING"),
        help=text("three-before-city, or a file such as ring.toml; otherwise the usual ring"),
    )
    option(
        "--folder",
        metavar=text("FOLDER"),
        help=text("where the file is put; otherwise where the coach looks for it"),
    )
    option("--packed", action="store_true", help=text("small, as the program ships it"))
    return parser


def _sim(language: str) -> Parser:
    """Return what reads the command `sim`."""
    about = say(
        Text("A script or bots at a simulated table: what hands do, what the host hears of it."),
        language,
    )
    parser = Parser(language, "sim", about)
    text, option = parser.text, parser.option
    option(
        "--script",
        metavar=text("FILE"),
        help=text("what hands do; otherwise one round that comes with it"),
    )
    _add_bots(parser)
    add_world(parser)
    add_hubs(parser)
    option(
        "--seed",
        metavar="N",
        type=parser.number(0, SEEDS),
        help=text("repeat an evening: the same number and script give the same bytes"),
    )
    option("--record", metavar=text("FILE"), help=text("write every byte of the link to this file"))
    option(
        "--speed",
        metavar="X",
        type=parser.speed,
        default=0.0,
        help=text("1: as fast as a clock, 2: twice that; otherwise max, as fast as can be"),
    )
    return parser


def _add_bots(parser: Parser) -> None:
    parser.option(
        "--bots",
        metavar="N",
        type=parser.number(0, 99),
        help=parser.text("2 to 4 bots play rounds, each with a temperament, instead of a script"),
    )
    parser.option(
        "--rounds",
        metavar="R",
        type=parser.number(0, ROUNDS),
        help=parser.text("how many rounds the bots play; otherwise 3"),
    )


def _replay_link(language: str) -> Parser:
    """Return what reads the command `replay-link`."""
    about = say(Text("Show what the host heard when a link was recorded."), language)
    parser = Parser(language, "replay-link", about)
    text = parser.text
    parser.named.add_argument("file", metavar=text("FILE"), help=text("the recording"))
    return parser


def _run(module: str, name: str, options: Namespace, screen: TerminalScreen) -> int:
    command = getattr(import_module(f"rappelwacht_research.{module}"), name)
    return int(command(options, screen))


STUDY: Final = ExtraCommand(_study, partial(_run, "study", "study"))
SOLVE: Final = ExtraCommand(_solve, partial(_run, "solve", "solve"))
TUNE: Final = ExtraCommand(_tune, partial(_run, "tune", "tune"))
SIM: Final = ExtraCommand(_sim, partial(_run, "sim", "sim"))
REPLAY_LINK: Final = ExtraCommand(_replay_link, partial(_run, "sim", "replay_link"))
