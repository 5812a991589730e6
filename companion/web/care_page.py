"""Care of the table on the Workshop page, for whoever has the PIN and confirms it at the table.

Where seats have real buttons one is held, as to let a phone in; elsewhere a second tap does.
"""

from collections.abc import Mapping
from math import ceil
from typing import Final

from flask import Blueprint, Response, abort, jsonify

from companion.system.text import Text
from companion.web import context, pairing_queue
from companion.web.common import errors, flask_app, request_guard

ACTS: Final[Mapping[str, Text]] = {  # what has to be confirmed, as the table is told of it
    "backup": Text("download a backup, with the stoppers' keys"),
    "restore": Text("replace what this table keeps by a backup"),
    "bundle": Text("see a report for those who help, without names"),
    "update": Text("install another version of the program"),
    "roll-back": Text("go back to the version before"),
    "restart": Text("restart this computer"),
    "shut-down": Text("shut this computer down"),
    "wifi-own": Text("leave this Wi-Fi and open one of its own"),
    "wifi-home": Text("move the table to another Wi-Fi"),
}
UNCONFIRMED: Final = ("unconfirmed", Text("The table has not confirmed that; tap once more."))
PLAYING: Final = ("playing", Text("A match is being played; wait until it is over."))


def pages(phones: context.WebContext) -> Blueprint:
    care = Blueprint("care", __name__)

    @care.post("/api/care/confirm")
    def confirm() -> Response:
        """Ask the table to confirm an act, or ask whether it has."""
        if not flask_app.current_viewer().acts:
            abort(403)
        asked = request_guard.body({"act", "again"})
        act, again = asked.get("act"), asked.get("again", False)
        if not isinstance(act, str) or act not in ACTS:
            raise errors.Malformed("'{where}' must be one of {words}.", where="act", words=[*ACTS])
        if not isinstance(again, bool):
            raise errors.Malformed("'{where}' must be true or false.", where="again")
        phone, by_button = phones.pairing.phone() or "", has_buttons(phones)
        done = phones.pairing.confirm(phone, act, by_button=by_button, again=again)
        if isinstance(done, pairing_queue.PairingRefused):
            why = Text("Another phone asks the table to confirm something; wait a moment.")
            return errors.error_response(409, ("taken", why), ceil(done.rest_s))
        left_s = ceil(phones.pairing.act_left_s(phone))
        by = "button" if by_button else "tap"
        return jsonify(confirmed=done, by=by, waits_s=left_s)

    return care


def has_buttons(phones: context.WebContext) -> bool:
    """Tell whether somebody at the table can hold a real button; a simulated one proves nothing."""
    return phones.hands is None and "buttons" in phones.room.snapshot.parts


def is_playing(phones: context.WebContext) -> bool:
    """Tell whether a match goes on, in which nothing is replaced and nothing ends."""
    now = phones.room.snapshot
    return now.match is not None and not now.over


def refused(phones: context.WebContext, act: str, *, in_match: bool = False) -> Response | None:
    """Return what a request for an act of care is answered with; None: it is to be done now.

    What is confirmed is done once. Unless it does no harm `in_match`, none may be played.
    """
    if not flask_app.current_viewer().acts:
        abort(403)
    if not in_match and is_playing(phones):
        return errors.error_response(409, PLAYING)
    if not phones.pairing.take_confirmed(phones.pairing.phone() or "", act):
        return errors.error_response(403, UNCONFIRMED)
    return None
