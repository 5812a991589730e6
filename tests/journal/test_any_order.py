"""Whatever a journal's disk does, in whatever order: what was acknowledged stays as it was."""

import errno
from contextlib import ExitStack
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.journal import Entry, Journal, JournalState
from tests.journal.crashes import Disk
from tests.journal.journals import BEGUN, LATER_US, WON, Table, folder_in_memory, kill, moved, state


class Card(Disk):
    """A disk that fails in one of several ways, after so many more steps."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.away = folder.with_name(f"{folder.name}-pulled-out")
        self.fault, self.left = "", 0
        self.breaks, self.unreadable = lambda _: self.struck(), self.is_gone

    def heal(self) -> None:
        """Make it work, where it was."""
        self.fault, self.late = "", False
        if self.away.exists():
            self.away.rename(self.folder)

    def fail(self, fault: str, left: int) -> None:
        """Let it fail so; `late`, it fails only after it has written."""
        self.heal()
        self.fault, self.left, self.late = fault, left, fault == "late"

    def struck(self) -> int:
        """Return what is wrong now; a disk that is pulled out takes its files along."""
        if not self.fault:
            return 0
        self.left -= 1
        if self.left >= 0:
            return 0
        if self.fault == "pulled" and self.folder.exists():
            self.folder.rename(self.away)
        return errno.EIO

    def is_gone(self) -> bool:
        return self.fault in {"dead", "pulled"} and self.struck() > 0


class AnyOrder(RuleBasedStateMachine):
    """A journal, and beside it what it has acknowledged."""

    def __init__(self) -> None:
        super().__init__()
        self.life = ExitStack()
        folder = self.life.enter_context(folder_in_memory()) / "card"
        folder.mkdir()
        self.disk, self.table = Card(folder), Table(folder / "journal")
        self.life.enter_context(self.disk)
        self.told: dict[str, list[Entry]] = {}
        self.held: set[str] = set()  # begun or resumed since the start

    @initialize()
    def start(self) -> None:
        self.journal: Journal = self.table.open()

    def teardown(self) -> None:
        self.journal.close()
        self.life.close()

    @property
    def disk_works(self) -> bool:
        return not self.disk.fault and self.journal.writable

    @rule(more=st.integers(0, 2))
    def begin(self, more: int) -> None:
        match = self.journal.start(BEGUN, *map(moved, range(1, more + 1)))
        self.told[match] = list(self.journal.events(match))
        assert len(self.told[match]) == more + 1
        self.held &= self.journal._kept.keys()  # what is over and on the disk is let go of
        self.held.add(match)

    @precondition(lambda self: self.held)
    @rule(which=st.integers(0), ends=st.booleans(), count=st.integers(1, 3))
    def append(self, which: int, ends: bool, count: int) -> None:
        match = sorted(self.held)[which % len(self.held)]
        number = len(self.told[match])
        coming = [moved(number + more) for more in range(count)]
        added = self.journal.append(match, number, *coming, *([WON] if ends else []))
        self.told[match] += added
        assert self.journal.append(match, number, *coming, *([WON] if ends else [])) == added

    @precondition(lambda self: self.told)
    @rule(which=st.integers(0))
    def resume(self, which: int) -> None:
        match = sorted(self.told)[which % len(self.told)]
        found = list(self.journal.resume(match))
        assert found in ([], self.told[match])
        if found:
            self.held.add(match)

    @rule()
    def resume_as_a_table_does(self) -> None:
        for match in (*self.journal.unfinished()[:1], *self.journal.listed[:1]):
            if self.journal.resume(match.id):
                self.held.add(match.id)

    @rule(fault=st.sampled_from(("dead", "pulled", "writes", "late")), left=st.integers(0, 6))
    def fail(self, fault: str, left: int) -> None:
        self.disk.fail(fault, left)

    @rule()
    def heal(self) -> None:
        self.disk.heal()

    @rule()
    def tend(self) -> None:
        self.table.now_us += LATER_US
        self.journal.tick()
        assert state(self.journal) is not JournalState.PARTED
        if not self.disk.fault:
            assert self.journal.writable
            assert self.journal.waiting == 0

    @rule()
    def restart(self) -> None:
        self.journal.close()
        lost = self.journal.waiting
        self._start_again(lost)

    @rule()
    def kill(self) -> None:
        lost = self.journal.waiting
        kill(self.journal)
        self._start_again(lost)

    def _start_again(self, lost: int) -> None:
        """Start; what was in memory only, as the journal said, may be gone."""
        self.held.clear()
        self.journal = self.table.open()
        if lost:
            self.disk.heal()
            self.table.now_us += LATER_US
            self.journal.tick()
            there = {match: list(self.journal.events(match)) for match in self.told}
            gone = 0
            for match, entries in there.items():
                assert entries == self.told[match][: len(entries)]
                gone += len(self.told[match]) - len(entries)
            assert gone <= lost
            self.told = {match: entries for match, entries in there.items() if entries}

    @invariant()
    def what_was_acknowledged_is_there(self) -> None:
        for match, entries in self.told.items():
            found = list(self.journal.events(match))
            assert found == entries or (match not in self.held and not found)
        if self.disk_works:
            assert all(self.journal.events(match) for match in self.told)
            assert {match.id: match.count for match in self.journal.matches()} == {
                match: len(entries) for match, entries in self.told.items()
            }
            assert {match: [*self.journal.entries(match)] for match in self.told} == self.told
        listed = {match.id: match for match in self.journal.listed}
        for match in self.held:
            assert listed[match].last == self.told[match][-1]
        assert {match.id for match in self.journal.unfinished()} >= {
            match for match in self.held if not self.told[match][-1].ends
        }


AnyOrder.TestCase.settings = settings(
    stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
test_any_order = AnyOrder.TestCase
