"""Publishes a table's state and journal over MQTT, in a thread of its own, and nothing twice.

What it could not say it does not keep. Of snapshots only the newest counts, of the journal the hall
says what it lacks. Whenever a connection comes, all is said again: that the table is there, and how
it stands.
"""

import logging
import math
import secrets
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread
from typing import Final, Protocol

from companion import __version__
from companion.journal import Entry, ListedMatch
from companion.mqtt import client, payloads
from companion.mqtt.topics import PROTOCOL, TopicKind, fits, topic
from companion.present.mqtt_state import entry_from_line, journal_lines, state_of
from companion.referee.replay import ReplayStep, replay_steps
from companion.referee.snapshot import Proposal, Snapshot
from companion.system.errors import CompanionError, RulesError, Unreadable

STEPS: Final = 50  # this many snapshots stand for a delay; those between are left out
MOST: Final = 500  # however fast matches follow each other


class DelayBuffer:
    """The newest snapshot that is old enough; one thread gives, another takes."""

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self._waiting: deque[tuple[float, Snapshot]] = deque(maxlen=MOST)
        self._turn = Lock()  # for as long as it takes to append

    def put(self, snapshot: Snapshot, at_s: float) -> None:
        """Add the newest snapshot; it may replace the one that was added just before."""
        with self._turn:
            if self._waiting and not self._counts(snapshot, at_s):
                self._waiting.pop()
            self._waiting.append((at_s, snapshot))

    def _counts(self, snapshot: Snapshot, at_s: float) -> bool:
        """Tell whether what waits last is to be told for itself."""
        if not self._delay_s:
            return False
        before_s = self._waiting[-2][0] if len(self._waiting) > 1 else float("-inf")
        other = self._waiting[-1][1].match != snapshot.match
        return other or at_s - before_s >= self._delay_s / STEPS

    def due_s(self) -> float | None:
        """Return when something new may be told; None: nothing waits."""
        with self._turn:
            return self._waiting[0][0] + self._delay_s if self._waiting else None

    def pop(self, now_s: float) -> Snapshot | None:
        """Return the newest that may be told by now; None: nothing new."""
        snapshot = None
        with self._turn:
            while self._waiting and self._waiting[0][0] + self._delay_s <= now_s:
                _, snapshot = self._waiting.popleft()
        return snapshot

    def untold(self) -> frozenset[str]:
        """Return the matches of which something still waits."""
        with self._turn:
            return frozenset(
                snapshot.match for _, snapshot in self._waiting if snapshot.match is not None
            )


@dataclass(frozen=True, slots=True)
class JournalReader:
    """How the journal is read; from any thread. NoAnswer: that cannot be now."""

    matches: Callable[[], Sequence[ListedMatch]]  # the newest first
    entries: Callable[[str], Sequence[Entry]]


class OpenJournal:
    """Reads what may leave the table; what it read last of a match it does not read again."""

    def __init__(self, journal: JournalReader) -> None:
        self._journal = journal
        self._match, self._steps = "", tuple[ReplayStep, ...]()
        self._known: dict[str, payloads.Have] = {}  # what the hall said that it has, by match

    def after(
        self, have: payloads.Have, now: Snapshot, untold: Collection[str] = ()
    ) -> payloads.Events | None:
        """Return what follows what a hall has, as far as a snapshot tells; None: nothing.

        Matches follow each other as they were begun, so nobody skips one; only the one that is
        played may be older than one that was taken in from a file.
        """
        if have.match is None or any(
            have_of_match.hall != have.hall for have_of_match in self._known.values()
        ):
            self._known.clear()
        if have.match is not None:
            self._known[have.match] = have
        order = [*self._order(now, untold)]
        begins = order.index(have.match) if have.match in order else 0
        for match in (*order[begins:], *(match for match in order[:begins] if match == now.match)):
            if events := self._rest(self._known.get(match, payloads.Have(have.hall, match)), now):
                return events
        return None

    def _order(self, now: Snapshot, untold: Collection[str]) -> Iterator[str]:
        """Yield the matches, those that were begun first first, up to what may not be told yet."""
        later = set(untold) - {now.match}
        for match in reversed(self._journal.matches()):
            if match.id in later:
                return
            yield match.id
            if later and match.id == now.match:
                return  # there may be more of it than is shown

    def _rest(self, have: payloads.Have, now: Snapshot) -> payloads.Events | None:
        """Return what follows in a match; all of it, if what the hall has there is not so."""
        match = have.match or ""
        events = self._journal_lines(match, now)
        begins = have.next
        if (
            0 < begins <= len(events)
            and entry_from_line(match, events[begins - 1]).seal != have.seal
        ):
            begins = 0
        batch = [*_batch(events[begins:])]
        return payloads.Events(match, begins, tuple(batch), have.hall) if batch else None

    def _journal_lines(self, match: str, now: Snapshot) -> list[payloads.JournalLine]:
        """Return what may be told of a match; of the one that is shown nothing that is newer."""
        entries = self._journal.entries(match)
        if match == now.match:
            entries = entries[: now.version + 1]
        known = self._steps if match == self._match else ()
        if [step.entry for step in known] != [*entries[: len(known)]]:
            known = ()  # the journal was restored
        steps, _ = replay_steps(entries, known)
        self._match, self._steps = match, steps
        return [*journal_lines(steps)]


