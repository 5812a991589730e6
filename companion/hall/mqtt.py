"""The hall's MQTT connection: takes what its tables publish, and publishes what the hall has.

Whatever comes is somebody else's data: what cannot be read is counted, and nothing else happens.
"""

import logging
import secrets
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from threading import Condition, Thread
from typing import Final

from companion.hall.journal_replica import JournalReplica
from companion.hall.tables import OFF, DuplicateTables, HallTables, TableNow
from companion.mqtt import client, payloads, signing, topics
from companion.mqtt.signing import RefusalReason, signed, signing_key
from companion.mqtt.topics import PROTOCOL, TopicKind, fits
from companion.system.errors import CompanionError, NoAnswer, RulesError

LOG: Final = logging.getLogger(__name__)
SAID: Final = 5  # how many refused payloads of a table are logged; the others are only counted
LOOK_S: Final = 10.0  # how often it checks who may try again
HEARD: Final = tuple(kind for kind in TopicKind if kind is not TopicKind.COMMAND)


class HallLink:
    """What the hall hears and says.

    `changed` is called with a table whose state is new, None being the broker, `on_journal` with
    one of whose journal the hall has more.
    """

    def __init__(
        self,
        broker: client.Broker,
        tables: HallTables,
        replica: JournalReplica,
        changed: Callable[[TableNow | None], object],
        on_journal: Callable[[TableNow], object] = bool,
    ) -> None:
        self._tables, self._replica = tables, replica
        self._changed, self._on_journal = changed, on_journal
        self._client = client.Client(
            broker, f"hall-{replica.hall}", self._handle_message, self._on_connection
        )
        self._client.subscribe(*map(topics.of_all, HEARD))
        self._wanted: dict[str, None] = {}  # tables that are to be told what we have
        self._asked: dict[str, Future[payloads.CommandAnswer]] = {}
        self._bell, self._closed, self._was_there = Condition(), False, False
        self._thread = Thread(target=self._publish_all, name="hall link", daemon=True)
        self._rivals = DuplicateTables()
        self.others = frozenset[str]()  # halls that were given the same tables

    def start(self) -> None:
        self._client.start()
        self._thread.start()

    def close(self) -> None:
        """Say nothing from now on."""
        with self._bell:
            self._closed = True
            self._bell.notify()
        self._client.close()
        if self._thread.is_alive():
            self._thread.join(2)

    @property
    def connected(self) -> bool:
        return self._client.connected

    # --- what comes: the client's thread ------------------------------------------------------

    def _handle_message(self, heard: client.MqttMessage) -> None:
        place = topics.read(heard.topic)
        table = None if place is None else self._tables.get_or_add(place.table)
        if place is None or table is None:
            return
        known = table.state is not None or table.online.online
        protocol = table.online.protocol
        try:
            self._handle_payload(table.name, place.kind, heard)
        except RulesError as fault:
            if place.kind is TopicKind.STATE:
                self._tables.update(table.name, garbled=True)
                self._notify(table.name)
            count = self._tables.refuse(table.name)
            if count <= SAID:
                LOG.warning("A payload of %s cannot be read: %s", table.name, fault)
        if not known or self._tables.protocol(table.name) != protocol:
            self.want(table.name)

    def _handle_payload(self, name: str, kind: TopicKind, heard: client.MqttMessage) -> None:
        data = heard.data
        match kind:
            case TopicKind.ONLINE:
                online = payloads.read(payloads.Online, data) if data else OFF
                if not self._is_second(name, online, heard):
                    self._tables.update(name, online=online)
                    self._notify(name)
            case TopicKind.STATE | TopicKind.EVENTS if not fits(self._tables.protocol(name)):
                pass  # its page says so
            case TopicKind.STATE:
                state = payloads.read(payloads.TableState, data) if data else None
                self._tables.update(name, state=state, garbled=False)
                self._notify(name)
            case TopicKind.EVENTS:
                self._replica.handle_events(
                    name, payloads.read(payloads.Events, data), lambda: self._journal_grew(name)
                )
            case TopicKind.HAVE if data:
                self._notice(name, payloads.read(payloads.Have, data))
            case TopicKind.ANSWER:
                answer = payloads.read(payloads.CommandAnswer, data)
                if (asked := self._asked.pop(f"{name}/{answer.request}", None)) is not None:
                    asked.set_result(answer)

    def _is_second(self, name: str, online: payloads.Online, heard: client.MqttMessage) -> bool:
        """Tell whether somebody has to keep away; what a broker retained says nothing about now."""
        kept = heard.retained and self._rivals.knows(name)
        if online.mark and not kept and self._rivals.comes(name, online.mark):
            LOG.warning("Two computers connect as %s; the second one is refused.", name)
            self._forbid(name)
        return online.mark in self._rivals.refused(name)

    def _forbid(self, name: str) -> None:
        """Tell a table, and everybody who looks, who has to keep away from its name now."""
        self._tables.update(name, rivalled=bool(self._rivals.refused(name)))
        self.want(name)
        self._notify(name)

    def _notice(self, name: str, have: payloads.Have) -> None:
        """Note another hall; a table obeys the last word, so whichever lacks more says so."""
        if have.hall == self._replica.hall:
            return
        if have.hall not in self.others:
            self.others |= {have.hall[:40]}
            LOG.warning("Another hall asks the same tables; neither loses anything: %s", have.hall)
            self._changed(None)
        if self._replica.lacks(name, have):
            self.want(name)

    def _journal_grew(self, name: str) -> None:
        self.want(name)
        if (table := self._tables.named(name)) is not None:
            self._on_journal(table)

    def _notify(self, name: str) -> None:
        if (table := self._tables.named(name)) is not None:
            self._changed(table)

    # --- what goes out ------------------------------------------------------------------------

    def want(self, table: str) -> None:
        with self._bell:
            self._wanted[table] = None
            self._bell.notify()

    def _on_connection(self) -> None:
        if self._client.connected != self._was_there:
            self._was_there = self._client.connected
            if self._was_there:
                for table in self._tables:
                    self.want(table.name)
            self._changed(None)
        with self._bell:
            self._bell.notify()

    def _publish_all(self) -> None:
        while not self._closed:
            for name in self._rivals.forgiven():
                self._forbid(name)
            with self._bell:
                if not self._bell.wait_for(self._may_publish, LOOK_S):
                    continue
                name = next(iter(self._wanted), "")  # the one that has waited longest
                if not name:  # it is over
                    return
                del self._wanted[name]
            data = payloads.write(self._have(name))
            if not self._client.publish(
                client.Publication(topics.topic(name, TopicKind.HAVE), data, retain=True)
            ):
                with self._bell:
                    self._wanted = {name: None} | self._wanted

    def _have(self, name: str) -> payloads.Have:
        """Return what a table is told: our protocol only if it says its own."""
        protocol = PROTOCOL if self._tables.protocol(name) else ""
        refused = self._rivals.refused(name)
        return replace(self._replica.have(name), refused=refused, protocol=protocol)

    def _may_publish(self) -> bool:
        return self._closed or (bool(self._wanted) and self._client.ready)

    def propose(self, name: str, wish: payloads.HallProposal, by: str) -> None:
        """Propose a table its next match; return once people there see it, or raise why not."""
        answer = self._ask(name, wish, by, 0)
        if answer.refused == RefusalReason.LATE.name:  # it told what its clock says
            answer = self._ask(name, wish, by, answer.at_ms)
        refused = signing.refusal_error(answer.refused, answer.values)
        if refused is not None:
            raise refused

    def _ask(
        self, name: str, wish: payloads.HallProposal, by: str, at_ms: int
    ) -> payloads.CommandAnswer:
        secret, table = self._tables.secret(name), self._tables.named(name)
        if secret is None or table is None or not table.online.online or not self.connected:
            raise CompanionError(RefusalReason.OFFLINE.value)
        if table.foreign:
            raise CompanionError(RefusalReason.UNREADABLE.value)
        seen = at_ms or (0 if table.state is None else table.state.at_ms)
        request = secrets.token_hex(8)
        command = signed(payloads.HallCommand(request, name, by, seen, wish), signing_key(secret))
        done = self._asked[f"{name}/{request}"] = Future()
        say = client.Publication(
            topics.topic(name, TopicKind.COMMAND),
            payloads.write(command),
            expiry_s=payloads.EXPIRY_S,
            response=topics.topic(name, TopicKind.ANSWER),
            correlation=request.encode(),
        )
        try:
            if not self._client.publish(say):
                raise NoAnswer(RefusalReason.OFFLINE.value)
            return done.result(payloads.EXPIRY_S)
        except TimeoutError:
            raise NoAnswer(RefusalReason.OFFLINE.value) from None
        finally:
            self._asked.pop(f"{name}/{request}", None)
