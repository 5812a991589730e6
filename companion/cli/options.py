"""The commands of the command line: options, defaults and help of each, in every language."""

import logging
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from itertools import chain, pairwise
from typing import Final

from companion import __version__
from companion.cli.parser import GAMES as MATCHES
from companion.cli.parser import PORTS, SEEDS, Parser, unknown
from companion.core.plugin import GAMES, PLUGINS, USUAL
from companion.i18n.translate import LANGUAGES, say, spoken
from companion.present import page, terminal_game
from companion.system.errors import CompanionError
from companion.system.text import INSTALLED, Text, is_project

LOG: Final = logging.getLogger(__name__)
FILE, FOLDER, CODE = Text("FILE"), Text("FOLDER"), Text("CODE")
LEVELS: Final = Text(
    "how well they play: expert, good, casual, child or random; otherwise {usual}", usual=USUAL
)


# --- what each command takes ----------------------------------------------------------------------


def _simulated(parser: Parser) -> None:
    parser.describe(Text("The companion that lets Zapp Zerapp referee itself."))
    extras = () if is_project() else extra_commands()
    of_research = (text for name, text in OF_RESEARCH.items() if is_project() or name in extras)
    more = Text("'{program} play --help' tells more, and so does '--help' after any other.")
    of_project = OF_THE_PROJECT.values() if is_project() else ()
    parser.list_commands(*LISTED, *of_research, *of_project, more=more)
    parser.given.add_argument(
        "--version",
        action="version",
        version=f"{INSTALLED} {__version__}",
        help=parser.text("show the version"),
    )
    _add_speed(parser, Text("1: as fast as a clock, 2: twice that"))
    parser.number("--bots", 0, 99, Text("how many guests, 2 to 4"), default=4)
    parser.option("--level", Text("LEVEL"), LEVELS)
    parser.option(
        "--seat",
        Text("SEAT"),
        Text(
            "the seat that a browser is offered first: red, green, blue or yellow; or none, so "
            "that only guests play"
        ),
        default="red",
    )
    games = Text(
        "how many games, one after another; then the table ends by itself. 0: guests wait until "
        "somebody begins one"
    )
    parser.number("--games", 0, MATCHES, games)
    add_world(parser)
    add_hubs(parser)
    parser.option("--config", FILE, Text("how people far away reach it: [web] of this table.toml"))
    _add_record(parser)
    _add_port(parser, Text("8000, or any that is free"))
    parser.number("--seed", 0, SEEDS, Text("the same number gives the same guests and barrels"))
    _add_folder(parser)


def add_world(parser: Parser) -> None:
    about = Text(
        "honest: sensors, pads and people as real ones are, kind: ideal ones; or only some traits, "
        "such as foot,pads; otherwise honest"
    )
    parser.option("--world", Text("WORLD"), about)


def add_hubs(parser: Parser) -> None:
    about = Text("1 or 2 hubs that hear the stoppers; otherwise 1")
    parser.number("--hubs", 1, 2, about, default=1)


def _add_speed(parser: Parser, about: Text) -> None:
    parser.option("--speed", "X", about, type=parser.pace, default=1.0)


def _add_record(parser: Parser) -> None:
    parser.option("--record", FILE, Text("record what stoppers and pads feel, in this new file"))


def _add_port(
    parser: Parser, usual: Text | str = "8000", least: int = 0, default: int | None = None
) -> None:
    about = Text("where phones find the pages; otherwise {usual}", usual=usual)
    parser.number("--port", least, PORTS, about, default=default)


def _add_folder(parser: Parser) -> None:
    about = Text("where the journal is kept; a match that was cut off goes on from there")
    parser.option("--folder", FOLDER, about)


def _table(parser: Parser) -> None:
    parser.describe(Text("Referee a real table, as its configuration says it is wired."))
    about = Text(
        "how the table is wired, as TOML; otherwise as the installed table, or without any wiring"
    )
    parser.option("--config", FILE, about)
    _add_record(parser)
    _add_port(parser)
    _add_folder(parser)