def _batch(events: Sequence[payloads.JournalLine]) -> Iterator[payloads.JournalLine]:
    """Yield as many as are sent at once."""
    length = 0
    for event in events[: payloads.BATCH]:
        length += len(str(event.body)) + 100
        if length > payloads.BATCH_BYTES and event is not events[0]:
            return
        yield event


LOG: Final = logging.getLogger(__name__)
AFTER_S: Final = 0.01  # this long the table's own thread has the computer to itself
STATE_S: Final = 0.05  # states follow each other no faster
EVENTS_S: Final = 0.2  # nor do looks into the journal
AGAIN_S, LONGEST_S = 5.0, 300.0  # until a batch is sent again that no hall said it has
LOOK_S: Final = 1.0  # how often it looks though nothing calls
ENDS_S: Final = 1.5
AWAY_S: Final = 120.0  # until whoever came second looks whether the first is still there


@dataclass(frozen=True, slots=True)
class HallSettings:
    """Which table it is, where its broker is, and what may be told there."""

    table: str
    broker: client.Broker
    key: bytes | None = None  # of commands; None: nobody in the hall proposes anything
    delay_s: int = 0
    home_assistant: bool | str = False
    simulated: bool = False


class MqttExtension(Protocol):
    """What else is said and heard by the same connection."""

    filters: tuple[str, ...]

    def on_connect(self) -> None:
        """Note that a connection came: nothing is known there yet."""

    def handle_message(self, heard: client.MqttMessage) -> None:
        """Queue a message; it is called in the connection's thread, and does no more."""

    def tick(self, now: Snapshot, say: Callable[[client.Publication], bool]) -> None:
        """Say what there is to say, in the speaker's thread."""


def new_instance_id() -> str:
    """Return what tells this start of the program from any other; it says nothing else."""
    return secrets.token_hex(4)


