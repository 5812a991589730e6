"""Guards requests: Host, Origin (against CSRF), the size of bodies, and the headers of answers.

Phones speak plain HTTP in a home's network, so a foreign page that somebody opens on the same phone
must be able to do nothing: it may neither call us by a name of its own (DNS rebinding) nor send
something in the reader's name.
"""

import gzip
import logging
import re
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

from companion.system import safe_json
from companion.system.text import Text
from companion.web.common import addresses, asset_version
from companion.web.common.errors import FOREIGN, NO_ORIGIN, Malformed, error_response
from companion.web.common.proxies import CONTRADICTION, PROXIED

BODY_BYTES: Final = 64 * 1024
LARGEST: Final = 2**53 - 1  # of a number in a body: what every program that reads JSON can carry
LIMITS: Final = safe_json.JsonLimits(deepest=16, largest=LARGEST)
NO_OBJECT: Final = Text("The body of this request is not a JSON object.")
UNREAD: Final = {
    safe_json.JsonFault.NUMBER: Text("A number in this request is too large."),
    safe_json.JsonFault.DEEP: Text("The body of this request is nested too deeply."),
    safe_json.JsonFault.HALF: Text("The body of this request contains half a character."),
}
HEARD: Final = logging.getLogger(__name__)
JSON: Final = "application/json"
ZONED: Final = re.compile(r"\[[0-9A-Fa-f:.]+%(25)?[A-Za-z0-9._~-]{1,15}\](:[0-9]{1,5})?")
HARMLESS: Final = frozenset({"GET", "HEAD", "OPTIONS"})  # these change nothing
UNUSED: Final = (  # what no page may use; Chromium complains of what it does not know everywhere
    *("accelerometer", "camera", "display-capture", "encrypted-media", "fullscreen"),
    *("geolocation", "gyroscope", "hid", "magnetometer", "microphone", "midi", "payment"),
    *("picture-in-picture", "publickey-credentials-get", "serial", "usb", "xr-spatial-tracking"),
)
HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'; manifest-src 'self'; media-src 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    # not "no-referrer": a browser then hides where a form of ours comes from, as a foreign one's
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
MOTION: Final = ("accelerometer", "gyroscope")  # what pages ask for that hear how they are moved
MOVED: Final = ("simulated.the_page", "recording.the_page")  # their endpoints


def permissions(*more: str) -> str:
    """Return what a page may do: sound, keep the screen on, and perhaps more."""
    allowed = ("autoplay", "screen-wake-lock", *more)
    closed = [f"{feature}=()" for feature in UNUSED if feature not in more]
    return ", ".join([*closed, *(f"{feature}=(self)" for feature in allowed)])


PERMISSIONS: Final = permissions()
PERMISSIONS_OF: Final = dict.fromkeys(MOVED, permissions(*MOTION))

# endpoints whose answers browsers may keep
KEPT: Final = ("static", "hall_look.static", "styles.style", "boxes.picture")
PACKED: Final = ("text/css", "text/javascript", "application/javascript", "image/svg+xml")

UNKNOWN_CALLER: Final = (
    "unknown-caller",
    Text(
        "The proxy in front of this table passes on a header that it should replace: Forwarded and "
        "X-Forwarded-For name different callers."
    ),
)
PASSED_ON: Final = ("forwarded", "via", "x-real-ip")  # words of a proxy
SAYS: Final = {"Origin", "Sec-Fetch-Site"}  # headers of which every browser sends one


