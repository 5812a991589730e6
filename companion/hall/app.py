"""Joins gate, language, faults and the hall's pages into one Flask app."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from flask import Blueprint, Flask, request

from companion.frame import faults, gate, reader, styles
from companion.frame.build import PAGES as LOOK
from companion.frame.build import build
from companion.frame.site import Site
from companion.hall import (
    asyncapi_page,
    director_page,
    evening_page,
    hall_page,
    joining_page,
    regulars_page,
    screen_page,
    sign_in_page,
    table_page,
)
from companion.hall.hall import Hall
from companion.hall.live_parts import LOADER
from companion.hall.page import Page
from companion.hall.views import HallViews
from companion.people.seating import NOBODY

PAGES: Final[tuple[Page, ...]] = (
    hall_page.PAGE,
    table_page.PAGE,
    evening_page.PAGE,
    regulars_page.PAGE,
    director_page.PAGE,
    screen_page.PAGE,
    joining_page.PAGE,
    sign_in_page.PAGE,
    asyncapi_page.PAGE,
)
SHARED: Final = Path(LOOK[1])  # the look that the table's pages have, too


def create_app(hall: Hall, views: HallViews) -> Flask:
    """Return the app."""
    app = Site(__name__, static_folder=SHARED / "static")
    app.jinja_loader = LOADER
    reader.introduce(app, lambda: None, lambda: NOBODY)
    faults.explain(app)
    gate.guard(app, hall.here)
    _link(app, hall)
    for page in PAGES:
        app.register_blueprint(page.routes(hall))
    app.register_blueprint(styles.pages())
    app.register_blueprint(
        Blueprint("hall_look", __name__, static_folder="static", static_url_path="/look")
    )
    app.register_blueprint(views.live.routes())
    return app


def _link(app: Flask, hall: Hall) -> None:
    """Let every page name all pages, and say which it is, of which build, and who looks."""

    @app.context_processor
    def _links() -> dict[str, object]:
        here = f"/{request.path.split('/')[1]}"
        return {
            "build": build(),
            "home": "/",
            "of_hall": True,
            "styled": styles.games(),
            "directs": hall.accounts.directs(),
            "links": [
                {"path": page.path, "template": page.title, "here": page.path == here}
                for page in PAGES
                if page.title is not None
            ],
        }