def _hall(parser: Parser) -> None:
    parser.describe(Text("Show many tables at once, and seat people at them."))
    tables = Text("how many simulated tables to add, which play by themselves")
    parser.number("--tables", 0, 32, tables, default=0)
    _add_speed(parser, Text("of these: 1 as fast as a clock, 2 twice that"))
    _add_port(parser, Text("8000, or any that is free"))
    broker = Text("an existing broker; otherwise its own Mosquitto")
    parser.option("--broker", "HOST[:PORT]", broker)
    parser.option("--password", FILE, Text("the password of its account named hall"))
    parser.option("--authority", FILE, Text("its certificate, as PEM; then TLS is used"))
    folder = Text("where it keeps what the tables told, and the director's PIN")
    parser.option("--folder", FOLDER, folder)


def _play(parser: Parser, games: Iterable[str] = PLUGINS) -> None:
    """Add what the command `play` takes, with the options of these games."""
    parser.describe(Text("Play a game in the terminal: watch, or take a seat with --you."))
    usual = _usual_game()
    known = Text("{names:and}; otherwise {usual}", names=tuple(GAMES), usual=usual)
    parser.option("--game", Text("GAME"), known, default=usual)
    you = Text("play this colour yourself; several, such as red,blue, at one keyboard")
    parser.option("--you", Text("COLOUR"), you, type=parser.colours)
    parser.option("--seats", "red,blue", Text("who plays; 2 to 4, or 6"), type=parser.colours)
    bots = Text("how many of the companion's own players, instead of --seats")
    parser.number("--bots", 0, 99, bots)
    parser.option("--level", Text("LEVEL"), LEVELS)
    for switch in _switches(games):
        if switch.value is None:
            parser.flag(f"--{switch.name}", about=switch.help)
        else:
            parser.option(f"--{switch.name}", switch.value, switch.help)
    parser.number("--seed", 0, SEEDS, Text("repeat a game: the same number gives the same game"))
    parser.option("--save", FILE, Text("save the game, action by action, in a new file"))
    _add_looks(parser)


def _usual_game() -> str:
    return next(iter(PLUGINS))


def _switches(games: Iterable[str]) -> Iterator[terminal_game.Switch]:
    return chain.from_iterable(terminal_game.look_of(game).switches for game in games)


def _add_looks(parser: Parser) -> None:
    parser.flag("--no-board", about=Text("words only, without pictures"))
    parser.flag("--slow", about=Text("with pauses, for watching"))


def _replay(parser: Parser) -> None:
    parser.describe(Text("Show a saved game; a damaged one as far as it can be read."))
    parser.argument("file", FILE, Text("the saved game"))
    parser.flag("--step", about=Text("wait for the Enter key after every round"))
    reader = Text("also show what this colour could choose from; or spectator")
    parser.option("--as", Text("SEAT"), reader, dest="reader", type=parser.reader)
    _add_looks(parser)


def _coach(parser: Parser) -> None:
    parser.describe(
        Text("Tell how much of a match was luck and how much was skill, once it is won.")
    )
    parser.argument("file", FILE, Text("a saved game, or a match that was exported"))
    parser.flag("--json", about=Text("only the figures, as one JSON object a match"))


def _journal(parser: Parser) -> None:
    parser.describe(Text("The journal of a table: every match that was refereed."))
    parser.list_commands(
        Text("{program} journal list                   which matches there are"),
        Text("{program} journal export [MATCH] FILE    write a match into a new file"),
        Text("{program} journal import FILE            take in the matches of a file"),
        more=Text("'{program} replay FILE' shows what was exported."),
    )
    parser.argument("what", "list|export|import", type=parser.one_of(JOURNAL_COMMANDS))


def _journal_list(parser: Parser) -> None:
    parser.describe(Text("Show which matches are in the journal, the newest first."))
    _add_table_or_simulated(parser)


def _journal_export(parser: Parser) -> None:
    parser.describe(
        Text("Write a match into a new file, as JSON lines; what is still sealed stays out.")
    )
    match = Text("as 'journal list' names it, or its beginning; all; otherwise the newest")
    parser.argument("match", Text("MATCH"), match, nargs="?")
    parser.argument("file", FILE, Text("a file that does not exist yet"))
    _add_table_or_simulated(parser)


