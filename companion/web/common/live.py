"""Live views of pages: server-sent events (no WebSockets), or polling with an ETag.

One thread makes them, those on walls first, and never a backlog: what changed is remembered by name
only, so that whatever comes faster than it can be made is made once, newest. Ordinary pages get at
most a third of that thread's time: then the link to the tables and the walls have the rest, however
many watch. Each is made once for all who read the same.
"""

import logging
import socket
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from hashlib import blake2b
from threading import Condition, Lock, Thread
from typing import Final, Protocol

from flask import Blueprint, Response, abort, request

from companion.web.common import fanout

LOG: Final = logging.getLogger(__name__)
SNAPSHOT: Final = "snapshot"  # the view of whoever is not one of our pages
TAKE: Final = "companion.take"  # where a request finds the way to hand over its connection
ALONE_S: Final = 0.02  # ordinary views are made for this long at a stretch …
REST: Final = 3  # … and that is a third of the time
KEPT: Final = 128  # texts of the views that were asked for last

Taker = Callable[[socket.socket | None], object]


def mark_of(text: str) -> str:
    """Return the mark of a text: the same for the same text, also after a restart."""
    return blake2b(text.encode(), digest_size=9).hexdigest()


def event_of(view: str, text: str) -> fanout.StreamEvent:
    """Return the event by which a page gets what a view tells: one line of text."""
    name, mark = SNAPSHOT if view == SNAPSHOT else "view", mark_of(text)
    data = f"event: {name}\nid: {mark}\ndata: {text}\n\n"
    return fanout.StreamEvent(data.encode(), mark)


class ViewSource(Protocol):
    """What can be seen live; a topic begins with the name of its view."""

    def __contains__(self, name: str) -> bool:
        """Tell whether there is a view of that name."""

    def is_urgent(self, name: str) -> bool:
        """Tell whether a view comes first, such as one on a wall."""

    def viewer(self, name: str) -> fanout.StreamViewer:
        """Return who sent the request that is being answered."""

    def version(self, topic: fanout.Topic) -> object:
        """Return what is equal as long as a topic looks the same; None: it has to be made anew."""

    def text(self, topic: fanout.Topic, part: str = fanout.WHOLE) -> str:
        """Return what a topic looks like now, or a part of it."""


