"""Sign-in: the director by the hall's PIN. Players are signed in where they check in."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, redirect, render_template, request

from companion.frame.reader import is_local
from companion.hall.hall import Hall
from companion.hall.page import Page


def routes(hall: Hall) -> Blueprint:
    """Return the routes."""
    blueprint = Blueprint("sign_in", __name__)

    @blueprint.get("/sign-in")
    def form() -> str:
        return render_template("sign_in.html", back=_back(request.args.get("back", "/")))

    @blueprint.post("/sign-in")
    def enter() -> Response:
        phone = hall.accounts.enter(request.form.get("pin", ""))
        gone = current_app.make_response(redirect(_back(request.form.get("back", "/")), 303))
        return hall.accounts.remember(gone, phone)

    @blueprint.post("/sign-out")
    def leave() -> Response:
        return hall.accounts.leave(current_app.make_response(redirect("/", 303)))

    return blueprint


def _back(path: str) -> str:
    return path if is_local(path) else "/"


PAGE = Page(routes)
