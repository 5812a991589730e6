"""A person at the table: an animal, told apart without colours, and a name of a few letters."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from companion.i18n.translate import name, say
from companion.system.errors import CompanionError
from companion.system.format_names import format_name
from companion.system.text import SEATS, Text

LETTERS: Final = 12  # as people count them: a letter with its accents is one
LONGEST: Final = 64  # of what a letter may be made of, in all: marks, joined pictures
MOST: Final = 4 * LONGEST  # of what is looked at at all
JOINERS: Final = "\u200c\u200d"  # some scripts and many pictures cannot be written without
SKIN: Final = range(0x1F3FB, 0x1F400)  # tones, which belong to the picture before
FLAGS: Final = range(0x1F1E6, 0x1F200)  # letters, two of which make one flag
FORBIDDEN: Final = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")  # what nobody sees, or everybody otherwise
OTHERS: Final = "others"  # the hands of somebody at the table who does not play
EAR_WORDS: Final = ("keep", "back")  # of a barrel that others shake for a seat
RIGHT_TO_LEFT: Final = ("R", "AL", "AN")


@format_name("Animal")
class Animal(Enum):
    FOX = "fox"
    OWL = "owl"
    FROG = "frog"
    CAT = "cat"
    HARE = "hare"
    BEAR = "bear"
    HEDGEHOG = "hedgehog"
    SNAIL = "snail"
    FISH = "fish"
    PENGUIN = "penguin"
    TURTLE = "turtle"
    ELEPHANT = "elephant"

    @property
    def said(self) -> str:
        return self.value.title()


ANIMALS: Final = {animal.value: animal for animal in Animal}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays at this table."""

    id: str  # nothing but a number drawn at random
    animal: Animal
    name: str = ""  # nobody has to have one: then the animal's word is it
    kept: bool = False  # on this table, also when the evening is over


def proper_name(text: str) -> str:
    """Return a name as it is kept; CompanionError says what is wrong with one.

    >>> proper_name("  Oma   Ilse ")
    'Oma Ilse'
    """
    if len(text) > MOST:
        raise _long()
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if any(
        unicodedata.category(char) in FORBIDDEN and char not in JOINERS for char in text.strip()
    ):
        raise CompanionError("This name contains an invisible character; type the name without it.")
    count = sum(1 for _ in letters(name))
    if count > LETTERS or len(name) > LONGEST:
        raise _long()
    if name and not any(unicodedata.category(char)[0] in "LNSP" for char in name):
        raise CompanionError("A name needs at least one visible letter.")
    return name


def _long() -> CompanionError:
    return CompanionError(
        "A name has at most {count} letters; choose a shorter one.", count=LETTERS
    )


def letters(text: str) -> Iterator[str]:
    """Yield the letters of a text as people count them.

    >>> [len(one) for one in letters("Zoé👩‍🚀🇩🇪")]
    [1, 1, 1, 3, 2]
    """
    letter, flags = "", 0
    for char in text:
        joined = letter[-1:] == JOINERS[1] or char in JOINERS
        flag = ord(char) in FLAGS
        if letter and (joined or _belongs(char) or (flag and flags % 2)):
            letter += char
        else:
            if letter:
                yield letter
            letter = char
        flags = flags + 1 if flag else 0
    if letter:
        yield letter


def _belongs(char: str) -> bool:
    """Tell whether something is part of the letter before it."""
    return unicodedata.category(char)[0] == "M" or ord(char) in SKIN


def isolated(name: str) -> str:
    """Return a name that is read from the right such that it leaves the words around as they are.

    >>> isolated("Oma")
    'Oma'
    """
    from_right = any(unicodedata.bidirectional(char) in RIGHT_TO_LEFT for char in name)
    return f"\u2068{name}\u2069" if from_right else name


@dataclass(frozen=True, slots=True)
class Seating:
    """The people at the table, by the words of their seats; who is not known has none."""

    people: tuple[tuple[str, Person], ...] = ()
    hands: tuple[tuple[str, str], ...] = ()  # who shakes for a seat: another seat, or `OTHERS`
    ears: tuple[tuple[str, str, object], ...] = ()  # what a seat said of a barrel, and when

    def at(self, seat: str) -> Person | None:
        """Return who sits at a seat, if that is known."""
        return next((person for word, person in self.people if word == seat), None)

    def without(self, seats: tuple[str, ...]) -> Seating:
        """Return those who sit elsewhere."""
        return replace(
            self, people=tuple(seated for seated in self.people if seated[0] not in seats)
        )

    def hands_of(self, seat: str) -> str:
        """Return whose hands shake and place a seat's barrels: its own, unless it named others."""
        return dict(self.hands).get(seat, seat)

    def said_by_ear(self, seat: str, moment: object) -> str:
        """Return what a seat said last, if it was at that moment of the match."""
        words = (word for at, word, then in self.ears if (at, then) == (seat, moment))
        return next(words, "")

    def names(self, language: str) -> Mapping[str, str]:
        """Return how people are called, by their seats; those of one name by their animals, too."""
        if not self.people:
            return {}
        named = [(seat, person, _called(person, language)) for seat, person in self.people]
        often = Counter(called.casefold() for _, _, called in named)
        return {
            seat: isolated(called)
            if often[called.casefold()] == 1
            else say(
                Text("{name} ({animal})", name=isolated(called), animal=person.animal), language
            )
            for seat, person, called in named
        }


NOBODY: Final = Seating()


def can_shake(hands: str, seat: str) -> bool:
    """Tell whether somebody else who sits there, or does not play, can be the hands of a seat."""
    return hands == OTHERS or (hands in SEATS and hands != seat)


def _called(person: Person, language: str) -> str:
    return person.name or name(person.animal, language)
