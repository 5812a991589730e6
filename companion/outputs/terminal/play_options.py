"""The words of the commands `play` and `replay`, and their help. It must not know what they do."""

from __future__ import annotations

from companion.core.kit import GAMES
from companion.games.zapp_zerapp.rules import PRESETS, ZappZerapp
from companion.outputs.terminal.parser import SEEDS, Parser
from companion.say import Text, say


def play(language: str) -> Parser:
    """Return what reads the command `play`."""
    about = say(Text("Play a game in the terminal: watch, or take a seat with --you."), language)
    parser = Parser(language, "play", about)
    text, option = parser.text, parser.option
    colour = text("COLOUR")
    option(
        "--game",
        metavar=text("GAME"),
        default=ZappZerapp.name,
        help=text("{names:and}; otherwise {usual}", names=tuple(GAMES), usual=ZappZerapp.name),
    )
    option(
        "--you",
        metavar=colour,
        type=parser.colours,
        help=text("play this colour yourself; several, such as red,blue, at one keyboard"),
    )
    option("--seats", metavar="red,blue", type=parser.colours, help=text("who plays; 2 to 4, or 6"))
    option(
        "--bots",
        metavar="N",
        type=parser.number(0, 99),
        help=text("so many players of the companion's own, instead of --seats"),
    )
    option("--profi", action="store_true", help=text("Profi version, with taking along"))
    option(
        "--no-shuffle", action="store_true", help=text("barrels go back to their places unshuffled")
    )
    option("--overlook", action="store_true", help=text("banishments may be overlooked"))
    _add_files_and_looks(parser)
    return parser


def _add_files_and_looks(parser: Parser) -> None:
    text, option = parser.text, parser.option
    option(
        "--board",
        metavar=text("NAME"),
        help=text("{names}, or a TOML file of your own", names=tuple(PRESETS)),
    )
    option(
        "--seed",
        metavar="N",
        type=parser.number(0, SEEDS),
        help=text("repeat a game: the same number, the same game"),
    )
    option(
        "--save", metavar=text("FILE"), help=text("save the game, action by action, in a new file")
    )
    option("--no-board", action="store_true", help=text("words only, without pictures"))
    option("--slow", action="store_true", help=text("with pauses, for watching"))


def replay(language: str) -> Parser:
    """Return what reads the command `replay`."""
    about = say(Text("Show a saved game; a faulty one as far as it is sound."), language)
    parser = Parser(language, "replay", about)
    text, option = parser.text, parser.option
    parser.named.add_argument("file", metavar=text("FILE"), help=text("the saved game"))
    option("--step", action="store_true", help=text("wait for the Enter key after every round"))
    option(
        "--as",
        dest="reader",
        metavar=text("SEAT"),
        type=parser.reader,
        help=text("also show what this colour could choose from; or spectator"),
    )
    option("--no-board", action="store_true", help=text("words only, without pictures"))
    option("--slow", action="store_true", help=text("with pauses, for watching"))
    return parser
