"""The words of the commands `play` and `replay`, and their help."""

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

from companion.cli.parser import SEEDS, Parser
from companion.core.plugin import GAMES, PLUGINS, USUAL
from companion.i18n.translate import say
from companion.present import page, terminal_game
from companion.system.errors import CompanionError
from companion.system.text import Text


def play(language: str, games: Iterable[str] = PLUGINS) -> Parser:
    """Return what reads the command `play`, with the options of these games."""
    about = say(Text("Play a game in the terminal: watch, or take a seat with --you."), language)
    parser = Parser(language, "play", about)
    text, option = parser.text, parser.option
    colour = text("COLOUR")
    option(
        "--game",
        metavar=text("GAME"),
        default=_usual(),
        help=text("{names:and}; otherwise {usual}", names=tuple(GAMES), usual=_usual()),
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
        help=text("how many of the companion's own players, instead of --seats"),
    )
    option(
        "--level",
        metavar=text("LEVEL"),
        help=text(
            "how well they play: expert, good, casual, child or random; otherwise {usual}",
            usual=USUAL,
        ),
    )
    for switch in _switches(games):
        _add(switch, parser)
    _add_files_and_looks(parser)
    return parser


def _usual() -> str:
    return next(iter(PLUGINS))


def _switches(games: Iterable[str]) -> Iterator[terminal_game.Switch]:
    return chain.from_iterable(terminal_game.look_of(game).switches for game in games)


def _add(switch: terminal_game.Switch, parser: Parser) -> None:
    help_text = say(switch.help, parser.language)
    if switch.value is None:
        parser.option(f"--{switch.name}", action="store_true", help=help_text)
    else:
        value = say(switch.value, parser.language)
        parser.option(f"--{switch.name}", metavar=value, help=help_text)


def read_play(language: str, words: Sequence[str], command: str) -> Namespace:
    """Return what the words behind `play` ask for; only help needs to know every game."""
    game = _game(words)
    if game not in PLUGINS or not {"-h", "--help"}.isdisjoint(words):
        return play(language).read(words, Namespace(command=command))
    try:
        return play(language, (game,)).read(words, Namespace(command=command))
    except CompanionError:
        options = play(language).read(words, Namespace(command=command))
        raise _foreign(options, language) from None


def _game(words: Sequence[str]) -> str:
    """Return which game is asked for, before all else is read."""
    for word, following in pairwise((*words, "")):
        option, _, value = word.partition("=")
        if option == "--game":
            return value or following
    return _usual()


def _foreign(options: Namespace, language: str) -> CompanionError:
    """Return what is wrong with an option that another game has."""
    for game in PLUGINS:
        for switch in _switches((game,)):
            if game != options.game and getattr(options, switch.key):
                return CompanionError(
                    "--{option} belongs to {other}, not to '{game}'; leave it out.",
                    option=switch.name,
                    other=say(page.title_of(game), language),
                    game=options.game,
                )
    raise AssertionError(options)


def _add_files_and_looks(parser: Parser) -> None:
    text, option = parser.text, parser.option
    option(
        "--seed",
        metavar="N",
        type=parser.number(0, SEEDS),
        help=text("repeat a game: the same number gives the same game"),
    )
    option(
        "--save", metavar=text("FILE"), help=text("save the game, action by action, in a new file")
    )
    option("--no-board", action="store_true", help=text("words only, without pictures"))
    option("--slow", action="store_true", help=text("with pauses, for watching"))


def replay(language: str) -> Parser:
    about = say(Text("Show a saved game; a damaged one as far as it can be read."), language)
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


def coach(language: str) -> Parser:
    about = say(
        Text("Tell how much of a match was luck and how much was skill, once it is won."), language
    )
    parser = Parser(language, "coach", about)
    text = parser.text
    parser.named.add_argument(
        "file", metavar=text("FILE"), help=text("a saved game, or a match that was exported")
    )
    parser.option(
        "--json", action="store_true", help=text("only the figures, as one JSON object a match")
    )
    return parser


def journal(language: str) -> Parser:
    """Return what reads the command where nothing is said to be done."""
    texts = (
        Text("{program} journal list                   which matches there are"),
        Text("{program} journal export [MATCH] FILE    write a match into a new file"),
        Text("{program} journal import FILE            take in the matches of a file"),
        Text("'{program} replay FILE' shows what was exported."),
    )
    lines = [say(text, language) for text in texts]
    about = say(Text("The journal of a table: every match that was refereed."), language)
    parser = Parser(language, "journal", about, "\n".join(lines[:-1]) + f"\n\n{lines[-1]}")
    parser.named.add_argument("what", metavar="list|export|import", type=parser.one_of(KINDS))
    return parser


def _list(language: str) -> Parser:
    about = say(Text("Show which matches are in the journal, the newest first."), language)
    parser = Parser(language, "journal list", about)
    _add_whose_journal(parser)
    return parser


def _export(language: str) -> Parser:
    about = say(
        Text("Write a match into a new file, as JSON lines; what is still sealed stays out."),
        language,
    )
    parser = Parser(language, "journal export", about)
    text = parser.text
    parser.named.add_argument(
        "match",
        metavar=text("MATCH"),
        nargs="?",
        help=text("as 'journal list' names it, or its beginning; all; otherwise the newest"),
    )
    parser.named.add_argument(
        "file", metavar=text("FILE"), help=text("a file that does not exist yet")
    )
    _add_whose_journal(parser)
    return parser


def _import(language: str) -> Parser:
    about = say(
        Text("Import matches that were exported; what is already there stays as it is."), language
    )
    parser = Parser(language, "journal import", about)
    text = parser.text
    parser.named.add_argument("file", metavar=text("FILE"), help=text("what was exported"))
    _add_whose_journal(parser)
    return parser


def add_table_folder(parser: Parser) -> None:
    parser.option(
        "--folder",
        metavar=parser.text("FOLDER"),
        help=parser.text("the folder of the table; otherwise that of '{program} table'"),
    )


def _add_whose_journal(parser: Parser) -> None:
    add_table_folder(parser)
    parser.option(
        "--simulated", action="store_true", help=parser.text("the journal of the simulated table")
    )


KINDS: Final[dict[str, Callable[[str], Parser]]] = {
    "list": _list,
    "export": _export,
    "import": _import,
}
