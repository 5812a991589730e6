"""Who reads: in which language, and what may be done from there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from companion.core.game import SEATS, SeatName
from companion.say import LANGUAGES, Templated, Text, name, say

TABLE: Final = "table"  # a role that may act for every seat
ROLES: Final = (TABLE, *SEATS)


@dataclass(frozen=True, slots=True)
class Reader:
    """A phone and who holds it."""

    language: str = "en"
    role: str | None = None  # None: watches; else one of ROLES

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
    def by(self) -> str:
        """Return under which name its commands are written down."""
        return self.role or "phone"

    def may_act_for(self, seat: str) -> bool:
        """Whether it may do what is that seat's to do."""
        return self.role in (TABLE, seat)

    def say(self, thing: Templated | str, **values: object) -> str:
        """Return a sentence in the reader's language; a string is its English template."""
        return say(Text(thing, **values) if isinstance(thing, str) else thing, self.language)

    def name(self, value: object) -> str:
        """Return what people call a value; a colour also by its word."""
        word = SeatName[value.upper()] if isinstance(value, str) and value in SEATS else value
        return name(word, self.language)
