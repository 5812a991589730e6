"""Ways of tables to a hall, each with a journal that a test writes; and what a hall has of them."""

import socket
from contextlib import suppress
from random import Random
from typing import Final

from companion.hall.server_app import HallServer
from companion.journal import Entry, ListedMatch
from companion.mqtt.client import Broker as Address
from companion.mqtt.payloads import JournalLine
from companion.present.api_snapshot import open_entries
from companion.table.outputs.mqtt_publisher import HallSettings, JournalReader, Publisher
from tests.hall.matches import Moment, moments
from tests.mqtt.broker import wait_until

GAME: Final = "trap-the-wizard"


def played(count: int, name: str = "m", seed: int = 1) -> list[Moment]:
    return [*moments(name, GAME, Random(seed), count - 1)]


def journal_lines(found: list[Moment]) -> list[JournalLine]:
    entries = [one.entry for one in found]
    return [JournalLine(e.number, e.at_ms, e.kind, e.body, e.request, e.ends) for e in entries]


class Table:
    """A table's way out to the hall, with a journal that a test writes."""

    def __init__(self, name: str, address: Address, quiet_s: float = 0.0) -> None:
        self.name, self._address, self._quiet_s = name, address, quiet_s
        self.moments: dict[str, list[Moment]] = {}
        self.begin()

    def begin(self) -> None:
        """Start its program."""
        link = HallSettings(self.name, self._address, simulated=True)
        self.speaker = Publisher(link, self._journal(), quiet_s=self._quiet_s)
        self.speaker.start()
        last = [*self.moments.values()][-1:]
        if last:
            self.speaker.put(last[0][-1].snapshot)

    def _journal(self) -> JournalReader:
        return JournalReader(
            self._matches, lambda match: [one.entry for one in self.moments[match]]
        )

    def _matches(self) -> list[ListedMatch]:
        return [ListedMatch(one[0].entry, one[-1].entry) for one in reversed(self.moments.values())]

    def do(self, match: str, moment: Moment) -> None:
        self.moments.setdefault(match, []).append(moment)
        self.speaker.put(moment.snapshot)

    def off(self) -> None:
        """End as a power cut ends it, and stay so; people play on, for all that it knows."""
        paho = self.speaker.client._paho
        if paho is not None and isinstance(line := paho.socket(), socket.socket):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        self.speaker.close()

    def cut(self) -> None:
        """End as a power cut ends it, and start over."""
        self.off()
        self.begin()

    @property
    def entries(self) -> list[Entry]:
        """Return what of its journal may leave it."""
        played = [[one.entry for one in some] for some in self.moments.values()]
        return [entry for match in played for entry in open_entries(match)]


def had(hall: HallServer, table: str) -> list[Entry]:
    """Return what a hall has of a table, in order."""
    listed = reversed(hall.replica.matches(table))
    return [entry for match in listed for entry in hall.replica.entries(table, match.id)]


def equal(hall: HallServer, *tables: Table) -> None:
    wait_until(lambda: all(had(hall, one.name) == one.entries for one in tables))
