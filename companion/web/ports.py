"""The port of the pages to a table: what they may read of it, and ask of it.

A `Table` of `companion.table.table` fulfils it, and so does what tests put in its place.
"""

from collections.abc import Sequence
from typing import Protocol

from companion.journal import Entry, ListedMatch
from companion.maintenance.view import MaintenanceSnapshot
from companion.referee.commands import Answer, Command
from companion.referee.snapshot import Snapshot


class TablePort(Protocol):
    """The table, as far as phones are concerned; all of it may be called from any thread."""

    @property
    def snapshot(self) -> Snapshot:
        """Return the table as everybody may know it now."""

    @property
    def workshop(self) -> MaintenanceSnapshot:
        """Return what the workshop shows now; closed while a match is played."""

    @property
    def recorded(self) -> bool:
        """Return whether all that is felt at the table is being written to a file."""

    def recording(self) -> bytes | None:
        """Return what was recorded when the table was measured last, to be given away.

        CompanionError: it cannot be read.
        """

    def ask(self, command: Command) -> Answer | None:
        """Carry out a command; None if the table does not answer in time."""

    def hold(self, *, on: bool) -> bool:
        """Keep matches from beginning, or allow them again; False: one may, or is being played."""

    def matches(self) -> Sequence[ListedMatch]:
        """Return the matches in the journal, the newest first; NoAnswer: nobody knows now."""

    def entries(self, match: str) -> Sequence[Entry]:
        """Return what the journal holds of a match; empty if it knows none of that id.

        NoAnswer: that cannot be read now.
        """
