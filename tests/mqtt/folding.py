"""A hall as small as can be: it folds what a table sends, and says what it has."""

from __future__ import annotations

from collections import Counter
from itertools import count
from threading import RLock
from typing import Any

from companion.journal import Entry
from companion.mqtt import client, payloads, topics
from companion.mqtt.client import Client, MqttMessage, Publication
from companion.mqtt.payloads import Events, Have, Online, TableState
from companion.mqtt.topics import TopicKind
from companion.present.mqtt_state import entry_from_line
from tests.mqtt.broker import wait_until

NAMES = count()


class Fold:
    """What one table has told."""

    def __init__(self, broker: client.Broker, table: str, name: str = "") -> None:
        self.table, self.name = table, name or f"fold-{next(NAMES)}"
        self.entries: dict[str, list[Entry]] = {}
        self.states: list[TableState] = []
        self.online: list[bool] = []
        self.have = Have(self.name, None)
        self.twice = 0  # entries that came again, and were left out
        self.heard: Counter[str] = Counter()
        self.said: Have | None = None
        self._turn = RLock()
        self.client = Client(broker, self.name, self._hear)
        self.client.subscribe(
            *(topics.topic(table, k) for k in TopicKind if k is not TopicKind.HAVE)
        )
        self.client.start()

    def wait(self) -> Fold:
        """Come back once it is connected, and has said what it has."""
        wait_until(lambda: self.client.connected)
        self.pump()
        return self

    def pump(self) -> None:
        """Say what it has, as often as that is new."""
        with self._turn:
            have = self.have
        if have != self.said and self.client.publish(self.say(have)):
            self.said = have

    def say(self, have: Have) -> Publication:
        return Publication(
            topics.topic(self.table, TopicKind.HAVE), payloads.write(have), retain=True
        )

    def until(self, moment: Any) -> None:
        """Go on until something is so."""

        def reached() -> bool:
            if not self.client.connected:
                self.said = None
            self.pump()
            return bool(moment())

        wait_until(reached)

    def _hear(self, heard: MqttMessage) -> None:
        place = topics.read(heard.topic)
        assert place is not None
        self.heard[place.kind.value] += 1
        match place.kind:
            case TopicKind.STATE:
                self.states.append(payloads.read(TableState, heard.data))
            case TopicKind.ONLINE:
                self.online.append(payloads.read(Online, heard.data).online)
            case TopicKind.EVENTS:
                with self._turn:
                    self._take(payloads.read(Events, heard.data))

    def _take(self, batch: Events) -> None:
        known = self.entries.setdefault(batch.match, [])
        if batch.from_ <= len(known):
            for event in batch.deeds:
                entry = entry_from_line(batch.match, event)
                if event.number < len(known) and known[event.number] == entry:
                    self.twice += 1
                    continue
                del known[event.number :]  # the journal is what is true
                known.append(entry)
        self.have = Have(self.name, batch.match, len(known), known[-1].seal if known else 0)

    def close(self) -> None:
        self.client.close()
