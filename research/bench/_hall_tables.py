"""Tables that play for a bench: each with a connection and a journal of its own, in one process.

    python -m research.bench._hall_tables PORT TABLES DEEDS_PER_S FOLDER

It plays until a line comes on its input; `cut` cuts a table off as a power cut does. At `end` it
plays no more, but still sends what the hall lacks; at the end of its input it writes down every
journal, and ends. `events.jsonl` says when each event was done.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

from paho.mqtt.client import Client as Paho
from paho.mqtt.client import MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from companion.journal import Entry
from companion.mqtt import payloads
from companion.mqtt.payloads import BATCH, Have, Online
from companion.mqtt.signing import password
from companion.mqtt.topics import TopicKind, topic
from companion.present.mqtt_state import entry_from_line
from research.bench._hall_games import AT_MS, MATCH, Game, games

HERE: Final = "127.0.0.1"
AGAIN_S: Final = 5.0
RECONNECT_S: Final = 1.0
CARE_S: Final = 0.2


class Table:
    """One table."""

    def __init__(self, name: str, secret: str, played: list[Game], chance: Random):
        self.name, self._secret = name, secret
        self._topics = {kind: topic(name, kind) for kind in TopicKind}
        self._games, self._chance = played, chance
        self._matches: dict[str, tuple[Game, int]] = {}  # with how many events were done
        self._order: list[str] = []
        self._have: Have | None = None
        self._sent: tuple[Have, int, float] | None = None
        self.client: Paho | None = None
        self.online = False
        self.retry_s = 0.0

    def play(self) -> int:
        """Do one event; return its number."""
        match = self._order[-1] if self._order else ""
        game, done = self._matches.get(match, ([], 0))
        if done == len(game):
            game, done = self._chance.choice(self._games), 0
            match = f"{self.name}-{len(self._order)}"
            self._order.append(match)
        self._matches[match] = game, done + 1
        self.tell()
        self.send()
        return done

    def tell(self) -> None:
        """Say how it stands."""
        if self._order and self.online:
            match = self._order[-1]
            game, done = self._matches[match]
            told = game[done - 1].state.replace(MATCH, match)
            told = told.replace(str(AT_MS), str(time.time_ns() // 1_000_000))
            self._say(TopicKind.STATE, told.encode(), retain=True)

    def send(self) -> None:
        """Send what the hall lacks."""
        have = self._have
        if have is None or not self.online or not self._order:
            return
        match, begins = have.match, have.next
        if match is None or match not in self._matches:
            match, begins = self._order[0], 0
        elif self._matches[match][1] <= begins and match != self._order[-1]:
            match, begins = self._order[self._order.index(match) + 1], 0
        game, done = self._matches[match]
        if 0 < begins <= done and entry_from_line(match, game[begins - 1].deed).seal != have.seal:
            begins = 0
        now_s = time.monotonic()
        if self._sent and self._sent[:2] == (have, done) and now_s < self._sent[2] + AGAIN_S:
            return
        if batch := game[begins : min(done, begins + BATCH)]:
            events = ",".join(one.said for one in batch)
            self._say(
                TopicKind.EVENTS,
                f'{{"match":"{match}","from":{begins},"deeds":[{events}],"hall":"{have.hall}"}}'.encode(),
            )
            self._sent = have, done, now_s

    def _say(self, kind: TopicKind, said: bytes, *, retain: bool = False) -> None:
        if self.client is not None:
            self.client.publish(self._topics[kind], said, 1, retain)

    # --- its connection -----------------------------------------------------------------------

    def connect(self, port: int, room: Room) -> None:
        """Look for the broker."""
        client = Paho(
            CallbackAPIVersion.VERSION2,
            f"rappelwacht-{self.name}",
            protocol=MQTTv5,
            reconnect_on_failure=False,
        )
        client.username_pw_set(self.name, password(self._secret))
        gone = payloads.write(Online(online=False))
        client.will_set(self._topics[TopicKind.ONLINE], gone, 1, retain=True)
        client.on_connect = self._connected
        client.on_message = self._heard
        client.on_socket_open = lambda _, __, line: room.opened(self, line)
        client.on_socket_close = lambda _, __, line: room.closed(line)
        client.on_socket_register_write = lambda *_: room.writes.add(self)
        client.on_socket_unregister_write = lambda *_: room.writes.discard(self)
        self.client = client
        try:
            client.connect(HERE, port, 30)
        except OSError:
            self.lose()

    def _connected(self, client: Paho, *_: Any) -> None:
        self.online, self._sent, self._have = True, None, None
        client.subscribe(self._topics[TopicKind.HAVE], 1)
        here = payloads.write(Online(online=True, program="bench"))
        self._say(TopicKind.ONLINE, here, retain=True)
        self.tell()

    def _heard(self, _: Paho, __: Any, message: Any) -> None:
        self._have = payloads.read(Have, message.payload)
        self.send()

    def lose(self) -> socket.socket | None:
        """Forget the connection, and all that is only remembered; return its line."""
        line = None if self.client is None else self.client.socket()
        self.client, self.online, self._have, self._sent = None, False, None, None
        return line if isinstance(line, socket.socket) else None

    def entries(self) -> list[Entry]:
        """Return the whole journal."""
        of = [(match, *self._matches[match]) for match in self._order]
        return [entry_from_line(match, one.deed) for match, game, done in of for one in game[:done]]


class Room:
    """All tables, served by one loop.

    The library may close a line whenever it likes, and the next one gets its number: so it says
    both, and nothing is known of a line that is closed.
    """

    def __init__(self, port: int, tables: list[Table]) -> None:
        self._port, self.tables = port, tables
        self.selector = selectors.DefaultSelector()
        self.writes = set[Table]()

    def opened(self, table: Table, line: Any) -> None:
        """Take note of a line."""
        self.selector.register(line, selectors.EVENT_READ, table)

    def closed(self, line: Any) -> None:
        """Forget a line, which is still open."""
        with suppress(KeyError, ValueError):
            self.selector.unregister(line)

    def serve(self, for_s: float) -> bool:
        """Let lines be read and written; return whether a word came."""
        for table in [*self.writes]:
            if table.client is not None:
                table.client.loop_write()
        word = False
        for key, _ in self.selector.select(for_s):
            if key.data is None:
                word = True
            elif (client := key.data.client) is None or client.loop_read() != 0:
                self.cut(key.data)
        return word

    def cut(self, table: Table) -> None:
        """Cut a table off, without a word."""
        self.writes.discard(table)
        if (line := table.lose()) is not None:
            self.closed(line)
            line.close()

    def care(self) -> None:
        """Do what is due now and then."""
        now_s = time.monotonic()
        for table in self.tables:
            if table.client is None and now_s >= table.retry_s:
                table.retry_s = now_s + RECONNECT_S
                table.connect(self._port, self)
            elif table.client is not None:
                if table.client.loop_misc() != 0:
                    self.cut(table)
                else:
                    table.send()


class Words:
    """Lines that come, however many at once: who waits for one must not find that it was read."""

    def __init__(self, line: int) -> None:
        self._line, self._rest = line, b""

    def come(self) -> list[str]:
        """Return what came, once something did; an empty one is the end."""
        piece = os.read(self._line, 4096)
        *found, self._rest = (self._rest + piece).split(b"\n")
        return [one.decode() for one in found] + ([] if piece else [""])


def main(port: int, count: int, rate: float, folder: Path) -> None:
    """Play until told otherwise."""
    chance, words = Random(18), Words(sys.stdin.fileno())
    secrets = json.loads((folder / "secrets.json").read_text("utf-8"))
    played = games(chance)
    tables = [
        Table(name, secret, played, Random(name)) for name, secret in [*secrets.items()][:count]
    ]
    room = Room(port, tables)
    room.selector.register(sys.stdin, selectors.EVENT_READ, None)
    plays, due_s, care_s, at, ends = True, time.monotonic(), 0.0, 0, False
    with (folder / "deeds.jsonl").open("w", encoding="utf-8", buffering=1) as log:
        while not ends:
            now_s = time.monotonic()
            if now_s >= care_s:
                room.care()
                care_s = now_s + CARE_S
            if plays and now_s >= due_s:
                due_s = max(due_s + 1 / (rate * count), now_s - 0.5)
                table = tables[at % count]
                done_s = time.monotonic()
                log.write(json.dumps([table.name, table.play(), done_s]) + "\n")
                at += 1
            if room.serve(max(0.0, min(due_s if plays else care_s, care_s) - time.monotonic())):
                for word in words.come():
                    match word:
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