def guard(app: Flask, here: addresses.OwnAddresses) -> None:
    """Refuse requests with a foreign Host, or from a page of a foreign Origin."""
    app.url_map.merge_slashes = False  # an address that is nearly right is wrong
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = BODY_BYTES
    app.config["MAX_FORM_PARTS"] = 16

    @app.before_request
    def _look() -> Response | None:
        return _refused(here)

    @app.after_request
    def _pack(answer: Response) -> Response:
        """Compress scripts and styles; what may hold a secret is not, for its length would tell."""
        kept = request.endpoint in KEPT and answer.status_code == 200
        if answer.mimetype == "text/html" or (kept and answer.mimetype == "text/css"):
            answer.direct_passthrough = False
            answer.set_data(asset_version.with_version(answer.get_data()))
        if kept and request.accept_encodings.quality("gzip") and answer.mimetype in PACKED:
            answer.direct_passthrough = False
            answer.set_data(_packed(answer.get_data()))
            answer.headers["Content-Encoding"] = "gzip"
        if kept:
            answer.vary.add("Accept-Encoding")
        return answer

    @app.after_request
    def _label(answer: Response) -> Response:
        for name, text in HEADERS.items():
            answer.headers.setdefault(name, text)
        if answer.mimetype == "text/html":  # all else stays short
            allowed = PERMISSIONS_OF.get(request.endpoint or "", PERMISSIONS)
            answer.headers["Permissions-Policy"] = allowed
        answer.headers[asset_version.HEADER] = asset_version.build()
        if answer.status_code >= 400 or not (
            request.endpoint in KEPT or answer.cache_control.no_cache
        ):
            answer.headers["Cache-Control"] = "no-store"
        elif request.endpoint in KEPT and asset_version.is_asked_for():
            answer.headers["Cache-Control"] = asset_version.FOREVER
        HEARD.debug("%s %s: %d", request.method, request.url_rule or "?", answer.status_code)
        return answer


def _refused(here: addresses.OwnAddresses) -> Response | None:
    """Return what a request gets that is nobody's business here; None: it is answered."""
    if request.environ.get(CONTRADICTION):
        return error_response(400, UNKNOWN_CALLER)
    if not here.known(called()):
        return error_response(421)
    if not _is_ours():
        return error_response(403, FOREIGN if SAYS & {*request.headers.keys()} else NO_ORIGIN)
    if (request.content_length or 0) > BODY_BYTES:
        return error_response(413)
    known = request.routing_exception is None  # else there is no such thing to be done at all
    changes = known and request.method not in HARMLESS
    if changes and request.path.startswith("/api/") and request.mimetype != JSON:
        return error_response(415)
    return None


@lru_cache(64)
def _packed(text: bytes) -> bytes:
    return gzip.compress(text, mtime=0)


def _host() -> str:
    """Return what the phone calls us; werkzeug knows no address that names its zone."""
    called = request.headers.get("Host", "")
    return called if ZONED.fullmatch(called) else request.host


def called() -> str:
    """Return what the phone calls us, without port and without brackets."""
    try:
        return urlsplit(f"//{_host()}").hostname or ""
    except ValueError:
        abort(400)


def from_here() -> bool:
    """Tell whether a browser of this computer asks: by address and name, and by no proxy.

    Where there is a proxy nobody does: it may stand on this computer, and say nothing of the world
    that calls through it.
    """
    if request.environ.get(PROXIED):
        return False
    words = (name.lower() for name, _ in request.headers)
    passed_on = any(word in PASSED_ON or word.startswith("x-forwarded-") for word in words)
    address, name = addresses.parsed(request.remote_addr or ""), called()
    host = addresses.parsed(name)
    here = name == addresses.NOWHERE or (host is not None and host.is_loopback)
    return here and not passed_on and address is not None and address.is_loopback


def _is_ours() -> bool:
    """Tell whether a page of ours sent this; a change must say so, in words that browsers keep."""
    origin = request.headers.get("Origin")
    if origin is not None:
        return origin == f"{request.scheme}://{_host()}"
    if request.headers.get("Sec-Fetch-Site") == "cross-site" and request.path.startswith("/api/"):
        return False
    return request.method in HARMLESS or request.headers.get("Sec-Fetch-Site") == "same-origin"


# --- bodies ---------------------------------------------------------------------------------------


def body() -> dict[str, Any]:
    """Return the object that a request carries; nothing that JSON does not know is taken for it."""
    try:
        data = safe_json.load_json(request.get_data(), LIMITS, _number)
    except safe_json.BadJson as bad:
        raise Malformed(UNREAD.get(bad.fault, NO_OBJECT).template) from bad
    if not isinstance(data, dict):
        raise Malformed(NO_OBJECT.template)
    return data


def _number(text: str) -> float:
    """Return a number of JSON, for which 1.0 and 1e0 are as whole as 1.

    >>> _number("1.0"), _number("1e400"), _number("0.5")
    (1, inf, 0.5)
    """
    value = float(text)
    return int(value) if value.is_integer() else value
