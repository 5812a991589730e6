"""Who sits where: what the seats are called, and which animal each shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.people.person import Person, isolated
from companion.say import name, say
from companion.text import Text


@dataclass(frozen=True, slots=True)
class Seating:
    """The people at the table, by the words of their seats; who is not known has none."""

    people: tuple[tuple[str, Person], ...] = ()

    def at(self, seat: str) -> Person | None:
        """Return who sits at a seat, if that is known."""
        return next((person for word, person in self.people if word == seat), None)

    def without(self, seats: tuple[str, ...]) -> Seating:
        """Return those who sit elsewhere."""
        return Seating(tuple(one for one in self.people if one[0] not in seats))

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


def _called(person: Person, language: str) -> str:
    return person.name or name(person.animal, language)
