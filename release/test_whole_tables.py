"""Eight whole tables, each its own program, play a tournament while everything is killed."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from companion.hall.server_app import HallServer
from companion.hall.simulated_tables import SimulatedTables
from companion.journal import Entry, Journal
from companion.present.api_snapshot import open_entries
from companion.system.paths import JOURNAL
from tests.hall.tables import had
from tests.mqtt.broker import Broker, secret, wait_until

TABLES = 8
BETWEEN_S = 6.0
NAMES = [f"simulated-{number}" for number in range(1, TABLES + 1)]


class Tournament:
    """A hall, its broker and its tables, each of which can be killed."""

    def __init__(self, folder: Path, life: ExitStack) -> None:
        self._folder, self._chance = folder, Random(18)
        self.broker = life.enter_context(Broker(folder, NAMES))
        self._begin_hall()
        life.callback(self.close)
        for name in NAMES:
            self.hall.join_table(name, secret(name))
        self.tables = SimulatedTables(self.hall, folder, self.broker.of("hall"), TABLES)

    def _begin_hall(self) -> None:
        self.hall = HallServer(self._folder / "hall")
        self.hall.follow(self.broker.of("hall"))

    def close(self) -> None:
        self.hall.__exit__()

    def kill(self, what: str) -> None:
        """End something at once, and begin it again."""
        if what == "broker":
            self.broker.kill()
            self.broker.start()
        elif what == "hall":
            self.hall.__exit__()
            self._begin_hall()
        else:
            one = self._chance.choice([*self.tables._running.values()])
            os.kill(one.pid, signal.SIGKILL)
            one.wait()
            self.tables.restart_ended()

    def journals(self) -> dict[str, list[Entry]]:
        """Return what may leave each table, once they have ended."""
        return {name: [*_open(self._folder / name / JOURNAL)] for name in NAMES}


def _open(path: Path) -> Iterator[Entry]:
    journal = Journal(path)
    for match in reversed(journal.matches()):
        yield from open_entries(journal.events(match.id))
    journal.close()


@pytest.mark.slow
def test_eight_whole_tables_play_an_tournament_and_nothing_is_lost(tmp_path: Path) -> None:
    with ExitStack() as life:
        tournament = Tournament(tmp_path, life)
        with tournament.tables:
            wait_until(lambda: all(had(tournament.hall, name) for name in NAMES), 120)
            for order in permutations(("broker", "hall", "table")):
                for what in order:
                    time.sleep(BETWEEN_S)
                    tournament.kill(what)
            time.sleep(BETWEEN_S)
        journals = tournament.journals()  # some of that the hall was not told any more
        assert all(len(one) > 3 for one in journals.values())
        with tournament.tables:
            wait_until(lambda: all(_begins(tournament.hall, *one) for one in journals.items()), 120)
        anew = life.enter_context(HallServer(tmp_path / "from nothing"))
        journals = tournament.journals()
        with tournament.tables:
            anew.follow(tournament.broker.of("hall"))
            wait_until(lambda: all(_begins(anew, *one) for one in journals.items()), 120)


def _begins(hall: HallServer, table: str, told: list[Entry]) -> bool:
    """Tell whether a hall has what a journal told, and perhaps what was played since."""
    return had(hall, table)[: len(told)] == told
