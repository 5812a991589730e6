"""Joins gate, language, faults and the hall's pages into one Flask app."""

from typing import Final

from flask import Blueprint, Flask, Response, request

from companion.hall import (
    asyncapi_page,
    director_page,
    joining_page,
    screen_page,
    tables_page,
    tournament_page,
)
from companion.hall.hall import Hall
from companion.hall.page import LOADER, HallPage
from companion.hall.views import HallViews
from companion.referee.people.person import NOBODY
from companion.system.errors import CompanionError, RulesError
from companion.web.common import asset_version, errors, flask_app, request_guard
from companion.web.common.flask_app import LazyFlask

PAGES: Final[tuple[HallPage, ...]] = (
    tables_page.PAGE,
    tables_page.TABLE_PAGE,
    tournament_page.PAGE,
    tournament_page.REGULARS_PAGE,
    director_page.PAGE,
    screen_page.PAGE,
    joining_page.PAGE,
    director_page.SIGN_IN_PAGE,
    asyncapi_page.PAGE,
)


def create_app(hall: Hall, views: HallViews) -> Flask:
    app = LazyFlask(__name__, static_folder=asset_version.HERE / "static")  # as the table has it
    app.jinja_loader = LOADER
    flask_app.identify_viewers(app, lambda: None, lambda: NOBODY)
    errors.register_handlers(app)
    app.register_error_handler(CompanionError, _refused)
    app.register_error_handler(RulesError, _refused)
    request_guard.guard(app, hall.here)
    _link(app, hall)
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


def _link(app: Flask, hall: Hall) -> None:
    """Let every page name all pages, and say which it is, of which build, and who looks."""

    @app.context_processor
    def _links() -> dict[str, object]:
        here = f"/{request.path.split('/')[1]}"
        return {
            "build": asset_version.build(),
            "home": "/",
            "of_hall": True,
            "styled": asset_version.games(),
            "directs": hall.accounts.directs(),
            "links": [
                {"path": page.path, "template": page.title, "here": page.path == here}
                for page in PAGES
                if page.title is not None
            ],
        }
