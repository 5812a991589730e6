"""The words of the command line, their help, and what is wrong with them, in one's own language.

It must not know what the commands do.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NoReturn

from companion import __version__
from companion.errors import CompanionError
from companion.rules.zapp_zerapp import PRESETS, Colour
from companion.say import LANGUAGES, Text, name, say, spoken

PROGRAM: Final = "rappelwacht"
Given = dict[str, str]
FAULTS: Final[tuple[tuple[str, Callable[[Given], CompanionError]], ...]] = (
    (
        r"argument (?P<option>.+?): expected one argument",
        lambda given: CompanionError("{option} needs a value.", **given),
    ),
    (
        r"argument (?P<option>.+?): ignored explicit argument",
        lambda given: CompanionError("{option} takes no value.", **given),
    ),
    (
        r"unrecognized arguments: (?P<words>.*)",
        lambda given: CompanionError("'{words}' is not known here.", **given),
    ),
    (
        r"argument .*?: invalid choice: '(?P<words>.*?)'",
        lambda given: CompanionError("'{words}' is not known here.", **given),
    ),
    (
        r"the following arguments are required: (?P<words>.*)",
        lambda given: CompanionError("{words} is missing.", **given),
    ),
    (
        r"argument (?P<option>.+?): (?P<reason>.*)",
        lambda given: CompanionError("{option}: {reason}", **given),
    ),
    (r"(?P<reason>.*)", lambda given: CompanionError("{reason}", **given)),
)


class Parser(argparse.ArgumentParser):
    """A parser that helps and complains in one language."""

    def __init__(self, language: str, program: str, description: str, epilog: str = "") -> None:
        self.language = language
        super().__init__(
            prog=program,
            description=description,
            epilog=epilog,
            formatter_class=_Layout,
            add_help=False,
            allow_abbrev=False,
        )
        self.named = self.add_argument_group(self.text("Arguments"))
        self.given = self.add_argument_group(self.text("Options"))
        self.option("-h", "--help", action="help", help=self.text("show this help"))
        self.option(  # read by `language_of` before; here for its help
            "--language",
            metavar="de|en",
            help=self.text("German or English; otherwise what LC_ALL, LC_MESSAGES or LANG say"),
        )

    def text(self, template: str, **values: object) -> str:
        """Return a text in the parser's language."""
        return say(Text(template, **values), self.language)

    def option(self, *names: str, **more: Any) -> None:
        """Add an option."""
        self.given.add_argument(*names, **more)

    def format_help(self) -> str:
        """Return the help; argparse itself knows only one language."""
        return super().format_help().replace("usage: ", self.text("Usage: "), 1)

    def error(self, message: str) -> NoReturn:
        """Raise what is wrong, with the way to help."""
        for pattern, fault in FAULTS:
            if match := re.match(pattern, message, re.DOTALL):
                raise CompanionError(
                    "{fault} '{program} --help' shows what there is.",
                    fault=fault(match.groupdict()),
                    program=self.prog,
                )
        raise AssertionError(message)

    def colour(self, word: str) -> Colour:
        """Return the colour that a word names, in English or in the parser's language."""
        for colour in Colour:
            if word.strip().lower() in {colour.name.lower(), name(colour, self.language).lower()}:
                return colour
        raise argparse.ArgumentTypeError(
            self.text(
                "'{word}' is no colour; the colours are {colours:and}.",
                word=word,
                colours=tuple(Colour),
            )
        )

    def colours(self, words: str) -> tuple[Colour, ...]:
        """Return colours with commas between them, clockwise."""
        return tuple(sorted(self.colour(word) for word in words.split(",")))

    def number(self, word: str) -> int:
        """Return a whole number."""
        if word.isascii() and word.isdecimal() and len(word) < 19:
            return int(word)
        raise argparse.ArgumentTypeError(
            self.text("'{word}' is no whole number such as 4.", word=word)
        )

    def reader(self, word: str) -> Colour | None:
        """Return the seat whose eyes one looks through; None is a spectator."""
        return None if word in {"spectator", self.text("spectator")} else self.colour(word)


class _Layout(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=78)


def language_of(words: Sequence[str], environment: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return the language to speak, and the words without the option that chose it."""
    language, rest = spoken(environment), list(words)
    for index, word in enumerate(words):
        option, _, value = word.partition("=")
        if option != "--language" or (word == "--language" and index + 1 == len(words)):
            continue
        value, count = (value, 1) if "=" in word else (words[index + 1], 2)
        if value not in LANGUAGES:
            raise CompanionError(
                "'{word}' is no language of ours; choose one of {languages}.",
                word=value,
                languages=tuple(LANGUAGES),
            )
        del rest[index : index + count]
        return value, rest
    return language, rest


def read_options(language: str, words: Sequence[str]) -> argparse.Namespace:
    """Return what the words ask for; raise CompanionError for what nobody understands."""
    commands = {"play": _play, "replay": _replay}
    command = words[0] if words and words[0] in commands else None
    if command is None:
        return _plain(language).parse_args(words, argparse.Namespace(command=None))
    return commands[command](language).parse_args(words[1:], argparse.Namespace(command=command))


def _plain(language: str) -> Parser:
    texts = (
        Text("rappelwacht              four players of the companion play, and you watch"),
        Text("rappelwacht play         play yourself, or choose who plays and by which rules"),
        Text("rappelwacht replay FILE  show a saved game"),
        Text("'rappelwacht play --help' and 'rappelwacht replay --help' tell more."),
    )
    lines = [say(text, language) for text in texts]
    about = say(Text("The companion that lets Zapp Zerapp referee itself."), language)
    parser = Parser(language, PROGRAM, about, "\n".join(lines[:3]) + f"\n\n{lines[3]}")
    parser.option(
        "--version",
        action="version",
        version=f"{PROGRAM} {__version__}",
        help=parser.text("say which version this is"),
    )
    return parser


def _play(language: str) -> Parser:
    about = say(Text("Play a game in the terminal: watch, or take a seat with --you."), language)
    parser = Parser(language, f"{PROGRAM} play", about)
    text, option = parser.text, parser.option
    colour = text("COLOUR")
    option("--you", metavar=colour, type=parser.colour, help=text("play this colour yourself"))
    option("--seats", metavar="red,blue", type=parser.colours, help=text("who plays; 2 to 4"))
    option(
        "--bots",
        metavar="N",
        type=parser.number,
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
        default=next(iter(PRESETS)),
        help=text("{names}, or a TOML file of your own", names=tuple(PRESETS)),
    )
    option(
        "--seed",
        metavar="N",
        type=parser.number,
        help=text("repeat a game: the same number, the same game"),
    )
    option(
        "--save", metavar=text("FILE"), help=text("save the game, action by action, in a new file")
    )
    option("--no-board", action="store_true", help=text("words only, without pictures"))
    option("--slow", action="store_true", help=text("with pauses, for watching"))


def _replay(language: str) -> Parser:
    about = say(Text("Show a saved game; a faulty one as far as it is sound."), language)
    parser = Parser(language, f"{PROGRAM} replay", about)
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
