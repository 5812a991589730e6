"""Stores people and who sat where in which match, in one file; erased, it is gone.

Who is not to be kept on this table is forgotten as soon as that person sits nowhere, at the latest
a night later. A disk that fails keeps nobody from playing: what people said counts, it is told of,
and tried again until it is written.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any, Final

from companion.core.codec import pack, unpack
from companion.referee.people.person import Animal, Person, Seating, can_shake, proper_name
from companion.system import format_names, small_files, status, text
from companion.system.errors import CompanionError

PEOPLE: Final = 60  # more never play at one table; who has not sat here for longest is forgotten
Seats = Mapping[str, str]  # the id of a person, by the word of a seat


@dataclass(frozen=True)
class Book:
    """Who is known, where they sit, and where they sat in which match; the newest stand last."""

    people: tuple[Person, ...] = ()
    seats: Seats = field(default_factory=dict)
    matches: Mapping[str, Seats] = field(default_factory=dict)
    hands: Seats = field(default_factory=dict)  # who shakes for a seat, by the word of theirs

    def person(self, known: str | None) -> Person | None:
        return next((person for person in self.people if person.id == known), None)

    def seating(self, seats: Seats | None = None) -> Seating:
        """Return who sits where, now if no other seats are given."""
        now, seats = seats is None, self.seats if seats is None else seats
        people = ((seat, self.person(seats.get(seat))) for seat in text.SEATS)
        hands = tuple(sorted(self.hands.items())) if now else ()
        return Seating(tuple((seat, person) for seat, person in people if person), hands)

    def without(self, *, seat: str, person: str | None = None) -> Book:
        """Return it with nobody at that seat, and a person at none."""
        left = {at: seated for at, seated in self.seats.items() if at != seat and seated != person}
        return replace(self, seats=left)

    def with_person(self, person: Person, seat: str) -> Book:
        others = tuple(other for other in self.people if other.id != person.id)
        return replace(
            self, people=(*others, person)[-PEOPLE:], seats={**self.seats, seat: person.id}
        )

    def with_match(self, match: str, seats: tuple[str, ...], most: int) -> Book:
        there = {seat: sitter for seat, sitter in self.seats.items() if seat in seats}
        others = {other: sat for other, sat in self.matches.items() if other != match}
        if not there and match not in self.matches:
            return self
        newest = [*others.items(), (match, there)][-most:]
        return replace(self, matches={number: sat for number, sat in newest if sat})

    def erased(self, person: str) -> Book:
        """Return it as if that person had never been here."""
        return replace(
            self, people=tuple(other for other in self.people if other.id != person)
        ).tidied()

    def tidied(self) -> Book:
        """Return it without those who sit nowhere and are not to be kept."""
        seated = {*self.seats.values()}
        people = tuple(person for person in self.people if person.kept or person.id in seated)
        known = {person.id for person in people}
        matches = {match: _of(known, seats) for match, seats in self.matches.items()}
        return Book(
            people,
            _of(known, self.seats),
            {match: seats for match, seats in matches.items() if seats},
            self.hands,
        )


def _of(known: set[str], seats: Seats) -> Seats:
    return {seat: person for seat, person in seats.items() if person in known}


def write(book: Book, at_s: float) -> bytes:
    """Return it as JSON; `at_s` is when, on the wall clock."""
    people = pack(book.people)
    values = {"at_s": int(at_s), "people": people, "seats": book.seats, "matches": book.matches}
    if book.hands:  # earlier versions pass it over
        values["hands"] = book.hands
    return small_files.to_json(values)


def read(data: bytes) -> tuple[Book, float]:
    """Return what was written, and when; anything may be raised where that is neither."""
    values = small_files.object_in(data)
    people = tuple(map(_person, values["people"][:PEOPLE]))
    matches = {match: _seats(seats) for match, seats in values["matches"].items()}
    hands = {
        seat: at for seat, at in _seats(values.get("hands", {})).items() if can_shake(at, seat)
    }
    return Book(people, _seats(values["seats"]), matches, hands).tidied(), values["at_s"] + 0.0


def _person(values: Any) -> Person:
    person = unpack(Person, values, "person")
    return replace(person, name=proper_name(person.name))


def _seats(values: Any) -> Seats:
    return {seat: str(person) for seat, person in values.items() if seat in text.SEATS}


FILE: Final = "people.json"
PEOPLE_FILE: Final[small_files.SmallFile[tuple[Book, float]]] = small_files.SmallFile(
    FILE, lambda kept: write(*kept), read, 1 << 20
)
NIGHT_S: Final = 10 * 3600
MATCHES: Final = 2000  # for which it is known who sat where; older ones show colours


@format_names.format_name("KeepingPeople")
class KeepingPeople(status.Status):
    """Whether the names of people outlive a restart."""

    WRITTEN = status.Fine("Names and animals are saved.")
    UNWRITTEN = (
        "Names and animals cannot be saved in {file} ({reason}): after a restart some may be "
        "gone, and erased ones may be back. Make room or repair the disk; saving is tried again "
        "until it works."
    )

    UNREADABLE = (
        "The file {file} with the names of the players cannot be read, so everybody is called by "
        "colour again. Enter the names again on the 'Join' page."
    )


class KeptPeople:
    """The people of one table; all of it may be called from any thread."""

    def __init__(
        self,
        folder: Path | None = None,  # None: forget everything at the end
        report: status.Report = lambda _: None,
        clock_s: Callable[[], float] = time.time,
        changed: Callable[[], None] = lambda: None,  # called when somebody is called otherwise
    ) -> None:
        self._folder, self._changed = folder, changed
        self._forgets_all = False
        self._clock_s = clock_s
        self._lock, self._writing = Lock(), Lock()
        self._watched = status.StatusReporter(KeepingPeople.WRITTEN, report)
        self._match: tuple[str, tuple[str, ...]] | None = None  # that is played, and its seats
        self._bots: tuple[str, ...] = ()
        self._written: Book | None = Book()  # what stands there; None: nobody knows
        self._book = self._read()
        self.now = self._book.seating()  # never changes: a new one takes its place

    # --- who is known -------------------------------------------------------------------------

    @property
    def known(self) -> tuple[Person, ...]:
        """Return whom this table knows, by name."""
        people = self._book.people  # those alone who sit here, or are kept
        return tuple(
            sorted(people, key=lambda person: (person.name.casefold(), person.animal.value))
        )

    def in_match(self, match: str | None) -> Seating:
        """Return who sat where in a match, as far as they are known still."""
        return self._book.seating(self._book.matches.get(match or "", {}))

    # --- what people say ----------------------------------------------------------------------

    def sit(
        self,
        seat: str,
        name: str | None = None,
        animal: Animal | None = None,
        *,
        kept: bool | None = None,
        known: str | None = None,
    ) -> Person:
        """Have somebody sit at a seat: somebody new, or a `known` one, as far as that is no other.

        CompanionError: what is wrong with the name, or that the animal sits here already.
        """
        name = None if name is None else proper_name(name)
        with self._lock:
            was = self._book.person(known or self._book.seats.get(seat))
            if known is not None and was is None:
                raise CompanionError("This person is no longer known here; type the name again.")
            if known is None and was is not None and was.name != (name or ""):
                was = None  # under another name it is somebody else
            others = self._book.without(seat=seat, person=was.id if was else None)
            animal = animal or (was.animal if was else _free(others))
            if animal in _animals(others):
                raise CompanionError(
                    "{animal} is taken at this table; choose another animal.", animal=animal
                )
            person = was or Person(secrets.token_hex(4), animal)
            person = replace(
                person,
                animal=animal,
                name=person.name if name is None else name,
                kept=person.kept if kept is None else kept,
            )
            self._take(others.with_person(person, seat))
        self.keep()
        return person

    def leave(self, seat: str) -> None:
        """Free a seat: nobody sits there whose name is known."""
        with self._lock:
            self._take(self._book.without(seat=seat))
        self.keep()

    def lend_hands(self, seat: str, hands: str) -> None:
        """Note who at the table shakes and places for a seat far away; its own seat: nobody."""
        if hands != seat and not can_shake(hands, seat):
            raise ValueError(hands)
        with self._lock:
            left = {at: other for at, other in self._book.hands.items() if at != seat}
            self._take(replace(self._book, hands=left if hands == seat else {**left, seat: hands}))
        self.keep()

    def say_by_ear(self, seat: str, word: str, moment: object) -> None:
        """Note what a seat wants of its hands; it counts at that moment of the match alone."""
        with self._lock:
            others = tuple(ear for ear in self.now.ears if ear[0] != seat)
            self.now = replace(self.now, ears=(*others, (seat, word, moment)))
        self._changed()

    def forget(self, person: str) -> None:
        """Erase somebody everywhere: in every match, the seat's colour is shown again."""
        with self._lock:
            self._take(self._book.erased(person))
        self.keep()

    def forget_all(self) -> None:
        with self._lock:
            self._take(Book())
            self._written, self._forgets_all = None, True  # also what could not be read
        self.keep()

    def playing(
        self, match: str | None, seats: tuple[str, ...], *, over: bool, bots: tuple[str, ...] = ()
    ) -> None:
        """Note which match is played; the table's thread calls it, so nothing is written.

        Where the companion itself plays, nobody sits, whoever sat there before.
        """
        seats = tuple(seat for seat in seats if seat not in bots)
        with self._lock:
            now = None if match is None or over else (match, seats)
            if (now, bots) != (self._match, self._bots):
                self._match, self._bots = now, bots
                self._take(self._book)
                self._seat()

    def _take(self, book: Book) -> None:
        """Replace what is known; whoever sits at the match that is played, plays it."""
        book = book.tidied()
        if self._match is not None:
            book = book.with_match(*self._match, MATCHES)
        if book != self._book:
            self._book = book
            self._seat()
            self._changed()

    def _seat(self) -> None:
        seating = replace(self._book.seating().without(self._bots), ears=self.now.ears)
        if seating != self.now:
            self.now = seating

    # --- the file -----------------------------------------------------------------------------

    def keep(self) -> None:
        """Write down what is known, if that is not what stands there."""
        with self._writing:
            book = self._book  # not earlier: whoever was erased meanwhile must not come back
            if self._folder is None or book == self._written:
                return
            now_us, self._written = time.monotonic_ns() // 1000, None
            try:
                if book == Book():  # for which every disk has room
                    PEOPLE_FILE.remove(self._folder, with_aside=self._forgets_all)
                else:
                    PEOPLE_FILE.save(self._folder, (book, self._clock_s()))
                self._forgets_all = False
            except OSError as error:
                reason = error.strerror or type(error).__name__
                values = {"file": self._folder / FILE, "reason": reason}
                self._watched.becomes(KeepingPeople.UNWRITTEN, now_us, **values)
            else:
                self._written = book
                self._watched.becomes(KeepingPeople.WRITTEN, now_us)

    def _tell_unread(self, aside: status.Condition) -> None:
        values = {"file": aside.values["file"]}
        self._watched.becomes(KeepingPeople.UNREADABLE, aside.since_us, **values)

    def _read(self) -> Book:
        """Return what stood there; after a night nobody sits any more."""
        if self._folder is None:
            return Book()
        book, at_s = PEOPLE_FILE.load(self._folder, (Book(), 0.0), self._tell_unread)
        self._written = book
        if not 0 <= self._clock_s() - at_s < NIGHT_S:
            book = replace(book, seats={}, hands={}).tidied()
        return book


def _animals(book: Book) -> set[Animal]:
    return {person.animal for _, person in book.seating().people}


def _free(book: Book) -> Animal:
    """Return an animal that nobody is at this table, one that nobody was before if there is any."""
    here, ever = _animals(book), {person.animal for person in book.people}
    return min(Animal, key=lambda animal: (animal in here, animal in ever))
