"""Hands out the style sheets that games bring along for their pages."""

from __future__ import annotations

from importlib.resources import files

from flask import Blueprint, Response, abort, request

from companion.core.kit import KITS
from companion.present.page import page_of
from companion.present.page import pages as pages_of_games


def games() -> list[str]:
    """Return the games that have a style sheet."""
    return [game for game, page in pages_of_games() if page.styles]


def pages() -> Blueprint:
    """Return the route of the style sheets; browsers keep them as they keep static files."""
    styles = Blueprint("styles", __name__)

    @styles.get("/games/<game>.css")
    def style(game: str) -> Response:
        page = page_of(game)
        if page is None or not page.styles:
            abort(404)
        text = (files(KITS[game].package) / page.styles).read_text("utf-8")
        answer = Response(text, mimetype="text/css")
        answer.cache_control.no_cache = True
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    return styles
