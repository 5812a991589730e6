"""The pages by https in Chromium: with trust an app; without it the plain page is as it was."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from companion.system import certificates
from companion.web.common import asset_version, tls
from companion.web.common.server import listening
from tests.browser.chromium import PATIENCE_MS, Complaints, Drawer, Opener, until
from tests.browser.served import HERE, Served, trusting
from tests.programs import need
from tests.web.playing import moving

COUNTED = """
    window.locks = [];
    const usual = navigator.wakeLock.request.bind(navigator.wakeLock);
    navigator.wakeLock.request = kind => usual(kind).then(lock => {
        window.locks.push(lock);
        return lock;
    });
"""
KEPT = """() => caches.keys().then(names => Promise.all(names.map(name => caches.open(name)
    .then(cache => cache.keys()).then(all => all.map(one => [name, new URL(one.url).pathname])))))
    .then(lists => lists.flat())"""

ENTER = """pin => fetch('/api/pair', {method: 'POST', body: JSON.stringify({pin}),
    headers: {'Content-Type': 'application/json'}}).then(answer => answer.ok)"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    need("openssl")
    with Served(moving(), tmp_path_factory.mktemp("table"), https=True) as served:
        yield served


@pytest.fixture(scope="module")
def believer(
    drawer: Drawer, table: Served, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Browser]:
    """Start a browser that trusts the table."""
    with trusting(drawer, table.phones, tmp_path_factory.mktemp("home")) as browser:
        yield browser


@pytest.fixture
def app(believer: Browser) -> Iterator[Page]:
    """Open a phone that trusts the table."""
    with believer.new_context(locale="en-GB", viewport={"width": 360, "height": 740}) as context:
        context.set_default_timeout(PATIENCE_MS)
        yield context.new_page()


@contextmanager
def away(table: Served) -> Iterator[None]:
    """Serve nothing meanwhile."""
    table.stop()
    try:
        yield
    finally:
        table.begin()


def kept(page: Page) -> list[list[str]]:
    """Return what the worker has kept: in which cache, and which path."""
    page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    stored: list[list[str]] = page.evaluate(KEPT)
    return stored


def test_a_phone_that_trusts_the_table_keeps_its_screen_on(app: Page, table: Served) -> None:
    app.add_init_script(COUNTED)
    app.context.grant_permissions(["screen-wake-lock"])  # a browser without a screen refuses it
    app.goto(table.safe_home)
    assert app.evaluate("isSecureContext") is True
    until(app, lambda: app.evaluate("window.locks.filter(lock => !lock.released).length") == 1)


def test_it_can_be_installed_as_an_app(app: Page, table: Served) -> None:
    app.goto(table.safe_home)
    kept(app)
    session = app.context.new_cdp_session(app)
    assert session.send("Page.getAppManifest")["errors"] == []
    faults = [
        one["errorId"]
        for one in session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    ]
    assert [fault for fault in faults if fault != "in-incognito"] == []


def test_the_app_says_that_the_table_is_away_and_goes_on_later(app: Page, table: Served) -> None:
    app.goto(f"{table.safe_home}/join")
    assert kept(app)
    safe = table.safe_home
    with away(table):
        app.reload()
        expect(app.get_by_role("heading", name="The table is away")).to_be_visible()
        assert app.evaluate("getComputedStyle(document.body).fontFamily") != "Times New Roman"
        app.goto(f"{safe}/history")  # wherever one goes
        expect(app.get_by_role("heading", name="The table is away")).to_be_visible()
    assert table.safe_home == safe
    expect(app.get_by_role("heading", name="History")).to_be_visible()


def test_it_keeps_nothing_but_what_is_the_same_for_everybody(app: Page, table: Served) -> None:
    app.goto(f"{table.safe_home}/join")
    assert app.evaluate(ENTER, table.pin)
    for path in ("/", "/join", "/setup", "/history", "/workshop", "/people", "/trust"):
        app.goto(table.safe_home + path)
        kept(app)
    paths = {path for _, path in kept(app)}
    assert "/away" in paths
    assert {path for path in paths if not path.startswith(("/static/", "/games/"))} == {"/away"}
    texts = app.evaluate("() => caches.match('/away').then(page => page.text())")
    assert table.pin not in texts


def test_a_new_version_throws_away_what_the_last_has_kept(
    app: Page, table: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    app.goto(f"{table.safe_home}/join")
    (before,) = {name for name, _ in kept(app)}
    monkeypatch.setattr(asset_version, "build", lambda: "newer")
    app.reload()
    until(app, lambda: {name for name, _ in kept(app)} == {"rappelwacht-newer-en"})
    assert before != "rappelwacht-newer-en"


def test_another_language_has_a_page_for_when_the_table_is_away(app: Page, table: Served) -> None:
    app.goto(f"{table.safe_home}/join")
    kept(app)
    app.locator("#menu > summary").click()
    app.get_by_role("button", name="Deutsch").click()
    until(app, lambda: {name.rpartition("-")[2] for name, _ in kept(app)} == {"de"})
    with away(table):
        app.reload()
        expect(app.get_by_role("heading", name="Der Tisch ist weg")).to_be_visible()


# --- getting there --------------------------------------------------------------------------------


def test_who_is_let_in_at_the_plain_page_goes_over_and_stays_in(app: Page, table: Served) -> None:
    table.open(app, "/trust", "red")
    assert app.evaluate("isSecureContext") is True  # this computer itself is believed anyway
    app.get_by_role("button", name="Try it, and go there").click()
    app.wait_for_url(f"{table.safe_home}/")
    assert app.evaluate("() => fetch('/api/pair').then(a => a.json())")["role"] == "red"
    assert "data-wish" in app.content() or "red" in app.content().lower()


def test_who_does_not_trust_it_is_told_and_the_plain_page_is_as_it_was(
    phone: Opener, table: Served, complaints: Complaints
) -> None:
    page = table.open(phone("en-GB"), "/trust", "red")
    complaints.forgive("ERR_CERT_AUTHORITY_INVALID|Failed to fetch|trust/ok")
    page.get_by_role("button", name="Try it, and go there").click()
    expect(page.locator("#tried")).to_be_visible()
    page.goto(table.home)
    assert (
        page.evaluate("() => navigator.serviceWorker.getRegistrations().then(all => all.length)")
        == 0
    )
    assert page.locator('script[src*="app.js"]').count() == 0


@pytest.mark.parametrize("name", ["bank.example", "zapp.local"])
def test_chromium_believes_what_a_stolen_key_signs_for_homes_only(
    app: Page, table: Served, tmp_path: Path, name: str
) -> None:
    assert table.folder is not None
    own = table.folder / certificates.FOLDER / certificates.AUTHORITY
    with certificates.OpensslRun(name) as desk:
        now = datetime.now(UTC)
        stolen = desk.signed("pages", name, "ec", now + timedelta(days=9), own, begins=now)
    chain = tmp_path / "stolen.pem"
    between = certificates.CERTIFICATE.findall(own.read_text("ascii"))[0]
    chain.write_bytes(stolen + between.encode())
    assert table.server.server is not None
    thief = table.server.server.open_tls(listening(0, HERE), tls.context_of(chain))
    there = f"https://{name}:{thief.port}/static/icon.svg"
    if name == "bank.example":
        with pytest.raises(Error, match="ERR_CERT"):
            app.goto(there)
    else:
        answer = app.goto(there)
        assert answer is not None
