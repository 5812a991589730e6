"""The words of the command line, and their help, in one's own language."""

import argparse
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from companion import __version__
from companion.cli import play_options
from companion.cli.parser import GAMES, PORTS, SEEDS, Parser, unknown
from companion.core.plugin import USUAL
from companion.i18n.translate import LANGUAGES, say, spoken
from companion.present.terminal import TerminalScreen
from companion.system.errors import CompanionError
from companion.system.text import INSTALLED, Text, is_project

LOG: Final = logging.getLogger(__name__)


def doctor(language: str) -> Parser:
    about = say(
        Text("Check everything, and say what is wrong and the one thing to do about it."), language
    )
    parser = Parser(language, "doctor", about)
    text, option = parser.text, parser.option
    option("--config", metavar=text("FILE"), help=text("how the table is wired, as TOML"))
    play_options.add_table_folder(parser)
    _add_port(parser, "8000", least=1)
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
    option(
        "--bundle",
        metavar=text("FILE"),
        help=text("write a report for those who help you: a text to be read before it is sent"),
    )
    return parser


def join(language: str) -> Parser:
    about = say(
        Text("Have the table join a hall, with the code from its director's page."), language
    )
    parser = Parser(language, "join", about)
    text = parser.text
    parser.named.add_argument(
        "code", metavar=text("CODE"), nargs="?", help=text("begins with RW1-")
    )
    parser.option("--leave", action="store_true", help=text("leave the hall"))
    play_options.add_table_folder(parser)
    return parser


def card(language: str) -> Parser:
    about = say(
        Text(
            "Say what makes a card of Raspberry Pi OS one whose first boot is a table, and with "
            "--yes do it. What the Imager wrote stays."
        ),
        language,
    )
    parser = Parser(language, "card", about)
    text, option = parser.text, parser.option
    parser.named.add_argument(
        "path", metavar=text("PATH"), help=text("the card's boot partition, as it is mounted")
    )
    option("--yes", action="store_true", help=text("do it"))
    option("--undo", action="store_true", help=text("take it back"))
    option(
        "--from",
        dest="source",
        metavar=text("FILE"),
        help=text("without a network: the card zip of a release"),
    )
    option("--wifi", metavar="NAME", help=text("a Wi-Fi that it is to know; asks its password"))
    option("--country", metavar="DE", help=text("where its Wi-Fi is used, by two letters"))
    option("--time-zone", metavar="ZONE", help=text("such as Europe/Berlin"))
    option("--key", metavar=text("FILE"), help=text("a public ssh key that may log in"))
    return parser


def install(language: str) -> Parser:
    about = say(Text("Install the table as a service that starts with the Pi."), language)
    parser = Parser(language, "install", about)
    text, option = parser.text, parser.option
    option("--hall", action="store_true", help=text("a hall of many tables instead of a table"))
    option(
        "--join",
        metavar=text("CODE"),
        help=text("have the table join a hall, with the code from its director's page"),
    )
    option(
        "--from",
        dest="source",
        metavar=text("FOLDER"),
        help=text("without a network: this folder of a card, or a release's card zip"),
    )
    option("--unsigned", action="store_true", help=text("even if nobody you trust has signed it"))
    option("--hotspot", action="store_true", help=text("its own Wi-Fi where none is known"))
    option(
        "--keep-name",
        action="store_true",
        help=text("keep the Pi's name; otherwise phones find rappelwacht.local:8000"),
    )
    _add_where_and_when(parser)
    return parser


def roll_back(language: str) -> Parser:
    about = say(Text("Go back to the version that was installed before."), language)
    parser = Parser(language, "roll-back", about)
    _add_where_and_when(parser)
    return parser


def uninstall(language: str) -> Parser:
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
    play_options.add_table_folder(parser)
    return parser


