"""Viewer: who reads, in which language and role, and what may be done from there."""

from dataclasses import dataclass, replace
from typing import Final, Self

from companion.i18n.translate import LANGUAGES, Audience, Translatable, name, say, seat_of
from companion.referee.people.person import NOBODY, Animal, Seating
from companion.system.text import SEATS, SeatName, Text

TABLE: Final = "table"  # a role that may act for every seat
ROLES: Final = (TABLE, *SEATS)


@dataclass(frozen=True, slots=True)
class Viewer:
    language: str = "en"
    role: str | None = None  # None: watches; else one of ROLES
    seating: Seating = NOBODY  # who sits where, so that each is called by name
    addressed: bool = True  # whether sentences say "you" to the seat that it acts for

    @property
    def tag(self) -> str:
        """Return the language as pages and browsers write it."""
        return LANGUAGES[self.language].tag

    @property
    def acts(self) -> bool:
        """Whether it may change anything."""
        return self.role is not None

    @property
    def seat(self) -> str | None:
        """Return the seat that it acts for; None: no certain one."""
        return self.role if self.role in SEATS else None

    @property
    def own(self) -> str | None:
        """Return the seat to which sentences say "you"; None: they say it to nobody."""
        return self.seat if self.addressed else None

    @property
    def by(self) -> str:
        """Return under which name its commands are written down."""
        return self.role or "phone"

    def may_act_for(self, seat: str) -> bool:
        """Whether it may do what is that seat's to do."""
        return self.role in (TABLE, seat)

    def as_all(self, seating: Seating | None = None) -> Self:
        """Return the same, but to be told what everybody reads, perhaps of other people."""
        return replace(self, addressed=False, seating=self.seating if seating is None else seating)

    @property
    def _hearer(self) -> Audience:
        return Audience(self.seating.names(self.language), self.own)

    def say(self, thing: Translatable | str, **values: object) -> str:
        """Return a sentence in the reader's language; a string is its English template."""
        sentence = Text(thing, **values) if isinstance(thing, str) else thing
        return say(sentence, self.language, self._hearer)

    def name(self, value: object) -> str:
        """Return what people call a value; a seat by its player's name, or by its colour."""
        return name(_seat_name(value), self.language, self._hearer)

    def colour(self, seat: object) -> str:
        """Return the colour of a seat, whoever sits there."""
        return name(_seat_name(seat), self.language)

    def animal(self, seat: object) -> Animal | None:
        """Return as which animal somebody is shown who sits at a seat."""
        word = seat if isinstance(seat, str) else seat_of(seat)
        person = self.seating.at(word) if word else None
        return person.animal if person else None


def _seat_name(value: object) -> object:
    return SeatName[value.upper()] if isinstance(value, str) and value in SEATS else value
