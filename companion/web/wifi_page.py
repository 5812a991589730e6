"""The table's own Wi-Fi: its code, its captive portal for phones, and moving elsewhere.

There the table answers to every name, and phones ask well-known addresses whether there is an
Internet. Each is sent to a page that opens by itself, until it has opened another page
of the table; from then on it hears what it hopes for, so it neither nags nor leaves.
"""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Network
from pathlib import Path
from typing import Final

from flask import Blueprint, Flask, Response, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.maintenance import care
from companion.maintenance.health import says
from companion.web import care_page, context
from companion.web.common import errors, proxies, request_guard, validation
from companion.web.common.addresses import parsed

OWN: Final = "10.42.0.1"  # the table in its own Wi-Fi, as hotspot.nmconnection says
NETWORK: Final = IPv4Network(f"{OWN}/24", strict=False)
ENTRANCE: Final = f"http://{OWN}/own-wifi"  # at the usual port, which leads to ours there
CREDENTIAL: Final = "own-wifi"  # under this name systemd lends the service the Wi-Fi's file
MOST_BYTES: Final = 4096
SPECIAL: Final = re.compile(r'([\\;,":])')  # in a code
HEX: Final = re.compile(r"[0-9A-Fa-f]+")
RESULTS: Final = re.compile(r"^([ *]):((?:[0-9A-F]{2}){1,32}):(\d{1,3}):(.*)$", re.MULTILINE)
LONGEST_NAME: Final = 32  # bytes
HOME: Final = validation.record({"ssid": {}, "name": {}, "key": {}})  # see `_wanted`


@dataclass(frozen=True, slots=True)
class OwnWifi:
    """How the table's own Wi-Fi is called, and its key: for people in the room, and for no log."""

    name: str
    key: str = field(repr=False)

    @property
    def code(self) -> str:
        r"""Return what phones scan to join it.

        >>> OwnWifi('Tom; "Ann"', "a,b:c\\d").code
        'WIFI:T:WPA;S:Tom\\; \\"Ann\\";P:a\\,b\\:c\\\\d;;'
        >>> OwnWifi("cafe", "12345678").code  # else it would be taken for bytes
        'WIFI:T:WPA;S:"cafe";P:"12345678";;'
        """
        return f"WIFI:T:WPA;S:{_coded(self.name)};P:{_coded(self.key)};;"


def _coded(word: str) -> str:
    return f'"{word}"' if HEX.fullmatch(word) else SPECIAL.sub(r"\\\1", word)


def lent(environ: Mapping[str, str] = os.environ) -> OwnWifi | None:
    """Return the Wi-Fi whose file systemd lends this service; None: there is none."""
    folder = environ.get("CREDENTIALS_DIRECTORY")
    if folder is None:
        return None
    try:
        text = Path(folder, CREDENTIAL).read_text("utf-8")[:MOST_BYTES]
    except (OSError, ValueError):
        return None
    words = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    return OwnWifi(words["ssid"], words["psk"]) if {"ssid", "psk"} <= words.keys() else None


def is_open(site: context.WebContext) -> bool:
    """Tell whether the table is in its own Wi-Fi now."""
    return OWN in site.here.addresses


def joinable_wifi(site: context.WebContext) -> OwnWifi | None:
    """Return the Wi-Fi that phones have to join; None: there is none, or who asks is far away.

    Whoever is in the room may know its key: it stands on their television anyway.
    """
    far = request.environ.get(proxies.PROXIED) or site.here.far(request_guard.called())
    return site.own_wifi if is_open(site) and not far else None


# --- phones that look for the Internet ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Hoped:
    """What a phone hopes to hear at an address that it knows."""

    body: str = ""
    kind: str = "text/plain"

    def answer(self) -> Response:
        if not self.body:
            return Response(status=204)
        return Response(self.body, mimetype=self.kind)


