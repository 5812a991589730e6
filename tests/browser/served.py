"""Serves the pages of a table at a port of its own, and lets browsers in."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Locator, Page, expect

from companion.present.simulated_hands import Hands
from companion.web.app import STREAMS
from companion.web.context import WebContext
from companion.web.ports import TablePort
from companion.web.server import PhoneServer
from tests.browser.chromium import ARGUMENTS, FOUND, Drawer
from tests.programs import need
from tests.web.room import FakeRoom
from tests.web.test_server import until

HERE: Final = "127.0.0.1"


class Served(AbstractContextManager["Served"]):
    """The pages of one table; they may end, and come back at the same port."""

    def __init__(
        self,
        room: TablePort,
        folder: Path | None = None,
        hands: Hands | None = None,
        host: str = HERE,
        *,
        https: bool = False,
    ) -> None:
        self.host = host
        self.room, self.folder, self.hands = room, folder, None if hands is None else {"red": hands}
        self.port, self.https = 0, https
        self.begin()

    def begin(self, places: int = STREAMS) -> None:
        """Begin to serve, with other places than usual in the stream."""
        self.server = PhoneServer(self.room, self.folder, self.hands, places=places)
        first_run = None
        if isinstance(self.room, FakeRoom):
            self.room.join(self.server)
            first_run = self.room.first_run
        self.phones = self.server.start(self.port, self.host, first_run=first_run, https=self.https)
        if isinstance(self.room, FakeRoom):
            self.room.arrange(self.phones)
        self.port = self.phones.here.port
        if self.https:
            assert until(lambda: self.phones.https.port is not None), self.phones.https.condition

    def stop(self) -> None:
        """Serve no more."""
        self.server.stop()

    def __exit__(self, *_: object) -> None:
        """Serve no more."""
        self.stop()

    @property
    def home(self) -> str:
        """Return the address, without a slash at its end."""
        return f"http://{self.host}:{self.port}"

    @property
    def safe_home(self) -> str:
        """Return the address by https."""
        return f"https://{HERE}:{self.phones.https.port}"

    @property
    def pin(self) -> str:
        """Return what lets a phone in."""
        return self.server.pairing.pin

    def open(self, page: Page, path: str = "/", role: str | None = None) -> Page:
        """Open a page, as a phone that was let in before if a role is given."""
        return opened(page, self.home, path, None if role is None else (self.pin, role))


Serve = Callable[..., Served]  # serve(room), or serve(room, hands)


def shows(page: Page, room: FakeRoom) -> None:
    """Wait until a page shows the table as it is."""
    version = str(room.snapshot.version)
    expect(page.locator("#table")).to_have_attribute("data-version", version)


def loaded(one: Locator) -> Locator:
    """Wait for a part of the page that comes next, and for its scripts: only then taps count."""
    one.wait_for()
    one.page.wait_for_load_state()
    return one


def opened(page: Page, home: str, path: str = "/", let_in: tuple[str, str] | None = None) -> Page:
    """Open a page at an address, perhaps as a phone that was let in by the PIN for a role."""
    if let_in is not None:
        pin, role = let_in
        seat = {} if role == "table" else {"seat": role}
        asked = page.context.request.post(
            f"{home}/api/pair", data={"pin": pin, **seat}, headers={"Origin": home}
        )
        assert asked.ok, asked.text()
    page.goto(home + path)
    return page


@contextmanager
def trusting(drawer: Drawer, table: WebContext, home: Path) -> Iterator[Browser]:
    """Open a browser of somebody who has installed the certificate of a table's authority."""
    need("certutil")
    store = home / ".pki/nssdb"
    store.mkdir(parents=True)
    root = home / "root.crt"
    assert table.https.certificate is not None
    root.write_bytes(table.https.certificate.root)
    for words in (("-N", "--empty-password"), ("-A", "-n", "table", "-t", "C,,", "-i", str(root))):
        subprocess.run(["certutil", "-d", f"sql:{store}", *words], check=True)
    assert FOUND is not None
    browser = drawer.kind.launch(
        executable_path=FOUND, args=[*ARGUMENTS], env={"HOME": str(home), "PATH": "/usr/bin:/bin"}
    )
    yield browser
    browser.close()
