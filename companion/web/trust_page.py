"""The page `/trust` on https: its address, how a phone trusts it, and what that gives away.

What it needs lies here, too: the certificate of the table's authority as each system takes it, and
what a phone shows that has kept the page as an app, while the table is away.
"""

import plistlib
import ssl
from hashlib import sha256
from typing import Final
from uuid import NAMESPACE_URL, uuid5

from flask import Blueprint, Response, abort, render_template, request

from companion.present.to_json import sentence
from companion.system.certificates import PagesCertificate
from companion.web import context
from companion.web.common import request_guard
from companion.web.common.flask_app import current_viewer

WORKER: Final = "/static/worker.js"
KINDS: Final = {
    "crt": "application/x-x509-ca-cert",
    "pem": "application/x-pem-file",
    "mobileconfig": "application/x-apple-aspen-config",
}
POLICY: Final = "Content-Security-Policy"
ASKS: Final = "connect-src 'self'"


def pages(site: context.WebContext) -> Blueprint:
    blueprint = Blueprint("trust", __name__)
    https = site.https

    @blueprint.get("/trust")
    def trust() -> Response:
        known, direct = https.certificate, _direct(site)
        page = render_template(
            "trust.html",
            state=sentence(https.condition, current_viewer()),
            fine=https.port is not None,
            direct=direct,
            places=[link for link in _links(site) if link != direct],
            called="" if known is None else known.called,
            far=() if known is None else known.far,
            fingerprint="" if known is None else fingerprint(known.root),
        )
        answer = Response(page)
        if direct is not None and not request.is_secure:  # a script asks there whether it may
            asks = request_guard.HEADERS[POLICY].replace(ASKS, f"{ASKS} {direct}")
            answer.headers[POLICY] = asks
        return answer

    @blueprint.get("/trust/ok")
    def ok() -> Response:
        """Answer a page of ours that was loaded by http, and sees nothing but that it came."""
        return Response(status=204, headers={"Cross-Origin-Resource-Policy": "cross-origin"})

    @blueprint.get("/trust/over")
    def over() -> str:
        """Lead on: only a page that came by https itself brings along who is let in."""
        return render_template("trust_over.html")

    @blueprint.get("/trust/rappelwacht.<kind>")
    def certificate(kind: str) -> Response:
        known = https.certificate
        if known is None or kind not in KINDS:
            abort(404)
        answer = Response(written(known, kind), mimetype=KINDS[kind])
        how = "inline" if kind == "mobileconfig" else "attachment"  # an iPhone installs the former
        answer.headers["Content-Disposition"] = f'{how}; filename="rappelwacht.{kind}"'
        return answer

    @blueprint.get("/away")
    def away() -> str:
        """Return what an app shows while the table does not answer; it says nothing of a match."""
        return render_template("away.html")

    @blueprint.after_app_request
    def allow(answer: Response) -> Response:
        if request.path == WORKER:
            answer.headers["Service-Worker-Allowed"] = "/"
        return answer

    return blueprint


def written(known: PagesCertificate, kind: str) -> bytes:
    """Return the authority's certificate as a file of that kind."""
    if kind == "pem":
        return ssl.DER_cert_to_PEM_cert(known.root).encode()
    return profile(known) if kind == "mobileconfig" else known.root


def profile(known: PagesCertificate) -> bytes:
    """Return what an iPhone installs; the same authority is always the same profile."""
    mark = sha256(known.root).hexdigest()
    payload = {
        "PayloadType": "com.apple.security.root",
        "PayloadVersion": 1,
        "PayloadIdentifier": f"rappelwacht.{mark[:16]}.root",
        "PayloadUUID": str(uuid5(NAMESPACE_URL, f"rappelwacht:{mark}:root")).upper(),
        "PayloadDisplayName": known.called,
        "PayloadCertificateFileName": "rappelwacht.crt",
        "PayloadContent": known.root,
    }
    return plistlib.dumps(
        {
            "PayloadType": "Configuration",
            "PayloadVersion": 1,
            "PayloadIdentifier": f"rappelwacht.{mark[:16]}",
            "PayloadUUID": str(uuid5(NAMESPACE_URL, f"rappelwacht:{mark}")).upper(),
            "PayloadDisplayName": known.called,
            "PayloadContent": [payload],
        }
    )


def fingerprint(der: bytes) -> str:
    """Return the SHA-256 as phones and computers show it.

    >>> fingerprint(b"")[:11]
    'E3:B0:C4:42'
    """
    return sha256(der).digest().hex(":").upper()


def _direct(site: context.WebContext) -> str | None:
    """Return where whoever asks finds the page by https, by the name that they used."""
    known, port, called = site.https.certificate, site.https.port, request_guard.called()
    if known is None or port is None or called.lower() not in known.names or ":" in called:
        return None
    return f"https://{called.lower()}:{port}"


def _links(site: context.WebContext) -> list[str]:
    links = [*site.https.links]
    if request_guard.from_here() and site.https.port is not None:
        links.append(f"https://localhost:{site.https.port}")
    return links
