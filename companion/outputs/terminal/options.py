"""The words of the command line, and their help, in one's own language."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from companion import __version__
from companion.core.kit import USUAL
from companion.errors import CompanionError
from companion.outputs.terminal import (
    journal_options,
    keeping_options,
    play_options,
    sim_options,
    study_options,
)
from companion.outputs.terminal.parser import GAMES, PORTS, SEEDS, Parser, unknown
from companion.program import INSTALLED, is_project
from companion.say import LANGUAGES, say, spoken
from companion.text import Text

OF_THE_PROJECT: Final = ("test", "bench", "words", "lock")  # what ./run knows besides


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
                "There is no language '{word}' here; choose one of {languages}.",
                word=value,
                languages=tuple(LANGUAGES),
            )
        del rest[index : index + count]
        return value, rest
    return language, rest


def read_options(language: str, words: Sequence[str]) -> argparse.Namespace:
    """Return what the words ask for; raise CompanionError for what nobody understands."""
    if any("\0" in word for word in words):
        raise CompanionError("No word of a command may have a NUL in it.")
    command = words[0] if words and words[0] in COMMANDS else None
    if command is None:
        parser = _simulated(language)
        if words and not words[0].startswith("-"):
            known = (*COMMANDS, *(OF_THE_PROJECT if is_project() else ()))
            raise parser.refused(unknown(words[0], known))
        return parser.read(words, argparse.Namespace(command=None))
    rest = words[1:]
    if command == "journal" and rest and rest[0] in journal_options.KINDS:
        kind, rest = journal_options.KINDS[rest[0]], rest[1:]
        named = argparse.Namespace(command=command, what=words[1])
        return kind(language).read(rest, named)
    if command == "play":
        return play_options.read_play(language, rest, command)
    return COMMANDS[command](language).read(rest, argparse.Namespace(command=command))


def _simulated(language: str) -> Parser:
    texts = (
        Text("{program}              referee a simulated table"),
        Text("{program} table        referee your own table"),
        Text("{program} hall         many tables at once: show and seat them"),
        Text("{program} play         play yourself, or choose who plays and by which rules"),
        Text("{program} replay FILE  show a saved game, or a match that was exported"),
        Text("{program} coach FILE   how much of it was luck, and how much skill"),
        Text("{program} journal      list, export and import the matches of a table"),
        Text("{program} sim          a simulated table: hands, stoppers, radio, hub"),
        Text("{program} tune FILE    what other settings would find in a recording"),
        Text("{program} lights       what the lights of the board mean"),
        Text("{program} doctor       what is wrong with the table, and what to do about it"),
        Text("{program} join CODE    have the table join a hall"),
        Text("{program} flash KIND   put the firmware on a stopper or a hub"),
        Text("{program} update       give the stoppers the newest firmware by radio"),
        Text("{program} study GAME   play a game many times: how long it is, and how fair"),
        Text("{program} install      install it here as a service; it needs root"),
        Text("{program} roll-back    go back to the version that was installed before"),
        Text("{program} uninstall    remove the service"),
    )
    of_the_project = (
        Text("{program} test         check and test the project, or parts of it"),
        Text("{program} bench WHAT   measure something"),
        Text("{program} words        update the translations, or begin another"),
        Text("{program} lock         lock the versions of other people's packages"),
    )
    more = Text("'{program} play --help' tells more, and so does '--help' after any other.")
    lines = [
        say(text, language) for text in (*texts, *(of_the_project if is_project() else ()), more)
    ]
    about = say(Text("The companion that lets Zapp Zerapp referee itself."), language)
    parser = Parser(language, "", about, "\n".join(lines[:-1]) + f"\n\n{lines[-1]}")
    parser.option(
        "--version",
        action="version",
        version=f"{INSTALLED} {__version__}",
        help=parser.text("show the version"),
    )
    parser.option(
        "--speed",
        metavar="X",
        type=parser.pace,
        default=1.0,
        help=parser.text("1: as fast as a clock, 2: twice that"),
    )
    parser.option(
        "--bots",
        metavar="N",
        type=parser.number(0, 99),
        default=4,
        help=parser.text("how many guests, 2 to 4"),
    )
    parser.option(
        "--level",
        metavar=parser.text("LEVEL"),
        help=parser.text(
            "how well they play: expert, good, casual, child or random; otherwise {usual}",
            usual=USUAL,
        ),
    )
    parser.option(
        "--seat",
        metavar=parser.text("SEAT"),
        default="red",
        help=parser.text(
            "the seat that you can take in the browser: red, green, blue or yellow; or none"
        ),
    )
    parser.option(
        "--games",
        metavar="N",
        type=parser.number(0, GAMES),
        help=parser.text(
            "how many games, one after another; then the table ends by itself. 0: guests wait "
            "until somebody begins one"
        ),
    )
    sim_options.add_world(parser)
    _add_record(parser)
    _add_port(parser, parser.text("8000, or any that is free"))
    _add_seed_and_folder(parser)
    return parser


def _add_record(parser: Parser) -> None:
    parser.option(
        "--record",
        metavar=parser.text("FILE"),
        help=parser.text("write what stoppers and pads feel this evening to this new file"),
    )


def _add_port(parser: Parser, usual: str) -> None:
    parser.option(
        "--port",
        metavar="N",
        type=parser.number(0, PORTS),
        help=parser.text("where phones find the pages; otherwise {usual}", usual=usual),
    )


def _add_seed_and_folder(parser: Parser) -> None:
    parser.option(
        "--seed",
        metavar="N",
        type=parser.number(0, SEEDS),
        help=parser.text("the same number gives the same guests and barrels"),
    )
    _add_folder(parser)


def _add_folder(parser: Parser) -> None:
    parser.option(
        "--folder",
        metavar=parser.text("FOLDER"),
        help=parser.text("where the journal is kept; a match that was cut off goes on from there"),
    )


def _table(language: str) -> Parser:
    about = say(Text("Referee a real table, as its configuration says it is wired."), language)
    parser = Parser(language, "table", about)
    parser.option(
        "--config",
        metavar=parser.text("FILE"),
        help=parser.text(
            "how the table is wired, as TOML; otherwise as the installed table, or without "
            "any wiring"
        ),
    )
    _add_record(parser)
    _add_port(parser, "8000")
    _add_folder(parser)
    return parser


def _hall(language: str) -> Parser:
    about = say(Text("Show many tables at once, and seat people at them."), language)
    parser = Parser(language, "hall", about)
    text, option = parser.text, parser.option
    option(
        "--tables",
        metavar="N",
        type=parser.number(0, 32),
        default=0,
        help=text("how many simulated tables to add, which play by themselves"),
    )
    option(
        "--speed",
        metavar="X",
        type=parser.pace,
        default=1.0,
        help=text("of these: 1 as fast as a clock, 2 twice that"),
    )
    _add_port(parser, text("8000, or any that is free"))
    option(
        "--broker",
        metavar="HOST[:PORT]",
        help=text("an existing broker; otherwise its own Mosquitto"),
    )
    option("--password", metavar=text("FILE"), help=text("the password of its account named hall"))
    option(
        "--authority", metavar=text("FILE"), help=text("its certificate, as PEM; then TLS is used")
    )
    option(
        "--folder",
        metavar=text("FOLDER"),
        help=text("where it keeps what the tables told, and the director's PIN"),
    )
    return parser


def _lights(language: str) -> Parser:
    about = say(Text("Show what the lights of the board say, scene after scene."), language)
    parser = Parser(language, "lights", about)
    text, option = parser.text, parser.option
    option("--scene", metavar=text("SCENE"), help=text("only this one, until Ctrl-C"))
    option("--list", action="store_true", help=text("only the names of the scenes"))
    option("--still", action="store_true", help=text("a single still picture of each"))
    option(
        "--svg",
        metavar=text("FOLDER"),
        help=text("write a picture of each scene there, and beside it a page in each language"),
    )
    return parser


COMMANDS: Final[dict[str, Callable[[str], Parser]]] = {
    "play": play_options.play,
    "replay": play_options.replay,
    "coach": play_options.coach,
    "table": _table,
    "hall": _hall,
    "journal": journal_options.journal,
    "lights": _lights,
    "sim": sim_options.sim,
    "replay-link": sim_options.replay_link,
    "tune": sim_options.tune,
    "study": study_options.study,
    "doctor": keeping_options.doctor,
    "join": keeping_options.join,
    "flash": keeping_options.flash,
    "update": keeping_options.update,
    "install": keeping_options.install,
    "roll-back": keeping_options.roll_back,
    "uninstall": keeping_options.uninstall,
}
