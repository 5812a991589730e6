"""Walk-up play: a hall seats people by itself, as soon as a table is full.

Only where play is casual, and only once a director has switched it on.
"""

import logging
from threading import Lock

from companion.hall import store, tables, tournament_store, tournament_sync
from companion.hall.tournament import events
from companion.system import errors

SCHEMA = """
CREATE TABLE IF NOT EXISTS walk_up_wanted (wanted INTEGER PRIMARY KEY) STRICT;
"""
LOG = logging.getLogger(__name__)


class WalkUp:
    """Seats whoever waits; any thread may call this."""

    def __init__(
        self,
        kept: store.Store,
        tournament: tournament_store.TournamentStore,
        known: tables.HallTables,
    ) -> None:
        self._store, self._tournament, self._tables = kept, tournament, known
        self._seating = Lock()  # seating itself is news of the tournament
        self.on: bool = bool(kept.read("SELECT 1 FROM walk_up_wanted"))

    def switch(self, *, on: bool) -> None:
        """Switch it on or off; this outlasts a restart."""
        wanted = "INSERT OR IGNORE INTO walk_up_wanted VALUES (1)"
        self._store.write(lambda file: file.execute(wanted if on else "DELETE FROM walk_up_wanted"))
        self.on = on
        self.seat()

    def seat(self) -> None:
        """Begin a round for those who wait, as often as they fill a table that is free."""
        if not self._seating.acquire(blocking=False):
            return
        try:
            while self._may_seat():
                now = self._tournament.propose()
                self._tournament.do(events.Begun(tournament_sync.last_matches(now, self._tables)))
        except (errors.CompanionError, errors.RulesError) as why:
            LOG.warning("Nobody was seated: %s", why)
        finally:
            self._seating.release()

    def _may_seat(self) -> bool:
        now = self._tournament.now
        chosen = now.chosen
        if not self.on or chosen is None or chosen.mode is not events.Mode.CASUAL:
            return False
        open_ = now.proposal is not None  # a director is about to begin a round by hand
        return not open_ and bool(now.free_tables) and len(now.free) >= chosen.wanted
