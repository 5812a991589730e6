"""The live parts of pages, and how phones keep them fresh: as a stream, or by asking again.

Each is made once for all phones that read the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Final

from flask import Blueprint, Response, abort, request

from companion.frame.addresses import neighbourhood
from companion.frame.reader import reader
from companion.outputs.web.phones import Phones
from companion.outputs.web.stream import Line, Sent
from companion.people.seating import Seating
from companion.present.reader import Reader
from companion.referee.snapshot import Snapshot

View = Callable[[Phones, Reader], str]
SNAPSHOT: Final = "snapshot"  # the view of whoever is not one of our pages
HANG_UP: Final = "companion.hang_up"  # where the server puts how a line is ended
WORKSHOP: Final = "workshop"  # the one view that may be new though the snapshot is the same


@dataclass(frozen=True, slots=True)
class Made:
    """What was made of a view, and of which state."""

    snapshot: Snapshot
    serial: int
    paired: tuple[object, ...]  # whom phones ask for, and whose hands they see
    seating: Seating
    sent: Sent


class Views:
    """What can be seen live, by its name."""

    def __init__(self, phones: Phones, views: Mapping[str, View]) -> None:
        self._phones, self._views = phones, views
        self._made: dict[tuple[str, str, str | None], Made] = {}
        self._lock = Lock()

    def __contains__(self, view: str) -> bool:
        """Tell whether there is a view of that name."""
        return view in self._views

    def newest(self, view: str, who: Reader) -> Sent:
        """Return what a reader sees now; whoever reads the same gets the same."""
        key = (view, who.language, who.role)
        with self._lock:
            # before looking, so that nothing new is missed
            snapshot, serial = self._phones.room.snapshot, self._phones.stream.serial
            pairing, seating = self._phones.pairing, self._phones.people.now
            opened = self._phones.room.workshop.opened
            practice = opened and (opened.practice, opened.practised)
            paired = pairing.asked, pairing.shared, practice, *pairing.crossed
            made = self._made.get(key)
            same = made is not None and made.snapshot is snapshot and made.paired == paired
            same = same and made is not None and made.seating is seating
            if made is None or not (same and (view != WORKSHOP or made.serial == serial)):
                text = self._views[view](self._phones, replace(who, seating=seating))
                made = self._made[key] = Made(snapshot, serial, paired, seating, Sent.of(text))
            return made.sent


def pages(phones: Phones, views: Views) -> Blueprint:
    """Return the routes by which phones follow the table."""
    blueprint = Blueprint("views", __name__)

    @blueprint.get("/api/stream")
    def stream() -> Response:
        if "text/event-stream" not in request.headers.get("Accept", ""):
            abort(406)  # such as a picture of a foreign page, which would only take a place
        who, phone, view = reader(), phones.pairing.phone(), request.args.get("view", SNAPSHOT)
        if view not in views:
            abort(404)

        def seen_now() -> Sent:
            # a phone may have been let in, or go, since it began to listen
            return views.newest(view, replace(who, role=phones.pairing.role_of(phone)))

        line = Line(
            neighbourhood(request.remote_addr or ""),
            lambda: phones.pairing.role_of(phone) is not None,
            request.environ.get("waitress.client_disconnected", bool),
            request.environ.get(HANG_UP, bool),
        )
        told = phones.stream.listen(
            "snapshot" if view == SNAPSHOT else "view",
            seen_now,
            request.headers.get("Last-Event-ID") or request.args.get("seen"),
            line,
        )
        if told is None:
            abort(503)
        return Response(told, mimetype="text/event-stream")

    @blueprint.get("/api/view/<view>")
    def newest(view: str) -> Response:
        if view not in views or view == SNAPSHOT:
            abort(404)
        sent = views.newest(view, reader())
        answer = Response(sent.text, mimetype="application/json")
        answer.set_etag(sent.mark)
        answer.make_conditional(request)
        return answer

    return blueprint


def fragment(live: View) -> View:
    """Return a live part's HTML as what is sent of it."""
    return lambda phones, who: json.dumps({"html": live(phones, who)})
