"""Tables that play for a bench: each with a connection and a journal of its own, in one process.

    python -m tests.bench._hall_tables PORT TABLES DEEDS_PER_S FOLDER

It plays until a line comes on its input; `cut` cuts a table off as a power cut does. At `end` it
plays no more, but still sends what the hall lacks; at the end of its input it writes down every
journal, and ends. `deeds.jsonl` says when each deed was done.
"""

from __future__ import annotations

import json
import selectors
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from paho.mqtt.client import Client as Paho
from paho.mqtt.client import MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from companion.core.kit import GAMES
from companion.hall_link import payloads
from companion.hall_link.payloads import BATCH, Deed, Events, Have, Online, State
from companion.hall_link.signing import password
from companion.hall_link.topics import Kind, topic
from companion.present.public import deeds_of, entry_of, state_of
from companion.referee.entry import Entry
from companion.referee.match_steps import retold
from tests.hall.matches import moments

HERE: Final = "127.0.0.1"
LONGEST: Final = 120  # deeds of a match; then the next begins
KINDS: Final = 6  # matches that are played, over and over, under names of their own
AGAIN_S: Final = 5.0
RECONNECT_S: Final = 1.0

Game = list[tuple[State, Deed]]


def games(chance: Random) -> list[Game]:
    """Return matches, as states and open deeds; only games of which all lies open at once."""
    found: list[Game] = []
    for number in range(KINDS):
        game = sorted(GAMES)[number % len(GAMES)]
        played = [*moments("m", game, chance, LONGEST)]
        steps, _ = retold([one.entry for one in played])
        deeds = [*deeds_of(steps)]
        found.append(
            [
                (state_of(one.snapshot, at_ms=0, simulated=True), deed)
                for one, deed in zip(played, deeds, strict=False)
            ]
        )
    return [game for game in found if len(game) > 10]


