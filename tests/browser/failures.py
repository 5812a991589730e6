"""Keeps what pages looked like when a test failed: a picture and, with --full, a trace of each.

The folder is named where the failure is told. It goes when its test is run again and succeeds.
"""

import re
import shutil
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Error

from tests.browser.chromium import Drawer

FOLDER: Final = Path(__file__).parents[2] / "failed-pages"
PICTURE_MS: Final = 5_000
HINT: Final = "What led there: .venv/bin/playwright show-trace "
AGAIN: Final = "To have a trace of what led there, run this test with --full."


def folder_of(nodeid: str) -> Path:
    """Return where the pages of a test are kept.

    >>> folder_of("tests/browser/test_tv.py::test_x[a/b]").name
    'test_tv-test_x-a-b'
    """
    _, _, name = nodeid.rpartition("/browser/")
    return FOLDER / "-".join(re.findall(r"\w+", name.replace(".py", "")))


def clear(nodeid: str) -> None:
    """Forget the last failure of a test."""
    shutil.rmtree(folder_of(nodeid), ignore_errors=True)
    with suppress(OSError):
        FOLDER.rmdir()  # unless there are others


def keep(drawer: Drawer, nodeid: str) -> tuple[str, str]:
    """Keep how all open pages look and what they did; return what is to be said of it."""
    folder = folder_of(nodeid)
    folder.mkdir(parents=True, exist_ok=True)
    for number, page in enumerate(drawer.out):
        for view, one in enumerate(page.context.pages):
            with suppress(Error):  # it may be in any state
                one.screenshot(path=folder / f"page-{number}-{view}.png", timeout=PICTURE_MS)
        with suppress(Error):
            drawer.stop_trace(page, folder / f"page-{number}.zip")
    trace = folder / "page-0.zip"
    return "Pages kept", f"{folder}\n{f'{HINT}{trace}' if trace.exists() else AGAIN}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep the pages of what has failed, before they are put back."""
    report = yield
    drawer: Any = getattr(item, "funcargs", {}).get("drawer")
    if call.when == "setup":
        clear(item.nodeid)
    if report.failed and isinstance(drawer, Drawer) and drawer.out:
        report.sections.append(keep(drawer, item.nodeid))
    return report
