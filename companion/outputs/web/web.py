"""Joins gate, pairing, pages and API to one Flask app."""

from __future__ import annotations

from typing import Final

from flask import Flask, request

from companion.frame import faults, gate, reader, styles
from companion.frame.build import build
from companion.frame.live import SNAPSHOT, LiveViews
from companion.frame.site import Site
from companion.outputs.web import (
    api,
    boxes,
    coach_page,
    history_page,
    join_page,
    manual_page,
    measured_page,
    people_page,
    setup_page,
    simulated_page,
    table_page,
    tv_page,
    workshop_page,
)
from companion.outputs.web.live_parts import LOADER
from companion.outputs.web.phones import Phones
from companion.outputs.web.views import TableViews, View, fragment
from companion.present.now import as_text
from companion.text import Text

STREAMS: Final = 48  # more phones than at any table; any other asks every few seconds
PLAY: Final = Text("Game")
LINKS: Final = (
    ("/join", Text("Join")),
    ("/setup", Text("Set-up")),
    ("/history", Text("History")),
    ("/manual", Text("Manual")),
    ("/workshop", Text("Workshop")),
    ("/tv", Text("For the television")),
)
PAGES: Final = (
    table_page,
    tv_page,
    join_page,
    people_page,
    setup_page,
    workshop_page,
    measured_page,
    history_page,
    coach_page,
    manual_page,
    simulated_page,
    boxes,
    api,
)


def live_views(phones: Phones, places: int = STREAMS) -> LiveViews:
    """Return all that phones can follow."""
    views: dict[str, View] = {
        SNAPSHOT: lambda phones, who: as_text(phones.room.snapshot, who),
        "table": fragment(table_page.live),
        "workshop": fragment(workshop_page.live),
        **{name: fragment(made) for name, made in tv_page.views().items()},
    }
    return LiveViews(TableViews(phones, views), places)


def create_app(phones: Phones, live: LiveViews | None = None) -> Flask:
    """Return the app."""
    app = Site(__name__)
    app.jinja_loader = LOADER
    reader.introduce(app, phones.pairing.role, lambda: phones.people.now)
    faults.explain(app)
    gate.guard(app, phones.here)
    _link(app, ((phones.home, PLAY), *LINKS))
    for page in PAGES:
        app.register_blueprint(page.pages(phones))
    app.register_blueprint(styles.pages())
    phones.pairing.hands = lambda: table_page.match_with_hands(phones.room.snapshot)
    app.register_blueprint((live or live_views(phones)).routes())
    return app


def _link(app: Flask, links: tuple[tuple[str, Text], ...]) -> None:
    """Let every page name all pages, and say which it is, and of which build."""

    @app.context_processor
    def _links() -> dict[str, object]:
        here = f"/{request.path.split('/')[1]}"
        return {
            "build": build(),
            "styled": styles.games(),
            "home": links[0][0],
            "links": [
                {"path": path, "template": text, "here": path == here} for path, text in links
            ],
        }
