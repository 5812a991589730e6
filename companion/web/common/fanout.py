"""Sends live streams to a thousand watchers from one thread: each frame is encoded once for all.

A topic has parts, such as the tables of an overview; a watcher of it is owed the newest frame of
each part that changed since. A slow reader therefore skips what is outdated, and costs no more
memory than the names of those parts and the rest of one frame.

Once all places are taken, one who only watches makes room: the oldest from the address from which
most of them watch. Whoever plays along always gets that place, and another watcher if fewer watch
from that address. So nobody keeps anybody out, and a household behind one address has all that is
free.

It must not know what frames hold, nor who may see them: that is settled by `viewer.topic`.
"""

import select
import socket
import ssl
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Final

from companion.web.common.addresses import neighbourhood

WATCHERS: Final = 2_000
HEARTBEAT_S: Final = 4.0  # a page that hears nothing for two of them says so, and calls again
DEAD_S: Final = 30.0  # after this, somebody who reads nothing is given up
HELLO: Final = b"retry: 1000\n\n"  # sent at once, so that the page knows that the line is open
HEARTBEAT: Final = b"event: beat\ndata: {}\n\n"  # not a comment: pages do not hear those
GONE: Final = select.EPOLLHUP | select.EPOLLERR | select.EPOLLRDHUP
HEARS: Final = select.EPOLLIN | select.EPOLLRDHUP
WHOLE: Final = ""  # the part that is all of a topic
NOT_NOW: Final = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)  # of a line

Topic = tuple[str, ...]


def hang_up(line: socket.socket) -> None:
    """Close a line; one by TLS says goodbye, and waits for no answer."""
    if isinstance(line, ssl.SSLSocket):
        with suppress(OSError, ValueError):
            line.unwrap()
    line.close()


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """An event of a stream, and a mark by which a whole topic is recognised."""

    data: bytes
    mark: str = ""

    @property
    def text(self) -> str:
        """Return what it tells, for whoever only asks; not kept beside its bytes."""
        return self.data.partition(b"\ndata: ")[2].removesuffix(b"\n\n").decode()


@dataclass(frozen=True, slots=True)
class StreamViewer:
    """Who watches: what they may see now, and whether they play along."""

    topic: Callable[[], Topic]
    plays: Callable[[], bool] = bool
    address: str = ""


@dataclass(slots=True)
class _Watcher:
    line: socket.socket
    viewer: StreamViewer
    topic: Topic
    home: str  # where it came from
    seen: str | None  # the mark of the whole topic as it was sent last
    moved_s: float
    due: dict[str, None] = field(default_factory=dict)  # parts, in the order in which they changed
    rest: memoryview | None = None  # of the frame being sent
    waits: bool = False  # until the line takes more