def backup(language: str) -> Parser:
    about = say(
        Text("Save what a table must not lose in one file: matches, people, stoppers."), language
    )
    parser = Parser(language, "backup", about)
    _add_file_and_table(parser, parser.text("the new file; keep it where only you can read it"))
    parser.option(
        "--passphrase",
        action="store_true",
        help=parser.text("ask for a passphrase, without which nobody can open it"),
    )
    return parser


def restore(language: str) -> Parser:
    about = say(
        Text("Show what is in a backup and, with --yes, put it in the place of what is there."),
        language,
    )
    parser = Parser(language, "restore", about)
    _add_file_and_table(parser, parser.text("the file of a backup"))
    parser.option("--yes", action="store_true", help=parser.text("do it"))
    return parser


def _add_file_and_table(parser: Parser, about: str) -> None:
    text = parser.text
    parser.named.add_argument("file", metavar=text("FILE"), help=about)
    play_options.add_table_folder(parser)
    parser.option(
        "--simulated", action="store_true", help=text("the folder of the simulated table")
    )


def update(language: str) -> Parser:
    about = say(
        Text("Have the table that runs here give its stoppers the newest firmware by radio."),
        language,
    )
    parser = Parser(language, "update", about)
    text = parser.text
    parser.named.add_argument(
        "stoppers",
        metavar="N",
        nargs="*",
        default=(),
        type=parser.number(1, 13),
        help=text("only these stoppers; otherwise all that need it"),
    )
    _add_port(parser, "8000", least=1)
    play_options.add_table_folder(parser)
    return parser


def add_world(parser: Parser) -> None:
    parser.option(
        "--world",
        metavar=parser.text("WORLD"),
        help=parser.text(
            "honest: sensors, pads and people as real ones are, kind: ideal ones; or only some "
            "traits, such as foot,pads; otherwise honest"
        ),
    )


def add_hubs(parser: Parser) -> None:
    parser.option(
        "--hubs",
        metavar="N",
        type=parser.number(1, 2),
        default=1,
        help=parser.text("1 or 2 hubs that hear the stoppers; otherwise 1"),
    )


@dataclass(frozen=True, slots=True)
class ExtraCommand:
    """A command of another package, which names it in the group `rappelwacht.commands`."""

    parser: Callable[[str], Parser]  # by language
    run: Callable[[argparse.Namespace, TerminalScreen], int]


EXTRA_COMMANDS: Final = "rappelwacht.commands"  # the group of their entry points
OF_RESEARCH: Final = {  # what ours of these are called, and their lines of the help
    "study": Text("{program} study GAME   play a game many times: how long it is, and how fair"),
    "solve": Text("{program} solve A,B    what each position is worth on a ring of your own"),
    "tune": Text("{program} tune FILE    what other settings would find in a recording"),
    "sim": Text("{program} sim          a simulated table: hands, stoppers, radio, hub"),
    "replay-link": Text("{program} replay-link  what the host heard when a link was recorded"),
}
RESEARCH: Final = f"rappelwacht_research-{__version__}-py3-none-any.whl"


def extra_commands() -> dict[str, ExtraCommand]:
    """Return the commands of other packages by name; one that cannot be used is left out."""
    points = sorted(entry_points(group=EXTRA_COMMANDS), key=lambda point: point.name)
    loaded = {point.name: _load(point) for point in points}
    return {name: command for name, command in loaded.items() if command is not None}


def _load(point: EntryPoint) -> ExtraCommand | None:
    try:
        command = point.load()
    except Exception:
        LOG.exception("The command %s is left out.", point.name)
        return None
    return command if isinstance(command, ExtraCommand) else None


OF_THE_PROJECT: Final = ("test", "bench", "words", "release", "lock")  # what ./run knows besides


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
            return _read_extra(language, words, parser)
        return parser.read(words, argparse.Namespace(command=None))
    rest = words[1:]
    if command == "journal" and rest and rest[0] in play_options.KINDS:
        kind, rest = play_options.KINDS[rest[0]], rest[1:]
        named = argparse.Namespace(command=command, what=words[1])
        return kind(language).read(rest, named)
    if command == "play":
        return play_options.read_play(language, rest, command)
    return COMMANDS[command](language).read(rest, argparse.Namespace(command=command))


