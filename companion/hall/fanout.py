"""Tells a thousand watchers what is new, from one thread: each frame is encoded once for all.

A topic has parts, such as the tables of an overview; a watcher of it is owed the newest frame of
each part that changed since. A slow reader therefore skips what is outdated, and costs no more
memory than the names of those parts and the rest of one frame.

Once all places are taken, whoever has most of them gives one up: nobody can take the hall away from
the others by watching it a thousand times.

It must not know what frames hold, nor who may see them: that was settled before `take`.
"""

from __future__ import annotations

import logging
import select
import socket
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Final

from companion.frame.addresses import neighbourhood

LOG: Final = logging.getLogger(__name__)
WATCHERS: Final = 2_000
HEARTBEAT_S: Final = 10.0  # a page that hears nothing for 2.5 times this long calls again
DEAD_S: Final = 30.0  # after this, somebody who reads nothing is given up
HELLO: Final = b"retry: 1000\n\n"
HEARTBEAT: Final = b"event: beat\ndata: {}\n\n"
GONE: Final = select.EPOLLHUP | select.EPOLLERR | select.EPOLLRDHUP
HEARS: Final = select.EPOLLIN | select.EPOLLRDHUP

Topic = tuple[str, ...]


@dataclass(slots=True)
class _Watcher:
    line: socket.socket
    topic: Topic
    home: str  # where it came from
    due: dict[str, None] = field(default_factory=dict)  # parts, in the order in which they changed
    rest: memoryview | None = None  # of the frame being sent
    moved_s: float = 0.0


