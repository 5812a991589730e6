"""The whole life of a hall: joins its pages and all who watch to it, and stops in reverse.

tables ──MQTT──> link ──> replica ──> store, tables ──> views ──> fan-out ──> walls, phones

with OpenHall(folder) as hall:
hall.serve(8000)
"""

from functools import partial
from pathlib import Path

from companion.hall import app, hall, screens
from companion.web.common.addresses import OwnAddresses
from companion.web.common.server import Server, listening


class HallServer(hall.Hall):
    """A hall with its pages, its walls and all who watch."""

    def __init__(self, folder: Path | None) -> None:
        super().__init__(folder, *(page.schema for page in app.PAGES))
        self.pictures = {
            name: screens.ScreenPicture(wall.title, partial(wall.make, self))
            for page in app.PAGES
            for name, wall in page.walls.items()
        }
        views = {name: view for page in app.PAGES for name, view in page.views.items()}
        self.views = app.HallViews(self, views)

    def changed(self, view: str, part: str = "") -> None:
        """Say that something is new: who follows the view, or has it on a wall, is told soon."""
        self.views.changed(view, part)
        if view in ("director", "hall"):
            if view == "director":
                self.walk_up.seat()
            for fresh in self.cockpit.renew(part.removeprefix(hall.TILE)):
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
        server = Server(app.create_app(self, self.views), line)
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
