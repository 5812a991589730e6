"""Stores the tournament that a hall plays: each event is on the disk before it counts."""

import json
import logging
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from sqlite3 import Connection
from threading import Lock
from typing import Final

from companion.hall.store import Store
from companion.hall.tournament import events
from companion.hall.tournament.events import CheckedIn, TournamentEvent, from_json, to_json
from companion.hall.tournament.proposals import proposed, swapped
from companion.hall.tournament.refusals import demand, known_guest
from companion.hall.tournament.tournament import Tournament, apply, replay
from companion.referee.people.person import Animal, Person, proper_name
from companion.system import errors, safe_json

LOG: Final = logging.getLogger(__name__)
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS evening_deeds (
    number INTEGER PRIMARY KEY,
    deed TEXT NOT NULL
) STRICT;
"""
VIEWS: Final = ("evening", "standings", "director")  # of pages, and on walls


class TournamentStore:
    """The tournament now; any thread may look and do."""

    def __init__(
        self,
        store: Store,
        changed: Callable[[str], object],
        strength: Callable[[Tournament], Mapping[str, int] | None],
    ) -> None:
        self._store, self._changed, self._lock = store, changed, Lock()
        self._strength = strength
        rows = [text for (text,) in store.read("SELECT deed FROM evening_deeds ORDER BY number")]
        self.now, sound = _as_far_as_sound(rows)
        if len(sound) < len(rows):
            aside = store.write(lambda file: _keep_aside(file, sound))
            LOG.warning(
                "The evening goes on with the first %d of its %d entries: the next one cannot be "
                "read. All of them are kept in %s, a table of the hall's file.",
                *(len(sound), len(rows), aside),
            )

    def do(self, event: TournamentEvent) -> Tournament:
        """Do something; CompanionError: why that is impossible, and what is possible."""
        return self._do(lambda _: event)

    def propose(self) -> Tournament:
        seed = secrets.randbelow(1 << 30)
        return self._do(lambda tournament: proposed(tournament, seed, self._strength(tournament)))

    def swap(self, person: str, other: str) -> Tournament:
        """Swap two people of the proposal."""
        return self._do(lambda tournament: swapped(tournament, person, other))

    def check_in(self, name: str, animal: Animal | None = None, known: Person | None = None) -> str:
        """Let somebody in, without an animal as any that tells people of one name apart.

        A `known` person is the same as before, if possible with the same animal.
        """
        person, name = secrets.token_hex(4), proper_name(name)
        if known is not None:
            person, name = known.id, known.name
        if animal is None and known is None and not name:
            raise errors.CompanionError("Type a name, or choose an animal.")

        def come(tournament: Tournament) -> TournamentEvent:
            often = [guest.animal for guest in tournament.guests.values()]
            alike = {guest.animal for guest in tournament.guests.values() if guest.name == name}
            chosen = animal or (known.animal if known and known.animal not in alike else None)
            chosen = chosen or min(
                Animal, key=lambda candidate: (candidate in alike, often.count(candidate))
            )
            return CheckedIn(person, name, chosen)

        self._do(come)
        return person

    def forget(self, person: str) -> None:
        """Erase a name; the matches stay, and the animal."""
        with self._lock:
            guest = known_guest(self.now, person)
            blank = json.dumps(to_json(CheckedIn(guest.id, "", guest.animal)))
            wanted = "UPDATE evening_deeds SET deed = ? WHERE deed ->> 'did' = 'checkedin'"
            wanted += " AND deed ->> 'person' = ?"

            def erase(file: Connection) -> None:
                file.execute(wanted, (blank, person))
                for aside in _kept_aside(file):  # what is no JSON may hold any name
                    file.execute(
                        f"DELETE FROM {aside} WHERE CASE json_valid(deed)"  # noqa: S608 - ours
                        " WHEN 1 THEN deed ->> 'person' = ? ELSE 1 END",
                        (person,),
                    )

            self._store.write(erase)
            guests = {**self.now.guests, person: replace(guest, name="")}
            self.now = replace(self.now, guests=guests)
        self._notify()

    def start_anew(self, keep: Callable[[Connection, Tournament], object] | None = None) -> None:
        """Forget this tournament and everybody in it, except for the tables and what was chosen.

        What is to be kept of it is written together with that, or not at all.
        """
        with self._lock:
            kept: list[TournamentEvent] = [events.TableAdded(table) for table in self.now.tables]
            kept += [self.now.chosen] if self.now.chosen else []

            def clear(file: Connection) -> None:
                if keep is not None:
                    keep(file, self.now)
                file.execute("DELETE FROM evening_deeds")
                for aside in _kept_aside(file):
                    file.execute(f"DROP TABLE {aside}")
                for event in kept:
                    _add(file, event)

            self._store.write(clear)
            self.now = replay(kept)
        self._notify()

    def _do(self, make: Callable[[Tournament], TournamentEvent]) -> Tournament:
        with self._lock:
            event = make(self.now)
            demand(self.now, event)
            self._store.write(lambda file: _add(file, event))
            self.now = apply(self.now, event)
        self._notify()
        return self.now

    def _notify(self) -> None:
        for view in VIEWS:
            self._changed(view)


def _as_far_as_sound(rows: Iterable[str]) -> tuple[Tournament, list[TournamentEvent]]:
    """Return the tournament up to the first unsound row, and the events until then."""
    tournament, sound = replay(()), list[TournamentEvent]()
    for text in rows:
        try:
            event = from_json(safe_json.load_json(text.encode()))
            tournament = apply(tournament, event)
        except Exception:  # noqa: BLE001 - whatever stands there, the hall starts
            break
        sound.append(event)
    return tournament, sound


def _keep_aside(file: Connection, sound: Iterable[TournamentEvent]) -> str:
    """Rename the rows' table, over none that was renamed before, and write the sound ones anew."""
    aside = f"evening_deeds_damaged_{len(_kept_aside(file)) + 1}"
    file.execute(f"ALTER TABLE evening_deeds RENAME TO {aside}")
    file.execute(SCHEMA)
    for event in sound:
        _add(file, event)
    return aside


def _kept_aside(file: Connection) -> list[str]:
    """Return the names of the tables that were kept aside; they go together."""
    named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB ?"
    return [name for (name,) in file.execute(named, ("evening_deeds_damaged_*",))]


def _add(file: Connection, event: TournamentEvent) -> None:
    file.execute("INSERT INTO evening_deeds (deed) VALUES (?)", (json.dumps(to_json(event)),))
