"""Creates the Flask app of a table: request guard, pairing, pages, API and live views."""

from typing import Final

from flask import Flask

from companion.present.api_snapshot import snapshot_json
from companion.system.text import Text
from companion.web import (
    api,
    cafe_page,
    care_page,
    coach_page,
    first_run_page,
    game_picker,
    history_page,
    join_page,
    manual_page,
    people_page,
    recording_page,
    setup_page,
    simulated_page,
    table_page,
    trust_page,
    tv_page,
    update_page,
    wifi_page,
    workshop_page,
)
from companion.web.common import asset_version, errors, flask_app, request_guard
from companion.web.common.live import SNAPSHOT, LiveViews
from companion.web.context import WebContext
from companion.web.views import LOADER, WORDS, TableViews, View, fragment

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
    first_run_page,
    table_page,
    tv_page,
    join_page,
    people_page,
    setup_page,
    workshop_page,
    recording_page,
    care_page,
    update_page,
    wifi_page,
    history_page,
    cafe_page,
    coach_page,
    manual_page,
    simulated_page,
    trust_page,
    game_picker,
    api,
)


def live_views(site: WebContext, places: int = STREAMS) -> LiveViews:
    views: dict[str, View] = {
        SNAPSHOT: lambda site, who: snapshot_json(site.room.snapshot, who),
        "table": fragment(table_page.live),
        "workshop": fragment(workshop_page.live),
        **{name: fragment(made) for name, made in tv_page.views().items()},
    }
    return LiveViews(TableViews(site, views), places)


def create_app(site: WebContext, live: LiveViews | None = None) -> Flask:
    app = flask_app.LazyFlask(__name__)
    app.jinja_loader = LOADER
    app.jinja_env.globals |= WORDS
    flask_app.identify_viewers(app, site.pairing.role, lambda: site.people.now)
    errors.register_handlers(app)
    wifi_page.answer_probes(app, site)
    request_guard.guard(app, site.here)
    flask_app.link_pages(app, ((site.home, PLAY), *LINKS), lambda: _first_run(site))
    for page in PAGES:
        app.register_blueprint(page.pages(site))
    app.register_blueprint(workshop_page.measured_pages(site))
    app.register_blueprint(asset_version.pages())
    app.register_blueprint((live or live_views(site)).routes())
    return app


def _first_run(site: WebContext) -> dict[str, object]:
    asked = site.first_run
    return {"first_run": asked, "table_name": asked.now.name if asked else ""}
