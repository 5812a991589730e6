"""What is known of people as a value, and as the JSON of their file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from companion.people.person import ANIMALS, Person, proper_name
from companion.people.seating import Seating
from companion.small_files import object_in, to_json
from companion.text import SEATS

PEOPLE: Final = 60  # more never play at one table; who has not sat here for longest is forgotten
Seats = Mapping[str, str]  # the id of a person, by the word of a seat


@dataclass(frozen=True)
class Book:
    """Who is known, where they sit, and where they sat in which match; the newest stand last."""

    people: tuple[Person, ...] = ()
    seats: Seats = field(default_factory=dict)
    matches: Mapping[str, Seats] = field(default_factory=dict)

    def person(self, known: str | None) -> Person | None:
        """Return somebody by the id."""
        return next((one for one in self.people if one.id == known), None)

    def seating(self, seats: Seats | None = None) -> Seating:
        """Return who sits where, now if no other seats are given."""
        seats = self.seats if seats is None else seats
        found = ((seat, self.person(seats.get(seat))) for seat in SEATS)
        return Seating(tuple((seat, person) for seat, person in found if person))

    def without(self, *, seat: str, person: str | None = None) -> Book:
        """Return it with nobody at that seat, and a person at none."""
        left = {at: one for at, one in self.seats.items() if at != seat and one != person}
        return replace(self, seats=left)

    def with_person(self, person: Person, seat: str) -> Book:
        """Return it with somebody at a seat."""
        others = tuple(one for one in self.people if one.id != person.id)
        return replace(
            self, people=(*others, person)[-PEOPLE:], seats={**self.seats, seat: person.id}
        )

    def with_match(self, match: str, seats: tuple[str, ...], most: int) -> Book:
        """Return it with those who play a match."""
        there = {seat: one for seat, one in self.seats.items() if seat in seats}
        others = {one: sat for one, sat in self.matches.items() if one != match}
        if not there and match not in self.matches:
            return self
        newest = [*others.items(), (match, there)][-most:]
        return replace(self, matches={one: sat for one, sat in newest if sat})

    def erased(self, person: str) -> Book:
        """Return it as if that person had never been here."""
        return replace(self, people=tuple(one for one in self.people if one.id != person)).tidied()

    def tidied(self) -> Book:
        """Return it without those who sit nowhere and are not to be kept."""
        seated = {*self.seats.values()}
        people = tuple(one for one in self.people if one.kept or one.id in seated)
        known = {one.id for one in people}
        matches = {match: _of(known, seats) for match, seats in self.matches.items()}
        return Book(
            people,
            _of(known, self.seats),
            {match: seats for match, seats in matches.items() if seats},
        )


def _of(known: set[str], seats: Seats) -> Seats:
    return {seat: one for seat, one in seats.items() if one in known}


def write(book: Book, at_s: float) -> bytes:
    """Return it as JSON; `at_s` is when, on the wall clock."""
    people = [
        {"id": one.id, "animal": one.animal.value, "name": one.name, "kept": one.kept}
        for one in book.people
    ]
    told = {"at_s": int(at_s), "people": people, "seats": book.seats, "matches": book.matches}
    return to_json(told)


def read(data: bytes) -> tuple[Book, float]:
    """Return what was written, and when; anything may be raised where that is neither."""
    told = object_in(data)
    people = tuple(map(_person, told["people"][:PEOPLE]))
    matches = {match: _seats(seats) for match, seats in told["matches"].items()}
    return Book(people, _seats(told["seats"]), matches).tidied(), told["at_s"] + 0.0


def _person(told: Any) -> Person:
    return Person(
        str(told["id"]), ANIMALS[told["animal"]], proper_name(told["name"]), bool(told["kept"])
    )


def _seats(told: Any) -> Seats:
    return {seat: str(one) for seat, one in told.items() if seat in SEATS}
