"""The table's own page: what it can tell, as measured; and the recording of that, to give away.

While a match is played both are closed: a recording holds weights.
"""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template

from companion.frame.reader import reader
from companion.outputs.web.phones import Phones
from companion.present import measurement as words


def pages(phones: Phones) -> Blueprint:
    """Return the page, and the file."""
    measured = Blueprint("measured", __name__)

    @measured.get("/workshop/measured")
    def show() -> str | Response:
        opened, by = phones.room.workshop.opened, reader()
        if opened is None or opened.measured is None:
            return _to_the_workshop()
        found = opened.measured
        return render_template(
            "measured.html",
            found=found,
            shares=words.shares(found, by),
            plots=words.plots(found, by),
            proposal=words.proposal(found, by),
            spread=words.spread(found, by),
        )

    @measured.get("/workshop/measured.link.gz")
    def recording() -> Response:
        if phones.room.workshop.opened is None or not reader().acts:
            return _to_the_workshop()
        data = phones.room.recording()
        if data is None:
            return _to_the_workshop()
        name = {"Content-Disposition": 'attachment; filename="measured.link.gz"'}
        return Response(data, mimetype="application/gzip", headers=name)

    return measured


def _to_the_workshop() -> Response:
    found = redirect("/workshop#measure")
    assert isinstance(found, Response)
    return found
