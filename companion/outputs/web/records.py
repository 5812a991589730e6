"""How often each of those whom the table remembers has played and won, over all matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.people.kept_people import KeptPeople
from companion.people.person import Person
from companion.present.past import Past, Result
from companion.text import seat_word


@dataclass(frozen=True, slots=True)
class Record:
    """One person: matches that were played to their end, and those among them that were won."""

    person: Person
    played: int
    won: int


def records(matches: Sequence[Past], people: KeptPeople) -> list[Record]:
    """Return the record of everybody who is known, those with most matches first."""
    played, won = Counter[str](), Counter[str]()
    for match in matches:
        if match.result is not Result.WON:
            continue
        for seat, person in people.in_match(match.id).people:
            played[person.id] += seat in map(seat_word, match.seats)
            won[person.id] += seat in map(seat_word, match.winners)
    found = [Record(one, played[one.id], won[one.id]) for one in people.known if played[one.id]]
    return sorted(found, key=lambda one: (-one.played, -one.won))
