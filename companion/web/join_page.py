"""The page and the routes by which a phone is paired: PIN, button of a seat, QR code."""

import re
from io import BytesIO, StringIO
from math import ceil
from typing import Final

import segno
from flask import Blueprint, Response, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from companion.i18n.translate import say
from companion.present import viewer
from companion.system.text import SEATS, Text
from companion.web import context, pairing_queue, pairing_store, simulated_page, wifi_page
from companion.web.common import errors, flask_app, request_guard, validation
from companion.web.common.addresses import NO_NETWORK
from companion.web.pairing_store import PIN_DIGITS

A_PIN: Final = re.compile(f"[0-9]{{{PIN_DIGITS}}}")
UNPAIR: Final = validation.record({"all": validation.TRUTH})
PAIR: Final = validation.record({"pin": {}, "seat": {"enum": [*SEATS]}})
USUAL: Final = 4  # seats, as long as nobody has said who plays
ELSEWHERE: Final = Text("This is not the PIN. Look where the companion runs.")
ON_CARD: Final = Text(
    "This is not the PIN. Look on the table's card, in the file rappelwacht/installed.txt."
)
BY_PIN: Final = ("by-pin", Text("Buttons are simulated here, so only the PIN lets this phone in."))


def pages(site: context.WebContext) -> Blueprint:
    """Return the page, its pictures and the routes of pairing."""
    blueprint = Blueprint("join", __name__)
    pairing = site.pairing

    @blueprint.get("/join")
    def join() -> str:
        shown = site.room.snapshot.seats
        playing = [seat.colour for seat in shown] or list(SEATS[:USUAL])
        return render_template(
            "join.html",
            seats=playing,
            addresses=_links(site),
            no_network=NO_NETWORK if site.here.alone else None,
            # never for those who only watch
            pin=pairing.pin if flask_app.current_viewer().acts else None,
            pin_file=pairing.kept.pin_file if request_guard.from_here() else None,
            pin_of_card=pairing.kept.of_card,
            by_button=simulated_page.may_press(site) and "buttons" in site.room.snapshot.parts,
            wifi=wifi_page.joinable_wifi(site),
        )

    _pictures(blueprint, site)

    @blueprint.get("/api/pair")
    def paired() -> Response:
        pairing.keep()
        return _stands(site, pairing.phone())

    @blueprint.post("/api/pair")
    def pair() -> ResponseReturnValue:
        return _pair(site)

    @blueprint.post("/api/unpair")
    def unpair() -> ResponseReturnValue:
        asked = validation.body(UNPAIR)
        if asked.get("all"):
            if flask_app.current_viewer().role != viewer.TABLE:
                abort(403)
            pairing.leave_all()
        if phone := pairing.phone():
            pairing.leave(phone)
        return flask_app.delete_cookie(_stands(site, None), pairing.cookie)

    return blueprint


def _pictures(blueprint: Blueprint, site: context.WebContext) -> None:
    """Serve what a camera reads."""

    @blueprint.get("/join/qr.svg")
    def picture() -> Response:
        return _picture(f"{_links(site)[0]}/join")

    @blueprint.get("/join/wifi.svg")
    def own_wifi() -> Response:
        wifi = wifi_page.joinable_wifi(site)
        if wifi is None:
            abort(404)
        return _picture(wifi.code)

    @blueprint.get("/join/invite.svg")
    def invitation() -> Response:
        if not flask_app.current_viewer().acts:
            abort(403)
        return _picture(invitation_to(site, _links(site)[0]))


def invitation_to(site: context.WebContext, link: str) -> str:
    """Return what a phone scans to be let in at once; the PIN never reaches a server's log."""
    return f"{link}/join#{site.pairing.pin}"


def _links(site: context.WebContext) -> tuple[str, ...]:
    """Return what to open, first what whoever asks can reach: far away that is no home address."""
    if site.here.far(request_guard.called()):
        return (f"{request.scheme}://{request.host}", *site.here.links)
    return site.here.links + site.here.far_links


def _pair(site: context.WebContext) -> ResponseReturnValue:
    asked, pairing = validation.body(PAIR), site.pairing
    pin, seat = asked.get("pin"), asked.get("seat")
    if "pin" in asked and not (isinstance(pin, str) and A_PIN.fullmatch(pin)):
        raise errors.Malformed("'{where}' must be {count} digits.", where="pin", count=PIN_DIGITS)
    address, known = request.remote_addr or "", pairing.phone()
    if isinstance(pin, str):
        done = pairing.enter(address, pin, str(seat or viewer.TABLE), known)
    elif not isinstance(seat, str):
        raise errors.Malformed("Say a PIN, or a seat whose button will be pressed.")
    elif simulated_page.may_press(site):
        done = pairing.ask(address, seat, known)
    else:
        return errors.error_response(403, BY_PIN)
    if isinstance(done, pairing_queue.PairingRefused):
        return _refused(done, of_card=pairing.kept.of_card)
    if done != known:
        pairing.leave(known)
    return flask_app.set_cookie(_stands(site, done), pairing.cookie, done)


