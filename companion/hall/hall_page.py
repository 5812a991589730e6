"""The page Hall: every table live, and what ails it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, render_template

from companion.hall.page import Page
from companion.say import Text

if TYPE_CHECKING:
    from companion.hall.hall import Hall


def routes(_: Hall) -> Blueprint:
    """Return the routes."""
    blueprint = Blueprint("hall", __name__)

    @blueprint.get("/")
    def tables() -> str:
        return render_template("hall.html")

    return blueprint


PAGE = Page(routes, "/", Text("Hall"))
