"""The director's cockpit: each table as free, playing, waiting or broken, and since when.

Only what is new is sent, table by table, so that five hundred of them cost nobody anything.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from threading import Lock
from typing import Final

from companion.hall import tables, tournament_store, tournament_sync
from companion.hall.tournament.tournament import Tournament, TournamentMatch

CELL: Final = "of-table-"  # the part of the view `cockpit` that is one table, before its number
MANY: Final = 40  # cells that are new at once: then all are sent together


class TableStatus(StrEnum):
    FREE = "free"
    PLAYING = "playing"
    WAITING = "waiting"  # for a match to begin, or for people to decide
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Cell:
    table: str
    status: TableStatus
    match: int | None = None  # of the tournament
    away: bool = False  # whether its computer is not connected
    untold: str = ""  # why it does not know of its match


class Cockpit:
    """The cells of all tables, and since when each stands as it does; any thread may call this."""

    def __init__(
        self,
        known: tables.HallTables,
        tournament: tournament_store.TournamentStore,
        sync: tournament_sync.TournamentSync,
        link_is_up: Callable[[], bool],
        clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._tables, self._tournament, self._sync = known, tournament, sync
        self._link_is_up, self._clock_ms, self._lock = link_is_up, clock_ms, Lock()
        self._cells: dict[str, Cell] = {}
        self._since_ms: dict[str, int] = {}
        self._joined = 0  # tables that may be added
        self.renew()
        self._since_ms.clear()  # nobody knows how long it was so before the hall was started

    @property
    def cells(self) -> list[Cell]:
        """Return the tables of the tournament, in its order."""
        return [*self._cells.values()]

    def cell(self, table: str) -> Cell | None:
        return self._cells.get(table)

    def since_ms(self, table: str) -> int | None:
        """Return when a table came to be as it is; None: that was before the hall was started."""
        return self._since_ms.get(table)

    def renew(self, table: str = "") -> list[str]:
        """Look at one table or all; return the parts that are new, "" being all of them."""
        now = self._tournament.now
        matches = {match.table: match for match in now.running if match.table is not None}
        names = [table] if table else [*now.tables]
        with self._lock:
            before = self._cells
            known = [name for name in names if name in now.tables]
            cells = {name: self._look(now, name, matches.get(name)) for name in known}
            fresh = [name for name, cell in cells.items() if before.get(name) != cell]
            for name in fresh:
                was, cell = before.get(name), cells[name]
                if was is None or (was.status, was.match) != (cell.status, cell.match):
                    self._since_ms[name] = self._clock_ms()
            self._cells = {**before, **cells} if table else cells
            joined, self._joined = self._joined, len(self._tables)
            whole = self._cells.keys() != before.keys() or joined != self._joined
        return [""] if whole or len(fresh) > MANY else [CELL + name for name in fresh]

    def _look(self, now: Tournament, name: str, match: TournamentMatch | None) -> Cell:
        table = self._tables.numbered(name)
        state = None if table is None else table.state
        away = table is not None and not (table.online.online and self._link_is_up())
        if not now.tables[name]:
            return Cell(name, TableStatus.BROKEN, match.id if match else None, away)
        if match is None:
            casual = state is not None and state.playing and not state.over
            return Cell(name, TableStatus.PLAYING if casual else TableStatus.FREE, away=away)
        why = self._sync.untold.get(match.id)
        alone = replace(now, matches=(match,))  # or it would look at all matches, for each table
        begun = state is None or tournament_sync.match_at(alone, name, state) is match
        waits = not begun or why is not None or (state is not None and state.held)
        status = TableStatus.WAITING if waits else TableStatus.PLAYING
        return Cell(name, status, match.id, away, str(why or ""))
