"""To which hall the table belongs now: people may change that while it runs, but not the journal.

The way out is built again for each hall, in a thread of its own: the old one may take a second to
say that the table is gone, and nobody at the table waits for that.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread
from typing import Final

from companion import config
from companion.condition import Report
from companion.errors import CompanionError
from companion.hall_link import join_code
from companion.hall_link.kept_joining import keep, leave
from companion.hall_link.trust import mark
from companion.outputs.hall.commands import Room
from companion.outputs.hall.hall import Hall
from companion.outputs.hall.membership import Membership, joined, membership
from companion.outputs.hall.open_journal import Journal
from companion.outputs.hall.way import Way
from companion.outputs.output import NEVER_US
from companion.referee.snapshot import Snapshot
from companion.workshop.now import HallShown

LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Table:
    """What a way out needs of the table, whichever hall it leads to."""

    journal: Journal
    room: Room | None
    report: Report  # who hears how the way is
    clock_us: Callable[[], int]
    simulated: bool = False


class Belonging:
    """The way out to whichever hall the table belongs to; to none, it does nothing."""

    due_us: Final = NEVER_US  # it needs no call but for what is new

    def __init__(self, section: config.Hall | None, folder: Path, table: Table) -> None:
        self._section, self._folder, self._table = section, folder, table
        self._changing, self._showing = Lock(), Lock()
        self._hall: Hall | None = None
        self._over = False
        self._newest: Snapshot | None = None
        self._member: Membership | None = None
        self.way = Way(table.report, table.clock_us)
        self._begin(membership(section, folder, table.report))

    # --- an output ----------------------------------------------------------------------------

    def show(self, snapshot: Snapshot, now_us: int) -> None:
        """Have it told as soon as it may be."""
        with self._showing:
            self._newest = snapshot
            if self._hall is not None:
                self._hall.show(snapshot, now_us)

    def close(self, now_us: int) -> None:
        """Say that the table is gone, if somebody is there to hear it."""
        with self._changing:
            self._over = True
            if self._hall is not None:
                self._hall.close(now_us)

    # --- what people want ---------------------------------------------------------------------

    def join(self, code: str) -> None:
        """Belong to the hall of a code from now on; CompanionError: why not."""
        self._demand_free()
        joining = join_code.read(code)
        try:
            keep(self._folder, joining)
        except OSError as error:
            raise CompanionError(
                "{folder}: {reason}.", folder=self._folder, reason=error.strerror
            ) from error
        self._change(joined(self._section, self._folder))

    def leave(self) -> None:
        """Leave the hall."""
        self._demand_free()
        if not leave(self._folder):
            raise CompanionError("This table has not joined a hall by a code.")
        self._change(None)

    @property
    def shown(self) -> HallShown:
        """Return how it is, for any thread."""
        member, fixed = self._member, self._fixed
        if member is None:
            return HallShown(fixed=fixed)
        return HallShown(member.table, self.way.condition, mark(member.broker.authority), fixed)

    @property
    def _fixed(self) -> bool:
        return self._section is not None and self._section.broker is not None

    def _demand_free(self) -> None:
        if self._fixed:
            raise CompanionError(
                "The hall of this table is named in its configuration, under [hall]; change it "
                "there, and start the table again."
            )

    # --- the change ---------------------------------------------------------------------------

    def _change(self, member: Membership | None) -> None:
        self._member = member
        self.way.leads_to(None if member is None else member.broker)
        Thread(target=self._go_over, args=(member,), name="hall change", daemon=True).start()

    def _go_over(self, member: Membership | None) -> None:
        with self._changing:
            with self._showing:
                old, self._hall = self._hall, None
            if old is not None:
                old.close(0)
            if (
                member is self._member and not self._over
            ):  # else people have changed it again meanwhile
                self._begin(member)

    def _begin(self, member: Membership | None) -> None:
        self._member = member
        self.way.leads_to(None if member is None else member.broker)
        if member is None:
            return
        table = self._table
        new = Hall.of(
            member, table.journal, table.room, simulated=table.simulated, watch=self.way.look
        )
        with self._showing:
            self._hall = new
            if self._newest is not None:
                new.show(self._newest, 0)