class Fanout:
    """All watchers, and the newest frame of each part of each topic that somebody watches."""

    def __init__(
        self, clock_s: Callable[[], float] = time.monotonic, places: int = WATCHERS
    ) -> None:
        self._clock_s, self._places = clock_s, places
        self._frames: dict[Topic, dict[str, bytes]] = {}
        self._watchers: dict[int, _Watcher] = {}
        self._of: dict[Topic, dict[int, _Watcher]] = {}
        self._named: dict[str, Counter[Topic]] = {}  # for how many, including those just coming
        self._from = Counter[str]()  # how many watch from each address
        self._come = deque[tuple[socket.socket, Topic, tuple[str, ...]]]()
        self._new = deque[tuple[Topic, str]]()
        self._lock, self._closed = Lock(), False
        self._poll: select.epoll
        self._bell, self._ear = socket.socketpair()
        self._thread = Thread(target=self._run, name="hall fanout", daemon=True)

    def start(self) -> None:
        """Begin to tell."""
        self._poll = select.epoll()
        self._ear.setblocking(False)
        self._bell.setblocking(False)
        self._poll.register(self._ear, select.EPOLLIN)
        self._thread.start()

    @property
    def held(self) -> int:
        """Return how many watch now."""
        return len(self._watchers) + len(self._come)

    def has_room(self, address: str) -> bool:
        """Tell whether one more may watch from an address; any thread may ask."""
        with self._lock:
            most = max(self._from.values(), default=0)
            return self.held < self._places or self._from[neighbourhood(address)] + 1 < most

    def topics(self, name: str) -> list[Topic]:
        """Return which topics of a view are watched now; any thread may ask."""
        with self._lock:
            return [*self._named.get(name, ())]

    def views(self) -> set[str]:
        """Return the names of the views that are watched now."""
        with self._lock:
            return {*self._named}

    def publish(self, topic: Topic, part: str, frame: bytes) -> None:
        """Send the newest frame of a part to all who watch its topic."""
        with self._lock:
            self._frames.setdefault(topic, {})[part] = frame
            self._new.append((topic, part))
        self._ring()

    def take(self, line: socket.socket, topic: Topic, due: tuple[str, ...]) -> bool:
        """Take over a line whose answer has begun; `due` are the parts that it lacks.

        Return whether others watch the same: if not, nothing of it is known here and it has to be
        published.
        """
        with self._lock:
            watched = topic in self._named.get(topic[0], ())
            if self._closed:
                line.close()
                return True
            self._come.append((line, topic, due))
            self._named.setdefault(topic[0], Counter())[topic] += 1
        self._ring()
        return watched

    def close(self) -> None:
        """End every line."""
        with self._lock:
            self._closed = True
        self._ring()
        if self._thread.is_alive():
            self._thread.join(2)
        self._bell.close()
        self._ear.close()

    def _ring(self) -> None:
        with suppress(OSError):  # full: it will look anyway
            self._bell.send(b"!")

    # --- its thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        beat_s = self._clock_s() + HEARTBEAT_S
        while not self._closed:
            happened = self._poll.poll(max(0.0, beat_s - self._clock_s()))
            for number, what in happened:
                if number == self._ear.fileno():
                    self._hear()
                elif (watcher := self._watchers.get(number)) is not None:
                    self._serve(watcher, what)
            self._tell()
            if self._clock_s() >= beat_s:
                beat_s = self._clock_s() + HEARTBEAT_S
                self._beat()
        for watcher in [*self._watchers.values()]:
            self._drop(watcher)
        for line, _, _ in self._come:
            line.close()
        self._poll.close()

    def _hear(self) -> None:
        with suppress(BlockingIOError):
            while self._ear.recv(4096):
                pass

    def _serve(self, watcher: _Watcher, what: int) -> None:
        if what & GONE:
            self._drop(watcher)
            return
        if what & select.EPOLLIN:
            try:
                if not watcher.line.recv(4096):  # it has nothing to say; what it says is dropped
                    self._drop(watcher)
                    return
            except BlockingIOError:
                pass
            except OSError:
                self._drop(watcher)
                return
        if what & select.EPOLLOUT:
            self._send(watcher)

    def _tell(self) -> None:
        with self._lock:
            come, new = [*self._come], [*self._new]
            self._come.clear()
            self._new.clear()
            for line, topic, due in come:
                self._admit(line, topic, due)
        while len(self._watchers) > self._places:
            self._make_room()
        for line, _, due in come:
            if (watcher := self._watchers.get(line.fileno())) is not None:
                watcher.due |= dict.fromkeys(due)
                self._send(watcher)
        for topic, part in dict.fromkeys(new):
            for watcher in [*self._of.get(topic, {}).values()]:
                watcher.due[part] = None
                if watcher.rest is None:
                    self._send(watcher)

    def _admit(self, line: socket.socket, topic: Topic, due: tuple[str, ...]) -> None:
        try:
            line.setblocking(False)
            self._poll.register(line, HEARS)
            home = neighbourhood(line.getpeername()[0])
        except OSError:
            line.close()
            self._forget(topic)
            return
        watcher = _Watcher(line, topic, home, dict.fromkeys(due), moved_s=self._clock_s())
        self._from[home] += 1
        self._watchers[line.fileno()] = watcher
        self._of.setdefault(topic, {})[line.fileno()] = watcher

    def _make_room(self) -> None:
        """Drop the oldest watcher from the address that most of them come from."""
        ((crowd, _),) = self._from.most_common(1)
        self._drop(next(one for one in self._watchers.values() if one.home == crowd))

    def _send(self, watcher: _Watcher) -> None:
        """Send what is owed, as far as the connection takes it now."""
        frames = self._frames.get(watcher.topic, {})
        waited = watcher.rest is not None
        try:
            while watcher.rest is not None or watcher.due:
                if watcher.rest is None:
                    part = next(iter(watcher.due))
                    del watcher.due[part]
                    if part not in frames:
                        continue
                    watcher.rest = memoryview(frames[part])
                sent = watcher.line.send(watcher.rest)
                watcher.moved_s = self._clock_s()
                watcher.rest = watcher.rest[sent:] if sent < len(watcher.rest) else None
        except BlockingIOError:
            pass
        except OSError:
            self._drop(watcher)
            return
        if waited != (watcher.rest is not None):
            wants = HEARS | (select.EPOLLOUT if watcher.rest is not None else 0)
            self._poll.modify(watcher.line, wants)

    def _beat(self) -> None:
        now_s = self._clock_s()
        for watcher in [*self._watchers.values()]:
            if watcher.rest is None:
                watcher.rest = memoryview(HEARTBEAT)
                self._send_beat(watcher)
            elif now_s - watcher.moved_s > DEAD_S:
                self._drop(watcher)

    def _send_beat(self, watcher: _Watcher) -> None:
        try:
            sent = watcher.line.send(HEARTBEAT)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._drop(watcher)
            return
        watcher.rest = memoryview(HEARTBEAT)[sent:] if sent < len(HEARTBEAT) else None
        if watcher.rest is None:
            watcher.moved_s = self._clock_s()
        else:
            self._poll.modify(watcher.line, HEARS | select.EPOLLOUT)

    def _drop(self, watcher: _Watcher) -> None:
        number = watcher.line.fileno()
        if self._watchers.pop(number, None) is None:
            return
        with suppress(OSError):
            self._poll.unregister(watcher.line)
        watcher.line.close()
        with self._lock:
            self._from -= Counter((watcher.home,))
            of = self._of.get(watcher.topic, {})
            of.pop(number, None)
            if not of:
                self._of.pop(watcher.topic, None)
            self._forget(watcher.topic)

    def _forget(self, topic: Topic) -> None:
        """Count one less; whoever joins what nobody watches is sent everything again."""
        named = self._named[topic[0]]
        named[topic] -= 1
        if not named[topic]:
            del named[topic]
            self._frames.pop(topic, None)
            if not named:
                del self._named[topic[0]]
