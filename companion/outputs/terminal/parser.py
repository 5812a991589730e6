"""A parser of command lines that helps and complains in one's own language."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from companion.errors import CompanionError
from companion.program import program
from companion.say import LANGUAGES, name, say
from companion.text import SeatName, Text

DIGITS: Final = 18  # no number of ours has more
PORTS: Final = 65_535
SEEDS: Final = 10**DIGITS - 1
ROUNDS: Final = 1_000
GAMES: Final = 1_000_000
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
        lambda given: CompanionError(
            "Missing: {words:and}.", words=tuple(given["words"].split(", "))
        ),
    ),
    (
        r"argument (?P<option>.+?): (?P<reason>.*)",
        lambda given: CompanionError("{option}: {reason}", **given),
    ),
    (r"(?P<reason>.*)", lambda given: CompanionError("{reason}", **given)),
)


class Parser(argparse.ArgumentParser):
    """A parser that helps and complains in one language."""

    def __init__(self, language: str, command: str, description: str, epilog: str = "") -> None:
        self.language = language
        super().__init__(
            prog=f"{program()} {command}".rstrip(),
            description=description,
            epilog=epilog,
            formatter_class=_Layout,
            add_help=False,
            allow_abbrev=False,
        )
        self.named = self.add_argument_group(self.text("Arguments"))
        self.given = self.add_argument_group(self.text("Options"))
        self.option("-h", "--help", action="help", help=self.text("show this help"))
        self.option(
            "-v",
            "--verbose",
            action="store_true",
            help=self.text("also log what happens, where errors are told"),
        )
        self.option(  # read by `language_of` before; here for its help
            "--language",
            metavar="|".join(LANGUAGES),
            help=self.text(
                "{names}; otherwise what LC_ALL, LC_MESSAGES or LANG say",
                names=tuple(sorted(one.own_name for one in LANGUAGES.values())),
            ),
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

    def read(self, words: Sequence[str], namespace: argparse.Namespace) -> argparse.Namespace:
        """Return what the words say; a value that is empty is none, such as that of "$UNSET"."""
        read = self.parse_args(words, namespace)
        for action in self._actions:
            if action.option_strings and getattr(read, action.dest, None) == "":
                self.error(f"argument {action.option_strings[-1]}: expected one argument")
        return read

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

    def colour(self, word: str) -> SeatName:
        """Return the colour that a word names, in English or in the parser's language."""
        for seat in SeatName:
            if word.strip().lower() in {seat.name.lower(), name(seat, self.language).lower()}:
                return seat
        raise argparse.ArgumentTypeError(
            self.text(
                "'{word}' is not a colour; the colours are {colours:and}.",
                word=word,
                colours=tuple(SeatName),
            )
        )

    def colours(self, words: str) -> tuple[SeatName, ...]:
        """Return colours with commas between them, clockwise."""
        return tuple(sorted(self.colour(word) for word in words.split(",")))

    def number(self, least: int, most: int) -> Whole:
        """Return what reads a whole number within bounds."""
        return Whole(self, least, most)

    def speed(self, word: str) -> float:
        """Return how often faster than a clock; 0 is as fast as can be."""
        if word == "max":
            return 0.0
        if re.fullmatch(r"\d{1,4}(\.\d{1,3})?", word) and float(word):
            return float(word)
        raise argparse.ArgumentTypeError(
            self.text(
                "'{word}' is not a speed; write max, or a number such as 1 or 2.5.", word=word
            )
        )

    def pace(self, word: str) -> float:
        """Return the same for a table that is refereed."""
        if found := self.speed(word):
            return found
        raise argparse.ArgumentTypeError(
            self.text(
                "A table that is refereed lives by a clock; write --speed 1, or up to about 10."
            )
        )

    def span(self, word: str) -> tuple[int, int]:
        """Return from when to when, in microseconds, of two times in seconds."""
        found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?)-(\d{1,6}(?:\.\d{1,6})?)", word)
        if found and float(found[1]) < float(found[2]):
            return round(float(found[1]) * 1e6), round(float(found[2]) * 1e6)
        raise argparse.ArgumentTypeError(
            self.text("'{word}' is not a span of seconds; write, for example, 12.5-40.", word=word)
        )

    def reader(self, word: str) -> SeatName | None:
        """Return the seat whose eyes one looks through; None is a spectator."""
        return None if word in {"spectator", self.text("spectator")} else self.colour(word)


@dataclass(frozen=True, slots=True)
class Whole:
    """Reads a whole number within bounds."""

    parser: Parser
    least: int
    most: int

    def __call__(self, word: str) -> int:
        """Return the number that a word means."""
        if word.isascii() and word.isdecimal() and len(word) <= DIGITS:
            number = int(word)
            if self.least <= number <= self.most:
                return number
        raise argparse.ArgumentTypeError(
            self.parser.text(
                "'{word}' is not a whole number from {least} to {most}.",
                word=word if len(word) <= DIGITS else word[:DIGITS] + "…",
                least=self.least,
                most=self.most,
            )
        )


class _Layout(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=78)
