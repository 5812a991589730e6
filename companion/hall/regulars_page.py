"""What a phone says about who holds it: remembered from earlier, to be remembered, or not."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from companion.errors import CompanionError
from companion.frame.faults import Refused
from companion.hall.evening_page import signed_in
from companion.hall.hall import Hall
from companion.hall.page import Page
from companion.hall.rating_parts import come_again, known_as, tell


def routes(hall: Hall) -> Blueprint:
    """Return the routes."""
    blueprint = Blueprint("regulars", __name__)

    @blueprint.post("/api/evening/again")
    def again() -> Response:
        try:
            come_again(hall, hall.accounts.role() or "")
        except CompanionError as why:
            raise Refused(409, "refused", why) from why
        return jsonify(done=True)

    @blueprint.post("/api/evening/known")
    def known() -> Response:
        person = signed_in(hall)
        if not hall.ratings.on:
            why = CompanionError("This hall keeps no ratings; the director can switch them on.")
            raise Refused(409, "no-ratings", why)
        hall.ratings.know(known_as(hall, person))
        tell(hall)
        return jsonify(done=True)

    @blueprint.post("/api/evening/unknown")
    def unknown() -> Response:
        hall.ratings.forget(signed_in(hall))
        tell(hall)
        return jsonify(done=True)

    return blueprint


PAGE = Page(routes)
