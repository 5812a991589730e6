"""The words of the commands that keep a table well, and their help."""

from __future__ import annotations

from companion.outputs.terminal.parser import PORTS, Parser
from companion.say import say
from companion.text import Text


def doctor(language: str) -> Parser:
    """Return what reads the command `doctor`."""
    about = say(
        Text("Check everything, and say what is wrong and the one thing to do about it."),
        language,
    )
    parser = Parser(language, "doctor", about)
    text, option = parser.text, parser.option
    option("--config", metavar=text("FILE"), help=text("how the table is wired, as TOML"))
    option(
        "--folder",
        metavar=text("FOLDER"),
        help=text("the folder of the table; otherwise that of '{program} table'"),
    )
    option(
        "--port",
        metavar="N",
        type=parser.number(1, PORTS),
        help=text("where phones find the pages; otherwise {usual}", usual="8000"),
    )
    option(
        "--listen",
        metavar="S",
        type=parser.number(0, 3600),
        default=12,
        help=text("how many seconds to listen to the stoppers; otherwise 12"),
    )
    option(
        "--stopper",
        metavar="N",
        type=parser.number(1, 13),
        help=text("try only this stopper, thoroughly; the screen says what to do with it"),
    )
    option(
        "--picture",
        metavar=text("FILE"),
        help=text("with --stopper: draw its load against its tilt, as SVG"),
    )
    option("--json", action="store_true", help=text("for programs"))
    return parser


def join(language: str) -> Parser:
    """Return what reads the command `join`."""
    about = say(
        Text("Have the table join a hall, with the code from its director's page."), language
    )
    parser = Parser(language, "join", about)
    text = parser.text
    parser.named.add_argument(
        "code", metavar=text("CODE"), nargs="?", help=text("begins with RW1-")
    )
    parser.option("--leave", action="store_true", help=text("leave the hall"))
    parser.option(
        "--folder",
        metavar=text("FOLDER"),
        help=text("the folder of the table; otherwise that of '{program} table'"),
    )
    return parser


def install(language: str) -> Parser:
    """Return what reads the command `install`."""
    about = say(Text("Install the table as a service that starts with the Pi."), language)
    parser = Parser(language, "install", about)
    text, option = parser.text, parser.option
    option("--hall", action="store_true", help=text("a hall of many tables instead of a table"))
    option(
        "--join",
        metavar=text("CODE"),
        help=text("have the table join a hall, with the code from its director's page"),
    )
    option("--hotspot", action="store_true", help=text("its own Wi-Fi where none is known"))
    option(
        "--keep-name",
        action="store_true",
        help=text("keep the Pi's name; otherwise phones find rappelwacht.local:8000"),
    )
    _add_where_and_when(parser)
    return parser


def roll_back(language: str) -> Parser:
    """Return what reads the command `roll-back`."""
    about = say(Text("Go back to the version that was installed before."), language)
    parser = Parser(language, "roll-back", about)
    _add_where_and_when(parser)
    return parser


def uninstall(language: str) -> Parser:
    """Return what reads the command `uninstall`."""
    about = say(Text("Remove the service; what was played stays."), language)
    parser = Parser(language, "uninstall", about)
    purge = parser.text("remove what was played, too, and the configuration")
    parser.option("--purge", action="store_true", help=purge)
    _add_where_and_when(parser)
    return parser


def _add_where_and_when(parser: Parser) -> None:
    text, option = parser.text, parser.option
    option("--anyway", action="store_true", help=text("even while a match is unfinished"))
    option(
        "--root",
        metavar=text("FOLDER"),
        default="/",
        help=text("to try it: this folder instead of the computer's own root"),
    )
    option(
        "--port",
        metavar="N",
        type=parser.number(1, PORTS),
        default=8000,
        help=text("where phones find the pages; otherwise {usual}", usual="8000"),
    )


def flash(language: str) -> Parser:
    """Return what reads the command `flash`."""
    about = say(Text("Put the firmware on a stopper or a hub, and check it."), language)
    parser = Parser(language, "flash", about)
    text, option = parser.text, parser.option
    parser.named.add_argument("kind", metavar="stopper|hub", type=parser.one_of(("stopper", "hub")))
    option(
        "--port",
        metavar=text("PORT"),
        help=text("where the board is, such as /dev/ttyACM0; otherwise where the only one is"),
    )
    option(
        "--all",
        action="store_true",
        help=text("all stoppers in a row, as you plug in one after another"),
    )
    option(
        "--number",
        metavar="N",
        type=parser.number(0, 99),
        help=text("which stopper it is, 1 to 13; otherwise as before, or the next"),
    )
    option(
        "--folder",
        metavar=text("FOLDER"),
        help=text("the folder of the table; otherwise that of '{program} table'"),
    )
    return parser


def update(language: str) -> Parser:
    """Return what reads the command `update`."""
    about = say(
        Text("Have the table that runs here give its stoppers the newest firmware by radio."),
        language,
    )
    parser = Parser(language, "update", about)
    text, option = parser.text, parser.option
    parser.named.add_argument(
        "stoppers",
        metavar="N",
        nargs="*",
        default=(),
        type=parser.number(1, 13),
        help=text("only these stoppers; otherwise all that need it"),
    )
    option(
        "--port",
        metavar="N",
        type=parser.number(1, PORTS),
        help=text("where phones find the pages; otherwise {usual}", usual="8000"),
    )
    option(
        "--folder",
        metavar=text("FOLDER"),
        help=text("the folder of the table; otherwise that of '{program} table'"),
    )
    return parser
