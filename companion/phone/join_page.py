"""The page by which a phone joins, and what pairs it. It must not know what a phone may do then."""

from __future__ import annotations

from io import BytesIO
from math import ceil
from typing import Final

import segno
from flask import Blueprint, Response, abort, jsonify, render_template, request, session
from flask.typing import ResponseReturnValue

from companion.errors import CompanionError
from companion.phone.faults import fault
from companion.phone.incoming import LONGEST, body, malformed
from companion.phone.pairing import COOKIE, Pairing, Refused, Why
from companion.phone.reader import TABLE, reader
from companion.phone.room import Phones
from companion.phone.signs import sign_svg
from companion.rules.game import SEATS
from companion.say import Text

USUAL: Final = 4  # seats, as long as nobody has said who plays
REFUSALS: Final = {
    Why.WRONG: (403, ("wrong-pin", Text("This is not the PIN. Look where the companion runs."))),
    Why.OFTEN: (429, ("too-many", Text("Too many tries. Wait a minute, then try again."))),
    Why.TAKEN: (
        409,
        ("taken", Text("Another phone waits for that button. Try again in half a minute.")),
    ),
}


def pages(phones: Phones) -> Blueprint:
    """Return the page, its pictures and the routes of pairing."""
    blueprint = Blueprint("join", __name__)
    pairing = phones.pairing

    @blueprint.get("/join")
    def join() -> str:
        shown = phones.room.snapshot.seats
        playing = [seat.colour for seat in shown] or list(SEATS[:USUAL])
        return render_template(
            "join.html",
            seats=playing,
            addresses=phones.here.links,
            pin=pairing.pin if reader().acts else None,  # never for those who only watch
            sign=sign_svg,
        )

    @blueprint.get("/join/qr.svg")
    def picture() -> Response:
        return _picture(f"{phones.here.links[0]}/join")

    @blueprint.get("/join/invite.svg")
    def invitation() -> Response:
        if not reader().acts:
            abort(403)
        return _picture(invitation_to(phones))

    @blueprint.get("/api/pair")
    def paired() -> Response:
        pairing.keep()
        return jsonify(role=reader().role, waits_s=ceil(pairing.waits_s(session.get(COOKIE))))

    @blueprint.post("/api/pair")
    def pair() -> ResponseReturnValue:
        return _pair(pairing)

    @blueprint.post("/api/unpair")
    def unpair() -> ResponseReturnValue:
        asked = _asked({"all"})
        if not isinstance(asked.get("all", False), bool):
            raise malformed(CompanionError("'{where}' must be true or false.", where="all"))
        if asked.get("all"):
            if reader().role != TABLE:
                abort(403)
            pairing.leave_all()
        pairing.leave(session.pop(COOKIE, None))
        pairing.changed()
        return jsonify(role=None, waits_s=0)

    return blueprint


def invitation_to(phones: Phones) -> str:
    """Return what a phone scans to be let in at once; the PIN never reaches a server's log."""
    return f"{phones.here.links[0]}/join#{phones.pairing.pin}"


def _pair(pairing: Pairing) -> ResponseReturnValue:
    asked = _asked({"pin", "seat"})
    pin, seat = asked.get("pin"), asked.get("seat")
    if "pin" in asked and not isinstance(pin, str):
        raise malformed(CompanionError("'{where}' must be text.", where="pin"))
    if "seat" in asked and seat not in SEATS:
        raise malformed(
            CompanionError("'{where}' must be one of {words}.", where="seat", words=SEATS)
        )
    address = request.remote_addr or ""
    known = session.get(COOKIE)
    if isinstance(pin, str):
        done = pairing.enter(address, pin, str(seat or TABLE), known)
    elif isinstance(seat, str):
        done = pairing.ask(address, seat, known)
    else:
        raise malformed(CompanionError("Say a PIN, or a seat whose button will be pressed."))
    if isinstance(done, Refused):
        status, told = REFUSALS[done.why]
        return fault(status, told, ceil(done.rest_s) if done.rest_s else None)
    if done != known:
        pairing.leave(known)
    pairing.changed()
    session.permanent = True
    session[COOKIE] = done
    return jsonify(role=pairing.role_of(done), waits_s=ceil(pairing.waits_s(done)))


def _asked(known: set[str]) -> dict[str, object]:
    """Return the request's body: an object that has no other keys than these."""
    asked = body()
    for name in asked:
        if name not in known:
            why = CompanionError("'{where}' has no place in this request.", where=name[:LONGEST])
            raise malformed(why)
    return asked


def _picture(link: str) -> Response:
    drawn = BytesIO()
    segno.make(link, error="m").save(drawn, kind="svg", scale=4, light="#fff", xmldecl=False)
    return Response(drawn.getvalue(), mimetype="image/svg+xml")