def _journal_import(parser: Parser) -> None:
    parser.describe(
        Text("Import matches that were exported; what is already there stays as it is.")
    )
    parser.argument("file", FILE, Text("what was exported"))
    _add_table_or_simulated(parser)


def _add_table_folder(parser: Parser) -> None:
    about = Text("the folder of the table; otherwise that of '{program} table'")
    parser.option("--folder", FOLDER, about)


def _lights(parser: Parser) -> None:
    parser.describe(Text("Show what the lights of the board say, scene after scene."))
    parser.option("--scene", Text("SCENE"), Text("only this one, until Ctrl-C"))
    parser.flag("--list", about=Text("only the names of the scenes"))
    parser.flag("--still", about=Text("a single still picture of each"))


def _doctor(parser: Parser) -> None:
    parser.describe(
        Text("Check everything, and say what is wrong and the one thing to do about it.")
    )
    parser.option("--config", FILE, Text("how the table is wired, as TOML"))
    _add_table_folder(parser)
    _add_port(parser, least=1)
    listen = Text("how many seconds to listen to the stoppers; otherwise 12")
    parser.option("--listen", "S", listen, type=parser.whole(0, 3600), default=12)
    stopper = Text("try only this stopper, thoroughly; the screen says what to do with it")
    parser.number("--stopper", 1, 13, stopper)
    parser.option("--picture", FILE, Text("with --stopper: draw its load against its tilt, as SVG"))
    parser.flag("--json", about=Text("for programs"))
    bundle = Text("write a report for those who help you: a text to be read before it is sent")
    parser.option("--bundle", FILE, bundle)


def _join(parser: Parser) -> None:
    parser.describe(Text("Have the table join a hall, with the code from its director's page."))
    parser.argument("code", CODE, Text("begins with RW1-"), nargs="?")
    parser.flag("--leave", about=Text("leave the hall"))
    _add_table_folder(parser)


def _flash(parser: Parser) -> None:
    parser.describe(Text("Put the firmware on a stopper or a hub, and check it."))
    parser.argument("kind", "stopper|hub", type=parser.one_of(("stopper", "hub")))
    port = Text("where the board is, such as /dev/ttyACM0; otherwise where the only one is")
    parser.option("--port", Text("PORT"), port)
    parser.flag("--all", about=Text("all stoppers in a row, as you plug in one after another"))
    number = Text("which stopper it is, 1 to 13; otherwise as before, or the next")
    parser.number("--number", 0, 99, number)
    _add_table_folder(parser)


def _update(parser: Parser) -> None:
    parser.describe(
        Text("Have the table that runs here give its stoppers the newest firmware by radio.")
    )
    stoppers = Text("only these stoppers; otherwise all that need it")
    numbers = parser.whole(1, 13)
    parser.argument("stoppers", "N", stoppers, nargs="*", default=(), type=numbers)
    _add_port(parser, least=1)
    _add_table_folder(parser)


def _backup(parser: Parser) -> None:
    parser.describe(Text("Save what a table must not lose in one file: matches, people, stoppers."))
    parser.argument("file", FILE, Text("the new file; keep it where only you can read it"))
    _add_table_or_simulated(parser)
    parser.flag(
        "--passphrase", about=Text("ask for a passphrase, without which nobody can open it")
    )


def _restore(parser: Parser) -> None:
    parser.describe(
        Text("Show what is in a backup and, with --yes, put it in the place of what is there.")
    )
    parser.argument("file", FILE, Text("the file of a backup"))
    _add_table_or_simulated(parser)
    parser.flag("--yes", about=Text("do it"))


def _add_table_or_simulated(parser: Parser) -> None:
    _add_table_folder(parser)
    parser.flag("--simulated", about=Text("the folder of the simulated table"))