def _stands(site: context.WebContext, phone: str | None) -> Response:
    """Return what a phone may do, and for how long it waits to be let in."""
    pairing = site.pairing
    return jsonify(role=pairing.role_of(phone), waits_s=ceil(pairing.waits_s(phone)))


def _refused(done: pairing_queue.PairingRefused, *, of_card: bool) -> Response:
    rest_s = ceil(done.rest_s)
    match done.why:
        case pairing_queue.PairingRefusal.WRONG:
            why = ON_CARD if of_card else ELSEWHERE
            return errors.error_response(403, ("wrong-pin", why))
        case pairing_queue.PairingRefusal.TAKEN:
            why = Text(
                "Another phone was first at that button. It is this phone's turn in {seconds} s; "
                "the PIN lets it in at once.",
                seconds=rest_s,
            )
            return errors.error_response(409, ("taken", why), rest_s)
        case pairing_queue.PairingRefusal.OFTEN:
            why = Text("Too many tries from here. Wait {minutes} min.", minutes=ceil(rest_s / 60))
            return errors.error_response(429, ("too-many", why), rest_s)


def _picture(link: str) -> Response:
    drawn = BytesIO()
    segno.make(link, error="m").save(drawn, kind="svg", scale=4, light="#fff", xmldecl=False)
    return Response(drawn.getvalue(), mimetype="image/svg+xml")


def greeting(site: context.WebContext, language: str) -> str:
    """Return what to show once phones can come; never log it, because it contains the PIN."""
    best, *others = site.here.links
    lines = []
    if site.hands:
        here = f"http://localhost:{site.here.port}"
        lines.append(Text("Play in a browser on this computer: {address}", address=here))
    if site.here.alone:
        lines.append(NO_NETWORK)
        lines.append(
            Text(
                "In a browser on this computer, open {address} and enter the PIN {pin}.",
                address=best,
                pin=_pin(site),
            )
        )
        return "\n".join(say(line, language) for line in lines)
    drawn = StringIO()
    segno.make(invitation_to(site, best), error="l").terminal(drawn, border=2, compact=True)
    wifi = site.own_wifi if wifi_page.is_open(site) else None
    if wifi is not None:
        lines.append(
            Text(
                "First let the phone join the Wi-Fi {name}, with the password {key}.",
                name=wifi.name,
                key=wifi.key,
            )
        )
    lines.append(
        Text(
            "On a phone, scan this with the camera, or open {address} and enter the PIN {pin}.",
            address=best,
            pin=_pin(site),
        )
    )
    if others:
        lines.append(Text("If that does not work, try {others}.", others=tuple(others[:2])))
    if far := site.here.far_links:
        lines.append(Text("From far away, open {addresses}.", addresses=far))
    return "\n".join([*(say(line, language) for line in lines), drawn.getvalue().rstrip("\n")])


def pin_line(site: context.WebContext, language: str) -> str:
    """Return in one line how to come in, for a place that is always seen; never log it."""
    where = Text("{address}, PIN {pin}", address=site.here.links[0], pin=_pin(site))
    return say(where, language)


def announcement(site: context.WebContext, language: str) -> str:
    """Return what to write where it may be kept, such as a log: never the PIN, but where it is."""
    best, kept = site.here.links[0], site.pairing.kept
    lines = [Text("On a phone, open {address}.", address=best)]
    if site.here.alone:
        lines = [NO_NETWORK, Text("In a browser on this computer, open {address}.", address=best)]
    if kept.pin_file is not None:
        lines.append(Text("The PIN is in the file {file}, for its owner only.", file=kept.pin_file))
    elif kept.pin_fault:
        lines.append(
            Text(
                "The PIN cannot be saved ({reason}); if there is a file {file}, it contains an "
                "old one. A table that is started in a terminal shows its PIN there.",
                reason=kept.pin_fault,
                file=site.folder and site.folder / pairing_store.PIN,
            )
        )
    elif site.folder is not None:
        lines.append(
            Text(
                "Another table uses the folder {folder}; the PIN there is not for this one. Stop "
                "that table, or give this one its own folder.",
                folder=site.folder,
            )
        )
    return " ".join(say(line, language) for line in lines)


def _pin(site: context.WebContext) -> str:
    pin = site.pairing.pin
    return f"{pin[:3]} {pin[3:]}"