def _read_extra(language: str, words: Sequence[str], parser: Parser) -> argparse.Namespace:
    """Return what the words ask a command of another package for."""
    name, extras = words[0], extra_commands()
    if name in extras:
        named = argparse.Namespace(command=name, run=extras[name].run)
        return extras[name].parser(language).read(words[1:], named)
    if name in OF_RESEARCH:
        raise CompanionError(
            "'{command}' is for research, in a package of its own. Download {file}, which lies "
            "beside the wheel of this version, and install it: {python} -m pip install ./{file}",
            command=name,
            file=RESEARCH,
            python=sys.executable,
        )
    raise parser.refused(
        unknown(name, (*COMMANDS, *extras, *(OF_THE_PROJECT if is_project() else ())))
    )


def _simulated(language: str) -> Parser:
    texts = (
        Text("{program}              play at a simulated table"),
        Text("{program} table        referee your own table"),
        Text("{program} hall         many tables at once: show and seat them"),
        Text("{program} play         play yourself, or choose who plays and by which rules"),
        Text("{program} replay FILE  show a saved game, or a match that was exported"),
        Text("{program} coach FILE   how much of it was luck, and how much skill"),
        Text("{program} journal      list, export and import the matches of a table"),
        Text("{program} lights       what the lights of the board mean"),
        Text("{program} doctor       what is wrong with the table, and what to do about it"),
        Text("{program} join CODE    have the table join a hall"),
        Text("{program} flash KIND   put the firmware on a stopper or a hub"),
        Text("{program} update       give the stoppers the newest firmware by radio"),
        Text("{program} backup       save what a table must not lose in one file"),
        Text("{program} restore      put a backup in the place of what is there"),
        Text("{program} card PATH    make a card of Raspberry Pi OS one for a table"),
        Text("{program} install      install it here as a service; it needs root"),
        Text("{program} roll-back    go back to the version that was installed before"),
        Text("{program} uninstall    remove the service"),
    )
    of_the_project = (
        Text("{program} test         check and test the project, or parts of it"),
        Text("{program} bench WHAT   measure something"),
        Text("{program} words        update the translations, or begin another"),
        Text("{program} release      make what a release consists of"),
        Text("{program} lock         lock the versions of other people's packages"),
    )
    more = Text("'{program} play --help' tells more, and so does '--help' after any other.")
    extras = OF_RESEARCH if is_project() else extra_commands()
    of_research = (text for name, text in OF_RESEARCH.items() if name in extras)
    of_project = of_the_project if is_project() else ()
    lines = [say(text, language) for text in (*texts, *of_research, *of_project, more)]
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
            "the seat that a browser is offered first: red, green, blue or yellow; or none, so "
            "that only guests play"
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
    add_world(parser)
    add_hubs(parser)
    parser.option(
        "--config",
        metavar=parser.text("FILE"),
        help=parser.text("how people far away reach it: [web] of this table.toml"),
    )
    _add_record(parser)
    _add_port(parser, parser.text("8000, or any that is free"))
    _add_seed_and_folder(parser)
    return parser


def _add_record(parser: Parser) -> None:
    parser.option(
        "--record",
        metavar=parser.text("FILE"),
        help=parser.text("record what stoppers and pads feel, in this new file"),
    )


def _add_port(parser: Parser, usual: str, least: int = 0) -> None:
    parser.option(
        "--port",
        metavar="N",
        type=parser.number(least, PORTS),
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
    "journal": play_options.journal,
    "lights": _lights,
    "doctor": doctor,
    "join": join,
    "flash": flash,
    "update": update,
    "backup": backup,
    "restore": restore,
    "card": card,
    "install": install,
    "roll-back": roll_back,
    "uninstall": uninstall,
}