def _card(parser: Parser) -> None:
    about = Text(
        "Say what makes a card of Raspberry Pi OS one whose first boot is a table, and with --yes "
        "do it. What the Imager wrote stays."
    )
    parser.describe(about)
    parser.argument("path", Text("PATH"), Text("the card's boot partition, as it is mounted"))
    parser.flag("--yes", about=Text("do it"))
    parser.flag("--undo", about=Text("take it back"))
    source = Text("without a network: the card zip of a release")
    parser.option("--from", FILE, source, dest="source")
    parser.option("--wifi", "NAME", Text("a Wi-Fi that it is to know; asks its password"))
    parser.option("--country", "DE", Text("where its Wi-Fi is used, by two letters"))
    parser.option("--time-zone", "ZONE", Text("such as Europe/Berlin"))
    parser.option("--key", FILE, Text("a public ssh key that may log in"))


def _install(parser: Parser) -> None:
    parser.describe(Text("Install the table as a service that starts with the Pi."))
    parser.flag("--hall", about=Text("a hall of many tables instead of a table"))
    code = Text("have the table join a hall, with the code from its director's page")
    parser.option("--join", CODE, code)
    source = Text("without a network: this folder of a card, or a release's card zip")
    parser.option("--from", FOLDER, source, dest="source")
    parser.flag("--unsigned", about=Text("even if nobody you trust has signed it"))
    parser.flag("--hotspot", about=Text("its own Wi-Fi where none is known"))
    keep_name = Text("keep the Pi's name; otherwise phones find rappelwacht.local:8000")
    parser.flag("--keep-name", about=keep_name)
    _add_where_and_when(parser)


def _roll_back(parser: Parser) -> None:
    parser.describe(Text("Go back to the version that was installed before."))
    _add_where_and_when(parser)


def _uninstall(parser: Parser) -> None:
    parser.describe(Text("Remove the service; what was played stays."))
    parser.flag("--purge", about=Text("remove what was played, too, and the configuration"))
    _add_where_and_when(parser)


def _add_where_and_when(parser: Parser) -> None:
    parser.flag("--anyway", about=Text("even while a match is unfinished"))
    root = Text("to try it: this folder instead of the computer's own root")
    parser.option("--root", FOLDER, root, default="/")
    _add_port(parser, least=1, default=8000)


# --- the commands ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TerminalCommand:
    """A command: what it takes, and which function does it, such as `companion.cli.play:play`.

    Another package names its own in the group `rappelwacht.commands`.
    """

    options: Callable[[Parser], None]
    place: str  # imported when it is used: nobody waits for what other commands need

    def parser(self, language: str, name: str) -> Parser:
        parser = Parser(language, name)
        self.options(parser)
        return parser


