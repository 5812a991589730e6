"""The words of the command `journal`, and their help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from companion.outputs.terminal.parser import Parser
from companion.say import say
from companion.text import Text


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


def _add_whose_journal(parser: Parser) -> None:
    parser.option(
        "--folder",
        metavar=parser.text("FOLDER"),
        help=parser.text("the folder of the table; otherwise that of '{program} table'"),
    )
    parser.option(
        "--simulated",
        action="store_true",
        help=parser.text("the journal of the simulated table"),
    )


KINDS: Final[dict[str, Callable[[str], Parser]]] = {
    "list": _list,
    "export": _export,
    "import": _import,
}
