"""Fixtures of the browser: `phone()` and `desk()` open pages, also of what `serve(room)` serves.

Every complaint on a page's console fails the test that opened it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from companion.phone.room import Room
from tests.browser.chromium import (
    DESK,
    FOUND,
    MISSING,
    PHONE,
    Complaints,
    Opener,
    barriers,
    started,
)
from tests.browser.served import Served


@pytest.fixture(scope="package")  # no longer: while it runs, this thread has an event loop
def chromium() -> Iterator[Browser]:
    """Start the browser once."""
    if FOUND is None:
        pytest.skip(MISSING)
    with started(FOUND) as browser:
        yield browser


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[Room], Served]]:
    """Serve the pages of tables, and stop when no page is open any more."""
    with ExitStack() as life:
        yield lambda room: life.enter_context(Served(room, tmp_path))


@pytest.fixture
def complaints(chromium: Browser, serve: object) -> Iterator[Complaints]:  # noqa: ARG001 - ends later
    """Close all pages after a test; it fails if they complained and it did not expect that."""
    heard = Complaints()
    yield heard
    for context in chromium.contexts:
        context.close()
    assert not heard.left


@pytest.fixture
def phone(chromium: Browser, complaints: Complaints) -> Opener:
    """Open pages on a phone: `phone(locale="en-US")`."""
    return Opener(chromium, PHONE, complaints)


@pytest.fixture
def desk(chromium: Browser, complaints: Complaints) -> Opener:
    """Open pages on a large screen with a mouse."""
    return Opener(chromium, DESK, complaints)


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """Return what axe finds serious or critical on a page."""
    return barriers