class Table:
    """One table."""

    def __init__(self, name: str, port: int, secret: str, played: list[Game], chance: Random):
        self.name, self._port, self._secret = name, port, secret
        self._games, self._chance = played, chance
        self.matches: dict[str, list[Deed]] = {}
        self._order: list[str] = []
        self._game: Game = []
        self._have: Have | None = None
        self._sent: tuple[Have, int, float] | None = None
        self.client: Paho | None = None
        self.online = False
        self.retry_s = 0.0

    def play(self) -> int:
        """Do one deed; return its number."""
        if not self._order or len(self.matches[self._order[-1]]) >= len(self._game):
            self._game = self._chance.choice(self._games)
            self._order.append(f"{self.name}-{len(self._order)}")
            self.matches[self._order[-1]] = []
        match = self._order[-1]
        number = len(self.matches[match])
        self.matches[match].append(self._game[number][1])
        self.tell()
        self.send()
        return number

    def tell(self) -> None:
        """Say how it stands."""
        if self._order and self.client is not None and self.online:
            match = self._order[-1]
            state = self._game[len(self.matches[match]) - 1][0]
            told = replace(state, match=match, at_ms=time.time_ns() // 1_000_000)
            self._say(Kind.STATE, told, retain=True)

    def send(self) -> None:
        """Send what the hall lacks."""
        have = self._have
        if have is None or not self.online:
            return
        match, begins = have.match, have.next
        if match is None or match not in self.matches:
            match, begins = (self._order[0] if self._order else None), 0
        elif len(self.matches[match]) <= begins and match != self._order[-1]:
            match, begins = self._order[self._order.index(match) + 1], 0
        if match is None:
            return
        deeds = self.matches[match]
        if 0 < begins <= len(deeds) and entry_of(match, deeds[begins - 1]).seal != have.seal:
            begins = 0
        now_s = time.monotonic()
        if self._sent and self._sent[:2] == (have, len(deeds)) and now_s < self._sent[2] + AGAIN_S:
            return
        if batch := tuple(deeds[begins : begins + BATCH]):
            self._say(Kind.EVENTS, Events(match, begins, batch))
            self._sent = have, len(deeds), now_s

    def _say(self, kind: Kind, said: payloads.Payload, *, retain: bool = False) -> None:
        assert self.client is not None
        self.client.publish(topic(self.name, kind), payloads.write(said), 1, retain)

    # --- its connection -----------------------------------------------------------------------

    def connect(self) -> bool:
        """Look for the broker."""
        client = Paho(
            CallbackAPIVersion.VERSION2,
            f"rappelwacht-{self.name}",
            protocol=MQTTv5,
            reconnect_on_failure=False,
        )
        client.username_pw_set(self.name, password(self._secret))
        gone = payloads.write(Online(online=False))
        client.will_set(topic(self.name, Kind.ONLINE), gone, 1, retain=True)
        client.on_connect = self._connected
        client.on_message = self._heard
        try:
            client.connect(HERE, self._port, 30)
        except OSError:
            return False
        self.client = client
        return True

    def _connected(self, client: Paho, *_: Any) -> None:
        self.online, self._sent, self._have = True, None, None
        client.subscribe(topic(self.name, Kind.HAVE), 1)
        self._say(Kind.ONLINE, Online(online=True, program="bench"), retain=True)
        self.tell()

    def _heard(self, _: Paho, __: Any, message: Any) -> None:
        self._have = payloads.read(Have, message.payload)
        self.send()

    def cut(self) -> None:
        """Lose the connection without a word, and all that is only remembered."""
        if self.client is not None and (line := self.client.socket()) is not None:
            line.close()
        self.client, self.online, self._have, self._sent = None, False, None, None

    def entries(self) -> list[Entry]:
        """Return the whole journal."""
        return [entry_of(match, deed) for match in self._order for deed in self.matches[match]]


class Room:
    """All tables, served by one loop."""

    def __init__(self, tables: list[Table]) -> None:
        self.tables = tables
        self.selector = selectors.DefaultSelector()
        self._lines: dict[Table, Any] = {}

    def serve(self, for_s: float) -> bool:
        """Let lines be read and written; return whether a word came."""
        now_s = time.monotonic()
        for table in self.tables:
            if table.client is None and now_s >= table.retry_s:
                table.retry_s = now_s + RECONNECT_S
                if table.connect():
                    self._register(table)
            elif table.client is not None and table.client.want_write() and table in self._lines:
                table.client.loop_write()
        word = False
        for key, _ in self.selector.select(for_s):
            if key.data is None:
                word = True
                continue
            client = key.data.client
            if client is None or client.loop_read() != 0:
                self._lost(key.data)
        return word

    def _register(self, table: Table) -> None:
        assert table.client is not None
        self._lines[table] = table.client.socket()
        self.selector.register(self._lines[table], selectors.EVENT_READ, table)

    def _lost(self, table: Table) -> None:
        line = self._lines.pop(table, None)
        if line is not None:
            with suppress(KeyError, ValueError, OSError):
                self.selector.unregister(line)
        table.cut()

    def cut(self, table: Table) -> None:
        """Cut a table off."""
        self._lost(table)

    def care(self) -> None:
        """Do what is due now and then."""
        for table in self.tables:
            if table.client is not None:
                if table.client.loop_misc() != 0:
                    self._lost(table)
                else:
                    table.send()


def main(port: int, count: int, rate: float, folder: Path) -> None:
    """Play until told otherwise."""
    chance = Random(18)
    secrets = json.loads((folder / "secrets.json").read_text("utf-8"))
    played = games(chance)
    tables = [
        Table(name, port, secret, played, Random(name))
        for name, secret in [*secrets.items()][:count]
    ]
    room = Room(tables)
    room.selector.register(sys.stdin, selectors.EVENT_READ, None)
    plays, due_s, care_s, at, ends = True, time.monotonic(), 0.0, 0, False
    with (folder / "deeds.jsonl").open("w", encoding="utf-8") as log:
        while not ends:
            now_s = time.monotonic()
            if now_s >= care_s:
                room.care()
                care_s = now_s + 1.0
            if plays and now_s >= due_s:
                due_s = max(due_s + 1 / (rate * count), now_s - 0.5)
                table = tables[at % count]
                done_s = time.monotonic()
                number = table.play()
                log.write(json.dumps([table.name, number, done_s]) + "\n")
                log.flush()
                at += 1
            if room.serve(max(0.0, min(due_s, care_s) - time.monotonic()) if plays else 0.02):
                match sys.stdin.readline().strip():
                    case "":
                        ends = True
                    case "cut":
                        room.cut(chance.choice(tables))
                    case "end":
                        plays = False
        print(json.dumps({"deeds": at}), flush=True)
    kept = {table.name: [list(_said(one)) for one in table.entries()] for table in tables}
    (folder / "journals.json").write_text(json.dumps(kept), "utf-8")


def _said(one: Entry) -> tuple[Any, ...]:
    return one.match, one.number, one.at_ms, one.kind, one.text, one.request, one.ends


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), Path(sys.argv[4]))