class Fanout:
    """All watchers, and the newest frame of each part of each topic that somebody watches."""

    def __init__(
        self,
        wanted: Callable[[str], object],  # called with a view that somebody may see from now on
        places: int = WATCHERS,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._wanted, self._places, self._clock_s = wanted, places, clock_s
        self._frames: dict[Topic, dict[str, StreamEvent]] = {}
        self._watchers: dict[int, _Watcher] = {}  # the oldest first
        self._of: dict[Topic, dict[int, _Watcher]] = {}
        self._named: dict[str, Counter[Topic]] = {}  # for how many, including those just coming
        self._reserved: list[StreamViewer] = []  # whose answer has just begun
        self._come = deque[_Watcher]()  # whose lines are not looked after yet
        self._new = deque[tuple[Topic, str]]()
        self._refreshes, self._lock, self._closed = False, Lock(), False
        self._poll: select.epoll
        self._bell: socket.socket | None = None  # until it starts
        self._ear: socket.socket
        self._thread = Thread(target=self._run, name="live streams", daemon=True)

    def start(self) -> None:
        self._poll = select.epoll()
        self._bell, self._ear = socket.socketpair()
        self._ear.setblocking(False)
        self._bell.setblocking(False)
        self._poll.register(self._ear, select.EPOLLIN)
        self._thread.start()

    @property
    def held(self) -> int:
        return len(self._watchers) + len(self._come) + len(self._reserved)

    def reserve(self, viewer: StreamViewer) -> bool:
        """Keep a place for one more until `add` or `give_back`; False: there is none."""
        with self._lock:
            free = not self._closed and (self.held < self._places or self._may_push(viewer))
            if free:
                self._reserved.append(viewer)
            return free

    def _may_push(self, viewer: StreamViewer) -> bool:
        """Tell whether one who only watches would make room, once those just coming are there."""
        there = [watcher.viewer for watcher in [*self._watchers.values()]]
        there += [*(watcher.viewer for watcher in self._come), *self._reserved]
        watching = [other for other in there if not other.plays()]
        count = Counter(neighbourhood(other.address) for other in watching)
        for _ in range(self.held - self._places):  # who will make room for those
            count.subtract(home for home, _ in count.most_common(1))
        most = max(count.values(), default=0)
        return most > 0 and (viewer.plays() or count[neighbourhood(viewer.address)] + 1 < most)

    def give_back(self, viewer: StreamViewer) -> None:
        """Need a reserved place no longer."""
        with self._lock:
            self._reserved.remove(viewer)

    def add(
        self,
        line: socket.socket,
        viewer: StreamViewer,
        topic: Topic,
        seen: str | None,
        first: bytes,
    ) -> None:
        """Add a watcher on a line whose answer has begun, in the place reserved for it.

        `first` is still to be sent; then they have seen the topic as it is marked by `seen`.
        """
        with self._lock:
            self._reserved.remove(viewer)
            if self._closed:
                hang_up(line)
                return
            home, rest = neighbourhood(viewer.address), memoryview(first) if first else None
            self._come.append(_Watcher(line, viewer, topic, home, seen, self._clock_s(), rest=rest))
            self._named.setdefault(topic[0], Counter())[topic] += 1
        self._ring()

    def topics(self, name: str) -> list[Topic]:
        """Return which topics of a view are watched now; any thread may ask."""
        with self._lock:
            return [*self._named.get(name, ())]

    def watches(self, topic: Topic) -> bool:
        """Tell whether somebody watches a topic now; any thread may ask."""
        with self._lock:
            return topic in self._named.get(topic[0], ())

    def views(self) -> set[str]:
        with self._lock:
            return {*self._named}

    def publish(
        self, topic: Topic, part: str, frame: StreamEvent, *, to_newcomers: bool = False
    ) -> None:
        """Send the newest frame of a part to all who watch its topic and have not seen it.

        A newcomer may have seen less than was sent to all others.
        """
        with self._lock:
            if topic not in self._named.get(topic[0], ()):
                return
            frames = self._frames.setdefault(topic, {})
            known = frames.get(WHOLE)
            if part != WHOLE:
                frames.pop(WHOLE, None)  # outdated
            elif known is not None and known.mark == frame.mark and not to_newcomers:
                return
            frames[part] = frame
            self._new.append((topic, part))
        self._ring()

    def refresh_topics(self) -> None:
        """Ask all viewers again what they may see, before anything that is published later."""
        self._refreshes = True
        self._ring()

    def close(self) -> None:
        """End every line."""
        with self._lock:
            self._closed = True
        self._ring()
        if self._bell is not None:
            if self._thread.is_alive():
                self._thread.join(2)
            self._bell.close()
            self._ear.close()

    def _ring(self) -> None:
        if self._bell is not None:
            with suppress(OSError):  # full: it will read it anyway
                self._bell.send(b"!")

    # --- its thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        beat_s = self._clock_s() + HEARTBEAT_S
        while not self._closed:
            happened = self._poll.poll(max(0.0, beat_s - self._clock_s()))
            for number, what in happened:
                if number == self._ear.fileno():
                    self._drain_bell()
                elif (watcher := self._watchers.get(number)) is not None:
                    self._serve(watcher, what)
            self._deliver()
            if self._clock_s() >= beat_s:
                beat_s = self._clock_s() + HEARTBEAT_S
                self._beat()
        for watcher in [*self._watchers.values()]:
            self._drop(watcher)
        for watcher in self._come:
            hang_up(watcher.line)
        self._poll.close()

    def _drain_bell(self) -> None:
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
            except NOT_NOW:
                pass
            except OSError:
                self._drop(watcher)
                return
        if what & select.EPOLLOUT:
            self._send(watcher)

    def _deliver(self) -> None:
        with self._lock:
            refreshes, self._refreshes = self._refreshes, False
            come, new = [*self._come], [*self._new]
            self._come.clear()
            self._new.clear()
            behind = [watcher for watcher in come if self._admit(watcher)]
            if refreshes:
                behind += [watcher for watcher in self._watchers.values() if self._move(watcher)]
        while len(self._watchers) > self._places:
            self._make_room()
        for watcher in behind:
            self._send(watcher)
        for topic, part in dict.fromkeys(new):
            for watcher in [*self._of.get(topic, {}).values()]:
                if part == WHOLE:
                    watcher.due.clear()
                watcher.due[part] = None
                if watcher.rest is None:
                    self._send(watcher)

    def _admit(self, watcher: _Watcher) -> bool:
        """Look after the line of somebody who has just come; False: it is gone already."""
        try:
            watcher.line.setblocking(False)
            self._poll.register(watcher.line, HEARS)
        except OSError:
            hang_up(watcher.line)
            self._forget(watcher.topic)
            return False
        self._watchers[watcher.line.fileno()] = watcher
        self._of.setdefault(watcher.topic, {})[watcher.line.fileno()] = watcher
        self._move(watcher)
        return True

    def _move(self, watcher: _Watcher) -> bool:
        """Move a watcher to another topic, if that is what it may see by now."""
        topic, number = watcher.viewer.topic(), watcher.line.fileno()
        if topic == watcher.topic:
            return False
        self._leave(watcher)
        watcher.topic, watcher.due = topic, {WHOLE: None}
        self._named.setdefault(topic[0], Counter())[topic] += 1
        self._of.setdefault(topic, {})[number] = watcher
        self._wanted(topic[0])
        return True

    def _leave(self, watcher: _Watcher) -> None:
        of = self._of.get(watcher.topic, {})
        of.pop(watcher.line.fileno(), None)
        if not of:
            self._of.pop(watcher.topic, None)
        self._forget(watcher.topic)

    def _make_room(self) -> None:
        """Drop the oldest of those who only watch from the address that most of them come from."""
        watching = [watcher for watcher in self._watchers.values() if not watcher.viewer.plays()]
        if not watching:
            self._drop(next(reversed(self._watchers.values())))
            return
        ((crowd, _),) = Counter(watcher.home for watcher in watching).most_common(1)
        self._drop(next(watcher for watcher in watching if watcher.home == crowd))

    def _send(self, watcher: _Watcher) -> None:
        """Send what is owed, as far as the connection takes it now."""
        frames = self._frames.get(watcher.topic, {})
        try:
            while watcher.rest is not None or watcher.due:
                if watcher.rest is None:
                    part = next(iter(watcher.due))
                    del watcher.due[part]
                    frame = frames.get(part)
                    if frame is None or (part == WHOLE and frame.mark == watcher.seen):
                        continue
                    watcher.rest, watcher.seen = memoryview(frame.data), frame.mark
                sent = watcher.line.send(watcher.rest)
                watcher.moved_s = self._clock_s()
                watcher.rest = watcher.rest[sent:] if sent < len(watcher.rest) else None
        except NOT_NOW:
            pass
        except OSError:
            self._drop(watcher)
            return
        if watcher.waits != (watcher.rest is not None):
            watcher.waits = not watcher.waits
            wants = HEARS | (select.EPOLLOUT if watcher.waits else 0)
            self._poll.modify(watcher.line, wants)

    def _beat(self) -> None:
        now_s = self._clock_s()
        for watcher in [*self._watchers.values()]:
            if watcher.rest is None:
                watcher.rest = memoryview(HEARTBEAT)
                self._send(watcher)
            elif now_s - watcher.moved_s > DEAD_S:
                self._drop(watcher)

    def _drop(self, watcher: _Watcher) -> None:
        if self._watchers.pop(watcher.line.fileno(), None) is None:
            return
        with self._lock:
            self._leave(watcher)
        with suppress(OSError):
            self._poll.unregister(watcher.line)
        hang_up(watcher.line)

    def _forget(self, topic: Topic) -> None:
        """Count one less; what nobody watches is not kept."""
        named = self._named[topic[0]]
        named[topic] -= 1
        if not named[topic]:
            del named[topic]
            self._frames.pop(topic, None)
            if not named:
                del self._named[topic[0]]
