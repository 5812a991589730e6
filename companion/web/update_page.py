"""Update, go back, restart and shut down, on the Workshop page of a table that is a service.

The pages may do none of that themselves: they ask root by a file, see `companion.maintenance.care`.
"""

from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify

from companion import __version__
from companion.maintenance import care
from companion.maintenance.care import CareAnswer, CareState
from companion.system.text import Text
from companion.web import care_page, context
from companion.web.common import errors, flask_app, validation

OF_PROGRAM: Final = ("update", "roll-back", "restart", "shut-down")  # acts
LASTING: Final = {"update", "roll_back"}  # what became of it is still worth reading days later
INSTALL: Final = validation.record(source={"enum": ["file", "card"]})
UNSENT: Final = ("no-upload", Text("The file did not arrive as a whole; choose it again."))


def pages(site: context.WebContext) -> Blueprint:
    update = Blueprint("update", __name__)

    @update.app_context_processor
    def _words() -> dict[str, object]:
        return {"program_now": lambda: _now(site.folder)}

    @update.get("/api/care/answer")
    def answer() -> Response:
        """Say how far root is with what was asked last."""
        if not flask_app.current_viewer().acts:
            abort(403)
        if site.folder is None or not care.is_there(site.folder):
            return jsonify(_told(None, busy=False))
        return jsonify(_told(care.answer(site.folder), busy=care.is_busy(site.folder)))

    @update.post("/api/care/update")
    def install() -> Response:
        """Ask root to install another version."""
        asked, sent = validation.body_of_acting(INSTALL), None
        care_page.service_folder(site)
        if asked["source"] == "file":
            sent = site.uploads.whole(site.pairing.phone() or "")
            if sent is None:
                raise errors.RequestError(409, *UNSENT)
        return jsonify(request=care_page.ask_root(site, "update", asked, sent))

    def join(act: str) -> None:
        @update.post(f"/api/care/{act}", endpoint=act)
        def ask() -> Response:
            validation.body_of_acting(validation.record())
            return jsonify(request=care_page.ask_root(site, act, {}))

    for act in OF_PROGRAM[1:]:
        join(act)
    return update


def _told(answered: CareAnswer | None, *, busy: bool) -> dict[str, object]:
    if answered is None:
        return {"busy": busy, "request": "", "state": "none", "sentence": ""}
    sentence = flask_app.current_viewer().say(answered.sentence)
    state = answered.state.value
    return {"busy": busy, "request": answered.request, "state": state, "sentence": sentence}


def _now(folder: Path | None) -> dict[str, Any] | None:
    """Return what the Workshop says of the program; None: this table is no service, so nothing."""
    root = care.root_of(folder)
    if folder is None or root is None or not care.is_there(folder):
        return None
    answered, card = care.answer(folder), care.newest_on_card(root)
    before = care.version_before(root)
    if answered is not None and answered.verb not in map(care_page.VERBS.get, OF_PROGRAM):
        answered = None
    lasting = answered is not None and (
        answered.verb in LASTING or answered.state in {CareState.REFUSED, CareState.BACK}
    )
    return {
        "version": __version__,
        "before": before and _short(before),
        "card": card and card.name,
        "busy": care.is_busy(folder),
        "answered": answered.sentence if answered is not None and lasting else None,
        "ill": answered is not None and answered.state in {CareState.REFUSED, CareState.BACK},
    }


def _short(version: str) -> str:
    """Return a version as people call it, unless that is how the one that is used is called, too.

    >>> _short("0.0.9-0f3c2a9b1e")
    '0.0.9'
    """
    number = version.partition("-")[0]
    return version if number == __version__ else number
