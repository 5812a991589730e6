"""Tells tables whom the tournament seats there, and takes the results that they publish.

Both may take a while, so a thread of its own does it. A result is taken only from a match that a
table reported after the round began, of the same game, with the same seats; whatever is in doubt is
left to people, and they may correct what was taken. A match that ended while nobody here listened,
and is no longer shown, is read from the table's journal.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from queue import Empty, SimpleQueue
from sqlite3 import Connection
from threading import Thread
from typing import Final

from companion.core.game import Outcome
from companion.core.plugin import PLUGINS, seats_of
from companion.hall import journal_replica, mqtt, tournament_store
from companion.hall.tables import HallTables, TableNow
from companion.hall.tournament import events, limits, standings
from companion.hall.tournament.tournament import Tournament, TournamentMatch
from companion.mqtt.payloads import HallProposal, Seated, TableState
from companion.present.mqtt_state import state_of
from companion.referee import match_snapshot, replay
from companion.referee.people.person import NOBODY, Person, Seating
from companion.system.errors import CompanionError, NoAnswer, RulesError
from companion.system.text import SEATS

LOG: Final = logging.getLogger(__name__)
BY: Final = "hall"
AGAIN_S: Final = 20.0
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS told_tables (
    match INTEGER PRIMARY KEY, -- of the evening
    at_table TEXT NOT NULL -- the number of the one that was told of it
) STRICT;
"""
Moment = tuple[str, str | None, bool, bool]  # a table, its match, if that is played, if it is there


class TournamentSync:
    """What goes to and fro between the tournament and its tables."""

    def __init__(
        self,
        tables: HallTables,
        replica: journal_replica.JournalReplica,
        tournament: tournament_store.TournamentStore,
        changed: Callable[[str], object],
        link: Callable[[], mqtt.HallLink | None],
    ) -> None:
        self._tables, self._replica, self._tournament = tables, replica, tournament
        self._store = replica.store
        self._changed, self._link = changed, link
        self._told: dict[int, str] = dict(
            self._store.read("SELECT match, at_table FROM told_tables")
        )
        self.untold: Mapping[int, CompanionError | RulesError] = {}  # why, by the match
        self._tried: dict[int, Moment] = {}  # at what moment: they are asked again after it
        self._unheard = set[int]()  # those of them that a connected table did not answer
        self._played: dict[int, str] = {}  # the match of its table as which each was seen
        self._read = set[tuple[str, str]]()  # a table and a match of its journal
        self._jobs: SimpleQueue[str | None] = SimpleQueue()  # "": look whom to tell; else a table
        self._thread = Thread(target=self._work, name="hall tournament", daemon=True)
        self._thread.start()

    def propose_soon(self) -> None:
        """Tell tables soon what they do not know yet."""
        self._jobs.put("")

    def handle_state(self, table: TableNow) -> None:
        """Note that a table said something; nobody waits."""
        if table.state is not None and table.state.over:
            self._jobs.put(table.name)
        if any(_moment(table) != when for when in [*self._tried.values()] if when[0] == table.name):
            self.propose_soon()

    def handle_journal(self, table: TableNow) -> None:
        """Note that there is more of a table's journal; nobody waits."""
        if any(match.table == str(table.number) for match in self._tournament.now.running):
            self._jobs.put(table.name)

    @staticmethod
    def erase(file: Connection) -> None:
        """Erase what tables were told; `start_anew` follows once that is on the disk."""
        file.execute("DELETE FROM told_tables")

    def start_anew(self) -> None:
        """Forget the matches of a tournament that is over: the next one starts counting again."""
        self._told, self._played, self.untold, self._tried = {}, {}, {}, {}
        self._unheard, self._read = set(), set()

    def seating(self, table: TableNow) -> Seating:
        """Return who of the tournament sits at a table while it shows their match."""
        tournament, number, state = self._tournament.now, str(table.number), table.state
        if state is None or state.match is None:
            return NOBODY
        match = match_at(tournament, number, state)
        if match is not None:
            self._played[match.id] = state.match
        else:  # it may be over, and still be seen
            seen = (earlier for earlier in reversed(tournament.matches) if earlier.table == number)
            match = next(
                (earlier for earlier in seen if self._played.get(earlier.id) == state.match), None
            )
        if match is None:
            return NOBODY
        seats = _seats(tournament.rounds[match.round].chosen.game, match)
        sitting = ((seat, tournament.guests[player]) for seat, player in seats.items())
        return Seating(
            tuple((seat, Person(guest.id, guest.animal, guest.name)) for seat, guest in sitting)
        )

    def close(self) -> None:
        """Do nothing from now on."""
        self._jobs.put(None)
        self._thread.join(10)

    def _work(self) -> None:
        while (name := self._next()) is not None:
            try:
                if name:
                    self._enter_results(name)
                else:
                    self._propose_all()
            except Exception:
                LOG.exception("The tournament could not be synchronised with its tables.")

    def _next(self) -> str | None:
        """Return the next job; a table that did not answer at all is asked again now and then."""
        while True:
            try:
                return self._jobs.get(timeout=AGAIN_S if self._unheard else None)
            except Empty:
                for match in self._unheard:
                    self._tried.pop(match, None)
                return ""

    def _propose_all(self) -> None:
        tournament, link = self._tournament.now, self._link()
        if link is None:
            return
        for match in tournament.running:
            if match.table is None or self._told.get(match.id) == match.table:
                continue
            table = self._tables.numbered(match.table)
            if table is not None and self._tried.get(match.id) == _moment(table):
                continue
            self._tried.pop(match.id, None)
            self._unheard.discard(match.id)
            untold = {**self.untold}
            untold.pop(match.id, None)
            if table is not None:
                when = _moment(table)
                try:
                    if not _plays(tournament, match, table):
                        link.propose(table.name, proposal(tournament, match), BY)
                except (CompanionError, RulesError) as why:
                    untold[match.id], self._tried[match.id] = why, when
                    if isinstance(why, NoAnswer):
                        self._unheard.add(match.id)
            if match.id not in untold:
                self._keep(match.id, match.table)
            if untold != self.untold:
                self.untold = untold
                self._changed("director")

    def _keep(self, match: int, at_table: str) -> None:
        self._told[match] = at_table
        added = "INSERT OR REPLACE INTO told_tables VALUES (?, ?)"
        self._store.write(lambda file: file.execute(added, (match, at_table)))

    def _enter_results(self, name: str) -> None:
        table = self._tables.named(name)
        if table is None or table.state is None:
            return
        for state in chain(self._put_behind(table), (table.state,)):  # the first that was played
            event = result(self._tournament.now, str(table.number), state)
            if event is not None:
                with suppress(CompanionError):  # such as a tie for who goes on: people decide
                    self._tournament.do(event)
                return

    def _put_behind(self, table: TableNow) -> Iterator[TableState]:
        """Yield how those matches ended that a table may no longer show, in order."""
        tournament, number = self._tournament.now, str(table.number)
        running = (match for match in tournament.running if match.table == number)
        rounds = (tournament.rounds[match.round] for match in running)
        before = [last.match for round_ in rounds for last in round_.before if last.table == number]
        for ended in [match for last in before for match in self._replica.ended(table.name, last)]:
            if (table.name, ended) in self._read:
                continue
            self._read.add((table.name, ended))
            steps, fault = replay.replay_steps(self._replica.entries(table.name, ended))
            if fault is None and steps:
                yield state_of(match_snapshot.for_match(ended, steps[-1].after, {}, ()), at_ms=0)


