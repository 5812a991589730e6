"""The words of the commands of the simulated table's link: `sim`, `replay-link` and `tune`."""

from __future__ import annotations

from companion.outputs.terminal.parser import ROUNDS, SEEDS, Parser
from companion.say import say
from companion.text import Text


def sim(language: str) -> Parser:
    about = say(
        Text("A script or bots at a simulated table: what hands do, what the host hears of it."),
        language,
    )
    parser = Parser(language, "sim", about)
    text, option = parser.text, parser.option
    option(
        "--script", metavar=text("FILE"), help=text("what hands do; otherwise one round that ships")
    )
    _add_bots(parser)
    add_world(parser)
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


def add_world(parser: Parser) -> None:
    parser.option(
        "--world",
        metavar=parser.text("WORLD"),
        help=parser.text(
            "honest: sensors, pads and people as real ones are, kind: ideal ones; or only some "
            "traits, such as foot,pads; otherwise honest"
        ),
    )


def replay_link(language: str) -> Parser:
    about = say(Text("Show what the host heard when a link was recorded."), language)
    parser = Parser(language, "replay-link", about)
    text = parser.text
    parser.named.add_argument("file", metavar=text("FILE"), help=text("the recording"))
    return parser


def tune(language: str) -> Parser:
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
