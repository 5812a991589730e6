"""A translated argparse parser: help and error messages in the language of who types."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Any, Final

from companion.i18n.translate import LANGUAGES, name, say
from companion.system.errors import CompanionError
from companion.system.text import SeatName, Text, program

DIGITS: Final = 18  # no number of ours has more
PORTS: Final = 65_535
SEEDS: Final = 10**DIGITS - 1
GAMES: Final = 1_000_000


class Parser(argparse.ArgumentParser):
    """A parser that helps and complains in one language."""

    def __init__(self, language: str, command: str) -> None:
        self.language = language
        super().__init__(
            prog=f"{program()} {command}".rstrip(),
            formatter_class=partial(_Layout, self.text("Usage: ")),
            add_help=False,
            allow_abbrev=False,
            exit_on_error=False,
        )
        self.named = self.add_argument_group(self.text("Arguments"))
        self.given = self.add_argument_group(self.text("Options"))
        self.given.add_argument("-h", "--help", action="help", help=self.text("show this help"))
        self.flag("-v", "--verbose", about=Text("also log what happens, not only errors"))
        names = tuple(sorted(language.own_name for language in LANGUAGES.values()))
        otherwise = Text("{names}; otherwise what LC_ALL, LC_MESSAGES or LANG say", names=names)
        self.option("--language", "|".join(LANGUAGES), otherwise)  # read by `language_of` before

    def text(self, template: str, **values: object) -> str:
        return say(Text(template, **values), self.language)

    def _said(self, text: Text | str) -> str:
        return text if isinstance(text, str) else say(text, self.language)

    def describe(self, about: Text) -> None:
        self.description = self._said(about)

    def list_commands(self, *lines: Text, more: Text) -> None:
        """Name commands at the end of the help, and what tells more of them."""
        self.epilog = "\n".join(map(self._said, lines)) + f"\n\n{self._said(more)}"

    def argument(self, name: str, value: Text | str, about: Text | None = None, **how: Any) -> None:
        """Take a word by its place; `value` stands for it in the help."""
        help_text = None if about is None else self._said(about)
        self.named.add_argument(name, metavar=self._said(value), help=help_text, **how)

    def option(self, name: str, value: Text | str, about: Text, **how: Any) -> None:
        """Take what stands behind a name; `value` stands for it in the help."""
        self.given.add_argument(name, metavar=self._said(value), help=self._said(about), **how)

    def number(self, name: str, least: int, most: int, about: Text, **how: Any) -> None:
        """Take a whole number behind a name."""
        self.option(name, "N", about, type=self.whole(least, most), **how)

    def flag(self, *names: str, about: Text) -> None:
        self.given.add_argument(*names, action="store_true", help=self._said(about))

    def read(self, words: Sequence[str], namespace: argparse.Namespace) -> argparse.Namespace:
        """Return what the words say; a value that is empty is none, such as that of "$UNSET"."""
        needed = [action for action in self._actions if action.required]
        for action in needed:
            action.required = False  # else argparse says it in English
        try:
            read, rest = self.parse_known_args(words, namespace)
        except argparse.ArgumentError as error:
            raise self.refused(self._fault(error)) from None
        for action in self._actions:
            if action.option_strings and getattr(read, action.dest, None) == "":
                raise self.refused(_valueless(action.option_strings[-1]))
        missing = [action.metavar for action in needed if getattr(read, action.dest) is None]
        if missing:
            raise self.refused(CompanionError("Missing: {words:and}.", words=tuple(missing)))
        if rest:
            options = [word for action in self._actions for word in action.option_strings]
            near = unknown(rest[0].partition("=")[0], options)
            raise self.refused(near if rest[0].startswith("-") else unknown(" ".join(rest)))
        return read

    def _fault(self, error: argparse.ArgumentError) -> CompanionError:
        """Return what is wrong with an option or a word."""
        if isinstance(error.__context__, argparse.ArgumentTypeError):  # a sentence of ours
            return CompanionError(
                "{option}: {reason}", option=error.argument_name, reason=error.message
            )
        flags = ["/".join(action.option_strings) for action in self._actions if action.nargs == 0]
        if error.argument_name in flags:
            return CompanionError("{option} takes no value.", option=error.argument_name)
        return _valueless(error.argument_name)

    def refused(self, fault: CompanionError) -> CompanionError:
        """Return what is wrong, with the way to help."""
        return CompanionError(
            "{fault} '{program} --help' shows what there is.", fault=fault, program=self.prog
        )

    def one_of(self, words: Iterable[str]) -> Callable[[str], str]:
        known = frozenset(words)

        def choice(word: str) -> str:
            if word not in known:
                raise self.refused(unknown(word, known))
            return word

        return choice

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

    def whole(self, least: int, most: int) -> IntRange:
        """Return what reads a whole number within bounds."""
        return IntRange(self, least, most)

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
        if factor := self.speed(word):
            return factor
        raise argparse.ArgumentTypeError(
            self.text("A refereed table runs in real time; write --speed 1, or up to about 10.")
        )

    def reader(self, word: str) -> SeatName | None:
        """Return the seat whose eyes one looks through; None is a spectator."""
        return None if word in {"spectator", self.text("spectator")} else self.colour(word)


@dataclass(frozen=True, slots=True)
class IntRange:
    """Reads a whole number within bounds."""

    parser: Parser
    least: int
    most: int

    def __call__(self, word: str) -> int:
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


def _valueless(option: str | None) -> CompanionError:
    return CompanionError("{option} needs a value.", option=option)


def unknown(word: str, known: Iterable[str] = ()) -> CompanionError:
    """Return what to say of a word that there is not, with the one that was meant, if any is."""
    if near := get_close_matches(word, [*known], n=1, cutoff=0.7):
        return CompanionError(
            "'{word}' is not known here; did you mean '{near}'?", word=word, near=near[0]
        )
    return CompanionError("'{words}' is not known here.", words=word)


class _Layout(argparse.RawDescriptionHelpFormatter):
    def __init__(self, usage: str, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=78)
        self._usage = usage

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        """Begin with how it is used; argparse itself knows only one language."""
        super().add_usage(usage, actions, groups, self._usage if prefix is None else prefix)
