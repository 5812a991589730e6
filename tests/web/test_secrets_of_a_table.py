"""Before the flip no phone can learn a number of a whole table, from its bytes up to its pages.

Two simulated tables with the same guests, hands and stones believe in other labels.
"""

import zipfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from itertools import count
from pathlib import Path

import pytest

from companion.games.zapp_zerapp.rules import Phase, View
from companion.journal import Entry, ListedMatch, TimeAndIds
from companion.maintenance import backup, health
from companion.maintenance.view import MaintenanceSnapshot
from companion.referee.commands import Answer, Command
from companion.referee.snapshot import Snapshot
from tests.scenarios.refereed import Refereed
from tests.web.looking import ROLES, Looked, differences
from tests.web.room import phones

TRUE = {number: number for number in range(1, 14)}
FALSE = {number: 14 - number for number in TRUE}
FILE = {"file": "journal"}
EPOCH_MS = 1_700_000_000_000


class Stack:
    """A whole simulated table as phones know it; it goes on only as far as a test lets it."""

    def __init__(self, folder: Path, labels: dict[int, int], seed: int = 1) -> None:
        folder.mkdir()
        self.evening = Refereed(folder, seed, seats=2, labels=labels)
        sim, names = self.evening.sim, count()
        self.evening.table.journal._clocks = TimeAndIds(
            lambda: EPOCH_MS + sim.now_us // 1000, lambda: sim.now_us, lambda: f"m{next(names)}"
        )

    @property
    def snapshot(self) -> Snapshot:
        return self.evening.table.snapshot

    @property
    def workshop(self) -> MaintenanceSnapshot:
        """Return it with journals called the same: two tables cannot keep theirs in one place."""
        shown = self.evening.table.workshop
        parts = (replace(part, values={**part.values, **FILE}) for part in shown.parts)
        return replace(shown, parts=tuple(parts))

    def ask(self, command: Command) -> Answer | None:
        return self.evening.table.referee.handle_command(command, self.evening.sim.now_us)

    def matches(self) -> Sequence[ListedMatch]:
        return self.evening.table.journal.matches()

    @property
    def recorded(self) -> bool:
        return self.evening.table.recorded

    def hold(self, *, on: bool) -> bool:
        return self.evening.table.hold(on=on)

    def recording(self) -> bytes | None:
        return self.evening.table.recording()

    def entries(self, match: str) -> Sequence[Entry]:
        return self.evening.table.journal.events(match)

    def waits_for_the_flip(self) -> bool:
        view = self.snapshot.view
        return isinstance(view, View) and view.phase is Phase.FLIP

    def until_something_is_done(self) -> None:
        before = self.snapshot.version
        self.evening.until(lambda: self.snapshot.version != before)


def backed_up(table: Stack) -> dict[str, bytes]:
    """Return what is in a backup, which a phone may fetch in the middle of a match."""
    stream = BytesIO()
    backup.write_backup(table.evening.plan.folder, stream, datetime(2026, 11, 28, tzinfo=UTC))
    with zipfile.ZipFile(stream) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_two_tables_that_differ_in_their_numbers_tell_every_phone_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: bool
) -> None:
    found = health.conditions(Path())
    monkeypatch.setattr(health, "conditions", lambda _: found)
    seed = 1 if full else 13  # as much happens, and sooner
    tables = [Stack(tmp_path / "one", TRUE, seed), Stack(tmp_path / "other", FALSE, seed)]
    with tables[0].evening, tables[1].evening:
        pair = [Looked.at(phones(room=table)) for table in tables]
        looks = 0
        while not tables[0].waits_for_the_flip():
            for table in tables:
                table.until_something_is_done()
            assert tables[0].snapshot.version == tables[1].snapshot.version
            all_ = full or tables[0].waits_for_the_flip()
            who = ROLES if all_ else [ROLES[looks % len(ROLES)]]
            if all_ or looks % 2:
                assert list(differences(pair, who)) == []
            looks += 1
        assert looks >= 4
        assert backed_up(tables[0]) == backed_up(tables[1])
        for table in tables:  # and then everybody may know
            table.evening.until_phase(Phase.MOVE)
        assert next(differences(pair), None)
        assert backed_up(tables[0]) != backed_up(tables[1])
