"""The pages by https in Firefox, with the table's authority trusted, and without."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from release.browsers.engines import EngineFault, OtherBrowser, firefox
from tests.browser.served import Served
from tests.programs import need
from tests.web.playing import moving

pytestmark = pytest.mark.slow
READY = "return navigator.serviceWorker.ready.then(() => true)"
KEPT = """return caches.keys().then(names => Promise.all(names.map(name => caches.open(name)
    .then(cache => cache.keys()).then(all => all.map(one => new URL(one.url).pathname)))))
    .then(lists => lists.flat())"""
HEADING = "return document.querySelector('h1, h2').textContent"
LETS_IN = """return fetch("/api/pair", {method: "POST",
    headers: {"Content-Type": "application/json"}, body: arguments[0]}).then(answer => answer.ok)"""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Served]:
    need("firefox-esr")
    need("openssl")
    (tmp_path / "table").mkdir()
    with Served(moving(), tmp_path / "table", https=True) as served:
        yield served


@pytest.fixture
def trusting(table: Served, tmp_path: Path) -> Iterator[OtherBrowser]:
    """Open a Firefox of somebody who has imported the authority, as /trust says."""
    need("certutil")
    profile, root = tmp_path / "profile", tmp_path / "root.crt"
    profile.mkdir()
    assert table.phones.https.certificate is not None
    root.write_bytes(table.phones.https.certificate.root)
    for words in (("-N", "--empty-password"), ("-A", "-n", "table", "-t", "C,,", "-i", str(root))):
        subprocess.run(["certutil", "-d", f"sql:{profile}", *words], check=True)
    with firefox(profile) as browser:
        yield browser


def test_firefox_takes_the_table_for_secure_and_keeps_its_shell(
    table: Served, trusting: OtherBrowser
) -> None:
    safe = table.safe_home
    trusting.open(f"{safe}/join")
    assert trusting.run("return isSecureContext") is True
    assert trusting.run(LETS_IN, f'{{"pin": "{table.pin}"}}')
    trusting.open(f"{safe}/")
    assert trusting.run(READY)
    kept = trusting.run(KEPT)
    assert "/away" in kept
    assert {path for path in kept if not path.startswith(("/static/", "/games/"))} == {"/away"}
    table.stop()
    for path in ("/", "/history"):  # wherever one goes
        trusting.open(safe + path)
        assert trusting.run(HEADING) == "Der Tisch ist weg"
    table.begin()
    assert table.safe_home == safe
    trusting.open(f"{safe}/history")
    assert trusting.run("return Boolean(document.getElementById('told'))")
    assert trusting.run(HEADING) != "Der Tisch ist weg"


def test_firefox_warns_of_a_table_that_it_does_not_trust(table: Served, tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    with firefox(profile) as browser:
        with pytest.raises(EngineFault, match="insecure certificate"):
            browser.open(f"{table.safe_home}/join")
        browser.open(f"{table.home}/join")
        assert browser.run("return Boolean(document.getElementById('told'))")
