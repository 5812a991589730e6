"""What a phone loads when it opens a page for the first time, and when it shows something.

Every byte counts that comes over the wire while the page opens, heads of answers included; without
Chromium, the page and what it names. The first paint is measured in Chromium with a processor that
is four times as slow.
"""

import re
from http.client import HTTPConnection
from statistics import median
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, CDPSession, Error, Page

from tests.browser.chromium import FOUND, started

Figures = dict[str, Any]
HERE: Final = "127.0.0.1"
SLOWER: Final = 4
PAINTS: Final = 3
SETTLES_MS: Final = 1000  # until what scripts ask for has come
PAINTED: Final = """new Promise(done => new PerformanceObserver(list => list.getEntriesByName(
    'first-contentful-paint').forEach(one => done(one.startTime))
).observe({type: 'paint', buffered: true}))"""


def measure(port: int, path: str = "/") -> Figures:
    """Return how much a phone loads at first, and when it shows something."""
    parts, again, paints = named(port, path), None, list[float]()
    if FOUND is not None:
        try:
            with started(FOUND) as browser:
                parts, again = wired(browser, port, path)
                paints = [painted(browser, port, path) for _ in range(PAINTS)]
        except Error:  # this machine cannot run it
            paints = []
    return {
        "first_load_kb": round(sum(parts.values()) / 1000, 1),
        "first_load_parts": parts,
        "again_kb": None if again is None else round(sum(again.values()) / 1000, 1),
        "again_requests": None if again is None else len(again),
        "fcp_ms": round(median(paints)) if paints else None,
        "fcp_slower": SLOWER,
    }


def named(port: int, path: str) -> dict[str, int]:
    """Return the bytes of a page and of each part that it names."""
    page = body_of(port, path)
    parts = sorted(set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page.decode())))
    return {path: len(page), **{part: len(body_of(port, part)) for part in parts}}


def body_of(port: int, path: str) -> bytes:
    """Return what a path answers, packed where a browser would have it packed."""
    line = HTTPConnection(HERE, port, timeout=10)
    packed = {"Accept-Encoding": "gzip"} if path.startswith("/static/") else {}
    line.request("GET", path, headers=packed)
    answer = line.getresponse()
    body = answer.read()
    line.close()
    if answer.status != 200:
        raise RuntimeError(f"{path} answers {answer.status}")
    return body


def wired(browser: Browser, port: int, path: str) -> tuple[dict[str, int], dict[str, int]]:
    """Return the bytes that come over the wire, by what was asked: at first, and the next time."""
    context, page = _phone(browser)
    visits = list[dict[str, int]]()
    for _ in range(2):
        asked, came = dict[str, str](), dict[str, float]()
        net = context.new_cdp_session(page)
        _listen(net, asked, came)
        page.goto(f"http://{HERE}:{port}{path}", wait_until="load")
        page.wait_for_timeout(SETTLES_MS)
        net.detach()
        page.goto("about:blank")
        sizes = dict[str, int]()
        for request, size in came.items():
            sizes[asked[request]] = sizes.get(asked[request], 0) + round(size)
        visits.append(dict(sorted(sizes.items())))
    context.close()
    first, again = visits
    return first, again


def _listen(net: CDPSession, asked: dict[str, str], came: dict[str, float]) -> None:
    """Take down what a page asks for, and what comes of it; what it has kept does not come."""

    def ask(told: Any) -> None:
        asked.setdefault(told["requestId"], urlsplit(told["request"]["url"]).path)

    def head(told: Any) -> None:
        if not told["response"]["fromDiskCache"] or told["response"]["status"] == 304:
            came[told["requestId"]] = told["response"]["encodedDataLength"]

    def more(told: Any) -> None:  # of what never ends, too, such as the stream
        if told["requestId"] in came:
            came[told["requestId"]] += told["encodedDataLength"]

    def whole(told: Any) -> None:
        if told["requestId"] in came:
            came[told["requestId"]] = told["encodedDataLength"]

    def kept(told: Any) -> None:
        came.pop(told["requestId"], None)

    net.on("Network.requestWillBeSent", ask)
    net.on("Network.responseReceived", head)
    net.on("Network.dataReceived", more)
    net.on("Network.loadingFinished", whole)
    net.on("Network.requestServedFromCache", kept)
    net.send("Network.enable")


def painted(browser: Browser, port: int, path: str) -> float:
    """Return when Chromium first shows something, as on a phone that was never here."""
    context, page = _phone(browser)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(f"http://{HERE}:{port}{path}", wait_until="load")
    at_ms = float(page.evaluate(PAINTED))
    context.close()
    return at_ms


def _phone(browser: Browser) -> tuple[BrowserContext, Page]:
    context = browser.new_context(viewport={"width": 360, "height": 740})
    return context, context.new_page()
