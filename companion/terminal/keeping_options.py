"""The words of the commands that keep a table well, and their help: `doctor`.

It must not know what they do.
"""

from __future__ import annotations

from typing import Final

from companion.say import Text, say
from companion.terminal.parser import Parser

PROGRAM: Final = "rappelwacht"


def doctor(language: str) -> Parser:
    """Return what reads the command `doctor`."""
    about = say(
        Text("Look at everything, and say what is wrong and the one thing to do about it."),
        language,
    )
    parser = Parser(language, f"{PROGRAM} doctor", about)
    text, option = parser.text, parser.option
    option("--config", metavar=text("FILE"), help=text("how the table is wired, as TOML"))
    option(
        "--folder",
        metavar=text("FOLDER"),
        help=text("the folder of the table; otherwise that of 'rappelwacht table'"),
    )
    option(
        "--port",
        metavar="N",
        type=parser.number,
        help=text("where phones find the pages; otherwise {usual}", usual="8000"),
    )
    option(
        "--listen",
        metavar="S",
        type=parser.number,
        default=12,
        help=text("so many seconds to listen to the stoppers; otherwise 12"),
    )
    option("--json", action="store_true", help=text("for programs"))
    return parser
