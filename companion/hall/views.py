"""Makes the live parts of pages: one thread, those on walls first, and never a backlog.

What changed is remembered by name only, so that whatever comes faster than it can be made is made
once, newest. Ordinary pages, and whoever comes, get at most a third of that thread's time: then the
link to the tables and the walls have the rest, however many watch.
"""

from __future__ import annotations

import json
import logging
import socket
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from threading import Condition, Thread
from typing import Final

from companion.hall.accounts import Visitor
from companion.hall.fanout import Fanout, Topic
from companion.hall.hall import Hall
from companion.hall.page import View
from companion.present.reader import Reader

LOG: Final = logging.getLogger(__name__)
ALONE_S: Final = 0.02  # ordinary pages are made for this long at a stretch…
REST: Final = 3  # …and that is a third of the time
MARKS: Final = 5_000


@dataclass(frozen=True, slots=True)
class _Newcomer:
    line: socket.socket
    topic: Topic
    seen: str | None


class Views:
    """What can be seen live, by its name."""

    def __init__(self, hall: Hall, views: Mapping[str, View], fanout: Fanout) -> None:
        self._hall, self._views, self._fanout = hall, views, fanout
        self._hurries: dict[tuple[str, str], None] = {}  # names and parts, the oldest first…
        self._waits: dict[tuple[str, str], None] = {}  # …and those of ordinary pages
        self._come = deque[_Newcomer]()
        self._marks: dict[Topic, str] = {}  # of what was sent last as a whole
        self._bell, self._closed = Condition(), False
        self._thread = Thread(target=self._run, name="hall views", daemon=True)

    def start(self) -> None:
        """Begin to make them."""
        self._thread.start()

    def close(self) -> None:
        """Stop making them."""
        with self._bell:
            self._closed = True
            self._bell.notify()
        if self._thread.is_alive():
            self._thread.join(2)

    def __contains__(self, name: str) -> bool:
        """Tell whether there is a view of that name."""
        kind, dash, about = name.partition("-")
        known = kind in self._views and bool(dash) == bool(about)
        return known and self._views[kind].has(self._hall, about)

    def changed(self, name: str, part: str = "") -> None:
        """Say that something is new; any thread may call this, and nothing waits."""
        urgent = self._is_urgent(name)
        with self._bell:
            rings = urgent or not self._waits
            (self._hurries if urgent else self._waits)[name, part] = None
            if rings:
                self._bell.notify()

    def topic(self, name: str, visitor: Visitor) -> Topic:
        """Return the topic that a visitor watches: all who read the same share it."""
        personal = self._views[name.partition("-")[0]].personal
        return name, visitor.reader.language, (visitor.role or "") if personal else ""

    def now(self, topic: Topic, part: str = "") -> str:
        """Return a view's newest HTML."""
        name, language, role = topic
        kind, _, about = name.partition("-")
        view = self._views[kind]
        visitor = Visitor(Reader(language), role or None)
        if part and view.part is not None:
            return view.part(self._hall, visitor, part)
        return view.make(self._hall, visitor, about)

    def join(self, line: socket.socket, topic: Topic, seen: str | None) -> None:
        """Let somebody watch, beginning with whatever they have not seen yet."""
        with self._bell:
            self._come.append(_Newcomer(line, topic, seen))
            self._bell.notify()

    # --- the thread that makes them -----------------------------------------------------------

    def _run(self) -> None:
        rest_until_s = 0.0
        while not self._closed:
            with self._bell:
                if not self._hurries and not self._closed:
                    waits = self._waits or self._come
                    self._bell.wait(max(0.0, rest_until_s - time.monotonic()) if waits else None)
                urgent = [*self._hurries]
                self._hurries.clear()
            for one in urgent:
                self._make_all(*one)
            if time.monotonic() >= rest_until_s and not self._closed:
                began_s = time.monotonic()
                self._make_ordinary(began_s + ALONE_S)
                rest_until_s = began_s + REST * (time.monotonic() - began_s)
        while self._come:
            self._come.popleft().line.close()

    def _is_urgent(self, name: str) -> bool:
        view = self._views.get(name.partition("-")[0])
        return view is not None and view.urgent

    def _make_ordinary(self, until_s: float) -> None:
        while time.monotonic() < until_s and not self._hurries:
            with self._bell:
                newcomer = self._come.popleft() if self._come else None
                slow = next(iter(self._waits), None)
                if newcomer is None and slow is not None:
                    del self._waits[slow]
            if newcomer is not None:
                self._admit(newcomer)
            elif slow is not None:
                self._make_all(*slow)
            else:
                return

    def _make_all(self, name: str, part: str) -> None:
        for topic in self._fanout.topics(name):  # others are made when somebody comes to watch them
            self._make(topic, part)

    def _make(self, topic: Topic, part: str) -> None:
        try:
            html = self.now(topic, part)
        except Exception:
            LOG.exception("The view %s cannot be made.", topic[0])
            return
        if part:
            told = json.dumps({"part": part, "html": html})
            self._fanout.publish(topic, part, f"event: part\ndata: {told}\n\n".encode())
            self._marks.pop(topic, None)
            return
        text, mark = sent(html)
        if self._marks.get(topic) != mark:
            self._marks[topic] = mark
            self._fanout.publish(topic, "", frame(text, mark))

    def _admit(self, newcomer: _Newcomer) -> None:
        topic, mark = newcomer.topic, self._marks.get(newcomer.topic)
        with self._bell:
            changes = (*self._hurries, *self._waits)
        known = mark is not None and all(name != topic[0] for name, _ in changes)
        due = ("",) if known and mark != newcomer.seen else ()
        watched = self._fanout.take(newcomer.line, topic, due)
        if not known or not watched:
            self._marks.pop(topic, None)
            self._make(topic, "")
        if len(self._marks) > MARKS:  # of topics that nobody watches now
            self._marks.clear()


def sent(html: str) -> tuple[str, str]:
    """Return a view as it is sent, and a mark that is the same for the same text."""
    text = json.dumps({"html": html})
    return text, blake2b(text.encode(), digest_size=9).hexdigest()


def frame(text: str, mark: str) -> bytes:
    """Return a view as an event of a stream."""
    return f"event: view\nid: {mark}\ndata: {text}\n\n".encode()
