"""Runs a hall: creates its Flask app and live views, starts its parts, stops them in reverse.

tables ──MQTT──> link ──> replica ──> store, tables ──> views ──> fan-out ──> walls, phones

with HallServer(folder) as hall:
    hall.serve(8000)
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from flask import Blueprint, Flask, Response, request

from companion.hall import (
    accounts,
    asyncapi_page,
    director_page,
    joining_page,
    screen_page,
    tables_page,
    tournament_page,
)
from companion.hall.hall import TILE, Hall
from companion.hall.page import LOADER, HallPage, View
from companion.present.viewer import Viewer
from companion.referee.people.person import NOBODY
from companion.system.errors import CompanionError, RulesError
from companion.web.common import asset_version, errors, fanout, flask_app, live, request_guard
from companion.web.common.addresses import OwnAddresses
from companion.web.common.flask_app import LazyFlask
from companion.web.common.server import Server, listening

PAGES: Final[tuple[HallPage, ...]] = (
    tables_page.PAGE,
    tournament_page.PAGE,
    director_page.PAGE,
    screen_page.PAGE,
    joining_page.PAGE,
    asyncapi_page.PAGE,
)


class HallViews:
    """What can be seen live, by its name; any thread may call this."""

    def __init__(self, hall: Hall, views: Mapping[str, View]) -> None:
        self._hall, self._views = hall, views
        self._changes: dict[str, object] = {}  # the last one of each view
        self.live = live.LiveViews(self)

    def __contains__(self, name: str) -> bool:
        kind, dash, about = name.partition("-")
        known = kind in self._views and bool(dash) == bool(about)
        return known and self._views[kind].has(self._hall, about)

    def changed(self, name: str, part: str = fanout.WHOLE) -> None:
        """Say that something is new; any thread may call this, and nothing waits."""
        self._changes[name] = object()
        self.live.changed(name, part)

    def is_urgent(self, name: str) -> bool:
        """Tell whether a view comes first, such as one on a wall."""
        view = self._views.get(name.partition("-")[0])
        return view is not None and view.urgent

    def viewer(self, name: str) -> fanout.StreamViewer:
        """Return who sent the request that is being answered: all who read the same are alike."""
        personal = self._views[name.partition("-")[0]].personal
        role = self._hall.accounts.role() if personal else None
        topic = name, flask_app.current_viewer().language, role or ""
        return fanout.StreamViewer(lambda: topic, address=request.remote_addr or "")

    def version(self, topic: fanout.Topic) -> object:
        """Return the last change of a view; what nobody watches is made anew each time."""
        watched = self.live.fanout.watches(topic)
        return self._changes.setdefault(topic[0], object()) if watched else None

    def text(self, topic: fanout.Topic, part: str = fanout.WHOLE) -> str:
        """Return what a topic looks like now, or a part of it."""
        name, language, role = topic
        kind, _, about = name.partition("-")
        view, visitor = self._views[kind], accounts.Visitor(Viewer(language), role or None)
        if part and view.part is not None:
            return json.dumps({"part": part, "html": view.part(self._hall, visitor, part)})
        return json.dumps({"html": view.make(self._hall, visitor, about)})


def create_app(hall: Hall, views: HallViews) -> Flask:
    app = LazyFlask(__name__, static_folder=asset_version.HERE / "static")  # as the table has it
    app.jinja_loader = LOADER
    flask_app.identify_viewers(app, lambda: None, lambda: NOBODY)
    errors.register_handlers(app)
    app.register_error_handler(CompanionError, _refused)
    app.register_error_handler(RulesError, _refused)
    request_guard.guard(app, hall.here)
    flask_app.link_pages(
        app,
        [(page.path, page.title) for page in PAGES if page.title is not None],
        lambda: {"of_hall": True, "directs": hall.accounts.directs()},
    )
    for page in PAGES:
        app.register_blueprint(page.routes(hall))
    app.register_blueprint(asset_version.pages())
    app.register_blueprint(
        Blueprint("hall_look", __name__, static_folder="static", static_url_path="/look")
    )
    app.register_blueprint(views.live.routes())
    return app


def _refused(why: CompanionError | RulesError) -> Response:
    """Answer what a tournament or its rules refuse."""
    return errors.error_response(409, ("refused", why))


class HallServer(Hall):
    """A hall with its pages, its walls and all who watch."""

    def __init__(self, folder: Path | None) -> None:
        super().__init__(folder)
        self.pictures = {name: wall for page in PAGES for name, wall in page.walls.items()}
        views = {name: view for page in PAGES for name, view in page.views.items()}
        self.views = HallViews(self, views)

    def changed(self, view: str, part: str = "") -> None:
        """Say that something is new: who follows the view, or has it on a wall, is told soon."""
        self.views.changed(view, part)
        if view in ("director", "hall"):
            if view == "director":
                self.walk_up.seat()
            for fresh in self.cockpit.renew(part.removeprefix(TILE)):
                self.views.changed("cockpit", fresh)
        for screen in self.screens:
            if screen.wall and _concerns(screen.shows, view):
                self.views.changed(f"screen-{screen.id}")

    def watched(self) -> set[str]:
        return self.views.live.fanout.views()

    def serve(self, port: int | None = 0, host: str = "") -> OwnAddresses:
        """Serve the pages at a port, 0 being any that is free and None the usual one or any."""
        line = listening(port, host)
        self.here = OwnAddresses(line.getsockname()[1])
        server = Server(create_app(self, self.views), line)
        self.views.live.start()
        self._life.callback(self.views.live.close)
        server.start()
        self._life.callback(server.stop)
        return self.here


def _concerns(shows: str, view: str) -> bool:
    """Tell whether what a screen shows is new with a view.

    >>> _concerns("table 3 7", "table-7"), _concerns("table 17", "table-7")
    (True, False)
    >>> _concerns("hall", "evening")  # how far that is, every wall tells at its foot
    True
    """
    wall, *about = shows.split()
    name, _, detail = view.partition("-")
    return name == "evening" or (wall == name and (not detail or detail in about))