class Publisher:
    """The thread that talks to the hall."""

    def __init__(
        self,
        link: HallSettings,
        journal: JournalReader,
        extras: tuple[MqttExtension, ...] = (),
        watch: Callable[[client.Client], object] = lambda _: None,
        quiet_s: float = 0.0,  # this long it only listens: somebody may have come as this table
    ) -> None:
        self._link, self._journal, self._extras = link, OpenJournal(journal), extras
        self._watch, self._quiet_s = watch, quiet_s
        self._late, self._now = DelayBuffer(link.delay_s), Snapshot(-1)
        self._newest = self._now
        self._have: payloads.Have | None = None
        # on which word of a hall up to which version…
        self._sent: tuple[payloads.Have, int] | None = None
        self._again_s, self._wait_s = 0.0, AGAIN_S  # …and when to say it again
        self._told: payloads.TableState | None = None
        self._state_due_s = self._events_due_s = 0.0
        self._was_connected = False
        self._mark, self._is_second = new_instance_id(), False
        self._quiet_until_s = math.inf  # as long as it may be the second
        self._wake, self._over = Event(), False
        gone = payloads.Online(online=False, program=__version__, protocol=PROTOCOL)
        last = self._say(TopicKind.ONLINE, gone, retain=True)
        self._gone = last
        self.client = client.Client(
            link.broker, f"rappelwacht-{link.table}", self._hear, self._wake.set, will=last
        )
        self._place = topic(link.table, TopicKind.HAVE)
        self.client.subscribe(
            self._place, *(pattern for extra in extras for pattern in extra.filters)
        )
        self._thread = Thread(target=self._run, name="hall", daemon=True)

    # --- from the table's thread --------------------------------------------------------------

    def start(self) -> None:
        self.client.start()
        self._thread.start()

    def put(self, snapshot: Snapshot) -> None:
        self._late.put(snapshot, time.monotonic())
        self._newest = snapshot
        self._wake.set()

    def close(self) -> None:
        """End, within a second or two."""
        self._over = True
        self._wake.set()
        self._thread.join(ENDS_S)
        self.client.close(self._gone)

    # --- from the connection's thread ---------------------------------------------------------

    def _hear(self, heard: client.MqttMessage) -> None:
        if heard.topic == self._place:
            self._take(heard.data)
        else:
            for extra in self._extras:
                extra.handle_message(heard)
        self._wake.set()

    def _take(self, data: bytes) -> None:
        """Take what the hall says that it has; of one that is not understood, only that."""
        try:
            have = payloads.read(payloads.Have, data) if data else None
            understood = have is None or fits(have.protocol)
        except Unreadable:
            have, understood = None, False
        self.client.understands(it=understood)
        self._have = have if understood else None
        self._is_second = have is not None and self._mark in have.refused
        self._sent, self._wait_s = None, AGAIN_S

    # --- its own thread -----------------------------------------------------------------------

    def _run(self) -> None:
        while not self._over:
            if self._wake.wait(self._rest_s()):
                time.sleep(AFTER_S)
            self._wake.clear()
            try:
                if not self._listens(time.monotonic()):
                    self._watch(self.client)
                self._turn(time.monotonic())
            except (CompanionError, RulesError) as fault:  # such as a journal that is being read
                LOG.debug("The hall is told later: %s", fault)
                self._events_due_s = time.monotonic() + LOOK_S
            except Exception:
                LOG.exception("Publishing to the hall failed.")
                self._events_due_s = time.monotonic() + LOOK_S

    def _rest_s(self) -> float:
        if not self.client.ready:
            return LOOK_S
        if self._listens(now_s := time.monotonic()):
            return min(LOOK_S, self._quiet_until_s - now_s)
        due_s = [self._again_s] if self._sent else []
        if (given_s := self._late.due_s()) is not None:
            due_s.append(max(given_s, self._state_due_s))
        if self._lacks():
            due_s.append(self._events_due_s)
        return max(0.0, min([LOOK_S, *(due - time.monotonic() for due in due_s)]))

    def _turn(self, now_s: float) -> None:
        if now_s >= self._state_due_s and (snapshot := self._late.pop(now_s)) is not None:
            self._now, self._state_due_s = snapshot, now_s + STATE_S
        if not self.client.connected:
            self._was_connected = False
            return
        if not self._was_connected:
            self._began(now_s)
        if self._is_second:
            self._is_second, self._quiet_until_s = False, math.inf
            self.client.publish(self._gone)
            self.client.keep_away(AWAY_S)
        elif not self._listens(now_s):
            self._tell(now_s)

    def _listens(self, now_s: float) -> bool:
        """Tell whether it came just now, and waits for somebody who was there before."""
        return self.client.connected and now_s < self._quiet_until_s

    def _tell(self, now_s: float) -> None:
        self._tell_state()
        for extra in self._extras:
            extra.tick(self._newest, self.client.publish)
        if now_s >= self._events_due_s and self._lacks(now_s):
            self._events_due_s = now_s + EVENTS_S
            self._publish_events(now_s)

    def _began(self, now_s: float) -> None:
        """Say all again: a connection came."""
        if self._quiet_until_s > now_s:
            self._quiet_until_s = now_s + self._quiet_s
        here = payloads.Online(online=True, program=__version__, mark=self._mark, protocol=PROTOCOL)
        self._was_connected = self.client.publish(self._say(TopicKind.ONLINE, here, retain=True))
        self._told = self._sent = None
        for extra in self._extras:
            extra.on_connect()

    def _tell_state(self) -> None:
        state = state_of(
            self._now,
            at_ms=0,
            delay_s=self._link.delay_s,
            simulated=self._link.simulated,
            proposal=_proposed(self._newest.proposal),
        )
        if state != self._told:
            dated = replace(state, at_ms=time.time_ns() // 1_000_000)
            if self.client.publish(self._say(TopicKind.STATE, dated, retain=True)):
                self._told = state

    def _lacks(self, now_s: float | None = None) -> bool:
        """Tell whether a hall may lack something of the journal."""
        if self._have is None:
            return False
        if self._sent is None or self._sent != (self._have, self._now.version):
            return True
        return now_s is not None and now_s >= self._again_s

    def _publish_events(self, now_s: float) -> None:
        have, version = self._have, self._now.version
        if have is None:
            return
        batch = self._journal.after(have, self._now, self._late.untold())
        if batch is not None and not self.client.publish(self._say(TopicKind.EVENTS, batch)):
            return
        again = self._sent is not None and self._sent[0] == have
        self._wait_s = min(2 * self._wait_s, LONGEST_S) if again else AGAIN_S
        self._again_s = now_s + self._wait_s if batch is not None else float("inf")
        self._sent = have, version

    def _say(
        self, kind: TopicKind, payload: payloads.Payload, *, retain: bool = False
    ) -> client.Publication:
        return client.Publication(topic(self._link.table, kind), payloads.write(payload), retain)


def _proposed(proposal: Proposal | None) -> payloads.ProposalState | None:
    """Return what a hall is told of the last proposal."""
    if proposal is None:
        return None
    return payloads.ProposalState(proposal.request, proposal.verdict.value)
