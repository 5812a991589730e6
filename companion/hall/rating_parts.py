"""Who is remembered, and ratings as people read them: by name, and how far they may be off."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.kit import KITS
from companion.errors import CompanionError
from companion.hall.evening.rating import Rating
from companion.hall.hall import Hall
from companion.hall.kept_evening import VIEWS
from companion.people.person import Person
from companion.present.page import title_of
from companion.present.reader import Reader


@dataclass(frozen=True, slots=True)
class Rated:
    """Where somebody stands; several may share a place."""

    place: int
    person: Person
    rating: Rating


def tables(hall: Hall, reader: Reader) -> list[tuple[str, list[Rated]]]:
    """Return the ranking for each rated game, of those who wanted to be remembered."""
    if not hall.ratings.on:
        return []
    found = ((reader.say(title_of(game)), _table(hall, game)) for game in KITS)
    return [(title, table) for title, table in found if table]


def _table(hall: Hall, game: str) -> list[Rated]:
    ratings, regulars = hall.ratings.of(hall.evening.now, game), hall.ratings.regulars
    people = [one for one in regulars.values() if one.id in ratings]
    people.sort(key=lambda one: -ratings[one.id].sure)
    sure = [ratings[one.id].sure for one in people]
    return [Rated(sure.index(sure[at]) + 1, one, ratings[one.id]) for at, one in enumerate(people)]


def absent(hall: Hall) -> list[Person]:
    """Return who is remembered from an earlier evening and is not here, by name."""
    if not hall.ratings.on:
        return []
    guests = hall.evening.now.guests
    found = [one for one in hall.ratings.regulars.values() if one.id not in guests]
    return sorted(found, key=lambda one: (one.name.casefold(), one.animal.value))


def known_as(hall: Hall, person: str) -> Person:
    """Return a guest as somebody to be remembered."""
    guest = hall.evening.now.guests[person]
    return Person(guest.id, guest.animal, guest.name, kept=True)


def tell(hall: Hall) -> None:
    """Update what is shown of people, also at their tables, if no deed of the evening does."""
    for view in (*VIEWS, *(f"table-{table.number}" for table in hall.tables)):
        hall.changed(view)


def come_again(hall: Hall, person: str) -> None:
    """Check somebody in who is remembered from an earlier evening; CompanionError: nobody is."""
    known = hall.ratings.regulars.get(person) if hall.ratings.on else None
    if known is None:
        raise CompanionError("This person is no longer known here; check in again.")
    hall.evening.check_in("", known=known)
    hall.ratings.know(known)  # of those who are known, the latest