def _moment(table: TableNow) -> Moment:
    """Return at what moment a table is: what it could not be asked then may work later."""
    match, playing = (table.state.match, table.state.playing) if table.state else (None, False)
    return table.name, match, playing, table.online.online


def _plays(tournament: Tournament, match: TournamentMatch, table: TableNow) -> bool:
    """Tell whether a table already plays a match: then it was told before the hall ended."""
    return table.state is not None and match_at(tournament, str(table.number), table.state) == match


def last_matches(tournament: Tournament, tables: HallTables) -> tuple[events.LastMatch, ...]:
    proposal = tournament.proposal
    named = [at.table for at in proposal.placings if at.table] if proposal else []
    pairs = ((name, tables.numbered(name)) for name in named)
    return tuple(
        events.LastMatch(name, (table.state.match if table.state else None) or "")
        for name, table in pairs
        if table is not None
    )


def proposal(tournament: Tournament, match: TournamentMatch) -> HallProposal:
    """Return a match in the form in which a table is asked to play it."""
    game = tournament.rounds[match.round].chosen.game
    seats = _seats(game, match)
    called = ((seat, tournament.guests[player].name) for seat, player in seats.items())
    names = tuple(Seated(seat, name) for seat, name in called if name)
    return HallProposal(game, {"seats": [*seats]}, names)


def match_at(tournament: Tournament, table: str, state: TableState) -> TournamentMatch | None:
    """Return the match of the tournament that a table reports; None: none that is being played."""
    match = next((candidate for candidate in tournament.running if candidate.table == table), None)
    if match is None or not state.match:
        return None
    round_ = tournament.rounds[match.round]
    before = {last.table: last.match for last in round_.before}
    if before.get(table, state.match) == state.match or state.game != round_.chosen.game:
        return None
    return match if {*state.seats} == {*_seats(state.game, match)} else None


def result(tournament: Tournament, table: str, state: TableState) -> events.ResultEntered | None:
    """Return the result that a table reports; None: not for a match that the tournament plays."""
    match = match_at(tournament, table, state)
    if match is None or state.game is None or not state.over:
        return None
    if (state.house or {}).get("coached"):  # that is practice, and no result
        return None
    sitting = {SEATS.index(seat): player for seat, player in _seats(state.game, match).items()}
    scores = tuple((SEATS.index(points.seat), points.points) for points in state.scores)
    if {seat for seat, _ in scores} != {*sitting}:
        return None
    outcome = Outcome(tuple(SEATS.index(seat) for seat in state.winners), scores)
    return events.ResultEntered(match.id, standings.places(outcome, sitting))


def _seats(game: str, match: TournamentMatch) -> dict[str, str]:
    """Return who sits on which seat; nobody, where the game is not installed."""
    if game not in PLUGINS:
        return {}
    seats = limits.spread(seats_of(game), len(match.players))
    return dict(zip(seats, match.players, strict=True))