FOUND: Final = Hoped()
ANDROID: Final = {"/generate_204": FOUND, "/gen_204": FOUND}
APPLE: Final = Hoped(
    "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>", "text/html"
)
WINDOWS: Final = {"/connecttest.txt": Hoped("Microsoft Connect Test")}
FIREFOX: Final = (
    '<meta http-equiv="refresh" content="0;url=https://support.mozilla.org/kb/captive-portal"/>'
)
PROBES: Final[Mapping[str, Mapping[str, Hoped]]] = {  # which systems ask where, and for what
    **dict.fromkeys(
        (
            *("connectivitycheck.gstatic.com", "connectivitycheck.android.com", "www.gstatic.com"),
            *("clients3.google.com", "www.google.com", "play.googleapis.com"),
            *("connect.rom.miui.com", "connectivitycheck.platform.hicloud.com"),
        ),
        ANDROID,
    ),
    "captive.apple.com": {"/hotspot-detect.html": APPLE, "/": APPLE},
    "www.apple.com": {"/library/test/success.html": APPLE},
    "www.msftconnecttest.com": WINDOWS,
    "ipv6.msftconnecttest.com": WINDOWS,
    "www.msftncsi.com": {"/ncsi.txt": Hoped("Microsoft NCSI")},
    "detectportal.firefox.com": {
        "/canonical.html": Hoped(FIREFOX, "text/html"),
        "/success.txt": Hoped("success\n"),
    },
}
PORTAL: Final = {"www.msftconnecttest.com": "/redirect"}  # which Windows opens if it hears no hope


class Arrivals:
    """Which phones have opened a page of the table since they came into its Wi-Fi."""

    def __init__(self, site: context.WebContext) -> None:
        self._site = site
        self._arrived = set[str]()  # addresses of our network: never many

    def caller(self) -> str | None:
        """Return the address of who calls from the table's own Wi-Fi; None: from elsewhere."""
        address = parsed(request.remote_addr or "")
        inside = address is not None and address.version == 4 and address in NETWORK
        proxied = request.environ.get(proxies.PROXIED)
        return str(address) if inside and not proxied and is_open(self._site) else None

    def has(self, caller: str | None) -> bool:
        return caller in self._arrived

    def answer(self) -> AnyResponse | None:
        """Answer a phone that looks for the Internet; None: it wants something else."""
        name = request_guard.called()
        if name not in PROBES or request.method not in ("GET", "HEAD"):
            return None
        caller = self.caller()
        if caller is None:
            return None
        hoped = PROBES[name].get(request.path)
        if hoped is not None and self.has(caller):
            return hoped.answer()
        if hoped is not None or PORTAL.get(name) == request.path:
            return redirect(ENTRANCE)
        return None

    def note(self, answer: Response) -> Response:
        """Note that somebody has opened a page of ours: then there is no more to be shown."""
        is_page = answer.mimetype == "text/html" and answer.status_code == 200
        if is_page and request.endpoint != "wifi.own_wifi" and request_guard.called() not in PROBES:
            caller = self.caller()
            if caller is not None:
                self._arrived.add(caller)
        return answer


def answer_probes(app: Flask, site: context.WebContext) -> None:
    """Answer who looks for the Internet, before the guard turns foreign names away."""
    arrivals = Arrivals(site)
    app.before_request(arrivals.answer)
    app.after_request(arrivals.note)

    @app.get("/captive")
    def captive() -> Response:
        """Return what RFC 8908 lets a phone ask, at the address that DHCP names (RFC 8910)."""
        caller = arrivals.caller()
        state: dict[str, object] = {"captive": caller is not None and not arrivals.has(caller)}
        if caller is not None:
            state["user-portal-url"] = f"{request.scheme}://{request.host}/own-wifi"
        answer = jsonify(state)
        answer.mimetype = "application/captive+json"
        return answer


# --- other Wi-Fis ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WifiSeen:
    """A Wi-Fi nearby, by the bytes of its name."""

    ssid: str
    signal: int
    locked: bool
    used: bool = False  # the table is in it

    @property
    def name(self) -> str:
        text = bytes.fromhex(self.ssid).decode("utf-8", "replace")
        return "".join(sign if sign.isprintable() else "�" for sign in text)


