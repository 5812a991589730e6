"""Fixtures of the browser: `phone()` and `desk()` open pages, also of what `serve(room)` serves.

The browser and its pages are kept for all tests, and wiped after each. Every complaint on a page's
console fails the test that opened it.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.present import animations
from tests.browser.chromium import (
    DESK,
    FOUND,
    PHONE,
    Complaints,
    Drawer,
    OnScreen,
    Opener,
    started,
)
from tests.browser.failures import keep
from tests.browser.failures import pytest_runtest_makereport as pytest_runtest_makereport  # noqa: PLC0414 - a hook
from tests.browser.served import Serve, Served
from tests.browser.simulated import Begin, Evening
from tests.programs import need

BRISK = 20  # this much sooner is what happened over, but where a test is about its time


@pytest.fixture(scope="package")  # no longer: while it runs, this thread has an event loop
def drawer(pytestconfig: pytest.Config) -> Iterator[Drawer]:
    """Start the browser once; what led to a failure is written down where time matters less."""
    need("chromium", "libatomic.so.1")
    assert FOUND is not None
    with started(FOUND) as browser:
        yield Drawer(browser, traced=bool(pytestconfig.getoption("--full")))


@pytest.fixture(autouse=True)
def brisk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Show briefly what happened: who only wants what comes of it need not watch all the dice."""
    if request.node.get_closest_marker("leisure") is None:
        usual = animations.least_ms
        monkeypatch.setattr(animations, "least_ms", lambda picture: usual(picture) // BRISK)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Serve the pages of tables, perhaps with somebody's hands, until no page is open any more."""
    with ExitStack() as life:
        yield lambda room, hands=None: life.enter_context(Served(room, tmp_path, hands))


@pytest.fixture
def begin(tmp_path: Path, drawer: Drawer) -> Iterator[Begin]:
    """Begin evenings at the simulated table, and end them when no page is open any more."""
    with ExitStack() as life:

        def begun(**how: object) -> Evening:
            return life.enter_context(Evening(tmp_path, **how))  # type: ignore[arg-type]

        yield begun
        drawer.put_back()


@pytest.fixture
def complaints(
    request: pytest.FixtureRequest,
    drawer: Drawer,
    serve: object,  # noqa: ARG001 - has to end later
) -> Iterator[Complaints]:
    """Leave all pages after a test; it fails if they complained and it did not expect that."""
    heard = drawer.complaints = Complaints()
    yield heard
    kept = keep(drawer, request.node.nodeid) if heard.left else ()
    drawer.put_back()
    assert not heard.left, kept


@pytest.fixture
def phone(drawer: Drawer, complaints: Complaints) -> Opener:  # noqa: ARG001 - has to listen first
    """Open pages on a phone: `phone(locale="en-US")`."""
    return Opener(drawer, PHONE)


@pytest.fixture
def on(drawer: Drawer, complaints: Complaints) -> OnScreen:  # noqa: ARG001 - likewise
    """Open pages on any screen: `on(Screen(320, 568))("de-DE")`."""
    return lambda screen: Opener(drawer, screen)


@pytest.fixture
def desk(drawer: Drawer, complaints: Complaints) -> Opener:  # noqa: ARG001 - has to listen first
    """Open pages on a large screen with a mouse."""
    return Opener(drawer, DESK)
