"""Says to the hall what is new, in a thread of its own: one after another, and nothing twice.

What it could not say it does not keep. Of snapshots only the newest counts, of the journal the hall
says what it lacks. Whenever a connection comes, all is said again: that the table is there, and how
it stands.
"""

from __future__ import annotations

import logging
import math
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event, Thread
from typing import Final, Protocol

from companion import __version__
from companion.errors import CompanionError, RulesError, Unreadable
from companion.hall_link import payloads
from companion.hall_link.client import Broker, Client, Heard, Say
from companion.hall_link.payloads import Have, Online, State
from companion.hall_link.protocol import PROTOCOL, fits
from companion.hall_link.topics import Kind, topic
from companion.outputs.hall.commands import proposed
from companion.outputs.hall.late import Late
from companion.outputs.hall.open_journal import Journal, OpenJournal
from companion.present.public import state_of
from companion.referee.snapshot import Snapshot

LOG: Final = logging.getLogger(__name__)
AFTER_S: Final = 0.01  # this long the table's own thread has the computer to itself
STATE_S: Final = 0.05  # states follow each other no faster
DEEDS_S: Final = 0.2  # nor do looks into the journal
AGAIN_S, LONGEST_S = 5.0, 300.0  # until a batch is sent again that no hall said it has
LOOK_S: Final = 1.0  # how often it looks though nothing calls
ENDS_S: Final = 1.5
AWAY_S: Final = 120.0  # until whoever came second looks whether the first is still there


@dataclass(frozen=True, slots=True)
class Link:
    """Which table it is, where its broker is, and what may be told."""

    table: str
    broker: Broker
    delay_s: float = 0.0
    simulated: bool = False
    quiet_s: float = 0.0  # this long it only listens at first: somebody may have come as this table


class Extra(Protocol):
    """What else is said and heard by the same connection."""

    filters: tuple[str, ...]

    def connected(self) -> None:
        """Note that a connection came: nothing is known there yet."""

    def hear(self, heard: Heard) -> None:
        """Take what was said, in the connection's thread: only to be kept."""

    def go_on(self, now: Snapshot, say: Callable[[Say], bool]) -> None:
        """Say what there is to say, in the speaker's thread."""


def new_mark() -> str:
    """Return what tells this start of the program from any other; it says nothing else."""
    return secrets.token_hex(4)


class Speaker:
    """The thread that talks to the hall."""

    def __init__(
        self,
        link: Link,
        journal: Journal,
        extras: tuple[Extra, ...] = (),
        wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        watch: Callable[[Client], object] = lambda _: None,
    ) -> None:
        self._link, self._journal, self._extras = link, OpenJournal(journal), extras
        self._wall_ms, self._watch = wall_ms, watch
        self._late, self._now = Late(link.delay_s), Snapshot(-1)
        self._newest = self._now
        self._have: Have | None = None
        self._sent: tuple[Have, int] | None = None  # on which word of a hall up to which version…
        self._again_s, self._wait_s = 0.0, AGAIN_S  # …and when to say it again
        self._told: State | None = None
        self._state_due_s = self._deeds_due_s = 0.0
        self._was_connected = False
        self._mark, self._is_second = new_mark(), False
        self._quiet_until_s = math.inf  # as long as it may be the second
        self._wake, self._over = Event(), False
        gone = Online(online=False, program=__version__, protocol=PROTOCOL)
        last = self._say(Kind.ONLINE, gone, retain=True)
        self._gone = last
        self.client = Client(
            link.broker, f"rappelwacht-{link.table}", self._hear, self._wake.set, will=last
        )
        self._place = topic(link.table, Kind.HAVE)
        self.client.subscribe(self._place, *(one for extra in extras for one in extra.filters))
        self._thread = Thread(target=self._run, name="hall", daemon=True)

    # --- from the table's thread --------------------------------------------------------------

    def start(self) -> None:
        """Begin to look for the broker."""
        self.client.start()
        self._thread.start()

    def give(self, snapshot: Snapshot) -> None:
        """Have a snapshot told."""
        self._late.give(snapshot, time.monotonic())
        self._newest = snapshot
        self._wake.set()

    def close(self) -> None:
        """End, within a second or two."""
        self._over = True
        self._wake.set()
        self._thread.join(ENDS_S)
        self.client.close(self._gone)

    # --- from the connection's thread ---------------------------------------------------------

    def _hear(self, heard: Heard) -> None:
        if heard.topic == self._place:
            self._take(heard.data)
        else:
            for extra in self._extras:
                extra.hear(heard)
        self._wake.set()

    def _take(self, data: bytes) -> None:
        """Take what the hall says that it has; of one that is not understood, only that."""
        try:
            have = payloads.read(Have, data) if data else None
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
                self._deeds_due_s = time.monotonic() + LOOK_S
            except Exception:
                LOG.exception("The hall could not be told.")
                self._deeds_due_s = time.monotonic() + LOOK_S

    def _rest_s(self) -> float:
        if not self.client.ready:
            return LOOK_S
        if self._listens(now_s := time.monotonic()):
            return min(LOOK_S, self._quiet_until_s - now_s)
        due_s = [self._again_s] if self._sent else []
        if (given_s := self._late.due_s()) is not None:
            due_s.append(max(given_s, self._state_due_s))
        if self._lacks():
            due_s.append(self._deeds_due_s)
        return max(0.0, min([LOOK_S, *(one - time.monotonic() for one in due_s)]))

    def _turn(self, now_s: float) -> None:
        if now_s >= self._state_due_s and (found := self._late.take(now_s)) is not None:
            self._now, self._state_due_s = found, now_s + STATE_S
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
            extra.go_on(self._newest, self.client.publish)
        if now_s >= self._deeds_due_s and self._lacks(now_s):
            self._deeds_due_s = now_s + DEEDS_S
            self._tell_deeds(now_s)

    def _began(self, now_s: float) -> None:
        """Say all again: a connection came."""
        if self._quiet_until_s > now_s:
            self._quiet_until_s = now_s + self._link.quiet_s
        here = Online(online=True, program=__version__, mark=self._mark, protocol=PROTOCOL)
        self._was_connected = self.client.publish(self._say(Kind.ONLINE, here, retain=True))
        self._told = self._sent = None
        for extra in self._extras:
            extra.connected()

    def _tell_state(self) -> None:
        state = state_of(
            self._now,
            at_ms=0,
            delay_s=round(self._link.delay_s),
            simulated=self._link.simulated,
            proposal=proposed(self._newest.proposal),
        )
        if state != self._told:
            dated = replace(state, at_ms=self._wall_ms())
            if self.client.publish(self._say(Kind.STATE, dated, retain=True)):
                self._told = state

    def _lacks(self, now_s: float | None = None) -> bool:
        """Tell whether a hall may lack something of the journal."""
        if self._have is None:
            return False
        if self._sent is None or self._sent != (self._have, self._now.version):
            return True
        return now_s is not None and now_s >= self._again_s

    def _tell_deeds(self, now_s: float) -> None:
        have, version = self._have, self._now.version
        if have is None:
            return
        batch = self._journal.after(have, self._now, self._late.untold())
        if batch is not None and not self.client.publish(self._say(Kind.EVENTS, batch)):
            return
        again = self._sent is not None and self._sent[0] == have
        self._wait_s = min(2 * self._wait_s, LONGEST_S) if again else AGAIN_S
        self._again_s = now_s + self._wait_s if batch is not None else float("inf")
        self._sent = have, version

    def _say(self, kind: Kind, said: payloads.Payload, *, retain: bool = False) -> Say:
        return Say(topic(self._link.table, kind), payloads.write(said), retain)
