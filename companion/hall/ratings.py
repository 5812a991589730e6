"""Ratings over many tournaments, where a hall wants them, and who wants to be remembered for that.

Of earlier tournaments only results are kept: which random number finished where. Whose number that
is stands in one table, for those alone who said so; erased there, it is nobody's any more, and
the ratings of all others stay as they are. Switched off, nothing outlives a tournament.
"""

import json
import logging
from collections.abc import Iterable, Mapping
from sqlite3 import Connection
from threading import Lock
from typing import Final

from companion.hall.store import Store
from companion.hall.tournament.events import Mode, Places
from companion.hall.tournament.standings import NEW, START, Rating, rated
from companion.hall.tournament.tournament import Tournament
from companion.referee.people.person import ANIMALS, Person
from companion.system.safe_json import load_json

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS regulars (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, animal TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS earlier_results (
    number INTEGER PRIMARY KEY, game TEXT NOT NULL, places TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS ratings_wanted (one INTEGER PRIMARY KEY CHECK (one = 1)) STRICT;
"""
LOG: Final = logging.getLogger(__name__)
REGULARS: Final = 1_000  # whoever has been away longest is forgotten
RESULTS: Final = 2_000  # of earlier tournaments that count: the newest ones
STRONGEST: Final = 1_000  # as seating counts strength


class Ratings:
    """Who is remembered, and how strong everybody is; any thread may ask."""

    def __init__(self, store: Store) -> None:
        self._store, self._lock = store, Lock()
        rows = store.read("SELECT id, name, animal FROM regulars ORDER BY rowid")
        self.regulars: Mapping[str, Person] = {
            id_: Person(id_, ANIMALS[animal], name, kept=True)
            for id_, name, animal in rows
            if animal in ANIMALS  # perhaps one of a newer version: the row stays
        }
        self.on: bool = bool(store.read("SELECT 1 FROM ratings_wanted"))
        self._before: dict[str, Mapping[str, Rating]] = {}  # after all earlier tournaments, by game
        self._now: tuple[Tournament, str, Mapping[str, Rating]] | None = None

    # --- who is known -------------------------------------------------------------------------

    def switch(self, *, on: bool) -> None:
        """Switch ratings on, or show and keep nothing more."""
        wanted = "INSERT OR IGNORE INTO ratings_wanted VALUES (1)"
        self._store.write(lambda file: file.execute(wanted if on else "DELETE FROM ratings_wanted"))
        self.on = on

    def know(self, person: Person) -> None:
        """Remember somebody for the next tournament."""
        with self._lock:
            others = {id_: regular for id_, regular in self.regulars.items() if id_ != person.id}
            gone = [*others][: max(0, len(others) + 1 - REGULARS)]

            def write(file: Connection) -> None:
                for id_ in (*gone, person.id):
                    file.execute("DELETE FROM regulars WHERE id = ?", (id_,))
                row = (person.id, person.name, person.animal.value)
                file.execute("INSERT INTO regulars VALUES (?, ?, ?)", row)

            self._store.write(write)
            for id_ in gone:
                del others[id_]
            self.regulars = {**others, person.id: person}

    def forget(self, person: str) -> None:
        """Forget somebody; nobody can then tell whose earlier results those are."""
        with self._lock:
            self._store.write(
                lambda file: file.execute("DELETE FROM regulars WHERE id = ?", (person,))
            )
            self.regulars = {
                id_: regular for id_, regular in self.regulars.items() if id_ != person
            }

    def forget_all(self) -> None:
        """Erase everybody who is remembered, and all results of earlier tournaments."""
        with self._lock:

            def write(file: Connection) -> None:
                file.execute("DELETE FROM regulars")
                file.execute("DELETE FROM earlier_results")

            self._store.write(write)
            self.regulars, self._before, self._now = {}, {}, None

    # --- how strong they are ------------------------------------------------------------------

    def keep(self, file: Connection, tournament: Tournament) -> None:
        """Write down the results of a tournament that is over, together with its end."""
        if not self.on:
            return
        for match in tournament.played:
            if match.places is not None:
                game = tournament.rounds[match.round].chosen.game
                added = "INSERT INTO earlier_results (game, places) VALUES (?, ?)"
                file.execute(added, (game, json.dumps(match.places)))
        file.execute(
            "DELETE FROM earlier_results"
            " WHERE number <= (SELECT max(number) - ? FROM earlier_results)",
            (RESULTS,),
        )

    def read_anew(self) -> None:
        """Note that a tournament was added to the earlier ones."""
        with self._lock:
            self._before, self._now = {}, None

    def of(self, tournament: Tournament, game: str) -> Mapping[str, Rating]:
        """Return how strong everybody who ever played a game here is at it."""
        with self._lock:
            now = self._now
            if now is None or now[0].matches is not tournament.matches or now[1] != game:
                ratings = rated(_results(tournament, game), self._earlier(game))
                self._now = now = (tournament, game, ratings)
            return now[2]

    def _earlier(self, game: str) -> Mapping[str, Rating]:
        if game not in self._before:
            wanted = "SELECT places FROM earlier_results WHERE game = ? ORDER BY number"
            rows = self._store.read(wanted, game)
            read = [places for (text,) in rows if (places := _places(text)) is not None]
            if len(read) < len(rows):
                LOG.warning(
                    "%d results of %s are damaged, and count no more.", len(rows) - len(read), game
                )
            self._before[game] = rated(read)
        return self._before[game]

    def strength(self, tournament: Tournament) -> Mapping[str, int] | None:
        """Return how strong each is, for seating; None: this tournament's own results decide."""
        chosen = tournament.chosen
        if not self.on or chosen is None:
            return None
        if chosen.mode is Mode.POINTS and any(match.result for match in tournament.matches):
            return None
        ratings = self.of(tournament, chosen.game)
        scale = STRONGEST / (2 * START)
        means = {guest: ratings.get(guest, NEW).mean * scale for guest in tournament.guests}
        return {guest: round(min(STRONGEST, max(0, mean))) for guest, mean in means.items()}


def _results(tournament: Tournament, game: str) -> Iterable[Places]:
    """Yield what was decided by play, not by others having to leave."""
    for match in tournament.played:
        if match.places is not None and tournament.rounds[match.round].chosen.game == game:
            yield match.places


def _places(text: str) -> Places | None:
    """Return who came where; None: the row is damaged."""
    try:
        places = tuple(tuple(place) for place in load_json(text.encode()))
    except (ValueError, TypeError):
        return None
    guests = [guest for place in places for guest in place]
    sound = all(places) and all(isinstance(guest, str) for guest in guests)
    return places if sound and len({*guests}) == len(guests) else None
