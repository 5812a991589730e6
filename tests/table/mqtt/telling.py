"""A table that tells a hall, with a journal in memory and people as a test has them."""

from __future__ import annotations

from contextlib import AbstractContextManager
from random import Random
from typing import Any

from companion.core.codec import pack
from companion.core.game import TABLE
from companion.core.notation import write
from companion.core.plugin import GAMES
from companion.journal import Entry
from companion.mqtt import client
from companion.present.api_snapshot import open_entries
from companion.present.output import CallbackOutput
from companion.referee.commands import DoAction, NewMatch
from companion.referee.events import HouseRules
from companion.system.text import seat_word
from companion.table.outputs.mqtt import begin_publishing
from companion.table.outputs.mqtt_commands import CommandPorts
from companion.table.outputs.mqtt_publisher import HallSettings, JournalReader
from tests.web.room import FakeRoom

GAME = "trap-the-wizard"  # nothing in it is hidden, and it lasts


class Telling(AbstractContextManager["Telling"]):
    """A table and its way out."""

    def __init__(
        self, broker: client.Broker, table: str = "attic", room: FakeRoom | None = None, **of: Any
    ) -> None:
        self.room = room or FakeRoom()
        self._chance = Random(1)
        journal = JournalReader(self.room.matches, self.room.entries)
        self.sat: list[tuple[str, str]] = []
        room_of = CommandPorts(self.room.ask, lambda *who: self.sat.append(who))
        hall = HallSettings(table, broker, **of)
        self.hall = begin_publishing(hall, journal, room_of, quiet_s=0.0)
        self.room.join(CallbackOutput(self.hall.put))
        self.room.stir()

    def __exit__(self, *_: object) -> None:
        self.hall.close()

    def begins(self, game: str = GAME, *seats: str) -> Telling:
        settings = pack(GAMES[game].settings_type()) | {"seats": [*seats] or ["red", "blue"]}
        assert self.room.wish(NewMatch(game, settings, HouseRules())).refused is None
        self.room.stir()
        return self

    def plays(self, count: int) -> Telling:
        """Have people do anything that they may."""
        for _ in range(count):
            match = self.room.referee.match
            assert match is not None
            game, state = match.game, match.state
            if match.over:
                break
            seat = self._chance.choice(game.turns(state))
            action = self._chance.choice(game.legal(state, seat))
            by = "red" if seat == TABLE else seat_word(seat)
            assert self.room.wish(DoAction(write(action)), by).refused is None
            self.room.stir()
        return self

    def open_journal(self) -> dict[str, list[Entry]]:
        """Return what may leave the table of each match."""
        found = {match: [*open_entries(entries)] for match, entries in self.room.papers.items()}
        return {match: entries for match, entries in found.items() if entries}