class LiveViews:
    """Has everybody see what is new; any thread may call this, and none waits for another page."""

    def __init__(self, views: ViewSource, places: int = fanout.WATCHERS) -> None:
        self._views = views
        self.fanout = fanout.Fanout(self._want, places)
        self._hurries: dict[tuple[str, str], None] = {}  # names and parts, the oldest first …
        self._waits: dict[tuple[str, str], None] = {}  # … and those of ordinary views
        # what somebody has just seen, and of when
        self._joined = deque[tuple[fanout.Topic, object]]()
        self._refreshes = False
        self._made = OrderedDict[fanout.Topic, tuple[object, fanout.StreamEvent]]()
        self._making = tuple(Lock() for _ in range(8))  # two views may be made at once
        self._bell, self._closed = Condition(), False
        self._thread = Thread(target=self._run, name="live views", daemon=True)

    def start(self) -> None:
        self.fanout.start()
        self._thread.start()

    def close(self) -> None:
        """End every stream."""
        with self._bell:
            self._closed = True
            self._bell.notify()
        if self._thread.is_alive():
            self._thread.join(2)
        self.fanout.close()

    def changed(self, name: str, part: str = fanout.WHOLE) -> None:
        """Say that a view is new; nothing waits."""
        urgent = self._views.is_urgent(name)
        with self._bell:
            rings = urgent or not self._waits
            (self._hurries if urgent else self._waits)[name, part] = None
            if rings:
                self._bell.notify()

    def refresh(self) -> None:
        """Say that anything may be new, and also who may see what."""
        with self._bell:
            self._refreshes = True
            self._bell.notify()

    def _want(self, name: str) -> None:
        with self._bell:
            self._waits[name, fanout.WHOLE] = None
            self._bell.notify()

    def newest(self, topic: fanout.Topic) -> fanout.StreamEvent:
        """Return what a topic looks like now; whoever reads the same gets the same."""
        return self._newest(topic)[1]

    def _newest(self, topic: fanout.Topic) -> tuple[object, fanout.StreamEvent]:
        with self._making[hash(topic) % len(self._making)]:
            version = self._views.version(topic)  # before looking, so that nothing new is missed
            made = self._made.get(topic)
            if made is not None and version is not None and made[0] == version:
                return made
            made = self._made[topic] = version, event_of(topic[0], self._views.text(topic))
            self._made.move_to_end(topic)
            if len(self._made) > KEPT:
                self._made.popitem(last=False)
            return made

    # --- who comes ----------------------------------------------------------------------------

    def routes(self) -> Blueprint:
        blueprint = Blueprint("live", __name__)

        @blueprint.get("/api/stream")
        def stream() -> Response:
            if "text/event-stream" not in request.headers.get("Accept", ""):
                abort(406)  # such as a picture of a foreign page, which would only take a place
            viewer = self._viewer(request.args.get("view", SNAPSHOT))
            topic = viewer.topic()
            version, sent = self._newest(topic)
            seen = request.headers.get("Last-Event-ID") or request.args.get("seen")
            first = b"" if seen == sent.mark else sent.data
            pieces, take = [fanout.HELLO], request.environ.get(TAKE)
            if take is None or request.method == "HEAD":
                pieces.append(first)  # this server keeps no line: whoever wants more asks again
            elif not self.fanout.reserve(viewer):
                abort(503)
            else:
                take(lambda line: self._join(line, viewer, topic, (version, sent.mark), first))
            unbuffered = {"X-Accel-Buffering": "no"}  # by nginx, which would keep it for itself
            return Response(iter(pieces), mimetype="text/event-stream", headers=unbuffered)

        @blueprint.get("/api/view/<view>")
        def newest(view: str) -> Response:
            if view == SNAPSHOT:
                abort(404)
            sent = self.newest(self._viewer(view).topic())
            answer = Response(sent.text, mimetype="application/json")
            answer.set_etag(sent.mark)
            answer.make_conditional(request)
            return answer

        return blueprint

    def _viewer(self, name: str) -> fanout.StreamViewer:
        if name not in self._views:
            abort(404)
        return self._views.viewer(name)

    def _join(
        self,
        line: socket.socket | None,
        viewer: fanout.StreamViewer,
        topic: fanout.Topic,
        seen: tuple[object, str],
        first: bytes,
    ) -> None:
        if line is None:
            self.fanout.give_back(viewer)
            return
        version, mark = seen
        self.fanout.add(line, viewer, topic, mark, first)
        with self._bell:
            self._joined.append((topic, version))
            self._bell.notify()

    # --- the thread that makes them -----------------------------------------------------------

    def _run(self) -> None:
        rest_until_s = 0.0
        while not self._closed:
            with self._bell:
                if not (self._hurries or self._joined or self._refreshes or self._closed):
                    rest_s = max(0.0, rest_until_s - time.monotonic())
                    self._bell.wait(rest_s if self._waits else None)
                urgent, refreshes, self._refreshes = [*self._hurries], self._refreshes, False
                self._hurries.clear()
            if refreshes:
                self.fanout.refresh_topics()
                urgent += [(name, fanout.WHOLE) for name in self.fanout.views()]
            for name, part in urgent:
                self._make_all(name, part)
            self._catch_up()
            if time.monotonic() >= rest_until_s and not self._closed:
                began_s = time.monotonic()
                self._make_ordinary(began_s + ALONE_S)
                rest_until_s = began_s + REST * (time.monotonic() - began_s)

    def _catch_up(self) -> None:
        """Send what changed between what newcomers were shown and their place among the others.

        However many come at once, walls are not kept waiting: one newcomer is served between.
        """
        while self._joined:
            topic, version = self._joined.popleft()
            if version is None or self._views.version(topic) != version:
                self._make(topic, fanout.WHOLE, to_newcomers=True)
            if self._hurries or self._refreshes:
                return

    def _make_ordinary(self, until_s: float) -> None:
        while time.monotonic() < until_s and not (self._hurries or self._refreshes):
            with self._bell:
                name = next(iter(self._waits), None)
                if name is None:
                    return
                del self._waits[name]
            self._make_all(*name)

    def _make_all(self, name: str, part: str) -> None:
        for topic in self.fanout.topics(name):  # others are made when somebody comes to watch them
            self._make(topic, part)

    def _make(self, topic: fanout.Topic, part: str, *, to_newcomers: bool = False) -> None:
        try:
            if part == fanout.WHOLE:
                frame = self.newest(topic)
            else:
                frame = fanout.StreamEvent(
                    f"event: part\ndata: {self._views.text(topic, part)}\n\n".encode()
                )
        except Exception:
            LOG.exception("The view %s cannot be rendered.", topic[0])
        else:
            self.fanout.publish(topic, part, frame, to_newcomers=to_newcomers)