def wifis(texts: Iterable[str]) -> list[WifiSeen]:
    r"""Return what nmcli has listed, each name once, the best first.

    >>> wifis(["*:486F6D65:50:WPA2\n :486F6D65:80:WPA2\n :66:90:\n"])[0].name
    'f'
    """
    best: dict[str, WifiSeen] = {}
    for text in texts:
        for mark, ssid, signal, security in RESULTS.findall(text):
            name, before = ssid.lower(), best.get(ssid.lower())
            strength = max(int(signal), before.signal if before else 0)
            used = mark == "*" or (before is not None and before.used)
            best[name] = WifiSeen(name, strength, security.strip() not in ("", "--"), used)
    return sorted(best.values(), key=lambda wifi: (-wifi.signal, wifi.ssid))


def pages(site: context.WebContext, ask: Callable[[Sequence[str]], str | None] = says) -> Blueprint:
    wifi = Blueprint("wifi", __name__)

    def nearby() -> list[WifiSeen]:
        """Return what can be seen, or could before the table opened its own."""
        texts = [ask((*care.WIFI_LIST, "no")) or "", _seen_before(site.folder)]
        own = site.own_wifi
        return [seen for seen in wifis(texts) if own is None or seen.name != own.name]

    @wifi.app_context_processor
    def _words() -> dict[str, object]:
        return {"wifi_now": lambda: _now(site, nearby())}

    @wifi.get("/own-wifi")
    def own_wifi() -> AnyResponse | str:
        if not is_open(site):
            return redirect(site.home)
        return render_template("own_wifi.html", address=f"{OWN}:{site.here.port}")

    @wifi.post("/api/care/wifi-own")
    def open_own() -> Response:
        validation.body(validation.record())
        care_page.ask_root(site, "wifi-own", {})
        return jsonify(asked=True)

    @wifi.post("/api/care/wifi-home")
    def go_home() -> Response:
        care_page.ask_root(site, "wifi-home", _wanted(validation.body(HOME)))
        return jsonify(asked=True)

    return wifi


def _seen_before(folder: Path | None) -> str:
    root = care.root_of(folder)
    try:
        return "" if root is None else (root / care.ANSWERED / care.WIFI_SEEN).read_text("utf-8")
    except (OSError, ValueError):
        return ""


def _now(site: context.WebContext, nearby: list[WifiSeen]) -> dict[str, object] | None:
    """Return what the Workshop says of Wi-Fi; None: this table is not installed, so nothing."""
    if not care.is_there(site.folder) or site.folder is None:
        return None
    answered = care.answer(site.folder)
    lasting = [host for host in site.here.hosts if host == site.here.name]
    return {
        "open": is_open(site),
        "used": next((seen.name for seen in nearby if seen.used), None),
        "nearby": nearby,
        "own": site.own_wifi,
        "there": f"http://{OWN}:{site.here.port}",
        "home": f"http://{lasting[0]}:{site.here.port}" if lasting else None,
        "name": site.here.name.removesuffix(".local"),
        "answered": answered.sentence if answered and answered.verb.startswith("wifi_") else None,
    }


def _wanted(asked: Mapping[str, object]) -> dict[str, str]:
    """Return which Wi-Fi somebody has chosen, or typed the name of, and its key."""
    ssid, name, key = asked.get("ssid"), asked.get("name"), asked.get("key", "")
    wrong = errors.Malformed(
        "Choose a Wi-Fi, or type its name: at most {count} letters.", count=LONGEST_NAME
    )
    if isinstance(name, str) and ssid is None:
        ssid = name.encode("utf-8", "surrogatepass").hex()
        if len(name) <= LONGEST_NAME < len(ssid) // 2:  # no schema counts bytes
            raise errors.RequestError(422, "too-long", wrong.why)
    if not isinstance(ssid, str) or not care.WIFI_WORDS["ssid"].fullmatch(ssid):
        raise wrong
    if not isinstance(key, str) or not care.WIFI_WORDS["key"].fullmatch(key):
        raise errors.Malformed("A Wi-Fi's password has 8 to 63 letters, digits and signs.")
    return {"ssid": ssid, "key": key}