WITHOUT_COMMAND: Final = TerminalCommand(_simulated, "companion.cli.simulated_table:simulated")
COMMANDS: Final = {
    "table": TerminalCommand(_table, "companion.cli.table:table"),
    "hall": TerminalCommand(_hall, "companion.cli.hall:hall"),
    "play": TerminalCommand(_play, "companion.cli.play:play"),
    "replay": TerminalCommand(_replay, "companion.cli.replay:replay"),
    "coach": TerminalCommand(_coach, "companion.cli.coach:coach"),
    "journal": TerminalCommand(_journal, "companion.cli.journal:journal"),
    "lights": TerminalCommand(_lights, "companion.cli.lights:show_lights"),
    "doctor": TerminalCommand(_doctor, "companion.cli.doctor:doctor"),
    "join": TerminalCommand(_join, "companion.cli.hall:join"),
    "flash": TerminalCommand(_flash, "companion.cli.flash:flash"),
    "update": TerminalCommand(_update, "companion.cli.update:update"),
    "backup": TerminalCommand(_backup, "companion.cli.backup:backup"),
    "restore": TerminalCommand(_restore, "companion.cli.backup:restore"),
    "card": TerminalCommand(_card, "companion.cli.card:card"),
    "install": TerminalCommand(_install, "companion.cli.install:install"),
    "roll-back": TerminalCommand(_roll_back, "companion.cli.install:roll_back"),
    "uninstall": TerminalCommand(_uninstall, "companion.cli.install:uninstall"),
}
JOURNAL_COMMANDS: Final = {
    "list": _journal_list,
    "export": _journal_export,
    "import": _journal_import,
}
LISTED: Final = (  # in the help
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
OF_THE_PROJECT: Final = {  # what ./run knows besides
    "test": Text("{program} test         check and test the project, or parts of it"),
    "bench": Text("{program} bench WHAT   measure something"),
    "words": Text("{program} words        update the translations, or begin another"),
    "release": Text("{program} release      make what a release consists of"),
    "lock": Text("{program} lock         lock the versions of other people's packages"),
}
OF_RESEARCH: Final = {  # what ours of these are called, and their lines of the help
    "study": Text("{program} study GAME   play a game many times: how long it is, and how fair"),
    "solve": Text("{program} solve A,B    what each position is worth on a ring of your own"),
    "tune": Text("{program} tune FILE    what other settings would find in a recording"),
    "sim": Text("{program} sim          a simulated table: hands, stoppers, radio, hub"),
    "replay-link": Text("{program} replay-link  what the host heard when a link was recorded"),
}
RESEARCH: Final = f"rappelwacht_research-{__version__}-py3-none-any.whl"


def extra_commands() -> dict[str, TerminalCommand]:
    """Return the commands of other packages by name; one that cannot be used is left out."""
    points = sorted(entry_points(group="rappelwacht.commands"), key=lambda point: point.name)
    loaded = {point.name: _load(point) for point in points}
    return {name: command for name, command in loaded.items() if command is not None}


def _load(point: EntryPoint) -> TerminalCommand | None:
    try:
        command = point.load()
    except Exception:
        LOG.exception("The command %s is left out.", point.name)
        return None
    return command if isinstance(command, TerminalCommand) else None


# --- what was typed -------------------------------------------------------------------------------


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


def read_options(language: str, words: Sequence[str]) -> Namespace:
    """Return what the words ask for; raise CompanionError for what nobody understands."""
    if any("\0" in word for word in words):
        raise CompanionError("No word of a command may have a NUL in it.")
    if not words or words[0].startswith("-"):
        named = Namespace(command=None, place=WITHOUT_COMMAND.place)
        return WITHOUT_COMMAND.parser(language, "").read(words, named)
    name, rest = words[0], words[1:]
    command = COMMANDS.get(name) or _extra(language, name)
    named = Namespace(command=name, place=command.place)
    if name == "play":
        return _read_play(language, rest, named)
    if name == "journal" and rest and rest[0] in JOURNAL_COMMANDS:
        named.what = rest[0]
        command = replace(command, options=JOURNAL_COMMANDS[rest[0]])
        return command.parser(language, f"journal {rest[0]}").read(rest[1:], named)
    return command.parser(language, name).read(rest, named)


def _extra(language: str, name: str) -> TerminalCommand:
    """Return a command of another package."""
    extras = extra_commands()
    if name in extras:
        return extras[name]
    if name in OF_RESEARCH:
        raise CompanionError(
            "'{command}' is for research, in a package of its own. Download {file}, which lies "
            "beside the wheel of this version, and install it: {python} -m pip install ./{file}",
            command=name,
            file=RESEARCH,
            python=sys.executable,
        )
    known = (*COMMANDS, *extras, *(OF_THE_PROJECT if is_project() else ()))
    raise WITHOUT_COMMAND.parser(language, "").refused(unknown(name, known))


def _read_play(language: str, words: Sequence[str], named: Namespace) -> Namespace:
    """Return what the words behind `play` ask for; only help needs to know every game."""

    def read(games: Iterable[str]) -> Namespace:
        parser = Parser(language, "play")
        _play(parser, games)
        return parser.read(words, Namespace(**vars(named)))

    game = _game(words)
    if game not in PLUGINS or not {"-h", "--help"}.isdisjoint(words):
        return read(PLUGINS)
    try:
        return read((game,))
    except CompanionError:
        raise _foreign(read(PLUGINS), language) from None


def _game(words: Sequence[str]) -> str:
    """Return which game is asked for, before all else is read."""
    for word, following in pairwise((*words, "")):
        option, _, value = word.partition("=")
        if option == "--game":
            return value or following
    return _usual_game()


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
